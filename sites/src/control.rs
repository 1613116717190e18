// Wraps a site's routes with what every site has: `/__state`, `/__reset`, `/__log`, the body
// limit, the request log and the cache header. Separate so that no site can forget one of them.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Site;
use crate::parts::{DEFAULT_SEED, SiteParts, SiteState};
use crate::reply::{ErrorReply, parse_body};
use crate::request_log::{LoggedRequest, RequestLog, loggable_body};

/// Control requests are not part of what a user did, so the log leaves them out.
const CONTROL_PREFIX: &str = "/__";

/// The complete router of a site.
pub(crate) fn with_control_endpoints(site: Site, parts: SiteParts) -> Router {
    let control = Arc::new(Control {
        site,
        state: parts.state,
        log: RequestLog::default(),
        most_body_bytes: parts.most_body_bytes,
    });
    let endpoints = Router::new()
        .route("/__state", get(state))
        .route("/__reset", post(reset))
        .route("/__log", get(log))
        .with_state(Arc::clone(&control));
    parts
        .router
        .merge(endpoints)
        .method_not_allowed_fallback(async || ErrorReply::method_not_allowed())
        .layer(middleware::from_fn_with_state(control, limit_and_log))
        .layer(middleware::map_response(never_cached))
}

struct Control {
    site: Site,
    state: Arc<dyn SiteState>,
    log: RequestLog,
    most_body_bytes: usize,
}

async fn state(State(control): State<Arc<Control>>) -> Json<Value> {
    let mut snapshot = json!({ "site": control.site.name() });
    if let (Some(all), Value::Object(of_site)) = (snapshot.as_object_mut(), control.state.snapshot()) {
        all.extend(of_site);
    }
    Json(snapshot)
}

#[derive(Deserialize)]
struct ResetRequest {
    #[serde(default = "default_seed")]
    seed: u64,
}

fn default_seed() -> u64 {
    DEFAULT_SEED
}

async fn reset(State(control): State<Arc<Control>>, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let seed = if body.is_empty() { DEFAULT_SEED } else { parse_body::<ResetRequest>(&body)?.seed };
    control.state.reset(seed);
    control.log.clear();
    Ok(Json(json!({ "site": control.site.name(), "seed": seed })))
}

async fn log(State(control): State<Arc<Control>>) -> Json<Vec<LoggedRequest>> {
    Json(control.log.entries())
}

async fn limit_and_log(State(control): State<Arc<Control>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    // The announced length is judged first, so a large body is refused without being read.
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > control.most_body_bytes {
        return body_too_large(control.most_body_bytes);
    }
    let Ok(body) = to_bytes(body, control.most_body_bytes).await else {
        return body_too_large(control.most_body_bytes);
    };
    let reads_only = matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS);
    let is_logged = !reads_only && !head.uri.path().starts_with(CONTROL_PREFIX);
    let entry = is_logged.then(|| LoggedRequest {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        body: loggable_body(&body),
        status: 0,
    });
    let response = next.run(Request::from_parts(head, Body::from(body))).await;
    if let Some(mut entry) = entry {
        entry.status = response.status().as_u16();
        control.log.record(entry);
    }
    response
}

fn body_too_large(most: usize) -> Response {
    ErrorReply::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!("The body is cut off or longer than {most} bytes."),
    )
    .into_response()
}

async fn never_cached(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
