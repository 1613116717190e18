//! What every request has to pass before a route sees it: a host name that is ours, no foreign origin, a token, and a
//! place among the caller's own requests. In this order, so that nothing is learned by those who are refused. A body is
//! read by the routes that want one (`intake`), and so by nobody for strangers.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::access::{Caller, Refusal};
use crate::error::ApiError;
use crate::pages;
use crate::seats::{ALL, Place};
use crate::server::Server;
use crate::visitors::LetIn;

/// Largest head of a request that is looked at. The connection itself reads a little more.
const HEAD_CAP: usize = 32 * 1024;

/// Addresses that say nothing about anybody's runs.
const PUBLIC: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

pub(crate) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut let_in = None;
    let mut pass = |request: Request| {
        check_head(&request)?;
        check_host(&server, &request)?;
        check_origin(request.headers())?;
        let mut request = request;
        let path = request.uri().path();
        let is_page = pages::is_page(path) || pages::is_visit(request.method(), request.headers(), path);
        if !PUBLIC.contains(&path) && !is_page {
            let caller = server.config.access.caller(bearer(request.headers()), Instant::now()).map_err(refused)?;
            let place = Arc::new(Place::new(&server.asking, &caller.name));
            let_in = Some(LetIn(Arc::clone(&place)));
            // All of it is there; of others the body comes first.
            if matches!(*request.method(), Method::GET | Method::HEAD) {
                seated(&place, &caller)?;
            }
            request.extensions_mut().insert(place);
            request.extensions_mut().insert(caller);
        }
        Ok::<_, ApiError>(request)
    };
    let mut response = match pass(request) {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if let Some(let_in) = let_in {
        response.extensions_mut().insert(let_in);
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, header::HeaderValue::from_static(value));
    }
    response
}

fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NoToken => ApiError::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "a token is needed\nhint: send it as the header Authorization: Bearer TOKEN",
        ),
        Refusal::WrongToken => ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", "this token is not known here"),
        Refusal::TooOften(seconds) => ApiError::too_many(
            "rate_limited",
            format!("too many requests; the next one is taken in {seconds} s"),
            seconds,
        ),
    }
}

/// One caller's requests are so many at once and no more.
pub(crate) fn seated(place: &Place, caller: &Caller) -> Result<(), ApiError> {
    if place.take() {
        return Ok(());
    }
    let text = format!("{} has {ALL} requests under way already", caller.who());
    Err(ApiError::too_many("too_many_requests", text, 5))
}

fn check_head(request: &Request) -> Result<(), ApiError> {
    let headers: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    for name in ["authorization", "idempotency-key"] {
        if request.headers().get_all(name).iter().nth(1).is_some() {
            return Err(ApiError::invalid(format!("the header {name} comes twice\nhint: send it once")));
        }
    }
    if headers + request.uri().path().len() + request.uri().query().map_or(0, str::len) <= HEAD_CAP {
        return Ok(());
    }
    let text = format!("the address and the headers have more than {} KiB", HEAD_CAP / 1024);
    Err(ApiError::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large", text))
}

/// A page of another site whose name was made to point here would send its own name.
fn check_host(server: &Server, request: &Request) -> Result<(), ApiError> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    // A request may name the host in its first line as well, and means that one then.
    let named = request.uri().authority().is_none_or(|named| named.as_str().eq_ignore_ascii_case(&host));
    if named && hosts.next().is_none() && server.config.hosts.contains(&host) {
        return Ok(());
    }
    let text = "the Host header does not name this server\nhint: surehand serve --host-name NAME:PORT adds a name";
    Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", text))
}

/// A browser says where a request comes from; other programs say nothing.
fn check_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default().to_ascii_lowercase();
    let own = |origin: &str| {
        let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        place.is_some_and(|place| place.eq_ignore_ascii_case(&host))
    };
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let foreign_origin = origins.any(|origin| !own(origin.to_str().unwrap_or("?")));
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("?"));
    let mode = headers.get("sec-fetch-mode").map(|value| value.to_str().unwrap_or("?"));
    // A link from elsewhere may lead here; anything else from elsewhere may not.
    let foreign_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && mode != Some("navigate");
    if foreign_origin || foreign_site {
        let text = "a page of another site may not talk to this server";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", text));
    }
    Ok(())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = given.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
