// The lab: one small page per protocol trap and per odd control. This file joins the routes and
// the embedded assets; the pages themselves are files in `sites/lab/pages`.

mod catalogue;
mod pages;
mod section;
mod state;
mod traps;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;

use crate::parts::{FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, ErrorReply, SCRIPT, STYLE};
use state::LabState;

/// The site without any log.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(LabState::default());
    let router = Router::new()
        .merge(pages::routes())
        .merge(traps::routes())
        .route("/assets/{name}", get(asset))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../lab/base.css")),
    ("index.css", STYLE, include_str!("../../lab/index.css")),
    ("log.js", SCRIPT, include_str!("../../lab/log.js")),
    ("check.js", SCRIPT, include_str!("../../lab/check.js")),
    ("fields.js", SCRIPT, include_str!("../../lab/fields.js")),
    ("send.js", SCRIPT, include_str!("../../lab/send.js")),
    ("frames.js", SCRIPT, include_str!("../../lab/frames.js")),
    ("arrived.js", SCRIPT, include_str!("../../lab/arrived.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../lab/icon.svg")),
];

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    reply::asset(ASSETS, &name)
}
