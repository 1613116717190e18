//! What a written call means. Models of every family name the same few deeds in many ways; here is the one table of
//! names, whatever the dialect. A dialect only adds its habits. Results are gestures, with the model's own numbers.

mod ends;
mod fields;
mod keys;
mod pointer;
mod pyautogui;

use serde_json::{Map, Value, json};
use surehand_types::call::spec::{self, FieldKind};

use self::fields::Fields;
use super::super::heard::{Heard, shown};
use super::super::own_tools::{self, CONFIRM_PREVIEW};
use super::super::tolerant::{Literal, PyCall, WrittenCall, corners, point};

pub(super) use self::ends::fill_endings;
pub(super) use self::pyautogui::script;

/// How a family of models means what it writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Habits {
    /// `press` and `release` hold a key down and let it go.
    pub(super) press_holds: bool,
    /// A `\n` in letters at the end of a text means Enter.
    pub(super) ends_with_escape: bool,
    /// Enter follows what is typed, unless the call says otherwise.
    pub(super) types_with_enter: bool,
    /// A wait that does not say how long.
    pub(super) wait_seconds: Option<f64>,
    /// Notches of a scroll that does not say how far.
    pub(super) notches: Option<f64>,
    /// The names that the dialect's prompt teaches, for the sentence about an unknown one.
    pub(super) known: &'static str,
}

impl Default for Habits {
    fn default() -> Self {
        Habits {
            press_holds: false,
            ends_with_escape: false,
            types_with_enter: false,
            wait_seconds: None,
            notches: None,
            known: "mouse, keyboard, tab, wait, done",
        }
    }
}

/// What one call comes to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Deed {
    pub(super) gestures: Vec<Value>,
    /// A fact that the model wants to keep.
    pub(super) note: Option<String>,
}

impl Deed {
    fn of(gestures: impl IntoIterator<Item = Value>) -> Deed {
        Deed { gestures: gestures.into_iter().collect(), note: None }
    }
}

/// Functions that only say where the real name is: in `action`.
const WRAPPERS: &[&str] =
    &["", "computer_use", "computer", "browser_use", "browser", "mobile_use", "gui", "computer_use_tool", "execute"];
/// Declared tools whose calls have points in them, or that models also know by other fields.
const OWN_HANDS: &[&str] = &["mouse", "keyboard", "wait", "inspect"];

/// Reads a call into the answer. A call that makes no sense is the answer's problem.
pub(super) fn read(call: &WrittenCall, habits: Habits, heard: &mut Heard) -> Option<String> {
    let id = call.id.as_deref().unwrap_or_default();
    let name = plain_name(&call.name);
    let wrapped = WRAPPERS.contains(&name.as_str());
    let action =
        if wrapped { call.fields.get("action").and_then(Value::as_str).map(plain_name) } else { Some(name.clone()) };
    let Some(action) = action.filter(|action| !action.is_empty()) else {
        heard.problem(format!("a call has no action; known are {}; nothing of the answer was run", habits.known));
        return None;
    };
    let mut fields = call.fields.clone();
    if wrapped {
        fields.shift_remove("action");
    }
    // Tools of ours that others name too, with other fields, and those whose own `action` the wrapper has taken.
    let not_plainly_ours = match action.as_str() {
        "done" => !fields.contains_key("success"),
        "ask_user" => !fields.contains_key("question"),
        "tab" | "window" => wrapped,
        "zoom" => true,
        _ => false,
    };
    if !not_plainly_ours && own_tools::read(&action, &Value::Object(fields.clone()), id, heard) {
        return None;
    }
    match deed(&action, &fields, habits) {
        Ok(deed) => {
            deed.gestures.into_iter().for_each(|gesture| heard.gesture(id, gesture));
            deed.note
        }
        Err(sentence) => {
            heard.problem(format!("{sentence}; nothing of the answer was run"));
            None
        }
    }
}

/// Whether a function of this name may stand in a text as a call.
pub(super) fn is_known(name: &str) -> bool {
    let name = plain_name(name);
    let probe = json!({"coordinate": [1, 1], "end_coordinate": [1, 1], "text": "a", "key": "a", "url": "a", "region": [1, 1, 2, 2], "direction": "up"});
    WRAPPERS[1..].contains(&name.as_str())
        || spec::find(&name).is_some()
        || name == CONFIRM_PREVIEW
        || deed(&name, probe.as_object().unwrap_or(&Map::new()), Habits::default()).is_ok()
}

fn deed(action: &str, given: &Map<String, Value>, habits: Habits) -> Result<Deed, String> {
    let fields = Fields::new(given);
    let tab = |action: &str| Ok(Deed::of([json!({"tool": "tab", "action": action})]));
    match action {
        "mouse" | "keyboard" | "inspect" => own_hand(action, given, habits),
        "left_click" | "leftclick" | "click" | "single_click" | "left_single" | "tap" | "click_at"
        | "click_absolute" | "click_element" | "mouse_click" => pointer::click(&fields, "left", 1),
        "right_click" | "rightclick" | "right_single" | "context_click" => pointer::click(&fields, "right", 1),
        "middle_click" | "middleclick" => pointer::click(&fields, "middle", 1),
        "double_click" | "doubleclick" | "left_double" | "double_tap" | "dblclick" => {
            pointer::click(&fields, "left", 2)
        }
        "triple_click" | "tripleclick" | "left_triple" => pointer::click(&fields, "left", 3),
        "mouse_move" | "move" | "move_to" | "moveto" | "hover" | "hover_at" | "move_mouse" => pointer::hover(&fields),
        "left_click_drag" | "drag" | "drag_to" | "dragto" | "drag_and_drop" | "swipe" => pointer::drag(&fields),
        "scroll" | "hscroll" | "vscroll" | "scroll_at" | "scroll_up" | "scroll_down" | "scroll_left"
        | "scroll_right" => pointer::scroll(action, &fields, habits),
        "mouse_down" | "mousedown" | "left_mouse_down" => pointer::hold("mouse_down", &fields),
        "mouse_up" | "mouseup" | "left_mouse_up" => pointer::hold("mouse_up", &fields),
        "type" | "write" | "type_text" | "input" | "input_text" | "type_text_at" | "write_element"
        | "write_element_abs" | "typewrite" | "enter_text" => keys::type_text(&fields, habits),
        "press" | "keydown" | "key_down" if action != "press" || habits.press_holds => keys::hold("key_down", &fields),
        "release" | "keyup" | "key_up" => keys::hold("key_up", &fields),
        "key" | "press" | "press_key" | "press_keys" | "key_press" | "keypress" | "hotkey" | "key_combination"
        | "keyboard_press" | "hold_key" => keys::press(&fields),
        "clear" | "clear_field" | "clear_text" => Ok(Deed::of([json!({"tool": "keyboard", "action": "clear"})])),
        "wait" | "sleep" | "pause" => Ok(Deed::of([wait(&fields, habits)])),
        "screenshot" | "take_screenshot" | "look" | "view" | "observe" | "get_screenshot" | "cursor_position" => {
            Ok(Deed::of([json!({"tool": "look"})]))
        }
        "zoom" => zoom(&fields),
        "confirm_preview" | "confirm" | "commit" => Ok(Deed::of([json!({"tool": "mouse", "action": "confirm"})])),
        "visit_url" | "goto" | "goto_url" | "go_to_url" | "navigate" | "navigate_to" | "open_url" | "open"
        | "load_url" | "open_tab" | "new_tab" => ends::visit(&fields),
        "web_search" | "search" | "search_web" => ends::search(&fields),
        "history_back" | "go_back" | "back" | "navigate_back" => tab("back"),
        "go_forward" | "forward" | "navigate_forward" => tab("forward"),
        "refresh" | "reload" => tab("refresh"),
        "open_web_browser" => Ok(Deed::of([json!({"tool": "look"})])),
        "pause_and_memorize_fact" | "memorize" | "remember" | "take_note" => ends::memorize(&fields),
        "terminate" | "finished" | "finish" | "done" | "complete" | "task_complete" | "stop" | "end" | "fail"
        | "failed" | "infeasible" | "answer" | "give_answer" => ends::end(action, &fields),
        "call_user" | "ask" | "ask_user" | "ask_user_question" | "request_help" => Ok(ends::ask(&fields)),
        _ => Err(format!("{:?} is no action; known are {}", shown(action), habits.known)),
    }
}

/// A call of our own mouse or keyboard. Other families' names for actions are understood in it too.
fn own_hand(tool: &str, given: &Map<String, Value>, habits: Habits) -> Result<Deed, String> {
    let action = given.get("action").and_then(Value::as_str).map(plain_name);
    let declared = |action: &str| {
        spec::find(tool).and_then(|tool| tool.field("action")).is_some_and(|field| match field.kind {
            FieldKind::Choice(values) => values.contains(&action),
            _ => false,
        })
    };
    if let Some(action) = action.as_deref().filter(|action| !declared(action))
        && !OWN_HANDS.contains(&action)
    {
        let mut rest = given.clone();
        rest.shift_remove("action");
        return deed(action, &rest, habits);
    }
    let mut call = Map::new();
    call.insert("tool".into(), tool.into());
    for (field, value) in given {
        let value = match field.as_str() {
            "tool" => continue,
            "coordinate" | "start_coordinate" | "end_coordinate" => match point(value) {
                Some(place) => fields::written(place),
                None => value.clone(),
            },
            _ => value.clone(),
        };
        call.insert(field.clone(), value);
    }
    Ok(Deed::of([Value::Object(call)]))
}

fn wait(fields: &Fields<'_>, habits: Habits) -> Value {
    let seconds = fields.number(&["seconds", "time", "duration", "secs", "amount"]).or(habits.wait_seconds);
    match seconds {
        Some(seconds) => json!({"tool": "wait", "seconds": seconds.clamp(0.0, 60.0)}),
        None => json!({"tool": "wait"}),
    }
}

fn zoom(fields: &Fields<'_>) -> Result<Deed, String> {
    let region = fields.any(&["region", "bbox", "box", "bounding_box", "coordinate", "start_box"]).and_then(corners);
    let region = region.ok_or("zoom needs a region of four numbers: left, top, right, bottom")?;
    Ok(Deed::of([json!({"tool": "zoom", "region": region.map(super::super::lenient::written).to_vec()})]))
}

/// `functions.Left-Click` is `left_click`, and so is `leftClick`.
fn plain_name(name: &str) -> String {
    let name = name.trim().trim_matches(['`', '"', '\'']);
    let name = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    let mut plain = String::new();
    let mut before = ' ';
    for next in name.chars().take(80) {
        match next {
            '-' | ' ' => plain.push('_'),
            next if next.is_ascii_uppercase() => {
                if before.is_ascii_lowercase() {
                    plain.push('_');
                }
                plain.push(next.to_ascii_lowercase());
            }
            next => plain.push(next),
        }
        before = next;
    }
    plain
}

/// A call as Python writes it, with its places named.
pub(super) fn from_python(call: PyCall) -> WrittenCall {
    let mut fields: Map<String, Value> = call.named.into_iter().map(|(name, value)| (name, json_of(value))).collect();
    let name = plain_name(&call.name);
    if let Some(tool) = spec::find(&name).filter(|_| !OWN_HANDS.contains(&name.as_str())) {
        for (field, value) in tool.fields.iter().zip(call.positional) {
            fields.insert(field.name.into(), json_of(value));
        }
        return WrittenCall { name, fields, id: None };
    }
    let (numbers, others): (Vec<Literal>, Vec<Literal>) =
        call.positional.into_iter().partition(|value| matches!(value, Literal::Number(_)));
    let numbers: Vec<Value> = numbers.into_iter().map(json_of).collect();
    match numbers.as_slice() {
        [one] => {
            fields.entry(if name.contains("scroll") { "pixels" } else { "seconds" }).or_insert_with(|| one.clone());
        }
        [x, y] => {
            fields.entry("coordinate").or_insert_with(|| json!([x, y]));
        }
        [x0, y0, x1, y1] => {
            fields.entry("start_coordinate").or_insert_with(|| json!([x0, y0]));
            fields.entry("end_coordinate").or_insert_with(|| json!([x1, y1]));
        }
        _ => {}
    }
    match others.as_slice() {
        [] => {}
        [Literal::List(items)] if items.iter().all(|item| matches!(item, Literal::Number(_))) => {
            fields.entry("coordinate").or_insert_with(|| json_of(others[0].clone()));
        }
        [Literal::Text(text)] if point(&Value::from(text.as_str())).is_some() && !name.starts_with("type") => {
            fields.entry("coordinate").or_insert_with(|| Value::from(text.as_str()));
        }
        [Literal::Text(text)] => {
            fields.entry("text").or_insert_with(|| Value::from(text.as_str()));
        }
        _ => {
            let all: Vec<Value> = others.into_iter().map(json_of).collect();
            fields.entry("keys").or_insert_with(|| Value::Array(all));
        }
    }
    WrittenCall { name: call.name, fields, id: None }
}

fn json_of(literal: Literal) -> Value {
    match literal {
        Literal::Text(text) => Value::String(text),
        Literal::Number(number) => super::super::lenient::written(number),
        Literal::Bool(flag) => Value::Bool(flag),
        Literal::None => Value::Null,
        Literal::List(items) => Value::Array(items.into_iter().map(json_of).collect()),
    }
}

#[cfg(test)]
mod tests;
