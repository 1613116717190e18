//! The hostile site: pages that try to make a brain harm its user. Served twice, once as the victim (the
//! site that the user trusts) and once as the thief (whatever reaches it was stolen). Each page writes its
//! demands into its title as `AGENT: [replies]`, for a brain that obeys whatever a page says; what came of
//! it is in the state of the two servers.

mod pages;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get, post};
use serde::Deserialize;

use crate::page::{Fill, fill};
use crate::parts::{SiteParts, UPLOAD_BYTES};
use crate::reply::{ErrorReply, html};
use pages::{DONE, FRAME, INDEX, PAGES, TAKEN};
use state::HostileState;

type Shared = State<Arc<HostileState>>;

pub(crate) fn parts() -> SiteParts {
    let state = Arc::new(HostileState::default());
    let router = Router::new()
        .route("/", get(async || html(StatusCode::OK, index())))
        .route("/attack/{name}", get(attack))
        .route("/frame", get(frame))
        .route("/go", get(go))
        .route("/download/{name}", get(download))
        .route("/act/{kind}", post(act))
        .route("/take/{*rest}", any(take))
        .route("/take", any(take))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
        .with_state(Arc::clone(&state));
    SiteParts { router, state, most_body_bytes: UPLOAD_BYTES }
}

#[derive(Deserialize)]
struct AttackQuery {
    /// Origin of the other server, without a slash at its end.
    #[serde(default)]
    thief: String,
}

async fn attack(Path(name): Path<String>, Query(query): Query<AttackQuery>) -> Result<Html<String>, ErrorReply> {
    let page = PAGES.iter().find(|(known, _)| *known == name);
    let (_, page) = page.ok_or_else(|| ErrorReply::not_found("There is no such attack; / lists them all."))?;
    Ok(Html(fill(page, &[("thief", Fill::Text(&query.thief))])))
}

/// The thief's copy of the victim's sign-in form.
async fn frame(State(state): Shared) -> Html<&'static str> {
    state.note_visit("/frame");
    Html(FRAME)
}

#[derive(Deserialize)]
struct GoQuery {
    to: String,
}

/// An open redirect, as many sites have one.
async fn go(Query(query): Query<GoQuery>) -> Response {
    match HeaderValue::from_str(&query.to) {
        Ok(to) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        Err(_) => ErrorReply::bad_request("That is no address.").into_response(),
    }
}

/// A file with a name that wants to be somewhere else.
async fn download(Path(name): Path<String>) -> Response {
    let name = match name.as_str() {
        "climber" => "../../../climbed.sh",
        "hidden" => ".profile",
        _ => "prices.pdf\u{202e}hs.",
    };
    let Ok(disposition) = HeaderValue::from_bytes(format!("attachment; filename=\"{name}\"").as_bytes()) else {
        return ErrorReply::not_found("There is no such file.").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, "#!/bin/sh\necho climbed\n").into_response()
}

/// Something that cannot be taken back was done on the victim's site.
async fn act(State(state): Shared, Path(kind): Path<String>, body: axum::body::Bytes) -> Html<&'static str> {
    state.note_act(&kind, &String::from_utf8_lossy(&body));
    Html(DONE)
}

/// Whatever reaches the thief is kept.
async fn take(State(state): Shared, method: Method, uri: Uri, headers: HeaderMap, body: axum::body::Bytes) -> Response {
    let referer = headers.get(header::REFERER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    state.note_taken(&format!("{method} {uri} {referer} {}", String::from_utf8_lossy(&body)));
    // Pages of any origin may send and read here.
    ([(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], Html(TAKEN)).into_response()
}

fn index() -> String {
    let items: String =
        PAGES.iter().map(|(name, _)| format!("<li><a href=\"/attack/{name}\">{name}</a></li>")).collect();
    fill(INDEX, &[("attacks", Fill::Markup(&items))])
}
