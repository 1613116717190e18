//! Both sets of computer use functions as gestures. All positions are on a 0 to 1000 grid.

use serde_json::{Map, Value, json};

use crate::model::heard::Heard;
use crate::model::key_names::chords;
use crate::model::lenient::{self, Place, place, written, written_point};

pub(super) const NAMES: &[&str] = &[
    // The newer set.
    "click",
    "double_click",
    "triple_click",
    "middle_click",
    "right_click",
    "mouse_down",
    "mouse_up",
    "move",
    "type",
    "drag_and_drop",
    "wait",
    "press_key",
    "key_down",
    "key_up",
    "hotkey",
    "take_screenshot",
    "scroll",
    "go_back",
    "go_forward",
    "navigate",
    // The one before it, without what both have.
    "open_web_browser",
    "click_at",
    "hover_at",
    "type_text_at",
    "scroll_document",
    "scroll_at",
    "wait_5_seconds",
    "search",
    "key_combination",
];

/// Where the provider's `search` leads: its default search engine.
const SEARCH: &str = "https://www.google.com";
const LONGEST_WAIT: f64 = 60.0;
/// Amounts of scrolls that name none: on the grid in the older set, in pixels in the newer one.
const OLD_MAGNITUDE: f64 = 800.0;
const NEW_PIXELS: f64 = 300.0;

/// `false` when the name is none of theirs.
pub(super) fn read(name: &str, arguments: &Value, id: &str, heard: &mut Heard) -> bool {
    if !NAMES.contains(&name) && name != "screenshot" {
        return false;
    }
    let fields = arguments.as_object().cloned().unwrap_or_default();
    let at = place(&fields, &["coordinate", "point"], ["x", "y"]);
    if at == Place::Wrong {
        heard.problem(format!("{name}: x and y must be two numbers from 0 to 1000"));
        return true;
    }
    match name {
        "click" | "click_at" => click(name, "left", 1, at, id, heard),
        "double_click" => click(name, "left", 2, at, id, heard),
        "triple_click" => click(name, "left", 3, at, id, heard),
        "middle_click" => click(name, "middle", 1, at, id, heard),
        "right_click" => click(name, "right", 1, at, id, heard),
        "mouse_down" | "mouse_up" => {
            let mut call = json!({"tool": "hold", "action": name});
            if let Place::At(point) = at {
                call["coordinate"] = written_point(point);
            }
            heard.gesture(id, call);
        }
        "move" | "hover_at" => match at {
            Place::At(point) => {
                heard.gesture(id, json!({"tool": "mouse", "action": "move", "coordinate": written_point(point)}));
            }
            _ => heard.problem(format!("{name} needs x and y")),
        },
        "type" => type_text(at, &fields, Typing { clear: false, enter: false }, id, heard),
        "type_text_at" => type_text(at, &fields, Typing { clear: true, enter: true }, id, heard),
        "drag_and_drop" => drag(at, &fields, id, heard),
        "wait" => wait(lenient::named_number(&fields, &["seconds", "duration"]).unwrap_or(1.0), id, heard),
        "wait_5_seconds" => wait(5.0, id, heard),
        "press_key" | "hotkey" | "key_combination" => press(name, &fields, id, heard),
        "key_down" | "key_up" => match keys(&fields).first() {
            Some(key) => heard.gesture(id, json!({"tool": "hold", "action": name, "key": key})),
            None => heard.problem(format!("{name} needs a key")),
        },
        "scroll" | "scroll_at" | "scroll_document" => scroll(name, at, &fields, id, heard),
        "go_back" => heard.gesture(id, json!({"tool": "tab", "action": "back"})),
        "go_forward" => heard.gesture(id, json!({"tool": "tab", "action": "forward"})),
        "navigate" | "search" | "open_web_browser" => go(name, &fields, id, heard),
        // take_screenshot, in both spellings.
        _ => heard.gesture(id, json!({"tool": "look"})),
    }
    true
}

fn click(name: &str, button: &str, times: u8, at: Place, id: &str, heard: &mut Heard) {
    let Place::At(point) = at else {
        heard.problem(format!("{name} needs x and y"));
        return;
    };
    let mut call = json!({"tool": "mouse", "action": "click", "coordinate": written_point(point)});
    if button != "left" {
        call["button"] = button.into();
    }
    if times > 1 {
        call["count"] = times.into();
    }
    heard.gesture(id, call);
}

/// What typing does when nothing is said about it.
struct Typing {
    clear: bool,
    enter: bool,
}

fn type_text(at: Place, fields: &Map<String, Value>, unsaid: Typing, id: &str, heard: &mut Heard) {
    let Some(text) = lenient::named_text(fields, &["text"]) else {
        heard.problem("typing needs a text");
        return;
    };
    let said = |name: &str| fields.get(name).and_then(lenient::flag);
    if let Place::At(point) = at {
        heard.gesture(id, json!({"tool": "mouse", "action": "click", "coordinate": written_point(point)}));
    }
    if said("clear_before_typing").unwrap_or(unsaid.clear) {
        heard.gesture(id, json!({"tool": "keyboard", "action": "clear"}));
    }
    if !text.is_empty() {
        heard.gesture(id, json!({"tool": "keyboard", "action": "type", "text": text}));
    }
    if said("press_enter").unwrap_or(unsaid.enter) {
        heard.gesture(id, json!({"tool": "keyboard", "action": "press", "key": "enter"}));
    }
}

fn drag(at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let from = match at {
        Place::Absent => place(fields, &["start"], ["start_x", "start_y"]),
        given => given,
    };
    let to = match place(fields, &["destination"], ["destination_x", "destination_y"]) {
        Place::Absent => place(fields, &["end"], ["end_x", "end_y"]),
        given => given,
    };
    match (from, to) {
        (Place::At(from), Place::At(to)) => heard.gesture(
            id,
            json!({"tool": "mouse", "action": "drag", "start_coordinate": written_point(from), "end_coordinate": written_point(to)}),
        ),
        _ => heard.problem("drag_and_drop needs two points: where to take hold and where to let go"),
    }
}

fn wait(seconds: f64, id: &str, heard: &mut Heard) {
    heard.gesture(id, json!({"tool": "wait", "seconds": written(seconds.clamp(0.0, LONGEST_WAIT))}));
}

/// `"control+c"`, or a list of keys that are pressed together.
fn keys(fields: &Map<String, Value>) -> Vec<String> {
    match fields.get("keys").or_else(|| fields.get("key")) {
        Some(Value::Array(list)) => {
            let names = list.iter().take(64).filter_map(lenient::text).flat_map(|key| chords(&key));
            chords(&names.collect::<Vec<_>>().join(" "))
        }
        Some(one) => lenient::text(one).map(|text| chords(&text)).unwrap_or_default(),
        None => Vec::new(),
    }
}

fn press(name: &str, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let keys = keys(fields);
    if keys.is_empty() {
        heard.problem(format!("{name} needs a key, like Enter or control+c"));
    }
    for key in keys {
        heard.gesture(id, json!({"tool": "keyboard", "action": "press", "key": key}));
    }
}

fn scroll(name: &str, at: Place, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let direction = lenient::named_text(fields, &["direction"]).unwrap_or_default().trim().to_lowercase();
    if !["up", "down", "left", "right"].contains(&direction.as_str()) {
        heard.problem(format!("{name} needs a direction: up, down, left or right"));
        return;
    }
    let mut call = json!({"tool": "mouse", "action": "scroll"});
    match (at, name) {
        (Place::At(point), _) => call["coordinate"] = written_point(point),
        // The page as a whole: what lies in the middle of the view.
        (_, "scroll_document") => call["coordinate"] = json!([500, 500]),
        _ => {}
    }
    call["direction"] = direction.into();
    let pixels = lenient::named_number(fields, &["magnitude_in_pixels"]);
    let notches = lenient::named_number(fields, &["magnitude_in_wheel_clicks"]);
    let grid = lenient::named_number(fields, &["magnitude"]);
    match (pixels, notches, grid, name) {
        (Some(pixels), ..) => call["pixels"] = written(pixels),
        (_, Some(notches), ..) => call["notches"] = written(notches),
        (_, _, Some(grid), _) => call["grid"] = written(grid),
        (.., "scroll") => call["pixels"] = written(NEW_PIXELS),
        _ => call["grid"] = written(OLD_MAGNITUDE),
    }
    heard.gesture(id, call);
}

fn go(name: &str, fields: &Map<String, Value>, id: &str, heard: &mut Heard) {
    let url = lenient::named_text(fields, &["url"]).filter(|url| !url.trim().is_empty());
    match (url, name) {
        (Some(url), _) => heard.gesture(id, json!({"tool": "tab", "action": "open", "url": url.trim()})),
        (None, "search") => heard.gesture(id, json!({"tool": "tab", "action": "open", "url": SEARCH})),
        (None, "open_web_browser") => heard.gesture(id, json!({"tool": "look"})),
        (None, _) => heard.problem("navigate needs a url"),
    }
}
