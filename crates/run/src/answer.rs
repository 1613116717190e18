//! The wire form of what became of a call: the answer of `surehand tools`, and the observation
//! part that an exec brain's turn shares with it.

use serde_json::{Value, json};
use surehand_types::reply::ObservationView;
use surehand_types::{CallProblem, Observation, Redactor};

use crate::acted::Acted;
use crate::pictures::{FrameFiles, PictureFailure};

/// The whole answer to a tools line.
pub fn answer_for(
    id: &Value,
    acted: &Acted,
    files: &mut FrameFiles,
    redactor: &Redactor,
) -> Result<Value, PictureFailure> {
    let view = view_of(Some(acted), &acted.observation, files)?;
    let mut answer = json!({
        "id": id,
        "ok": acted.ok,
        "message": acted.message,
        "error": acted.error,
        "effect": acted.effect,
    });
    if let (Some(map), Ok(Value::Object(rest))) = (answer.as_object_mut(), serde_json::to_value(&view)) {
        map.extend(rest);
        if !acted.ui.is_empty() {
            map.insert("ui".into(), serde_json::to_value(&acted.ui).unwrap_or_default());
        }
    }
    Ok(redacted(answer, id, redactor))
}

/// A call that was never understood answers only this much: nothing happened.
pub fn schema_error(id: &Value, problem: &CallProblem, redactor: &Redactor) -> Value {
    redacted(json!({"id": id, "ok": false, "error": problem}), id, redactor)
}

/// The caller finds its call again by the id; a short one ("7") is a number of its own making.
fn redacted(mut answer: Value, id: &Value, redactor: &Redactor) -> Value {
    const NUMBER: usize = 3;
    redactor.json(&mut answer);
    if id.as_str().is_some_and(|id| id.chars().count() <= NUMBER) {
        answer["id"] = id.clone();
    }
    answer
}

/// What a brain sees of the world, with the facts of the last call where there was one.
pub fn view_of(
    acted: Option<&Acted>,
    observation: &Observation,
    files: &mut FrameFiles,
) -> Result<ObservationView, PictureFailure> {
    let frame = files.frame(observation)?;
    let mut images = Vec::new();
    for (kind, pixels) in acted.map(|acted| acted.pictures.as_slice()).unwrap_or_default() {
        images.push(files.extra(*kind, pixels)?);
    }
    Ok(ObservationView {
        message: acted.map(|acted| acted.message.clone()).unwrap_or_default(),
        error: acted.and_then(|acted| acted.error.clone()),
        dispatched: acted.and_then(|acted| acted.dispatched),
        hit: acted.and_then(|acted| acted.hit.clone()),
        pending: acted.and_then(|acted| acted.pending.clone()),
        candidates: acted.map(|acted| acted.candidates.clone()).unwrap_or_default(),
        frame: Some(frame),
        images,
        url: observation.url.clone(),
        title: observation.title.clone(),
        focus: observation.focus.clone(),
        tabs: observation.tabs.clone(),
        opened: acted.map(|acted| acted.happenings.opened.clone()).unwrap_or_default(),
        dialog: acted.and_then(|acted| acted.dialog().cloned()).or_else(|| observation.dialog.clone()),
        downloads: acted.map(|acted| acted.happenings.downloads.clone()).unwrap_or_default(),
    })
}
