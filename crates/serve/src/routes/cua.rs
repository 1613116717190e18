//! `POST /v1/cua`: a run, waited for or not. Both kinds go through the queue, so both survive a restart.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, http::header};
use serde::Serialize;
use surehand_store::{Enqueued, JobKey, JobState, NewJob, new_run_id};
use surehand_trace::content_hash;
use surehand_types::api::{CuaRequest, Links, RunAccepted};

use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::intake::{Body, need};
use crate::order::{Granted, check};
use crate::runner::until_over;
use crate::seats::{LONG, Seat};
use crate::server::{Server, now};
use crate::views::{about, status_words};
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
    let understood = understood(&request)?;
    if let Some(earlier) = earlier(&server, &caller, key.as_deref(), &understood).await? {
        return earlier.answer(&server, seat(&server, &caller, request.detached)?).await;
    }
    let Granted { hosts, confirm } = check(&server, &caller, &request).await?;
    let kept = CuaRequest { allow: hosts, confirm, ..request.clone() };
    let kept = serde_json::to_string(&kept).map_err(ApiError::internal)?;
    let submission = Submission { understood: &understood, kept: &kept, key: key.as_deref(), run: &request };
    let seat = seat(&server, &caller, request.detached)?;
    let submitted = enqueue(&server, &caller, submission, seat.is_some()).await?;
    submitted.answer(&server, seat).await
}

/// A place among those who wait for a result; `None` for whoever does not wait.
pub(super) fn seat(server: &Server, caller: &Caller, detached: bool) -> Result<Option<Seat>, ApiError> {
    if detached {
        return Ok(None);
    }
    server.waiters.sit(&caller.name).map(Some).ok_or_else(|| {
        let text = format!(
            "{} waits for {LONG} runs already\nhint: \"detached\": true asks for a run without waiting for it",
            caller.who()
        );
        ApiError::too_many("too_many_waiting", text, 30)
    })
}

pub(super) struct Submitted {
    run_id: String,
    /// Somebody may hang up who could never ask for this run again.
    abandoned: Option<Abandoned>,
}

impl Submitted {
    /// Whoever has a seat waits for the result.
    pub(super) async fn answer(self, server: &Arc<Server>, seat: Option<Seat>) -> Result<Response, ApiError> {
        let Some(_seat) = seat else { return accepted(server, self.run_id).await };
        let job = until_over(server, &self.run_id).await?;
        if let Some(abandoned) = self.abandoned {
            abandoned.disarm();
        }
        match job.state {
            JobState::Ended => super::runs::result(server, &self.run_id).await,
            state => {
                let words = job.words.unwrap_or_else(|| "it did not run".into());
                let is = if state == JobState::Failed { "" } else { "is " };
                let text = format!("the run {} {is}{}: {words}", self.run_id, state.as_str());
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

/// A request written anew from what was understood of it: spaces and the order of fields make no other one.
pub(super) fn understood(request: &impl Serialize) -> Result<String, ApiError> {
    let mut value = serde_json::to_value(request).map_err(ApiError::internal)?;
    value.sort_all_objects();
    Ok(value.to_string())
}

/// A request on its way into the queue.
pub(super) struct Submission<'a> {
    /// See `understood`.
    pub(super) understood: &'a str,
    /// As the queue keeps it.
    pub(super) kept: &'a str,
    pub(super) key: Option<&'a str>,
    /// What is shown of it, and whom it tells.
    pub(super) run: &'a CuaRequest,
}

/// The run that this key stands for already. It is looked for before the request is checked: what was taken once stays
/// taken, whatever the operator has changed since.
pub(super) async fn earlier(
    server: &Server,
    caller: &Caller,
    key: Option<&str>,
    understood: &str,
) -> Result<Option<Submitted>, ApiError> {
    let Some(key) = key else { return Ok(None) };
    let hash = content_hash(understood.as_bytes());
    let Some(enqueued) = server.jobs.earlier(&caller.name, job_key(key, &hash)).await? else { return Ok(None) };
    let submitted = taken(enqueued, caller)?;
    if server.jobs.head(&submitted.run_id).await?.is_none() {
        let run_id = &submitted.run_id;
        let text = format!(
            "the run of this Idempotency-Key, {run_id}, was removed since\nhint: use a new key to run it again"
        );
        return Err(ApiError::conflict("run_removed", text));
    }
    Ok(Some(submitted))
}

/// `waits`: somebody stays until the run is over.
pub(super) async fn enqueue(
    server: &Arc<Server>,
    caller: &Caller,
    Submission { understood, kept, key, run }: Submission<'_>,
    waits: bool,
) -> Result<Submitted, ApiError> {
    let hash = content_hash(understood.as_bytes());
    let run_id = new_run_id();
    // Before it is in the queue: whoever hangs up at that very moment leaves nothing behind either.
    let abandoned = (waits && key.is_none()).then(|| Abandoned::new(server, &run_id));
    let job = NewJob {
        run_id: &run_id,
        owner: &caller.name,
        request: kept,
        about: about(run),
        created_at: &now(),
        key: key.map(|key| job_key(key, &hash)),
        room: server.room(&caller.name),
        webhooks: &webhooks::armed(server, run.webhook.as_ref()),
    };
    let enqueued = server.jobs.enqueue(job).await?;
    if enqueued == Enqueued::New {
        server.wake.notify_one();
        return Ok(Submitted { run_id, abandoned });
    }
    if let Some(abandoned) = abandoned {
        abandoned.disarm();
    }
    taken(enqueued, caller)
}

/// What became of a request that is no new run.
fn taken(enqueued: Enqueued, caller: &Caller) -> Result<Submitted, ApiError> {
    match enqueued {
        Enqueued::New => Err(ApiError::internal("a new run was taken for an earlier one")),
        Enqueued::Same { run_id } => Ok(Submitted { run_id, abandoned: None }),
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

fn job_key<'a>(key: &'a str, hash: &'a str) -> JobKey<'a> {
    JobKey { key, body: hash, now: jiff::Timestamp::now().as_second() }
}

async fn accepted(server: &Server, run_id: String) -> Result<Response, ApiError> {
    let job = server.jobs.head(&run_id).await?.ok_or_else(|| ApiError::not_found("there is no such run"))?;
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
    fn new(server: &Arc<Server>, run_id: &str) -> Abandoned {
        Abandoned { server: Arc::clone(server), run_id: run_id.to_string(), armed: true }
    }

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
