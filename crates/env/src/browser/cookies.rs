//! The cookies that the browser would send to an address, for a contract that asks the same server as the run did.

use serde::{Deserialize, Serialize};

use super::BrowserEnv;
use crate::cdp::protocol::Method;

#[derive(Debug, Clone, Serialize)]
struct GetCookies {
    urls: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Cookies {
    cookies: Vec<CookiePair>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CookiePair {
    name: String,
    value: String,
}

impl Method for GetCookies {
    const NAME: &'static str = "Network.getCookies";
    type Output = Cookies;
}

impl BrowserEnv {
    pub(super) async fn read_cookies(&self, url: &str) -> Option<String> {
        let page = self.page().ok()?;
        let cookies = page.call(&GetCookies { urls: vec![url.to_string()] }).await.ok()?.cookies;
        let pairs: Vec<String> = cookies.into_iter().map(|pair| format!("{}={}", pair.name, pair.value)).collect();
        Some(pairs.join("; "))
    }
}
