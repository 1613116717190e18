//! Family `loop_recovery`.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::action::Action;
use surehand_checks::after::loops::recovery::{RecoveryInput, RecoveryRules, is_frozen, recover};
use surehand_checks::done::forms::DeclaredValue;
use surehand_types::observation::FocusedElement;

use crate::{Case, Place};

#[derive(Deserialize)]
struct Input {
    action: Action,
    focused_input: Option<Value>,
    #[serde(default)]
    pending_form_values: Option<Vec<Pending>>,
    #[serde(default)]
    recent_frame_hashes: Option<Vec<Option<String>>>,
    #[serde(default)]
    task: Option<String>,
}

#[derive(Deserialize)]
struct Pending {
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    value: Option<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    if case.kind != "recovery" {
        return Err(format!("kind {} is not known", case.kind));
    }
    let input: Input = super::input(&case.input)?;
    // An object without facts is how an environment says that nothing has the focus.
    let facts = input.focused_input.filter(|value| value.as_object().is_some_and(|facts| !facts.is_empty()));
    let focused: Option<FocusedElement> = facts.as_ref().map(super::input).transpose()?;
    let given = input.pending_form_values.unwrap_or_default();
    let pending: Vec<DeclaredValue<'_>> = given
        .iter()
        .map(|value| {
            DeclaredValue::new(value.label.as_deref().unwrap_or_default(), value.value.as_deref().unwrap_or_default())
        })
        .collect();
    let hashes = input.recent_frame_hashes.unwrap_or_default();
    let recovery = recover(
        &RecoveryInput {
            action: &input.action,
            focused: focused.as_ref(),
            pending: &pending,
            frozen: is_frozen(hashes.iter().map(|hash| hash.as_deref().unwrap_or_default())),
            task: input.task.as_deref().unwrap_or_default(),
        },
        &RecoveryRules::VECTORS,
    );
    let answer = match recovery {
        Some(recovery) => json!({
            "forced_action": { "type": recovery.action.r#type, "params": recovery.action.params },
            "reason": recovery.reason.as_str(),
        }),
        None => json!({ "forced_action": null, "reason": "" }),
    };
    crate::same(&case.expect, &answer)
}
