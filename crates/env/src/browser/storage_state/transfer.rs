//! Moves a storage state out of a session and into one, through a browser of the session's own that
//! speaks to nobody: no name is resolved, every request is stopped before it is made, and where a
//! document of an origin is needed an empty one is handed over instead.

use std::collections::BTreeSet;
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Cookie, OriginState, StorageItem, StorageState, wire};
use crate::EnvError;
use crate::browser::launch::BrowserProcess;
use crate::browser::profile::ProfileLock;
use crate::browser::session_notes::{SessionNotes, web_origin};
use crate::browser::{BrowserOptions, SessionProfile, SiteSettings};
use crate::cdp::protocol::{browser, network, page, runtime, target};
use crate::cdp::{CdpError, CdpEvent, Connection};

/// How long one origin may take to be opened; nothing comes over a network.
const OPENING: Duration = Duration::from_secs(10);
/// What the browser may need to write everything down when it ends.
const WRITING: Duration = Duration::from_secs(15);
const EMPTY_PAGE: &str = "<!doctype html><link rel=icon href=data:,><title>storage</title>";

/// By number, since an item may be called `length` or `key`. Halves of characters, which JSON cannot carry,
/// are replaced.
const READ_ITEMS: &str = "JSON.stringify(Array.from({length: localStorage.length}, (_, index) => {
    const name = localStorage.key(index);
    return [name, localStorage.getItem(name)].map(text => String(text).toWellFormed());
}))";

/// What an import brought, for a person to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Import {
    pub is_new: bool,
    pub cookies: usize,
    pub origins: usize,
    pub items: usize,
}

/// Cookies and local storage of a session that nobody uses at the moment.
pub async fn export_session(options: &BrowserOptions, session: &SessionProfile) -> Result<StorageState, EnvError> {
    // Taken and let go: an export must not make a session.
    drop(ProfileLock::acquire_existing(&session.folder, &session.name)?);
    let mut clerk = Clerk::start(options, session).await?;
    let state = clerk.collect().await;
    clerk.end().await;
    state
}

/// Adds a state to a session, which is made where there is none. Cookies of the same name, domain and path
/// and items of the same name are replaced, others stay. A state that the browser does not take as a
/// whole changes nothing.
pub async fn import_session(
    options: &BrowserOptions,
    session: &SessionProfile,
    state: &StorageState,
) -> Result<Import, EnvError> {
    let mut clerk = Clerk::start(options, session).await?;
    let is_new = clerk.is_new;
    let result = match clerk.rehearse(state).await {
        Ok(()) => clerk.put_in(state).await,
        Err(error) => Err(error),
    };
    clerk.end().await;
    if result.is_err() && is_new {
        crate::browser::profile::remove_session(&session.folder, &session.name)?;
    }
    result?;
    Ok(Import {
        is_new,
        cookies: state.cookies.len(),
        origins: state.origins.len(),
        items: state.origins.iter().map(|origin| origin.local_storage.len()).sum(),
    })
}

/// A browser that only looks after stored things.
struct Clerk {
    process: BrowserProcess,
    connection: Connection,
    events: mpsc::UnboundedReceiver<CdpEvent>,
    notes: SessionNotes,
    is_new: bool,
    deadline: Duration,
}

/// A tab of the clerk's.
struct Desk {
    target: String,
    session: String,
}

impl Clerk {
    async fn start(options: &BrowserOptions, session: &SessionProfile) -> Result<Clerk, EnvError> {
        let mut options = options.clone();
        options.session = Some(session.clone());
        options.headed = false;
        options.downloads = None;
        // Nothing of it concerns a browser that sees no site.
        options.site = SiteSettings::default();
        options.extra_flags.push("--host-resolver-rules=MAP * ~NOTFOUND".into());
        options.extra_flags.push("--disable-preconnect".into());
        let (process, transport) = BrowserProcess::launch(&options)?;
        let (connection, events) = Connection::start(transport);
        let (Some(notes), is_new) = process.session() else {
            return Err(EnvError::Lost("the browser has no session".into()));
        };
        let clerk = Clerk { process, connection, events, notes, is_new, deadline: options.timing.call };
        clerk.connection.call(None, &browser::GetVersion {}, options.timing.launch).await?;
        Ok(clerk)
    }

    async fn collect(&mut self) -> Result<StorageState, EnvError> {
        let told = self.connection.call(None, &wire::GetCookies::default(), self.deadline).await?.cookies;
        let mut cookies: Vec<Cookie> = told.into_iter().map(Cookie::from).collect();
        for kept in self.notes.cookies() {
            if !cookies.iter().any(|cookie| cookie.is_same(&kept)) {
                cookies.push(kept);
            }
        }
        let mut addresses: BTreeSet<String> = self.notes.origins();
        addresses.extend(cookies.iter().filter_map(origin_of_cookie));
        let desk = self.desk(None).await?;
        let mut origins = Vec::new();
        for origin in addresses {
            self.open(&desk, &origin).await?;
            let text: String = self.evaluate(&desk, READ_ITEMS.into()).await?;
            let pairs: Vec<(String, String)> = serde_json::from_str(&text)
                .map_err(|error| EnvError::State(format!("the local storage of {origin} cannot be read: {error}")))?;
            if !pairs.is_empty() {
                let local_storage = pairs.into_iter().map(|(name, value)| StorageItem { name, value }).collect();
                origins.push(OriginState { origin, local_storage });
            }
        }
        Ok(StorageState { cookies, origins })
    }

    /// Everything is tried in a context that leaves no trace, so that what is refused is known before
    /// anything is changed.
    async fn rehearse(&mut self, state: &StorageState) -> Result<(), EnvError> {
        let context = wire::CreateBrowserContext { dispose_on_detach: true };
        let context = self.connection.call(None, &context, self.deadline).await?.browser_context_id;
        for cookie in &state.cookies {
            let method = wire::SetCookies::new(std::slice::from_ref(cookie), Some(&context));
            match self.connection.call(None, &method, self.deadline).await {
                Err(CdpError::Refused { .. }) => return Err(refused(cookie)),
                other => other?,
            };
        }
        let asked = wire::GetCookies { browser_context_id: Some(context.clone()) };
        let there = self.connection.call(None, &asked, self.deadline).await?.cookies;
        let there: Vec<Cookie> = there.into_iter().map(Cookie::from).collect();
        if let Some(lost) = state.cookies.iter().find(|cookie| !there.iter().any(|known| known.is_same(cookie))) {
            return Err(refused(lost));
        }
        self.fill(state, Some(&context)).await?;
        let done = wire::DisposeBrowserContext { browser_context_id: context };
        self.connection.call(None, &done, self.deadline).await?;
        Ok(())
    }

    async fn put_in(&mut self, state: &StorageState) -> Result<(), EnvError> {
        let (ending, lasting): (Vec<Cookie>, Vec<Cookie>) =
            state.cookies.iter().cloned().partition(|cookie| cookie.expires.is_none());
        self.connection.call(None, &wire::SetCookies::new(&lasting, None), self.deadline).await?;
        self.fill(state, None).await?;
        // One that lasts takes the place of one that ended with the browser, and the other way round.
        let mut kept = self.notes.cookies();
        kept.retain(|known| !state.cookies.iter().any(|cookie| cookie.is_same(known)));
        self.connection.call(None, &wire::SetCookies::new(&ending, None), self.deadline).await?;
        kept.extend(ending);
        self.notes.keep_cookies(kept)?;
        self.notes.add_origins(state.origins.iter().map(|origin| origin.origin.clone()))
    }

    async fn fill(&mut self, state: &StorageState, context: Option<&str>) -> Result<(), EnvError> {
        if state.origins.is_empty() {
            return Ok(());
        }
        let desk = self.desk(context).await?;
        for origin in &state.origins {
            self.open(&desk, &origin.origin).await?;
            let items: Vec<Value> = origin.local_storage.iter().map(|item| json!([item.name, item.value])).collect();
            let items = Value::from(items);
            let script = format!("for (const [name, value] of {items}) localStorage.setItem(name, value); true");
            self.evaluate::<bool>(&desk, script).await.map_err(|error| match error {
                EnvError::Lost(reason) => EnvError::State(format!(
                    "the browser does not take the local storage of {}: {reason}; nothing was imported",
                    origin.origin
                )),
                other => other,
            })?;
        }
        let gone = target::CloseTarget { target_id: desk.target };
        self.connection.call(None, &gone, self.deadline).await?;
        Ok(())
    }

    async fn desk(&mut self, context: Option<&str>) -> Result<Desk, EnvError> {
        let method = target::CreateTarget {
            url: "about:blank".into(),
            browser_context_id: context.map(str::to_string),
            background: true,
        };
        let target = self.connection.call(None, &method, self.deadline).await?.target_id;
        let method = target::AttachToTarget { target_id: target.clone(), flatten: true };
        let session = self.connection.call(None, &method, self.deadline).await?.session_id;
        let on = Some(session.as_str());
        self.connection.call(on, &page::Enable {}, self.deadline).await?;
        self.connection.call(on, &network::Enable::default(), self.deadline).await?;
        // A site's worker would answer for it, with the site's own page and scripts.
        self.connection.call(on, &wire::SetBypassServiceWorker { bypass: true }, self.deadline).await?;
        self.connection.call(on, &wire::EnableFetch {}, self.deadline).await?;
        Ok(Desk { target, session })
    }

    /// Opens an empty document of the origin.
    async fn open(&mut self, desk: &Desk, origin: &str) -> Result<(), EnvError> {
        let address = format!("{origin}/");
        let navigate = page::Navigate { url: address.clone() };
        let opened = self.connection.start_call(Some(&desk.session), &navigate).finish(OPENING);
        tokio::pin!(opened);
        let navigated = loop {
            tokio::select! {
                navigated = &mut opened => break navigated?,
                event = self.events.recv() => match event {
                    Some(event) => answer(&self.connection, &event, &address),
                    None => return Err(EnvError::Lost("the browser ended".into())),
                },
            }
        };
        match navigated.error_text.filter(|text| !text.is_empty()) {
            Some(text) => Err(EnvError::State(format!("the browser does not open {origin}: {text}"))),
            None => Ok(()),
        }
    }

    async fn evaluate<T: serde::de::DeserializeOwned>(&self, desk: &Desk, expression: String) -> Result<T, EnvError> {
        let method = runtime::Evaluate { expression, return_by_value: true, ..runtime::Evaluate::default() };
        let answer = self.connection.call(Some(&desk.session), &method, OPENING).await?;
        if let Some(thrown) = answer.exception_details {
            let what = thrown.exception.and_then(|exception| exception.description).unwrap_or(thrown.text);
            return Err(EnvError::Lost(what.lines().next().unwrap_or_default().to_string()));
        }
        serde_json::from_value(answer.result.value).map_err(|error| EnvError::Lost(error.to_string()))
    }

    async fn end(mut self) {
        let _ = self.connection.call(None, &browser::Close {}, self.deadline).await;
        self.process.end(WRITING).await;
    }
}

/// A stopped request gets the empty document if it asks for the one that we opened, and fails otherwise.
fn answer(connection: &Connection, event: &CdpEvent, address: &str) {
    if event.method != "Fetch.requestPaused" {
        return;
    }
    let (Some(session), Some(paused)) = (event.session.as_deref(), event.decode::<wire::PausedRequest>()) else {
        return;
    };
    let request_id = paused.request_id;
    if paused.resource_type == "Document" && paused.request.url == address {
        let header = |name, value| wire::Header { name, value };
        let method = wire::FulfillRequest {
            request_id,
            response_code: 200,
            response_headers: vec![
                header("content-type", "text/html; charset=utf-8"),
                header("cache-control", "no-store"),
                header("content-security-policy", "default-src 'none'; img-src data:"),
            ],
            body: base64::engine::general_purpose::STANDARD.encode(EMPTY_PAGE),
        };
        connection.start_call(Some(session), &method).forget();
    } else {
        let method = wire::FailRequest { request_id, error_reason: "BlockedByClient" };
        connection.start_call(Some(session), &method).forget();
    }
}

fn refused(cookie: &Cookie) -> EnvError {
    let short = |text: &str| text.chars().take(80).collect::<String>();
    EnvError::State(format!(
        "the browser refuses the cookie {:?} of {:?}; nothing was imported",
        short(&cookie.name),
        short(&cookie.domain)
    ))
}

/// Where a cookie's host would keep its local storage.
fn origin_of_cookie(cookie: &Cookie) -> Option<String> {
    let host = cookie.domain.trim_start_matches('.');
    web_origin(&format!("{}://{host}/", if cookie.secure { "https" } else { "http" }))
}
