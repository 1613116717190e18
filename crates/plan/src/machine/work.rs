//! What a machine wants done, and what can come of it. This is the whole conversation between a plan and
//! whoever runs it.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use surehand_checks::after::predicates::Predicate;
use surehand_types::ThreeValued;

use super::moves::OPENING;
use crate::extraction::Evidence;
use crate::plan::EvidencePer;

/// The next thing to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub enum Work {
    /// Open an address. Answered by `Done` or `Failed`.
    Navigate {
        step: StepRef,
        url: String,
        #[serde(serialize_with = "as_texts")]
        done_when: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Give a brain the intent as its task, in the same loop as any other run. That the brain is done means this
    /// step, never the plan. Answered by `Done` or `Failed`.
    Act {
        step: StepRef,
        intent: String,
        /// What the brain may enter.
        values: Vec<FieldValue>,
        /// For the done gate as it is: labels of the submitted form that are not filled, or none. `None` where the
        /// run's own list counts, because the act has values of its own.
        pending_form_labels: Option<Vec<String>>,
        /// The form that it sends off.
        #[serde(skip_serializing_if = "Option::is_none")]
        submits: Option<String>,
        /// Labels that later steps fill in on this page: not this step's work.
        later_fills: Vec<String>,
        #[serde(serialize_with = "as_texts")]
        done_when: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Enter values by label, in this order. Answered by `Done` or `Failed`.
    Fill {
        step: StepRef,
        fields: Vec<FieldValue>,
        /// The name under which an act submits it.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<String>,
        #[serde(serialize_with = "as_texts")]
        done_when: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Read data off the page. Answered by `Extracted` or `Failed`.
    Extract {
        step: StepRef,
        /// How to get there; may be empty.
        intent: String,
        what: String,
        schema: Map<String, Value>,
        evidence: EvidencePer,
        #[serde(serialize_with = "as_texts")]
        done_when: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Look whether these hold now, as the check that a step is. Answered by `Evaluated` or `Failed`.
    Verify {
        step: StepRef,
        #[serde(serialize_with = "as_texts")]
        predicates: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Look whether these hold now, for a gate, a loop or a choice. Answered by `Evaluated` or `Failed`.
    Evaluate {
        step: StepRef,
        purpose: Purpose,
        #[serde(serialize_with = "as_texts")]
        predicates: Vec<Predicate>,
        budget: BudgetLeft,
    },
    /// Ask a person. Answered by `Answered` or, when nobody answers, `Failed`.
    Ask { step: StepRef, question: String, answer: Wanted, budget: BudgetLeft },
    /// Nothing was found in one go: `count_unreported` looks further.
    Undecided,
    /// There is nothing more to do.
    Finished(Ending),
}

/// Which step, in which pass, for which time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepRef {
    pub id: String,
    /// As in `steps[2].then[0]`.
    pub place: String,
    /// The passes of the loops around it, outermost first, from 1.
    pub passes: Vec<u32>,
    /// From 1.
    pub attempt: u32,
    /// Why the attempt before this one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldValue {
    pub label: String,
    /// Secrets stand in it as placeholders.
    pub value: String,
}

/// What is left of all budgets that apply; nothing where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct BudgetLeft {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// Millionths of a US dollar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub micro_dollars: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Gate,
    Loop,
    If,
}

/// What kind of answer is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    Text,
    Choice(Vec<String>),
    /// Leave to go on: `Approved` or `Denied`.
    Approval,
    /// What to do about a failure; `Retry` only where trying again is possible.
    Recovery {
        may_retry: bool,
    },
}

/// What came of the work.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It was done, with what was seen for each of `done_when`, in order.
    Done {
        done_when: Vec<ThreeValued>,
    },
    Extracted {
        value: Value,
        evidence: Vec<Evidence>,
        done_when: Vec<ThreeValued>,
    },
    /// For each predicate, in order.
    Evaluated {
        results: Vec<ThreeValued>,
    },
    Answered(Answer),
    /// It was not done.
    Failed {
        sentence: String,
        again: Again,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Text(String),
    Approved,
    Denied { reason: String },
    Retry,
    Skip,
    Stop,
}

/// Whether trying the same once more could help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    Possible,
    /// A person or a policy said no, or what it would take is used up.
    Pointless,
}

/// What a piece of work took, as measured by whoever did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Used {
    /// Calls of a brain.
    pub steps: u64,
    pub milliseconds: u64,
    /// Millionths of a US dollar.
    pub micro_dollars: u64,
}

/// What a report led to, in order, for the log and for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    StepDone {
        step: StepRef,
    },
    StepRetried {
        step: StepRef,
        why: String,
    },
    StepSkipped {
        step: StepRef,
        why: String,
    },
    /// The failure goes to the step around this one, or ends the plan.
    StepFailed {
        step: StepRef,
        why: String,
    },
    Collected {
        step: StepRef,
        table: String,
        added: usize,
        dropped: usize,
    },
    PlanEnded {
        status: Status,
        sentence: String,
    },
}

/// The end of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ending {
    pub status: Status,
    /// What went wrong; empty when nothing did.
    pub sentence: String,
    /// The step that it ended with, where it did not end well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// An object with every table and value. What was collected is there whatever the status is.
    pub output: Value,
    /// Where the rows were seen, as in `people[3].email`.
    pub evidence: Vec<Evidence>,
    /// Steps, and passes of loops, that were given up.
    pub skipped: u64,
    pub failures: u64,
    pub used: Used,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Done,
    Failed,
    OutOfBudget,
}

impl Used {
    pub(crate) fn add(&mut self, more: Used) {
        self.steps = self.steps.saturating_add(more.steps);
        self.milliseconds = self.milliseconds.saturating_add(more.milliseconds);
        self.micro_dollars = self.micro_dollars.saturating_add(more.micro_dollars);
    }
}

impl StepRef {
    /// Whether it is the start address that is opened, and no step of the plan.
    pub fn is_opening(&self) -> bool {
        self.place == OPENING
    }
}

impl Work {
    pub fn name(&self) -> &'static str {
        match self {
            Work::Navigate { .. } => "navigate",
            Work::Act { .. } => "act",
            Work::Fill { .. } => "fill",
            Work::Extract { .. } => "extract",
            Work::Verify { .. } => "verify",
            Work::Evaluate { .. } => "evaluate",
            Work::Ask { .. } => "ask",
            Work::Undecided => "undecided",
            Work::Finished(_) => "finished",
        }
    }

    pub fn step(&self) -> Option<&StepRef> {
        match self {
            Work::Navigate { step, .. }
            | Work::Act { step, .. }
            | Work::Fill { step, .. }
            | Work::Extract { step, .. }
            | Work::Verify { step, .. }
            | Work::Evaluate { step, .. }
            | Work::Ask { step, .. } => Some(step),
            Work::Undecided | Work::Finished(_) => None,
        }
    }

    /// The predicates that the answer has to speak of.
    pub fn predicates(&self) -> &[Predicate] {
        match self {
            Work::Navigate { done_when: list, .. }
            | Work::Act { done_when: list, .. }
            | Work::Fill { done_when: list, .. }
            | Work::Extract { done_when: list, .. }
            | Work::Verify { predicates: list, .. }
            | Work::Evaluate { predicates: list, .. } => list,
            Work::Ask { .. } | Work::Undecided | Work::Finished(_) => &[],
        }
    }
}

fn as_texts<S: Serializer>(predicates: &[Predicate], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(predicates.iter().map(ToString::to_string))
}
