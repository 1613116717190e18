// Serves the pages, the documents inside frames, the documents that new windows show, and takes
// the logs. The server fills in what a script must not decide: run number, nonce, other origin.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Json, Response};
use axum::routing::{get, post};
use axum::{Router, http};
use serde::Deserialize;
use serde_json::{Value, json};

use super::catalogue;
use super::section::Section;
use super::state::{LabState, Report};
use crate::page::{Fill, fill};
use crate::random::unrepeatable;
use crate::reply::{ErrorReply, html, parse_body};

const SHELL: &str = include_str!("../../lab/shell.html");
const FRAME: &str = include_str!("../../lab/frame.html");
const ARRIVED: &str = include_str!("../../lab/arrived.html");
/// As much of a posted form as a check needs.
const MOST_POSTED_CHARACTERS: usize = 2_000;

pub(crate) type Shared = State<Arc<LabState>>;

pub(crate) fn routes() -> Router<Arc<LabState>> {
    Router::new()
        .route("/", get(async || html(StatusCode::OK, catalogue::index())))
        .route("/catalogue.json", get(async || Json(catalogue::as_json())))
        .route("/p/{name}", get(page).post(posted))
        .route("/f/{name}", get(frame))
        .route("/arrived/{name}", get(arrived))
        .route("/log/{name}", post(log).get(logged))
}

#[derive(Deserialize)]
struct PageQuery {
    /// Says how the hand came here; such a load continues the log instead of starting one.
    landed: Option<String>,
}

async fn page(
    State(state): Shared,
    Path(name): Path<String>,
    Query(query): Query<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ErrorReply> {
    let section = known(&name)?;
    let response = match query.landed.as_deref() {
        Some(landed) if !landed.is_empty() => landed_page(&state, section, landed, &headers),
        _ => shown(section, state.start_run(&section.name), "", &headers),
    };
    Ok(response)
}

/// A form of the page was sent to the page itself.
async fn posted(
    State(state): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ErrorReply> {
    let section = known(&name)?;
    let text: String = String::from_utf8_lossy(&body).chars().take(MOST_POSTED_CHARACTERS).collect();
    state.set_fact(&section.name, "posted", json!(text));
    Ok(landed_page(&state, section, "post", &headers))
}

/// The page as the end of a way that began on it: the log goes on.
pub(crate) fn landed_page(state: &LabState, section: &'static Section, landed: &str, headers: &HeaderMap) -> Response {
    shown(section, state.current_run(&section.name), landed, headers)
}

pub(crate) fn known(name: &str) -> Result<&'static Section, ErrorReply> {
    catalogue::page(name).ok_or_else(|| ErrorReply::not_found("There is no page of this name; / lists them all."))
}

fn shown(section: &Section, run: u64, landed: &str, headers: &HeaderMap) -> Response {
    let nonce = format!("{:016x}", unrepeatable());
    let page = document(SHELL, section, &nonce, run, landed, headers);
    let mut response = html(StatusCode::OK, page);
    if let Some(policy) = policy(&section.policy, &nonce) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Both policies leave the log its way to the server; nothing else is open that the page does not need.
fn policy(name: &str, nonce: &str) -> Option<HeaderValue> {
    let text = match name {
        "strict" => format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
             img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "types" => "require-trusted-types-for 'script'; trusted-types 'none'".to_owned(),
        _ => return None,
    };
    HeaderValue::from_str(&text).ok()
}

fn document(shell: &str, section: &Section, nonce: &str, run: u64, landed: &str, headers: &HeaderMap) -> String {
    let other = other_origin(headers);
    // A document for `srcdoc` is put in whole, so the frame needs no address of its own.
    let inside = catalogue::frame("three").filter(|_| section.markup.contains("{{inside}}"));
    let inside = inside.map(|inside| document(FRAME, inside, nonce, run, "", headers)).unwrap_or_default();
    let markup = fill(&section.markup, &[("other", Fill::Text(&other)), ("inside", Fill::Text(&inside))]);
    let markup = markup
        .replace("<script>", &format!("<script nonce=\"{nonce}\">"))
        .replace("<style>", &format!("<style nonce=\"{nonce}\">"));
    fill(
        shell,
        &[
            ("name", Fill::Text(&section.name)),
            ("title", Fill::Text(&section.title)),
            ("hand", Fill::Text(&section.hand)),
            ("quiet", Fill::Text(if section.is_quiet { "yes" } else { "" })),
            ("run", Fill::Text(&run.to_string())),
            ("landed", Fill::Text(landed)),
            ("nonce", Fill::Text(nonce)),
            ("style", Fill::Markup(&section.style)),
            ("content", Fill::Markup(&markup)),
        ],
    )
}

/// The same server under its other name, which to a browser is another site.
fn other_origin(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let authority = host.parse::<http::uri::Authority>().ok();
    let (name, port) = authority.as_ref().map_or((host, None), |known| (known.host(), known.port_u16()));
    let other = if name.eq_ignore_ascii_case("localhost") { "127.0.0.1" } else { "localhost" };
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("http://{other}{port}")
}

async fn frame(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ErrorReply> {
    let section =
        catalogue::frame(&name).ok_or_else(|| ErrorReply::not_found("There is no frame document of this name."))?;
    let nonce = format!("{:016x}", unrepeatable());
    Ok(html(StatusCode::OK, document(FRAME, section, &nonce, 0, "", &headers)))
}

#[derive(Deserialize)]
struct ArrivedQuery {
    /// Tells several windows of one page apart.
    #[serde(default, rename = "as")]
    label: String,
    /// What the window does after it told the page: nothing, `close` or `opener`.
    #[serde(default)]
    then: String,
}

/// What a new window or tab of a page shows: it tells the page that it is there.
async fn arrived(Path(name): Path<String>, Query(query): Query<ArrivedQuery>) -> Result<Response, ErrorReply> {
    let section = known(&name)?;
    let values = [
        ("name", Fill::Text(section.name.as_str())),
        ("title", Fill::Text(section.title.as_str())),
        ("as", Fill::Text(query.label.as_str())),
        ("then", Fill::Text(query.then.as_str())),
    ];
    Ok(html(StatusCode::OK, fill(ARRIVED, &values)))
}

async fn log(State(state): Shared, Path(name): Path<String>, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let section = known(&name)?;
    let report: Report = parse_body(&body)?;
    let is_kept = state.record(&section.name, report)?;
    Ok(Json(json!({ "kept": is_kept })))
}

async fn logged(State(state): Shared, Path(name): Path<String>) -> Result<Json<Value>, ErrorReply> {
    Ok(Json(state.page(&known(&name)?.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_origin_keeps_the_port() {
        let other = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            other_origin(&headers)
        };
        assert_eq!(other("127.0.0.1:4310"), "http://localhost:4310");
        assert_eq!(other("LOCALHOST:80"), "http://127.0.0.1:80");
        assert_eq!(other("test"), "http://localhost");
        assert_eq!(other("a\"b<c"), "http://localhost");
        assert_eq!(other_origin(&HeaderMap::new()), "http://localhost");
    }
}
