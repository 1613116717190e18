//! What a run that was put away can be gone on from: the address, cookies and storage, how far the page is scrolled, what is
//! typed and not sent. Secrets are left out, so whoever goes on types them again.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::BrowserEnv;
use super::storage_state::{Cookie, OriginState, StorageItem, StorageState, wire};
use crate::cdp::protocol::{Method, Nothing};

/// The shape below.
const VERSION: u32 = 1;

/// Time for the page to say what it holds. The browser tells the cookies whether or not the page answers.
const PAGE_PATIENCE: Duration = Duration::from_secs(1);

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

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct KeptPage {
    scroll: [f64; 2],
    fields: Vec<KeptField>,
    /// Session storage.
    items: Vec<[String; 2]>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptField {
    selector: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
}

/// What a page said of itself when it last answered.
#[derive(Debug, Clone, Default)]
pub(super) struct PageSaid {
    url: String,
    /// Local storage.
    local: Vec<[String; 2]>,
    page: KeptPage,
}

impl PageSaid {
    /// As far as it may still hold at an address: what was typed belongs to the page, storage to its origin.
    fn at(&self, url: &str) -> PageSaid {
        if self.url == url {
            return self.clone();
        }
        let origin = |url: &str| url::Url::parse(url).ok().map(|url| url.origin()).filter(url::Origin::is_tuple);
        let (local, items) = match (origin(&self.url), origin(url)) {
            (Some(then), Some(now)) if then == now => (self.local.clone(), self.page.items.clone()),
            _ => Default::default(),
        };
        PageSaid { url: url.to_string(), local, page: KeptPage { items, ..KeptPage::default() } }
    }
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
        let asking = async {
            let local: Result<Vec<[String; 2]>, _> = page.evaluate(LOCAL_ITEMS).await;
            let kept: Result<KeptPage, _> = page.evaluate("__surehand.keepsake()").await;
            (local.ok(), kept.ok())
        };
        let (local, kept) = tokio::time::timeout(PAGE_PATIENCE, asking).await.unwrap_or_default();
        // A page that does not answer is kept as it was when it last did.
        let before = self.page_said.at(&url);
        let said =
            PageSaid { local: local.unwrap_or(before.local), page: kept.unwrap_or(before.page), url: url.clone() };
        self.page_said = said.clone();
        let items = said.local.into_iter();
        let local_storage = items.map(|[name, value]| StorageItem { name, value }).collect();
        let origins = match origin.is_tuple() {
            true => vec![OriginState { origin: origin.ascii_serialization(), local_storage }],
            false => Vec::new(),
        };
        let mut kept = said.page;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_said_holds_as_far_as_it_is_still_the_same() {
        let item = [["token".to_string(), "x".to_string()]];
        let fields = vec![KeptField { selector: "#note".into(), value: Some("half".into()), checked: None }];
        let page = KeptPage { scroll: [0.0, 9.0], fields, items: item.to_vec() };
        let said = PageSaid { url: "https://a.example/one".into(), local: item.to_vec(), page };
        let same = said.at("https://a.example/one");
        assert_eq!((same.local.len(), same.page.items.len(), same.page.fields.len()), (1, 1, 1));
        let moved = said.at("https://a.example/two");
        assert_eq!((moved.local.len(), moved.page.items.len(), moved.page.fields.len()), (1, 1, 0));
        for other in ["https://b.example/one", "http://a.example/one", "about:blank", ""] {
            let elsewhere = said.at(other);
            assert_eq!((elsewhere.local.len(), elsewhere.page.items.len()), (0, 0), "{other}");
        }
        assert!(PageSaid::default().at("about:blank").local.is_empty());
    }
}
