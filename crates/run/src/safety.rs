//! Checks that a model's provider wants a person to agree to. They pass the same gate as our own confirmations: one
//! that is not agreed to means that none of the reply's calls runs.

use surehand_types::event::Event;
use surehand_types::reply::CallResult;
use surehand_types::result::ConfirmAnswer;
use surehand_types::{Observation, Reply, StepRecord};

use crate::permits::Asking;
use crate::run::{Ending, Run};

/// The rule name under which provider checks are asked about and written down.
pub(crate) const RULE: &str = "provider-safety-check";

/// Why the reply may not run, in one sentence; `None` when nothing speaks against it.
pub(crate) async fn refused(run: &mut Run, reply: &Reply, before: &Observation) -> Result<Option<String>, Ending> {
    run.safety_agreed = false;
    if reply.safety.is_empty() {
        return Ok(None);
    }
    run.asked.safety_checks += u32::try_from(reply.safety.len()).unwrap_or(u32::MAX);
    let words: Vec<String> =
        reply.safety.iter().take(5).map(|check| format!("{}: {}", check.code, check.message)).collect();
    let reason: String = words.join("; ").chars().take(600).collect();
    let calls: Vec<String> = reply.calls.iter().take(5).map(|call| call.given_in_words()).collect();
    let asked = run.hand.agree(&calls.join(", "), RULE, &reason, before, run.steps + 1, Asking::ByMode).await;
    match asked {
        Ok(confirmation) => {
            if let Some(confirmation) = confirmation {
                run.trace.record(Event::Confirmation(confirmation))?;
            }
            run.safety_agreed = true;
            Ok(None)
        }
        Err((confirmation, sentence)) => {
            let decided = confirmation.as_ref().is_none_or(|asked| asked.answer != ConfirmAnswer::Withdrawn);
            if let Some(confirmation) = confirmation {
                run.trace.record(Event::Confirmation(confirmation))?;
            }
            run.asked.safety_denied += u32::from(decided);
            Ok(Some(sentence))
        }
    }
}

/// Nothing of the reply runs; that costs a step, so that a model which insists comes to an end.
pub(crate) fn hold_back(run: &mut Run, reply: Reply, before: &Observation, sentence: String) -> Result<(), Ending> {
    let message = format!("the provider's safety check was not agreed to, so nothing was run: {sentence}");
    let results = (0..reply.calls.len())
        .map(|index| CallResult {
            index,
            ran: false,
            ok: false,
            effect: None,
            message: message.clone(),
            predicates: Vec::new(),
        })
        .collect();
    let frame = run.trace.frame(before)?;
    let mut record = StepRecord {
        thought: reply.thought.clone(),
        call: reply.calls.first().map(|call| call.given.clone()),
        ok: false,
        message: message.clone(),
        feedback: message.clone(),
        observed: run.observed(before),
        usage: reply.usage,
        ..run.blank_record()
    };
    record.frames.before = Some(frame.clone());
    record.frames.after = Some(frame);
    run.hand_back(reply.calls, &message)?;
    run.keep(record)?;
    run.results = results;
    run.feedback = message;
    Ok(())
}
