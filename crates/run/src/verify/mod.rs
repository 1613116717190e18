//! Verification of a run: what the checks need to remember from step to step, and the moments at which the
//! loop asks them. The judgements themselves are pure and live in `surehand-checks`.

mod after_call;
mod claim;
mod detour;
mod earlier;
mod memory;
mod rules;

pub(crate) use after_call::{CallFacts, Scored, Sights};
pub(crate) use claim::ClaimOutcome;
pub(crate) use memory::{Executed, Memory};
pub use rules::{FeedbackFrom, VerifyRules};

use surehand_referee::OutputSchema;

/// What the task declares about its own outcome, from the command line or from a plan.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    pub task: String,
    /// Values for form fields, by label.
    pub values: Vec<FormValue>,
    /// Labels that an outer plan still waits for; replaces the inner list, also when empty.
    pub pending_form_labels: Option<Vec<String>>,
    /// Steps of a plan, where there is one.
    pub plan_steps: Option<usize>,
    /// Fields that the answer must speak of.
    pub required_fields: Vec<String>,
    /// What the output has to look like.
    pub output_schema: Option<OutputSchema>,
    /// The task only reads, whatever its words sound like.
    pub only_reads: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormValue {
    pub label: String,
    pub value: String,
}
