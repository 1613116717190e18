//! The way out of a loop: another class of action than the one that the brain repeats, or none.

use serde::{Deserialize, Serialize};
use serde_json::json;
use surehand_types::observation::FocusedElement;

use crate::action::Action;
use crate::after::high_risk::{HighRiskRules, is_high_risk};
use crate::done::forms::{DeclaredValue, value_for};

/// Frames in a row that must be the same before a page counts as frozen.
const FROZEN_FRAMES: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryRules {
    /// `recovery_label_match`: a value is typed only into a field that asks for it, and nothing is submitted
    /// while values are pending.
    pub label_match: bool,
    /// `submit_words_from_task`
    pub submit_words_from_task: bool,
}

impl RecoveryRules {
    pub const VECTORS: RecoveryRules = RecoveryRules { label_match: false, submit_words_from_task: true };
}

impl Default for RecoveryRules {
    fn default() -> Self {
        RecoveryRules { label_match: true, submit_words_from_task: false }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct RecoveryInput<'a> {
    /// What the brain wants to do once more.
    pub action: &'a Action,
    /// The field that has the focus, if one has.
    pub focused: Option<&'a FocusedElement>,
    pub pending: &'a [DeclaredValue<'a>],
    /// From `is_frozen`, or from effects where these are measured.
    pub frozen: bool,
    pub task: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryReason {
    TypePendingValue,
    TabToNextField,
    PressReturnForSubmit,
}

impl RecoveryReason {
    pub fn as_str(self) -> &'static str {
        match self {
            RecoveryReason::TypePendingValue => "type_pending_value",
            RecoveryReason::TabToNextField => "tab_to_next_field",
            RecoveryReason::PressReturnForSubmit => "press_return_for_submit",
        }
    }
}

/// The action to take instead. It goes through the policy like any other, and its keys to the page. Of a
/// secret the text is the placeholder.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    pub action: Action,
    pub reason: RecoveryReason,
}

/// `None` when no rule fits; the brain's own action then stands.
pub fn recover(input: &RecoveryInput<'_>, rules: &RecoveryRules) -> Option<Recovery> {
    if input.action.r#type != "click" {
        return None;
    }
    if let Some(value) = value_to_type(input, rules) {
        let action = Action::new("type_text", json!({ "text": value.value }));
        return Some(Recovery { action, reason: RecoveryReason::TypePendingValue });
    }
    let risk = HighRiskRules { submit_words_from_task: rules.submit_words_from_task, ..HighRiskRules::default() };
    let may_submit = !rules.label_match || !input.pending.iter().any(is_pending);
    if input.frozen && may_submit && is_high_risk(input.action, "", input.task, risk) {
        return Some(press("Return", RecoveryReason::PressReturnForSubmit));
    }
    input.focused.map(|_| press("Tab", RecoveryReason::TabToNextField))
}

/// The last frames are all there and all the same.
pub fn is_frozen<'a>(frame_hashes: impl DoubleEndedIterator<Item = &'a str>) -> bool {
    let last: Vec<&str> = frame_hashes.rev().take(FROZEN_FRAMES).collect();
    match last.split_first() {
        Some((first, rest)) => rest.len() + 1 == FROZEN_FRAMES && !first.is_empty() && rest.iter().all(|h| h == first),
        None => false,
    }
}

fn value_to_type<'v>(input: &'v RecoveryInput<'_>, rules: &RecoveryRules) -> Option<&'v DeclaredValue<'v>> {
    let field = input.focused?;
    if rules.label_match {
        value_for(input.pending, field)
    } else {
        input.pending.iter().find(|value| is_pending(value))
    }
}

fn is_pending(value: &DeclaredValue<'_>) -> bool {
    !value.value.is_empty() && !value.entered
}

fn press(keys: &str, reason: RecoveryReason) -> Recovery {
    Recovery { action: Action::new("key_press", json!({ "keys": keys })), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(reasoning: &str) -> Action {
        Action { reasoning: reasoning.into(), ..Action::new("click", json!({"x": 5, "y": 5})) }
    }

    fn field(label: &str) -> FocusedElement {
        FocusedElement { label: Some(label.into()), editable: true, ..FocusedElement::default() }
    }

    fn check(
        reasoning: &str,
        focused: Option<&str>,
        pending: &[DeclaredValue<'_>],
        expected: Option<(RecoveryReason, &str)>,
    ) {
        let (action, focused) = (click(reasoning), focused.map(field));
        let input = RecoveryInput { action: &action, focused: focused.as_ref(), pending, frozen: true, task: "log in" };
        let found = recover(&input, &RecoveryRules::default());
        let found = found.as_ref().map(|recovery| {
            let given = recovery.action.text("text").or_else(|| recovery.action.text("keys"));
            (recovery.reason, given.unwrap_or_default())
        });
        assert_eq!(found, expected, "{reasoning} {input:?}");
    }

    use RecoveryReason::{PressReturnForSubmit, TabToNextField, TypePendingValue};

    #[test]
    fn a_value_goes_only_into_a_field_that_asks_for_it() {
        let email = [DeclaredValue::new("email", "a@b.c")];
        check("open", Some("E-mail"), &email, Some((TypePendingValue, "a@b.c")));
        check("open", Some("Search"), &email, Some((TabToNextField, "Tab")));
        let secret = [DeclaredValue::secret("password", "<secret:password>")];
        check("open", Some("Password"), &secret, Some((TypePendingValue, "<secret:password>")));
        check("open", Some("Search"), &secret, Some((TabToNextField, "Tab")));
        check("open", Some("Password hint"), &secret, Some((TabToNextField, "Tab")));
        check("open", None, &secret, None);
    }

    #[test]
    fn nothing_is_submitted_while_values_are_pending() {
        let email = [DeclaredValue::new("email", "a@b.c")];
        check("Sign in", None, &[], Some((PressReturnForSubmit, "Return")));
        check("Sign in", None, &email, None);
        check("Sign in", Some("Search"), &email, Some((TabToNextField, "Tab")));
        let entered = [DeclaredValue { entered: true, ..email[0] }];
        check("Sign in", Some("E-mail"), &entered, Some((PressReturnForSubmit, "Return")));
    }

    #[test]
    fn the_task_alone_makes_no_click_a_submit() {
        check("open the menu", None, &[], None);
    }

    #[test]
    fn frozen_needs_three_equal_frames() {
        let check = |hashes: &[&str], frozen: bool| assert_eq!(is_frozen(hashes.iter().copied()), frozen, "{hashes:?}");
        check(&["a", "a", "a"], true);
        check(&["b", "a", "a", "a"], true);
        check(&["a", "a"], false);
        check(&["", "a", "a"], false);
        check(&["", "", ""], false);
        check(&[], false);
    }
}
