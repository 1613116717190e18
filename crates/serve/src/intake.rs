//! Reading what a route is given, with errors of our own shape.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::access::{Caller, Scope};
use crate::error::ApiError;
use crate::wording::body_problem;

/// A JSON body. An empty one is an object without fields, for bodies that need none.
pub(crate) struct Body<T>(pub(crate) T);

/// The body as it came, for what is compared or kept.
pub(crate) struct RawBody(pub(crate) Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if let Some(kind) = request.headers().get(header::CONTENT_TYPE) {
            let kind =
                kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            if kind != "application/json" {
                let text = "the body has to be JSON\nhint: send the header Content-Type: application/json";
                return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", text));
            }
        }
        let whole = axum::body::to_bytes(request.into_body(), crate::guard::BODY_CAP).await;
        Ok(RawBody(whole.map_err(|_| ApiError::invalid("the body could not be read"))?.to_vec()))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let RawBody(bytes) = RawBody::from_request(request, state).await?;
        parse(&bytes).map(Body)
    }
}

/// Says where in the body something is wrong.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let bytes: &[u8] = if bytes.is_empty() { b"{}" } else { bytes };
    // A list would be read as the fields in their order, which nobody means.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(ApiError::invalid("the body has to be a JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let place = error.path().to_string();
        body_problem(if place == "." { "" } else { &place }, error.inner())
    })?;
    reader.end().map_err(|error| ApiError::invalid(format!("something follows the JSON: {error}")))?;
    Ok(value)
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(|| ApiError::internal("a route that needs a caller was reached without one"))
    }
}

/// Parts of the address. One that cannot be read names nothing that is there.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(read)) => Ok(Path(read)),
            Err(_) => Err(ApiError::not_found("there is nothing at this address")),
        }
    }
}

/// The scope that a route needs.
pub(crate) fn need(caller: &Caller, scope: Scope) -> Result<(), ApiError> {
    if caller.may(scope) {
        return Ok(());
    }
    Err(ApiError::forbidden(format!("the token {:?} does not have the scope {:?}", caller.name, scope.as_str())))
}
