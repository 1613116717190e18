// The replies every site shares: JSON, JSON errors, HTML pages and embedded assets. Separate so
// that all sites answer errors in the same shape.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

pub(crate) const STYLE: &str = "text/css; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";

/// An embedded file: path below `/assets/`, media type, content.
pub(crate) type Asset = (&'static str, &'static str, &'static str);

/// An error answer: `{"error": {"code", "message", "fields"?}}`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ErrorReply {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    /// One sentence a person can act on.
    pub(crate) message: String,
    /// Field name to what is wrong with it; left out when empty.
    pub(crate) fields: Map<String, Value>,
}

impl ErrorReply {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), fields: Map::new() }
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// Every wrong field with what is wrong with it.
    pub(crate) fn invalid(problems: Map<String, Value>) -> Self {
        let mut reply = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "validation", "Some fields need another look.");
        reply.fields = problems;
        reply
    }

    /// One wrong field.
    pub(crate) fn wrong_field(field: &str, problem: &str) -> Self {
        Self::invalid(Map::from_iter([(field.to_owned(), Value::from(problem))]))
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This address does not accept that method.")
    }
}

impl IntoResponse for ErrorReply {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if !self.fields.is_empty() {
            error["fields"] = Value::Object(self.fields);
        }
        (self.status, axum::Json(json!({ "error": error }))).into_response()
    }
}

/// Reads a JSON object; the error says what is not as expected.
pub(crate) fn parse_body<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ErrorReply> {
    // By way of an object, because a derived reader would also take a list, field by position.
    serde_json::from_slice::<Map<String, Value>>(body)
        .and_then(|object| serde_json::from_value(Value::Object(object)))
        .map_err(|error| ErrorReply::bad_request(format!("The body is not the expected JSON: {error}.")))
}

/// An HTML page with its status.
pub(crate) fn html(status: StatusCode, page: String) -> Response {
    (status, axum::response::Html(page)).into_response()
}

/// The asset of that path, if the site has it.
pub(crate) fn asset(assets: &[Asset], path: &str) -> Response {
    match assets.iter().find(|(name, _, _)| *name == path) {
        Some((_, media_type, content)) => {
            ([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))], *content).into_response()
        }
        None => ErrorReply::not_found("There is no asset at this address.").into_response(),
    }
}
