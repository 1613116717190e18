//! Steps in which no call was run: what they were spent on. Also the words for a step whatever it was, so that every view
//! calls it by the same name.

use surehand_checks::before::governor::REFUSED;
use surehand_types::{ErrorCode, StepRecord};

use super::words::{call_in_words, clip_to};

/// Why a step has no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpentOn {
    /// The brain's replies made no sense.
    UnusableReplies,
    /// They did, but what they named is not there.
    MissingTarget,
    /// It would only have looked at what it had seen.
    LookingAgain,
}

/// `None` for a step that has a call.
pub fn spent_on(record: &StepRecord) -> Option<SpentOn> {
    if record.call.is_some() {
        return None;
    }
    let by_governor = record.guard.as_ref().is_some_and(|guard| guard.rule.starts_with("governor"));
    let missing = record.error.as_ref().is_some_and(|error| error.code == ErrorCode::TargetNotFound);
    Some(match (by_governor || record.message.ends_with(REFUSED), missing) {
        (true, _) => SpentOn::LookingAgain,
        (false, true) => SpentOn::MissingTarget,
        (false, false) => SpentOn::UnusableReplies,
    })
}

/// What a step was, as a person would say it.
pub fn step_in_words(record: &StepRecord) -> String {
    match (&record.call, spent_on(record)) {
        (Some(call), _) => call_in_words(call, record.hit.as_ref()),
        (None, Some(SpentOn::LookingAgain)) => "looked again at an unchanged page".into(),
        (None, Some(SpentOn::MissingTarget)) => format!("target not found: {}", problem_of(record, 160)),
        (None, _) => "no usable reply from the brain".into(),
    }
}

/// What stood in the way, without the words around it.
pub fn problem_of(record: &StepRecord, limit: usize) -> String {
    let message = record.error.as_ref().map_or(record.message.as_str(), |error| error.message.as_str());
    clip_to(message.strip_prefix("step spent: ").unwrap_or(message), limit)
}

/// A text that stands for itself: it begins with a capital and ends with a stop.
pub fn sentence(text: &str) -> String {
    let text = capital(text.trim());
    match text.ends_with(['.', '!', '?', '…']) {
        true => text,
        false => format!("{text}."),
    }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
