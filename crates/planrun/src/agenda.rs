//! The order of a plan: take the next piece of work, do it, report what came of it, write the checkpoint. Meant to be read
//! top-down; how each kind of work is done lives elsewhere.

use async_trait::async_trait;
use surehand_plan::machine::{Again, Ending, Note, Outcome, Status, StepRef, Used};
use surehand_plan::{Machine, Work};
use surehand_run::{Agenda, Course, CourseEnd, Halt, Said, Spent, Whole};
use surehand_types::plan::{PlanEvent, PlanOutcome, PlanStatus, PlanStep, PlanSummary};
use surehand_types::result::PredicateResult;
use surehand_types::{Call, Termination, ThreeValued};

use crate::evidence::evidence_of;
use crate::plan_run::PlanRun;
use crate::words;

/// Checkpoints beyond this size are written after each step, no longer after each turn.
const LARGE: usize = 1024 * 1024;

/// A larger output is only in the run's folder: a trace line has its limits.
const OUTPUT_IN_RESULT: usize = 8 * 1024 * 1024;
const EVIDENCE_IN_RESULT: usize = 10_000;

#[async_trait]
impl Agenda for PlanRun {
    async fn follow(&mut self, course: &mut Course<'_>) -> CourseEnd {
        match self.go_through(course).await {
            Ok(ending) => self.finished(course, ending).await,
            Err(halt) => self.halted(course, halt).await,
        }
    }

    fn whole(&self) -> Whole {
        let (own, granted) = (&self.plan().budget, &self.limits.whole);
        let time = [own.max_time, granted.max_time].into_iter().flatten().map(|span| span.0).min();
        Whole {
            max_steps: [own.max_steps, granted.max_steps].into_iter().flatten().min(),
            timeout: time.map(std::time::Duration::from_millis),
        }
    }
}

impl PlanRun {
    async fn go_through(&mut self, course: &mut Course<'_>) -> Result<Ending, Halt> {
        self.take_up(course).await?;
        loop {
            let work = self.decided(course).await?;
            if let Work::Finished(ending) = work {
                return Ok(ending);
            }
            course.hold().await?;
            if let Some(step) = work.step() {
                let (work, words) = (work.name().to_string(), words::about(&work));
                course.record(PlanEvent::StepStarted { step: name_of(step), work, words })?;
            }
            self.began = course.spent();
            let outcome = self.work(course, &work).await?;
            course.end_errand();
            self.report(course, &work, outcome, used(self.began, course.spent())).await?;
        }
    }

    /// What comes next. Long ways on which there is nothing to do are gone piece by piece, so that others have their turn and
    /// the run can be stopped on them.
    async fn decided(&mut self, course: &mut Course<'_>) -> Result<Work, Halt> {
        let mut before = course.spent();
        while matches!(self.machine.next(), Work::Undecided) {
            course.hold().await?;
            tokio::task::yield_now().await;
            let now = course.spent();
            self.count(course, used(before, now))?;
            before = now;
        }
        Ok(self.machine.next().clone())
    }

    /// What was used beside the work, and what follows from that.
    fn count(&mut self, course: &mut Course<'_>, used: Used) -> Result<(), Halt> {
        for note in self.machine.count_unreported(used) {
            if let Some(event) = told(note, &Work::Undecided, &[]) {
                course.record(event)?;
            }
        }
        Ok(())
    }

    async fn work(&mut self, course: &mut Course<'_>, work: &Work) -> Result<Outcome, Halt> {
        match work {
            Work::Navigate { step, url, done_when, budget } => {
                self.navigate(course, step, url, done_when, budget).await
            }
            Work::Act { .. } => self.act(course, work).await,
            Work::Fill { .. } => self.fill(course, work).await,
            Work::Extract { .. } => self.extract(course, work).await,
            Work::Verify { predicates, .. } => {
                let results = self.checked(course, predicates, self.limits.patience).await?;
                Ok(Outcome::Evaluated { results })
            }
            Work::Evaluate { predicates, .. } => self.evaluate(course, predicates).await,
            Work::Ask { step, question, answer, .. } => self.ask(course, step, question, answer).await,
            // Asked for above.
            Work::Undecided | Work::Finished(_) => {
                Ok(Outcome::Failed { sentence: "the plan is over".into(), again: Again::Pointless })
            }
        }
    }

    /// Where an earlier process left the plan, or its beginning.
    async fn take_up(&mut self, course: &mut Course<'_>) -> Result<(), Halt> {
        let plan = self.machine.plan();
        let (name, steps) = (plan.name.clone(), plan.all_steps().len());
        self.began = course.spent();
        self.machine.grant(self.limits.whole);
        let Some(calls) = self.went_on_at else {
            course.record(PlanEvent::Started { name, steps })?;
            // Decided once more, with what is granted.
            return self.count(course, Used::default());
        };
        let rows = rows_of(&self.machine);
        course.record(PlanEvent::WentOn { name, rows })?;
        self.count(course, Used::default())?;
        let work = self.decided(course).await?;
        // What is typed again now is none of the earlier process's calls.
        let uncertain = uncertain(course, calls, self.told_of);
        self.fill_again(course).await?;
        let unreported = unreported(course, self.machine.position().used());
        if let (Work::Act { .. }, Some(sentence)) = (&work, uncertain) {
            // Once: it stays the newest call until there is another one.
            self.told_of = course.cut_off().map(|cut_off| cut_off.seq);
            let outcome = Outcome::Failed { sentence, again: Again::Possible };
            return self.report(course, &work, outcome, unreported).await;
        }
        self.carried = unreported;
        self.count(course, unreported)
    }

    async fn report(&mut self, course: &mut Course<'_>, work: &Work, outcome: Outcome, used: Used) -> Result<(), Halt> {
        let seen = seen_in(work, &outcome);
        let opened =
            matches!((work, &outcome), (Work::Navigate { step, .. }, Outcome::Done { .. }) if step.is_opening());
        let looked = matches!((work, &outcome), (Work::Evaluate { .. }, Outcome::Evaluated { .. }));
        let notes = match self.machine.report(outcome, used) {
            Ok(notes) => notes,
            // What does not fit the work is a mistake of ours, and a failure of the step.
            Err(error) => {
                let failed = Outcome::Failed { sentence: error.to_string(), again: Again::Possible };
                self.machine.report(failed, used).unwrap_or_default()
            }
        };
        if let (true, Some(step)) = (looked, work.step()) {
            let step = name_of(step);
            let event = PlanEvent::StepEnded { step, outcome: PlanOutcome::Looked, why: None, done_when: seen.clone() };
            course.record(event)?;
        }
        // The start page is no step of the plan, so the machine says nothing of it.
        if let (Work::Navigate { step, .. }, true) = (work, opened) {
            let (step, outcome) = (name_of(step), PlanOutcome::Done);
            course.record(PlanEvent::StepEnded { step, outcome, why: None, done_when: Vec::new() })?;
        }
        for note in notes {
            if let Some(event) = told(note, work, if looked { &[] } else { &seen }) {
                course.record(event)?;
            }
        }
        (self.start, self.first_sight, self.carried) = (None, None, Used::default());
        self.save(course).await;
        Ok(())
    }

    /// Trouble with the disk is said once a time and does not end the plan: what it does is done all the same.
    pub(crate) async fn save(&mut self, course: &mut Course<'_>) {
        let over = matches!(self.machine.next(), Work::Finished(_));
        // Nobody goes on with a plan that is over, so nobody needs its cookies.
        let browser = if over { None } else { course.keepsake().await };
        match self.save_at(course.trajectory().len(), browser) {
            Ok(size) => self.is_large = size > LARGE,
            Err(error) => tracing::error!(%error, "the plan's checkpoint is not the newest"),
        }
    }

    async fn finished(&mut self, course: &mut Course<'_>, ending: Ending) -> CourseEnd {
        self.save(course).await;
        let (status, reason) = match ending.status {
            Status::Done => (PlanStatus::Done, Termination::Done),
            Status::Failed => (PlanStatus::Failed, Termination::DoneFailed),
            Status::OutOfBudget => (PlanStatus::OutOfBudget, Termination::Budget),
        };
        let sentence = ending.sentence.clone();
        // A trace that cannot be written ends the run by itself.
        let _ = course.record(PlanEvent::Ended { status, sentence: sentence.clone(), skipped: ending.skipped });
        let summary = words::ended(status, &ending, &rows_of(&self.machine));
        let plan = self.summary(status, &ending);
        let success = ending.status == Status::Done;
        let said = Said { success, summary, output: self.kept_output(course, &ending, status) };
        CourseEnd { reason, said: Some(said), error: Some(sentence).filter(|it| !it.is_empty()), plan: Some(plan) }
    }

    /// Stopped on the way: everything that is there is kept.
    async fn halted(&mut self, course: &mut Course<'_>, halt: Halt) -> CourseEnd {
        course.end_errand();
        if matches!(halt.reason, Termination::Cancelled | Termination::Paused | Termination::BrainError) {
            self.save(course).await;
        }
        let ending = self.machine.so_far();
        let sentence = halt.error.clone().unwrap_or_else(|| format!("it was stopped ({})", halt.reason.as_str()));
        let _ = course.record(PlanEvent::Ended { status: PlanStatus::Unfinished, sentence, skipped: ending.skipped });
        let plan = self.summary(PlanStatus::Unfinished, &ending);
        let output = self.kept_output(course, &ending, PlanStatus::Unfinished);
        let summary = words::ended(PlanStatus::Unfinished, &ending, &plan.rows);
        CourseEnd { said: Some(Said { success: false, summary, output }), ..halt.ended(Some(plan)) }
    }

    fn summary(&self, status: PlanStatus, ending: &Ending) -> PlanSummary {
        let mut evidence = evidence_of(&ending.evidence);
        let evidence_left_out = evidence.len().saturating_sub(EVIDENCE_IN_RESULT);
        evidence.truncate(EVIDENCE_IN_RESULT);
        PlanSummary {
            name: self.plan().name.clone(),
            status,
            step: ending.step.clone(),
            skipped: ending.skipped,
            failures: ending.failures,
            rows: rows_of(&self.machine),
            evidence,
            evidence_left_out,
        }
    }

    fn kept_output(&self, course: &Course<'_>, ending: &Ending, status: PlanStatus) -> Option<serde_json::Value> {
        if let Err(error) = crate::output::keep(&self.folder, course, self.plan(), status, ending) {
            tracing::error!(%error, "the plan's output could not be written to the run's folder");
        }
        Some(ending.output.clone()).filter(|output| output.to_string().len() <= OUTPUT_IN_RESULT)
    }
}

pub(crate) fn name_of(step: &StepRef) -> PlanStep {
    PlanStep { id: step.id.clone(), passes: step.passes.clone(), attempt: step.attempt }
}

fn rows_of(machine: &Machine) -> std::collections::BTreeMap<String, usize> {
    machine.position().rows().into_iter().map(|(name, rows)| (name.to_string(), rows)).collect()
}

/// Calls that were made, or on their way, after the checkpoint: nobody knows what became of them. One that was on its way
/// may have been told of already.
fn uncertain(course: &Course<'_>, calls: usize, told_of: Option<u64>) -> Option<String> {
    let acts = |call: &serde_json::Map<String, serde_json::Value>| {
        Call::parse(&serde_json::Value::Object(call.clone())).map_or(true, |parsed| !parsed.call.only_looks())
    };
    let after = course.trajectory().iter().skip(calls).filter_map(|step| step.call.as_ref()).filter(|call| acts(call));
    let cut_off = course.cut_off().filter(|cut_off| told_of != Some(cut_off.seq) && !cut_off.was_not_made());
    let made = after.count() + usize::from(cut_off.is_some_and(|cut_off| acts(&cut_off.call)));
    (made > 0).then(|| {
        let calls = if made == 1 { "a call was".to_string() } else { format!("{made} calls were") };
        format!("the process ended while {calls} being made; whether that took effect is not known")
    })
}

/// What an earlier process used after the plan was last told.
fn unreported(course: &Course<'_>, told: Used) -> Used {
    let own = course.trajectory().iter().rev().filter(|step| step.by.is_none());
    let spent = course.spent();
    let steps = spent.steps.saturating_sub(told.steps);
    let milliseconds: f64 =
        own.take(usize::try_from(steps).unwrap_or(usize::MAX)).map(|step| step.timing_ms.total.max(0.0)).sum();
    Used {
        steps,
        milliseconds: milliseconds as u64,
        micro_dollars: micro_dollars(spent.dollars).saturating_sub(told.micro_dollars),
    }
}

/// Far below the numbers that a float cannot count.
fn micro_dollars(dollars: f64) -> u64 {
    (dollars.max(0.0) * 1_000_000.0).round() as u64
}

fn used(before: Spent, after: Spent) -> Used {
    Used {
        steps: after.steps.saturating_sub(before.steps),
        milliseconds: u64::try_from(after.time.saturating_sub(before.time).as_millis()).unwrap_or(u64::MAX),
        micro_dollars: micro_dollars(after.dollars - before.dollars),
    }
}

fn seen_in(work: &Work, outcome: &Outcome) -> Vec<PredicateResult> {
    let answers: &[ThreeValued] = match outcome {
        Outcome::Done { done_when } | Outcome::Extracted { done_when, .. } => done_when,
        Outcome::Evaluated { results } => results,
        Outcome::Answered(_) | Outcome::Failed { .. } => &[],
    };
    let pairs = work.predicates().iter().zip(answers);
    let results = pairs.map(|(predicate, answer)| PredicateResult {
        predicate: predicate.to_string(),
        result: answer.as_wire(),
        reason: answer.reason().to_string(),
    });
    results.collect()
}

/// What the machine decided, for the trace. What was seen belongs to the step that was worked on.
fn told(note: Note, work: &Work, seen: &[PredicateResult]) -> Option<PlanEvent> {
    let ended = |step: &StepRef, outcome: PlanOutcome, why: Option<String>| {
        let own = work.step().is_some_and(|worked| worked.place == step.place && worked.attempt == step.attempt);
        let done_when = if own { seen.to_vec() } else { Vec::new() };
        Some(PlanEvent::StepEnded { step: name_of(step), outcome, why, done_when })
    };
    match note {
        Note::StepDone { step } => ended(&step, PlanOutcome::Done, None),
        Note::StepRetried { step, why } => ended(&step, PlanOutcome::Retried, Some(why)),
        Note::StepSkipped { step, why } => ended(&step, PlanOutcome::Skipped, Some(why)),
        Note::StepFailed { step, why } => ended(&step, PlanOutcome::Failed, Some(why)),
        Note::Collected { step, table, added, dropped } => {
            Some(PlanEvent::Collected { step: name_of(&step), table, added, dropped })
        }
        // Told with the end of the run.
        Note::PlanEnded { .. } => None,
    }
}
