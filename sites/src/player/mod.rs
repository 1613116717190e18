// Reelroom: the routes of the site and its embedded assets. Each concern has its own file; this
// one only joins them.

mod api;
mod clip;
mod pages;
mod seed;
mod state;
mod validate;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;

use crate::parts::{DEFAULT_SEED, FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, SCRIPT, STYLE};
use state::PlayerState;

/// The site with the data of the default seed.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(PlayerState::new(DEFAULT_SEED));
    let router = Router::new()
        .merge(pages::routes())
        .nest("/api", api::routes())
        .route("/assets/{name}", get(asset))
        .fallback(pages::missing)
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../player/base.css")),
    ("stage.css", STYLE, include_str!("../../player/stage.css")),
    ("side.css", STYLE, include_str!("../../player/side.css")),
    ("common.js", SCRIPT, include_str!("../../player/common.js")),
    ("store.js", SCRIPT, include_str!("../../player/store.js")),
    ("scenes.js", SCRIPT, include_str!("../../player/scenes.js")),
    ("stage.js", SCRIPT, include_str!("../../player/stage.js")),
    ("annotate.js", SCRIPT, include_str!("../../player/annotate.js")),
    ("controls.js", SCRIPT, include_str!("../../player/controls.js")),
    ("idle.js", SCRIPT, include_str!("../../player/idle.js")),
    ("side.js", SCRIPT, include_str!("../../player/side.js")),
    ("player.js", SCRIPT, include_str!("../../player/player.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../player/icon.svg")),
];

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    reply::asset(ASSETS, &name)
}
