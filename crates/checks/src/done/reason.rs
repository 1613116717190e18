//! Why a done was not accepted: a closed set of names for records and counts, and the words for the brain.

use serde::{Deserialize, Serialize};

/// The longest detail that the brain is told.
const TOLD: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    EmptySummary,
    PlanStepsIncomplete,
    PendingFormValues,
    SummaryMissingRequiredFields,
    OutputNotAsAsked,
    NoObservedDeltaAfterWaits,
    NoProgressInWindow,
    LastActionHadNoEffect,
    LastActionNotAllowed,
    InputNotSubmitted,
    PageReportsError,
    /// The verifier was asked and said no.
    VerifierRejected,
    /// The verifier was asked and gave no answer that can be read.
    VerifierSilent,
}

impl RejectReason {
    pub const ALL: [RejectReason; 13] = [
        RejectReason::EmptySummary,
        RejectReason::PlanStepsIncomplete,
        RejectReason::PendingFormValues,
        RejectReason::SummaryMissingRequiredFields,
        RejectReason::OutputNotAsAsked,
        RejectReason::NoObservedDeltaAfterWaits,
        RejectReason::NoProgressInWindow,
        RejectReason::LastActionHadNoEffect,
        RejectReason::LastActionNotAllowed,
        RejectReason::InputNotSubmitted,
        RejectReason::PageReportsError,
        RejectReason::VerifierRejected,
        RejectReason::VerifierSilent,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            RejectReason::EmptySummary => "empty_summary",
            RejectReason::PlanStepsIncomplete => "plan_steps_incomplete",
            RejectReason::PendingFormValues => "pending_form_values",
            RejectReason::SummaryMissingRequiredFields => "summary_missing_required_fields",
            RejectReason::OutputNotAsAsked => "output_not_as_asked",
            RejectReason::NoObservedDeltaAfterWaits => "no_observed_delta_after_waits",
            RejectReason::NoProgressInWindow => "no_progress_in_window",
            RejectReason::LastActionHadNoEffect => "last_action_had_no_effect",
            RejectReason::LastActionNotAllowed => "last_action_not_allowed",
            RejectReason::InputNotSubmitted => "input_not_submitted",
            RejectReason::PageReportsError => "page_reports_error",
            RejectReason::VerifierRejected => "verifier_rejected",
            RejectReason::VerifierSilent => "verifier_silent",
        }
    }

    /// What the brain can do about it.
    fn advice(self) -> &'static str {
        match self {
            RejectReason::EmptySummary => "Say in the summary what was achieved and where it can be seen.",
            RejectReason::PlanStepsIncomplete => "Do the remaining steps first.",
            RejectReason::PendingFormValues => "Enter these values first.",
            RejectReason::SummaryMissingRequiredFields => "Give each of these fields with its value.",
            RejectReason::OutputNotAsAsked => "Give the output of `done` as JSON of the schema in the task.",
            RejectReason::NoObservedDeltaAfterWaits => {
                "Waiting changed nothing. Act on the page, or name what on the screen shows the result."
            }
            RejectReason::NoProgressInWindow => {
                "Nothing has changed for a while. Do what the task asks for, or try another way to do it."
            }
            RejectReason::LastActionHadNoEffect => "Do it again in another way, and look at what happens.",
            RejectReason::LastActionNotAllowed => "Do what the task asks for in a way that is allowed.",
            RejectReason::InputNotSubmitted => "Save or send it, and look at what the page says.",
            RejectReason::PageReportsError => "Correct what it complains about.",
            RejectReason::VerifierRejected => "Correct this before you report success.",
            RejectReason::VerifierSilent => "Report again when the result can be seen on the screen.",
        }
    }
}

/// One refusal. `detail` is for records; `words` is for the brain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub reason: RejectReason,
    pub detail: String,
}

impl Rejection {
    pub fn new(reason: RejectReason, detail: impl Into<String>) -> Rejection {
        Rejection { reason, detail: detail.into() }
    }

    /// For whoever reads the result.
    pub fn sentence(&self) -> String {
        let detail = self.short_detail();
        let colon = if detail.is_empty() { "" } else { ": " };
        format!("the claimed success was not accepted{colon}{detail} ({})", self.reason.as_str())
    }

    fn short_detail(&self) -> String {
        let mut detail: String = self.detail.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = detail.char_indices().nth(TOLD) {
            detail.truncate(end);
            detail.push('…');
        }
        detail.trim_end_matches('.').to_string()
    }

    /// For the brain, with what it can do about it.
    pub fn words(&self) -> String {
        let detail = self.short_detail();
        let colon = if detail.is_empty() { "" } else { ": " };
        format!(
            "Your done was not accepted{colon}{detail}. {} If it cannot be done, report done with success=false.",
            self.reason.advice()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_ones_on_the_wire() {
        for reason in RejectReason::ALL {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
    }

    #[test]
    fn the_brain_is_told_in_one_short_line() {
        let rejection = Rejection::new(RejectReason::PendingFormValues, "unconsumed form values: otp");
        assert_eq!(
            rejection.words(),
            "Your done was not accepted: unconsumed form values: otp. Enter these values first. \
             If it cannot be done, report done with success=false."
        );
        let endless = Rejection::new(RejectReason::VerifierRejected, "no\n".repeat(5000));
        assert!(endless.words().chars().count() < 500);
        assert!(!endless.words().contains('\n'));
        assert!(Rejection::new(RejectReason::VerifierSilent, "").words().starts_with("Your done was not accepted. "));
    }
}
