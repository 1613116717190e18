//! Serves the cases, the documents in their frames, and the few addresses that the pages ask.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header, uri};
use axum::response::{Json, Response};
use axum::routing::{get, post};
use axum::{Router, response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cases::Case;
use super::kinds::{self, Fate, KINDS, NOISES};
use super::layout::Layout;
use super::state::{FaultState, Testimony};
use crate::page::{Fill, fill};
use crate::reply::{ErrorReply, html, parse_body};

const CASE: &str = include_str!("../../fault/case.html");
const INDEX: &str = include_str!("../../fault/index.html");
const LANDED: &str = include_str!("../../fault/landed.html");
const LONGEST_WAIT_MS: u64 = 5_000;

pub(super) fn routes() -> Router<Arc<FaultState>> {
    Router::new()
        .route("/", get(async || html(StatusCode::OK, index())))
        .route("/case", get(case))
        .route("/inside", get(inside))
        .route("/landed", get(async || response::Html(LANDED)))
        .route("/api/cases", get(async || Json(json!({ "kinds": KINDS, "noises": NOISES }))))
        .route("/api/poll", get(async || "nothing new"))
        .route("/api/slow", get(slow))
        .route("/api/save", post(save))
        .route("/api/witness", post(witness))
}

#[derive(Deserialize)]
struct CaseQuery {
    kind: String,
    #[serde(default = "no_noise")]
    noise: String,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    run: u64,
}

fn no_noise() -> String {
    "none".into()
}

impl CaseQuery {
    fn case(&self) -> Result<Case, ErrorReply> {
        Case::named(&self.kind, &self.noise, self.seed)
            .ok_or_else(|| ErrorReply::not_found("There is no such kind or noise; /api/cases lists them all."))
    }
}

async fn case(Query(query): Query<CaseQuery>, headers: HeaderMap) -> Result<Response, ErrorReply> {
    let case = query.case()?;
    let setup = Layout::of(case.seed).setup(case.kind.name, case.noise, query.run, &other_origin(&headers));
    Ok(shown(&setup))
}

async fn inside(Query(query): Query<CaseQuery>) -> Result<Response, ErrorReply> {
    let case = query.case()?;
    let kind = kinds::inside(case.kind.name)
        .ok_or_else(|| ErrorReply::not_found("This kind has no document inside a frame."))?;
    Ok(shown(&Layout::of(case.seed).setup_inside(kind, query.run)))
}

fn shown(setup: &Value) -> Response {
    // In a script element only `<` could end it early.
    let setup = setup.to_string().replace('<', "\\u003c");
    html(StatusCode::OK, fill(CASE, &[("title", Fill::Text("Harbour Office")), ("setup", Fill::Markup(&setup))]))
}

fn index() -> String {
    let list = |fate: Fate| {
        let lines = KINDS.iter().filter(|kind| kind.fate == fate).map(|kind| {
            let links: Vec<String> = NOISES
                .iter()
                .map(|noise| format!("<a href=\"/case?kind={}&amp;noise={noise}&amp;seed=1\">{noise}</a>", kind.name))
                .collect();
            format!("<tr><th>{}</th><td>{}</td><td>{}</td></tr>\n", kind.name, kind.about, links.join(" "))
        });
        lines.collect::<String>()
    };
    fill(INDEX, &[("dead", Fill::Markup(&list(Fate::Dead))), ("live", Fill::Markup(&list(Fate::Live)))])
}

#[derive(Deserialize)]
struct SlowQuery {
    ms: u64,
}

async fn slow(Query(query): Query<SlowQuery>) -> Result<&'static str, ErrorReply> {
    if query.ms > LONGEST_WAIT_MS {
        return Err(ErrorReply::bad_request(format!("The longest wait is {LONGEST_WAIT_MS} ms.")));
    }
    tokio::time::sleep(Duration::from_millis(query.ms)).await;
    Ok("Moored: 14")
}

async fn save(State(state): State<Arc<FaultState>>) -> StatusCode {
    state.save();
    StatusCode::NO_CONTENT
}

async fn witness(State(state): State<Arc<FaultState>>, body: Bytes) -> Result<StatusCode, ErrorReply> {
    state.testify(&parse_body::<Testimony>(&body)?);
    Ok(StatusCode::NO_CONTENT)
}

/// The same server under its other name, which to a browser is another site.
fn other_origin(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let authority = host.parse::<uri::Authority>().ok();
    let (name, port) = authority.as_ref().map_or((host, None), |known| (known.host(), known.port_u16()));
    let other = if name.eq_ignore_ascii_case("localhost") { "127.0.0.1" } else { "localhost" };
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("http://{other}{port}")
}
