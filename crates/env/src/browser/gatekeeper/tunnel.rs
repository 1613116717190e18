//! A connection that the proxy cannot look into: encrypted ones and WebSockets. Its first byte tells which of the
//! two, which matters where an entry allows only one of them.

use std::time::Duration;

use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use surehand_checks::before::allowlist::Scheme;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::log::Wanted;
use super::proxy::{Doorkeeper, Place};

/// How long a browser may say nothing after it asked for a tunnel.
const SILENT: Duration = Duration::from_secs(60);
/// What an encrypted connection begins with: the type of a handshake record.
const HANDSHAKE: u8 = 0x16;

#[derive(Debug)]
pub(super) struct Tunnel {
    pub(super) browser: OnUpgrade,
    pub(super) other_end: TcpStream,
    pub(super) place: Place,
}

impl Tunnel {
    /// Carries bytes both ways until one side has ended; the browser decides how long that is.
    pub(super) async fn carry(mut self, doorkeeper: &Doorkeeper) {
        let Ok(browser) = self.browser.await else { return };
        let mut browser = TokioIo::new(browser);
        let mut first = vec![0; 16 * 1024];
        let Ok(Ok(count @ 1..)) = tokio::time::timeout(SILENT, browser.read(&mut first)).await else { return };
        let scheme = if first[0] == HANDSHAKE { Scheme::Https } else { Scheme::Http };
        if let Err(refusal) = doorkeeper.allow.target(scheme, &self.place.host, self.place.port) {
            doorkeeper.refusals.note(&self.place.to_string(), refusal, Wanted::Part);
            return;
        }
        if self.other_end.write_all(&first[..count]).await.is_ok() {
            drop(first);
            let _ = tokio::io::copy_bidirectional(&mut browser, &mut self.other_end).await;
        }
    }
}
