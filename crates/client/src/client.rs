//! The way to a server: its address, its token, and one request with one answer. Every request has a deadline, every
//! answer a largest size, and the token goes to the named server and nowhere else.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use surehand_types::api::ErrorBody;
use url::Url;

use crate::error::ClientError;

const CONNECT_DEADLINE: Duration = Duration::from_secs(10);
/// For everything but a run that is waited for.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);
/// Largest answer, in bytes; results of long runs and reports have many megabytes.
const ANSWER_CAP: usize = 512 * 1024 * 1024;
/// Characters of a strange answer that are repeated.
const SHOWN: usize = 200;

/// Cheap to clone; clones share connections.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    token: Option<HeaderValue>,
}

impl Client {
    /// `url` is where the server listens, like `http://127.0.0.1:7777`.
    pub fn new(url: &str, token: Option<&str>) -> Result<Client, ClientError> {
        let hint = "hint: an address looks like http://127.0.0.1:7777";
        let wrong = |why: &str| ClientError::Usage(format!("the server's address {url:?} {why}\n{hint}"));
        let mut base = Url::parse(url).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err(wrong("is not one of http or https"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong("has a name or password in it"));
        }
        base.set_query(None);
        base.set_fragment(None);
        let token = match token.map(str::trim).filter(|token| !token.is_empty()) {
            None => None,
            Some(token) => {
                let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
                    .map_err(|_| ClientError::Usage("the token has characters that a header cannot carry".into()))?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        // Somebody else in the process may have chosen already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_DEADLINE)
            // A redirect would carry the token to where nobody meant it to go.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("surehand/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| ClientError::Usage(format!("no HTTP client can be made: {error}")))?;
        Ok(Client { http, base, token })
    }

    /// The server, as it was named.
    pub fn server(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The address of something below the server, each part as it is.
    pub fn address(&self, parts: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(parts);
        }
        url
    }

    pub(crate) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        let request = self.http.request(method, url);
        match &self.token {
            Some(token) => request.header(AUTHORIZATION, token.clone()),
            None => request,
        }
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, url: Url) -> Result<T, ClientError> {
        self.json(self.request(Method::GET, url).timeout(DEADLINE)).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        parts: &[&str],
        body: &impl Serialize,
    ) -> Result<T, ClientError> {
        let request = self.request(Method::POST, self.address(parts)).timeout(DEADLINE).json(body);
        self.json(request).await
    }

    pub(crate) async fn json<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ClientError> {
        let bytes = self.bytes(request).await?;
        serde_json::from_slice(&bytes).map_err(|error| self.strange(&error.to_string(), &bytes))
    }

    pub(crate) async fn bytes(&self, request: RequestBuilder) -> Result<Vec<u8>, ClientError> {
        let response = self.sent(request).await?;
        self.whole(response).await
    }

    /// An answer that is no error; its body is still on the way.
    pub(crate) async fn sent(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let bytes = self.whole(response).await?;
        match serde_json::from_slice::<ErrorBody>(&bytes) {
            Ok(body) => Err(ClientError::Refused { status, facts: body.error }),
            Err(_) => Err(self.strange(&format!("status {status}"), &bytes)),
        }
    }

    async fn whole(&self, mut response: Response) -> Result<Vec<u8>, ClientError> {
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| self.unreachable(&error))? {
            if bytes.len() + part.len() > ANSWER_CAP {
                return Err(self.strange(&format!("more than {ANSWER_CAP} bytes"), &[]));
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    pub(crate) fn unreachable(&self, error: &reqwest::Error) -> ClientError {
        // The last cause is the one that says something: "connection refused" below "error sending request".
        let mut cause: &dyn std::error::Error = error;
        while let Some(below) = cause.source() {
            cause = below;
        }
        ClientError::Unreachable { server: self.server().to_string(), why: cause.to_string() }
    }

    pub(crate) fn strange(&self, why: &str, bytes: &[u8]) -> ClientError {
        let text: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        let why = if text.is_empty() { why.to_string() } else { format!("{why}: {text}") };
        ClientError::NotUnderstood { server: self.server().to_string(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_none_is_refused_and_a_path_is_kept() {
        for wrong in ["", "127.0.0.1:7777", "ftp://a.example", "http://", "http://me:pw@a.example/", "file:///x"] {
            let error = Client::new(wrong, None).unwrap_err().to_string();
            assert!(error.contains("hint: "), "{wrong}: {error}");
        }
        assert!(Client::new("http://a.example", Some("a\nb")).is_err());
        let client = Client::new("https://a.example/surehand/?x=1", None).unwrap();
        assert_eq!(client.server(), "https://a.example/surehand");
        let odd = client.address(&["v1", "runs", "a/../b?c"]);
        assert_eq!(odd.as_str(), "https://a.example/surehand/v1/runs/a%2F..%2Fb%3Fc");
    }
}
