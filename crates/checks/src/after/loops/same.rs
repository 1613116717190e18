//! When two actions are the same one: equal parameters, places that are close enough, keys that only scroll.

use serde_json::{Map, Value};

use crate::action::Action;

/// What a click aims at, as far as its reasoning says; a button is larger than a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TargetClass {
    Button,
    Link,
    Other,
}

const BUTTON_WORDS: &[&str] = &["button", "submit"];
const LINK_WORDS: &[&str] = &["link", "anchor", "menu", "dropdown", "select"];

/// Keys that move a page, in the spelling that `plain_key` gives.
const SCROLL_KEYS: &[&str] =
    &["pagedown", "pageup", "pgdn", "pgup", "down", "up", "arrowdown", "arrowup", "home", "end", "space"];

/// Scrolling letters; with a modifier they are something else.
const SCROLL_LETTERS: &[&str] = &["j", "k"];

/// Parts of key names by which the source takes a key for a scrolling one.
const SCROLL_KEY_PARTS: &[&str] = &["page", "pgdn", "pgup", "down", "up", "home", "end", "space", "j", "k"];

/// Numbers are equal by value: 1 is 1.0.
pub(super) fn same_params(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    one.len() == other.len() && one.iter().all(|(name, value)| other.get(name).is_some_and(|o| same_value(value, o)))
}

fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Object(one), Value::Object(other)) => same_params(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_value(one, other))
        }
        _ => one == other,
    }
}

/// Places of a pointer action: one point, or the start and the end of a drag.
pub(super) fn places(action: &Action) -> Option<Vec<(f64, f64)>> {
    let point = |x: &str, y: &str| action.number(x).zip(action.number(y));
    match action.r#type.as_str() {
        "click" | "double_click" => Some(vec![point("x", "y")?]),
        "drag" => Some(vec![point("start_x", "start_y")?, point("end_x", "end_y")?]),
        _ => None,
    }
}

/// The same number of places, each within the tolerance on both axes.
pub(super) fn near(one: &[(f64, f64)], other: &[(f64, f64)], tolerance: f64) -> bool {
    let close = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() <= tolerance && (a.1 - b.1).abs() <= tolerance;
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| close(a, b))
}

/// The tolerance for what a reasoning says is aimed at.
pub(super) fn tolerance_for(reasoning: &str, click_tolerance: i64) -> f64 {
    let factor = match target_class(reasoning) {
        TargetClass::Button => 1.5,
        TargetClass::Link => 0.5,
        TargetClass::Other => 1.0,
    };
    (click_tolerance as f64 * factor).round_ties_even()
}

fn target_class(reasoning: &str) -> TargetClass {
    let lowered = reasoning.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lowered.contains(word));
    if says(BUTTON_WORDS) {
        TargetClass::Button
    } else if says(LINK_WORDS) {
        TargetClass::Link
    } else {
        TargetClass::Other
    }
}

/// Whether repeating the action is how one reads a long page.
pub(super) fn is_scroll_like(action: &Action) -> bool {
    action.r#type == "scroll" || (action.r#type == "key_press" && action.text("keys").is_some_and(is_scroll_key))
}

/// As `is_scroll_like`, with the source's search for parts of key names.
pub(super) fn is_scroll_like_by_parts(action: &Action) -> bool {
    let by_parts = |keys: &str| {
        let lowered = keys.to_lowercase();
        SCROLL_KEY_PARTS.iter().any(|part| lowered.contains(part))
    };
    action.r#type == "scroll" || (action.r#type == "key_press" && action.text("keys").is_some_and(by_parts))
}

fn is_scroll_key(keys: &str) -> bool {
    let (modifiers, key) = keys.trim().rsplit_once('+').unwrap_or(("", keys));
    let key = plain_key(key);
    SCROLL_KEYS.contains(&key.as_str()) || (modifiers.is_empty() && SCROLL_LETTERS.contains(&key.as_str()))
}

fn plain_key(key: &str) -> String {
    let name = key.trim().to_lowercase();
    let name = name.strip_prefix("kp_").unwrap_or(&name);
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn dev_15_scroll_keys_are_keys_and_not_parts_of_names() {
        let key = |keys: &str| Action::new("key_press", json!({ "keys": keys }));
        for keys in ["Page_Down", "PageUp", "Down", "shift+space", "ctrl+Home", "j", "K", " End ", "KP_Down"] {
            assert!(is_scroll_like(&key(keys)), "{keys}");
        }
        for keys in ["BackSpace", "ctrl+k", "Tab", "Return", "ctrl+j", "jump", "", "+", "Backup"] {
            assert!(!is_scroll_like(&key(keys)), "{keys}");
        }
        assert!(is_scroll_like_by_parts(&key("BackSpace")));
        assert!(!is_scroll_like_by_parts(&key("Tab")));
        assert!(!is_scroll_like(&Action::new("key_press", json!({ "keys": null }))));
    }

    #[test]
    fn dev_18_a_tie_of_the_tolerance_goes_either_way() {
        assert!([4.0, 5.0].contains(&tolerance_for("a link", 9)));
        assert_eq!(tolerance_for("the link button", 8), 12.0);
        assert_eq!(tolerance_for("", 8), 8.0);
    }

    #[test]
    fn numbers_are_equal_by_value() {
        let map = |value: Value| value.as_object().cloned().unwrap();
        assert!(same_params(&map(json!({"a": 1, "b": [1.0]})), &map(json!({"a": 1.0, "b": [1]}))));
        assert!(!same_params(&map(json!({"a": 1})), &map(json!({"a": 1, "b": null}))));
        assert!(!same_params(&map(json!({"a": "1"})), &map(json!({"a": 1}))));
    }
}
