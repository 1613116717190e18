//! The studio site: a step sequencer whose cells, mutes and switches are a picture and a tree at once, and whose saved
//! pattern is the truth. Skins by query: `?skin=dark|light|grey`; in grey a lit cell is only brighter.

mod state;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse as _, Json, Response};
use axum::routing::get;

use crate::parts::{FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, ErrorReply, SCRIPT, STYLE, parse_body};
use state::{Pattern, StudioState};

/// The site with the pattern of the default seed.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(StudioState::default());
    let router = Router::new()
        .route("/", get(async || Html(PAGE)))
        .route("/assets/{name}", get(asset))
        .route("/api/pattern", get(pattern).put(save))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const PAGE: &str = include_str!("../../studio/studio.html");

const ASSETS: &[Asset] = &[
    ("studio.css", STYLE, include_str!("../../studio/studio.css")),
    ("studio.js", SCRIPT, include_str!("../../studio/studio.js")),
];

async fn asset(Path(name): Path<String>) -> Response {
    reply::asset(ASSETS, &name)
}

async fn pattern(State(studio): State<Arc<StudioState>>) -> Json<Pattern> {
    Json(studio.pattern())
}

async fn save(State(studio): State<Arc<StudioState>>, body: Bytes) -> Result<Response, ErrorReply> {
    let pattern: Pattern = parse_body(&body)?;
    studio.save(pattern)?;
    Ok(Json(studio.pattern()).into_response())
}
