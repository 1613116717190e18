//! Typing, pressing and holding keys.

use serde_json::{Value, json};

use super::super::super::key_names::{chords, modifiers};
use super::fields::{Fields, written};
use super::{Deed, Habits};

const KEYS: &[&str] = &["keys", "key", "combination", "key_combination", "hotkey", "text", "content", "value"];
/// Most presses that one call may ask for.
const MOST_PRESSES: usize = 64;

/// A click first where a place is given, then what is to be typed, in the order a person would do it.
pub(super) fn type_text(fields: &Fields<'_>, habits: Habits) -> Result<Deed, String> {
    let text = fields.text(&["text", "content", "value", "message", "text_value", "input"]);
    let mut text = text.ok_or("typing needs the text to type")?;
    if habits.ends_with_escape && text.ends_with("\\n") {
        text.truncate(text.len() - 2);
        text.push('\n');
    }
    let mut gestures = Vec::new();
    if let Some(place) = fields.place()? {
        gestures.push(json!({"tool": "mouse", "action": "click", "coordinate": written(place)}));
    }
    if fields.flag(&["delete_existing_text", "clear_before_typing", "clear", "clear_first", "replace"]) == Some(true) {
        gestures.push(json!({"tool": "keyboard", "action": "clear"}));
    }
    let enter = fields.flag(&["press_enter", "enter", "submit"]).unwrap_or(habits.types_with_enter);
    if !text.is_empty() {
        gestures.push(json!({"tool": "keyboard", "action": "type", "text": text}));
    }
    // A line break at the end presses Enter already.
    if enter && !text.ends_with('\n') {
        gestures.push(json!({"tool": "keyboard", "action": "press", "key": "enter"}));
    }
    if gestures.is_empty() {
        return Err("typing needs the text to type".into());
    }
    Ok(Deed::of(gestures))
}

pub(super) fn press(fields: &Fields<'_>) -> Result<Deed, String> {
    let keys = named_keys(&fields.texts(KEYS));
    if keys.is_empty() {
        return Err("pressing needs a key, like \"enter\" or \"ctrl+a\"".into());
    }
    let times = fields.number(&["presses", "repeat", "times"]).map_or(1, |times| times.clamp(1.0, 64.0) as usize);
    let all = std::iter::repeat_n(keys, times).flatten().take(MOST_PRESSES);
    Ok(Deed::of(all.map(|key| json!({"tool": "keyboard", "action": "press", "key": key}))))
}

pub(super) fn hold(action: &str, fields: &Fields<'_>) -> Result<Deed, String> {
    let keys: Vec<String> = fields.texts(KEYS).iter().flat_map(|key| chords(key)).take(MOST_PRESSES).collect();
    if keys.is_empty() {
        return Err("holding needs a key, like \"shift\"".into());
    }
    let parts = keys.iter().flat_map(|chord| match chord.rsplit_once('+') {
        Some((held, key)) if !held.is_empty() && !key.is_empty() => held.split('+').chain([key]).collect(),
        _ => vec![chord.as_str()],
    });
    let mut all: Vec<Value> = parts.map(|key| json!({"tool": "hold", "action": action, "key": key})).collect();
    if action == "key_up" {
        all.reverse();
    }
    Ok(Deed::of(all))
}

/// Several names are one chord where all but the last are modifiers, and keys one after the other where not.
pub(super) fn named_keys(names: &[String]) -> Vec<String> {
    let (last, before) = match names.split_last() {
        Some((last, before)) => (last, before),
        None => return Vec::new(),
    };
    let held: Vec<(Vec<&'static str>, bool)> = before.iter().map(|name| modifiers(name)).collect();
    if !before.is_empty() && held.iter().all(|(named, others)| !named.is_empty() && !others) {
        let mut chord: String = held.iter().flat_map(|(named, _)| named).flat_map(|name| [*name, "+"]).collect();
        chord.push_str(last.trim());
        return chords(&chord);
    }
    names.iter().flat_map(|name| chords(name)).take(MOST_PRESSES).collect()
}
