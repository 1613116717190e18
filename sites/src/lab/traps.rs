// Answers that only a server can give: slow ones, ones that never end, downloads, redirects, a
// sign-in of HTTP itself, and an echo of the request. Separate from the pages that use them.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::pages::{Shared, known, landed_page};
use super::state::LabState;
use crate::reply::{ErrorReply, html};

/// Longer than any patience of a client, short enough not to leak for ever.
const NEVER: Duration = Duration::from_secs(600);
const MOST_SLOW_MILLISECONDS: u64 = 30_000;
const MOST_REDIRECTS: u32 = 20;
/// `lab` and `trap` as HTTP encodes them.
const CREDENTIALS: &str = "Basic bGFiOnRyYXA=";

pub(crate) fn routes() -> Router<Arc<LabState>> {
    Router::new()
        .route("/slow", get(slow))
        .route("/slow/{name}", get(slow_page))
        .route("/never", get(never))
        .route("/download/{name}", get(download))
        .route("/redirect/{left}/{name}", get(redirect))
        .route("/auth", get(auth))
        .route("/headers", get(headers))
        .route("/ping/{name}", get(ping).post(ping))
}

#[derive(Deserialize)]
struct SlowQuery {
    ms: u64,
}

async fn pause(milliseconds: u64) -> Result<(), ErrorReply> {
    if milliseconds > MOST_SLOW_MILLISECONDS {
        return Err(ErrorReply::bad_request(format!("ms must be at most {MOST_SLOW_MILLISECONDS}.")));
    }
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    Ok(())
}

/// A small document after that many milliseconds.
async fn slow(
    query: Result<Query<SlowQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, ErrorReply> {
    let Query(SlowQuery { ms }) = query.map_err(|_| ErrorReply::bad_request("ms must be a whole number."))?;
    pause(ms).await?;
    let page = format!("<!DOCTYPE html><html lang=\"en\"><title>Slow</title><p>This took {ms} ms.</p></html>");
    Ok(html(StatusCode::OK, page))
}

/// The end of a page's way, after that many milliseconds.
async fn slow_page(
    State(state): Shared,
    Path(name): Path<String>,
    query: Result<Query<SlowQuery>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ErrorReply> {
    let section = known(&name)?;
    let Query(SlowQuery { ms }) = query.map_err(|_| ErrorReply::bad_request("ms must be a whole number."))?;
    pause(ms).await?;
    Ok(landed_page(&state, section, "slow", &headers))
}

async fn never() -> ErrorReply {
    tokio::time::sleep(NEVER).await;
    ErrorReply::new(StatusCode::GATEWAY_TIMEOUT, "never", "This address never answers.")
}

/// Name in the address, media type, how the file calls itself, content.
const FILES: &[(&str, &str, &str, &str)] = &[
    ("plain", "text/csv; charset=utf-8", "filename=\"tide-table.csv\"", "hour,metres\n03:10,4.2\n09:25,1.1\n"),
    (
        "named",
        "text/plain; charset=utf-8",
        "filename=\"tide.txt\"; filename*=UTF-8''G%C3%A9zeiten%20%E6%BD%AE.txt",
        "high water 03:10\n",
    ),
    ("page", "text/html; charset=utf-8", "filename=\"saved.html\"", "<!DOCTYPE html><title>Saved</title><p>A page."),
];

async fn download(State(state): Shared, Path(name): Path<String>) -> Result<Response, ErrorReply> {
    let file = FILES.iter().find(|(known, ..)| *known == name);
    let (name, media_type, called, content) =
        file.ok_or_else(|| ErrorReply::not_found("There is no file of this name."))?;
    state.count_fact(&known(&format!("download-{name}"))?.name, "downloads");
    let disposition = HeaderValue::from_str(&format!("attachment; {called}"))
        .map_err(|_| ErrorReply::not_found("The file has no sendable name."))?;
    let media_type = HeaderValue::from_static(media_type);
    Ok(([(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, disposition)], *content).into_response())
}

/// A chain of redirects that ends on the page it began on.
async fn redirect(Path((left, name)): Path<(String, String)>) -> Result<Redirect, ErrorReply> {
    let section = known(&name)?;
    let left = left.parse::<u32>().ok().filter(|left| *left <= MOST_REDIRECTS).ok_or_else(|| {
        ErrorReply::bad_request(format!("The number of redirects is a whole number up to {MOST_REDIRECTS}."))
    })?;
    let target = match left {
        0 | 1 => format!("/p/{}?landed=redirect", section.name),
        _ => format!("/redirect/{}/{}", left - 1, section.name),
    };
    Ok(Redirect::to(&target))
}

async fn auth(State(state): Shared, headers: HeaderMap) -> Result<Response, ErrorReply> {
    let section = known("auth")?;
    let is_right = headers.get(header::AUTHORIZATION).is_some_and(|given| given == CREDENTIALS);
    if is_right {
        state.count_fact(&section.name, "signed_in");
        return Ok(landed_page(&state, section, "auth", &headers));
    }
    state.count_fact(&section.name, "asked");
    let refusal = ErrorReply::new(
        StatusCode::UNAUTHORIZED,
        "not_signed_in",
        "Sign in as lab with the password trap, by HTTP basic authentication.",
    );
    let challenge = HeaderValue::from_static("Basic realm=\"Lab\", charset=\"UTF-8\"");
    Ok(([(header::WWW_AUTHENTICATE, challenge)], refusal).into_response())
}

/// The headers of the request; of several with one name, all in one text.
async fn headers(headers: HeaderMap) -> Json<Value> {
    let mut all = Map::new();
    for name in headers.keys() {
        let values: Vec<String> =
            headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
        all.insert(name.to_string(), json!(values.join(", ")));
    }
    Json(Value::Object(all))
}

/// A request that a page makes in the background; the page's facts count it.
async fn ping(State(state): Shared, Path(name): Path<String>) -> Result<Json<Value>, ErrorReply> {
    state.count_fact(&known(&name)?.name, "pings");
    Ok(Json(json!({ "pong": true })))
}
