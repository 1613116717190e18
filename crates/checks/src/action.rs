//! What the brain chose, in the few words that the checks need: one shape for calls of our own and for
//! the actions of conformance vectors.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use surehand_types::Call;
use surehand_types::call::{KeyboardCall, MouseButton, MouseCall};
use surehand_types::observation::Dispatched;

/// One action. `params` hold what it was given, by the names of the vectors.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Action {
    pub r#type: String,
    #[serde(default, deserialize_with = "null_is_nothing")]
    pub params: Map<String, Value>,
    #[serde(default, deserialize_with = "null_is_nothing")]
    pub reasoning: String,
}

/// What is not there may be written as null.
fn null_is_nothing<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

impl Action {
    pub fn new(kind: &str, params: Value) -> Action {
        let params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        Action { r#type: kind.into(), params, reasoning: String::new() }
    }

    /// A wait, as the runtime puts it in place of a done that it refuses.
    pub fn wait(seconds: f64) -> Action {
        Action::new("wait", serde_json::json!({ "seconds": seconds }))
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name).and_then(Value::as_str)
    }

    /// A whole coordinate; numbers written as text count as well.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.params.get(name)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// One of our own calls. Coordinates are those that were dispatched, in view pixels.
    /// `key` is the chord as it was written.
    pub fn of_call(call: &Call, thought: &str, key: Option<&str>, dispatched: Option<&Dispatched>) -> Action {
        let at = dispatched.map(|dispatched| (dispatched.x, dispatched.y));
        let from = dispatched.and_then(|dispatched| dispatched.from).map(|from| (from.x, from.y));
        let (x, y) = at.unzip();
        let place = serde_json::json!({ "x": x, "y": y });
        let mut action = match call {
            Call::Mouse(MouseCall::Click { button, count, .. }) => {
                let kind = if *count >= 2 { "double_click" } else { "click" };
                let mut action = Action::new(kind, place);
                if *button != MouseButton::Left {
                    action.params.insert("button".into(), serde_json::json!(button));
                }
                action
            }
            Call::Mouse(MouseCall::Drag { .. }) => {
                let (start_x, start_y) = from.unzip();
                Action::new(
                    "drag",
                    serde_json::json!({ "start_x": start_x, "start_y": start_y, "end_x": x, "end_y": y }),
                )
            }
            Call::Mouse(MouseCall::Scroll { direction, amount, .. }) => {
                Action::new("scroll", serde_json::json!({ "direction": direction, "amount": amount, "x": x, "y": y }))
            }
            Call::Mouse(MouseCall::Move { .. }) => Action::new("move", place),
            Call::Keyboard(KeyboardCall::Press { chord }) => Action::new(
                "key_press",
                serde_json::json!({ "keys": key.map_or_else(|| chord.to_string(), str::to_string) }),
            ),
            Call::Keyboard(KeyboardCall::Type { text }) => {
                Action::new("type_text", serde_json::json!({ "text": text }))
            }
            Call::Keyboard(KeyboardCall::Clear) => Action::new("key_press", serde_json::json!({ "keys": "ctrl+a" })),
            Call::Wait { seconds } => Action::wait(*seconds),
            Call::Done { success, summary, .. } => {
                Action::new("done", serde_json::json!({ "success": success, "summary": summary }))
            }
            _ => Action::new("other", Value::Null),
        };
        action.reasoning = thought.to_string();
        action
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nulls_are_nothing_and_numbers_may_be_written_as_text() {
        let action: Action =
            serde_json::from_value(json!({"type": "wait", "params": null, "reasoning": null})).unwrap();
        assert_eq!(action, Action { r#type: "wait".into(), ..Action::default() });
        let click = Action::new("click", json!({"x": "640", "y": 3.5, "z": []}));
        assert_eq!((click.number("x"), click.number("y"), click.number("z")), (Some(640.0), Some(3.5), None));
    }

    #[test]
    fn our_calls_speak_the_words_of_the_vectors() {
        let of = |call: Value| {
            let call = Call::parse(&call).unwrap().call;
            let dispatched = Dispatched::at(surehand_types::ViewPoint { x: 7, y: 9 });
            Action::of_call(&call, "because", None, Some(&dispatched))
        };
        let click = of(json!({"tool": "mouse", "action": "click", "coordinate": [5, 6], "button": "right"}));
        assert_eq!((click.r#type.as_str(), click.reasoning.as_str()), ("click", "because"));
        assert_eq!(Value::Object(click.params), json!({"x": 7, "y": 9, "button": "right"}));
        let press = of(json!({"tool": "keyboard", "action": "press", "key": "ctrl+enter"}));
        assert_eq!((press.r#type.as_str(), press.text("keys")), ("key_press", Some("Control+Enter")));
        assert_eq!(
            of(json!({"tool": "mouse", "action": "click", "coordinate": [5, 6], "count": 2})).r#type,
            "double_click"
        );
        assert_eq!(of(json!({"tool": "tab", "action": "list"})).r#type, "other");
    }
}
