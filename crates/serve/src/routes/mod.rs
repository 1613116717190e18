//! Addresses of the API. `TABLE` names every one of them with the scope that it needs; the router and the OpenAPI
//! document are both made beside it, and a test compares them.

mod control;
mod cua;
mod glance;
mod instance;
mod lessons;
mod listing;
mod page_data;
mod predict;
mod runs;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post, put};

use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::guard::guard;
use crate::intake::need;
use crate::server::Server;

pub(crate) fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/v1/cua", needing(Scope::Run, post(cua::cua)))
        .route("/v1/predict", post(predict::predict))
        .route("/v1/runs", get(runs::list))
        .route("/v1/runs/{id}", get(runs::one))
        .route("/v1/runs/{id}/events", get(runs::events))
        .route("/v1/runs/{id}/frames/{frame}", get(runs::frame))
        .route("/v1/runs/{id}/report", get(runs::report))
        .route("/v1/runs/{id}/pause", needing(Scope::Control, post(control::pause)))
        .route("/v1/runs/{id}/resume", needing(Scope::Control, post(control::resume)))
        .route("/v1/runs/{id}/cancel", needing(Scope::Control, post(control::cancel)))
        .route("/v1/runs/{id}/approve", needing(Scope::Control, post(control::approve)))
        .route("/v1/runs/{id}/deny", needing(Scope::Control, post(control::deny)))
        .route("/v1/runs/{id}/answer", needing(Scope::Control, post(control::answer)))
        .route("/v1/runs/{id}/takeover", needing(Scope::Control, post(control::take_over)))
        .route("/v1/runs/{id}/release", needing(Scope::Control, post(control::release)))
        .route("/v1/runs/{id}/call", needing(Scope::Control, post(control::call)))
        .route("/v1/runs/{id}/now", get(glance::now))
        .route("/v1/toggles", get(instance::toggles).merge(needing(Scope::Admin, put(instance::change_toggles))))
        .route("/v1/lessons", get(lessons::list))
        .route("/v1/lessons/stats", get(lessons::stats))
        .route("/v1/lessons/{id}", get(lessons::one))
        .route("/v1/lessons/{id}/suppress", needing(Scope::Admin, post(lessons::suppress)))
        .route("/v1/lessons/{id}/lift", needing(Scope::Admin, post(lessons::lift)))
        .route("/v1/lessons/{id}/promote", needing(Scope::Admin, post(lessons::promote)))
        .route("/v1/toggles/effects", get(page_data::effects))
        .route("/v1/instance", get(page_data::instance))
        .route("/v1/runs/{id}/changes", get(page_data::frame_changes))
        .route("/v1/evals", get(page_data::evals))
        .route("/v1/evals/{id}", get(page_data::eval))
        .route("/v1/queue", get(instance::queue))
        .route("/metrics", get(instance::metrics))
        .route("/healthz", get(instance::health))
        .route("/readyz", get(instance::readiness))
        .route("/openapi.json", get(instance::openapi))
        .merge(crate::pages::routes())
        .fallback(crate::pages::lost)
        .method_not_allowed_fallback(async || {
            let text = "this address does not take this method\nhint: /openapi.json lists everything";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", text)
        })
        .layer(from_fn_with_state(Arc::clone(&server), guard))
        .with_state(server)
}

/// The scope comes before the body: whoever may not do something is not told first what is wrong with how it was asked.
fn needing(scope: Scope, methods: MethodRouter<Arc<Server>>) -> MethodRouter<Arc<Server>> {
    methods.route_layer(from_fn_with_state(scope, scope_first))
}

async fn scope_first(
    State(scope): State<Scope>,
    caller: Caller,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    need(&caller, scope)?;
    Ok(next.run(request).await)
}
