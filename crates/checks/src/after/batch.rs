//! May the next call of the same reply run? The brain chose its calls looking at one picture; once
//! the world is no longer what it saw, the rest is handed back instead of clicked blindly.

use surehand_types::observation::Pending;
use surehand_types::reply::{CallForm, CallRequest};
use surehand_types::{Effect, EffectStatus};

/// What became of the call that just ran, as far as the rule cares.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallOutcome<'a> {
    pub ok: bool,
    pub effect: Option<&'a Effect>,
    pub dialog: DialogState,
    pub page: PageChange,
    pub pending: Option<&'a Pending>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DialogState {
    /// No dialog appeared through the call.
    #[default]
    None,
    /// One appeared, whether it is still open or was accepted on the way.
    Opened,
}

/// The ways in which a page stops being the one the brain saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageChange {
    pub new_document: bool,
    pub url_changed: bool,
    pub other_active_tab: bool,
    /// On a desktop: another window is active.
    pub other_window: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchDecision {
    Continue,
    Stop {
        /// One sentence for the brain about the calls that were not run.
        reason: String,
    },
}

/// What a refused call means for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AfterRefusal {
    #[default]
    Stop,
    /// Nothing was dispatched, so the picture still holds.
    Continue,
}

impl AfterRefusal {
    pub fn parse(text: &str) -> AfterRefusal {
        match text {
            "continue" => AfterRefusal::Continue,
            _ => AfterRefusal::Stop,
        }
    }
}

/// The batch rule of the wire contract.
pub fn after_call(outcome: &CallOutcome<'_>, next: &CallRequest, after_refusal: AfterRefusal) -> BatchDecision {
    let refused = outcome.effect.is_some_and(|effect| effect.status == EffectStatus::Refused);
    if refused && after_refusal == AfterRefusal::Continue {
        return BatchDecision::Continue;
    }
    let Some(cause) = stop_cause(outcome) else {
        return BatchDecision::Continue;
    };
    if outcome.pending.is_some_and(|pending| is_follow_up(pending, next)) {
        return BatchDecision::Continue;
    }
    BatchDecision::Stop { reason: format!("the call before it {cause}") }
}

fn stop_cause(outcome: &CallOutcome<'_>) -> Option<String> {
    if !outcome.ok {
        return Some("failed".into());
    }
    match outcome.effect.map(|effect| effect.status) {
        Some(EffectStatus::Refused) => {
            let follow_up = outcome.pending.map(|pending| pending.follow_up.as_str());
            return Some(match follow_up {
                Some(follow_up) => format!("dispatched nothing and waits for {follow_up}"),
                None => "was refused".into(),
            });
        }
        Some(EffectStatus::NoEffect) => return Some("had no effect".into()),
        Some(EffectStatus::Confirmed | EffectStatus::Unverifiable) | None => {}
    }
    if outcome.dialog == DialogState::Opened {
        return Some("opened a dialog".into());
    }
    let page = outcome.page;
    if page.other_window {
        Some("brought another window to the front".into())
    } else if page.other_active_tab {
        Some("made another tab active".into())
    } else if page.new_document {
        Some("loaded a new document".into())
    } else if page.url_changed {
        Some("changed the url".into())
    } else {
        None
    }
}

fn is_follow_up(pending: &Pending, next: &CallRequest) -> bool {
    // A call that still looks for its target cannot be a follow-up: none of them takes a coordinate.
    matches!(&next.form, CallForm::Ready(call) if pending.is_answered_by(call))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use surehand_types::observation::PendingKind;

    use super::*;

    fn request(value: serde_json::Value) -> CallRequest {
        CallRequest::parse(&value).unwrap()
    }

    fn effect(status: EffectStatus) -> Effect {
        Effect { status, evidence: Vec::new(), reason: None }
    }

    /// `expected` is part of the reason, or `None` when the batch goes on.
    fn check(outcome: CallOutcome<'_>, next: &CallRequest, expected: Option<&str>) {
        match (after_call(&outcome, next, AfterRefusal::Stop), expected) {
            (BatchDecision::Continue, None) => {}
            (BatchDecision::Stop { reason }, Some(part)) => {
                assert!(reason.contains(part), "{reason}");
            }
            (got, _) => panic!("{outcome:?}: {got:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn the_rule_line_by_line() {
        let next = request(json!({"tool": "mouse", "action": "click", "coordinate": [5, 5]}));
        let statuses = [
            (EffectStatus::Confirmed, None),
            (EffectStatus::Unverifiable, None),
            (EffectStatus::NoEffect, Some("no effect")),
            (EffectStatus::Refused, Some("refused")),
        ];
        for (status, expected) in statuses {
            let effect = effect(status);
            let outcome = CallOutcome { ok: true, effect: Some(&effect), ..Default::default() };
            check(outcome, &next, expected);
        }
        let fine = CallOutcome { ok: true, ..Default::default() };
        check(fine, &next, None);
        check(CallOutcome { ok: false, ..fine }, &next, Some("failed"));
        let dialog = DialogState::Opened;
        check(CallOutcome { dialog, ..fine }, &next, Some("dialog"));
        for (page, expected) in [
            (PageChange { new_document: true, url_changed: true, ..Default::default() }, "new document"),
            (PageChange { url_changed: true, ..Default::default() }, "the url"),
            (PageChange { other_active_tab: true, ..Default::default() }, "another tab"),
            (PageChange { other_window: true, ..Default::default() }, "another window"),
        ] {
            check(CallOutcome { page, ..fine }, &next, Some(expected));
        }
    }

    #[test]
    fn only_the_named_follow_up_goes_on() {
        let confirm = request(json!({"tool": "mouse", "action": "confirm"}));
        let select = request(json!({"tool": "select_option", "values": ["a"]}));
        let upload = request(json!({"tool": "upload_file", "paths": ["a"]}));
        let typing = request(json!({"tool": "keyboard", "action": "type", "text": "a"}));
        let press = request(json!({"tool": "keyboard", "action": "press", "key": "a"}));
        let target = request(json!({"tool": "mouse", "action": "click", "target": {"text": "a"}}));
        let refused = effect(EffectStatus::Refused);
        for (kind, named, fits) in [
            (PendingKind::Click, "mouse confirm", &confirm),
            (PendingKind::Drag, "mouse confirm", &confirm),
            (PendingKind::Select, "select_option", &select),
            (PendingKind::File, "upload_file", &upload),
            (PendingKind::Date, "keyboard type", &typing),
            (PendingKind::Color, "keyboard type", &typing),
        ] {
            let pending = Pending::new(kind, None);
            let outcome =
                CallOutcome { ok: true, effect: Some(&refused), pending: Some(&pending), ..Default::default() };
            for next in [&confirm, &select, &upload, &typing, &press, &target] {
                let stopped = (next != fits).then_some(named);
                check(outcome, next, stopped);
            }
        }
        // A failed follow-up keeps what is pending, so trying again may follow in the same reply.
        let waiting = Pending::new(PendingKind::Select, None);
        let outcome = CallOutcome { ok: false, pending: Some(&waiting), ..Default::default() };
        check(outcome, &select, None);
        check(outcome, &press, Some("failed"));
    }

    #[test]
    fn a_refusal_can_be_passed_over_but_a_failure_not() {
        let next = request(json!({"tool": "wait", "seconds": 1}));
        let goes_on = |status, ok| {
            let effect = effect(status);
            let outcome = CallOutcome { ok, effect: Some(&effect), ..CallOutcome::default() };
            after_call(&outcome, &next, AfterRefusal::Continue) == BatchDecision::Continue
        };
        assert!(goes_on(EffectStatus::Refused, true) && goes_on(EffectStatus::Refused, false));
        assert!(!goes_on(EffectStatus::NoEffect, true) && !goes_on(EffectStatus::Confirmed, false));
        assert_eq!(
            (AfterRefusal::parse("continue"), AfterRefusal::parse("stop")),
            (AfterRefusal::Continue, AfterRefusal::Stop)
        );
    }
}
