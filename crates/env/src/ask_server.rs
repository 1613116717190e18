//! One GET for a contract that asks a server about the outcome. Bounded in time and size, and never more than a
//! question: it follows few redirects, and cookies only go to the host that they were read for.

use std::time::Duration;

use reqwest::header::{COOKIE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

/// More than any answer that a check reads a value out of.
const LARGEST_BODY: usize = 8 << 20;
const MOST_REDIRECTS: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAnswer {
    pub status: u16,
    pub body: Vec<u8>,
    /// The body was longer than what is in here.
    pub cut: bool,
}

/// Asks; the error is one sentence.
pub async fn ask_server(
    url: &str,
    headers: &[(String, String)],
    cookies: Option<&str>,
    deadline: Duration,
) -> Result<ServerAnswer, String> {
    // The HTTP library wants a TLS provider even where nothing is encrypted. One that is installed already will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // With somebody's cookies, an answer that leads elsewhere is an answer, not a way to go.
    let redirects = if cookies.is_some() { Policy::none() } else { Policy::limited(MOST_REDIRECTS) };
    let client = reqwest::Client::builder()
        .timeout(deadline)
        .redirect(redirects)
        .user_agent(concat!("surehand/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("no HTTP client can be made: {error}"))?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::try_from(name).map_err(|_| format!("{name:?} is no name of a header"))?;
        let value = HeaderValue::try_from(value).map_err(|_| format!("the value of header {name} is none"))?;
        map.append(name, value);
    }
    if let Some(cookies) = cookies.filter(|cookies| !cookies.is_empty()) {
        let mut value = HeaderValue::try_from(cookies).map_err(|_| "the cookies cannot be sent".to_string())?;
        value.set_sensitive(true);
        map.insert(COOKIE, value);
    }
    let mut response = client.get(url).headers(map).send().await.map_err(|error| trouble(&error))?;
    let status = response.status().as_u16();
    let (mut body, mut cut) = (Vec::new(), false);
    while let Some(part) = response.chunk().await.map_err(|error| trouble(&error))? {
        let room = LARGEST_BODY.saturating_sub(body.len());
        body.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            cut = true;
            break;
        }
    }
    Ok(ServerAnswer { status, body, cut })
}

/// The whole chain: the outermost error only says that something went wrong.
fn trouble(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    let mut inner = std::error::Error::source(error);
    while let Some(cause) = inner {
        words.push_str(&format!(": {cause}"));
        inner = cause.source();
    }
    words
}
