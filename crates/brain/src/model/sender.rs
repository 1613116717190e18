//! Sends requests to a model API: with its key, within a deadline, again where that is worth it. What a server
//! says is bounded in size and never repeats the key.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, Instant};

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use super::provider::Request;
use super::trouble::{Server, Trouble, of_status, plain, wait_in};
use crate::error::BrainError;

/// Tries of one request where the server is in trouble.
const TRIES: u32 = 5;
/// A server that reads its model may be asked more often: until the deadline.
const LOADING_PAUSE: Duration = Duration::from_secs(1);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Largest response, in bytes.
const RESPONSE: usize = 32 * 1024 * 1024;

/// A key, and the header it goes into. Its debug form shows neither.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) header: &'static str,
    /// In front of the key, like `Bearer `.
    pub(crate) prefix: &'static str,
    pub(crate) value: String,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Sender {
    client: reqwest::Client,
    key: Option<Key>,
    server: Server,
}

/// A good response, and what it took to get it.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) body: Body,
    pub(crate) cost: Effort,
}

#[derive(Debug)]
pub(crate) enum Body {
    Json(Value),
    /// The data lines of an event stream.
    Events(Vec<String>),
}

/// What was needed beyond one plain request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effort {
    pub(crate) requests: u32,
    pub(crate) bytes_sent: u64,
    /// One sentence for every request that had to be repeated.
    pub(crate) notes: Vec<String>,
}

/// Why there is no answer, beside what it took to find out.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: BrainError,
    pub(crate) cost: Effort,
}

impl Sender {
    pub(crate) fn new(server: Server, key: Option<Key>) -> Result<Sender, BrainError> {
        // Somebody else in the process may have chosen already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(15))
            // A redirect would carry the key to where nobody meant it to go.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("surehand/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| {
                BrainError::usage(format!("no HTTP client can be made: {error}"), "check the proxy variables")
            })?;
        Ok(Sender { client, key, server })
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// The answer, or why there is none by the deadline.
    pub(crate) async fn send(&self, request: &Request, until: Instant, limit: Duration) -> Result<Sent, Failed> {
        let bytes = serde_json::to_vec(&request.body).unwrap_or_default();
        let mut cost = Effort::default();
        let mut pause = FIRST_PAUSE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.gave_up(cost, BrainError::deadline(limit)));
            }
            cost.requests += 1;
            cost.bytes_sent += bytes.len() as u64;
            let trouble = match tokio::time::timeout(left, self.once(request, bytes.clone())).await {
                Err(_) => return Err(self.gave_up(cost, BrainError::deadline(limit))),
                Ok(Ok(body)) => return Ok(Sent { body, cost }),
                Ok(Err(trouble)) => trouble,
            };
            let mut hint = "try again later";
            let (wait, what, tries) = match trouble {
                Trouble::Final { what, hint } => {
                    let error = BrainError::Transport(format!("{}; hint: {hint}", self.clean(&what)));
                    return Err(Failed { error, cost });
                }
                Trouble::Unreachable { what } => {
                    hint = "check that the server runs and that the address is right";
                    (jittered(pause), what, TRIES)
                }
                Trouble::Loading { what } => (LOADING_PAUSE, what, u32::MAX),
                Trouble::RateLimit { wait: Some(wait), what } => {
                    hint = "--brain-timeout gives it longer";
                    (wait, what, TRIES)
                }
                Trouble::RateLimit { wait: None, what } | Trouble::Transient { what } => (jittered(pause), what, TRIES),
            };
            let what = self.clean(&what);
            let left = until.saturating_duration_since(Instant::now());
            if cost.requests >= tries {
                let error = BrainError::Transport(format!("{what}, {} times in a row; hint: {hint}", cost.requests));
                return Err(Failed { error, cost });
            }
            if wait >= left {
                let error = BrainError::Transport(format!(
                    "{what}; the next try would come after {:.1} s, and a reply may take no longer; hint: {hint}",
                    wait.as_secs_f64()
                ));
                return Err(Failed { error, cost });
            }
            let note = format!("{what}; asked again after {:.1} s", wait.as_secs_f64());
            tracing::warn!(target: "brain", "{note}");
            if cost.notes.len() < 20 {
                cost.notes.push(note);
            }
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn once(&self, request: &Request, bytes: Vec<u8>) -> Result<Body, Trouble> {
        let url = format!("{}{}", self.server.base, request.path);
        let mut post = self.client.post(&url).header("content-type", "application/json").body(bytes);
        for (name, value) in &request.headers {
            post = post.header(*name, value);
        }
        if let Some(key) = &self.key {
            let named = HeaderName::from_static(key.header);
            let mut value =
                HeaderValue::from_str(&format!("{}{}", key.prefix, key.value)).map_err(|_| Trouble::Final {
                    what: "the key has characters that a header cannot carry".into(),
                    hint: format!(
                        "look at {} for stray line breaks or quotes",
                        self.server.key_variables.join(" and ")
                    ),
                })?;
            value.set_sensitive(true);
            post = post.header(named, value);
        }
        let response = post.send().await.map_err(|error| self.unreachable(&error))?;
        let status = response.status().as_u16();
        let header =
            |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_string);
        let wait = wait_in(&header, jiff::Timestamp::now());
        let streams = header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        let body = read_all(response).await?;
        if status != 200 {
            return Err(of_status(status, wait, &String::from_utf8_lossy(&body), &self.server));
        }
        if streams {
            return events(&body).map(Body::Events);
        }
        match serde_json::from_slice(&body) {
            Ok(value) => Ok(Body::Json(value)),
            // Some servers stream without saying so.
            Err(_) if body.starts_with(b"data:") => events(&body).map(Body::Events),
            Err(error) if error.is_eof() => {
                Err(Trouble::Transient { what: "the answer broke off in the middle".into() })
            }
            Err(error) => Err(Trouble::Final {
                what: format!("the answer is not JSON ({error}): {}", plain(&String::from_utf8_lossy(&body))),
                hint: format!("check that {} is a model API", self.server.base),
            }),
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Trouble {
        let mut why = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            why = inner.to_string();
            source = inner.source();
        }
        let what = format!("{} cannot be reached: {why}", self.server.base);
        let lower = why.to_lowercase();
        if error.is_builder() || lower.contains("certificate") || lower.contains("unknownissuer") {
            return Trouble::Final {
                what,
                hint: "check the base address; a private certificate needs SSL_CERT_FILE".into(),
            };
        }
        if lower.contains("dns") || lower.contains("name or service") || lower.contains("name resolution") {
            return Trouble::Final { what, hint: "check the host name and the network".into() };
        }
        Trouble::Unreachable { what }
    }

    /// Whatever a server says is shown without the key.
    fn clean(&self, text: &str) -> String {
        match &self.key {
            Some(key) if !key.value.is_empty() => text.replace(key.value.as_str(), "<key>"),
            _ => text.to_string(),
        }
    }

    /// A deadline after repeated trouble names the trouble.
    fn gave_up(&self, cost: Effort, error: BrainError) -> Failed {
        let error = match cost.notes.last() {
            Some(note) => BrainError::Transport(format!("{error}; before that: {note}")),
            None => error,
        };
        Failed { error, cost }
    }
}

async fn read_all(mut response: reqwest::Response) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > RESPONSE => {
                return Err(Trouble::Final {
                    what: format!("the answer is larger than {} MB", RESPONSE / 1024 / 1024),
                    hint: "check that the address is a model API".into(),
                });
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => {
                return Err(Trouble::Transient { what: format!("the answer broke off in the middle: {error}") });
            }
        }
    }
}

/// The data of a whole event stream. One that has no data is no answer.
fn events(body: &[u8]) -> Result<Vec<String>, Trouble> {
    let text = String::from_utf8_lossy(body);
    let data: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("data:")).map(|data| data.trim().to_string()).collect();
    if data.is_empty() {
        return Err(Trouble::Transient { what: "the answer's stream was empty".into() });
    }
    Ok(data)
}

/// Half to once and a half: many runs that failed together must not come back together.
fn jittered(pause: Duration) -> Duration {
    let random = std::hash::RandomState::new().build_hasher().finish();
    let share = (random % 1000) as f64 / 1000.0;
    pause.mul_f64(0.5 + share)
}
