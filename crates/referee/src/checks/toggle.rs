//! Switches and checkboxes in the picture.

use serde_json::{Value, json};
use surehand_types::ui::{OnOff, UiState, UiToggle};

use super::STATE_FLOOR;
use super::near::Nearness;
use crate::contract::Toggle;
use crate::finding::Finding;

pub(crate) fn expected(rule: &Toggle) -> Value {
    json!({"label": rule.label.as_str(), "state": rule.state})
}

pub(crate) fn judge(rule: &Toggle, state: &UiState) -> Finding {
    let mut matching = state.toggles.iter().filter(|toggle| label(toggle).is_some_and(|l| rule.label.is_match(l)));
    match (matching.next(), matching.next()) {
        (Some(toggle), None) => one(rule, toggle),
        (Some(_), Some(_)) => Finding::unknown("ambiguous_target", labels(state)),
        (None, _) => none(rule, state),
    }
}

fn one(rule: &Toggle, toggle: &UiToggle) -> Finding {
    let observed = json!({"label": toggle.label, "state": toggle.state});
    let finding = if toggle.state == OnOff::Unknown || toggle.conf < STATE_FLOOR {
        return Finding::unknown("state_not_seen", observed).at(toggle.bbox);
    } else if toggle.state == rule.state {
        Finding::pass(observed)
    } else {
        Finding::fail("other_state", observed)
    };
    finding.at(toggle.bbox).sure(toggle.conf)
}

/// A switch that was not found may be one that was not recognised, so this is never a fail: unlike rows of
/// cells, nothing in a picture says that all switches were found.
fn none(rule: &Toggle, state: &UiState) -> Finding {
    let nearness = Nearness::of(rule.label.as_str());
    let near = state.toggles.iter().filter_map(label).find(|label| nearness.is_near(label));
    match near {
        Some(label) => Finding::unknown(format!("perhaps_misread: {label}"), labels(state)),
        None => Finding::unknown("toggle_not_found", labels(state)),
    }
}

fn label(toggle: &UiToggle) -> Option<&str> {
    toggle.label.as_deref()
}

fn labels(state: &UiState) -> Value {
    json!({"labels": state.toggles.iter().take(30).map(|t| t.label.clone()).collect::<Vec<_>>(), "notes": state.notes})
}
