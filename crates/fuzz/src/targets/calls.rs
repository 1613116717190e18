//! Tool calls, replies, keys and coordinates.

use proptest::strategy::BoxedStrategy;
use serde_json::{Value, json};
use surehand_types::call::TargetQuery;
use surehand_types::keys::{Chord, Modifier, edit_distance, stroke_for_character};
use surehand_types::reply::CallRequest;
use surehand_types::{Call, GridPoint, Reply, ViewBox, ViewPoint, ViewSize};

use crate::generate::{mutated_json, mutated_text};
use crate::{Target, holds, is_sentence};

pub(super) const CALLS: Target = Target { name: "calls", cases: 400, input: calls, check: check_call };
pub(super) const REPLIES: Target = Target { name: "replies", cases: 300, input: replies, check: check_reply };
pub(super) const KEYS: Target = Target { name: "keys", cases: 300, input: keys, check: check_key };
pub(super) const COORDINATES: Target =
    Target { name: "coordinates", cases: 300, input: coordinates, check: check_coordinates };

fn example_calls() -> Vec<Value> {
    vec![
        json!({"tool": "mouse", "action": "click", "coordinate": [512, 300], "button": "left", "count": 2, "modifiers": ["ctrl"]}),
        json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [998, 999], "steps": 5}),
        json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 500], "direction": "down", "amount": 300}),
        json!({"tool": "mouse", "action": "click", "target": {"text": "Save", "role": "button", "index": 0}}),
        json!({"tool": "mouse", "action": "confirm"}),
        json!({"tool": "keyboard", "action": "type", "text": "hello <secret:password>"}),
        json!({"tool": "keyboard", "action": "press", "key": "ctrl+shift+k", "modifiers": ["alt"]}),
        json!({"tool": "tab", "action": "open", "url": "https://example.com/"}),
        json!({"tool": "tab", "action": "switch", "tab_id": "t2"}),
        json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "yes"}),
        json!({"tool": "select_option", "values": ["One", "Two"]}),
        json!({"tool": "upload_file", "paths": ["a.txt", "../b.txt"]}),
        json!({"tool": "zoom", "region": [0, 0, 500, 500]}),
        json!({"tool": "wait", "seconds": 1.5}),
        json!({"tool": "ask_user", "question": "Which one?"}),
        json!({"tool": "window", "action": "resize", "window_id": "w1", "width": 800, "height": 600}),
        json!({"tool": "done", "success": true, "summary": "It is done.", "output": {"price": 5}}),
    ]
}

fn calls() -> BoxedStrategy<Vec<u8>> {
    mutated_json(example_calls())
}

fn check_call(input: &[u8]) -> Result<(), String> {
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return Ok(()) };
    match Call::parse(&value) {
        Ok(parsed) => {
            let _ = (parsed.call.tool_name(), parsed.call.only_looks());
        }
        Err(problem) => is_sentence(&problem.message)?,
    }
    if let Err(problem) = CallRequest::parse(&value) {
        is_sentence(&problem.message)?;
    }
    if let Value::Object(mut map) = value {
        match TargetQuery::take(&mut map) {
            Ok(Some(query)) => {
                if let Err(sentence) = query.resolve(&[]) {
                    is_sentence(&sentence)?;
                }
            }
            Ok(None) => {}
            Err(problem) => is_sentence(&problem.message)?,
        }
    }
    Ok(())
}

fn replies() -> BoxedStrategy<Vec<u8>> {
    let reply = |calls: &[Value]| json!({"thought": "I click.", "expected": ["url_contains:/cart"], "calls": calls});
    let calls = example_calls();
    mutated_json(calls.chunks(3).map(reply).collect())
}

fn check_reply(input: &[u8]) -> Result<(), String> {
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return Ok(()) };
    match Reply::parse(&value) {
        Ok(reply) => {
            let kept = reply.kept();
            let thought = kept.thought.map_or(0, |thought| thought.chars().count());
            holds(thought <= 20_100, || format!("{thought} characters of a thought are kept"))?;
            holds(kept.expected.len() <= 100, || format!("{} predictions are kept", kept.expected.len()))
        }
        Err(problem) => is_sentence(&problem.0),
    }
}

fn keys() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&["ctrl+shift+k", "Enter", "F12", "alt+Tab", "ArrowLeft", "meta+a", "space", "+", "ctrl++", "ä"])
}

fn check_key(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    for extra in [&[][..], &[Modifier::Ctrl, Modifier::Shift][..]] {
        if let Err(sentence) = Chord::parse(&text, extra) {
            is_sentence(&sentence)?;
        }
    }
    let _ = Modifier::parse(&text);
    for character in text.chars().take(100) {
        let _ = stroke_for_character(character);
    }
    let short: String = text.chars().take(200).collect();
    let distance = edit_distance(&short, "Enter");
    holds(distance <= short.len().max(5), || format!("{distance} changes for {short:?}"))
}

fn coordinates() -> BoxedStrategy<Vec<u8>> {
    mutated_json(vec![json!([0, 0, 1280, 720]), json!([999, 1000, 1, 1]), json!([500.5, 0.1, 3840, 2160])])
}

fn check_coordinates(input: &[u8]) -> Result<(), String> {
    let Ok(numbers) = serde_json::from_slice::<Vec<f64>>(input) else { return Ok(()) };
    let [x, y, width, height] = numbers[..] else { return Ok(()) };
    let size = ViewSize { width: (width as u32).clamp(1, 100_000), height: (height as u32).clamp(1, 100_000) };
    let grid = size.grid_point(x, y);
    let back: ViewPoint = grid.to_view(size);
    let inside = |value: i32, length: u32| u32::try_from(value).is_ok_and(|value| value < length);
    holds(inside(back.x, size.width) && inside(back.y, size.height), || {
        format!("{x},{y} came back as {back:?} in {size:?}")
    })?;
    let again: GridPoint = back.to_grid(size);
    let far = |a: u16, b: u16, length: u32| u32::from(a.abs_diff(b)) > 1000 / length + 1;
    holds(!far(grid.x, again.x, size.width) && !far(grid.y, again.y, size.height), || {
        format!("{grid:?} came back as {again:?} in {size:?}")
    })?;
    let bounds = size.grid_box(ViewBox { x0: x, y0: y, x1: width, y1: height });
    holds(bounds.x1 <= 1000 && bounds.y1 <= 1000, || format!("{bounds:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes of something that is wrong from the start would all end at the same place.
    #[test]
    fn the_examples_are_right() {
        for call in example_calls() {
            CallRequest::parse(&call).unwrap();
            Reply::parse(&json!({"thought": "t", "expected": ["url_changed"], "calls": [call]})).unwrap();
        }
    }
}
