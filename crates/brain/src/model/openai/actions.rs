//! The actions of the computer tool as gestures.

use serde_json::{Map, Value, json};

use crate::model::heard::{Heard, unknown};
use crate::model::key_names::{chords, modifiers};
use crate::model::lenient::{self, Place, place, written, written_point};

pub(super) const NAMES: &[&str] =
    &["click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait"];

/// The provider's own clients wait so long.
const WAIT_SECONDS: f64 = 2.0;
const LONGEST_WAIT: f64 = 60.0;
/// A drag whose path leaves the straight line by more than this share of its length was meant to be curved.
const STRAIGHT: f64 = 0.1;

pub(super) fn read(action: &Value, id: &str, heard: &mut Heard) {
    let Some(fields) = action.as_object() else {
        heard.problem("an action must be a JSON object with a type; nothing of the answer was run");
        return;
    };
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    let at = place(fields, &["coordinate", "position"], ["x", "y"]);
    if at == Place::Wrong && matches!(kind, "click" | "double_click" | "triple_click" | "move" | "scroll") {
        heard.problem(format!("{kind}: x and y must be two numbers, pixels of the picture"));
        return;
    }
    match kind {
        "click" => click(1, at, fields, id, heard),
        "double_click" => click(2, at, fields, id, heard),
        "triple_click" => click(3, at, fields, id, heard),
        "move" => match at {
            Place::At(point) => {
                let mut call = json!({"tool": "mouse", "action": "move", "coordinate": written_point(point)});
                held(&mut call, fields, heard);
                heard.gesture(id, call);
            }
            _ => heard.problem("move needs x and y"),
        },
        "drag" => drag(fields, id, heard),
        "scroll" => scroll(at, fields, id, heard),
        "keypress" => keypress(fields, id, heard),
        "type" => match lenient::named_text(fields, &["text"]) {
            Some(text) => heard.gesture(id, json!({"tool": "keyboard", "action": "type", "text": text})),
            None => heard.problem("type needs a text"),
        },
        "screenshot" => heard.gesture(id, json!({"tool": "look"})),
        "wait" => {
            let milliseconds = lenient::named_number(fields, &["ms"]).map(|ms| ms / 1000.0);
            let seconds = milliseconds.or_else(|| lenient::named_number(fields, &["seconds", "duration", "time"]));
            let seconds = seconds.unwrap_or(WAIT_SECONDS).clamp(0.0, LONGEST_WAIT);
            heard.gesture(id, json!({"tool": "wait", "seconds": written(seconds)}));
        }
        "" => heard.problem(format!("an action names no type; the types are {}", NAMES.join(", "))),
        other => heard.problem(unknown("action of the computer tool", other, NAMES)),
    }
}

fn click(times: u8, at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let mut call = json!({"tool": "mouse", "action": "click"});
    match fields.get("button").and_then(Value::as_str).unwrap_or("left") {
        "left" => {}
        "right" => call["button"] = "right".into(),
        "wheel" | "middle" => call["button"] = "middle".into(),
        "back" => return heard.gesture(id, json!({"tool": "tab", "action": "back"})),
        "forward" => return heard.gesture(id, json!({"tool": "tab", "action": "forward"})),
        other => return heard.problem(unknown("button", other, &["left", "right", "wheel", "back", "forward"])),
    }
    if let Place::At(point) = at {
        call["coordinate"] = written_point(point);
    }
    if times > 1 {
        call["count"] = times.into();
    }
    held(&mut call, fields, heard);
    heard.gesture(id, call);
}

/// The keys of a mouse action are held during it.
fn held(call: &mut Value, fields: &Map<String, Value>, heard: &mut Heard) {
    let (named, others) = modifiers(&keys(fields).join(" "));
    if others {
        heard.repair("keys beside a mouse action that cannot be held were left out");
    }
    if !named.is_empty() {
        call["modifiers"] = json!(named);
    }
}

/// A list of key names, or one text.
fn keys(fields: &Map<String, Value>) -> Vec<String> {
    match fields.get("keys").or_else(|| fields.get("key")) {
        Some(Value::Array(keys)) => keys.iter().filter_map(lenient::text).take(64).collect(),
        Some(one) => lenient::text(one).into_iter().collect(),
        None => Vec::new(),
    }
}

fn keypress(fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let keys = keys(fields);
    // The names in a list are one chord; white space in it is a key.
    let joined = match keys.as_slice() {
        [one] => one.clone(),
        several => several.iter().flat_map(|key| chords(key)).collect::<Vec<_>>().join(" "),
    };
    let pressed = chords(&joined);
    if pressed.is_empty() {
        heard.problem("keypress needs keys, like [\"CTRL\", \"A\"]");
    }
    for key in pressed {
        heard.gesture(id, json!({"tool": "keyboard", "action": "press", "key": key}));
    }
}

fn drag(fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let path: Option<Vec<[f64; 2]>> = match fields.get("path") {
        Some(Value::Array(points)) => points.iter().take(1000).map(lenient::point).collect(),
        _ => match (place(fields, &["start"], ["start_x", "start_y"]), place(fields, &["end"], ["end_x", "end_y"])) {
            (Place::At(from), Place::At(to)) => Some(vec![from, to]),
            _ => None,
        },
    };
    let mut call = json!({"tool": "mouse", "action": "drag"});
    match path.as_deref() {
        Some([to]) => call["end_coordinate"] = written_point(*to),
        Some([from, between @ .., to]) => {
            if between.iter().any(|point| is_aside(*point, *from, *to)) {
                heard.repair("a curved drag was made straight");
            }
            call["start_coordinate"] = written_point(*from);
            call["end_coordinate"] = written_point(*to);
        }
        _ => {
            return heard
                .problem("drag needs a path of points like [{\"x\": 100, \"y\": 200}, {\"x\": 300, \"y\": 200}]");
        }
    }
    held(&mut call, fields, heard);
    heard.gesture(id, call);
}

/// Whether a point is far from the line between two others, or beyond its ends.
fn is_aside(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> bool {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy).max(1.0);
    let (px, py) = (point[0] - from[0], point[1] - from[1]);
    let aside = (px * dy - py * dx).abs() / length;
    let along = (px * dx + py * dy) / length;
    aside > length * STRAIGHT || along < -length * STRAIGHT || along > length * (1.0 + STRAIGHT)
}

fn scroll(at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let across = lenient::named_number(fields, &["scroll_x", "scrollX", "delta_x"]).unwrap_or_default();
    let down = lenient::named_number(fields, &["scroll_y", "scrollY", "delta_y"]).unwrap_or_default();
    let mut any = false;
    for (distance, back, forth) in [(down, "up", "down"), (across, "left", "right")] {
        if distance == 0.0 {
            continue;
        }
        any = true;
        let mut call = json!({"tool": "mouse", "action": "scroll"});
        if let Place::At(point) = at {
            call["coordinate"] = written_point(point);
        }
        call["direction"] = if distance < 0.0 { back } else { forth }.into();
        call["pixels"] = written(distance.abs());
        held(&mut call, fields, heard);
        heard.gesture(id, call);
    }
    if !any {
        heard.repair("a scroll by nothing was taken for a look");
        heard.gesture(id, json!({"tool": "look"}));
    }
}
