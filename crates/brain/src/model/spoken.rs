//! What a model said, in our tool names but with its own numbers. Every wire format and every dialect is read
//! into this one shape; `gestures` then turns it into native calls.

use serde_json::{Map, Value};
use surehand_types::reply::SafetyCheck;

/// One answer of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Spoken {
    /// The words that were meant to be read.
    pub(crate) thought: Option<String>,
    /// Hidden reasoning, where the provider hands it out.
    pub(crate) reasoning: Option<String>,
    /// What the model wants to remember. It is shown again in every later turn.
    pub(crate) note: Option<String>,
    /// Predictions that came as a list. Those written into the thought are found there by the scorer.
    pub(crate) expected: Vec<String>,
    pub(crate) gestures: Vec<Gesture>,
    pub(crate) safety: Vec<SafetyCheck>,
    /// What was forgiven while the answer was read: one short phrase each.
    pub(crate) repairs: Vec<String>,
}

/// One thing to do, in native fields, except that
/// - `coordinate`, `start_coordinate`, `end_coordinate` and `region` hold numbers of the model's own space;
/// - a drag without `start_coordinate` starts at the cursor;
/// - a scroll may have `pixels` (of the picture) or `notches` (of a wheel) in the place of `amount`, and
///   `grid` for an amount on the model's 1000-grid;
/// - `{"tool":"hold","action":"mouse_down"|"mouse_up","coordinate"?}` and
///   `{"tool":"hold","action":"key_down"|"key_up","key"}` press and release;
/// - `{"tool":"look"}` only wants to see the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Gesture {
    pub(crate) call: Map<String, Value>,
    /// The provider's name for what this belongs to; several gestures may share one.
    pub(crate) id: Option<String>,
}

impl Gesture {
    /// From `json!({...})`.
    pub(crate) fn of(call: Value) -> Gesture {
        Gesture { call: call.as_object().cloned().unwrap_or_default(), id: None }
    }

    pub(crate) fn answering(self, id: &str) -> Gesture {
        Gesture { id: Some(id.to_string()), ..self }
    }
}
