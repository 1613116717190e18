//! The actions of the computer tool, in every version of it, as gestures.

use serde_json::{Map, Value, json};

use crate::model::heard::{Heard, unknown};
use crate::model::key_names::{chords, modifiers};
use crate::model::lenient::{self, Place, place, written, written_point};

pub(super) const NAMES: &[&str] = &[
    "screenshot",
    "left_click",
    "right_click",
    "middle_click",
    "double_click",
    "triple_click",
    "mouse_move",
    "left_click_drag",
    "left_mouse_down",
    "left_mouse_up",
    "scroll",
    "type",
    "key",
    "hold_key",
    "wait",
    "zoom",
    "cursor_position",
];

/// Longest wait that a call can have.
const LONGEST_WAIT: f64 = 60.0;
/// Notches of a scroll that names no amount.
const NOTCHES: f64 = 3.0;

pub(super) fn read(action: &str, input: &Value, id: &str, heard: &mut Heard) {
    let Some(fields) = lenient::fields(input) else {
        heard.problem(format!("the input of {} is no JSON object; nothing of the answer was run", quoted(action)));
        return;
    };
    let at = place(&fields, &["coordinate"], ["x", "y"]);
    if at == Place::Wrong && !matches!(action, "type" | "key" | "hold_key" | "wait" | "screenshot" | "cursor_position")
    {
        heard.problem(format!("{action}: coordinate must be two numbers like [640, 360], pixels of the picture"));
        return;
    }
    match action {
        "screenshot" | "cursor_position" => heard.gesture(id, json!({"tool": "look"})),
        "left_click" => click("left", 1, at, &fields, id, heard),
        "right_click" => click("right", 1, at, &fields, id, heard),
        "middle_click" => click("middle", 1, at, &fields, id, heard),
        "double_click" => click("left", 2, at, &fields, id, heard),
        "triple_click" => click("left", 3, at, &fields, id, heard),
        "mouse_move" => match at {
            Place::At(point) => {
                heard.gesture(id, json!({"tool": "mouse", "action": "move", "coordinate": written_point(point)}));
            }
            _ => heard.problem("mouse_move needs a coordinate like [640, 360]"),
        },
        "left_click_drag" => drag(at, &fields, id, heard),
        "left_mouse_down" => hold("mouse_down", at, id, heard),
        "left_mouse_up" => hold("mouse_up", at, id, heard),
        "scroll" => scroll(at, &fields, id, heard),
        "type" => match lenient::named_text(&fields, &["text"]) {
            Some(text) => heard.gesture(id, json!({"tool": "keyboard", "action": "type", "text": text})),
            None => heard.problem("type needs a text"),
        },
        "key" => key(&fields, id, heard),
        // Nothing of ours depends on how long a key stays down.
        "hold_key" => key(&fields, id, heard),
        "wait" => wait(&fields, id, heard),
        "zoom" => match fields.get("region").and_then(lenient::numbers::<4>) {
            Some(region) => heard.gesture(id, json!({"tool": "zoom", "region": region.map(written)})),
            None => heard.problem("zoom needs a region like [x0, y0, x1, y1], pixels of the picture"),
        },
        "" => heard.problem(format!("the computer call names no action; the actions are {}", NAMES.join(", "))),
        other => heard.problem(unknown("action of the computer tool", other, NAMES)),
    }
}

fn click(button: &str, times: u8, at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let mut call = json!({"tool": "mouse", "action": "click"});
    if let Place::At(point) = at {
        call["coordinate"] = written_point(point);
    }
    if button != "left" {
        call["button"] = button.into();
    }
    if times > 1 {
        call["count"] = times.into();
    }
    held(&mut call, fields, heard);
    heard.gesture(id, call);
}

/// Held keys are documented as `text`; the reference executor takes them as `key`.
fn held(call: &mut Value, fields: &Map<String, Value>, heard: &mut Heard) {
    let mut all = Vec::new();
    for name in ["text", "key"] {
        let Some(text) = fields.get(name).and_then(lenient::text) else { continue };
        let (named, others) = modifiers(&text);
        all.extend(named);
        if others {
            heard.repair("words beside a click that name no key to hold were left out");
        }
    }
    all.dedup();
    if !all.is_empty() {
        call["modifiers"] = json!(all);
    }
}

fn drag(to: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let from = place(fields, &["start_coordinate"], ["start_x", "start_y"]);
    let to = match to {
        Place::Absent => place(fields, &["end_coordinate"], ["end_x", "end_y"]),
        given => given,
    };
    let Place::At(to) = to else {
        heard.problem("left_click_drag needs a coordinate to drag to, like [640, 360]");
        return;
    };
    let mut call = json!({"tool": "mouse", "action": "drag"});
    match from {
        Place::At(from) => call["start_coordinate"] = written_point(from),
        Place::Absent => {}
        Place::Wrong => {
            heard.problem("left_click_drag: start_coordinate must be two numbers like [640, 360]");
            return;
        }
    }
    call["end_coordinate"] = written_point(to);
    held(&mut call, fields, heard);
    heard.gesture(id, call);
}

fn hold(action: &str, at: Place, id: &str, heard: &mut Heard) {
    let mut call = json!({"tool": "hold", "action": action});
    if let Place::At(point) = at {
        call["coordinate"] = written_point(point);
    }
    heard.gesture(id, call);
}

fn scroll(at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let direction = lenient::named_text(fields, &["scroll_direction", "direction"]).unwrap_or_default();
    let direction = direction.trim().to_lowercase();
    if !["up", "down", "left", "right"].contains(&direction.as_str()) {
        heard.problem("scroll needs a scroll_direction: up, down, left or right");
        return;
    }
    let notches = lenient::named_number(fields, &["scroll_amount", "amount"]).unwrap_or(NOTCHES);
    let mut call = json!({"tool": "mouse", "action": "scroll"});
    if let Place::At(point) = at {
        call["coordinate"] = written_point(point);
    }
    call["direction"] = direction.into();
    call["notches"] = written(notches);
    held(&mut call, fields, heard);
    heard.gesture(id, call);
}

fn key(fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let text = lenient::named_text(fields, &["text", "key"]).unwrap_or_default();
    let keys = chords(&text);
    if keys.is_empty() {
        heard.problem("key needs a text that names a key, like Return or ctrl+a");
        return;
    }
    // Anything beyond the bound of an answer is cut there.
    let times = lenient::named_number(fields, &["repeat"]).unwrap_or(1.0).clamp(1.0, 100.0) as usize;
    for _ in 0..times {
        for key in &keys {
            heard.gesture(id, json!({"tool": "keyboard", "action": "press", "key": key}));
        }
    }
}

fn wait(fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let seconds = lenient::named_number(fields, &["duration", "seconds"]).unwrap_or(1.0).max(0.0);
    if seconds > LONGEST_WAIT {
        heard.repair("a wait was cut to a minute");
    }
    heard.gesture(id, json!({"tool": "wait", "seconds": written(seconds.min(LONGEST_WAIT))}));
}

fn quoted(name: &str) -> String {
    crate::model::heard::shown(if name.is_empty() { "the computer call" } else { name })
}
