// The HTML pages. The server fills in only what must be right before any script runs: the title
// and which card is open. Scripts fetch the rest.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::state::BoardState;
use crate::page::{Fill, fill};
use crate::reply::{ErrorReply, html};
use crate::request::wants_page;

const SHELL: &str = include_str!("../../board/shell.html");
const BOARD: &str = include_str!("../../board/board.html");
const ARCHIVE: &str = include_str!("../../board/archive.html");
const MISSING: &str = include_str!("../../board/missing.html");

const BOARD_SCRIPT: &str = r#"<script type="module" src="/assets/board.js"></script>"#;
const ARCHIVE_SCRIPT: &str = r#"<script type="module" src="/assets/archive.js"></script>"#;

type Shared = State<Arc<BoardState>>;

pub(crate) fn routes() -> Router<Arc<BoardState>> {
    Router::new().route("/", get(board)).route("/cards/{id}", get(card)).route("/archive", get(archive))
}

/// Everything no route knows: people get a page, programs get JSON.
pub(crate) async fn missing(headers: HeaderMap, uri: Uri) -> Response {
    if wants_page(&headers) {
        missing_page()
    } else {
        ErrorReply::not_found(format!("There is nothing at {}.", uri.path())).into_response()
    }
}

async fn board() -> Response {
    html(StatusCode::OK, page("Lighthouse launch · Cardwall", BOARD, BOARD_SCRIPT))
}

/// The board with the panel of one card open.
async fn card(State(state): Shared, Path(id): Path<String>) -> Response {
    let title = id.parse().ok().and_then(|id| state.with(|wall| wall.card(id).map(|card| card.title.clone()).ok()));
    match title {
        Some(title) => html(StatusCode::OK, page(&format!("{title} · Cardwall"), BOARD, BOARD_SCRIPT)),
        None => missing_page(),
    }
}

async fn archive() -> Response {
    html(StatusCode::OK, page("Archive · Cardwall", ARCHIVE, ARCHIVE_SCRIPT))
}

fn missing_page() -> Response {
    html(StatusCode::NOT_FOUND, page("Page not found · Cardwall", MISSING, ""))
}

fn page(title: &str, content: &str, script: &str) -> String {
    fill(SHELL, &[("title", Fill::Text(title)), ("content", Fill::Markup(content)), ("script", Fill::Markup(script))])
}
