//! Plain words for calls. One place, so that the progress line, the text report and the web page
//! say the same thing in the same way. Outcomes and effects are worded in `outcome` and `facts`.

use serde_json::{Map, Value};
use surehand_types::effect::EffectStatus;
use surehand_types::{Hit, StepRecord};

use super::escape::visible;

/// Longest piece of typed or quoted text inside a sentence.
const QUOTE_CHARS: usize = 60;

/// A call as a person would say it: `click left at 512,300 on button "Save"`.
pub fn call_in_words(call: &Map<String, Value>, hit: Option<&Hit>) -> String {
    let words = match text(call, "tool") {
        Some("mouse") => mouse(call),
        Some("keyboard") => keyboard(call),
        Some("tab") => tab(call),
        Some("dialog") => dialog(call),
        Some("select_option") => format!("choose {}", list(call, "values")),
        Some("upload_file") => format!("upload {}", list(call, "paths")),
        Some("wait") => {
            let seconds = call.get("seconds").and_then(Value::as_f64).unwrap_or(1.0);
            format!("wait {} s", short_number(seconds))
        }
        Some("zoom") => format!("zoom into {}", region(call)),
        Some("inspect") => "inspect the screen".into(),
        Some("ask_user") => format!("ask the person {}", quoted(call, "question")),
        Some("done") => done(call),
        Some("window") => window(call),
        Some(other) => match text(call, "action") {
            Some(action) => format!("{} {}", clip(other), clip(action)),
            None => clip(other),
        },
        None => "a call without a tool".into(),
    };
    match hit {
        Some(hit) if text(call, "tool") == Some("mouse") => {
            let hit = clip(&hit.descriptor);
            match target(call) {
                // A script named what it wanted; what it got is only news when it differs.
                Some(wanted) if wanted == hit => words,
                Some(_) => format!("{words}, hitting {hit}"),
                None => format!("{words} on {hit}"),
            }
        }
        _ => words,
    }
}

/// How a step went, in two words at most. What was done and brought nothing about is not "ok".
pub fn state_in_words(record: &StepRecord) -> &'static str {
    match record.effect.as_ref().map(|effect| effect.status) {
        _ if !record.ok => "failed",
        Some(EffectStatus::NoEffect) => "no effect",
        Some(EffectStatus::Refused) => "not done",
        _ => "ok",
    }
}

fn mouse(call: &Map<String, Value>) -> String {
    let button = text(call, "button").unwrap_or("left");
    let mut words = match text(call, "action").unwrap_or("move") {
        "move" => format!("move the cursor{}", place(call, " to", "coordinate")),
        "click" => {
            let count = call.get("count").and_then(Value::as_u64).unwrap_or(1);
            let kind = match count {
                2 => "double click",
                3 => "triple click",
                _ => "click",
            };
            match place(call, " at", "coordinate") {
                place if place.is_empty() => match target(call) {
                    Some(target) => format!("{kind} {button} on {target}"),
                    None => format!("{kind} {button} at the cursor"),
                },
                place => format!("{kind} {button}{place}"),
            }
        }
        "drag" => {
            let held = if button == "left" { String::new() } else { format!(" {button}") };
            format!("drag{held}{}{}", place(call, " from", "start_coordinate"), place(call, " to", "end_coordinate"))
        }
        "scroll" => {
            let direction = text(call, "direction").unwrap_or("down");
            let amount = call.get("amount").and_then(Value::as_u64).unwrap_or(300);
            format!("scroll {direction} by {amount}{}", place(call, " at", "coordinate"))
        }
        "reset" => "put the cursor back in the centre".into(),
        "confirm" => "confirm the previewed action".into(),
        other => format!("mouse {}", clip(other)),
    };
    words.push_str(&held_keys(call));
    words
}

fn keyboard(call: &Map<String, Value>) -> String {
    match text(call, "action") {
        Some("type") => format!("type {}", quoted(call, "text")),
        Some("press") => {
            let mut keys: Vec<String> = modifiers(call);
            keys.push(clip(text(call, "key").unwrap_or("a key")));
            format!("press {}", keys.join("+"))
        }
        Some("clear") => "clear the focused field".into(),
        other => format!("keyboard {}", clip(other.unwrap_or_default())),
    }
}

fn tab(call: &Map<String, Value>) -> String {
    let which = match text(call, "tab_id") {
        Some(id) => format!("tab {}", clip(id)),
        None => "the tab".into(),
    };
    match text(call, "action") {
        Some("open") => format!("open {} in a new tab", clip(text(call, "url").unwrap_or("a page"))),
        // Only plans say it.
        Some("go") => format!("go to {}", clip(text(call, "url").unwrap_or("a page"))),
        Some("close") => format!("close {which}"),
        Some("switch") => format!("switch to {which}"),
        Some("list") => "list the tabs".into(),
        Some("refresh") => format!("reload {which}"),
        Some("view") => format!("look at {which} again"),
        Some("back") => format!("go back in {which}"),
        Some("forward") => format!("go forward in {which}"),
        other => format!("tab {}", clip(other.unwrap_or_default())),
    }
}

fn dialog(call: &Map<String, Value>) -> String {
    let answer = match text(call, "dialog_action") {
        Some("dismiss") => "dismiss the dialog",
        _ => "accept the dialog",
    };
    match text(call, "prompt_text") {
        Some(_) => format!("{answer} with {}", quoted(call, "prompt_text")),
        None => answer.into(),
    }
}

fn done(call: &Map<String, Value>) -> String {
    let success = call.get("success").and_then(Value::as_bool) == Some(true);
    let claim = if success { "say the task is done" } else { "give up on the task" };
    match text(call, "summary") {
        Some(summary) if !summary.is_empty() => format!("{claim}: {}", quoted(call, "summary")),
        _ => claim.into(),
    }
}

fn window(call: &Map<String, Value>) -> String {
    let which = format!("window {}", clip(text(call, "window_id").unwrap_or("?")));
    match text(call, "action") {
        Some("list") => "list the windows".into(),
        Some("focus") => format!("bring {which} to the front"),
        Some("close") => format!("close {which}"),
        Some("resize") => {
            let side = |name| call.get(name).and_then(Value::as_u64).unwrap_or(0);
            format!("resize {which} to {} by {}", side("width"), side("height"))
        }
        other => format!("window {}", clip(other.unwrap_or_default())),
    }
}

fn held_keys(call: &Map<String, Value>) -> String {
    let keys = modifiers(call);
    if keys.is_empty() { String::new() } else { format!(" holding {}", keys.join("+")) }
}

fn modifiers(call: &Map<String, Value>) -> Vec<String> {
    let Some(Value::Array(keys)) = call.get("modifiers") else {
        return Vec::new();
    };
    keys.iter().filter_map(Value::as_str).map(clip).collect()
}

/// A script's target, for calls whose coordinate is found only when they run.
fn target(call: &Map<String, Value>) -> Option<String> {
    let target = call.get("target")?.as_object()?;
    let role = text(target, "role").map_or("element".into(), clip);
    Some(match text(target, "text") {
        Some(name) => format!("{role} {:?}", clip(name)),
        None => role,
    })
}

fn place(call: &Map<String, Value>, preposition: &str, field: &str) -> String {
    let Some(Value::Array(numbers)) = call.get(field) else {
        return String::new();
    };
    match numbers.as_slice() {
        [x, y] => format!("{preposition} {x},{y}"),
        _ => String::new(),
    }
}

fn region(call: &Map<String, Value>) -> String {
    let Some(Value::Array(numbers)) = call.get("region") else {
        return "a region".into();
    };
    match numbers.as_slice() {
        [x0, y0, x1, y1] => format!("{x0},{y0} to {x1},{y1}"),
        _ => "a region".into(),
    }
}

fn list(call: &Map<String, Value>, field: &str) -> String {
    let Some(Value::Array(items)) = call.get(field) else {
        return "nothing".into();
    };
    let mut words: Vec<String> =
        items.iter().take(4).map(|item| format!("{:?}", clip(item.as_str().unwrap_or_default()))).collect();
    if items.len() > 4 {
        words.push(format!("{} more", items.len() - 4));
    }
    words.join(", ")
}

fn quoted(call: &Map<String, Value>, field: &str) -> String {
    format!("{:?}", clip(text(call, field).unwrap_or_default()))
}

fn text<'a>(call: &'a Map<String, Value>, field: &str) -> Option<&'a str> {
    call.get(field).and_then(Value::as_str)
}

/// Shortened and on one line: what pages and brains say is untrusted, also in a terminal.
fn clip(text: &str) -> String {
    clip_to(text, QUOTE_CHARS)
}

pub fn clip_to(text: &str, limit: usize) -> String {
    let mut short: String =
        text.chars().take(limit).map(|c| if c.is_whitespace() { ' ' } else { visible(c) }).collect();
    if text.chars().nth(limit).is_some() {
        short.pop();
        short.push('…');
    }
    short
}

fn short_number(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
