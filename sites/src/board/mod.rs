// Cardwall: the routes of the site and its embedded assets. Each concern has its own file; this
// one only joins them.

mod api;
mod card;
mod pages;
mod seed;
mod state;
mod validate;
mod wall;
mod wall_lists;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;

use crate::parts::{DEFAULT_SEED, FORM_BYTES, SiteParts};
use crate::reply::{self, Asset, SCRIPT, STYLE};
use state::BoardState;

/// The site with the data of the default seed.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(BoardState::new(DEFAULT_SEED));
    let router = Router::new()
        .merge(pages::routes())
        .nest("/api", api::routes())
        .route("/assets/{name}", get(asset))
        .fallback(pages::missing)
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: FORM_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../board/base.css")),
    ("board.css", STYLE, include_str!("../../board/board.css")),
    ("card.css", STYLE, include_str!("../../board/card.css")),
    ("panel.css", STYLE, include_str!("../../board/panel.css")),
    ("common.js", SCRIPT, include_str!("../../board/common.js")),
    ("board.js", SCRIPT, include_str!("../../board/board.js")),
    ("store.js", SCRIPT, include_str!("../../board/store.js")),
    ("cards.js", SCRIPT, include_str!("../../board/cards.js")),
    ("columns.js", SCRIPT, include_str!("../../board/columns.js")),
    ("drag.js", SCRIPT, include_str!("../../board/drag.js")),
    ("menu.js", SCRIPT, include_str!("../../board/menu.js")),
    ("panel.js", SCRIPT, include_str!("../../board/panel.js")),
    ("steps.js", SCRIPT, include_str!("../../board/steps.js")),
    ("archive.js", SCRIPT, include_str!("../../board/archive.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../board/icon.svg")),
];

async fn asset(Path(name): Path<String>) -> axum::response::Response {
    reply::asset(ASSETS, &name)
}
