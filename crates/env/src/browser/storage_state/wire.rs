//! The part of the protocol that only storage states need.

use serde::{Deserialize, Serialize};

use super::{Cookie, SameSite};
use crate::cdp::protocol::{Method, Nothing};

macro_rules! method {
    ($kind:ty, $wire:literal, $output:ty) => {
        impl Method for $kind {
            const NAME: &'static str = $wire;
            type Output = $output;
        }
    };
}

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetCookies {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<String>,
}
method!(GetCookies, "Storage.getCookies", Cookies);

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetCookies {
    cookies: Vec<CookieParameter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    browser_context_id: Option<String>,
}
method!(SetCookies, "Storage.setCookies", Nothing);

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateBrowserContext {
    pub(crate) dispose_on_detach: bool,
}
method!(CreateBrowserContext, "Target.createBrowserContext", ContextCreated);

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisposeBrowserContext {
    pub(crate) browser_context_id: String,
}
method!(DisposeBrowserContext, "Target.disposeBrowserContext", Nothing);

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct SetBypassServiceWorker {
    pub(crate) bypass: bool,
}
method!(SetBypassServiceWorker, "Network.setBypassServiceWorker", Nothing);

/// Every request stops, at the moment before it would be made.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct EnableFetch {}
method!(EnableFetch, "Fetch.enable", Nothing);

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FulfillRequest {
    pub(crate) request_id: String,
    pub(crate) response_code: u16,
    pub(crate) response_headers: Vec<Header>,
    /// In base64.
    pub(crate) body: String,
}
method!(FulfillRequest, "Fetch.fulfillRequest", Nothing);

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Header {
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
}

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailRequest {
    pub(crate) request_id: String,
    pub(crate) error_reason: &'static str,
}
method!(FailRequest, "Fetch.failRequest", Nothing);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ContextCreated {
    pub(crate) browser_context_id: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Cookies {
    pub(crate) cookies: Vec<BrowserCookie>,
}

/// A request that stopped.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PausedRequest {
    pub(crate) request_id: String,
    pub(crate) resource_type: String,
    pub(crate) request: PausedAddress,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PausedAddress {
    pub(crate) url: String,
}

/// A cookie as the browser tells it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BrowserCookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    expires: f64,
    http_only: bool,
    secure: bool,
    session: bool,
    same_site: Option<String>,
    partition_key: Option<PartitionKey>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PartitionKey {
    top_level_site: String,
    has_cross_site_ancestor: bool,
}

/// A cookie as the browser wants to be told it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CookieParameter {
    name: String,
    value: String,
    domain: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<f64>,
    http_only: bool,
    secure: bool,
    same_site: SameSite,
    #[serde(skip_serializing_if = "Option::is_none")]
    partition_key: Option<PartitionKey>,
}

impl SetCookies {
    pub(crate) fn new(cookies: &[Cookie], browser_context_id: Option<&str>) -> SetCookies {
        let cookies = cookies.iter().map(CookieParameter::from).collect();
        SetCookies { cookies, browser_context_id: browser_context_id.map(str::to_string) }
    }
}

impl From<&Cookie> for CookieParameter {
    fn from(cookie: &Cookie) -> Self {
        let partition_key = cookie.partition_key.clone().map(|top_level_site| PartitionKey {
            top_level_site,
            has_cross_site_ancestor: cookie.cross_site_ancestor.unwrap_or(false),
        });
        CookieParameter {
            name: cookie.name.clone(),
            value: cookie.value.clone(),
            domain: cookie.domain.clone(),
            path: cookie.path.clone(),
            expires: cookie.expires,
            http_only: cookie.http_only,
            secure: cookie.secure,
            same_site: cookie.same_site,
            partition_key,
        }
    }
}

impl From<BrowserCookie> for Cookie {
    fn from(told: BrowserCookie) -> Self {
        let (partition_key, cross_site_ancestor) = match told.partition_key {
            Some(key) => (Some(key.top_level_site), Some(key.has_cross_site_ancestor)),
            None => (None, None),
        };
        Cookie {
            name: told.name,
            value: told.value,
            domain: told.domain,
            path: told.path,
            expires: (!told.session && told.expires.is_finite() && told.expires >= 0.0).then_some(told.expires),
            http_only: told.http_only,
            secure: told.secure,
            same_site: told.same_site.as_deref().and_then(SameSite::named).unwrap_or(SameSite::Lax),
            partition_key,
            cross_site_ancestor,
        }
    }
}
