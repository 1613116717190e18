//! That the browser we launched has no way but our proxy. Its flags say so, but the policies of a managed machine
//! stand above flags: with `ProxyMode` set there, Chromium 156 takes no notice of `--proxy-server`, and with
//! `WebRtcIPHandling` pages send datagrams past it. So before anything is opened, it asks for an address that only the
//! proxy can answer for, and looks for ways that a call between browsers could take.

use std::sync::atomic::{AtomicBool, Ordering};

use url::Host;

use super::super::BrowserEnv;
use crate::EnvError;

/// No host of this name can exist.
pub(super) const HOST: &str = "surehand-allowlist.invalid";

#[derive(Debug, Default)]
pub(super) struct Proof {
    given: AtomicBool,
}

impl Proof {
    /// Whether a request is the one that proves it; notes it where it is.
    pub(super) fn is_given_by(&self, host: &Host<String>) -> bool {
        let given = matches!(host, Host::Domain(name) if name == HOST);
        self.given.fetch_or(given, Ordering::SeqCst);
        given
    }

    pub(super) fn is_given(&self) -> bool {
        self.given.load(Ordering::SeqCst)
    }
}

/// Says whether a datagram could leave. Where none can, the browser has nothing to offer and says so at once.
const CALLS: &str = "
  if (typeof RTCPeerConnection === 'undefined') return false;
  const call = new RTCPeerConnection();
  call.createDataChannel('x');
  const offered = new Promise((done) => {
    setTimeout(() => done(false), 5000);
    call.onicecandidate = ({ candidate }) => {
      if (!candidate) done(false);
      else if (candidate.protocol === 'udp') done(true);
    };
  });
  await call.setLocalDescription();
  return offered.finally(() => call.close());";

impl BrowserEnv {
    /// Nothing may be opened before this.
    pub(in crate::browser) async fn prove_proxy(&self) -> Result<(), EnvError> {
        let Some(proxy) = &self.gate.proxy else { return Ok(()) };
        let ask = format!("fetch('http://{HOST}/', {{ mode: 'no-cors' }}).catch(() => {{}})");
        let open: bool = self.page()?.evaluate(&format!("(async () => {{ await {ask}; {CALLS} }})()")).await?;
        let not_kept = match (proxy.proof().is_given(), open) {
            (true, false) => return Ok(()),
            (false, _) => "does not use the proxy that keeps it to the allowlist",
            (true, true) => "lets calls between browsers (WebRTC) go past the allowlist",
        };
        Err(EnvError::Setting(format!(
            "allow: the browser {not_kept}, so nothing was opened\n\
             hint: a policy of this machine may be why (chrome://policy shows ProxyMode and WebRtcIPHandling)"
        )))
    }
}
