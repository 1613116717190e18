//! Labels of trace steps for training, and how near a free-form prediction came to what was observed.

use std::collections::BTreeSet;

use serde::Serialize;

/// What a prediction that names exactly what happened earns.
pub const ACCURACY_WEIGHT: f64 = 0.05;

/// The weight times the share of words that prediction and observation have in common. Nothing on either
/// side earns nothing: a brain that predicts nothing is not punished.
pub fn world_model_accuracy(predicted: &str, observed: &str) -> f64 {
    let (predicted, observed) = (stems(predicted), stems(observed));
    if predicted.is_empty() || observed.is_empty() {
        return 0.0;
    }
    let common = predicted.intersection(&observed).count();
    let all = predicted.union(&observed).count();
    ACCURACY_WEIGHT * (common as f64 / all as f64)
}

/// What a trace says about one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TraceStep<'a> {
    pub success: bool,
    /// What the step brought, or the marker of what stopped it.
    pub data: &'a str,
    pub observed_outcome: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    Positive,
    Negative,
    Neutral,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelReason {
    /// Somebody else had to step in.
    Escalation,
    FailedStep,
    GateVerifyPass,
    SuccessWithObservedDelta,
    SuccessNoDelta,
}

/// Marks of a step that the runtime had to be rescued from, whatever it claims.
const ESCALATIONS: &[&str] =
    &["cloudflare", "page_blocked", "rejected_incomplete", "antibot", "page_exhausted", "scan_error"];
const GATE_PASSED: &str = "gate:PASS";

/// The first rule that fits decides.
pub fn label(step: &TraceStep<'_>) -> (Label, LabelReason) {
    let data = step.data.to_lowercase();
    if ESCALATIONS.iter().any(|mark| data.contains(mark)) {
        (Label::Negative, LabelReason::Escalation)
    } else if !step.success {
        (Label::Negative, LabelReason::FailedStep)
    } else if step.data.starts_with(GATE_PASSED) {
        (Label::Positive, LabelReason::GateVerifyPass)
    } else if !step.observed_outcome.is_empty() {
        (Label::Positive, LabelReason::SuccessWithObservedDelta)
    } else {
        (Label::Neutral, LabelReason::SuccessNoDelta)
    }
}

/// Words that say nothing about what happens.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did", "do", "does",
    "done", "for", "from", "he", "i", "in", "is", "it", "its", "may", "might", "my", "of", "on", "or", "our", "she",
    "should", "so", "that", "the", "their", "these", "they", "this", "those", "to", "was", "we", "were", "will",
    "with", "would", "you", "your",
];

fn stems(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    words.filter(|word| !word.is_empty() && !STOP_WORDS.contains(word)).map(|word| stem(word).to_string()).collect()
}

/// Cuts the ending, so that "navigates" and "navigated" are one word. The longest ending is tried first,
/// and at least three letters stay.
fn stem(word: &str) -> &str {
    let cut =
        ["ing", "ed", "es", "s"].iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() > 2));
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(predicted: &str, observed: &str, share: f64) {
        let accuracy = world_model_accuracy(predicted, observed);
        assert!((accuracy - ACCURACY_WEIGHT * share).abs() < 1e-12, "{predicted} / {observed}: {accuracy}");
    }

    #[test]
    fn endings_are_cut_but_never_short_words() {
        for (word, expected) in [
            ("navigates", "navigat"),
            ("navigated", "navigat"),
            ("typing", "typ"),
            ("typed", "typ"),
            ("urls", "url"),
            ("ing", "ing"),
            ("bed", "bed"),
            ("sing", "sing"),
            ("goes", "goe"),
            ("bus", "bus"),
            ("s", "s"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn accuracy_is_the_share_of_common_words() {
        check("", "", 0.0);
        check("the a an is", "the a an is", 0.0);
        check("click click click", "Click", 1.0);
        check("typing hello", "typed \"hello\" into q (verified)", 0.4);
        check("123 456", "123", 0.5);
        check("wholly other", "clicked", 0.0);
    }

    #[test]
    fn the_first_rule_that_fits_labels_a_step() {
        let step = TraceStep { success: true, data: "", observed_outcome: "" };
        for (step, expected) in [
            (TraceStep { data: "Cloudflare check", ..step }, LabelReason::Escalation),
            (TraceStep { data: "gate:PASS antibot", ..step }, LabelReason::Escalation),
            (TraceStep { success: false, data: "gate:PASS", ..step }, LabelReason::FailedStep),
            (TraceStep { data: "gate:PASS ok", ..step }, LabelReason::GateVerifyPass),
            (TraceStep { data: "GATE:pass", ..step }, LabelReason::SuccessNoDelta),
            (TraceStep { observed_outcome: "x", ..step }, LabelReason::SuccessWithObservedDelta),
            (TraceStep::default(), LabelReason::FailedStep),
        ] {
            assert_eq!(label(&step).1, expected, "{step:?}");
        }
    }

    #[test]
    fn any_text_has_an_accuracy() {
        for text in ["\u{0}", "ÄÖÜ ß", "İstanbul", "🦀🦀", "a-b_c\n\t", &"x".repeat(100_000)] {
            let accuracy = world_model_accuracy(text, text);
            assert!((0.0..=ACCURACY_WEIGHT).contains(&accuracy), "{text:.20}");
        }
    }
}
