//! The fault site: one page whose one control is dead or alive in a way that its address names, beside
//! noise that the page makes by itself. Which is which is known by construction, so a judgement of
//! clicks can be measured. The kinds themselves are in `sites/fault/*.js`.

mod cases;
mod kinds;
mod layout;
mod pages;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

pub use cases::Case;
pub use kinds::{Fate, KINDS, Kind, NOISES};

use crate::parts::{FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, ErrorReply, SCRIPT, STYLE};
use state::FaultState;

/// The site before anybody came.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(FaultState::default());
    let router = Router::new()
        .merge(pages::routes())
        .route("/assets/{name}", get(asset))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../fault/base.css")),
    ("page.js", SCRIPT, include_str!("../../fault/page.js")),
    ("noise.js", SCRIPT, include_str!("../../fault/noise.js")),
    ("dead.js", SCRIPT, include_str!("../../fault/dead.js")),
    ("dead-look.js", SCRIPT, include_str!("../../fault/dead-look.js")),
    ("live.js", SCRIPT, include_str!("../../fault/live.js")),
    ("live-page.js", SCRIPT, include_str!("../../fault/live-page.js")),
    ("live-paint.js", SCRIPT, include_str!("../../fault/live-paint.js")),
];

/// Four frames of a lamp, a quarter of a second each.
const LAMP: &[u8] = include_bytes!("../../fault/lamp.gif");

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    match name.as_str() {
        "lamp.gif" => ([(header::CONTENT_TYPE, "image/gif")], LAMP).into_response(),
        name => reply::asset(ASSETS, name),
    }
}
