//! `POST /v1/predict`: a plan through the same queue as any run, and the actions of clients that know this one address only.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use surehand_store::StoreError;
use surehand_trace::report::plan::plan_in_words;
use surehand_trace::report::words::{call_in_words, state_in_words};
use surehand_types::api::{LogLine, PredictAction, PredictRequest, RunLogs, RunStatus};
use surehand_types::event::{Envelope, Event};

use super::control::{self, Empty};
use super::cua::{Submission, earlier, enqueue, idempotency_key, seat, understood};
use super::runs::{self, visible};
use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::intake::{Body, Path, need};
use crate::order::{Granted, check};
use crate::plans::Asked;
use crate::server::Server;

/// Lines of one answer.
const LINES: usize = 1000;

pub(crate) async fn predict(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(request): Body<PredictRequest>,
) -> Result<Response, ApiError> {
    match request.action {
        None | Some(PredictAction::Run) => started(server, caller, headers, request).await,
        Some(action) => acted(server, caller, action, &request).await,
    }
}

async fn started(
    server: Arc<Server>,
    caller: Caller,
    headers: HeaderMap,
    mut request: PredictRequest,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Run)?;
    if server.stopping.is_cancelled() {
        return Err(ApiError::stopping());
    }
    if request.run_id.is_some() {
        return Err(ApiError::invalid("run_id: it is for actions\nhint: a plan that runs gets an id of its own"));
    }
    let key = idempotency_key(&headers)?;
    request.action = None;
    let understood = understood(&request)?;
    if let Some(earlier) = earlier(&server, &caller, key.as_deref(), &understood).await? {
        return earlier.answer(&server, seat(&server, &caller, request.detached)?).await;
    }
    let (mut request, asked) = Asked::understood(request).await?;
    let Granted { hosts, confirm } = check(&server, &caller, &asked.run).await?;
    (request.allow, request.confirm) = (hosts, confirm);
    let kept = serde_json::to_string(&request).map_err(ApiError::internal)?;
    let submission = Submission { understood: &understood, kept: &kept, key: key.as_deref(), run: &asked.run };
    let seat = seat(&server, &caller, request.detached)?;
    let submitted = enqueue(&server, &caller, submission, seat.is_some()).await?;
    submitted.answer(&server, seat).await
}

async fn acted(
    server: Arc<Server>,
    caller: Caller,
    action: PredictAction,
    request: &PredictRequest,
) -> Result<Response, ApiError> {
    let Some(run_id) = request.run_id.clone() else {
        return Err(ApiError::invalid("run_id: the action does not say which run it is about"));
    };
    let plain = PredictRequest { action: request.action, run_id: request.run_id.clone(), ..PredictRequest::default() };
    if *request != plain {
        return Err(ApiError::invalid("action: it takes a run_id and nothing else"));
    }
    let (state, path, nothing) = (State(Arc::clone(&server)), Path(run_id.clone()), Body(Empty {}));
    match action {
        PredictAction::Run => Err(ApiError::invalid("run_id: it is for the other actions")),
        PredictAction::Status => {
            Ok(Json(runs::whole(&server, &caller, &run_id, runs::OnOff::On).await?).into_response())
        }
        PredictAction::Result => result(&server, &caller, &run_id).await,
        PredictAction::Logs => logs(&server, &caller, &run_id).await.map(IntoResponse::into_response),
        PredictAction::Cancel => control::cancel(state, caller, path, nothing).await.map(IntoResponse::into_response),
        PredictAction::Pause => control::pause(state, caller, path, nothing).await.map(IntoResponse::into_response),
        PredictAction::Resume => control::resume(state, caller, path, nothing).await.map(IntoResponse::into_response),
    }
}

async fn result(server: &Server, caller: &Caller, run_id: &str) -> Result<Response, ApiError> {
    need(caller, Scope::Read)?;
    let view = visible(server, caller, run_id).await?;
    if view.status != RunStatus::Ended {
        return Err(ApiError::conflict("not_ended", "the run has no result yet\nhint: ask for its status"));
    }
    runs::result(server, &view.run_id).await
}

async fn logs(server: &Server, caller: &Caller, run_id: &str) -> Result<Json<RunLogs>, ApiError> {
    need(caller, Scope::Read)?;
    let view = visible(server, caller, run_id).await?;
    let (store, run) = (server.store.clone(), view.run_id.clone());
    let read = tokio::task::spawn_blocking(move || store.events(&run)).await.map_err(ApiError::internal)?;
    let events = match read {
        Ok(read) => read.events,
        Err(StoreError::NoTrace { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let mut logs: Vec<LogLine> = events.iter().filter_map(line).collect();
    logs.drain(..logs.len().saturating_sub(LINES));
    Ok(Json(RunLogs { run_id: view.run_id, logs }))
}

fn line(envelope: &Envelope) -> Option<LogLine> {
    let text = match &envelope.event {
        Event::Plan(event) => plan_in_words(event),
        Event::Step(record) => {
            let what = match &record.call {
                Some(call) => call_in_words(call, record.hit.as_ref()),
                None => record.message.clone(),
            };
            let state = match state_in_words(record) {
                "failed" => format!("failed: {}", record.message),
                state => state.to_string(),
            };
            format!("step {}: {what}: {state}", record.step)
        }
        Event::Note { message, .. } => message.clone(),
        Event::RunEnded { result } => format!("the run ended: {}", result.termination_reason.as_str()),
        _ => return None,
    };
    Some(LogLine { seq: envelope.seq, at: envelope.at.clone(), text })
}
