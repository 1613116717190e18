//! Looking at runs: the list, one of them, its events, its frames, its report.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use serde::Deserialize;
use surehand_checks::picture;
use surehand_store::{FolderFrames, StoreError};
use surehand_trace::FrameLibrary as _;
use surehand_types::api::{RunPage, RunStatus, RunView};

use super::listing::{self, ListQuery};
use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::events::follow;
use crate::intake::{Path, need};
use crate::pages::step_view::StepViews;
use crate::seats::LONG;
use crate::server::Server;
use crate::views::of_run;
use crate::webhooks;
use crate::wording::query_problem;

/// Of pictures for lists.
const THUMBNAIL_QUALITY: u8 = 78;

/// How often an idle stream says that it is there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A run that the caller may look at.
pub(crate) async fn visible(server: &Server, caller: &Caller, run_id: &str) -> Result<RunView, ApiError> {
    let hidden = || ApiError::not_found("there is no such run");
    let view = of_run(server, run_id).await?.ok_or_else(hidden)?;
    if caller.own_runs_only && view.owner.as_ref() != Some(&caller.name) {
        return Err(hidden());
    }
    Ok(view)
}

pub(crate) async fn list(
    State(server): State<Arc<Server>>,
    caller: Caller,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<RunPage>, ApiError> {
    need(&caller, Scope::Read)?;
    let Query(query) = query.map_err(|error| query_problem(&error))?;
    listing::page(&server, &caller, &query).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneQuery {
    /// `off` leaves the result out, which is large.
    #[serde(default)]
    result: OnOff,
}

#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OnOff {
    #[default]
    On,
    Off,
}

pub(crate) async fn one(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    query: Result<Query<OneQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<RunView>, ApiError> {
    let Query(query) = query.map_err(|error| query_problem(&error))?;
    whole(&server, &caller, &run_id, query.result).await.map(Json)
}

/// Everything that is known of a run.
pub(crate) async fn whole(server: &Server, caller: &Caller, run_id: &str, result: OnOff) -> Result<RunView, ApiError> {
    need(caller, Scope::Read)?;
    let mut view = visible(server, caller, run_id).await?;
    view.webhooks = webhooks::views(server, &view.run_id).await?;
    let wanted = result == OnOff::On;
    if wanted && view.status == RunStatus::Ended {
        view.result = server.store.timeline(&view.run_id).await?.ended.map(Box::new);
    }
    Ok(view)
}

/// The result alone, as a run that is waited for answers.
pub(crate) async fn result(server: &Server, run_id: &str) -> Result<Response, ApiError> {
    let timeline = server.store.timeline(run_id).await?;
    match timeline.ended {
        Some(result) => Ok(Json(result).into_response()),
        // Its process ended before it did.
        None => Err(ApiError::conflict("not_ended", "the run has no result\nhint: resume it, or ask for its status")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsQuery {
    #[serde(default)]
    view: Option<EventsView>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum EventsView {
    /// Steps and the end in words, as the run page shows them.
    Steps,
}

pub(crate) async fn events(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    query: Result<Query<EventsQuery>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Read)?;
    let Query(query) = query.map_err(|error| query_problem(&error))?;
    let view = visible(&server, &caller, &run_id).await?;
    let known = match headers.get("last-event-id") {
        None => 0,
        Some(number) => number
            .to_str()
            .ok()
            .and_then(|number| number.trim().parse::<u64>().ok())
            .ok_or_else(|| ApiError::invalid("the header Last-Event-ID has to be the number of an event"))?,
    };
    let Some(seat) = server.followers.sit(&caller.name) else {
        let text = format!("{} follows {LONG} runs already", caller.who());
        return Err(ApiError::too_many("too_many_streams", text, 30));
    };
    let tail = server.store.tail(&view.run_id)?;
    let views = query.view.map(|EventsView::Steps| StepViews::default());
    let stream = follow(server, view.run_id, tail, known, views).inspect(move |_| {
        let _ = &seat;
    });
    let mut response = Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrameQuery {
    /// In pixels; a smaller picture for lists.
    #[serde(default)]
    width: Option<u32>,
}

impl FrameQuery {
    pub(super) fn width(query: Result<Query<FrameQuery>, QueryRejection>) -> Result<Option<u32>, ApiError> {
        let Query(FrameQuery { width }) = query.map_err(|error| query_problem(&error))?;
        match width {
            Some(width) if !(16..=4096).contains(&width) => Err(ApiError::invalid("width: it is from 16 to 4096")),
            width => Ok(width),
        }
    }
}

/// As a JPEG of that width; `None` where it is not wider, and is sent as it is.
fn smaller(bytes: &[u8], width: u32) -> Option<Vec<u8>> {
    let pixels = picture::decode(bytes).ok()?;
    if pixels.width <= width {
        return None;
    }
    picture::encode_jpeg(&picture::thumbnail(&pixels, width), THUMBNAIL_QUALITY).ok()
}

/// A frame by its content hash, or by its number in the run.
pub(crate) async fn frame(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path((run_id, frame)): Path<(String, String)>,
    query: Result<Query<FrameQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Read)?;
    let width = FrameQuery::width(query)?;
    let view = visible(&server, &caller, &run_id).await?;
    let missing = || ApiError::not_found("there is no such frame in this run");
    let found = tokio::task::spawn_blocking(move || {
        let bytes = match server.memo.frame(&server.store, &view.run_id, &frame) {
            Some(known) => server.store.frames().get(&known.sha256)?,
            // The picture of a question that waits is no frame of the trace.
            None => {
                let asked = view.question.and_then(|question| question.frame).filter(|asked| *asked == frame)?;
                FolderFrames::asked(server.store.data(), &view.run_id).get(&asked)?
            }
        };
        Some(width.and_then(|width| smaller(&bytes, width)).unwrap_or(bytes))
    });
    let bytes = found.await.map_err(ApiError::internal)?.ok_or_else(missing)?;
    let kind = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        // Named by what it contains, so it never changes.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400, immutable")),
    ];
    Ok((headers, bytes).into_response())
}

pub(crate) async fn report(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Read)?;
    let view = visible(&server, &caller, &run_id).await?;
    let timeline = match server.store.timeline(&view.run_id).await {
        Err(StoreError::NoTrace { .. }) => {
            return Err(ApiError::conflict("not_begun", "the run has not begun, so there is nothing to report"));
        }
        timeline => timeline?,
    };
    let frames = server.store.frames();
    let page = tokio::task::spawn_blocking(move || surehand_trace::report::html::render(&timeline, &frames));
    let page = page.await.map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, page).into_response())
}
