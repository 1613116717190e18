//! What the policy decided about a step, in words. An allowed step says nothing by default: only what was
//! asked about or refused is worth a line.

use surehand_types::StepRecord;
use surehand_types::result::{ConfirmAnswer, PolicyRecord};

use super::outcome::Tone;
use super::words::clip_to;

/// `None` for what was simply allowed.
pub fn policy_in_words(record: &StepRecord) -> Option<String> {
    let policy = record.policy.as_ref()?;
    let (_, label) = policy_label(policy)?;
    Some(format!("policy: {label}, rule {}: {}", clip_to(&policy.rule, 64), clip_to(&policy.reason, 300)))
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
        ("confirm", None) => (Tone::Unsure, "risky, not asked about"),
        _ => return None,
    })
}
