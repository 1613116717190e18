//! The page of a run as it is at this moment, while a person works on it. It is no frame of the run: nothing is written down.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use surehand_checks::picture;
use surehand_types::{Observation, Pixels};

use super::runs::{FrameQuery, visible};
use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::intake::{Path, need};
use crate::server::Server;

/// Of a picture that is replaced within a second.
const QUALITY: u8 = 85;

/// How long a call under way and a page that does not answer are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) async fn now(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Path(run_id): Path<String>,
    query: Result<Query<FrameQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    need(&caller, Scope::Read)?;
    let width = FrameQuery::width(query)?;
    let view = visible(&server, &caller, &run_id).await?;
    let elsewhere = || {
        let text =
            "the page can be seen as it is now only while a person works on it\nhint: its frames are there at any time";
        ApiError::conflict("not_taken_over", text)
    };
    let live = server.live(&view.run_id).ok_or_else(elsewhere)?;
    let still = || ApiError::conflict("page_is_busy", "the page does not answer at this moment");
    let seen = tokio::time::timeout(PATIENCE, live.reins.look()).await.map_err(|_| still())?.ok_or_else(elsewhere)?;
    if seen.frame.stale {
        return Err(still());
    }
    let picture = tokio::task::spawn_blocking(move || covered(&seen, width)).await.map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, picture.map_err(ApiError::internal)?).into_response())
}

fn covered(seen: &Observation, width: Option<u32>) -> Result<Vec<u8>, picture::PictureError> {
    let mut pixels = Pixels::clone(&seen.frame.pixels);
    picture::fill_boxes(&mut pixels, seen.view, &seen.masks);
    match width.filter(|width| *width < pixels.width) {
        Some(width) => picture::encode_jpeg(&picture::thumbnail(&pixels, width), QUALITY),
        None => picture::encode_jpeg(&pixels, QUALITY),
    }
}
