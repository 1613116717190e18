//! The machine that goes through a plan. `next` says what to do, `report` takes what came of it and moves on;
//! everything between the two is decided here and depends on nothing else.

mod collect;
mod collected;
mod failure;
mod moves;
mod position;
mod report;
mod spending;
#[cfg(test)]
mod tests;
mod values;
mod work;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::inputs::{Inputs, digest};
use crate::plan::{Budget, Plan, Step, StepKind};
use crate::{schema, template};
use position::{Ended, Level, block};

pub use collected::{Amount, Collected};
pub use position::{Position, ResumeError};
pub use report::ReportError;
pub use work::{
    Again, Answer, BudgetLeft, Ending, FieldValue, Note, Outcome, Purpose, Status, StepRef, Used, Wanted, Work,
};

#[derive(Debug, Clone)]
pub struct Machine {
    plan: Arc<Plan>,
    inputs: Inputs,
    position: Position,
    /// The keys of the collected rows, by table. Follows from the position.
    keys: BTreeMap<String, HashSet<String>>,
    /// Follows from the position too.
    work: Work,
    /// What happened since the last report.
    notes: Vec<Note>,
    /// Moves since there was work.
    idle_moves: u32,
    /// What whoever runs the plan lets it have, whatever the plan itself says.
    granted: Budget,
}

impl Machine {
    /// At the beginning of the plan.
    pub fn new(plan: Plan, inputs: Inputs) -> Machine {
        let position = Position::start(&plan, plan_digest(&plan), inputs.digest());
        Machine::at(plan, inputs, position)
    }

    /// Where an earlier machine for the same plan and inputs was.
    pub fn resume(plan: Plan, inputs: Inputs, position: Position) -> Result<Machine, ResumeError> {
        if position.version != position::VERSION {
            return Err(ResumeError::Version);
        }
        if position.plan != plan_digest(&plan) {
            return Err(ResumeError::OtherPlan);
        }
        if position.inputs != inputs.digest() {
            return Err(ResumeError::OtherInputs);
        }
        position.fits(&plan)?;
        Ok(Machine::at(plan, inputs, position))
    }

    /// Narrows the plan's budget. It holds for what is decided from now on; what an earlier process used counts.
    pub fn grant(&mut self, budget: Budget) {
        self.granted = budget;
    }

    /// What to do now. The same until it is reported on, or something is counted.
    pub fn next(&self) -> &Work {
        &self.work
    }

    /// The checkpoint: what `resume` needs to go on from here.
    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What there is so far, in the shape of an ending; its status says nothing yet.
    pub fn so_far(&self) -> Ending {
        let nothing = Ended {
            status: Status::Failed,
            sentence: String::new(),
            step: self.next().step().map(|step| step.id.clone()),
        };
        self.ending(self.position.ended.as_ref().unwrap_or(&nothing))
    }

    /// The addresses that the plan opens, as far as they follow from what it was started with: data of a page names none.
    pub fn addresses(&self) -> Vec<String> {
        let steps = self.plan.all_steps();
        let of_steps = steps.iter().filter_map(|(_, step)| match &step.kind {
            StepKind::Navigate { url } => Some(url),
            _ => None,
        });
        let given = |path: &template::Path| match self.inputs.get(path.base()) {
            Some(value) => template::descend(value, path)
                .map(|value| template::Found { value: Cow::Borrowed(value), origin: template::Origin::Data }),
            None => Err("it is not given".to_string()),
        };
        let all = self.plan.start_url.iter().chain(of_steps);
        let mut found: Vec<String> =
            all.filter_map(|url| template::text(url, template::Purpose::Address, &given).ok()).collect();
        found.dedup();
        found
    }

    fn at(plan: Plan, inputs: Inputs, position: Position) -> Machine {
        let plan = Arc::new(plan);
        let nothing = Ending {
            status: Status::Failed,
            sentence: String::new(),
            step: None,
            output: Value::Null,
            evidence: Vec::new(),
            skipped: 0,
            failures: 0,
            used: Used::default(),
        };
        let keys = BTreeMap::new();
        let mut machine = Machine {
            plan,
            inputs,
            position,
            keys,
            work: Work::Finished(nothing),
            notes: Vec::new(),
            idle_moves: 0,
            granted: Budget::default(),
        };
        machine.index_rows();
        machine.settle();
        machine.notes.clear();
        machine
    }

    /// The innermost block's current step and its state.
    fn current(&self) -> Option<(&Step, &Level)> {
        let depth = self.position.levels.len().checked_sub(1)?;
        self.step_at(depth)
    }

    fn step_at(&self, depth: usize) -> Option<(&Step, &Level)> {
        let levels = &self.position.levels;
        let level = levels.get(depth)?;
        block(&self.plan, levels, depth)?.get(level.at).map(|step| (step, level))
    }

    /// The current step as a part of the plan alone, so that the machine can move meanwhile.
    fn current_of<'p>(&self, plan: &'p Plan) -> Option<&'p Step> {
        let levels = &self.position.levels;
        block(plan, levels, levels.len().checked_sub(1)?)?.get(levels.last()?.at)
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.position.levels.last_mut()
    }

    fn end(&mut self, status: Status, sentence: impl Into<String>) {
        let step = self.current().map(|(step, _)| step.id.clone()).filter(|_| status != Status::Done);
        let sentence = sentence.into();
        self.notes.push(Note::PlanEnded { status, sentence: sentence.clone() });
        self.position.ended = Some(Ended { status, sentence, step });
    }

    /// All steps are behind us: the output is what counts now.
    fn finish(&mut self) {
        let output = match self.output() {
            Ok(output) => output,
            Err(why) => return self.end(Status::Failed, why),
        };
        let wrong =
            self.plan.output.schema.as_ref().map(|wanted| schema::mismatches(&Value::Object(wanted.clone()), &output));
        match wrong.as_deref() {
            Some([(place, why), ..]) if place.is_empty() => {
                self.end(Status::Failed, format!("the output does not follow its schema: {why}"));
            }
            Some([(place, why), ..]) => {
                self.end(Status::Failed, format!("the output does not follow its schema: {place}: {why}"));
            }
            _ => self.end(Status::Done, ""),
        }
    }

    fn output(&self) -> Result<Value, String> {
        let mut output = self.tables();
        for (name, template) in self.plan.output.values.iter() {
            let value = self.value(template).map_err(|why| format!("output.values.{name}: {why}"))?;
            output.insert(name.to_owned(), value.into_owned());
        }
        Ok(Value::Object(output))
    }

    fn tables(&self) -> Map<String, Value> {
        let tables = self.plan.output.tables.iter();
        tables.map(|(name, _)| (name.to_owned(), Value::Array(self.position.table(name).to_vec()))).collect()
    }

    fn ending(&self, ended: &Ended) -> Ending {
        let position = &self.position;
        // Values that were never read leave the rows that were.
        let output = self.output().unwrap_or_else(|_| Value::Object(self.tables()));
        Ending {
            status: ended.status,
            sentence: ended.sentence.clone(),
            step: ended.step.clone(),
            output,
            evidence: position.evidence.clone(),
            skipped: position.skipped,
            failures: position.failures,
            used: position.used,
        }
    }

    fn step_ref(&self) -> StepRef {
        let levels = &self.position.levels;
        let (mut place, mut passes) = (String::new(), Vec::new());
        for (depth, level) in levels.iter().enumerate() {
            let list = match level.part {
                position::Part::Plan => "steps",
                position::Part::Body => ".steps",
                position::Part::Between => ".between",
                position::Part::Then => ".then",
                position::Part::Else => ".else",
            };
            place.push_str(&format!("{list}[{}]", level.at));
            let is_loop = self.step_at(depth).is_some_and(|(step, _)| matches!(step.kind, StepKind::Loop { .. }));
            if is_loop && depth + 1 < levels.len() {
                passes.push(level.pass.saturating_add(1));
            }
        }
        let current = self.current();
        StepRef {
            id: current.map(|(step, _)| step.id.clone()).unwrap_or_default(),
            place,
            passes,
            attempt: current.map_or(1, |(_, level)| level.attempt.saturating_add(1)),
            last_failure: current.and_then(|(_, level)| level.last_failure.clone()),
        }
    }
}

fn plan_digest(plan: &Plan) -> String {
    digest(&serde_json::to_string(plan).unwrap_or_default())
}
