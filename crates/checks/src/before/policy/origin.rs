//! Origins, and the patterns that rules name them by: `example.com`, `*.example.com`, `host:8080`,
//! `https://host`. Compared as the browser compares them, after the url standard's own normalisation.

use url::{Host, Url};

/// Scheme, host and port of a page that has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    /// `None` for schemes without hosts, like `file`.
    host: Option<Host<String>>,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OriginPattern(Shape);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    /// `*`: every page on the web.
    Web,
    Hosts {
        scheme: Option<String>,
        host: Host<String>,
        /// Its subdomains too.
        below: bool,
        port: Option<u16>,
    },
    /// `file:` and the like.
    Scheme(String),
}

/// The origins that a run has to do with by the user's own word.
#[derive(Debug, Clone, Default)]
pub struct KnownOrigins {
    patterns: Vec<OriginPattern>,
    /// Where the run begins, and the addresses that its plan names.
    starts: Vec<Origin>,
}

impl Origin {
    /// `None` for what has no origin of its own: `data:`, `about:blank`, `null`, or no url at all.
    pub fn of(url: &str) -> Option<Origin> {
        let url = Url::parse(url).ok()?;
        match url.scheme() {
            "http" | "https" | "ws" | "wss" => Some(Origin {
                scheme: url.scheme().to_string(),
                host: Some(without_final_dot(url.host()?.to_owned())),
                port: url.port_or_known_default(),
            }),
            "file" => Some(Origin { scheme: "file".into(), host: None, port: None }),
            _ => None,
        }
    }

    /// The same place as the user may have meant it: a plain address that moved to https, or to or from `www.`.
    fn is_alias_of(&self, start: &Origin) -> bool {
        if self == start {
            return true;
        }
        let upgraded =
            start.scheme == "http" && start.port == Some(80) && self.scheme == "https" && self.port == Some(443);
        let same_door = upgraded || (self.scheme == start.scheme && self.port == start.port);
        let bare = |origin: &Origin| match &origin.host {
            Some(Host::Domain(name)) => Some(name.strip_prefix("www.").unwrap_or(name).to_string()),
            Some(host) => Some(host.to_string()),
            None => None,
        };
        same_door && bare(self).is_some() && bare(self) == bare(start)
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(host) = &self.host else { return write!(f, "{}:", self.scheme) };
        write!(f, "{}://{host}", self.scheme)?;
        let usual =
            matches!((self.scheme.as_str(), self.port), ("http" | "ws", Some(80)) | ("https" | "wss", Some(443)));
        match self.port {
            Some(port) if !usual => write!(f, ":{port}"),
            _ => Ok(()),
        }
    }
}

impl OriginPattern {
    /// The error is what is wrong with it, without a subject.
    pub(crate) fn parse(text: &str) -> Result<OriginPattern, String> {
        let text = text.trim();
        if text == "*" {
            return Ok(OriginPattern(Shape::Web));
        }
        if matches!(text, "file:" | "file://") {
            return Ok(OriginPattern(Shape::Scheme("file".into())));
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if scheme.as_deref().is_some_and(|scheme| !matches!(scheme, "http" | "https")) {
            return Err("names a scheme other than http and https".into());
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (below, rest) = match rest.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        if rest.is_empty() || rest.contains(['*', '/', '?', '#', '@', '\\']) || rest.contains(char::is_whitespace) {
            return Err("is no host, like example.com, *.example.com or localhost:8080".into());
        }
        let shown = scheme.as_deref().unwrap_or("http");
        let url =
            Url::parse(&format!("{shown}://{rest}/")).map_err(|_| "is no host that a browser knows".to_string())?;
        let host = url.host().map(|host| without_final_dot(host.to_owned())).ok_or("names no host")?;
        if below && !matches!(host, Host::Domain(_)) {
            return Err("puts *. before an IP address, which has no subdomains".into());
        }
        // The url drops a port that is its scheme's own, but whoever wrote one meant it.
        let written =
            rest.rsplit_once(':').filter(|(_, port)| !port.contains(']')).and_then(|(_, port)| port.parse().ok());
        let port = written.or(if scheme.is_some() { url.port_or_known_default() } else { None });
        Ok(OriginPattern(Shape::Hosts { scheme, host, below, port }))
    }

    pub(crate) fn matches(&self, origin: &Origin) -> bool {
        match &self.0 {
            Shape::Web => origin.host.is_some(),
            Shape::Scheme(scheme) => origin.scheme == *scheme,
            Shape::Hosts { scheme, host, below, port } => {
                let Some(own) = &origin.host else { return false };
                let door = match port {
                    Some(port) => origin.port == Some(*port),
                    None => matches!(
                        (origin.scheme.as_str(), origin.port),
                        ("http" | "ws", Some(80)) | ("https" | "wss", Some(443))
                    ),
                };
                let name = own == host
                    || match (own, host) {
                        (Host::Domain(own), Host::Domain(host)) => {
                            *below && own.strip_suffix(host.as_str()).is_some_and(|rest| rest.ends_with('.'))
                        }
                        _ => false,
                    };
                let spoken = scheme.as_ref().is_none_or(|scheme| *scheme == origin.scheme);
                door && name && spoken
            }
        }
    }
}

impl KnownOrigins {
    /// The start page, and the entries of an allowlist. An entry that is none is left out: whoever reads
    /// the list says so.
    pub fn new(start_url: Option<&str>, allowed: &[String]) -> KnownOrigins {
        let patterns = allowed.iter().filter_map(|entry| OriginPattern::parse(entry).ok()).collect();
        KnownOrigins { patterns, starts: start_url.and_then(Origin::of).into_iter().collect() }
    }

    /// With addresses that whoever asked for the run has named beside the start page.
    #[must_use]
    pub fn and(mut self, addresses: &[String]) -> KnownOrigins {
        self.starts.extend(addresses.iter().filter_map(|address| Origin::of(address)));
        self
    }

    pub(crate) fn with(&self, trusted: &[OriginPattern], origin: Option<&Origin>) -> bool {
        let Some(origin) = origin else { return false };
        self.starts.iter().any(|start| origin.is_alias_of(start))
            || self.patterns.iter().chain(trusted).any(|pattern| pattern.matches(origin))
    }
}

fn without_final_dot(host: Host<String>) -> Host<String> {
    match host {
        Host::Domain(name) => Host::Domain(name.trim_end_matches('.').to_string()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_the_allowlist_does() {
        for (pattern, url, expected) in [
            ("example.com", "https://example.com/x", true),
            ("example.com", "http://EXAMPLE.com.:80/", true),
            ("example.com", "https://example.com:8443/", false),
            ("example.com", "https://www.example.com/", false),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", true),
            ("*.example.com", "https://notexample.com/", false),
            ("localhost:8080", "http://localhost:8080/", true),
            ("localhost:8080", "http://127.0.0.1:8080/", false),
            ("https://example.com", "http://example.com/", false),
            ("[::1]:8080", "http://[::1]:8080/", true),
            ("bücher.example", "https://xn--bcher-kva.example/", true),
            ("127.0.0.1", "http://2130706433/", true),
            ("example.com", "https://example.com@evil.test/", false),
            ("*", "https://anything.test:99/", true),
            ("*", "file:///tmp/x", false),
            ("file:", "file:///tmp/x", true),
        ] {
            let origin = Origin::of(url).unwrap();
            assert_eq!(OriginPattern::parse(pattern).unwrap().matches(&origin), expected, "{pattern} {url}");
        }
        for wrong in ["", "*:80", "a b", "ftp://x", "exa*mple.com", "x/y", "u@x", "*.127.0.0.1", "http://"] {
            assert!(OriginPattern::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_start_page_is_known_also_after_it_moved() {
        let known = |start: &str, url: &str| KnownOrigins::new(Some(start), &[]).with(&[], Origin::of(url).as_ref());
        for (start, url, expected) in [
            ("http://shop.test/", "http://shop.test/cart", true),
            ("http://shop.test/", "https://shop.test/", true),
            ("http://shop.test/", "https://www.shop.test/", true),
            ("https://www.shop.test/", "https://shop.test/", true),
            ("https://shop.test/", "http://shop.test/", false),
            ("https://shop.test/", "https://pay.shop.test/", false),
            ("http://127.0.0.1:4000/", "http://127.0.0.1:4001/", false),
            ("file:///tmp/a.html", "file:///tmp/b.html", true),
            ("data:text/html,x", "data:text/html,x", false),
        ] {
            assert_eq!(known(start, url), expected, "{start} {url}");
        }
        assert!(!KnownOrigins::new(None, &[]).with(&[], Origin::of("https://x.test/").as_ref()));
        assert_eq!(Origin::of("https://x.test:443/").unwrap().to_string(), "https://x.test");
    }
}
