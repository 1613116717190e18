//! A model that sees the preview of its click and clicks the same place again means it: many models have no word for
//! "confirm", and would be shown the same preview for ever.

use serde_json::{Map, Value, json};
use surehand_types::Turn;
use surehand_types::observation::PendingKind;
use surehand_types::reply::CallRequest;

/// Grid units between two clicks on the same thing.
const SAME_PLACE: f64 = 4.0;

/// Puts the confirmation in the place of a first call that repeats what is previewed.
pub(crate) fn confirm_repeated(calls: &mut [CallRequest], last: Option<&Map<String, Value>>, turn: &Turn) -> bool {
    let previewed = turn
        .observation
        .pending
        .as_ref()
        .is_some_and(|pending| matches!(pending.kind, PendingKind::Click | PendingKind::Drag));
    let (Some(first), Some(last)) = (calls.first_mut(), last) else { return false };
    if !previewed || !same(&first.given, last) {
        return false;
    }
    let confirm = json!({"tool": "mouse", "action": "confirm"});
    match CallRequest::parse(&confirm) {
        Ok(confirm) => {
            *first = confirm;
            true
        }
        Err(_) => false,
    }
}

fn same(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    const POINTS: [&str; 3] = ["coordinate", "start_coordinate", "end_coordinate"];
    let rest = |call: &Map<String, Value>| -> Map<String, Value> {
        call.iter()
            .filter(|(name, _)| !POINTS.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    let near = |field: &str| match (point(a, field), point(b, field)) {
        (Some(a), Some(b)) => (a[0] - b[0]).hypot(a[1] - b[1]) <= SAME_PLACE,
        (None, None) => true,
        _ => false,
    };
    let is_preview = matches!(a.get("action").and_then(Value::as_str), Some("click" | "drag"));
    is_preview && a.get("tool") == Some(&json!("mouse")) && rest(a) == rest(b) && POINTS.iter().all(|field| near(field))
}

fn point(call: &Map<String, Value>, field: &str) -> Option<[f64; 2]> {
    match call.get(field)?.as_array()?.as_slice() {
        [x, y] => Some([x.as_f64()?, y.as_f64()?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn only_the_same_gesture_at_the_same_place_is_the_same() {
        let click = |x: i32, button: &str| {
            map(json!({"tool": "mouse", "action": "click", "coordinate": [x, 300], "button": button}))
        };
        assert!(same(&click(500, "left"), &click(502, "left")));
        assert!(!same(&click(500, "left"), &click(510, "left")));
        assert!(!same(&click(500, "left"), &click(500, "right")));
        let drag = |x: i32| {
            map(json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 1], "end_coordinate": [x, 1]}))
        };
        assert!(same(&drag(50), &drag(50)) && !same(&drag(50), &drag(90)));
        let press = map(json!({"tool": "keyboard", "action": "press", "key": "enter"}));
        assert!(!same(&press, &press));
    }
}
