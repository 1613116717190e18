//! Spans of runs and steps for a collector of OpenTelemetry, over OTLP/HTTP in JSON. Written by hand: the crates of
//! OpenTelemetry bring protocol buffers and a second way to keep time for what are two shapes of one message. What cannot
//! be sent waits, up to a bound, and never holds a run up.

mod spans;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use surehand_types::event::Envelope;
use tokio::sync::Notify;
use url::Url;

use crate::server::Server;

/// Spans that wait; older ones make room.
const WAITING: usize = 4096;
/// Spans of one request.
const BATCH: usize = 256;
const DEADLINE: Duration = Duration::from_secs(5);
/// How long spans are gathered, and how long a collector that is gone is left alone.
const GATHERING: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Otlp {
    url: Url,
    waiting: Mutex<VecDeque<Value>>,
    wake: Notify,
}

/// Where spans go: `/v1/traces` below what was given, unless that names a path of its own.
pub fn otlp_address(given: &str) -> Result<Url, String> {
    let hint = "hint: like --otlp http://127.0.0.1:4318";
    let mut url = Url::parse(given).map_err(|error| format!("--otlp {given:?} cannot be read: {error}\n{hint}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(format!("--otlp {given:?} is not an address of http or https\n{hint}"));
    }
    if url.path() == "/" {
        url.set_path("/v1/traces");
    }
    Ok(url)
}

impl Otlp {
    pub(crate) fn new(url: Url) -> Otlp {
        Otlp { url, waiting: Mutex::default(), wake: Notify::new() }
    }

    pub(crate) fn heard(&self, envelope: &Envelope) {
        let Some(span) = spans::span(envelope) else { return };
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() == WAITING {
            waiting.pop_front();
        }
        waiting.push_back(span);
        drop(waiting);
        self.wake.notify_one();
    }

    fn take(&self) -> Vec<Value> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let count = waiting.len().min(BATCH);
        waiting.drain(..count).collect()
    }

    fn put_back(&self, spans: Vec<Value>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for span in spans.into_iter().rev() {
            if waiting.len() < WAITING {
                waiting.push_front(span);
            }
        }
    }
}

/// Sends until the server has stopped, and what is left then.
pub(crate) async fn work(server: Arc<Server>) {
    let Some(otlp) = &server.otlp else { return };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(DEADLINE).build();
    let client = match client {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(%error, "no spans can be sent");
            return;
        }
    };
    let mut pause = GATHERING;
    let mut over = false;
    loop {
        if !over {
            tokio::select! {
                () = server.quiet.cancelled() => over = true,
                () = async { otlp.wake.notified().await; tokio::time::sleep(pause).await } => {}
            }
        }
        loop {
            let spans = otlp.take();
            if spans.is_empty() {
                pause = GATHERING;
                break;
            }
            let sent = client.post(otlp.url.clone()).json(&spans::request(&server.config.version, &spans)).send().await;
            match sent.and_then(reqwest::Response::error_for_status) {
                Ok(_) => server.metrics.spans_sent("sent", spans.len()),
                // It is there and does not want them: sending them again would change nothing.
                Err(error) if error.status().is_some_and(|status| status.is_client_error()) => {
                    tracing::warn!(%error, "the collector refused spans");
                    server.metrics.spans_sent("refused", spans.len());
                }
                Err(error) => {
                    tracing::warn!(%error, "the collector cannot be reached");
                    otlp.put_back(spans);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    otlp.wake.notify_one();
                    break;
                }
            }
        }
        if over {
            return;
        }
    }
}
