//! The markers of one step: what was decided about it, what it did to the world, what memory had to say.

use serde_json::Value;
use surehand_types::observation::{Dispatched, FocusedElement};
use surehand_types::{Focus, StepRecord};

use super::{MarkerKind, Said};
use crate::report::facts::{effect_in_words, focus_in_words, happening_in_words};
use crate::report::outcome::Tone;
use crate::report::plan::{plan_in_words, tone_of};
use crate::report::policy::{circles_in_words, policy_in_words, policy_label};
use crate::report::spent::{SpentOn, problem_of, spent_on, step_in_words};
use crate::report::words::{call_in_words, clip_to};
use crate::timeline::{Completion, Happening, HappeningKind, StepView};

/// Hints of one turn that get a marker each.
const HINTS: usize = 8;
const WORDS: usize = 240;

pub(super) fn markers(entry: &StepView, previous: Option<&StepView>) -> Vec<Said> {
    let record = &entry.record;
    let mut all = Vec::new();
    policy(&mut all, entry);
    state(&mut all, entry, previous.map(|entry| &entry.record));
    for hint in entry.hints.iter().take(HINTS) {
        let words = format!("hint {}: {}", clip_to(&hint.id, 40), clip_to(&hint.text, WORDS));
        all.push(Said::new(MarkerKind::Hint, Tone::Neutral, words));
    }
    if record.hit.as_ref().is_some_and(|hit| hit.covers.is_some()) {
        // Told with the hit; here it only turns the action's sign, so that it is seen from afar.
        for said in all.iter_mut().filter(|said| said.kind == MarkerKind::Action) {
            said.tone = Tone::Unsure;
        }
    }
    all
}

fn policy(all: &mut Vec<Said>, entry: &StepView) {
    let record = &entry.record;
    for happening in &entry.happenings {
        if let HappeningKind::Plan(event) = &happening.what {
            all.push(Said::new(MarkerKind::PlanStep, tone_of(event), clip_to(&plan_in_words(event), WORDS)));
        }
    }
    match &record.call {
        Some(call) => {
            let words = format!("{}{}", call_in_words(call, record.hit.as_ref()), sent_to(record.dispatched));
            let cut_off = entry.completion == Completion::CutOff;
            let (tone, words) = match (cut_off, record.ok) {
                (true, _) => (Tone::Bad, format!("{words}; the run stopped in the middle of it")),
                (_, true) => (Tone::Neutral, words),
                (_, false) => (Tone::Bad, format!("{words}; failed: {}", clip_to(&record.message, WORDS))),
            };
            all.push(Said::new(MarkerKind::Action, tone, words));
        }
        None => {
            match spent_on(record) {
                // The guard says it.
                Some(SpentOn::LookingAgain) if record.guard.is_some() => {}
                Some(SpentOn::LookingAgain) => {
                    all.push(Said::new(MarkerKind::Governor, Tone::Bad, step_in_words(record)));
                }
                Some(SpentOn::MissingTarget) => {
                    all.push(Said::new(MarkerKind::MissingTarget, Tone::Bad, step_in_words(record)));
                }
                Some(SpentOn::UnusableReplies) | None => {
                    let words = format!("no usable reply: {}", problem_of(record, WORDS));
                    all.push(Said::new(MarkerKind::UnusableReply, Tone::Bad, words));
                }
            }
        }
    }
    if let (Some(words), Some((tone, _))) = (policy_in_words(record), record.policy.as_ref().and_then(policy_label)) {
        let words = words.strip_prefix("policy: ").unwrap_or(&words).to_string();
        all.push(Said::new(MarkerKind::PolicyDecision, tone, words));
    }
    if let Some(guard) = &record.guard {
        let by_governor = guard.rule.starts_with("governor");
        let (kind, tone, what) = match guard.decision.as_str() {
            _ if by_governor => (MarkerKind::Governor, Tone::Bad, "the governor refused it".to_string()),
            "preview" => (MarkerKind::Preview, Tone::Unsure, "shown first".to_string()),
            other => (MarkerKind::Guard, Tone::Bad, format!("guard: {}", clip_to(other, 20))),
        };
        let words = format!("{what} ({}): {}", clip_to(&guard.rule, 60), clip_to(&guard.reason, WORDS));
        all.push(Said::new(kind, tone, words));
    }
    if let Some(reason) = &record.done_rejected_reason {
        let words = format!("done was not accepted: {}", code_in_words(reason));
        all.push(Said::new(MarkerKind::DoneRefused, Tone::Bad, words));
    }
    if let Some(reason) = &record.loop_recovery_reason {
        let words = format!("going in circles, another call took the place of the brain's: {}", code_in_words(reason));
        all.push(Said::new(MarkerKind::Loop, Tone::Unsure, words));
    }
    if let Some(seen) = &record.going_in_circles {
        let (tone, words) = circles_in_words(seen);
        all.push(Said::new(MarkerKind::Loop, tone, words));
    }
    // A refused done and a way out of a loop say it themselves.
    if record.substituted && record.done_rejected_reason.is_none() && record.loop_recovery_reason.is_none() {
        all.push(Said::new(MarkerKind::Substituted, Tone::Neutral, "the runtime did this, not the brain"));
    }
    for group in &entry.not_run {
        let words = format!("{} more not run: {}", group.calls.len(), clip_to(&group.reason, WORDS));
        all.push(Said::new(MarkerKind::NotRun, Tone::Unsure, words));
    }
}

fn state(all: &mut Vec<Said>, entry: &StepView, previous: Option<&StepRecord>) {
    let record = &entry.record;
    for happening in entry.happenings.iter().filter(|happening| is_of_the_world(happening)) {
        all.push(Said::new(MarkerKind::Happening, Tone::Unsure, happening_in_words(happening)));
    }
    if entry.completion == Completion::CutOff {
        return;
    }
    if let Some(effect) = effect_in_words(record) {
        let words = match effect.detail {
            Some(detail) => format!("{}: {detail}", effect.label),
            None => effect.label.to_string(),
        };
        all.push(Said::new(MarkerKind::Effect, effect.tone, clip_to(&words, WORDS)));
    }
    for result in &record.predicate_results {
        let (tone, verdict) = match result.result {
            Some(true) => (Tone::Good, "held"),
            Some(false) => (Tone::Bad, "did not hold"),
            None => (Tone::Unsure, "was not measured"),
        };
        let words = format!("foretold {} {verdict}", clip_to(&result.predicate, 120));
        all.push(Said::new(MarkerKind::Prediction, tone, words));
    }
    if record.call.as_ref().and_then(|call| call.get("tool")).and_then(Value::as_str) == Some("inspect") && record.ok {
        let found = record.message.rsplit_once("look for yourself. ").map_or(record.message.as_str(), |parts| parts.1);
        all.push(Said::new(MarkerKind::Inspected, Tone::Neutral, format!("read: {}", clip_to(found, WORDS))));
    }
    places(all, record, previous);
}

/// Address, title and focus, where they are not what they were.
fn places(all: &mut Vec<Said>, record: &StepRecord, previous: Option<&StepRecord>) {
    let before = previous.map(|record| &record.observed);
    let now = &record.observed;
    let mut changed = |kind, name: &str, old: Option<&String>, new: Option<&String>| {
        if let Some(new) = new
            && old != Some(new)
        {
            all.push(Said::new(kind, Tone::Neutral, format!("{name} {}", clip_to(new, WORDS))));
        }
    };
    changed(MarkerKind::Address, "now at", before.and_then(|seen| seen.url.as_ref()), now.url.as_ref());
    changed(MarkerKind::Title, "title:", before.and_then(|seen| seen.title.as_ref()), now.title.as_ref());
    // What was focused at first is no change; there is nothing to compare it with.
    if before.is_some_and(|seen| place_of(&seen.focus) != place_of(&now.focus)) {
        let words = format!("focus: {}", focus_in_words(&now.focus));
        all.push(Said::new(MarkerKind::Focus, Tone::Neutral, words));
    }
}

/// Where the focus is, whatever is written there: typing does not move it.
fn place_of(focus: &Focus) -> Focus {
    match focus {
        Focus::Element(element) => Focus::Element(Box::new(FocusedElement {
            tag: element.tag.clone(),
            role: element.role.clone(),
            id: element.id.clone(),
            name: element.name.clone(),
            label: element.label.clone(),
            ..FocusedElement::default()
        })),
        Focus::Nothing => Focus::Nothing,
        Focus::Unknown => Focus::Unknown,
    }
}

/// A code of ours (`empty_summary`) as words.
pub(crate) fn code_in_words(code: &str) -> String {
    clip_to(&code.replace('_', " "), WORDS)
}

fn sent_to(dispatched: Option<Dispatched>) -> String {
    match dispatched {
        None => String::new(),
        Some(Dispatched { x, y, from: None }) => format!(", sent to {x}, {y}"),
        Some(Dispatched { x, y, from: Some(from) }) => format!(", sent from {}, {} to {x}, {y}", from.x, from.y),
    }
}

/// Notes and replies are not the world's doing.
fn is_of_the_world(happening: &Happening) -> bool {
    match happening.what {
        HappeningKind::Environment(_) => true,
        HappeningKind::Person(_)
        | HappeningKind::Plan(_)
        | HappeningKind::Note { .. }
        | HappeningKind::Confirmation(_)
        | HappeningKind::UnusableReply { .. } => false,
    }
}
