//! From a position to the next piece of work: entering steps, gates, loops, choices, the ends of blocks.

use std::sync::Arc;

use surehand_checks::after::predicates::Predicate;
use url::Url;

use super::position::{Level, Part, Phase};
use super::spending::Spent;
use super::values::{Decision, is_empty};
use super::work::{Again, BudgetLeft, FieldValue, Purpose as LookFor, Status, StepRef, Wanted, Work};
use super::{Machine, position};
use crate::forms;
use crate::limits;
use crate::plan::{Condition, Gate, LoopRule, Named, Step, StepKind};
use crate::problem::quoted;
use crate::template::{Path, Purpose};

/// The id and the place of the opening of the start address, which is no step of the plan. A step may have the same id,
/// but none has this place.
pub(super) const OPENING: &str = "start_url";

enum Move {
    /// Something was decided; look again.
    On,
    Work(Box<Work>),
}

impl Machine {
    /// Moves on until there is something to do, or for as long as one may in one go.
    pub(super) fn settle(&mut self) {
        for _ in 0..limits::MOVES_AT_ONCE {
            if let Some(ended) = &self.position.ended {
                self.work = Work::Finished(self.ending(ended));
                return;
            }
            if let Move::Work(work) = self.one_move() {
                let asks_about_failure = matches!(*work, Work::Ask { answer: Wanted::Recovery { .. }, .. });
                if self.is_within_budget(asks_about_failure) {
                    self.idle_moves = 0;
                    self.work = *work;
                    return;
                }
            }
            self.idle_moves = self.idle_moves.saturating_add(1);
        }
        self.work = Work::Undecided;
        if self.idle_moves >= limits::IDLE_MOVES {
            self.end(Status::Failed, format!("the plan made {} moves and found nothing to do", limits::IDLE_MOVES));
        } else {
            // To decide takes time as well.
            self.is_within_budget(false);
        }
    }

    /// If not, what follows from that has been decided.
    fn is_within_budget(&mut self, asks_about_failure: bool) -> bool {
        match self.spent() {
            Spent::Plan(what) => self.end(Status::OutOfBudget, format!("the plan's {what} is used up")),
            Spent::Step { depth, what } if !asks_about_failure => {
                self.position.levels.truncate(depth + 1);
                self.fail(format!("the step's {what} is used up"), Again::Pointless);
            }
            _ => return true,
        }
        false
    }

    fn one_move(&mut self) -> Move {
        if self.position.opening {
            return self.opening();
        }
        let plan = Arc::clone(&self.plan);
        let Some((step, level)) = self.current_of(&plan).zip(self.position.levels.last().cloned()) else {
            self.end_block();
            return Move::On;
        };
        if let Some(asking) = &level.asking {
            let question = format!("Step `{}` failed: {}. What now?", step.id, asking.sentence);
            // Another try without anything left to spend would fail before it began.
            let may_retry = asking.again == Again::Possible && matches!(self.spent(), Spent::Nothing);
            let answer = Wanted::Recovery { may_retry };
            return self.ask(question, answer);
        }
        let moved = match level.phase {
            Phase::Enter => self.enter(step),
            Phase::Gate(at) => self.gate(step, at),
            Phase::Reopen => self.reopen(),
            Phase::Main => self.main(step),
            Phase::Decide => self.another_pass(step, &level),
            // Its block is gone without a word, which only a damaged position can do.
            Phase::Inside => Err("the plan lost its place".into()),
        };
        moved.unwrap_or_else(|why| {
            self.fail(why, Again::Possible);
            Move::On
        })
    }

    fn opening(&mut self) -> Move {
        let Some(template) = self.plan.start_url.clone() else {
            self.position.opening = false;
            return Move::On;
        };
        match self.text(&template, Purpose::Address).and_then(|url| address(&url)) {
            Ok(url) => {
                let step = StepRef {
                    id: OPENING.into(),
                    place: OPENING.into(),
                    passes: Vec::new(),
                    attempt: 1,
                    last_failure: None,
                };
                Move::Work(Box::new(Work::Navigate { step, url, done_when: Vec::new(), budget: self.budget_left() }))
            }
            Err(why) => {
                self.end(Status::Failed, format!("{OPENING}: {why}"));
                Move::On
            }
        }
    }

    fn enter(&mut self, step: &Step) -> Result<Move, String> {
        for required in &step.required {
            let found = Path::parse(required).and_then(|path| self.lookup(&path));
            if found.is_err() || found.is_ok_and(|found| is_empty(&found.value)) {
                return Err(format!("`{}` is required and empty", quoted(required)));
            }
        }
        if let Some(name) = step.save_as() {
            // An attempt that fails must not leave what an earlier one saved.
            self.position.variables.remove(name);
        }
        self.set_phase(Phase::Gate(0));
        Ok(Move::On)
    }

    fn gate(&mut self, step: &Step, at: usize) -> Result<Move, String> {
        match step.gates.get(at) {
            None => {
                let is_loop = matches!(step.kind, StepKind::Loop { .. });
                self.set_phase(if is_loop { Phase::Decide } else { Phase::Main });
                Ok(Move::On)
            }
            Some(Gate::Approval { approval }) => {
                let question = self.text(approval, Purpose::Sentence)?;
                Ok(self.ask(question, Wanted::Approval))
            }
            Some(Gate::Condition(condition)) => match self.decide(condition) {
                Decision::Yes => {
                    self.set_phase(Phase::Gate(at + 1));
                    Ok(Move::On)
                }
                Decision::No { why } => Err(format!("gate {} is closed: {why}", at + 1)),
                Decision::Look(predicates) => Ok(self.evaluate(LookFor::Gate, predicates)),
                Decision::Broken(why) => Err(why),
            },
        }
    }

    fn reopen(&mut self) -> Result<Move, String> {
        let Some(url) = self.position.last_url.clone() else {
            self.set_phase(Phase::Enter);
            return Ok(Move::On);
        };
        let (step, budget) = (self.step_ref(), self.budget_left());
        Ok(Move::Work(Box::new(Work::Navigate { step, url, done_when: Vec::new(), budget })))
    }

    fn main(&mut self, step: &Step) -> Result<Move, String> {
        let (reference, budget) = (self.step_ref(), self.budget_left());
        let done_when = self.predicates(&step.done_when)?;
        let work = match &step.kind {
            StepKind::Navigate { url } => {
                let url = self.text(url, Purpose::Address).and_then(|url| address(&url))?;
                Work::Navigate { step: reference, url, done_when, budget }
            }
            StepKind::Act { values, submits } => self.act(step, values, submits.as_deref(), reference, budget)?,
            StepKind::Fill { fields, form } => {
                Work::Fill { step: reference, fields: self.filled(fields)?, form: form.clone(), done_when, budget }
            }
            StepKind::Extract { what, output_schema, evidence, .. } => Work::Extract {
                step: reference,
                intent: self.text(&step.intent, Purpose::Sentence)?,
                what: self.text(what, Purpose::Sentence)?,
                schema: output_schema.clone(),
                evidence: *evidence,
                done_when,
                budget,
            },
            StepKind::Ask { question, choices, .. } => {
                let question = self.text(question, Purpose::Sentence)?;
                let answer = if choices.is_empty() { Wanted::Text } else { Wanted::Choice(choices.clone()) };
                Work::Ask { step: reference, question, answer, budget }
            }
            StepKind::Verify { condition } => return self.verify(condition.as_ref(), done_when),
            StepKind::If { condition, .. } => {
                return match self.decide(condition) {
                    Decision::Yes => Ok(self.branch(Part::Then)),
                    Decision::No { .. } => Ok(self.branch(Part::Else)),
                    Decision::Look(predicates) => Ok(self.evaluate(LookFor::If, predicates)),
                    Decision::Broken(why) => Err(why),
                };
            }
            StepKind::Loop { .. } => {
                self.set_phase(Phase::Decide);
                return Ok(Move::On);
            }
        };
        Ok(Move::Work(Box::new(work)))
    }

    fn act(
        &self,
        step: &Step,
        values: &Named<String>,
        submits: Option<&str>,
        reference: StepRef,
        budget: BudgetLeft,
    ) -> Result<Work, String> {
        let rest: Vec<&[Step]> = (0..self.position.levels.len())
            .rev()
            .filter_map(|depth| {
                let block = position::block(&self.plan, &self.position.levels, depth)?;
                block.get(self.position.levels.get(depth)?.at + 1..)
            })
            .collect();
        let later = forms::later_fills(&rest);
        let pending_form_labels = match submits {
            Some(form) => {
                let open =
                    self.position.unfilled.iter().filter(|field| field.form == form).map(|field| field.label.clone());
                let to_come = later.iter().filter(|fill| fill.form == Some(form)).map(|fill| fill.label.to_owned());
                Some(open.chain(to_come).collect())
            }
            None if values.is_empty() => Some(Vec::new()),
            None => None,
        };
        Ok(Work::Act {
            step: reference,
            intent: self.text(&step.intent, Purpose::Sentence)?,
            values: self.filled(values)?,
            pending_form_labels,
            submits: submits.map(str::to_owned),
            later_fills: later.iter().map(|fill| fill.label.to_owned()).collect(),
            done_when: self.predicates(&step.done_when)?,
            budget,
        })
    }

    fn filled(&self, fields: &Named<String>) -> Result<Vec<FieldValue>, String> {
        let filled = fields.iter().map(|(label, value)| {
            let value = self.text(value, Purpose::Exact).map_err(|why| format!("field `{}`: {why}", quoted(label)))?;
            Ok(FieldValue { label: label.to_owned(), value })
        });
        filled.collect()
    }

    fn verify(&mut self, condition: Option<&Condition>, mut predicates: Vec<Predicate>) -> Result<Move, String> {
        match condition.map(|condition| self.decide(condition)) {
            None | Some(Decision::Yes) if predicates.is_empty() => {
                self.complete();
                return Ok(Move::On);
            }
            None | Some(Decision::Yes) => {}
            Some(Decision::No { why }) => return Err(format!("it does not hold: {why}")),
            Some(Decision::Look(more)) => predicates.extend(more),
            Some(Decision::Broken(why)) => return Err(why),
        }
        let (step, budget) = (self.step_ref(), self.budget_left());
        Ok(Move::Work(Box::new(Work::Verify { step, predicates, budget })))
    }

    fn another_pass(&mut self, step: &Step, level: &Level) -> Result<Move, String> {
        let StepKind::Loop { rule, .. } = &step.kind else { return Err("the plan lost its place".into()) };
        let wanted = match self.wants_pass(rule, level.pass)? {
            Decision::Yes => true,
            Decision::No { .. } => false,
            Decision::Look(predicates) => return Ok(self.evaluate(LookFor::Loop, predicates)),
            Decision::Broken(why) => return Err(why),
        };
        self.begin_pass(step, wanted).map(|()| Move::On)
    }

    fn wants_pass(&self, rule: &LoopRule, pass: u32) -> Result<Decision, String> {
        if let Some(over) = &rule.over {
            let entries = self.entry_count(over)?;
            let most = rule.max_times.unwrap_or(limits::LOOP_PASSES) as usize;
            if entries > most {
                return Err(format!("`{}` has {entries} entries, more than the bound of {most}", quoted(over)));
            }
            let more = (pass as usize) < entries;
            return Ok(if more { Decision::Yes } else { Decision::No { why: "no entry is left".into() } });
        }
        Ok(match (&rule.as_long_as, &rule.until) {
            (Some(condition), _) => self.decide(condition),
            (None, Some(_)) if pass == 0 => Decision::Yes,
            (None, Some(condition)) => match self.decide(condition) {
                Decision::Yes => Decision::No { why: "it is so".into() },
                Decision::No { .. } => Decision::Yes,
                other => other,
            },
            (None, None) => Decision::No { why: "the loop has no rule".into() },
        })
    }

    /// Starts the next pass of the loop that is decided about, or ends it.
    pub(super) fn begin_pass(&mut self, step: &Step, wanted: bool) -> Result<(), String> {
        let StepKind::Loop { rule, between, .. } = &step.kind else { return Err("the plan lost its place".into()) };
        if !wanted {
            self.complete();
            return Ok(());
        }
        let pass = self.level().map_or(0, |level| level.pass);
        let most = rule.max_times.unwrap_or(limits::LOOP_PASSES);
        if pass >= most {
            return Err(format!("the loop made {most} passes, its bound, and was not at its end"));
        }
        self.descend(if pass > 0 && !between.is_empty() { Part::Between } else { Part::Body });
        Ok(())
    }

    fn branch(&mut self, part: Part) -> Move {
        // An empty way is gone at once, by the end of its block.
        self.descend(part);
        Move::On
    }

    /// Goes into a block of the current step.
    pub(super) fn descend(&mut self, part: Part) {
        if part == Part::Body
            && let Some((step, _)) = self.current()
        {
            // What the last pass saved is not this pass's: a step that is skipped now must not leave it.
            let names = saved_inside(step);
            self.position.variables.retain(|name, _| !names.contains(name));
        }
        self.set_phase(Phase::Inside);
        self.position.levels.push(Level::new(part));
    }

    fn end_block(&mut self) {
        let Some(ended) = self.position.levels.pop() else { return self.finish() };
        match ended.part {
            Part::Plan => self.finish(),
            Part::Then | Part::Else => self.complete(),
            Part::Between => self.descend(Part::Body),
            Part::Body => self.next_pass(),
        }
    }

    pub(super) fn next_pass(&mut self) {
        if let Some(level) = self.level() {
            level.pass = level.pass.saturating_add(1);
            level.attempt = 0;
            level.last_failure = None;
            level.phase = Phase::Decide;
        }
    }

    /// The current step is done.
    pub(super) fn complete(&mut self) {
        let step = self.step_ref();
        self.notes.push(super::Note::StepDone { step });
        self.go_on();
    }

    /// To the next step of the block.
    pub(super) fn go_on(&mut self) {
        if let Some(level) = self.level() {
            *level = level.following();
        }
    }

    pub(super) fn set_phase(&mut self, phase: Phase) {
        if let Some(level) = self.level() {
            level.phase = phase;
        }
    }

    fn ask(&self, question: String, answer: Wanted) -> Move {
        let (step, budget) = (self.step_ref(), self.budget_left());
        Move::Work(Box::new(Work::Ask { step, question, answer, budget }))
    }

    fn evaluate(&self, purpose: LookFor, predicates: Vec<Predicate>) -> Move {
        let (step, budget) = (self.step_ref(), self.budget_left());
        Move::Work(Box::new(Work::Evaluate { step, purpose, predicates, budget }))
    }
}

fn saved_inside(step: &Step) -> Vec<String> {
    let mut names = Vec::new();
    for (_, block) in step.blocks() {
        for inner in block {
            names.extend(inner.save_as().map(str::to_owned));
            names.extend(saved_inside(inner));
        }
    }
    names
}

/// Only what a browser opens over the web; data could otherwise make a script or a file of it.
fn address(url: &str) -> Result<String, String> {
    let parsed = Url::parse(url).map_err(|why| format!("`{}` is no address: {why}", quoted(url)))?;
    match parsed.scheme() {
        "http" | "https" => Ok(url.to_owned()),
        other => Err(format!("`{}` is no web address but {other}", quoted(url))),
    }
}
