//! Where a plan is: everything that a machine knows beyond the plan and its inputs. Saved after every report,
//! it is the checkpoint; read back, the plan goes on from there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::work::{Again, Status, Used};
use crate::extraction::Evidence;
use crate::limits;
use crate::plan::{Plan, Step, StepKind};

pub(super) const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    pub(super) version: u32,
    /// Of the plan and of its inputs, so that no other is gone on with.
    pub(super) plan: String,
    pub(super) inputs: String,
    /// The start address is still to be opened.
    pub(super) opening: bool,
    /// The current step of each block, outermost first.
    pub(super) levels: Vec<Level>,
    pub(super) variables: Map<String, Value>,
    pub(super) tables: BTreeMap<String, Vec<Value>>,
    pub(super) evidence: Vec<Evidence>,
    /// Fields of forms whose fill was given up.
    pub(super) unfilled: Vec<Unfilled>,
    pub(super) last_url: Option<String>,
    pub(super) used: Used,
    pub(super) failures: u64,
    pub(super) skipped: u64,
    pub(super) ended: Option<Ended>,
}

/// One block that is under way, and its current step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Level {
    pub(super) part: Part,
    pub(super) at: usize,
    pub(super) phase: Phase,
    /// Of a loop, from 0.
    pub(super) pass: u32,
    /// From 0; of a loop, in the current pass.
    pub(super) attempt: u32,
    pub(super) used: Used,
    pub(super) last_failure: Option<String>,
    pub(super) asking: Option<Asking>,
}

/// Which list of the step around it a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    Plan,
    Body,
    Between,
    Then,
    Else,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    Enter,
    Gate(usize),
    /// The last address is opened again before another attempt.
    Reopen,
    /// The work itself; of a choice, its condition.
    Main,
    /// Whether a loop has another pass.
    Decide,
    /// A block of the step is under way.
    Inside,
}

/// A failure that a person is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asking {
    pub(super) sentence: String,
    pub(super) again: Again,
    /// The block in which it failed, where it was not the step itself.
    pub(super) inside: Option<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unfilled {
    pub(super) form: String,
    pub(super) label: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ended {
    pub(super) status: Status,
    pub(super) sentence: String,
    pub(super) step: Option<String>,
}

/// Why a position cannot be gone on from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error("the position was saved by another version of this program. hint: start the plan anew")]
    Version,
    #[error("the position belongs to another plan. hint: resume with the plan as it was when it was interrupted")]
    OtherPlan,
    #[error("the position belongs to other inputs. hint: resume with the same values and files")]
    OtherInputs,
    #[error("the position is damaged: {0}. hint: start the plan anew")]
    Damaged(&'static str),
}

impl Position {
    /// What was used up so far.
    pub fn used(&self) -> Used {
        self.used
    }

    /// How many rows each table has.
    pub fn rows(&self) -> BTreeMap<&str, usize> {
        self.tables.iter().map(|(name, rows)| (name.as_str(), rows.len())).collect()
    }

    /// The address that a step opened last.
    pub fn last_url(&self) -> Option<&str> {
        self.last_url.as_deref()
    }

    pub fn is_at_its_end(&self) -> bool {
        self.ended.is_some()
    }

    /// The rows of one table so far.
    pub fn table(&self, name: &str) -> &[Value] {
        self.tables.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn start(plan: &Plan, plan_digest: String, inputs: String) -> Position {
        Position {
            version: VERSION,
            plan: plan_digest,
            inputs,
            opening: plan.start_url.is_some(),
            levels: vec![Level::new(Part::Plan)],
            variables: Map::new(),
            tables: plan.output.tables.iter().map(|(name, _)| (name.to_owned(), Vec::new())).collect(),
            evidence: Vec::new(),
            unfilled: Vec::new(),
            last_url: None,
            used: Used::default(),
            failures: 0,
            skipped: 0,
            ended: None,
        }
    }

    /// Whether the levels fit the plan. The rest can be anything without harm.
    pub(super) fn fits(&self, plan: &Plan) -> Result<(), ResumeError> {
        let damaged = |why| Err(ResumeError::Damaged(why));
        if self.ended.is_some() {
            // Nothing moves any more.
            return Ok(());
        }
        if self.levels.len() > limits::NESTING + 1 || self.levels.is_empty() {
            return damaged("it has no place in the plan");
        }
        if self.levels.first().is_some_and(|level| level.part != Part::Plan) {
            return damaged("it does not begin in the plan");
        }
        for (depth, level) in self.levels.iter().enumerate() {
            let Some(block) = block(plan, &self.levels, depth) else {
                return damaged("it is in a block that is not there");
            };
            let last = depth + 1 == self.levels.len();
            let Some(step) = block.get(level.at) else {
                // Saved before it was decided what comes after a block.
                if last && level.at == block.len() && level.phase == Phase::Enter && level.asking.is_none() {
                    continue;
                }
                return damaged("it is at a step that is not there");
            };
            let inner = matches!(step.kind, StepKind::Loop { .. } | StepKind::If { .. });
            let fits = match level.phase {
                // A failure inside that a person is asked about has left the inside.
                Phase::Inside => inner && (!last || level.asking.is_some()),
                Phase::Decide => last && matches!(step.kind, StepKind::Loop { .. }),
                Phase::Gate(at) => last && at <= step.gates.len(),
                Phase::Enter | Phase::Reopen | Phase::Main => last,
            };
            if !fits || (level.asking.is_some() && !last) || level.pass > limits::LOOP_PASSES {
                return damaged("a step is in a state that it cannot have");
            }
        }
        Ok(())
    }
}

impl Level {
    pub(super) fn new(part: Part) -> Level {
        Level {
            part,
            at: 0,
            phase: Phase::Enter,
            pass: 0,
            attempt: 0,
            used: Used::default(),
            last_failure: None,
            asking: None,
        }
    }

    /// At the next step of the same block.
    pub(super) fn following(&self) -> Level {
        Level { at: self.at.saturating_add(1), ..Level::new(self.part) }
    }
}

/// The steps of the block at a depth.
pub(super) fn block<'p>(plan: &'p Plan, levels: &[Level], depth: usize) -> Option<&'p [Step]> {
    let mut steps: &[Step] = &plan.steps;
    for (around, level) in levels.iter().zip(levels.iter().skip(1)).take(depth) {
        steps = match (&steps.get(around.at)?.kind, level.part) {
            (StepKind::Loop { steps, .. }, Part::Body) => steps,
            (StepKind::Loop { between, .. }, Part::Between) => between,
            (StepKind::If { then, .. }, Part::Then) => then,
            (StepKind::If { otherwise, .. }, Part::Else) => otherwise,
            _ => return None,
        };
    }
    (depth < levels.len()).then_some(steps)
}
