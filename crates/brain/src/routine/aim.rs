//! Where a step aims today. What has a name is looked for by name when the call runs; what has none is looked for by how
//! it looked, in the frame of this turn.

use serde_json::{Map, Value, json};
use surehand_checks::picture::{Look, Part, Sought, Sums, decode};
use surehand_types::routine::{Anchor, Routine, RoutineStep};
use surehand_types::{GridPoint, Turn, ViewSize};

/// The call with its target or its coordinates, or why there is no place to aim at.
pub(super) fn aimed(step: &RoutineStep, routine: &Routine, turn: &Turn) -> Result<Map<String, Value>, String> {
    let recorded = routine.viewport;
    let mut call = step.call.clone();
    let Some(anchor) = &step.anchor else {
        return end_aimed(step, call, recorded, turn);
    };
    if anchor.is_named() && call.contains_key("coordinate") {
        if routine.routine < 2 && anchor.rests_on_position() {
            return Err(
                "only its position tells it from others that are alike, and the file is too old to know more; \
                        record the run again, or write into anchor.row what stands beside it"
                    .into(),
            );
        }
        call.shift_remove("coordinate");
        call.insert("target".into(), target(anchor));
        return Ok(call);
    }
    // What is carried is picked up by its name; where it is put down has to be what it was.
    if anchor.is_named() && call.shift_remove("start_coordinate").is_some() {
        call.insert("target".into(), target(anchor));
        return end_aimed(step, call, recorded, turn);
    }
    if call.get("tool").and_then(Value::as_str) == Some("keyboard") {
        let mut target = place_in_words(anchor);
        if !target.is_empty() {
            target.insert("focus".into(), json!(true));
            call.insert("target".into(), Value::Object(target));
        }
        return Ok(call);
    }
    for field in ["coordinate", "start_coordinate"] {
        re_aim(&mut call, field, anchor, recorded, turn)?;
        let target = place_in_words(anchor);
        // By its look it may be any of several: what stands around it has to be the same as well.
        if let Some(point) = call.get(field).cloned().filter(|_| !target.is_empty()) {
            call.shift_remove(field);
            call.insert("target".into(), at(target, point));
        }
    }
    end_aimed(step, call, recorded, turn)
}

fn end_aimed(
    step: &RoutineStep,
    mut call: Map<String, Value>,
    recorded: ViewSize,
    turn: &Turn,
) -> Result<Map<String, Value>, String> {
    let Some(anchor) = &step.end_anchor else { return Ok(call) };
    re_aim(&mut call, "end_coordinate", anchor, recorded, turn)?;
    let start = call.get("start_coordinate").or_else(|| call.get("target").and_then(|target| target.get("at")));
    if call.get("end_coordinate") == start {
        return Err("both ends of the drag look like the same place now".into());
    }
    let target = place_in_words(anchor);
    // Where the start is not looked for there is nothing to compare the end with.
    if let Some(point) = call.get("end_coordinate").cloned().filter(|_| !target.is_empty()) {
        if let Some(start) = call.shift_remove("start_coordinate") {
            call.insert("target".into(), at(Map::new(), start));
        }
        call.shift_remove("end_coordinate");
        call.insert("end_target".into(), at(target, point));
    }
    Ok(call)
}

fn at(mut target: Map<String, Value>, point: Value) -> Value {
    target.insert("at".into(), point);
    Value::Object(target)
}

fn target(anchor: &Anchor) -> Value {
    let mut target = place_in_words(anchor);
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            target.insert(name.into(), value);
        }
    };
    put("role", anchor.role.clone().map(Value::from));
    put("text", anchor.text.clone().map(Value::from));
    put("exact", Some(json!(true)));
    put("strict", Some(json!(true)));
    put("beside", anchor.beside.clone().map(Value::from));
    let index = anchor.index.filter(|_| anchor.beside.is_none());
    put("index", index.map(Value::from));
    put("of", index.and(anchor.of).map(Value::from));
    put("likeness", anchor.likeness.clone().map(Value::from));
    Value::Object(target)
}

/// What has to stand around the target.
fn place_in_words(anchor: &Anchor) -> Map<String, Value> {
    let mut target = Map::new();
    for (name, texts) in [("row", &anchor.row), ("options", &anchor.options)] {
        if !texts.is_empty() {
            target.insert(name.into(), json!(texts));
        }
    }
    for (name, words) in [("heading", &anchor.heading), ("caption", &anchor.caption)] {
        if let Some(words) = words {
            target.insert(name.into(), json!(words));
        }
    }
    if let Some(state) = &anchor.state {
        target.insert("state".into(), json!(state));
    }
    target
}

/// Moves a coordinate along with the part of the frame that it was in.
fn re_aim(
    call: &mut Map<String, Value>,
    field: &str,
    anchor: &Anchor,
    recorded: ViewSize,
    turn: &Turn,
) -> Result<(), String> {
    let (Some(point), Some(region)) = (call.get(field).and_then(point_of), anchor.region) else { return Ok(()) };
    let Some(look) = anchor.region_hash.as_deref().and_then(Look::parse) else { return Ok(()) };
    let Some(frame) = turn.observation.frame.as_ref().filter(|frame| !frame.stale) else { return Ok(()) };
    // Without a picture the step is made where it was, and what it brings is verified all the same.
    let Some(pixels) = std::fs::read(&frame.path).ok().and_then(|bytes| decode(&bytes).ok()) else { return Ok(()) };

    // Sizes and distances stay what they were in pixels. The place may scale with the window or stay where it was.
    let ratio_x = f64::from(pixels.width) / f64::from(turn.viewport.width.max(1));
    let ratio_y = f64::from(pixels.height) / f64::from(turn.viewport.height.max(1));
    let width = recorded.horizontal_length(u32::from(region.x1 - region.x0)) * ratio_x;
    let height = recorded.vertical_length(u32::from(region.y1 - region.y0)) * ratio_y;
    let inside_x = recorded.horizontal_length(u32::from(point.x.saturating_sub(region.x0))) * ratio_x;
    let inside_y = recorded.vertical_length(u32::from(point.y.saturating_sub(region.y0))) * ratio_y;
    let place = |at: i32, ratio: f64, inside: f64, size: f64, extent: u32| {
        let last = (f64::from(extent) - size).max(0.0);
        // Clamped to the picture, so the cast cannot truncate.
        (f64::from(at) * ratio - inside).round().clamp(0.0, last) as u32
    };
    let tries = [turn.viewport, recorded].map(|view| {
        let at = point.to_view(view);
        Part {
            left: place(at.x, ratio_x, inside_x, width, pixels.width),
            top: place(at.y, ratio_y, inside_y, height, pixels.height),
            width: width.round() as u32,
            height: height.round() as u32,
        }
    });
    let found = match Sums::of(&pixels).find(&look, &tries) {
        Sought::At(part) if part == tries[0] => return Ok(()),
        Sought::At(part) => part,
        Sought::Nowhere => return Err("what it aims at looks different, and is nowhere else to be seen".into()),
        Sought::Several => return Err("what it aims at looks different, and several other places look like it".into()),
        Sought::TooPlain => return Err("what it aims at looks different, and was too plain to be searched for".into()),
    };
    let view_x = (f64::from(found.left) + inside_x) / ratio_x;
    let view_y = (f64::from(found.top) + inside_y) / ratio_y;
    let point = turn.viewport.grid_point(view_x, view_y);
    call.insert(field.into(), json!([point.x, point.y]));
    Ok(())
}

fn point_of(value: &Value) -> Option<GridPoint> {
    let axis = |value: &Value| u16::try_from(value.as_u64()?).ok();
    match value.as_array()?.as_slice() {
        [x, y] => Some(GridPoint::from([axis(x)?, axis(y)?])),
        _ => None,
    }
}
