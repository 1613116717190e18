// The HTML pages: the player, and one for addresses nobody knows. Scripts fetch what they show.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::state::PlayerState;
use crate::reply::{ErrorReply, html};
use crate::request::wants_page;

const PLAYER: &str = include_str!("../../player/player.html");
const MISSING: &str = include_str!("../../player/missing.html");

pub(crate) fn routes() -> Router<Arc<PlayerState>> {
    Router::new().route("/", get(player))
}

/// Everything no route knows: people get a page, programs get JSON.
pub(crate) async fn missing(headers: HeaderMap, uri: Uri) -> Response {
    if wants_page(&headers) {
        html(StatusCode::NOT_FOUND, MISSING.to_owned())
    } else {
        ErrorReply::not_found(format!("There is nothing at {}.", uri.path())).into_response()
    }
}

async fn player() -> Response {
    html(StatusCode::OK, PLAYER.to_owned())
}
