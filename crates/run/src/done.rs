//! Whether a claimed done is believed: the gate first, then whoever verifies.

use surehand_brain::DoneOpinion;
use surehand_checks::done::budget::DoneOutcome;
use surehand_env::EnvError;
use surehand_types::{Observation, Termination, ThreeValued};

use crate::run::{Claim, Ending, Run};
use crate::verify::ClaimOutcome;

/// The gate judges a claimed success first, then the brain's own verifier where it has one.
pub(crate) async fn judge_done(run: &mut Run, claim: &Claim, now: &Observation) -> Result<DoneOutcome, Ending> {
    match run.memory.claimed(claim.success, &claim.summary, claim.output.as_ref(), now) {
        ClaimOutcome::Settled(outcome) => Ok(outcome),
        ClaimOutcome::AskVerifier => {
            let opinion = ask_verifier(run, &claim.summary, now).await?;
            Ok(run.memory.verified(opinion))
        }
    }
}

async fn ask_verifier(run: &mut Run, summary: &str, now: &Observation) -> Result<Option<DoneOpinion>, Ending> {
    if !run.config.verify.verify_done || !run.brain.can_verify_done() {
        return Ok(None);
    }
    let summary = run.config.redactor.text(summary);
    let frame = run.turn_for(now, Vec::new())?.observation.frame;
    let opinion = tokio::select! {
        biased;
        () = run.cancel.cancelled() => return Err(run.told_to_end()),
        () = run.reins.until_put_away() => return Err(Ending::of(Termination::Paused)),
        () = run.budget.time_up() => return Err(Ending::of(Termination::Timeout)),
        reason = run.env.until_lost() => return Err(EnvError::Lost(reason).into()),
        opinion = run.brain.verify_done(&summary, frame.as_ref()) => opinion,
    };
    // A verifier that fails has not agreed.
    Ok(Some(
        opinion.unwrap_or_else(|error| DoneOpinion { valid: ThreeValued::not_measured(error.to_string()), raw: None }),
    ))
}
