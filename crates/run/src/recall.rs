//! Memory in the loop: what is recalled before the first step and after a failure, what the brain gets to see of it, and
//! what is settled when the run is over. Memory is a help: when it is slow or broken, the run goes on without it and
//! says so once.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use surehand_brain::Reflection;
use surehand_memory::facts::{Attempt, RunFacts, origin_of};
use surehand_memory::journal::Showing;
use surehand_memory::{Closed, Closing, Context, Lesson, LessonId, LessonRules, Moment, Query, hint, rank, retrieve};
use surehand_types::event::{Event, NoteLevel};
use surehand_types::reply::{Hint, RESUMED_HINT};
use surehand_types::result::{FinalVerdict, LessonSummary};
use surehand_types::{Observation, RunResult, Termination};

use crate::run::{Ending, Run};

/// How long the loop waits for memory, per question and at the end.
const PATIENCE: Duration = Duration::from_secs(2);
const CLOSING_PATIENCE: Duration = Duration::from_secs(20);
/// How long a brain may reflect.
const REFLECTING: Duration = Duration::from_secs(60);
/// Places of one run that are asked about at the first sight of them.
const PLACES: usize = 4;
/// Times that one lesson is shown after errors.
const REPEATS: usize = 2;
/// Hints of one turn, and lines of a reflection.
const HINTS: usize = 4;
const LINES: usize = 40;
const LINE: usize = 240;

/// Where lessons are kept. The errors are one sentence.
#[async_trait]
pub trait LessonBook: Send + Sync {
    /// Lessons that may match, the best of each lane.
    async fn candidates(&self, query: &Query) -> Result<Vec<Lesson>, String>;

    /// Settles a run in one piece.
    async fn close_run(&self, closing: &Closing, rules: &LessonRules) -> Result<Closed, String>;
}

/// The book of a run and the rules that it is read by.
#[derive(Clone)]
pub struct Lessons {
    pub book: Arc<dyn LessonBook>,
    pub rules: LessonRules,
    /// Brains that can are asked what they make of a run that was decided.
    pub reflect: bool,
}

impl std::fmt::Debug for Lessons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lessons").field("rules", &self.rules).field("reflect", &self.reflect).finish_non_exhaustive()
    }
}

/// What a run remembers about its memory.
#[derive(Debug, Default)]
pub(crate) struct Recalling {
    shown: Vec<(LessonId, Showing)>,
    places: Vec<String>,
    /// Steps whose failures were asked about.
    looked: usize,
    /// It failed once and is left alone.
    broken: bool,
}

/// Hints for the coming turn: what an earlier run did, where this one goes on from it, and lessons.
pub(crate) async fn recall(run: &mut Run, before: &Observation) -> Result<Vec<Hint>, Ending> {
    let resumed = run
        .config
        .resumed
        .as_ref()
        .filter(|resumed| run.turns == run.config.before.turns + 1 && !resumed.steps.is_empty());
    let mut hints: Vec<Hint> =
        resumed.map(|resumed| Hint { id: RESUMED_HINT.into(), text: resumed.steps.join("\n") }).into_iter().collect();
    if let Some(errand) = &mut run.errand {
        hints.append(&mut errand.hints);
    }
    let Some(lessons) = run.config.lessons.clone().filter(|lessons| lessons.rules.enabled) else { return Ok(hints) };
    for context in run.situations(before) {
        if run.recalling.broken {
            break;
        }
        for found in run.found(&lessons, &context).await? {
            let told: Vec<&Hint> = hints.iter().filter(|hint| hint.id != RESUMED_HINT).collect();
            if told.len() >= HINTS || told.iter().any(|hint| hint.id == found.lesson.id.0) {
                continue;
            }
            hints.push(hint(&found));
            let showing = Showing::of(&found, context.moment, run.steps);
            run.recalling.shown.push((found.lesson.id, showing));
        }
    }
    Ok(hints)
}

impl Run {
    /// What memory is asked about now: a place that is seen for the first time, and the last failure.
    fn situations(&mut self, before: &Observation) -> Vec<Context> {
        let task = self.config.redactor.text(&self.config.task);
        let mut asked = Vec::new();
        let place = self.place(before.url.as_deref());
        if !place.is_empty() && !self.recalling.places.contains(&place) && self.recalling.places.len() < PLACES {
            asked.push(Context::at_start(&task, &place));
            self.recalling.places.push(place);
        }
        let failed = (self.recalling.looked..self.trajectory.len()).rev().find_map(|index| {
            let earlier = index.checked_sub(1).and_then(|index| self.trajectory[index].observed.url.as_deref());
            let place = self.place(earlier.or(self.config.start_url.as_deref()));
            Attempt::of(&self.trajectory[index], &place).filter(Attempt::has_failed)
        });
        self.recalling.looked = self.trajectory.len();
        asked.extend(failed.map(|attempt| attempt.context(&task)));
        asked
    }

    fn place(&self, url: Option<&str>) -> String {
        origin_of(url, self.config.toggles.get("app").map(String::as_str))
    }

    /// Lessons for a situation that were not shown too often already.
    async fn found(&mut self, lessons: &Lessons, context: &Context) -> Result<Vec<surehand_memory::Found>, Ending> {
        let query = retrieve::query(context, &lessons.rules);
        let answer = tokio::select! {
            answer = tokio::time::timeout(PATIENCE, lessons.book.candidates(&query)) => answer,
            () = self.cancel.cancelled() => return Err(self.told_to_end()),
        };
        let candidates = match answer {
            Ok(Ok(candidates)) => candidates,
            Ok(Err(why)) => return self.go_without_memory(&why).map(|()| Vec::new()),
            Err(_) => return self.go_without_memory("it did not answer in time").map(|()| Vec::new()),
        };
        let mut found = rank(candidates, context, jiff::Timestamp::now(), &lessons.rules).selected;
        found.retain(|found| {
            let before = self.recalling.shown.iter().filter(|(id, _)| *id == found.lesson.id);
            before.filter(|(_, why)| why.moment == context.moment).count() < times(context.moment)
        });
        Ok(found)
    }

    fn go_without_memory(&mut self, why: &str) -> Result<(), Ending> {
        self.recalling.broken = true;
        self.trace.record(without_memory(why))?;
        Ok(())
    }

    /// What the brain makes of the run, before its costs are summed up. Only a decided run with a verified failure is
    /// worth the question.
    pub(crate) async fn reflection(&mut self, verdict: FinalVerdict) -> Option<String> {
        self.config.lessons.as_ref().filter(|lessons| lessons.rules.enabled && lessons.reflect)?;
        let decided = matches!(verdict, FinalVerdict::Pass | FinalVerdict::Fail);
        let failed = |record: &surehand_types::StepRecord| Attempt::of(record, "").is_some_and(|one| one.has_failed());
        let in_time = self.budget.time_left().is_none_or(|left| !left.is_zero());
        if !decided || self.recalling.broken || !in_time || !self.trajectory.iter().any(failed) {
            return None;
        }
        if !self.brain.can_reflect() || self.cancel.is_cancelled() {
            return None;
        }
        let redactor = &self.config.redactor;
        let line = |record: &surehand_types::StepRecord| -> String {
            let text = redactor.text(&format!("step {}: {}", record.step, record.message));
            text.chars().map(|letter| if letter == '\n' { ' ' } else { letter }).take(LINE).collect()
        };
        let skipped = self.trajectory.len().saturating_sub(LINES);
        let question = Reflection {
            task: redactor.text(&self.config.task),
            passed: verdict == FinalVerdict::Pass,
            steps: self.trajectory.iter().skip(skipped).map(line).collect(),
        };
        let patience = self.budget.time_left().map_or(REFLECTING, |left| left.min(REFLECTING));
        let answer = tokio::select! {
            answer = tokio::time::timeout(patience, self.brain.reflect(&question)) => answer,
            () = self.cancel.cancelled() => return None,
        };
        match answer {
            Ok(Ok(text)) => text.map(|text| self.config.redactor.text(&text)),
            Ok(Err(error)) => {
                // A question that nobody has to answer: the run is judged already.
                tracing::info!(%error, "the brain did not reflect");
                None
            }
            Err(_) => None,
        }
    }

    /// Credit, blame and birth. `result` is what everybody is told: without secrets, and so are the lessons.
    pub(crate) async fn settle_lessons(&mut self, result: &RunResult, reflection: Option<String>) -> LessonSummary {
        let injected = u32::try_from(self.recalling.shown.len()).unwrap_or(u32::MAX);
        let nothing = LessonSummary { injected, ..LessonSummary::default() };
        let Some(lessons) = self.config.lessons.clone().filter(|lessons| lessons.rules.enabled) else { return nothing };
        // What a person stopped, or what is to be continued, has not come to an end.
        let cut_short = matches!(result.termination_reason, Termination::Cancelled | Termination::Paused);
        if self.recalling.broken || cut_short || result.trajectory.is_empty() {
            return nothing;
        }
        let (facts, shown) = (RunFacts::of(result), std::mem::take(&mut self.recalling.shown));
        let closing = Closing::new(facts, shown, reflection.as_deref(), jiff::Timestamp::now());
        let closed = tokio::time::timeout(CLOSING_PATIENCE, lessons.book.close_run(&closing, &lessons.rules)).await;
        let why = match closed {
            Ok(Ok(closed)) => return closed.summary,
            Ok(Err(why)) => why,
            Err(_) => "it did not answer in time".into(),
        };
        let _ = self.trace.record(without_memory(&why));
        nothing
    }
}

fn times(moment: Moment) -> usize {
    match moment {
        Moment::Start => 1,
        Moment::Error => REPEATS,
    }
}

fn without_memory(why: &str) -> Event {
    let why = why.split('\n').next().unwrap_or_default();
    Event::Note { level: NoteLevel::Warning, message: format!("the run goes on without lessons: {why}") }
}
