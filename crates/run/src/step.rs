//! The order of a turn and of its steps. This file is meant to be read top-down, beside the table
//! "One step of a run" in ARCHITECTURE.md; what each moment does lives elsewhere.

use std::time::{Duration, Instant};

use surehand_brain::Answer;
use surehand_checks::action::Action;
use surehand_checks::after::loops::response::LoopResponse;
use surehand_checks::done::budget::DoneOutcome;
use surehand_checks::done::doing::Doing;
use surehand_env::EnvError;
use surehand_types::call::MouseCall;
use surehand_types::event::Event;
use surehand_types::observation::Dispatched;
use surehand_types::reply::{CallRequest, Hint};
use surehand_types::{Call, CallProblem, ErrorCode, Observation, Reply, StepRecord, Termination, ViewSize};

use crate::acted::Acted;
use crate::batch::{Batch, resolve};
use crate::doing::act_in_time;
use crate::done::judge_done;
use crate::feedback;
use crate::governing;
use crate::recall::recall;
use crate::record::{Checked, Chosen, Instead, Moment, Said, record, record_done};
use crate::reins::{hold, stand_still, write_down};
use crate::run::{Claim, Ending, Run};
use crate::safety;
use crate::verify::{CallFacts, Sights};

/// Replies that make no sense are sent back this often before the step is spent.
const PROBLEMS_PER_TURN: u32 = 2;
/// This many spent steps in a row end the run.
const SPENT_STEPS_IN_ROW: u32 = 3;

/// A placeholder stands for something in typed text only.
const SECRET_IN_DONE: &str =
    "done names a secret, which is not replaced there; leave the placeholder out of summary and output";

/// Why the rest of a reply is not run after people held the run.
const WORKED_ON: &str = "a person took over and worked on the page";
const MOVED_ON: &str = "the page became another one while the run was paused";

/// One turn: the brain is asked once, and each call of its reply is a step.
pub(crate) async fn turn(run: &mut Run) -> Result<(), Ending> {
    hold(run).await?;
    run.within_budget()?;
    run.turns += 1;

    let before = observe(run).await?;
    run.governing.shown(&before);
    let hints = recall(run, &before).await?;
    let Some(thinking) = think(run, &before, hints).await? else {
        return spend_step(run, Spent::OnUnusableReplies);
    };

    if let Some(sentence) = safety::refused(run, &thinking.reply, &before).await? {
        return safety::hold_back(run, thinking.reply, &before, sentence);
    }
    let mut said = Said::new(run, thinking.reply, before.clone()).await;
    let mut moment = Moment { before, thinking: Some(thinking.taken) };
    let mut batch = Batch::new(said.reply.calls.clone(), run.config.verify.after_refusal);
    while let Some(request) = batch.next() {
        if let Err(ending) = run.within_budget() {
            run.hand_back(batch.give_back_current("the run ended"), "the run ended")?;
            return Err(ending);
        }

        match stand_still(run).await {
            Ok(None) => {}
            Ok(Some(held)) => {
                let is_elsewhere = held.seen.url != moment.before.url;
                moment.before = held.seen;
                said.notes.push(held.words);
                if held.calls > 0 || is_elsewhere {
                    let reason = if held.calls > 0 { WORKED_ON } else { MOVED_ON };
                    run.hand_back(batch.give_back_current(reason), reason)?;
                    // So that whoever goes by a list, such as a script, offers the rest again.
                    run.problem = Some(format!("the rest of your last reply was not run: {reason}"));
                    break;
                }
            }
            Err(ending) => {
                let reason = "the run was put away or ended";
                run.hand_back(batch.give_back_current(reason), reason)?;
                return Err(ending);
            }
        }

        let mut governed = None;
        let call = match find_target(run, &request).await? {
            Ok(call) => call,
            Err(sentence) => return unresolved(run, batch, sentence, Spent::OnMissingTarget),
        };
        let chosen = match call {
            Call::Done { summary, output, .. } if run.config.placeholder_in(&summary, output.as_ref()).is_some() => {
                return unresolved(run, batch, SECRET_IN_DONE.to_string(), Spent::OnUnusableReplies);
            }
            Call::Done { success, summary, output } => {
                let claim = Claim { success, summary, output };
                match judge_done(run, &claim, &moment.before).await? {
                    DoneOutcome::End { termination, against } => {
                        record_done(run, &request, &said, moment, &claim)?;
                        return Err(Ending::claimed(termination, claim, against.map(|against| against.sentence())));
                    }
                    DoneOutcome::Refuse { rejection, recorded } => Chosen::wait_instead(&rejection, recorded),
                }
            }
            call => {
                let Some(taken) = run.governing.ask(&call, &moment.before) else {
                    let action = action_of(&call, &request, &said, None);
                    run.memory.refused_look(action, Doing::of(&call), &moment.before);
                    return governing::refused(run, batch);
                };
                let chosen = choose(run, call, request, &said, &moment.before);
                governed = chosen.instead.is_none().then_some(taken);
                chosen
            }
        };

        run.call_started(&chosen.request)?;
        let acted = act_in_time(run, &chosen.call, &chosen.request).await?;
        run.memory.filled = None;
        if acted.was_withdrawn() {
            match withdrawn(run, &moment, chosen.request, &acted).await {
                Ok(Some(held)) => {
                    moment.before = held.seen;
                    said.notes.extend(held.words);
                    batch.again();
                    continue;
                }
                Ok(None) => return offered_again(run, batch, &acted.message),
                Err(ending) => {
                    offered_again(run, batch, &acted.message)?;
                    return Err(ending);
                }
            }
        }
        let (acted, stop) = verify(run, &mut batch, &mut said, &moment, &chosen, acted).await?;
        (run.spent_in_row, run.unresolved_in_row) = (0, 0);
        if let Some(taken) = governed {
            run.governing.took(taken, &chosen.call, &moment.before, &acted);
        }

        moment = Moment { before: acted.observation.clone(), thinking: None };
        run.last = Some(acted);
        if let Some(reason) = stop {
            run.hand_back(batch.give_back(&reason), &reason)?;
            break;
        }
    }
    fill_focused_field(run, &mut batch, &mut said, moment).await?;
    run.feedback = said.feedback(&batch.results);
    if let Some(reflection) = run.governing.take_reflection() {
        run.feedback = format!("{}\n{reflection}", run.feedback);
    }
    run.results = batch.results;
    governing::turn_over(run)
}

/// A declared value goes into the field that asks for it, as a step of its own after the brain's calls.
async fn fill_focused_field(run: &mut Run, batch: &mut Batch, said: &mut Said, moment: Moment) -> Result<(), Ending> {
    let Some(value) = run.memory.value_for_focus(&moment.before) else { return Ok(()) };
    run.within_budget()?;
    let filled = value.value.clone();
    let chosen = Chosen::form_value(value);
    run.call_started(&chosen.request)?;
    let acted = act_in_time(run, &chosen.call, &chosen.request).await?;
    let (acted, _) = verify(run, batch, said, &moment, &chosen, acted).await?;
    run.memory.filled = acted.ok.then_some(filled);
    run.last = Some(acted);
    Ok(())
}

/// The world before the next reply: the last step's post observation, or a first look.
async fn observe(run: &mut Run) -> Result<Observation, Ending> {
    let observation = run.env.observe().await?;
    run.trace.frame(&observation)?;
    Ok(observation)
}

/// Asks the brain, and asks again with one sentence where the reply made no sense. `None`: the step is spent.
async fn think(run: &mut Run, before: &Observation, hints: Vec<Hint>) -> Result<Option<Thinking>, Ending> {
    let mut taken = ThinkTime::default();
    for _ in 0..=PROBLEMS_PER_TURN {
        let preparing = Instant::now();
        let turn = run.turn_for(before, hints.clone())?;
        taken.observe += preparing.elapsed();
        let (problem, hints) = (turn.problem.clone(), turn.hints.clone());
        run.trace.record(Event::TurnStarted { turn: run.turns, step: run.steps + 1, problem, hints })?;
        // A plan keeps its own checkpoints.
        let keeper = run.config.keeper.as_ref().filter(|_| run.errand.is_none());
        if let Some(keeper) = keeper.filter(|_| run.put_aside.is_overdue(run.steps)) {
            run.put_aside.put(keeper, run.env.as_mut(), run.steps).await;
        }
        let asked = Instant::now();
        let mut until_lost = run.env.until_lost();
        let lost = async {
            if let Some(keeper) = keeper {
                tokio::select! {
                    biased;
                    reason = &mut until_lost => return reason,
                    () = run.put_aside.put_meanwhile(keeper, run.env.as_mut(), run.steps) => {}
                }
            }
            until_lost.await
        };
        let thought = tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(run.told_to_end()),
            () = run.reins.until_put_away() => return Err(Ending::of(Termination::Paused)),
            () = run.budget.time_up() => return Err(Ending::of(Termination::Timeout)),
            reason = lost => return Err(EnvError::Lost(reason).into()),
            thought = run.brain.think(&turn) => thought?,
        };
        taken.think += asked.elapsed();
        let think_ms = milliseconds(asked.elapsed());
        run.note_effort(thought.notes)?;
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

/// A target that is not there, or a done that names a secret, is a problem of the reply: told in words, twice, then the step is spent.
fn unresolved(run: &mut Run, mut batch: Batch, sentence: String, on: Spent) -> Result<(), Ending> {
    run.hand_back(batch.give_back_current(&sentence), &sentence)?;
    run.feedback = feedback::about(&batch.results);
    run.results = batch.results;
    run.problem = Some(sentence);
    run.unresolved_in_row += 1;
    if run.unresolved_in_row > PROBLEMS_PER_TURN {
        run.unresolved_in_row = 0;
        return spend_step(run, on);
    }
    Ok(())
}

/// How the page is when a question is asked again.
struct AskAgain {
    seen: Observation,
    /// For the brain.
    words: Option<String>,
}

/// A call whose question was withdrawn because people want the run to stand still. It costs nothing and counts as no
/// refusal. After a mere pause it is asked for again; `None` where the page is no longer the one that it was about.
async fn withdrawn(
    run: &mut Run,
    moment: &Moment,
    request: CallRequest,
    acted: &Acted,
) -> Result<Option<AskAgain>, Ending> {
    let frame_before = run.trace.frame(&moment.before)?;
    write_down(run, request.given, None, &frame_before, acted, Instant::now())?;
    run.budget.grant_step();
    let again = match stand_still(run).await? {
        Some(held) if held.calls > 0 => return Ok(None),
        Some(held) => AskAgain { seen: held.seen, words: Some(held.words) },
        // It was let go on before it stood still.
        None => AskAgain { seen: observe(run).await?, words: None },
    };
    Ok((again.seen.url == moment.before.url).then_some(again))
}

/// The call and everything behind it is the brain's to offer once more.
fn offered_again(run: &mut Run, mut batch: Batch, message: &str) -> Result<(), Ending> {
    run.hand_back(batch.give_back_current(message), message)?;
    run.feedback = feedback::about(&batch.results);
    run.results = batch.results;
    run.problem = Some(format!("the call was not made: {message}"));
    Ok(())
}

/// What a step was spent on that ran no call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spent {
    OnUnusableReplies,
    /// The replies were fine; what they named is not there.
    OnMissingTarget,
}

/// A step in which no call could be run still counts; too many in a row and the brain is given up.
fn spend_step(run: &mut Run, on: Spent) -> Result<(), Ending> {
    run.spent_in_row += 1;
    let problem = run.problem.clone().unwrap_or_default();
    let error = (on == Spent::OnMissingTarget)
        .then(|| CallProblem { code: ErrorCode::TargetNotFound, message: problem.clone() });
    let record = StepRecord { ok: false, message: format!("step spent: {problem}"), error, ..run.blank_record() };
    run.keep(record)?;
    if run.spent_in_row >= SPENT_STEPS_IN_ROW {
        let error = match on {
            Spent::OnUnusableReplies => {
                format!("{SPENT_STEPS_IN_ROW} steps in a row brought no usable reply; the last problem: {problem}")
            }
            Spent::OnMissingTarget => format!(
                "{SPENT_STEPS_IN_ROW} steps in a row were spent on calls that could not be run; the last problem: {problem}"
            ),
        };
        return Err(Ending::broken(Termination::BrainError, error));
    }
    Ok(())
}

/// The call with its coordinate, or the sentence about why there is none.
async fn find_target(run: &mut Run, request: &CallRequest) -> Result<Result<Call, String>, Ending> {
    tokio::select! {
        biased;
        () = run.cancel.cancelled() => Err(run.told_to_end()),
        () = run.budget.time_up() => Err(Ending::of(Termination::Timeout)),
        call = resolve(run.env.as_mut(), request, run.config.target_wait) => Ok(call?),
    }
}

/// The brain's call, or the way out of a loop that it is in.
fn choose(run: &mut Run, call: Call, request: CallRequest, said: &Said, now: &Observation) -> Chosen {
    if run.memory.is_filled_already(&call, now) {
        return Chosen::filled_already(request);
    }
    let action = action_of(&call, &request, said, planned(&call, run.env.view()).as_ref());
    match run.memory.detour(&action, &run.config.task, now) {
        Some(detour) => Chosen::in_place(detour.call, detour.given, Instead::Recovery(detour.reason)),
        None => Chosen { call, request, instead: None },
    }
}

/// Compares what was with what is, tells it to the brain, and writes the step down.
async fn verify(
    run: &mut Run,
    batch: &mut Batch,
    said: &mut Said,
    moment: &Moment,
    chosen: &Chosen,
    mut acted: Acted,
) -> Result<(Acted, Option<String>), Ending> {
    let verifying = Instant::now();
    let action = action_of(&chosen.call, &chosen.request, said, acted.dispatched.as_ref());
    let (task, thought) = (run.config.task.clone(), said.thought().to_string());
    let (substituted, deed) = (chosen.instead.is_some(), Doing::of(&chosen.call));
    let (before, action, thought, task) = (&moment.before, &action, thought.as_str(), task.as_str());
    let found = run.memory.look(CallFacts { action, thought, task, before, acted: &acted, deed, substituted });
    acted.message = match &chosen.instead {
        Some(Instead::Wait { words, .. }) => format!("{words} (A wait took its place.)"),
        Some(Instead::Recovery(reason)) => format!("{} (in place of your call: {reason})", found.message),
        Some(Instead::FormValue { label }) => {
            let note = format!("the declared value {label:?} was filled in for you: {}", found.message);
            said.notes.push(note.clone());
            note
        }
        Some(Instead::FilledAlready) => "the field has this text already: it was filled in for you".to_string(),
        None => found.message.clone(),
    };
    let beside = matches!(chosen.instead, Some(Instead::FormValue { .. }));
    let mut stop = if beside { None } else { batch.took(&acted, moment.before.url.as_deref()) };
    let kept = matches!(chosen.instead, Some(Instead::FilledAlready));
    if substituted && !beside && !kept {
        batch.mark_last_as_replaced();
        stop = stop.or_else(|| Some("another call took the place of the one before it".into()));
    }
    let mut feedback = found.feedback.clone().unwrap_or_else(|| feedback::about(batch.last_result()));
    let facts = CallFacts { action, thought, task, before, acted: &acted, deed, substituted };
    let response = run.memory.remember(facts, &found);
    if let Some(words) = run.memory.loop_words(response) {
        feedback = format!("{feedback}\n{words}");
        said.nudge = Some(words);
    }
    let going_in_circles = run.memory.loop_record(response);
    said.own_feedback = found.feedback.is_some().then(|| feedback.clone());
    let scored = match &said.prediction {
        Some(prediction) if !beside && (stop.is_some() || batch.is_at_its_end()) => {
            let after = if said.sight_before.is_some() { run.env.sight(&said.selectors).await } else { None };
            let sights =
                Sights { selectors: &said.selectors, before: said.sight_before.as_ref(), after: after.as_ref() };
            Some(run.memory.score(prediction, &said.started_from, facts, &found, sights, &feedback))
        }
        _ => None,
    };
    if let Some(scored) = &scored {
        batch.tell_predictions(&scored.results);
    }
    acted.timing.verify_ms += milliseconds(verifying.elapsed());
    let (frame_hash, effect_observed) = (found.frame_hash(), found.check.effect_observed);
    let checked = Checked { chosen, frame_hash, effect_observed, scored, going_in_circles };
    record(run, said, moment, &acted, checked, feedback)?;
    if run.env.ended().is_some() {
        return Err(Ending::of(Termination::EnvDone));
    }
    match response {
        LoopResponse::End(kind) => {
            Err(Ending { error: Some(kind.finding().to_string()), ..Ending::of(Termination::Loop) })
        }
        _ => Ok((acted, stop)),
    }
}

fn action_of(call: &Call, request: &CallRequest, said: &Said, dispatched: Option<&Dispatched>) -> Action {
    let key = request.given.get("key").and_then(serde_json::Value::as_str);
    Action::of_call(call, said.thought(), key, dispatched)
}

/// Where a click or drag would go, before anything is sent.
fn planned(call: &Call, view: ViewSize) -> Option<Dispatched> {
    match call {
        Call::Mouse(MouseCall::Click { at: Some(at), .. }) => Some(Dispatched::at(at.to_view(view))),
        Call::Mouse(MouseCall::Drag { from, to, .. }) => {
            Some(Dispatched { from: Some(from.to_view(view)), ..Dispatched::at(to.to_view(view)) })
        }
        _ => None,
    }
}

struct Thinking {
    reply: Reply,
    taken: ThinkTime,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct ThinkTime {
    pub(crate) observe: Duration,
    pub(crate) think: Duration,
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
