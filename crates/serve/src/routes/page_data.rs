//! What only the pages ask for: what the instance offers, what its checks did, what differs between two frames, and the
//! stored results of experiments.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use surehand_checks::picture;
use surehand_store::{EvalHead, EvalRecord, RunFilter, RunRow, RunState};
use surehand_trace::FrameLibrary as _;
use surehand_trace::report::changes;
use surehand_types::api::{CheckEffects, EvalList, EvalView, FrameChanges, InstanceView};
use surehand_types::settings::Source;

use super::runs::visible;
use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::intake::{Path, need};
use crate::pages::tally::Tally;
use crate::server::Server;
use crate::wording::query_problem;

/// Runs whose results are counted for the effects of checks.
const COUNTED: usize = 50;

/// What a run may take that says nothing about it.
const API_STEPS: u32 = 30;

pub(crate) async fn instance(
    State(server): State<Arc<Server>>,
    caller: Caller,
) -> Result<Json<InstanceView>, ApiError> {
    let settings = server.settings();
    let offer = &server.config.offer;
    let mut brains = offer.brains.clone();
    brains.extend(settings.optional_text("brain").filter(|own| !offer.brains.iter().any(|b| b == own)).map(Into::into));
    // Specs may hold whole command lines, and names of secrets are a beginning. Who asks for no runs needs none of them.
    let is_offered = caller.may(Scope::Read) || caller.may(Scope::Run);
    brains.retain(|_| is_offered);
    let secrets: &[String] = if is_offered { &offer.secrets } else { &[] };
    let name_of = |given: &String| given.split(['@', '=']).next().unwrap_or_default().to_string();
    Ok(Json(InstanceView {
        version: server.config.version.clone(),
        scopes: Scope::ALL
            .into_iter()
            .filter(|scope| caller.may(*scope))
            .map(|scope| scope.as_str().to_string())
            .collect(),
        caller: caller.name,
        tokens: server.config.access.has_tokens(),
        brains,
        secrets: secrets.iter().map(name_of).collect(),
        max_steps: match settings.source("max_steps") {
            Source::Default => API_STEPS,
            _ => u32::try_from(settings.integer("max_steps")).unwrap_or(API_STEPS),
        },
        confirm: settings.text("confirm").to_string(),
        judge: settings.optional_text("judge_model").filter(|_| is_offered).map(Into::into),
    }))
}

pub(crate) async fn effects(State(server): State<Arc<Server>>, caller: Caller) -> Result<Json<CheckEffects>, ApiError> {
    need(&caller, Scope::Read)?;
    let rows = server.store.list(COUNTED, RunFilter::State(RunState::Ended)).await?;
    let mut sum = Tally::default();
    let (mut runs, mut since) = (0, None);
    for row in rows {
        if caller.own_runs_only {
            let job = server.jobs.head(&row.run_id).await?;
            if job.is_none_or(|job| job.owner != caller.name) {
                continue;
            }
        }
        if let Some(tally) = tally_of(&server, &row).await {
            sum.join(&tally);
            runs += 1;
            since = Some(row.started_at);
        }
    }
    Ok(Json(CheckEffects { runs, since, checks: sum.checks() }))
}

/// Of a run that has ended; read from its trace once.
async fn tally_of(server: &Server, row: &RunRow) -> Option<Arc<Tally>> {
    // A run that goes on after a restart ends anew, at another time.
    let key = format!("{} {}", row.run_id, row.ended_at.as_deref().unwrap_or_default());
    if let Some(known) = server.memo.tally(&key) {
        return Some(known);
    }
    let ended = server.store.timeline(&row.run_id).await.ok()?.ended?;
    let tally = Arc::new(Tally::of(&ended));
    server.memo.keep_tally(&key, &tally);
    Some(tally)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangesQuery {
    before: String,
    after: String,
}

pub(crate) async fn frame_changes(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    query: Result<Query<ChangesQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<FrameChanges>, ApiError> {
    need(&caller, Scope::Read)?;
    let Query(asked) = query.map_err(|error| query_problem(&error))?;
    let view = visible(&server, &caller, &run_id).await?;
    let found = tokio::task::spawn_blocking(move || {
        let frame = |named: &str| {
            let known = server.memo.frame(&server.store, &view.run_id, named)?;
            let pixels = picture::decode(&server.store.frames().get(&known.sha256)?).ok()?;
            Some((pixels, known.view))
        };
        let ((old, _), (new, size)) = (frame(&asked.before)?, frame(&asked.after)?);
        Some(changes::between(&old, &new, size))
    });
    let found = found.await.map_err(ApiError::internal)?;
    let found = found.ok_or_else(|| ApiError::not_found("there is no such frame in this run"))?;
    let changes = found
        .ok_or_else(|| ApiError::conflict("not_comparable", "the two frames differ in size and cannot be compared"))?;
    Ok(Json(FrameChanges {
        words: changes.words(),
        view: changes.view,
        regions: u32::try_from(changes.regions).unwrap_or(u32::MAX),
        share: changes.share,
        boxes: changes.boxes,
    }))
}

pub(crate) async fn evals(State(server): State<Arc<Server>>, caller: Caller) -> Result<Json<EvalList>, ApiError> {
    need(&caller, Scope::Read)?;
    // Experiments belong to whoever works at the machine, not to a token.
    if caller.own_runs_only {
        return Ok(Json(EvalList { evals: Vec::new() }));
    }
    let data = server.store.data().clone();
    let heads = tokio::task::spawn_blocking(move || data.list_evals()).await.map_err(ApiError::internal)?;
    Ok(Json(EvalList { evals: heads.into_iter().map(|head| shown(head, None)).collect() }))
}

pub(crate) async fn eval(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<EvalView>, ApiError> {
    need(&caller, Scope::Read)?;
    let data = server.store.data().clone();
    let found = tokio::task::spawn_blocking(move || data.eval(&id)).await.map_err(ApiError::internal)?;
    let found = found.filter(|_| !caller.own_runs_only);
    let EvalRecord { head, result } = found.ok_or_else(|| ApiError::not_found("there is no such result"))?;
    Ok(Json(shown(head, Some(result))))
}

fn shown(head: EvalHead, result: Option<serde_json::Value>) -> EvalView {
    let EvalHead { id, kind, at, title, headline, interrupted } = head;
    EvalView { id, kind, at, title, headline, interrupted, result }
}
