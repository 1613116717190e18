//! What was decided about a step, in words: by the policy and about a loop. An allowed step says nothing by default:
//! only what was asked about or refused is worth a line.

use surehand_types::StepRecord;
use surehand_types::result::{ConfirmAnswer, LoopRecord, PolicyRecord};

use super::outcome::Tone;
use super::words::clip_to;

/// `None` for what was simply allowed.
pub fn policy_in_words(record: &StepRecord) -> Option<String> {
    let policy = record.policy.as_ref()?;
    let (_, label) = policy_label(policy)?;
    let (rule, reason) = (clip_to(&policy.rule, 64), clip_to(&policy.reason, 300));
    Some(format!("policy: {label}{}, rule {rule}: {reason}", by_in_words(policy)))
}

/// Whose word it was; nothing where that is not known.
pub fn by_in_words(policy: &PolicyRecord) -> String {
    // Whose call it was is something else.
    let whose = policy.answer.and(policy.by.as_ref());
    whose.map(|by| format!(" ({})", clip_to(by, 64))).unwrap_or_default()
}

/// The sign and the few words of a decision that has to be seen.
pub fn policy_label(policy: &PolicyRecord) -> Option<(Tone, &'static str)> {
    Some(match (policy.decision.as_str(), policy.answer) {
        ("deny", _) => (Tone::Bad, "denied"),
        (_, Some(ConfirmAnswer::Yes)) => (Tone::Unsure, "confirmed by a person"),
        (_, Some(ConfirmAnswer::No)) => (Tone::Bad, "a person said no"),
        (_, Some(ConfirmAnswer::Timeout)) => (Tone::Bad, "nobody confirmed it in time"),
        (_, Some(ConfirmAnswer::NoTerminal)) => (Tone::Bad, "nobody could be asked"),
        (_, Some(ConfirmAnswer::Cancelled)) => (Tone::Bad, "stopped while a person was asked"),
        (_, Some(ConfirmAnswer::Withdrawn)) => (Tone::Unsure, "not decided: the question was withdrawn"),
        ("confirm", None) => (Tone::Unsure, "risky, not asked about"),
        _ => return None,
    })
}

/// A loop for whoever reads the report; the brain was told in words of its own.
pub fn circles_in_words(seen: &LoopRecord) -> (Tone, String) {
    let finding = loop_in_words(&seen.kind);
    match seen.response.as_str() {
        "end" => (Tone::Bad, format!("the run was ended for going in circles: {finding}")),
        "repeat" => (Tone::Bad, format!("still going in circles after it was told: {finding}")),
        _ => (Tone::Unsure, format!("going in circles, and the brain was told so: {finding}")),
    }
}

/// What kind of loop it was.
pub fn loop_in_words(kind: &str) -> String {
    match kind {
        "dead_target" => "actions on the same target had no effect".into(),
        "dead_actions" => "the last actions all had no effect".into(),
        "repeat" => "the same action was repeated".into(),
        "drift" => "almost the same place was clicked over and over".into(),
        "state" => "nothing changed over the last actions".into(),
        "only_looking" => "it only looked and never acted".into(),
        other => clip_to(&other.replace('_', " "), 60),
    }
}
