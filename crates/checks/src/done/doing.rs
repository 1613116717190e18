//! What kind of thing a call does, for judging what a claim rests on.

use surehand_types::Call;
use surehand_types::call::{KeyboardCall, MouseCall};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doing {
    /// Looks, waits, or goes somewhere: nothing of the task's own is done by it.
    #[default]
    Look,
    /// Puts something into a field, where it is not kept yet.
    Write,
    /// Presses, clicks, drags, answers.
    Act,
}

impl Doing {
    pub fn of(call: &Call) -> Doing {
        match call {
            Call::Mouse(MouseCall::Click { .. } | MouseCall::Drag { .. } | MouseCall::Confirm) => Doing::Act,
            Call::Keyboard(KeyboardCall::Press { .. }) => Doing::Act,
            // A line break at the end is Enter.
            Call::Keyboard(KeyboardCall::Type { text }) if text.ends_with('\n') => Doing::Act,
            Call::Keyboard(_) | Call::SelectOption { .. } | Call::UploadFile { .. } => Doing::Write,
            Call::Dialog { .. } => Doing::Act,
            _ => Doing::Look,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_told_apart_by_what_they_leave_behind() {
        for (call, deed) in [
            (json!({"tool": "mouse", "action": "click", "coordinate": [1, 1]}), Doing::Act),
            (json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 1]}), Doing::Look),
            (json!({"tool": "keyboard", "action": "type", "text": "a"}), Doing::Write),
            (json!({"tool": "keyboard", "action": "type", "text": "a\n"}), Doing::Act),
            (json!({"tool": "keyboard", "action": "clear"}), Doing::Write),
            (json!({"tool": "keyboard", "action": "press", "key": "enter"}), Doing::Act),
            (json!({"tool": "select_option", "values": ["M"]}), Doing::Write),
            (json!({"tool": "wait", "seconds": 1}), Doing::Look),
            (json!({"tool": "tab", "action": "view"}), Doing::Look),
        ] {
            assert_eq!(Doing::of(&Call::parse(&call).unwrap().call), deed, "{call}");
        }
    }
}
