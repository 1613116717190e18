//! A control that copies may do nothing else that can be seen, so the clipboard is read before a press and
//! after one that seems dead. Only in a browser of our own without a window: its clipboard is nobody
//! else's. The permission to read is given for the moment of reading and taken back.

use std::time::Duration;

use surehand_types::Effect;
use url::{Host, Url};

use super::BrowserEnv;
use super::page::Page;
use crate::Environment;
use crate::cdp::protocol::browser::{Permission, SetPermission};

const READING_DEADLINE: Duration = Duration::from_millis(300);

const READ: &str = "navigator.clipboard ? navigator.clipboard.readText().catch(() => null) : null";

impl BrowserEnv {
    /// `None` where it cannot or must not be read.
    pub(super) async fn clipboard(&self, page: &Page) -> Option<String> {
        if self.process.is_none() || self.shows_hand || !self.probing {
            return None;
        }
        let url = Url::parse(&self.live_url()?).ok().filter(has_clipboard)?;
        let allow = |setting: &'static str| SetPermission {
            origin: url.origin().ascii_serialization(),
            permission: Permission { name: "clipboard-read" },
            setting,
        };
        self.connection.call(None, &allow("granted"), READING_DEADLINE).await.ok()?;
        let read = tokio::time::timeout(READING_DEADLINE, page.evaluate::<Option<String>>(READ)).await;
        self.connection.start_call(None, &allow("prompt")).forget();
        read.ok()?.ok()?
    }

    /// What was copied, where nothing else tells of the action.
    pub(super) async fn copied(&self, page: &Page) -> Option<Effect> {
        let before = self.aimed_at.clipboard.as_ref()?;
        let now = self.clipboard(page).await?;
        (now != *before)
            .then(|| Effect::confirmed("clipboard", format!("{} characters were copied", now.chars().count())))
    }
}

/// Only pages that came safely may use it.
fn has_clipboard(url: &Url) -> bool {
    let local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_pages_have_a_clipboard() {
        for (url, has) in [
            ("https://example.com/", true),
            ("http://example.com/", false),
            ("http://127.0.0.1:4310/a", true),
            ("http://[::1]:4310/", true),
            ("http://shop.localhost/", true),
            ("data:text/html,x", false),
            ("about:blank", false),
        ] {
            assert_eq!(has_clipboard(&Url::parse(url).unwrap()), has, "{url}");
        }
    }
}
