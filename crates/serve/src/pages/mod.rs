//! The web pages: a shell, styles and small script modules, all in the binary. They hold nothing of anybody's runs
//! (the scripts fetch that from the API, with the token that a person gives them), so anybody may load them.

pub(crate) mod memo;
mod plan_view;
pub(crate) mod step_view;
pub(crate) mod tally;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use surehand_trace::content_hash;

use crate::error::ApiError;
use crate::intake::Path;
use crate::server::Server;

/// Nothing from elsewhere, no script and no style in the page itself, no HTML made from text by scripts.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const SHELL: &str = include_str!("ui/shell.html");

struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const PAGE: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! assets {
    ($($kind:ident $name:literal),* $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("ui/", $name)) }),*]
    };
}

const ICON: &str = "image/svg+xml";

const ASSETS: &[Asset] = assets![
    ICON "icon.svg",
    STYLE "base.css",
    STYLE "parts.css",
    STYLE "run.css",
    STYLE "data.css",
    SCRIPT "api.js",
    SCRIPT "app.js",
    SCRIPT "ask.js",
    SCRIPT "clock.js",
    SCRIPT "collected.js",
    SCRIPT "compare.js",
    SCRIPT "csv.js",
    SCRIPT "dom.js",
    SCRIPT "eval.js",
    SCRIPT "film.js",
    SCRIPT "follow.js",
    SCRIPT "frames.js",
    SCRIPT "hand.js",
    SCRIPT "keys.js",
    SCRIPT "lanes.js",
    SCRIPT "lessons.js",
    SCRIPT "logs.js",
    SCRIPT "offer.js",
    SCRIPT "plan.js",
    SCRIPT "plots.js",
    SCRIPT "point.js",
    SCRIPT "rove.js",
    SCRIPT "run.js",
    SCRIPT "runs.js",
    SCRIPT "signin.js",
    SCRIPT "spent.js",
    SCRIPT "stage.js",
    SCRIPT "step.js",
    SCRIPT "submit.js",
    SCRIPT "toggles.js",
    SCRIPT "typing.js",
    SCRIPT "verdict.js",
    SCRIPT "words.js",
];

/// Addresses of the pages, beside those of the API.
pub(crate) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/", get(async || Redirect::temporary("/runs")))
        .route("/runs", get(shell))
        .route("/runs/{id}", get(shell))
        .route("/toggles", get(shell))
        .route("/lessons", get(shell))
        .route("/eval", get(shell))
        .route("/eval/{id}", get(shell))
        .route("/ui/{name}", get(asset))
}

/// Whether an address is a page or a part of one, which anybody may load.
pub(crate) fn is_page(path: &str) -> bool {
    matches!(path, "/" | "/runs" | "/toggles" | "/lessons" | "/eval")
        || ["/runs/", "/eval/", "/ui/"].iter().any(|start| path.starts_with(start))
}

/// Addresses for programs: whoever asks for something there is answered as one.
const FOR_PROGRAMS: &[&str] = &["/v1", "/metrics", "/healthz", "/readyz", "/openapi.json"];

/// Whether a browser was sent to an address that may be mistyped. Like a page it says nothing, so nobody needs a token.
pub(crate) fn is_visit(method: &Method, headers: &HeaderMap, path: &str) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    matches!(*method, Method::GET | Method::HEAD)
        && accepts.contains("text/html")
        && !FOR_PROGRAMS.contains(&path)
        && !["/v1/", "/ui/"].iter().any(|start| path.starts_with(start))
}

/// What is shown at an address where there is nothing: people get the pages, which say so.
pub(crate) async fn lost(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !is_visit(&method, &headers, uri.path()) {
        let text = "there is nothing at this address\nhint: /openapi.json lists everything";
        return ApiError::not_found(text).into_response();
    }
    let mut response = served(&HeaderMap::new(), PAGE, SHELL);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().remove(header::ETAG);
    response
}

async fn shell(headers: HeaderMap) -> Response {
    served(&headers, PAGE, SHELL)
}

async fn asset(headers: HeaderMap, Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => served(&headers, asset.kind, asset.text),
        None => ApiError::not_found("there is no such part of the pages").into_response(),
    }
}

/// Asked for anew every time and sent only when it has changed: a new version of the program is a new page at once.
fn served(headers: &HeaderMap, kind: &'static str, text: &'static str) -> Response {
    let tag = format!("\"{}\"", &content_hash(text.as_bytes())[..32]);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let is_known = known.is_some_and(|tags| tags.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { (StatusCode::OK, text).into_response() };
    let fields = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        fields.insert(header::ETAG, tag);
    }
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    fields.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_load_what_is_there_and_nothing_from_elsewhere() {
        for asset in ASSETS {
            for (place, _) in asset.text.match_indices("from \"./").chain(asset.text.match_indices("import(\"./")) {
                let rest = asset.text[place..].split_once("./").map(|(_, rest)| rest).unwrap_or_default();
                let name = rest.split('"').next().unwrap_or_default();
                assert!(ASSETS.iter().any(|other| other.name == name), "{} imports {name}", asset.name);
            }
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
                assert!(!asset.text.contains(word), "{} uses {word}", asset.name);
            }
            let addresses = asset.text.matches("http://").count() + asset.text.matches("https://").count();
            // The last is put before what somebody typed.
            let names = asset.text.matches("http://www.w3.org/2000/svg").count()
                + asset.text.matches("http://${address}").count()
                + asset.text.matches("https://example.com").count();
            assert_eq!(addresses, names, "{} names an address", asset.name);
        }
        for (place, _) in SHELL.match_indices("/ui/") {
            let name = SHELL[place + 4..].split('"').next().unwrap_or_default();
            assert!(ASSETS.iter().any(|asset| asset.name == name), "the shell wants {name}");
        }
        assert!(!SHELL.contains("<script>") && !SHELL.contains("style=") && !SHELL.contains(" on"));
    }

    #[test]
    fn pages_are_open_to_anybody_and_the_api_is_not() {
        for path in ["/", "/runs", "/runs/01abc", "/ui/app.js", "/eval/x", "/lessons", "/toggles"] {
            assert!(is_page(path), "{path}");
        }
        for path in ["/v1/runs", "/v1/toggles", "/metrics", "/runsx", "/v1/../runs", "//runs/x"] {
            assert!(!is_page(path), "{path}");
        }
    }
}
