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
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::error::ApiError;
use crate::guard::guard;
use crate::server::Server;

pub(crate) fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/v1/cua", post(cua::cua))
        .route("/v1/predict", post(predict::predict))
        .route("/v1/runs", get(runs::list))
        .route("/v1/runs/{id}", get(runs::one))
        .route("/v1/runs/{id}/events", get(runs::events))
        .route("/v1/runs/{id}/frames/{frame}", get(runs::frame))
        .route("/v1/runs/{id}/report", get(runs::report))
        .route("/v1/runs/{id}/pause", post(control::pause))
        .route("/v1/runs/{id}/resume", post(control::resume))
        .route("/v1/runs/{id}/cancel", post(control::cancel))
        .route("/v1/runs/{id}/approve", post(control::approve))
        .route("/v1/runs/{id}/deny", post(control::deny))
        .route("/v1/runs/{id}/answer", post(control::answer))
        .route("/v1/runs/{id}/takeover", post(control::take_over))
        .route("/v1/runs/{id}/release", post(control::release))
        .route("/v1/runs/{id}/call", post(control::call))
        .route("/v1/runs/{id}/now", get(glance::now))
        .route("/v1/toggles", get(instance::toggles).put(instance::change_toggles))
        .route("/v1/lessons", get(lessons::list))
        .route("/v1/lessons/stats", get(lessons::stats))
        .route("/v1/lessons/{id}", get(lessons::one))
        .route("/v1/lessons/{id}/suppress", post(lessons::suppress))
        .route("/v1/lessons/{id}/lift", post(lessons::lift))
        .route("/v1/lessons/{id}/promote", post(lessons::promote))
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
