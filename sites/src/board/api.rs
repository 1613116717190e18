// The JSON interface the pages' scripts use, under /api. Each handler reads, asks the wall, and
// answers; rules live in the wall and the validation.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Json;
use axum::routing::{get, patch, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::card::{COLORS, COLUMNS, Card, Item, LABELS, PEOPLE};
use super::state::BoardState;
use super::validate;
use super::wall::no_such_card;
use super::wall_lists::{SortBy, no_such_step};
use crate::reply::{ErrorReply, parse_body};

type Shared = State<Arc<BoardState>>;
type CardAnswer = Result<Json<Card>, ErrorReply>;

pub(crate) fn routes() -> Router<Arc<BoardState>> {
    Router::new()
        .route("/board", get(board))
        .route("/cards", post(add))
        .route("/cards/{id}", get(read).patch(change))
        .route("/cards/{id}/move", post(move_card))
        .route("/cards/{id}/duplicate", post(duplicate))
        .route("/cards/{id}/archive", post(archive))
        .route("/cards/{id}/restore", post(restore))
        .route("/cards/{id}/checklist", post(add_item))
        .route("/cards/{id}/checklist/{item}", patch(tick_item).delete(remove_item))
        .route("/columns/{id}/sort", post(sort_column))
        .route("/columns/{id}/archive", post(archive_column))
        .route("/columns/{id}/move", post(empty_column))
        .route("/steps/{id}", patch(tick_step))
        .route("/steps/{id}/move", post(move_step))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
}

/// Everything a page shows, in one answer, so that two requests can never disagree.
async fn board(State(state): Shared) -> Json<Value> {
    let mut board = state.with(|wall| wall.snapshot());
    board["people"] = json!(PEOPLE);
    board["labels"] = json!(LABELS);
    board["colors"] = json!(COLORS);
    Json(board)
}

async fn read(State(state): Shared, Path(id): Path<String>) -> CardAnswer {
    let id = card_id(&id)?;
    state.with(|wall| wall.card(id).cloned()).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddRequest {
    column: String,
    title: String,
}

async fn add(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Card>), ErrorReply> {
    let request: AddRequest = parse_body(&body)?;
    let column = validate::column("column", &request.column)?;
    let title = validate::line_named("title", &request.title)?;
    let card = state.with(|wall| wall.add(column, title))?;
    Ok((StatusCode::CREATED, Json(card)))
}

async fn change(State(state): Shared, Path(id): Path<String>, body: Bytes) -> CardAnswer {
    let id = card_id(&id)?;
    // A card that is gone is the more useful answer than what is wrong with its fields.
    state.with(|wall| wall.card(id).map(|_| ()))?;
    let change = validate::card(parse_body(&body)?)?;
    state.with(|wall| wall.change(id, change)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    column: String,
    /// How many of the other cards are above it.
    index: usize,
}

async fn move_card(State(state): Shared, Path(id): Path<String>, body: Bytes) -> CardAnswer {
    let id = card_id(&id)?;
    let request: MoveRequest = parse_body(&body)?;
    let column = validate::column("column", &request.column)?;
    state.with(|wall| wall.move_card(id, column, request.index)).map(Json)
}

async fn duplicate(State(state): Shared, Path(id): Path<String>) -> Result<(StatusCode, Json<Card>), ErrorReply> {
    let id = card_id(&id)?;
    let card = state.with(|wall| wall.duplicate(id))?;
    Ok((StatusCode::CREATED, Json(card)))
}

async fn archive(State(state): Shared, Path(id): Path<String>) -> CardAnswer {
    let id = card_id(&id)?;
    state.with(|wall| wall.archive(id)).map(Json)
}

async fn restore(State(state): Shared, Path(id): Path<String>) -> CardAnswer {
    let id = card_id(&id)?;
    state.with(|wall| wall.restore(id)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemRequest {
    text: String,
}

async fn add_item(
    State(state): Shared,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<(StatusCode, Json<Card>), ErrorReply> {
    let id = card_id(&id)?;
    let request: ItemRequest = parse_body(&body)?;
    let text = validate::line_named("text", &request.text)?;
    let card = state.with(|wall| wall.add_item(id, text))?;
    Ok((StatusCode::CREATED, Json(card)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TickRequest {
    done: bool,
}

async fn tick_item(State(state): Shared, Path((id, item)): Path<(String, String)>, body: Bytes) -> CardAnswer {
    let (id, item) = (card_id(&id)?, item_id(&item)?);
    let request: TickRequest = parse_body(&body)?;
    state.with(|wall| wall.tick_item(id, item, request.done)).map(Json)
}

async fn remove_item(State(state): Shared, Path((id, item)): Path<(String, String)>) -> CardAnswer {
    let (id, item) = (card_id(&id)?, item_id(&item)?);
    state.with(|wall| wall.remove_item(id, item)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SortRequest {
    by: String,
}

async fn sort_column(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let column = column_id(&id)?;
    let request: SortRequest = parse_body(&body)?;
    let by = SortBy::from_name(&request.by)?;
    state.with(|wall| wall.sort_column(column, by));
    Ok(Json(json!({ "sorted": column })))
}

async fn archive_column(State(state): Shared, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let column = column_id(&id)?;
    Ok(Json(json!({ "archived": state.with(|wall| wall.archive_column(column)) })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EmptyRequest {
    to: String,
}

async fn empty_column(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let from = column_id(&id)?;
    let request: EmptyRequest = parse_body(&body)?;
    let to = validate::column("to", &request.to)?;
    let moved = state.with(|wall| wall.empty_column_into(from, to))?;
    Ok(Json(json!({ "moved": moved })))
}

async fn tick_step(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Item>, ErrorReply> {
    let id = step_id(&id)?;
    let request: TickRequest = parse_body(&body)?;
    state.with(|wall| wall.tick_step(id, request.done)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveStepRequest {
    index: usize,
}

async fn move_step(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Item>, ErrorReply> {
    let id = step_id(&id)?;
    let request: MoveStepRequest = parse_body(&body)?;
    state.with(|wall| wall.move_step(id, request.index)).map(Json)
}

/// Text that is no number cannot be the id of a card, so it is "not found", not "bad request".
fn card_id(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| no_such_card(text))
}

fn item_id(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| ErrorReply::not_found("The checklist has no such item."))
}

fn step_id(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| no_such_step(text))
}

fn column_id(text: &str) -> Result<&'static str, ErrorReply> {
    let known = COLUMNS.iter().find(|(known, _)| *known == text);
    known.map(|(id, _)| *id).ok_or_else(|| ErrorReply::not_found(format!("There is no column {text}.")))
}
