//! What a session's folder holds beside the browser's own profile, because the browser does not tell
//! or does not keep it: the origins that its tabs have shown, and the cookies that end with a browser.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use super::BrowserEnv;
use super::private_files::{read_file, write_file};
use super::storage_state::{Cookie, StorageState, wire};
use crate::EnvError;

/// More origins than this are not remembered: a page could make up new ones for ever.
const MOST_ORIGINS: usize = 2000;
const LARGEST_NOTE: u64 = 20_000_000;
/// How long the browser may take to name its cookies at the end.
const COOKIES_DEADLINE: Duration = Duration::from_secs(5);

/// The notes of one session.
#[derive(Debug, Clone)]
pub(crate) struct SessionNotes {
    folder: PathBuf,
}

impl SessionNotes {
    pub(crate) fn of(folder: &Path) -> SessionNotes {
        SessionNotes { folder: folder.to_path_buf() }
    }

    /// Origins of http and https that were shown. A file that cannot be read is like none.
    pub(crate) fn origins(&self) -> BTreeSet<String> {
        let read = read_file(&self.folder.join("origins.json"), LARGEST_NOTE).ok();
        let listed: Vec<String> = read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        listed.iter().filter_map(|origin| web_origin(origin)).take(MOST_ORIGINS).collect()
    }

    pub(crate) fn add_origins(&self, more: impl IntoIterator<Item = String>) -> Result<(), EnvError> {
        let mut origins = self.origins();
        let before = origins.len();
        for origin in more {
            if origins.len() < MOST_ORIGINS {
                origins.insert(origin);
            }
        }
        if origins.len() == before {
            return Ok(());
        }
        let text = serde_json::to_vec(&origins).unwrap_or_default();
        write_file(&self.folder.join("origins.json"), &text).map_err(EnvError::io("cannot note the session's origins"))
    }

    /// Cookies that the browser forgets when it ends. What cannot be read is like none.
    pub(crate) fn cookies(&self) -> Vec<Cookie> {
        let read = read_file(&self.folder.join("session_cookies.json"), LARGEST_NOTE).ok();
        let parsed = read.and_then(|bytes| StorageState::parse(&bytes).ok());
        parsed.map(|parsed| parsed.state.cookies).unwrap_or_default()
    }

    pub(crate) fn keep_cookies(&self, cookies: Vec<Cookie>) -> Result<(), EnvError> {
        let cookies = cookies.into_iter().filter(|cookie| cookie.expires.is_none()).collect();
        let text = StorageState { cookies, origins: Vec::new() }.to_json();
        write_file(&self.folder.join("session_cookies.json"), text.as_bytes())
            .map_err(EnvError::io("cannot keep the session's cookies"))
    }
}

/// The origins of one run, noted as soon as they appear so that a `kill -9` loses none.
#[derive(Debug)]
pub(crate) struct OriginLog {
    notes: SessionNotes,
    known: std::sync::Mutex<BTreeSet<String>>,
}

impl OriginLog {
    pub(crate) fn new(notes: SessionNotes) -> OriginLog {
        let known = notes.origins();
        OriginLog { notes, known: known.into() }
    }

    /// A document of this address was shown.
    pub(crate) fn note(&self, address: &str) {
        let Some(origin) = web_origin(address) else { return };
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if known.len() < MOST_ORIGINS
            && known.insert(origin.clone())
            && let Err(error) = self.notes.add_origins([origin])
        {
            tracing::warn!(%error, "an origin of the session was not noted");
        }
    }
}

/// `https://example.com` for every address below it; `None` for what has no storage of its own.
pub(crate) fn web_origin(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.has_host().then(|| url.origin().ascii_serialization())
}

impl BrowserEnv {
    /// Gives the browser of a session the cookies that it forgot when it last ended.
    pub(super) async fn recall_session_cookies(&self) {
        let Some(notes) = &self.session_notes else { return };
        for cookie in notes.cookies() {
            let method = wire::SetCookies::new(std::slice::from_ref(&cookie), None);
            // One that is refused is said and costs the others nothing.
            if let Err(error) = self.connection.call(None, &method, self.timing.call).await {
                tracing::warn!(name = cookie.name, domain = cookie.domain, %error, "a cookie was not taken back");
            }
        }
    }

    /// Logins often live in cookies that end with the browser; a session outlives it.
    pub(super) async fn keep_session_cookies(&self) {
        let Some(notes) = &self.session_notes else { return };
        match self.connection.call(None, &wire::GetCookies::default(), COOKIES_DEADLINE).await {
            Ok(answer) => {
                let cookies = answer.cookies.into_iter().map(Cookie::from).collect();
                if let Err(error) = notes.keep_cookies(cookies) {
                    tracing::warn!(%error, "the session's cookies were not kept");
                }
            }
            Err(error) => tracing::warn!(%error, "the session's cookies were not kept"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_those_of_the_web_and_survive_garbage() {
        let folder = tempfile::tempdir().unwrap();
        let notes = SessionNotes::of(folder.path());
        let log = OriginLog::new(notes.clone());
        for address in ["http://a.test:80/x?y", "https://b.test:8443/", "about:blank", "data:text/html,x", "no url"] {
            log.note(address);
        }
        log.note("http://a.test/other");
        let origins: Vec<String> = notes.origins().into_iter().collect();
        assert_eq!(origins, ["http://a.test", "https://b.test:8443"]);
        std::fs::write(folder.path().join("origins.json"), "{garbage").unwrap();
        assert!(notes.origins().is_empty());
        std::fs::write(folder.path().join("session_cookies.json"), "[]").unwrap();
        assert!(notes.cookies().is_empty());
    }
}
