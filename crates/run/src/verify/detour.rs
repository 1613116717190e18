//! The way out of a loop, put in place of what the brain wanted to do once more.

use serde_json::{Map, Value, json};
use surehand_checks::action::Action;
use surehand_checks::after::loops::recovery::{RecoveryInput, is_frozen, recover};
use surehand_checks::after::loops::response::{LoopResponse, respond};
use surehand_types::observation::Focus;
use surehand_types::{Call, EffectStatus, Observation};

use super::Memory;

/// Another call than the brain's, and why.
pub(crate) struct Detour {
    pub(crate) call: Call,
    pub(crate) given: Map<String, Value>,
    pub(crate) reason: &'static str,
}

impl Memory {
    /// `None`: the brain's own call stands.
    pub(crate) fn detour(&mut self, action: &Action, task: &str, now: &Observation) -> Option<Detour> {
        if !matches!(respond(self.decision, self.told, &self.rules.response), LoopResponse::Force(_)) {
            return None;
        }
        // A brain that took the hint and does something else is left alone.
        if self.rules.response.nudges && !self.would_repeat(action) {
            return None;
        }
        let focused = match &now.focus {
            Focus::Element(field) if field.editable => Some(field.as_ref()),
            _ => None,
        };
        let recovery = recover(
            &RecoveryInput { action, focused, pending: &self.pending_values(now), frozen: self.is_frozen(), task },
            &self.rules.recovery,
        )?;
        let given = given_of(&recovery.action)?;
        let call = Call::parse(&Value::Object(given.clone())).ok()?.call;
        let reason = recovery.reason.as_str();
        *self.recoveries.entry(reason.to_string()).or_default() += 1;
        Some(Detour { call, given, reason })
    }

    /// Nothing changed over the last calls: by effects where they were measured, else by the frames.
    fn is_frozen(&self) -> bool {
        let dead = |status| status == Some(EffectStatus::NoEffect);
        let last = self.executed.iter().rev().take(2);
        let by_effects =
            self.rules.detector.effect_fed && last.clone().count() == 2 && last.clone().all(|e| dead(e.effect));
        by_effects || is_frozen(self.executed.iter().map(|executed| executed.sample.frame_hash.as_str()))
    }
}

/// The recovery as a call of ours.
fn given_of(action: &Action) -> Option<Map<String, Value>> {
    let given = match action.r#type.as_str() {
        "key_press" => json!({"tool": "keyboard", "action": "press", "key": action.text("keys")?}),
        "type_text" => json!({"tool": "keyboard", "action": "type", "text": action.text("text")?}),
        _ => return None,
    };
    given.as_object().cloned()
}
