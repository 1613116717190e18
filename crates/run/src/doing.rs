//! Doing one call within the time that is left: through the hand, or by asking a person.

use std::time::Duration;

use surehand_checks::before::Intent;
use surehand_env::EnvError;
use surehand_types::reply::{CallForm, CallRequest};
use surehand_types::result::ConfirmAnswer;
use surehand_types::{Call, CallProblem, ErrorCode, StepRecord};

use crate::acted::Acted;
use crate::batch::surroundings_of;
use crate::people::{ANSWER_CAP, NoAnswer};
use crate::run::{Ending, Run};
use crate::waits::Waits;

/// How long an action under way may go on after the run was told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Aim, guard, commit, settle, verify. An action under way is let finish when the run is told to
/// stop, but not for ever; a plain wait has nothing to finish, and none is worth a put-away that comes too late.
pub(crate) async fn act_in_time(run: &mut Run, call: &Call, request: &CallRequest) -> Result<Acted, Ending> {
    if let Call::AskUser { question } = call {
        return ask_people(run, question).await;
    }
    let step = run.steps + 1;
    let call = match (call, run.budget.time_left()) {
        (Call::Wait { seconds }, Some(left)) => Call::Wait { seconds: seconds.min(left.as_secs_f64()) },
        _ => call.clone(),
    };
    // What is known by its name needs no preview; what is known by its place does.
    let intent = match &request.form {
        CallForm::NeedsTarget { query, .. } if query.place.is_none() => Intent::Confirmed,
        _ => Intent::First,
    };
    let is_wait = matches!(call, Call::Wait { .. });
    let (cancel, budget, reins) = (run.cancel.clone(), run.budget.clone(), run.reins.clone());
    let waits = run.waits.clone();
    let told_to_stop = async {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = budget.time_up() => {}
            () = reins.until_put_away(), if is_wait => {}
        }
        if !is_wait {
            grace(&waits).await;
        }
    };
    let (hand, env) = (&mut run.hand, run.env.as_mut());
    let acting = async {
        let around = surroundings_of(env, &call).await;
        let acted = hand.act_with(env, &call, step, intent).await?;
        Ok::<Acted, EnvError>(Acted { around, ..acted })
    };
    let acted = tokio::select! {
        biased;
        acted = acting => Some(acted?),
        () = told_to_stop => None,
    };
    if let Some(acted) = acted {
        return Ok(acted);
    }
    if is_wait {
        return cut_short(run, step).await;
    }
    let record = StepRecord {
        call: Some(request.given.clone()),
        message: "the run ended before this call did; whether it took effect is not known".into(),
        ..run.blank_record()
    };
    run.keep(record)?;
    Err(run.stop_reason())
}

/// A question that comes up meanwhile is not cut short.
async fn grace(waits: &Waits) {
    loop {
        waits.over().await;
        tokio::select! {
            () = tokio::time::sleep(GRACE) => return,
            () = waits.begun() => {}
        }
    }
}

/// What becomes of a wait that nobody wants to the end.
pub(crate) async fn cut_short(run: &mut Run, step: u32) -> Result<Acted, Ending> {
    let acted = run.hand.act(run.env.as_mut(), &Call::Wait { seconds: 0.0 }, step).await?;
    Ok(Acted { message: "the wait was cut short".into(), ..acted })
}

/// Nothing is done to the world; whoever is there answers, or nobody does in time.
async fn ask_people(run: &mut Run, question: &str) -> Result<Acted, Ending> {
    let question = run.config.redactor.text(question);
    run.put_aside_now().await;
    let waiting = run.waits.begin();
    let answer = tokio::select! {
        biased;
        () = run.cancel.cancelled() => return Err(run.told_to_end()),
        answer = run.people.ask(&question) => answer,
    };
    drop(waiting);
    let observation = run.env.observe().await?;
    let mut policy = run.hand.harmless(&Call::AskUser { question: String::new() }, run.steps + 1);
    if let (Err(NoAnswer::Withdrawn), Some(record)) = (&answer, &mut policy) {
        record.answer = Some(ConfirmAnswer::Withdrawn);
    }
    let acted = match answer {
        Ok(word) => {
            run.answered(word.by)?;
            let answer: String = word.text.chars().take(ANSWER_CAP).collect();
            Acted { ok: true, message: format!("the user answered: {answer:?}"), ..Acted::of(observation) }
        }
        Err(why) => {
            let why = why.sentence();
            Acted {
                message: why.clone(),
                error: Some(CallProblem { code: ErrorCode::NotAvailable, message: why }),
                ..Acted::of(observation)
            }
        }
    };
    Ok(Acted { policy, ..acted })
}
