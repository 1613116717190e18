//! Keeps a browser to its allowlist, below the page. A browser that we launch reaches the network only through a
//! proxy in this process (`proxy`); in one that we attach to, requests are held up and judged (`interceptor`).
//! Either way refusals go into one log, and what a tab shows is judged again after every call (`inside`).

mod arriving;
mod dial;
mod forward;
mod headers;
mod inside;
mod interceptor;
mod log;
mod off_limits;
mod own_traffic;
mod proof;
mod proxy;
mod tunnel;
mod upstream;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use surehand_checks::before::allowlist::{Allowlist, OffLimits, Refusal, entry_for};
use surehand_types::ErrorCode;

use self::proxy::Proxy;
use self::upstream::Route;
use super::BrowserOptions;
use crate::{CallFailure, EnvError};

pub(crate) use self::interceptor::Interceptor;
pub(crate) use self::log::RefusalLog;

/// The allowlist of an environment with what enforces it; nothing at all where there is none.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    allow: Option<Arc<Allowlist>>,
    pub(crate) refusals: Arc<RefusalLog>,
    /// Ends with the environment.
    proxy: Option<Proxy>,
    /// Tabs of the user's that stood outside when we came: nobody may act in them, but they are not ours to empty.
    foreign: Mutex<HashSet<String>>,
    web_only: bool,
    off_limits: OffLimits,
}

/// Flags that take the network away from everything that does not go through a proxy.
const NO_WAY_AROUND: &[&str] = &[
    // Names are looked up by our proxy. The number is the proxy's own.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    // Calls between browsers speak UDP, which no proxy of ours carries. Chromium 156 takes no notice of the second
    // name (145 datagrams to a STUN server, none with the first); older ones know only that.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// Flags of the user's that would open a way around the proxy.
const WAYS_AROUND: &[&str] = &[
    "--proxy-server",
    "--no-proxy-server",
    "--proxy-pac-url",
    "--proxy-auto-detect",
    "--proxy-bypass-list",
    "--host-resolver-rules",
    "--host-rules",
    "--enable-quic",
    "--origin-to-force-quic-on",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy",
];

impl Gate {
    /// For a browser that is about to be launched; the options then lead it through the proxy.
    pub(crate) async fn before_launch(options: &BrowserOptions) -> Result<(Gate, BrowserOptions), EnvError> {
        let mut guarded = options.clone();
        let bare = Gate { web_only: options.web_only, off_limits: options.off_limits.clone(), ..Gate::default() };
        let Some(allow) = options.allow.clone() else {
            off_limits::keep_away(&mut guarded)?;
            return Ok((bare, guarded));
        };
        let allow = Arc::new(Allowlist::clone(&allow).but(options.off_limits.clone()));
        if let Some(flag) = options.extra_flags.iter().find(|flag| goes_around(flag)) {
            return Err(EnvError::Setting(format!(
                "chromium_args: {flag} could lead around the allowlist\nhint: leave out the flag, or the allowlist"
            )));
        }
        let route = Route::of(&options.site).map_err(EnvError::Setting)?;
        let refusals = Arc::new(RefusalLog::default());
        let proxy = Proxy::start(Arc::clone(&allow), route, Arc::clone(&refusals)).await?;
        guarded.site.proxy = Some(format!("http://127.0.0.1:{}", proxy.port()));
        // Ours answers for the user's proxy; a site that asks in its name gets nothing.
        guarded.site.proxy_login = None;
        guarded.extra_flags.splice(0..0, NO_WAY_AROUND.iter().map(ToString::to_string));
        Ok((Gate { allow: Some(allow), refusals, proxy: Some(proxy), ..bare }, guarded))
    }

    /// For a browser that runs already: judges with the interceptor that its sessions were given.
    pub(crate) fn attached(interceptor: Option<&Interceptor>) -> Gate {
        match interceptor {
            Some(interceptor) => Gate {
                allow: Some(Arc::clone(&interceptor.allow)),
                refusals: Arc::clone(&interceptor.refusals),
                ..Gate::default()
            },
            None => Gate::default(),
        }
    }

    /// What somebody who relies on the allowlist has to know.
    pub(crate) fn notes(&self) -> Vec<String> {
        let weaker = self.allow.is_some() && self.proxy.is_none();
        weaker.then(|| interceptor::WEAKER.to_string()).into_iter().collect()
    }

    /// A tab was there before us.
    pub(crate) fn found(&self, target: &str, url: &str) {
        if self.proxy.is_none() && !url.is_empty() && self.judge(url).is_err() {
            self.foreign.lock().unwrap_or_else(PoisonError::into_inner).insert(target.to_string());
        }
    }

    fn is_foreign(&self, target: &str) -> bool {
        self.foreign.lock().unwrap_or_else(PoisonError::into_inner).contains(target)
    }

    /// It came inside by itself, and is treated like every other tab from now on.
    fn came_inside(&self, target: &str) {
        self.foreign.lock().unwrap_or_else(PoisonError::into_inner).remove(target);
    }

    /// Whether an address may be asked for. What pages lead to themselves, like a document they made, is their own affair.
    pub(crate) fn judge_asked(&self, address: &url::Url) -> Result<(), CallFailure> {
        if self.web_only && !matches!(address.scheme(), "http" | "https") && address.as_str() != "about:blank" {
            let scheme: String = address.scheme().chars().take(40).collect();
            let message = format!("only http and https addresses can be opened here, not {scheme}:");
            return Err(CallFailure::new(ErrorCode::Denied, message));
        }
        let judged = self.off_limits.document(address.as_str()).and_then(|()| self.judge(address.as_str()));
        judged.map_err(|refusal| inside::denied(address.as_str(), &refusal))
    }

    /// Whether a tab may show this address.
    pub(crate) fn judge(&self, url: &str) -> Result<(), Refusal> {
        self.allow.as_ref().map_or(Ok(()), |allow| allow.document(url))
    }
}

/// Judges the page a run starts on, before a browser is started for it.
pub fn check_start_url(options: &BrowserOptions, url: &str) -> Result<(), EnvError> {
    let address = super::tabs::parse_address(url)?;
    options
        .off_limits
        .document(address.as_str())
        .map_err(|refusal| EnvError::Setting(format!("the start url cannot be opened: {}", refusal.reason)))?;
    let Some(allow) = &options.allow else { return Ok(()) };
    allow.document(address.as_str()).map_err(|refusal| {
        let hint = match entry_for(address.as_str()) {
            Some(entry) => format!("\nhint: --allow {entry}"),
            None => "\nhint: only http and https pages can be opened with an allowlist".to_string(),
        };
        let shown: String = address.as_str().chars().take(200).collect();
        EnvError::Setting(format!("the allowlist refuses the start url {shown} ({}){hint}", refusal.reason))
    })
}

fn goes_around(flag: &str) -> bool {
    is_one_of(flag, WAYS_AROUND)
}

fn is_one_of(flag: &str, names: &[&str]) -> bool {
    let name = flag.split('=').next().unwrap_or_default();
    // The browser takes one dash as well as two.
    let name = name.trim_start_matches('-');
    names.iter().any(|known| known.trim_start_matches('-') == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(entries: &[&str]) -> BrowserOptions {
        let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
        BrowserOptions { allow: Some(Arc::new(Allowlist::parse(&entries).unwrap())), ..BrowserOptions::default() }
    }

    #[test]
    fn a_start_url_outside_names_the_entry_to_add() {
        let options = options(&["a.test"]);
        assert!(check_start_url(&options, "a.test").is_ok());
        assert!(check_start_url(&options, "about:blank").is_ok());
        for (url, hint) in [
            ("http://evil.test:8080/x", "--allow evil.test:8080"),
            ("evil.test", "--allow evil.test"),
            ("data:text/html,x", "only http and https"),
        ] {
            let error = check_start_url(&options, url).unwrap_err();
            assert!(error.is_usage() && error.to_string().contains(hint), "{error}");
        }
        assert!(check_start_url(&BrowserOptions::default(), "http://evil.test/").is_ok());
    }

    #[tokio::test]
    async fn a_launch_is_led_through_the_proxy_and_cannot_be_led_around_it() {
        let (gate, guarded) = Gate::before_launch(&options(&["a.test"])).await.unwrap();
        assert!(gate.proxy.is_some());
        assert!(guarded.site.proxy.unwrap().starts_with("http://127.0.0.1:"));
        let (gate, guarded) = Gate::before_launch(&BrowserOptions::default()).await.unwrap();
        assert!(gate.proxy.is_none() && guarded.site.proxy.is_none() && guarded.extra_flags.is_empty());
        for flag in ["--proxy-server=x", "-proxy-server=x", "--no-proxy-server", "--host-resolver-rules=MAP * 1.2.3.4"]
        {
            let refused = BrowserOptions { extra_flags: vec![flag.into()], ..options(&["a.test"]) };
            assert!(Gate::before_launch(&refused).await.unwrap_err().to_string().contains(flag));
        }
        let mut socks = options(&["a.test"]);
        socks.site.proxy = Some("socks5://127.0.0.1:1080".into());
        assert!(Gate::before_launch(&socks).await.unwrap_err().is_usage());
    }
}
