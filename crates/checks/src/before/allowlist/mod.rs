//! The allowlist: which hosts a browser may reach, and in which words others are refused. Pure, so that the
//! proxy, the interception of requests and the command line judge an address in the same way.

mod entry;
mod off_limits;
mod refused;
#[cfg(test)]
mod tests;

use url::{Host, Url};

use entry::Entry;
pub use off_limits::OffLimits;
pub use refused::{Refused, in_words};

/// More entries than anybody writes by hand; a longer list is a mistake.
const MOST_ENTRIES: usize = 1000;

/// Hosts that may be reached; everything else may not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowlist {
    entries: Vec<Entry>,
    off_limits: OffLimits,
}

/// How a connection speaks: a WebSocket counts as the protocol that it begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

/// Why an address is refused, as a part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What the refusals of one page are grouped by; a scheme where there is no host.
    pub host: String,
    /// Like `host evil.test is not listed`.
    pub reason: String,
}

impl Allowlist {
    /// The error is one sentence that names the entry.
    pub fn parse(entries: &[String]) -> Result<Allowlist, String> {
        if entries.len() > MOST_ENTRIES {
            return Err(format!("the allowlist has {} entries, and {MOST_ENTRIES} is the most", entries.len()));
        }
        let entries = entries.iter().map(|entry| Entry::parse(entry)).collect::<Result<Vec<_>, _>>()?;
        Ok(Allowlist { entries, off_limits: OffLimits::default() })
    }

    /// Everything but these.
    pub fn everywhere_but(off_limits: OffLimits) -> Allowlist {
        Allowlist { entries: vec![Entry::every()], off_limits }
    }

    /// The same list without these.
    #[must_use]
    pub fn but(self, off_limits: OffLimits) -> Allowlist {
        Allowlist { off_limits, ..self }
    }

    /// The same from one text: entries separated by commas or spaces.
    pub fn parse_text(text: &str) -> Result<Allowlist, String> {
        let entries = entries_in(text);
        if entries.is_empty() {
            return Err("the allowlist names no host".into());
        }
        Allowlist::parse(&entries)
    }

    /// The first of these entries that would allow more than this list does. The error is one sentence about an entry
    /// that is none.
    pub fn beyond<'a>(&self, entries: &'a [String]) -> Result<Option<&'a String>, String> {
        for written in entries {
            let entry = Entry::parse(written)?;
            if !self.entries.iter().any(|outer| entry.is_within(outer)) {
                return Ok(Some(written));
            }
        }
        Ok(None)
    }

    /// Whether a tab may show this address. Empty pages are harmless: they come from nowhere.
    pub fn document(&self, url: &str) -> Result<(), Refusal> {
        self.judge(url, |url| url.scheme() == "about" && matches!(url.path(), "blank" | "srcdoc"))
    }

    /// Whether a page may ask for this address. What a page carries in itself reaches nobody.
    pub fn request(&self, url: &str) -> Result<(), Refusal> {
        self.judge(url, |url| matches!(url.scheme(), "about" | "data" | "blob"))
    }

    /// Whether a connection may be made, once it is known how it will speak.
    pub fn target(&self, scheme: Scheme, host: &Host<String>, port: u16) -> Result<(), Refusal> {
        self.off_limits.judge(host, port)?;
        if self.entries.iter().any(|entry| entry.covers(scheme, host, port)) {
            return Ok(());
        }
        let shown = shortened(&host.to_string());
        let known: Vec<&Entry> = self.entries.iter().filter(|entry| entry.covers_host(host)).collect();
        let reason = if known.is_empty() {
            format!("host {shown} is not listed")
        } else if known.iter().any(|entry| entry.covers_scheme(scheme)) {
            format!("port {port} of host {shown} is not listed")
        } else {
            format!("host {shown} is not listed for {}", scheme.name())
        };
        Err(Refusal { host: shown, reason })
    }

    /// Whether a connection may be made that could speak either way.
    pub fn tunnel(&self, host: &Host<String>, port: u16) -> Result<(), Refusal> {
        self.target(Scheme::Http, host, port).or_else(|_| self.target(Scheme::Https, host, port))
    }

    fn judge(&self, url: &str, harmless: impl Fn(&Url) -> bool) -> Result<(), Refusal> {
        let no_address = |what: &str| Refusal { host: what.to_string(), reason: "it is no address of a host".into() };
        let url = Url::parse(url).map_err(|_| no_address("elsewhere"))?;
        if harmless(&url) {
            return Ok(());
        }
        let Some(scheme) = Scheme::of(url.scheme()) else {
            let scheme = shortened(url.scheme());
            return Err(Refusal { reason: format!("{scheme}: addresses are not allowed"), host: format!("{scheme}:") });
        };
        let host = url.host().and_then(|host| plain_host(&host.to_owned())).ok_or_else(|| no_address("elsewhere"))?;
        self.target(scheme, &host, url.port().unwrap_or(scheme.default_port()))
    }
}

impl Scheme {
    pub fn of(scheme: &str) -> Option<Scheme> {
        match scheme {
            "http" | "ws" => Some(Scheme::Http),
            "https" | "wss" => Some(Scheme::Https),
            _ => None,
        }
    }

    pub fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }
}

/// The entries of a text, as they are written in it.
pub fn entries_in(text: &str) -> Vec<String> {
    let split = |c: char| c == ',' || c.is_whitespace();
    text.split(split).filter(|entry| !entry.is_empty()).map(str::to_string).collect()
}

/// The entries that both lists allow, as they were written.
pub fn narrowed(one: &[String], other: &[String]) -> Result<Vec<String>, String> {
    let mut both: Vec<String> = Vec::new();
    for (entries, list) in [(one, Allowlist::parse(other)?), (other, Allowlist::parse(one)?)] {
        for written in entries {
            if list.beyond(std::slice::from_ref(written))?.is_none() && !both.contains(written) {
                both.push(written.clone());
            }
        }
    }
    Ok(both)
}

/// One spelling for each host. Dots at the end change nothing about where a name leads, but would make it
/// another text; without them a name may turn out to be a number.
pub fn plain_host(host: &Host<String>) -> Option<Host<String>> {
    let Host::Domain(name) = host else { return Some(host.clone()) };
    let bare = name.trim_end_matches('.');
    match bare.len() {
        0 => None,
        length if length == name.len() => Some(host.clone()),
        _ => Host::parse(bare).ok(),
    }
}

/// The entry that would allow an address, for a hint.
pub fn entry_for(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let scheme = Scheme::of(url.scheme())?;
    let host = plain_host(&url.host()?.to_owned())?;
    Some(match url.port() {
        Some(port) if port != scheme.default_port() => format!("{host}:{port}"),
        _ => host.to_string(),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}
