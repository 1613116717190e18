//! `POST /v1/cua`: a run, waited for or not. Both kinds go through the queue, so both survive a restart.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, http::header};
use surehand_store::{Enqueued, JobKey, JobState, NewJob, new_run_id};
use surehand_trace::content_hash;
use surehand_types::api::{CuaRequest, Links, RunAccepted, WebhookRequest};

use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::followers::{MOST, Seat};
use crate::intake::{Body, need};
use crate::order::{Granted, check};
use crate::runner::until_over;
use crate::server::{Server, now};
use crate::views::status_words;
use crate::webhooks;

/// Whose word it is where whoever waited for a run hangs up.
const WHO_LEFT: &str = "whoever asked for it hung up";

/// Longest idempotency key.
const KEY_CAP: usize = 200;

pub(crate) async fn cua(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(request): Body<CuaRequest>,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Run)?;
    if server.stopping.is_cancelled() {
        return Err(ApiError::stopping());
    }
    let key = idempotency_key(&headers)?;
    let Granted { hosts, confirm } = check(&server, &caller, &request).await?;
    let understood = serde_json::to_string(&request).map_err(ApiError::internal)?;
    let kept = CuaRequest { allow: hosts, confirm, ..request.clone() };
    let kept = serde_json::to_string(&kept).map_err(ApiError::internal)?;
    let submission =
        Submission { understood: &understood, kept: &kept, key: key.as_deref(), webhook: request.webhook.as_ref() };
    let seat = seat(&server, &caller, request.detached)?;
    enqueue(&server, &caller, submission).await?.answer(&server, seat).await
}

/// A place among those who wait for a result; `None` for whoever does not wait.
pub(super) fn seat(server: &Server, caller: &Caller, detached: bool) -> Result<Option<Seat>, ApiError> {
    if detached {
        return Ok(None);
    }
    server.waiters.sit(&caller.name).map(Some).ok_or_else(|| {
        let text = format!(
            "the token {:?} waits for {MOST} runs already\nhint: \"detached\": true asks for a run without waiting for it",
            caller.name
        );
        ApiError::too_many("too_many_waiting", text, 30)
    })
}

pub(super) struct Submitted {
    run_id: String,
    /// Nobody else can ask for this run again.
    is_alone: bool,
}

impl Submitted {
    /// Whoever has a seat waits for the result.
    pub(super) async fn answer(self, server: &Arc<Server>, seat: Option<Seat>) -> Result<Response, ApiError> {
        let Some(_seat) = seat else { return accepted(server, self.run_id).await };
        // Whoever hangs up without a key can never ask for this run again, so it is not carried on for nobody.
        let abandoned = Abandoned { server: Arc::clone(server), run_id: self.run_id.clone(), armed: self.is_alone };
        let job = until_over(server, &self.run_id).await?;
        abandoned.disarm();
        match job.state {
            JobState::Ended => super::runs::result(server, &self.run_id).await,
            state => {
                let words = job.words.unwrap_or_else(|| "it did not run".into());
                let text = format!("the run {} is {}: {words}", self.run_id, state.as_str());
                Err(match state {
                    JobState::Cancelled => ApiError::conflict("cancelled", text),
                    JobState::Failed => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "not_run", text),
                    JobState::Interrupted => {
                        let place = format!("{text}\nhint: POST /v1/runs/{}/resume lets it go on", self.run_id);
                        ApiError::conflict("interrupted", place)
                    }
                    _ => {
                        let place = format!("{text}\nhint: GET /v1/runs/{} says how it goes on", self.run_id);
                        ApiError::not_finished(place)
                    }
                })
            }
        }
    }
}

/// A request on its way into the queue.
pub(super) struct Submission<'a> {
    /// Written anew from what was understood: spaces and the order of fields make no other request.
    pub(super) understood: &'a str,
    /// As the queue keeps it.
    pub(super) kept: &'a str,
    pub(super) key: Option<&'a str>,
    pub(super) webhook: Option<&'a WebhookRequest>,
}

pub(super) async fn enqueue(
    server: &Server,
    caller: &Caller,
    Submission { understood, kept, key, webhook }: Submission<'_>,
) -> Result<Submitted, ApiError> {
    let hash = content_hash(understood.as_bytes());
    let run_id = new_run_id();
    let job = NewJob {
        run_id: &run_id,
        owner: &caller.name,
        request: kept,
        created_at: &now(),
        key: key.map(|key| JobKey { key, body: &hash, now: jiff::Timestamp::now().as_second() }),
        room: server.room(&caller.name),
    };
    webhooks::arm(server, &run_id, webhook).await?;
    let enqueued = server.jobs.enqueue(job).await?;
    // A write to the disk, which most requests can do without.
    if enqueued != Enqueued::New && server.config.webhooks.is_some() {
        server.jobs.disarm_webhooks(&run_id).await?;
    }
    match enqueued {
        Enqueued::New => {
            server.wake.notify_one();
            Ok(Submitted { run_id, is_alone: key.is_none() })
        }
        Enqueued::Same { run_id } => Ok(Submitted { run_id, is_alone: false }),
        Enqueued::OtherRequest { run_id } => Err(ApiError::conflict(
            "key_reused",
            format!(
                "this Idempotency-Key belongs to another request, whose run is {run_id}\nhint: use a new key for a new request"
            ),
        )),
        Enqueued::Full => Err(ApiError::queue_full()),
        Enqueued::OwnerFull => Err(ApiError::too_many_runs(&caller.name)),
    }
}

async fn accepted(server: &Server, run_id: String) -> Result<Response, ApiError> {
    let job = server.jobs.job(&run_id).await?.ok_or_else(|| ApiError::not_found("there is no such run"))?;
    let position = server.jobs.position(&run_id).await?;
    let links = Links::of(&run_id);
    let location = links.run.clone();
    let body = RunAccepted { run_id, status: status_words(job.state), position, links };
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(body)).into_response())
}

pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    let key = key.to_str().ok().map(str::trim).filter(|key| !key.is_empty() && key.len() <= KEY_CAP);
    match key {
        Some(key) => Ok(Some(key.to_string())),
        None => Err(ApiError::invalid(format!(
            "the header Idempotency-Key has to be 1 to {KEY_CAP} printable ASCII characters"
        ))),
    }
}

/// Cancels the run when the wait for it is dropped.
struct Abandoned {
    server: Arc<Server>,
    run_id: String,
    armed: bool,
}

impl Abandoned {
    fn disarm(mut self) {
        self.armed = false;
    }
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        if !self.armed || self.server.stopping.is_cancelled() {
            return;
        }
        let (server, run_id) = (Arc::clone(&self.server), std::mem::take(&mut self.run_id));
        tracing::info!(run_id, "whoever waited for the run is gone; it is cancelled");
        tokio::spawn(async move {
            if let Err(error) = super::control::stop_run(&server, &run_id, WHO_LEFT).await {
                tracing::warn!(run_id, error = error.sentence(), "an abandoned run could not be cancelled");
            }
        });
    }
}
