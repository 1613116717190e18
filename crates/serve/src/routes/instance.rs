//! The instance: its checks, its queue, its health, its description.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use surehand_store::JobState;
use surehand_types::api::{Health, QueueState, Readiness, ToggleChange, ToggleList, ToggleView};
use surehand_types::settings::{SettingKind, Source, find};
use surehand_types::settings_table::SETTINGS;

use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::intake::{Body, need};
use crate::order::is_open;
use crate::server::{Server, now};

/// Runs of the queue that are named.
const NAMED: u32 = 100;

pub(crate) async fn toggles(State(server): State<Arc<Server>>, caller: Caller) -> Result<Json<ToggleList>, ApiError> {
    need(&caller, Scope::Read)?;
    Ok(Json(listed(&server).await?))
}

async fn listed(server: &Server) -> Result<ToggleList, ApiError> {
    let changed = server.jobs.toggles().await?;
    let settings = server.settings();
    let toggles = SETTINGS.iter().filter(|spec| is_open(spec)).map(|spec| {
        let own = changed.iter().find(|row| row.name == spec.name);
        ToggleView {
            name: spec.name.to_string(),
            value: settings.text(spec.name).to_string(),
            default: spec.default.to_string(),
            choices: match spec.kind {
                SettingKind::Toggle => vec!["on".into(), "off".into()],
                SettingKind::Choice(choices) => choices.iter().map(ToString::to_string).collect(),
                _ => Vec::new(),
            },
            about: spec.doc.to_string(),
            source: match (own, server.config.settings.source(spec.name)) {
                (Some(_), _) => "instance",
                (None, Source::Default) => "default",
                (None, Source::Profile) => "profile",
                (None, Source::UserFile | Source::ProjectFile) => "file",
                (None, Source::Environment) => "environment",
                (None, Source::Flag) => "flag",
            }
            .to_string(),
            changed_by: own.map(|row| row.changed_by.clone()),
            changed_at: own.map(|row| row.changed_at.clone()),
        }
    });
    Ok(ToggleList { toggles: toggles.collect() })
}

/// All of it or nothing; runs under way keep what they began with.
pub(crate) async fn change_toggles(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Body(change): Body<ToggleChange>,
) -> Result<Json<ToggleList>, ApiError> {
    need(&caller, Scope::Admin)?;
    if change.toggles.is_empty() {
        return Err(ApiError::invalid("toggles: there is nothing in it"));
    }
    // One change after the other, so that what is written and what holds are the same.
    let _changing = server.changing.lock().await;
    let mut settings = server.settings();
    for (name, value) in &change.toggles {
        let spec = find(name).ok_or_else(|| ApiError::invalid(format!("toggles.{name}: there is no such setting")))?;
        if !is_open(spec) {
            return Err(ApiError::invalid(format!("toggles.{name}: it cannot be changed on a running instance")));
        }
        let set = settings.set(name, value, Source::Flag);
        set.map_err(|sentence| ApiError::invalid(format!("toggles.{name}: {sentence}")))?;
    }
    let changes: Vec<(String, String)> =
        change.toggles.keys().map(|name| (name.clone(), settings.text(name).to_string())).collect();
    for (name, value) in &changes {
        let line = serde_json::json!({"name": name, "value": value, "source": "instance", "by": caller.name});
        crate::audit::note(&server, "setting", line).await?;
    }
    server.jobs.set_toggles(&changes, &caller.name, &now()).await?;
    server.note_changes(&changes);
    for (name, value) in &changes {
        tracing::warn!(name, value, by = caller.name, "a setting was changed on the running instance");
    }
    Ok(Json(listed(&server).await?))
}

pub(crate) async fn queue(State(server): State<Arc<Server>>, caller: Caller) -> Result<Json<QueueState>, ApiError> {
    need(&caller, Scope::Read)?;
    let order = server.jobs.in_state(JobState::Queued, NAMED).await?;
    let order = order.into_iter().filter(|job| !caller.own_runs_only || job.owner == caller.name);
    Ok(Json(QueueState {
        queued: server.jobs.count(JobState::Queued).await?,
        running: server.jobs.count(JobState::Running).await?,
        paused: server.jobs.count(JobState::Paused).await?,
        slots: u32::try_from(server.config.settings.integer("slots")).unwrap_or_default(),
        capacity: server.capacity(),
        order: order.map(|job| job.run_id).collect(),
    }))
}

/// In the text format of Prometheus.
pub(crate) async fn metrics(State(server): State<Arc<Server>>, caller: Caller) -> Result<Response, ApiError> {
    need(&caller, Scope::Read)?;
    for state in [JobState::Queued, JobState::Running, JobState::Paused] {
        server.metrics.note_jobs(state.as_str(), server.jobs.count(state).await?);
    }
    let text = server.metrics.text().map_err(ApiError::internal)?;
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

pub(crate) async fn health(State(server): State<Arc<Server>>) -> Json<Health> {
    Json(Health { status: "ok".into(), version: server.config.version.clone() })
}

pub(crate) async fn readiness(State(server): State<Arc<Server>>) -> Response {
    let mut problems = Vec::new();
    if server.stopping.is_cancelled() {
        problems.push("the server is stopping".to_string());
    }
    if server.jobs.count(JobState::Queued).await.is_err() {
        problems.push("the queue cannot be read".to_string());
    }
    let warnings = server.brain_warnings().await;
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Readiness { ready: problems.is_empty(), problems, warnings })).into_response()
}

pub(crate) async fn openapi(State(server): State<Arc<Server>>) -> Json<serde_json::Value> {
    Json(crate::openapi::document(&server.config.version))
}
