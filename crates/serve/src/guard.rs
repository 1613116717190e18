//! What every request has to pass before a route sees it: a host name that is ours, no foreign origin, a token, a
//! body that ends in time and is not too large. In this order, so that nothing is learned by those who are refused.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use crate::access::Refusal;
use crate::error::ApiError;
use crate::pages;
use crate::server::Server;
use crate::visitors::LetIn;

/// Largest body that is read.
pub(crate) const BODY_CAP: usize = 2 * 1024 * 1024;

/// Largest head of a request that is looked at. The connection itself reads a little more.
const HEAD_CAP: usize = 32 * 1024;

/// Time for a body to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(20);

/// Addresses that say nothing about anybody's runs.
const PUBLIC: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

pub(crate) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut is_let_in = false;
    let passed = async {
        check_head(&request)?;
        check_host(&server, &request)?;
        check_origin(request.headers())?;
        let mut request = request;
        let path = request.uri().path();
        let is_page = pages::is_page(path) || pages::is_visit(request.method(), request.headers(), path);
        if !PUBLIC.contains(&path) && !is_page {
            let caller = server.config.access.caller(bearer(request.headers()), Instant::now()).map_err(refused)?;
            request.extensions_mut().insert(caller);
            is_let_in = true;
        }
        with_whole_body(request, BODY_DEADLINE).await
    };
    let mut response = match passed.await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if is_let_in {
        response.extensions_mut().insert(LetIn);
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

/// The body is read here, so that no route waits for one that never ends.
async fn with_whole_body(request: Request, deadline: Duration) -> Result<Request, ApiError> {
    let (parts, body) = request.into_parts();
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let too_large = || {
        let text = format!("the body is larger than {} MiB", BODY_CAP / (1024 * 1024));
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    };
    let declared =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > BODY_CAP as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(deadline, Limited::new(body, BODY_CAP).collect()).await {
        Ok(Ok(whole)) => Ok(Request::from_parts(parts, Body::from(whole.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(ApiError::invalid("the body could not be read")),
        Err(_) => {
            let text = format!("the body did not arrive within {} s", deadline.as_secs());
            Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", text))
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn a_body_that_never_ends_is_given_up_and_one_that_is_too_large_is_not_read() {
        let post = |body: Body| Request::post("/v1/cua").body(body).unwrap();
        let endless = Body::from_stream(stream::pending::<Result<Vec<u8>, std::io::Error>>());
        let error = with_whole_body(post(endless), Duration::from_millis(30)).await.unwrap_err();
        assert_eq!(error.status, StatusCode::REQUEST_TIMEOUT);
        let parts = (0..100_000).map(|_| Ok::<Vec<u8>, std::io::Error>(vec![0; 1024]));
        let large = Body::from_stream(stream::iter(parts));
        let error = with_whole_body(post(large), Duration::from_secs(60)).await.unwrap_err();
        assert_eq!(error.status, StatusCode::PAYLOAD_TOO_LARGE);
    }
}
