// The JSON interface the page's scripts use, under /api. Each handler reads, asks the state, and
// answers; rules live in the state and the validation.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Json;
use axum::routing::{delete, get, patch, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::clip::{CAPTIONS, Clip, Marker, STROKE_COLORS, Stroke};
use super::seed::{self, Caption};
use super::state::{PlayerState, no_such_clip, no_such_marker, no_such_stroke};
use super::validate;
use crate::reply::{ErrorReply, parse_body};

type Shared = State<Arc<PlayerState>>;

pub(crate) fn routes() -> Router<Arc<PlayerState>> {
    Router::new()
        .route("/player", get(player).patch(change))
        .route("/current", post(open))
        .route("/clips/{id}", patch(set_watched))
        .route("/clips/{id}/move", post(move_clip))
        .route("/clips/{id}/captions/{language}", get(captions))
        .route("/clips/{id}/annotations", delete(clear))
        .route("/markers", post(add_marker))
        .route("/markers/{id}", patch(note_marker).delete(remove_marker))
        .route("/strokes", post(add_stroke))
        .route("/strokes/{id}", delete(remove_stroke))
        .fallback(async || ErrorReply::not_found("There is nothing at this address."))
}

async fn player(State(state): Shared) -> Json<Value> {
    let mut player = state.with(|player| player.snapshot());
    player["stroke_colors"] = json!(STROKE_COLORS);
    Json(player)
}

async fn change(State(state): Shared, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let input = parse_body(&body)?;
    state.with(|player| {
        // Checked and changed under one lock, so the length is still that of the current clip.
        let change = validate::player(input, player.current_duration())?;
        player.change(change);
        Ok(Json(player.snapshot()))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    clip: u32,
}

async fn open(State(state): Shared, body: Bytes) -> Result<Json<Value>, ErrorReply> {
    let request: OpenRequest = parse_body(&body)?;
    state.with(|player| {
        player.open(request.clip)?;
        Ok(Json(player.snapshot()))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WatchedRequest {
    watched: bool,
}

async fn set_watched(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Clip>, ErrorReply> {
    let id = clip_id(&id)?;
    let request: WatchedRequest = parse_body(&body)?;
    state.with(|player| player.set_watched(id, request.watched)).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    /// How many of the other clips are above it.
    index: usize,
}

async fn move_clip(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Clip>, ErrorReply> {
    let id = clip_id(&id)?;
    let request: MoveRequest = parse_body(&body)?;
    state.with(|player| player.move_clip(id, request.index)).map(Json)
}

async fn captions(
    State(state): Shared,
    Path((id, language)): Path<(String, String)>,
) -> Result<Json<Vec<Caption>>, ErrorReply> {
    let clip = clip_id(&id)?;
    let clip = state.with(|player| player.clip(clip).cloned())?;
    if language == "off" || !CAPTIONS.contains(&language.as_str()) {
        return Err(ErrorReply::not_found(format!("There are no captions in {language}.")));
    }
    Ok(Json(seed::captions(&clip, &language)))
}

async fn clear(State(state): Shared, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let id = clip_id(&id)?;
    let (markers, strokes) = state.with(|player| player.clear(id))?;
    Ok(Json(json!({ "markers": markers, "strokes": strokes })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerRequest {
    clip: u32,
    x: u32,
    y: u32,
    time: f64,
}

async fn add_marker(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Marker>), ErrorReply> {
    let request: MarkerRequest = parse_body(&body)?;
    state.with(|player| {
        let duration = player.clip(request.clip)?.duration;
        let place = validate::point(request.x, request.y)?;
        let time = validate::time(request.time, duration)?;
        Ok((StatusCode::CREATED, Json(player.add_marker(request.clip, place, time)?)))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteRequest {
    note: String,
}

async fn note_marker(State(state): Shared, Path(id): Path<String>, body: Bytes) -> Result<Json<Marker>, ErrorReply> {
    let id = id.parse().map_err(|_| no_such_marker(id))?;
    let request: NoteRequest = parse_body(&body)?;
    let note = validate::note(&request.note)?;
    state.with(|player| player.note_marker(id, note)).map(Json)
}

async fn remove_marker(State(state): Shared, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let id: u32 = id.parse().map_err(|_| no_such_marker(id))?;
    state.with(|player| player.remove_marker(id))?;
    Ok(Json(json!({ "deleted": id })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StrokeRequest {
    clip: u32,
    time: f64,
    color: String,
    points: Vec<(u32, u32)>,
}

async fn add_stroke(State(state): Shared, body: Bytes) -> Result<(StatusCode, Json<Stroke>), ErrorReply> {
    let request: StrokeRequest = parse_body(&body)?;
    let color = validate::stroke_color(&request.color)?;
    let points = validate::points(request.points)?;
    state.with(|player| {
        let duration = player.clip(request.clip)?.duration;
        let time = validate::time(request.time, duration)?;
        Ok((StatusCode::CREATED, Json(player.add_stroke(request.clip, color, points, time)?)))
    })
}

async fn remove_stroke(State(state): Shared, Path(id): Path<String>) -> Result<Json<Value>, ErrorReply> {
    let id: u32 = id.parse().map_err(|_| no_such_stroke(id))?;
    state.with(|player| player.remove_stroke(id))?;
    Ok(Json(json!({ "deleted": id })))
}

/// Text that is no number cannot be the id of a clip, so it is "not found", not "bad request".
fn clip_id(text: &str) -> Result<u32, ErrorReply> {
    text.parse().map_err(|_| no_such_clip(text))
}
