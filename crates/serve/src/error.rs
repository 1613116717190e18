//! Errors of the API: a status, a word for programs, a sentence for people.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use surehand_conduct::ConductError;
use surehand_store::StoreError;
use surehand_types::api::{ErrorBody, ErrorFacts};

#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    code: &'static str,
    message: String,
    hint: Option<String>,
    retry_after: Option<u64>,
}

impl ApiError {
    /// A hint may follow the sentence on a line of its own, as everywhere in the program.
    pub(crate) fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> ApiError {
        let text = text.into();
        // Brains say it on one line.
        let (message, hint) = match text.split_once("\nhint: ").or_else(|| text.rsplit_once("; hint: ")) {
            Some((message, hint)) => (message.to_string(), Some(hint.to_string())),
            None => (text, None),
        };
        ApiError { status, code, message, hint, retry_after: None }
    }

    pub(crate) fn invalid(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", text)
    }

    pub(crate) fn not_found(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", text)
    }

    pub(crate) fn conflict(code: &'static str, text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, text)
    }

    pub(crate) fn forbidden(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", text)
    }

    pub(crate) fn too_many(code: &'static str, text: impl Into<String>, seconds: u64) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, text) }
    }

    pub(crate) fn queue_full() -> ApiError {
        ApiError::too_many("queue_full", "the queue is full", 30)
    }

    pub(crate) fn too_many_runs(owner: &str) -> ApiError {
        ApiError::too_many("too_many_runs", format!("the token {owner:?} has as many runs under way as it may"), 30)
    }

    pub(crate) fn stopping() -> ApiError {
        let text = "the server is stopping\nhint: ask again in a moment";
        ApiError { retry_after: Some(5), ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", text) }
    }

    /// A run that was waited for goes on later.
    pub(crate) fn not_finished(text: impl Into<String>) -> ApiError {
        // Without a time to try again: who does so without a key makes a second run.
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_finished", text)
    }

    /// The whole answer, for whoever has no request that could be answered.
    pub(crate) fn in_full(self) -> Vec<u8> {
        let status = self.status;
        let body = serde_json::to_vec(&self.into_body()).unwrap_or_default();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), &body].concat()
    }

    fn into_body(self) -> ErrorBody {
        ErrorBody { error: ErrorFacts { code: self.code.to_string(), message: self.message, hint: self.hint } }
    }

    /// The sentence and its hint, as the command line would say it.
    pub(crate) fn sentence(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// What went wrong here is for the log; whoever asked can do nothing about it.
    pub(crate) fn internal(error: impl std::fmt::Display) -> ApiError {
        tracing::error!(%error, "a request failed");
        let text = "something went wrong in the server\nhint: its log says what";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", text)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSuchRun { .. } | StoreError::NoRuns => ApiError::not_found("there is no such run"),
            // Asked for where a trace has to be, so its files are being removed.
            StoreError::NoTrace { .. } => ApiError::not_found("there is no such run any more"),
            StoreError::AmbiguousRun { .. } => ApiError::invalid(error.to_string()),
            StoreError::NoSuchLesson { .. } => ApiError::not_found("there is no such lesson"),
            StoreError::AmbiguousLesson { .. } => ApiError::invalid(error.to_string()),
            other => ApiError::internal(other),
        }
    }
}

impl From<ConductError> for ApiError {
    fn from(error: ConductError) -> Self {
        if error.is_usage() { ApiError::invalid(error.to_string()) } else { ApiError::internal(error) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, retry_after) = (self.status, self.retry_after);
        let mut response = (status, Json(self.into_body())).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
