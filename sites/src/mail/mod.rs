// Pinemail: the routes of the site and its embedded assets. One page, so there is no file for pages;
// each other concern has its own, and this one only joins them.

mod api;
mod change;
mod compose;
mod fixed_mails;
mod markup;
mod model;
mod query;
mod seed;
mod state;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;

use crate::page::{Fill, fill};
use crate::parts::{DEFAULT_SEED, SiteParts, UPLOAD_BYTES};
use crate::reply::{self, Asset, ErrorReply, SCRIPT, STYLE};
use model::{USER_EMAIL, USER_NAME};
use state::MailState;

const PAGE: &str = include_str!("../../mail/page.html");

/// The site with the mailbox of the default seed.
pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(MailState::new(DEFAULT_SEED));
    let router = Router::new()
        .route("/", get(page))
        .nest("/api", api::routes())
        .route("/assets/{name}", get(asset))
        .fallback(missing)
        // The server around the site has the limit that counts; axum's own would be lower.
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: UPLOAD_BYTES }
}

const ASSETS: &[Asset] = &[
    ("base.css", STYLE, include_str!("../../mail/base.css")),
    ("frame.css", STYLE, include_str!("../../mail/frame.css")),
    ("list.css", STYLE, include_str!("../../mail/list.css")),
    ("reader.css", STYLE, include_str!("../../mail/reader.css")),
    ("compose.css", STYLE, include_str!("../../mail/compose.css")),
    ("common.js", SCRIPT, include_str!("../../mail/common.js")),
    ("icons.js", SCRIPT, include_str!("../../mail/icons.js")),
    ("app.js", SCRIPT, include_str!("../../mail/app.js")),
    ("store.js", SCRIPT, include_str!("../../mail/store.js")),
    ("rail.js", SCRIPT, include_str!("../../mail/rail.js")),
    ("list.js", SCRIPT, include_str!("../../mail/list.js")),
    ("actions.js", SCRIPT, include_str!("../../mail/actions.js")),
    ("menu.js", SCRIPT, include_str!("../../mail/menu.js")),
    ("labels.js", SCRIPT, include_str!("../../mail/labels.js")),
    ("reader.js", SCRIPT, include_str!("../../mail/reader.js")),
    ("compose.js", SCRIPT, include_str!("../../mail/compose.js")),
    ("chips.js", SCRIPT, include_str!("../../mail/chips.js")),
    ("editor.js", SCRIPT, include_str!("../../mail/editor.js")),
    ("icon.svg", "image/svg+xml", include_str!("../../mail/icon.svg")),
];

async fn page() -> Response {
    let initials: String = USER_NAME.split(' ').filter_map(|word| word.chars().next()).collect();
    let values = [
        ("user_name", Fill::Text(USER_NAME)),
        ("user_email", Fill::Text(USER_EMAIL)),
        ("user_initials", Fill::Text(&initials)),
    ];
    reply::html(StatusCode::OK, fill(PAGE, &values))
}

async fn asset(Path(name): Path<String>) -> Response {
    reply::asset(ASSETS, &name)
}

async fn missing(uri: Uri) -> ErrorReply {
    ErrorReply::not_found(format!("There is nothing at {}.", uri.path()))
}
