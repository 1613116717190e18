//! A plan in words, and its steps as rows: what every view of a run says about them.

use surehand_types::plan::{PlanEvent, PlanOutcome, PlanStatus, PlanStep};
use surehand_types::result::PredicateResult;

use super::outcome::Tone;
use super::words::clip_to;
use crate::timeline::{Happening, HappeningKind, Timeline};

/// One try of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRow {
    pub step: PlanStep,
    pub work: String,
    pub words: String,
    /// `None` where the trace ends in the middle of it.
    pub outcome: Option<PlanOutcome>,
    /// A question before a step, to which somebody agreed: the step began.
    pub is_agreed: bool,
    pub why: Option<String>,
    /// The first call that was made for it.
    pub first_call: Option<u32>,
    pub calls: usize,
}

impl PlanRow {
    fn of(step: PlanStep) -> PlanRow {
        PlanRow {
            step,
            work: String::new(),
            words: String::new(),
            outcome: None,
            is_agreed: false,
            why: None,
            first_call: None,
            calls: 0,
        }
    }
}

pub fn plan_in_words(event: &PlanEvent) -> String {
    match event {
        PlanEvent::Started { name, steps } => format!("the plan {:?} begins ({steps} steps)", clip_to(name, 80)),
        PlanEvent::WentOn { name, rows } => {
            let rows: usize = rows.values().sum();
            format!("the plan {:?} goes on from its checkpoint, with {rows} rows", clip_to(name, 80))
        }
        PlanEvent::StepStarted { step, work, words } if words.is_empty() => format!("step {step}: {work}"),
        PlanEvent::StepStarted { step, work, words } => format!("step {step}: {work}, {}", clip_to(words, 200)),
        PlanEvent::StepEnded { step, outcome, why, done_when } => {
            let why = why.as_deref().map(|why| format!(": {}", clip_to(why, 300))).unwrap_or_default();
            format!("step {step}: {}{why}{}", outcome.in_words(), checks_in_words(done_when))
        }
        PlanEvent::Collected { step, table, added, dropped } => {
            let dropped = if *dropped > 0 { format!(", {dropped} were there already") } else { String::new() };
            format!("step {step}: {added} rows into {}{dropped}", clip_to(table, 80))
        }
        PlanEvent::Asked { step, question, answer } => {
            let answer =
                answer.as_deref().map_or("nobody answered".into(), |answer| format!("{:?}", clip_to(answer, 120)));
            format!("step {step}: a person was asked {:?}: {answer}", clip_to(question, 200))
        }
        PlanEvent::Ended { status, sentence, skipped } => {
            let why = if sentence.is_empty() { String::new() } else { format!(": {}", clip_to(sentence, 300)) };
            format!("the {}{why}", status.of_plan(*skipped))
        }
    }
}

pub fn tone_of(event: &PlanEvent) -> Tone {
    match event {
        PlanEvent::StepEnded { outcome: PlanOutcome::Done, .. } => Tone::Good,
        PlanEvent::StepEnded { outcome: PlanOutcome::Failed, .. } => Tone::Bad,
        PlanEvent::StepEnded { outcome: PlanOutcome::Retried | PlanOutcome::Skipped, .. } => Tone::Unsure,
        PlanEvent::Ended { status: PlanStatus::Done, skipped: 0, .. } => Tone::Good,
        PlanEvent::Ended { status: PlanStatus::Done, .. } => Tone::Unsure,
        PlanEvent::Ended { status: PlanStatus::Failed | PlanStatus::OutOfBudget, .. } => Tone::Bad,
        PlanEvent::Ended { status: PlanStatus::Unfinished, .. } => Tone::Unsure,
        _ => Tone::Neutral,
    }
}

/// The steps of the plan in the order in which they were done; empty for a run without one.
pub fn plan_rows(timeline: &Timeline) -> Vec<PlanRow> {
    let mut rows = Vec::new();
    for entry in &timeline.entries {
        take(&mut rows, &entry.happenings);
        if let Some(row) = rows.last_mut().filter(|row: &&mut PlanRow| row.outcome.is_none()) {
            row.first_call.get_or_insert(entry.record.step);
            row.calls += 1;
        }
    }
    take(&mut rows, &timeline.afterwards);
    rows
}

fn take(rows: &mut Vec<PlanRow>, happenings: &[Happening]) {
    for happening in happenings {
        let HappeningKind::Plan(event) = &happening.what else { continue };
        match event {
            PlanEvent::StepStarted { step, work, words } => {
                let (step, work, words) = (step.clone(), work.clone(), words.clone());
                if let Some(open) = rows.last_mut().filter(|row| row.outcome.is_none() && row.step == step) {
                    open.is_agreed = open.work == "ask" && work != "ask";
                    // Traces of before do not say that the attempt failed which a person was asked about.
                    if open.work != "ask" && work == "ask" {
                        open.outcome = Some(PlanOutcome::Failed);
                    }
                }
                rows.push(PlanRow { work, words, ..PlanRow::of(step) });
            }
            PlanEvent::StepEnded { step, outcome, why, done_when } => {
                let told = why.clone().or_else(|| match outcome {
                    PlanOutcome::Looked => Some(checks_in_words(done_when).trim_start_matches("; ").to_string()),
                    _ => None,
                });
                match rows.last_mut().filter(|row| row.outcome.is_none() && row.step == *step) {
                    Some(row) => (row.outcome, row.why) = (Some(*outcome), told),
                    // Loops and choices end without having begun anything of their own.
                    None if *outcome != PlanOutcome::Done => {
                        rows.push(PlanRow { outcome: Some(*outcome), why: told, ..PlanRow::of(step.clone()) });
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
}

/// What was seen of the conditions of a step, each behind a semicolon.
pub fn checks_in_words(checks: &[PredicateResult]) -> String {
    let words = checks.iter().map(|check| {
        let held = match check.result {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "cannot be told",
        };
        format!("; {} {held}", clip_to(&check.predicate, 120))
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::Moment;

    fn step(attempt: u32) -> PlanStep {
        PlanStep { id: "read".into(), passes: vec![3], attempt }
    }

    fn began(attempt: u32, work: &str) -> PlanEvent {
        PlanEvent::StepStarted { step: step(attempt), work: work.into(), words: String::new() }
    }

    fn ended(attempt: u32, outcome: PlanOutcome) -> PlanEvent {
        PlanEvent::StepEnded { step: step(attempt), outcome, why: None, done_when: Vec::new() }
    }

    fn check(events: Vec<PlanEvent>, expected: &[(&str, Option<PlanOutcome>)]) {
        let happening =
            |event| Happening { at: String::new(), moment: Moment::BeforeCall, what: HappeningKind::Plan(event) };
        let happenings: Vec<Happening> = events.into_iter().map(happening).collect();
        let mut rows = Vec::new();
        take(&mut rows, &happenings);
        let rows: Vec<(&str, Option<PlanOutcome>)> = rows.iter().map(|row| (row.work.as_str(), row.outcome)).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn an_attempt_that_a_person_was_asked_about_has_failed() {
        let rows = [("extract", Some(PlanOutcome::Failed)), ("ask", Some(PlanOutcome::Failed))];
        let (read, ask) = (began(2, "extract"), began(2, "ask"));
        let failed = || ended(2, PlanOutcome::Failed);
        check(vec![read.clone(), failed(), ask.clone(), failed()], &rows);
        // As it was recorded before.
        check(vec![read, ask, failed()], &rows);
    }

    #[test]
    fn a_question_before_a_step_leaves_its_outcome_to_the_step() {
        let events = vec![began(1, "ask"), began(1, "extract"), ended(1, PlanOutcome::Done)];
        check(events, &[("ask", None), ("extract", Some(PlanOutcome::Done))]);
    }

    #[test]
    fn what_was_given_up_is_said_with_the_end() {
        let check = |status, skipped, words: &str, tone| {
            let event = PlanEvent::Ended { status, sentence: String::new(), skipped };
            assert_eq!((plan_in_words(&event).as_str(), tone_of(&event)), (words, tone));
        };
        check(PlanStatus::Done, 0, "the plan is done", Tone::Good);
        let one = "the plan is done, except for one step or pass that was given up";
        check(PlanStatus::Done, 1, one, Tone::Unsure);
        let two = "the plan failed, and 2 steps or passes were given up before";
        check(PlanStatus::Failed, 2, two, Tone::Bad);
    }
}
