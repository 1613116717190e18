//! Takes what came of the work, and moves on.

use std::sync::Arc;

use serde_json::Value;
use surehand_types::ThreeValued;

use super::Machine;
use super::position::{Part, Phase};
use super::values::about;
use super::work::{Again, Answer, Note, Outcome, Status, Used, Wanted, Work};
use crate::extraction::{self, Evidence};
use crate::plan::{Condition, Gate, Step, StepKind};
use crate::problem::quoted;

/// An outcome that is none of the work at hand. The machine is where it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    #[error("the plan is at its end, there is nothing to report on. hint: look at `next`")]
    Finished,
    #[error("what comes next is not decided yet. hint: `count_unreported` goes on with that")]
    Undecided,
    #[error("work of the kind {work} does not end with {outcome}. hint: `Work` says which outcomes answer it")]
    OtherKind { work: &'static str, outcome: &'static str },
    #[error("{wanted} predicates were asked for and {given} answered. hint: give one answer for each, in order")]
    OtherCount { wanted: usize, given: usize },
}

impl Machine {
    /// What came of `next`, and what it took. Answers with what was decided on the way to the next work.
    pub fn report(&mut self, outcome: Outcome, used: Used) -> Result<Vec<Note>, ReportError> {
        self.check(&outcome)?;
        self.notes.clear();
        self.spend(used);
        let work = self.work.clone();
        let plan = Arc::clone(&self.plan);
        let step = self.current_of(&plan);
        match (outcome, step) {
            (outcome, _) if self.position.opening => self.opened(&work, outcome),
            (Outcome::Failed { sentence, again }, _) => self.failed(sentence, again),
            (Outcome::Answered(answer), Some(step)) => self.answered(step, answer),
            (Outcome::Evaluated { results }, Some(step)) => self.evaluated(&work, step, results),
            (Outcome::Extracted { value, evidence, done_when }, Some(step)) => {
                self.extracted(step, value, &evidence, &work, &done_when);
            }
            (Outcome::Done { done_when }, Some(step)) => self.done(step, &work, &done_when),
            (_, None) => {}
        }
        self.settle();
        Ok(std::mem::take(&mut self.notes))
    }

    /// What was used without a report: by an earlier process for the work that is to be done now, or to decide what comes
    /// next. Where that is not decided yet, it goes on with it.
    pub fn count_unreported(&mut self, used: Used) -> Vec<Note> {
        self.notes.clear();
        self.spend(used);
        self.settle();
        std::mem::take(&mut self.notes)
    }

    fn check(&self, outcome: &Outcome) -> Result<(), ReportError> {
        let other = || Err(ReportError::OtherKind { work: self.work.name(), outcome: name(outcome) });
        let answers = match (&self.work, outcome) {
            (Work::Finished(_), _) => return Err(ReportError::Finished),
            (Work::Undecided, _) => return Err(ReportError::Undecided),
            (_, Outcome::Failed { .. }) => return Ok(()),
            (Work::Navigate { .. } | Work::Act { .. } | Work::Fill { .. }, Outcome::Done { done_when }) => {
                done_when.len()
            }
            (Work::Extract { .. }, Outcome::Extracted { done_when, .. }) => done_when.len(),
            (Work::Verify { .. } | Work::Evaluate { .. }, Outcome::Evaluated { results }) => results.len(),
            (Work::Ask { answer: wanted, .. }, Outcome::Answered(answer)) => {
                return if fits(wanted, answer) { Ok(()) } else { other() };
            }
            _ => return other(),
        };
        let wanted = self.work.predicates().len();
        if wanted == answers { Ok(()) } else { Err(ReportError::OtherCount { wanted, given: answers }) }
    }

    fn opened(&mut self, work: &Work, outcome: Outcome) {
        match (outcome, work) {
            (Outcome::Failed { sentence, .. }, _) => {
                self.end(Status::Failed, format!("start_url: {}", quoted(&sentence)))
            }
            (_, Work::Navigate { url, .. }) => {
                self.position.opening = false;
                self.position.last_url = Some(url.clone());
            }
            _ => {}
        }
    }

    fn failed(&mut self, sentence: String, again: Again) {
        let asking = self.level().and_then(|level| level.asking.take());
        match asking {
            // Nobody decided, so nothing is decided for them but to stop.
            Some(mut asking) => {
                asking.sentence = format!("{}; what to do was asked, but {}", asking.sentence, shortened(&sentence));
                self.recover(&Answer::Stop, asking);
            }
            None => self.fail(shortened(&sentence), again),
        }
    }

    fn answered(&mut self, step: &Step, answer: Answer) {
        if let Some(asking) = self.level().and_then(|level| level.asking.take()) {
            return self.recover(&answer, asking);
        }
        match (answer, self.level().map(|level| level.phase)) {
            (Answer::Approved, Some(Phase::Gate(at))) => self.set_phase(Phase::Gate(at.saturating_add(1))),
            (Answer::Denied { reason }, _) => {
                let reason = if reason.trim().is_empty() { "no reason given".into() } else { shortened(&reason) };
                self.fail(format!("a person did not allow it: {reason}"), Again::Pointless);
            }
            (Answer::Text(text), _) => {
                if let Some(name) = step.save_as() {
                    self.position.variables.insert(name.to_owned(), Value::String(text));
                }
                self.complete();
            }
            _ => {}
        }
    }

    fn done(&mut self, step: &Step, work: &Work, done_when: &[ThreeValued]) {
        let phase = self.level().map(|level| level.phase);
        if let (Work::Navigate { url, .. }, Some(phase)) = (work, phase) {
            self.position.unfilled.clear();
            if phase == Phase::Reopen {
                return self.set_phase(Phase::Enter);
            }
            self.position.last_url = Some(url.clone());
        }
        if let Some(why) = not_all(work, done_when) {
            return self.fail(why, Again::Possible);
        }
        match &step.kind {
            StepKind::Fill { fields, form: Some(form) } => {
                self.position.unfilled.retain(|open| open.form != *form || fields.get(&open.label).is_none());
            }
            StepKind::Act { submits: Some(form), .. } => self.position.unfilled.retain(|open| open.form != *form),
            _ => {}
        }
        self.complete();
    }

    fn extracted(&mut self, step: &Step, value: Value, evidence: &[Evidence], work: &Work, done_when: &[ThreeValued]) {
        let StepKind::Extract { output_schema, evidence: per, save_as, collect, .. } = &step.kind else { return };
        let problems = extraction::check(output_schema, *per, &value, evidence);
        if !problems.is_empty() {
            return self.fail(extraction::in_one_sentence(problems.all()), Again::Possible);
        }
        if let Some(why) = not_all(work, done_when) {
            return self.fail(why, Again::Possible);
        }
        if let Some(collect) = collect
            && let Err(why) = self.collect(collect, &value, evidence)
        {
            return self.fail(why, Again::Possible);
        }
        if let Some(name) = save_as {
            self.position.variables.insert(name.clone(), value);
        }
        self.complete();
    }

    fn evaluated(&mut self, work: &Work, step: &Step, results: Vec<ThreeValued>) {
        let phase = self.level().map(|level| level.phase);
        let answer = match (phase, &step.kind) {
            (Some(Phase::Gate(at)), _) => match step.gates.get(at) {
                Some(Gate::Condition(condition)) => self.judged(condition, results),
                _ => return,
            },
            (_, StepKind::Loop { rule, .. }) => match rule.as_long_as.as_ref().or(rule.until.as_ref()) {
                Some(condition) => self.judged(condition, results),
                None => return,
            },
            (_, StepKind::If { condition, .. }) => self.judged(condition, results),
            (_, StepKind::Verify { condition }) => self.verified(work, step, condition.as_ref(), results),
            _ => return,
        };
        let holds = match answer {
            ThreeValued::Yes { .. } => true,
            ThreeValued::No { reason } => {
                if matches!(phase, Some(Phase::Gate(_))) {
                    return self.fail(format!("a gate is closed: {reason}"), Again::Possible);
                }
                if matches!(step.kind, StepKind::Verify { .. }) {
                    return self.fail(format!("it does not hold: {reason}"), Again::Possible);
                }
                false
            }
            ThreeValued::NotMeasured { reason } => {
                return self.fail(format!("it cannot be told: {reason}"), Again::Possible);
            }
        };
        match (phase, &step.kind) {
            (Some(Phase::Gate(at)), _) => self.set_phase(Phase::Gate(at.saturating_add(1))),
            (_, StepKind::Verify { .. }) => self.complete(),
            (_, StepKind::If { .. }) => self.descend(if holds { Part::Then } else { Part::Else }),
            (_, StepKind::Loop { rule, .. }) => {
                let wanted = if rule.as_long_as.is_some() { holds } else { !holds };
                if let Err(why) = self.begin_pass(step, wanted) {
                    self.fail(why, Again::Possible);
                }
            }
            _ => {}
        }
    }

    fn judged(&self, condition: &Condition, results: Vec<ThreeValued>) -> ThreeValued {
        self.judge(condition, &mut results.into_iter())
    }

    /// The predicates of `done_when` come first, those of the condition after them, if it had to be looked at.
    fn verified(
        &self,
        work: &Work,
        step: &Step,
        condition: Option<&Condition>,
        mut results: Vec<ThreeValued>,
    ) -> ThreeValued {
        let of_condition = results.split_off(step.done_when.len().min(results.len()));
        let named =
            results.into_iter().zip(work.predicates()).map(|(answer, predicate)| about(&predicate.to_string(), answer));
        let mut answers: Vec<ThreeValued> = named.collect();
        if let Some(condition) = condition {
            answers.push(self.judged(condition, of_condition));
        }
        let no = answers.iter().find(|answer| matches!(answer, ThreeValued::No { .. }));
        let unknown = answers.iter().find(|answer| matches!(answer, ThreeValued::NotMeasured { .. }));
        no.or(unknown).cloned().unwrap_or_else(|| ThreeValued::yes("all of it holds"))
    }
}

/// The first of `done_when` that is not known to hold. Not being able to tell is not yes.
fn not_all(work: &Work, answers: &[ThreeValued]) -> Option<String> {
    work.predicates().iter().zip(answers).find_map(|(predicate, answer)| {
        let predicate = quoted(&predicate.to_string());
        match answer {
            ThreeValued::Yes { .. } => None,
            ThreeValued::No { reason } => {
                Some(format!("it is not done: {predicate} does not hold ({})", quoted(reason)))
            }
            ThreeValued::NotMeasured { reason } => {
                Some(format!("whether it is done cannot be told: {predicate} ({})", quoted(reason)))
            }
        }
    })
}

fn fits(wanted: &Wanted, answer: &Answer) -> bool {
    match (wanted, answer) {
        (Wanted::Text, Answer::Text(_)) => true,
        (Wanted::Choice(choices), Answer::Text(text)) => choices.contains(text),
        (Wanted::Approval, Answer::Approved | Answer::Denied { .. }) => true,
        (Wanted::Recovery { may_retry }, Answer::Retry) => *may_retry,
        (Wanted::Recovery { .. }, Answer::Skip | Answer::Stop) => true,
        _ => false,
    }
}

/// Sentences of others are kept, but not at any length.
fn shortened(text: &str) -> String {
    const KEPT: usize = 500;
    let mut kept: String = text.chars().take(KEPT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > KEPT {
        kept.push('…');
    }
    kept
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done { .. } => "done",
        Outcome::Extracted { .. } => "extracted",
        Outcome::Evaluated { .. } => "evaluated",
        Outcome::Answered(Answer::Text(_)) => "a text, or not this one",
        Outcome::Answered(Answer::Approved | Answer::Denied { .. }) => "an approval",
        Outcome::Answered(_) => "a recovery",
        Outcome::Failed { .. } => "failed",
    }
}
