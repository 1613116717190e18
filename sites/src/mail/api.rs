// The JSON interface the page's scripts use, under /api, and the download of files. Each handler
// reads, asks the state, and answers; rules live in the change, the composing and the query.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::multipart::MultipartRejection;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{delete, get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::change::Change;
use super::compose::{self, ComposeInput};
use super::model::{Attachment, Label, Mail};
use super::query::MailQuery;
use super::state::{MailState, no_such_file, no_such_mail};
use super::words::PEOPLE;
use crate::reply::{ErrorReply, parse_body};
use crate::upload::Form;

type Shared = State<Arc<MailState>>;

pub(crate) fn routes() -> Router<Arc<MailState>> {
    Router::new()
        .route("/boxes", get(boxes))
        .route("/people", get(people))
        .route("/mails", get(list))
        .route("/mails/change", post(change))
        .route("/mails/purge", post(purge))
        .route("/mails/{id}", get(read))
        .route("/undo", post(undo))
        .route("/labels", post(create_label))
        .route("/labels/{name}", delete(delete_label))
        .route("/attachments", post(attach))
        .route("/attachments/{id}", get(download))
        .route("/drafts", post(save_draft))
        .route("/drafts/{id}", delete(discard_draft))
        .route("/send", post(send))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
}

async fn boxes(State(state): Shared) -> Json<Value> {
    Json(state.boxes())
}

async fn people() -> Json<Value> {
    let people: Vec<Value> = PEOPLE.iter().map(|(name, email)| json!({ "name": name, "email": email })).collect();
    Json(json!({ "people": people }))
}

async fn list(
    State(state): Shared,
    query: Result<Query<MailQuery>, QueryRejection>,
) -> Result<Json<Value>, ErrorReply> {
    let Query(query) = query.map_err(|_| ErrorReply::bad_request("The query of the address is not readable."))?;
    state.query(&query).map(Json)
}

async fn read(State(state): Shared, Path(id): Path<String>) -> Result<Json<Mail>, ErrorReply> {
    id.parse().ok().and_then(|id| state.mail(id)).map(Json).ok_or_else(|| no_such_mail(id))
}

async fn change(State(state): Shared, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let change: Change = parse_body(&body)?;
    let undo = state.change(&change)?;
    Ok(Json(json!({ "changed": change.ids.len(), "undo": undo })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PurgeRequest {
    ids: Vec<u32>,
}

async fn purge(State(state): Shared, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let request: PurgeRequest = parse_body(&body)?;
    state.purge(&request.ids)?;
    Ok(Json(json!({ "purged": request.ids.len() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    undo: u32,
}

async fn undo(State(state): Shared, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let request: UndoRequest = parse_body(&body)?;
    state.undo(request.undo)?;
    Ok(Json(json!({ "undone": request.undo })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelRequest {
    name: String,
    colour: String,
}

async fn create_label(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Label>), ErrorReply> {
    let request: LabelRequest = parse_body(&body)?;
    state.create_label(&request.name, &request.colour).map(|label| (StatusCode::CREATED, Json(label)))
}

async fn delete_label(State(state): Shared, Path(name): Path<String>) -> Result<Json<Value>, ErrorReply> {
    state.delete_label(&name)?;
    Ok(Json(json!({ "deleted": name })))
}

/// One file, in the field `file`.
async fn attach(
    State(state): Shared,
    multipart: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<Attachment>), ErrorReply> {
    let mut form = Form::read(multipart).await?;
    let mut files = form.take_files("file").into_iter();
    match (files.next(), files.next()) {
        (Some(file), None) => state.add_file(file).map(|attachment| (StatusCode::CREATED, Json(attachment))),
        _ => Err(ErrorReply::bad_request("Send exactly one file in the field named file.")),
    }
}

async fn download(State(state): Shared, Path(id): Path<String>) -> Result<Response, ErrorReply> {
    let (facts, content) = id.parse().ok().and_then(|id| state.file(id)).ok_or_else(|| no_such_file(id))?;
    // Never shown in the page: a file may be anything, also a page that runs scripts.
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}", percent_encoded(&facts.name))),
    ];
    Ok((headers, content).into_response())
}

async fn save_draft(State(state): Shared, body: Bytes) -> Result<Json<Mail>, ErrorReply> {
    let input: ComposeInput = parse_body(&body)?;
    let written = compose::for_draft(&input)?;
    state.save_draft(&input, written).map(Json)
}

async fn discard_draft(State(state): Shared, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let id = id.parse().map_err(|_| no_such_mail(id))?;
    state.discard_draft(id)?;
    Ok(Json(json!({ "discarded": id })))
}

async fn send(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Mail>), ErrorReply> {
    let input: ComposeInput = parse_body(&body)?;
    let written = compose::for_sending(&input)?;
    state.send(&input, written).map(|mail| (StatusCode::CREATED, Json(mail)))
}

/// A file name as a header may carry it.
fn percent_encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}
