//! Telling others about the ends of runs. A webhook is armed when a run is asked for and is in the queue's file from
//! then on; this worker looks for runs that have ended, and delivers at least once: it tries for some hours, also after a
//! restart.

mod address;
mod signature;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use surehand_checks::before::allowlist::Allowlist;
use surehand_store::{DueWebhook, JobState, NewWebhook, RipeWebhook, StoreError, Tried, WebhookRow, WebhookState};
use surehand_types::Secret;
use surehand_types::api::{WebhookBody, WebhookEvent, WebhookRequest, WebhookStatus, WebhookView};
use tokio::task::JoinSet;

pub use address::Reach;

use crate::access::Caller;
use crate::error::ApiError;
use crate::server::{Server, now};
use crate::views::{in_list, of_run};

/// Time for one try, from the connection to the status.
const DEADLINE: Duration = Duration::from_secs(10);
/// The next try comes after 1, 4, 16 … seconds; the last one about six hours after the first.
const TRIES: u32 = 9;
const GROWTH: i64 = 4;
/// How many are delivered at once, and how many of these to one receiver.
const AT_ONCE: usize = 64;
const AT_ONCE_TO_ONE: usize = 4;
/// How many are looked at in one round.
const RIPE_AT_ONCE: u32 = 64;
const DUE_AT_ONCE: u32 = 500;
/// How long nothing is looked at although nobody called.
const LONGEST_NAP: Duration = Duration::from_secs(5);
/// Largest output that is sent along, in bytes of JSON.
const OUTPUT_CAP: usize = 64 * 1024;

/// How the instance tells others.
#[derive(Debug, Clone)]
pub struct WebhookConfig {
    pub secret: Secret,
    /// Told of every run, beside whom the request names.
    pub url: Option<String>,
    pub reach: Reach,
    /// A variable that holds the secret, which programs that we start do not get.
    pub hidden_variable: Option<String>,
}

impl WebhookConfig {
    /// What is wrong with it, in one sentence.
    pub fn problem(&self) -> Option<String> {
        if self.secret.expose().len() < signature::SHORTEST {
            return Some(format!("the webhook secret is shorter than {} bytes", signature::SHORTEST));
        }
        let url = self.url.as_ref()?;
        address::parse(url, self.reach).err().map(|why| format!("--webhook {url}: {why}"))
    }
}

/// What is wrong with a request's webhook.
pub(crate) fn check(server: &Server, caller: &Caller, webhook: Option<&WebhookRequest>) -> Result<(), ApiError> {
    let Some(webhook) = webhook else { return Ok(()) };
    let Some(config) = &server.config.webhooks else {
        let text =
            "webhook: this server has no secret to sign it with\nhint: surehand serve --webhook-secret env:VARIABLE";
        return Err(ApiError::invalid(text));
    };
    address::parse(&webhook.url, config.reach).map_err(|why| ApiError::invalid(format!("webhook.url: {why}")))?;
    if !caller.domains.is_empty() {
        let allowed = Allowlist::parse(&caller.domains).map_err(ApiError::internal)?;
        if allowed.request(&webhook.url).is_err() {
            let text = format!("the token {:?} may not reach the host of webhook.url", caller.name);
            return Err(ApiError::forbidden(text));
        }
    }
    Ok(())
}

/// Whoever is told of a run's end.
pub(crate) fn armed(server: &Server, webhook: Option<&WebhookRequest>) -> Vec<NewWebhook> {
    let Some(config) = &server.config.webhooks else { return Vec::new() };
    let mut armed: Vec<NewWebhook> = Vec::new();
    armed.extend(config.url.clone().map(|url| NewWebhook { url, events: String::new() }));
    armed.extend(webhook.map(|webhook| {
        let events: Vec<&str> = webhook.events.iter().map(|event| event.as_str()).collect();
        NewWebhook { url: webhook.url.clone(), events: events.join(" ") }
    }));
    armed
}

/// Of one run, for people.
pub(crate) async fn views(server: &Server, run_id: &str) -> Result<Vec<WebhookView>, StoreError> {
    Ok(server.jobs.webhooks_of(run_id).await?.into_iter().map(view).collect())
}

fn view(row: WebhookRow) -> WebhookView {
    let shown = url::Url::parse(&row.url).map(|mut url| {
        url.set_query(None);
        url.set_fragment(None);
        url.to_string()
    });
    let next = row.due_at.and_then(|due| jiff::Timestamp::from_second(due).ok());
    WebhookView {
        url: shown.unwrap_or_default(),
        state: match row.state {
            WebhookState::Armed => WebhookStatus::Armed,
            WebhookState::Due => WebhookStatus::Due,
            WebhookState::Delivered => WebhookStatus::Delivered,
            WebhookState::GivenUp => WebhookStatus::GivenUp,
        },
        event: row.event.and_then(|event| serde_json::from_value(serde_json::Value::String(event)).ok()),
        tries: row.tries,
        last_try_at: row.tried_at,
        next_try_at: next.map(|next| next.to_string()),
        words: row.outcome,
    }
}

/// Delivers until the server stops.
pub(crate) async fn work(server: Arc<Server>) {
    let Some(config) = server.config.webhooks.clone() else { return };
    // Somebody else in the process may have chosen already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Ends with this worker: a try that is broken off is not counted, and is made again after the restart.
    let mut tries = Tries::default();
    loop {
        let ended = server.ended.notified();
        tokio::pin!(ended);
        ended.as_mut().enable();
        let nap = match round(&server, &config, &mut tries).await {
            Ok(nap) => nap,
            Err(error) => {
                tracing::error!(%error, "webhooks cannot be looked at");
                LONGEST_NAP
            }
        };
        tokio::select! {
            () = server.stopping.cancelled() => return,
            () = ended => {}
            () = tries.one_over() => {}
            () = tokio::time::sleep(nap) => {}
        }
    }
}

/// What is being delivered. A receiver that is slow holds up nobody but itself.
#[derive(Default)]
struct Tries {
    tasks: JoinSet<i64>,
    /// By the webhook's number: to whom.
    hosts: HashMap<i64, String>,
}

impl Tries {
    fn has_room_for(&self, webhook: &DueWebhook) -> bool {
        let host = host_of(webhook);
        self.hosts.len() < AT_ONCE
            && !self.hosts.contains_key(&webhook.number)
            && self.hosts.values().filter(|other| **other == host).count() < AT_ONCE_TO_ONE
    }

    fn begin(&mut self, server: &Arc<Server>, config: &WebhookConfig, webhook: DueWebhook) {
        let (server, config, number) = (Arc::clone(server), config.clone(), webhook.number);
        self.hosts.insert(number, host_of(&webhook));
        self.tasks.spawn(async move {
            if let Err(error) = delivered(&server, &config, webhook).await {
                tracing::error!(%error, "what became of a webhook could not be written down");
                // It stays due; a moment of rest keeps it from being tried without end.
                tokio::time::sleep(LONGEST_NAP).await;
            }
            number
        });
    }

    /// Ends when one try has; never, where there is none.
    async fn one_over(&mut self) {
        match self.tasks.join_next().await {
            Some(Ok(number)) => drop(self.hosts.remove(&number)),
            // A panic does not say whose it was; with the last task all are over.
            Some(Err(_)) if self.tasks.is_empty() => self.hosts.clear(),
            Some(Err(_)) => {}
            None => std::future::pending().await,
        }
    }
}

fn host_of(webhook: &DueWebhook) -> String {
    let url = url::Url::parse(&webhook.url).ok();
    url.and_then(|url| Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))).unwrap_or_default()
}

/// Begins everything that is due now. Returns how long there is nothing more to do.
async fn round(server: &Arc<Server>, config: &WebhookConfig, tries: &mut Tries) -> Result<Duration, StoreError> {
    for ripe in server.jobs.ripe_webhooks(RIPE_AT_ONCE).await? {
        fire(server, &ripe).await?;
    }
    let seconds = || jiff::Timestamp::now().as_second();
    let due = server.jobs.due_webhooks(seconds(), DUE_AT_ONCE).await?;
    for webhook in due {
        if tries.has_room_for(&webhook) {
            tries.begin(server, config, webhook);
        }
    }
    // What is due and has no room waits for the end of a try, which wakes the worker.
    let next = server.jobs.next_webhook(seconds()).await?.map(|next| next.saturating_sub(seconds()).max(0));
    let nap = next.and_then(|seconds| u64::try_from(seconds).ok()).map(Duration::from_secs);
    Ok(nap.unwrap_or(LONGEST_NAP).clamp(Duration::from_millis(200), LONGEST_NAP))
}

async fn fire(server: &Server, ripe: &RipeWebhook) -> Result<(), StoreError> {
    let event = match ripe.ended {
        JobState::Ended => WebhookEvent::Ended,
        JobState::Failed => WebhookEvent::Failed,
        JobState::Cancelled => WebhookEvent::Cancelled,
        JobState::Interrupted => WebhookEvent::Interrupted,
        JobState::Queued | JobState::Running | JobState::Paused => return Ok(()),
    };
    if !ripe.events.is_empty() && !ripe.events.split(' ').any(|wanted| wanted == event.as_str()) {
        return server.jobs.pass_webhook(ripe).await;
    }
    let Some(run) = of_run(server, &ripe.run_id).await?.map(in_list) else {
        return server.jobs.pass_webhook(ripe).await;
    };
    let result = match event {
        WebhookEvent::Ended => server.store.timeline(&ripe.run_id).await.ok().and_then(|timeline| timeline.ended),
        _ => None,
    };
    let output = result.as_ref().and_then(|result| result.output.clone());
    let body = WebhookBody {
        event,
        run,
        summary: result.and_then(|result| result.summary),
        output: output.filter(|output| output.to_string().len() <= OUTPUT_CAP),
    };
    let text = serde_json::to_string(&body).unwrap_or_default();
    server.jobs.fire_webhook(ripe, event.as_str(), &text, jiff::Timestamp::now().as_second()).await
}

async fn delivered(server: &Server, config: &WebhookConfig, webhook: DueWebhook) -> Result<(), StoreError> {
    let outcome = tokio::time::timeout(DEADLINE, send(config, &webhook)).await;
    let outcome = outcome.unwrap_or_else(|_| Err(Refused::Now(format!("no answer within {} s", DEADLINE.as_secs()))));
    let (tried, words) = match outcome {
        Ok(words) => (Tried::Delivered, words),
        Err(Refused::ForGood(words)) => (Tried::GivenUp, words),
        Err(Refused::Now(words)) if webhook.tries + 1 >= TRIES => (Tried::GivenUp, words),
        Err(Refused::Now(words)) => {
            let pause = GROWTH.saturating_pow(webhook.tries);
            (Tried::Again(jiff::Timestamp::now().as_second().saturating_add(pause)), words)
        }
    };
    let metric = match tried {
        Tried::Delivered => "delivered",
        Tried::Again(_) => "failed",
        Tried::GivenUp => "given_up",
    };
    server.metrics.webhook_tried(metric);
    if tried != Tried::Delivered {
        tracing::warn!(run_id = webhook.run_id, words, tries = webhook.tries + 1, "a webhook was not delivered");
    }
    server.jobs.webhook_tried(webhook.number, tried, &words, &now()).await
}

enum Refused {
    Now(String),
    ForGood(String),
}

/// One try: a 2xx is a yes, a 410 a no for ever, everything else a no for now. Redirects are not followed.
async fn send(config: &WebhookConfig, webhook: &DueWebhook) -> Result<String, Refused> {
    let url = address::parse(&webhook.url, config.reach).map_err(Refused::ForGood)?;
    let addresses = address::resolve(&url, config.reach).await.map_err(Refused::Now)?;
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        // A proxy would resolve the name once more, and otherwise.
        .no_proxy()
        .user_agent(concat!("surehand/", env!("CARGO_PKG_VERSION")))
        .timeout(DEADLINE);
    if let Some(host) = url.domain() {
        builder = builder.resolve_to_addrs(host, &addresses);
    }
    let client = builder.build().map_err(|error| Refused::Now(format!("no HTTP client can be made: {error}")))?;
    let at = jiff::Timestamp::now().as_second();
    let sent = client
        .post(url)
        .header("content-type", "application/json")
        .header("surehand-event", &webhook.event)
        .header("surehand-delivery", webhook.number.to_string())
        .header("surehand-signature", signature::header(config.secret.expose().as_bytes(), at, webhook.body.as_bytes()))
        .body(webhook.body.clone())
        .send()
        .await;
    let status = sent.map_err(|error| Refused::Now(last_cause(&error)))?.status();
    match status.as_u16() {
        200..=299 => Ok(format!("answered {status}")),
        410 => Err(Refused::ForGood(format!("answered {status}"))),
        _ => Err(Refused::Now(format!("answered {status}"))),
    }
}

/// The cause below all others says the most, and names no address.
fn last_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}
