//! Reading what a route is given, with errors of our own shape. A body is read by the route that wants one, after it is
//! known that whoever sends it may do what it asks for; it has to end in time and must not be too large.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::access::{Caller, Scope};
use crate::attend::too_slow;
use crate::error::ApiError;
use crate::guard::seated;
use crate::seats::Place;
use crate::visitors::Visitor;
use crate::wording::body_problem;

/// Largest body that is read.
const BODY_CAP: usize = 2 * 1024 * 1024;

/// Time for a body to arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(20);

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
        let (place, caller) = (request.extensions().get::<Arc<Place>>().cloned(), request.extensions().get::<Caller>());
        let whose = place.zip(caller.cloned());
        let whole = whole_body(request, BODY_DEADLINE).await?;
        if let Some((place, caller)) = whose {
            seated(&place, &caller)?;
        }
        Ok(RawBody(whole.to_vec()))
    }
}

/// While it is on its way, the connection may have to make room for somebody else.
async fn whole_body(request: Request, deadline: Duration) -> Result<Bytes, ApiError> {
    let (parts, body) = request.into_parts();
    let too_large = || {
        let text = format!("the body is larger than {} MiB", BODY_CAP / (1024 * 1024));
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    };
    let declared =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > BODY_CAP as u64) {
        return Err(too_large());
    }
    let sending = parts.extensions.get::<Arc<Visitor>>().map(Visitor::sends);
    let dismissed = async {
        match &sending {
            Some(sending) => sending.dismissed().await,
            None => std::future::pending().await,
        }
    };
    let read = Limited::new(body, BODY_CAP).collect();
    tokio::select! {
        biased;
        read = read => match read {
            Ok(whole) => Ok(whole.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
            Err(_) => Err(ApiError::invalid("the body could not be read")),
        },
        () = dismissed => Err(too_slow()),
        () = tokio::time::sleep(deadline) => {
            let text = format!("the body did not arrive within {} s", deadline.as_secs());
            Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", text))
        }
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

#[cfg(test)]
mod tests {
    use axum::body::Body as Sent;
    use futures_util::stream;

    use super::*;
    use crate::visitors::Visitors;

    #[tokio::test]
    async fn a_body_that_never_ends_is_given_up_and_one_that_is_too_large_is_not_read() {
        let post = |body: Sent| Request::post("/v1/cua").body(body).unwrap();
        let endless = || Sent::from_stream(stream::pending::<Result<Vec<u8>, std::io::Error>>());
        let error = whole_body(post(endless()), Duration::from_millis(30)).await.unwrap_err();
        assert_eq!(error.status, StatusCode::REQUEST_TIMEOUT);
        let parts = (0..100_000).map(|_| Ok::<Vec<u8>, std::io::Error>(vec![0; 1024]));
        let large = Sent::from_stream(stream::iter(parts));
        let error = whole_body(post(large), Duration::from_secs(60)).await.unwrap_err();
        assert_eq!(error.status, StatusCode::PAYLOAD_TOO_LARGE);
        // Where all places are taken, it is given up at once.
        let visitors: Arc<Visitors> = Arc::default();
        let visitor = visitors.welcome();
        let _under_way = visitor.asks();
        let mut request = post(endless());
        request.extensions_mut().insert(visitor);
        let reading = tokio::spawn(whole_body(request, Duration::from_secs(60)));
        while !visitors.dismiss_one() {
            tokio::task::yield_now().await;
        }
        assert_eq!(reading.await.unwrap().unwrap_err().status, StatusCode::REQUEST_TIMEOUT);
    }
}
