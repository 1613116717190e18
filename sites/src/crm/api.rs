// The JSON interface the pages' scripts use, under /api. Each handler reads, asks the state, and
// answers; rules live in the state, the query and the validation.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::contact::{Contact, OWNERS};
use super::query::ContactQuery;
use super::session::{self, ApiUser};
use super::state::{CrmState, no_such_contact};
use super::validate;
use crate::reply::{ErrorReply, parse_body};

type Shared = State<Arc<CrmState>>;

pub(crate) fn routes() -> Router<Arc<CrmState>> {
    Router::new()
        .route("/login", post(login))
        .route("/logout", post(logout))
        .route("/consent", post(consent))
        .route("/summary", get(summary))
        .route("/owners", get(owners))
        .route("/contacts", get(list).post(create))
        .route("/contacts/{id}", get(read).put(update).delete(remove))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
}

#[derive(Deserialize)]
struct LoginRequest {
    email: String,
    password: String,
}

async fn login(State(state): Shared, body: Bytes) -> Result<Response, ErrorReply> {
    let request: LoginRequest = parse_body(&body)?;
    match state.sign_in(request.email.trim(), &request.password) {
        Some((token, user)) => {
            Ok(([(header::SET_COOKIE, session::session_cookie(&token))], Json(json!({ "user": user }))).into_response())
        }
        None => Err(ErrorReply::new(
            StatusCode::UNAUTHORIZED,
            "wrong_credentials",
            "The email address or the password is not correct.",
        )),
    }
}

async fn logout(State(state): Shared, headers: HeaderMap) -> Response {
    if let Some(token) = session::session_token(&headers) {
        state.sign_out(&token);
    }
    ([(header::SET_COOKIE, session::ended_session_cookie())], Json(json!({ "signed_out": true }))).into_response()
}

#[derive(Deserialize)]
struct ConsentRequest {
    choice: String,
}

async fn consent(State(state): Shared, body: Bytes) -> Result<Response, ErrorReply> {
    let request: ConsentRequest = parse_body(&body)?;
    let choice = ["all", "necessary"]
        .into_iter()
        .find(|known| *known == request.choice)
        .ok_or_else(|| ErrorReply::bad_request("The choice must be all or necessary."))?;
    let cookie = session::consent_cookie(&state.answer_consent(choice));
    Ok(([(header::SET_COOKIE, cookie)], Json(json!({ "choice": choice }))).into_response())
}

async fn summary(State(state): Shared, _user: ApiUser) -> Json<Value> {
    Json(state.summary())
}

async fn owners(_user: ApiUser) -> Json<Value> {
    Json(json!({ "owners": OWNERS }))
}

async fn list(
    State(state): Shared,
    _user: ApiUser,
    query: Result<Query<ContactQuery>, QueryRejection>,
) -> Result<Json<Value>, ErrorReply> {
    let Query(query) = query.map_err(|_| ErrorReply::bad_request("The query of the address is not readable."))?;
    state.query(&query).map(Json)
}

async fn read(State(state): Shared, _user: ApiUser, Path(id): Path<String>) -> Result<Json<Contact>, ErrorReply> {
    state.contact(contact_id(&id)?).map(Json).ok_or_else(|| no_such_contact(id))
}

async fn create(
    State(state): Shared,
    ApiUser(user): ApiUser,
    body: Bytes,
) -> Result<(StatusCode, Json<Contact>), ErrorReply> {
    let fields = validate::check(parse_body(&body)?)?;
    let contact = state.create(fields, user)?;
    Ok((StatusCode::CREATED, Json(contact)))
}

async fn update(
    State(state): Shared,
    ApiUser(user): ApiUser,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Contact>, ErrorReply> {
    let id = contact_id(&id)?;
    // A record that is gone is the more useful answer than what is wrong with its fields.
    if state.contact(id).is_none() {
        return Err(no_such_contact(id));
    }
    let fields = validate::check(parse_body(&body)?)?;
    state.update(id, fields, user).map(Json)
}

async fn remove(State(state): Shared, _user: ApiUser, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let contact = state.delete(contact_id(&id)?)?;
    Ok(Json(json!({ "deleted": contact.id })))
}

/// Text that is no number cannot be the id of a contact, so it is "not found", not "bad request".
fn contact_id(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| no_such_contact(text))
}
