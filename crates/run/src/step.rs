//! The order of a turn and of its steps. This file is meant to be read top-down, beside the table
//! "One step of a run" in ARCHITECTURE.md; what each moment does lives elsewhere.

use std::time::{Duration, Instant};

use serde_json::json;
use surehand_brain::Answer;
use surehand_checks::before::Intent;
use surehand_env::EnvError;
use surehand_types::event::Event;
use surehand_types::reply::{CallForm, CallRequest, Hint};
use surehand_types::result::{StepFrames, Timing};
use surehand_types::{Call, Observation, Reply, StepRecord, Termination};

use crate::acted::Acted;
use crate::batch::{Batch, resolve};
use crate::feedback;
use crate::run::{Ending, Run};

/// Replies that make no sense are sent back this often before the step is spent.
const PROBLEMS_PER_TURN: u32 = 2;
/// This many spent steps in a row end the run.
const SPENT_STEPS_IN_ROW: u32 = 3;
/// How long an action under way may go on after the run was told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// One turn: the brain is asked once, and each call of its reply is a step.
pub(crate) async fn turn(run: &mut Run) -> Result<(), Ending> {
    run.within_budget()?;
    run.turns += 1;

    let before = observe(run).await?;
    let hints = recall(run, &before);
    let Some(thinking) = think(run, &before, hints).await? else {
        return spend_step(run);
    };

    let mut moment = Moment { before, thinking: Some(thinking.taken) };
    let mut batch = Batch::new(thinking.reply.calls.clone());
    while let Some(request) = batch.next() {
        if let Err(ending) = run.within_budget() {
            run.hand_back(batch.give_back_current("the run ended"), "the run ended")?;
            return Err(ending);
        }

        let call = match find_target(run, &request).await? {
            Ok(call) => call,
            Err(sentence) => return unresolved(run, batch, sentence),
        };
        if let Call::Done { success, summary, output } = call {
            return done(run, &request, &thinking.reply, moment, (success, summary, output));
        }

        run.trace.record(Event::CallStarted { step: run.steps + 1, call: request.given.clone() })?;
        let acted = act_in_time(run, &call, &request).await?;
        let stop = batch.took(&acted, moment.before.url.as_deref());
        let feedback = feedback::about(batch.last_result());
        record(run, &request, &thinking.reply, &moment, &acted, feedback)?;
        (run.spent_in_row, run.unresolved_in_row) = (0, 0);

        moment = Moment { before: acted.observation.clone(), thinking: None };
        run.last = Some(acted);
        if let Some(reason) = stop {
            run.hand_back(batch.give_back(&reason), &reason)?;
            break;
        }
    }
    run.feedback = feedback::about(&batch.results);
    run.results = batch.results;
    Ok(())
}

/// The world before the next reply: the last step's post observation, or a first look.
async fn observe(run: &mut Run) -> Result<Observation, Ending> {
    let observation = run.env.observe().await?;
    run.trace.frame(&observation)?;
    Ok(observation)
}

/// Hints from earlier runs; there is no memory yet, so there are none.
fn recall(_run: &Run, _observation: &Observation) -> Vec<Hint> {
    Vec::new()
}

/// Asks the brain, and asks again with one sentence where the reply made no sense. `None`: the step is spent.
async fn think(run: &mut Run, before: &Observation, hints: Vec<Hint>) -> Result<Option<Thinking>, Ending> {
    let mut taken = ThinkTime::default();
    for _ in 0..=PROBLEMS_PER_TURN {
        let preparing = Instant::now();
        let turn = run.turn_for(before, hints.clone())?;
        taken.observe += preparing.elapsed();
        run.trace.record(Event::TurnStarted { turn: run.turns, step: run.steps + 1, problem: turn.problem.clone() })?;
        let asked = Instant::now();
        let thought = tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(Ending::of(Termination::Cancelled)),
            () = run.budget.time_up() => return Err(Ending::of(Termination::Timeout)),
            reason = run.env.until_lost() => return Err(EnvError::Lost(reason).into()),
            thought = run.brain.think(&turn) => thought?,
        };
        taken.think += asked.elapsed();
        let think_ms = milliseconds(asked.elapsed());
        match thought.answer {
            Answer::Reply(reply) => {
                run.note_reply(&reply, think_ms)?;
                return Ok(Some(Thinking { reply, taken }));
            }
            Answer::Problem(problem) => {
                run.note_problem(&problem.0, think_ms)?;
                run.problem = Some(problem.0);
            }
        }
    }
    Ok(None)
}

/// A target that is not there is a problem of the reply: told in words, twice, then the step is spent.
fn unresolved(run: &mut Run, mut batch: Batch, sentence: String) -> Result<(), Ending> {
    run.hand_back(batch.give_back_current(&sentence), &sentence)?;
    run.feedback = feedback::about(&batch.results);
    run.results = batch.results;
    run.problem = Some(sentence);
    run.unresolved_in_row += 1;
    if run.unresolved_in_row > PROBLEMS_PER_TURN {
        run.unresolved_in_row = 0;
        return spend_step(run);
    }
    Ok(())
}

/// A step that brought no usable reply still counts; too many in a row and the brain is given up.
fn spend_step(run: &mut Run) -> Result<(), Ending> {
    run.spent_in_row += 1;
    let problem = run.problem.clone().unwrap_or_default();
    let record = StepRecord { ok: false, message: format!("step spent: {problem}"), ..run.blank_record() };
    run.keep(record)?;
    if run.spent_in_row >= SPENT_STEPS_IN_ROW {
        let error = format!("{SPENT_STEPS_IN_ROW} steps in a row brought no usable reply; the last problem: {problem}");
        return Err(Ending::broken(Termination::BrainError, error));
    }
    Ok(())
}

/// The call with its coordinate, or the sentence about why there is none.
async fn find_target(run: &mut Run, request: &CallRequest) -> Result<Result<Call, String>, Ending> {
    tokio::select! {
        biased;
        () = run.cancel.cancelled() => Err(Ending::of(Termination::Cancelled)),
        () = run.budget.time_up() => Err(Ending::of(Termination::Timeout)),
        call = resolve(run.env.as_mut(), request, run.config.target_wait) => Ok(call?),
    }
}

/// Aim, guard, commit, settle, verify. An action under way is let finish when the run is told to
/// stop, but not for ever; a plain wait has nothing to finish.
async fn act_in_time(run: &mut Run, call: &Call, request: &CallRequest) -> Result<Acted, Ending> {
    let step = run.steps + 1;
    let call = match (call, run.budget.time_left()) {
        (Call::Wait { seconds }, Some(left)) => Call::Wait { seconds: seconds.min(left.as_secs_f64()) },
        _ => call.clone(),
    };
    let intent = if matches!(request.form, CallForm::Ready(_)) { Intent::First } else { Intent::Confirmed };
    let grace = if matches!(call, Call::Wait { .. }) { Duration::ZERO } else { GRACE };
    let (cancel, budget) = (run.cancel.clone(), run.budget);
    let told_to_stop = async {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = budget.time_up() => {}
        }
        tokio::time::sleep(grace).await;
    };
    let acted = tokio::select! {
        biased;
        acted = run.hand.act_with(run.env.as_mut(), &call, step, intent) => Some(acted?),
        () = told_to_stop => None,
    };
    if let Some(acted) = acted {
        return Ok(acted);
    }
    if matches!(call, Call::Wait { .. }) {
        let mut acted = run.hand.act(run.env.as_mut(), &Call::Wait { seconds: 0.0 }, step).await?;
        acted.message = "the wait was cut short".into();
        return Ok(acted);
    }
    let record = StepRecord {
        call: Some(request.given.clone()),
        message: "the run ended before this call did; whether it took effect is not known".into(),
        ..run.blank_record()
    };
    run.keep(record)?;
    Err(run.stop_reason())
}

/// The brain says that it is done. Nothing judges that claim yet, and the verdict says so.
fn done(
    run: &mut Run,
    request: &CallRequest,
    reply: &Reply,
    moment: Moment,
    (success, summary, output): (bool, String, Option<serde_json::Value>),
) -> Result<(), Ending> {
    let frame = run.trace.frame(&moment.before)?;
    let mut record = StepRecord {
        thought: reply.thought.clone(),
        call: Some(request.given.clone()),
        ok: true,
        message: summary.clone(),
        predicted_outcome: moment.thinking.and_then(|_| prediction(reply)),
        observed: run.observed(&moment.before),
        usage: reply.usage,
        ..run.blank_record()
    };
    record.frames.before = Some(frame.clone());
    record.frames.after = Some(frame);
    moment.count_into(&mut record.timing_ms);
    run.keep(record)?;
    Err(Ending::claimed(success, summary, output))
}

/// Writes the step down: raw facts first, views later.
fn record(
    run: &mut Run,
    request: &CallRequest,
    reply: &Reply,
    moment: &Moment,
    acted: &Acted,
    feedback: String,
) -> Result<(), Ending> {
    let before = run.trace.frame(&moment.before)?;
    let after = run.trace.frame(&acted.observation)?;
    let first = moment.thinking.is_some();
    let mut record = StepRecord {
        thought: if first { reply.thought.clone() } else { None },
        call: Some(request.given.clone()),
        ok: acted.ok,
        message: acted.message.clone(),
        error: acted.error.clone(),
        dispatched: acted.dispatched,
        hit: acted.hit.clone(),
        effect: acted.effect.clone(),
        feedback,
        predicted_outcome: if first { prediction(reply) } else { None },
        guard: acted.guard.clone(),
        observed: run.observed(&acted.observation),
        usage: if first { reply.usage } else { Default::default() },
        ..run.blank_record()
    };
    record.frames = StepFrames {
        before: Some(before),
        after: Some(after),
        before_stale: moment.before.frame.stale,
        after_stale: acted.observation.frame.stale,
    };
    let timing = &mut record.timing_ms;
    timing.act = acted.timing.act_ms;
    timing.settle = acted.timing.settle_ms;
    timing.verify = acted.timing.verify_ms;
    moment.count_into(timing);
    for event in &acted.happenings.events {
        run.trace.record(Event::Environment(event.clone()))?;
    }
    run.downloads.extend(acted.happenings.downloads.iter().cloned());
    run.keep(record)
}

struct Thinking {
    reply: Reply,
    taken: ThinkTime,
}

#[derive(Clone, Copy, Default)]
struct ThinkTime {
    observe: Duration,
    think: Duration,
}

/// The world a call starts from, and the time spent thinking about it (once per turn).
struct Moment {
    before: Observation,
    thinking: Option<ThinkTime>,
}

impl Moment {
    fn count_into(&self, timing: &mut Timing) {
        let taken = self.thinking.unwrap_or_default();
        timing.observe = milliseconds(taken.observe);
        timing.think = milliseconds(taken.think);
        timing.total = timing.observe + timing.think + timing.act + timing.settle + timing.verify;
    }
}

fn prediction(reply: &Reply) -> Option<serde_json::Value> {
    (!reply.expected.is_empty()).then(|| json!({"expected": reply.expected}))
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
