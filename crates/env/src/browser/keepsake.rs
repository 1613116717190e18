//! What a run that was put away can be gone on from: the address, cookies and storage, how far the page is scrolled, what is
//! typed and not sent. Secrets are left out, so whoever goes on types them again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::BrowserEnv;
use super::storage_state::{Cookie, OriginState, StorageItem, StorageState, wire};
use crate::cdp::protocol::{Method, Nothing};

/// The shape below.
const VERSION: u32 = 1;

/// By number, since an item may be called `length` or `key`.
const LOCAL_ITEMS: &str = "(() => { try { return Array.from({length: localStorage.length}, (_, index) => {
    const name = localStorage.key(index);
    return [name, localStorage.getItem(name)].map((text) => String(text).toWellFormed());
}); } catch (refused) { return []; } })()";

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    v: u32,
    url: String,
    /// Cookies and local storage, in the shape of session files.
    storage: String,
    page: KeptPage,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct KeptPage {
    scroll: [f64; 2],
    fields: Vec<KeptField>,
    /// Session storage.
    items: Vec<[String; 2]>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptField {
    selector: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
}

/// The same logins at another address, where nothing was typed yet. What cannot be read is left for whoever takes it up.
pub fn keepsake_elsewhere(keepsake: &Value, url: &str) -> Value {
    let Ok(mut kept) = serde_json::from_value::<Kept>(keepsake.clone()) else { return keepsake.clone() };
    kept.url = url.to_string();
    kept.page = KeptPage { items: kept.page.items, ..KeptPage::default() };
    serde_json::to_value(kept).unwrap_or_else(|_| keepsake.clone())
}

/// A script that runs in every new document of the page, before the page's own.
#[derive(Debug, Clone, Serialize)]
struct AddScript {
    source: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Added {
    identifier: String,
}

#[derive(Debug, Clone, Serialize)]
struct RemoveScript {
    identifier: String,
}

impl Method for AddScript {
    const NAME: &'static str = "Page.addScriptToEvaluateOnNewDocument";
    type Output = Added;
}

impl Method for RemoveScript {
    const NAME: &'static str = "Page.removeScriptToEvaluateOnNewDocument";
    type Output = Nothing;
}

impl BrowserEnv {
    pub(super) async fn keep_for_later(&mut self) -> Option<Value> {
        let page = self.page().ok()?;
        let url = self.shared.lock().active()?.url.clone();
        let told = self.connection.call(None, &wire::GetCookies::default(), self.timing.call).await.ok()?;
        let cookies: Vec<Cookie> = told.cookies.into_iter().map(Cookie::from).collect();
        let origin = url::Url::parse(&url).ok()?.origin();
        let items: Vec<[String; 2]> = page.evaluate(LOCAL_ITEMS).await.unwrap_or_default();
        let local_storage = items.into_iter().map(|[name, value]| StorageItem { name, value }).collect();
        let origins = match origin.is_tuple() {
            true => vec![OriginState { origin: origin.ascii_serialization(), local_storage }],
            false => Vec::new(),
        };
        let mut kept: KeptPage = page.evaluate("__surehand.keepsake()").await.unwrap_or_default();
        let redactor = self.secrets.redactor();
        kept.fields.retain(|field| field.value.as_ref().is_none_or(|value| redactor.text(value) == *value));
        let storage = StorageState { cookies, origins }.to_json();
        serde_json::to_value(Kept { v: VERSION, url, storage, page: kept }).ok()
    }

    /// In a fresh browser, before anything was opened.
    pub(super) async fn go_on_from(&mut self, keepsake: &Value) -> Result<(), String> {
        let kept: Kept = serde_json::from_value(keepsake.clone())
            .map_err(|error| format!("what was kept of the browser cannot be read: {error}"))?;
        if kept.v != VERSION {
            return Err(format!("what was kept of the browser has version {}, and {VERSION} is known", kept.v));
        }
        let state = StorageState::parse(kept.storage.as_bytes())?.state;
        if !state.cookies.is_empty() {
            let set = wire::SetCookies::new(&state.cookies, None);
            self.connection.call(None, &set, self.timing.call).await.map_err(|error| error.to_string())?;
        }
        let script = storage_script(&state, &kept);
        let page = self.page().map_err(|error| error.to_string())?;
        let added = page.call(&AddScript { source: script }).await.map_err(|trouble| format!("{trouble:?}"))?;
        let opened = self.open_start_url(&kept.url).await;
        let page = self.page().map_err(|error| error.to_string())?;
        let _ = page.call(&RemoveScript { identifier: added.identifier }).await;
        opened.map_err(|error| error.to_string())?;
        let text = serde_json::to_string(&kept.page).map_err(|error| error.to_string())?;
        let filled: Result<usize, _> = page.evaluate(&format!("__surehand.takeUp({text})")).await;
        if !filled.is_ok_and(|filled| filled == kept.page.fields.len()) {
            tracing::warn!("not every field of the page that was put away is there any more");
        }
        Ok(())
    }
}

/// Puts storage in place before the page's own scripts run, in documents of its origin only.
fn storage_script(state: &StorageState, kept: &Kept) -> String {
    let origins: Vec<Value> = state
        .origins
        .iter()
        .map(|origin| {
            let items: Vec<[&str; 2]> =
                origin.local_storage.iter().map(|item| [item.name.as_str(), item.value.as_str()]).collect();
            serde_json::json!({"origin": origin.origin, "local": items, "session": kept.page.items})
        })
        .collect();
    let origins = Value::Array(origins);
    format!(
        "for (const kept of {origins}) if (location.origin === kept.origin) try {{ \
         for (const [name, value] of kept.local) localStorage.setItem(name, value); \
         for (const [name, value] of kept.session) sessionStorage.setItem(name, value); \
         }} catch (refused) {{ }}"
    )
}
