//! What was tried, what came to nothing, and what then worked. Both ends are verified by effects.

use super::cause::{cause, is_open};
use crate::facts::{Attempt, RunFacts};
use crate::fingerprint::place_key;
use crate::lesson::{Delta, Draft, Relation, task_key};
use crate::phrase::{deed, failure, sentence, thing};
use crate::words::jaccard;

/// How far ahead the success may be.
const WITHIN: usize = 6;
/// Where something lay over it: a form may be filled in between, and what took that away is not told by nearness.
const WITHIN_BEHIND_A_COVER: usize = 20;
/// How much two thoughts have to share to be one intent, and at least how many words.
const SAME_THOUGHT: f64 = 0.35;
const COMMON_WORDS: usize = 2;

pub(super) fn drafts(run: &RunFacts) -> Vec<Draft> {
    let attempts = &run.attempts;
    let failures = attempts.iter().enumerate().filter(|(_, attempt)| attempt.has_failed());
    failures.filter_map(|(index, failed)| after(run, &attempts[..index], failed, &attempts[index + 1..])).collect()
}

fn after(run: &RunFacts, before: &[Attempt], failed: &Attempt, later: &[Attempt]) -> Option<Draft> {
    let within = if failed.cover().is_some() { WITHIN_BEHIND_A_COVER } else { WITHIN };
    let near = &later[..later.len().min(within)];
    // That the very same works later on says more than that something else worked with the same thought: a brain that
    // clears the way thinks of the goal all the time.
    let works_again =
        |attempt: &Attempt| works(attempt, failed) && attempt.repeats(failed) && same_intent(attempt, failed);
    let by_thought = failed.cover().is_none() && !later.iter().any(works_again);
    let works_instead = |attempt: &Attempt| {
        works(attempt, failed) && if by_thought { same_intent(attempt, failed) } else { same_aim(attempt, failed) }
    };
    let found = near.iter().position(works_again).or_else(|| near.iter().position(works_instead))?;
    let (between, worked) = (&near[..found], &near[found]);
    // Where it failed once more in the same way, that failure is nearer to what made the difference, and tells the same.
    let again =
        |attempt: &Attempt| attempt.has_failed() && attempt.repeats(failed) && failure(attempt) == failure(failed);
    if between.iter().any(again) {
        return None;
    }
    let tried = deed(failed);
    let tried_before = |attempt: &&Attempt| attempt.repeats(worked) && attempt.has_failed();
    let (way, key, relation) = if worked.repeats(failed) {
        // The same again worked: what came in between made the difference. Without anything it was luck.
        let cause = cause(failed, between)?;
        (format!("it worked after {}", deed(cause)), cause, Relation::First)
    } else if before.iter().chain(between).any(|one| tried_before(&one)) || is_open(failed, between) {
        // This way had failed too, or something else came before it: it may not be what made the difference here.
        return None;
    } else if worked.class == failed.class && deed(worked) == tried {
        // Told in the same words, the difference is one of coordinates, which do not carry over.
        return None;
    } else {
        (format!("{} worked", deed(worked)), worked, Relation::Instead)
    };
    Some(Draft {
        rule: sentence(&format!("{tried} {}; {way}.", failure(failed))),
        triggers: failed.fingerprints().into_iter().chain([place_key(&failed.origin, "")]).collect(),
        tags: failed.tags(),
        origin: failed.origin.clone(),
        // It is about the place, not about the task.
        task: String::new(),
        learned_in: task_key(&run.task),
        delta: Delta {
            state: failed.target.as_ref().map(thing).unwrap_or_default(),
            at: failed.at(),
            action: failed.class.as_str().into(),
            outcome: key.class.as_str().into(),
            outcome_at: key.at(),
            relation,
        },
        source: run.source(),
    })
}

fn works(attempt: &Attempt, failed: &Attempt) -> bool {
    attempt.has_worked() && attempt.class.is_deed() && attempt.origin == failed.origin
}

/// The same aim, or nearly the same thought. Nearness in time alone is not enough: a brain that gives up and does something
/// else has not found a way.
fn same_intent(one: &Attempt, other: &Attempt) -> bool {
    let common = one.thought.intersection(&other.thought).count();
    same_aim(one, other) || (common >= COMMON_WORDS && jaccard(&one.thought, &other.thought) >= SAME_THOUGHT)
}

/// The same thing, the same content, or the same prediction.
fn same_aim(one: &Attempt, other: &Attempt) -> bool {
    let named = |attempt: &Attempt| attempt.target.as_ref().filter(|target| !target.name.is_empty()).map(|t| t.words());
    let same_target = named(one).is_some() && named(one) == named(other);
    let same_payload = one.payload.is_some() && one.payload == other.payload;
    let same_expectation = one.expected.is_some() && one.expected == other.expected;
    same_target || same_payload || same_expectation
}
