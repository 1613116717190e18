//! What the brain chose, in the few words that the checks need: one shape for calls of our own and for
//! the actions of conformance vectors.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use surehand_types::Call;
use surehand_types::call::{KeyboardCall, MouseButton, MouseCall};
use surehand_types::observation::Dispatched;

/// One action. `params` hold what it was given, by the names of the vectors.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Action {
    pub r#type: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    #[serde(default)]
    pub reasoning: String,
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
