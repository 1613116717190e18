//! Where a step aims today. What has a name is looked for by name when the call runs; what has none is looked for by how
//! it looked, in the frame of this turn.

use serde_json::{Map, Value, json};
use surehand_checks::picture::{Look, Part, Sought, Sums, decode};
use surehand_types::routine::{Anchor, RoutineStep};
use surehand_types::{GridPoint, Turn, ViewSize};

/// The call with its target or its coordinates, or why there is no place to aim at.
pub(super) fn aimed(step: &RoutineStep, recorded: ViewSize, turn: &Turn) -> Result<Map<String, Value>, String> {
    let mut call = step.call.clone();
    if let Some(anchor) = &step.anchor {
        if anchor.is_named() && call.contains_key("coordinate") {
            call.shift_remove("coordinate");
            call.insert("target".into(), target(anchor));
            return Ok(call);
        }
        for field in ["coordinate", "start_coordinate"] {
            re_aim(&mut call, field, anchor, recorded, turn)?;
        }
    }
    if let Some(anchor) = &step.end_anchor {
        re_aim(&mut call, "end_coordinate", anchor, recorded, turn)?;
        if call.get("end_coordinate") == call.get("start_coordinate") {
            return Err("both ends of the drag look like the same place now".into());
        }
    }
    Ok(call)
}

fn target(anchor: &Anchor) -> Value {
    let mut target = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            target.insert(name.into(), value);
        }
    };
    put("role", anchor.role.clone().map(Value::from));
    put("text", anchor.text.clone().map(Value::from));
    put("exact", Some(json!(true)));
    put("beside", anchor.beside.clone().map(Value::from));
    put("index", anchor.index.map(Value::from));
    put("of", anchor.index.and(anchor.of).map(Value::from));
    put("near", anchor.bounds.map(|bounds| json!(<[u16; 2]>::from(bounds.centre()))));
    Value::Object(target)
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
