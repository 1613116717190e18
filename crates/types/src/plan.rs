//! A plan of many steps, as a run's trace, turns and result tell of it. What a plan is and what comes next is known to the
//! crate `plan` alone.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::coords::GridBox;
use crate::result::PredicateResult;

/// Which step of a plan something belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanStep {
    pub id: String,
    /// The passes of the loops around it, outermost first, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<u32>,
    /// From 1.
    pub attempt: u32,
}

impl PlanStep {
    /// The pass of the innermost loop.
    pub fn pass(&self) -> Option<u32> {
        self.passes.last().copied()
    }
}

impl std::fmt::Display for PlanStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)?;
        if !self.passes.is_empty() {
            let passes: Vec<String> = self.passes.iter().map(u32::to_string).collect();
            write!(f, " (pass {})", passes.join("."))?;
        }
        if self.attempt > 1 {
            write!(f, ", attempt {}", self.attempt)?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlanEvent {
    Started {
        name: String,
        /// Steps that the plan is written with, those inside of others included.
        steps: usize,
    },
    /// The plan goes on from its checkpoint.
    WentOn {
        name: String,
        /// Rows that were collected before, by table.
        rows: BTreeMap<String, usize>,
    },
    StepStarted {
        step: PlanStep,
        /// navigate, act, fill, extract, verify, evaluate or ask.
        work: String,
        /// What it is for, in one line.
        words: String,
    },
    StepEnded {
        step: PlanStep,
        outcome: PlanOutcome,
        /// Why it was not done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// What was seen of its `done_when`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        done_when: Vec<PredicateResult>,
    },
    Collected {
        step: PlanStep,
        table: String,
        added: usize,
        /// Rows whose key was there already.
        dropped: usize,
    },
    /// A person was asked.
    Asked {
        step: PlanStep,
        question: String,
        /// `null` where nobody answered.
        answer: Option<String>,
    },
    Ended {
        status: PlanStatus,
        sentence: String,
        /// Steps, and passes of loops, that were given up.
        #[serde(default, skip_serializing_if = "is_zero")]
        skipped: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanOutcome {
    Done,
    /// A condition was looked at, for a gate, a loop or a choice; `done_when` says what was seen.
    Looked,
    /// It failed and is tried again.
    Retried,
    Skipped,
    /// The failure went to the step around it, or ended the plan, or a person is asked what to do about it.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    Done,
    Failed,
    OutOfBudget,
    /// It was interrupted or put away, and can go on.
    Unfinished,
}

/// What became of a plan, in a run's result. The data itself is the result's `output`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanSummary {
    pub name: String,
    pub status: PlanStatus,
    /// The step at which it ended, where it did not end well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Steps, and passes of loops, that were given up.
    pub skipped: u64,
    pub failures: u64,
    /// How many rows each table has.
    pub rows: BTreeMap<String, usize>,
    /// Where the collected data was seen.
    pub evidence: Vec<PlanEvidence>,
    /// Entries that did not fit into the result; the run's folder has them all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub evidence_left_out: usize,
}

/// Where one field of the output was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanEvidence {
    /// As in `people[3].email`.
    pub field: String,
    /// SHA-256 of the frame.
    pub frame: String,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<GridBox>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// What stood there, where that could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl PlanOutcome {
    pub fn in_words(self) -> &'static str {
        match self {
            PlanOutcome::Done => "done",
            PlanOutcome::Looked => "looked at",
            PlanOutcome::Retried => "failed, is tried again",
            PlanOutcome::Skipped => "given up, goes on",
            PlanOutcome::Failed => "failed",
        }
    }
}

impl PlanStatus {
    pub fn in_words(self) -> &'static str {
        match self {
            PlanStatus::Done => "done",
            PlanStatus::Failed => "failed",
            PlanStatus::OutOfBudget => "out of budget",
            PlanStatus::Unfinished => "unfinished",
        }
    }

    /// As a sentence goes on behind its article: `plan is done`, `plan failed, and …`.
    pub fn of_plan(self, skipped: u64) -> String {
        let is = if self == PlanStatus::Failed { "" } else { "is " };
        format!("plan {is}{}", self.with_skipped(skipped))
    }

    /// The same of a plan that left something undone on its way.
    pub fn with_skipped(self, skipped: u64) -> String {
        let words = self.in_words();
        match (self, skipped) {
            (_, 0) => words.to_string(),
            (PlanStatus::Done, some) => format!("{words}, {}", except_given_up(some)),
            (_, 1) => format!("{words}, and one step or pass was given up before"),
            (_, more) => format!("{words}, and {more} steps or passes were given up before"),
        }
    }
}

/// Of a plan that came to its end and gave something up on its way.
pub fn except_given_up(skipped: u64) -> String {
    match skipped {
        1 => "except for one step or pass that was given up".into(),
        more => format!("except for {more} steps or passes that were given up"),
    }
}

fn is_zero<T: Default + PartialEq>(count: &T) -> bool {
    *count == T::default()
}
