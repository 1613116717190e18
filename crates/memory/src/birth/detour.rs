//! What was tried, what came to nothing, and what then worked. Both ends are verified by effects.

use crate::facts::{ActionClass, Attempt, RunFacts};
use crate::fingerprint::place_key;
use crate::lesson::{Delta, Draft, Relation, task_key};
use crate::phrase::{deed, failure, sentence, thing};
use crate::words::jaccard;

/// How far ahead the success may be.
const WITHIN: usize = 6;
/// How much two thoughts have to share to be one intent, and at least how many words.
const SAME_THOUGHT: f64 = 0.35;
const COMMON_WORDS: usize = 2;

pub(super) fn drafts(run: &RunFacts) -> Vec<Draft> {
    let attempts = &run.attempts;
    let failures = attempts.iter().enumerate().filter(|(_, attempt)| attempt.has_failed());
    failures.filter_map(|(index, failed)| after(run, &attempts[..index], failed, &attempts[index + 1..])).collect()
}

fn after(run: &RunFacts, before: &[Attempt], failed: &Attempt, later: &[Attempt]) -> Option<Draft> {
    let near = &later[..later.len().min(WITHIN)];
    // That the very same works later on says more than that something else worked with the same thought: a brain that
    // clears the way thinks of the goal all the time.
    let again = near.iter().position(|attempt| is_success_of(attempt, failed) && attempt.repeats(failed));
    let found = again.or_else(|| near.iter().position(|attempt| is_success_of(attempt, failed)))?;
    let worked = &near[found];
    let tried = deed(failed);
    let tried_before = |attempt: &&Attempt| attempt.repeats(worked) && attempt.has_failed();
    let (way, key, relation) = if worked.repeats(failed) {
        // The same again worked: what came in between made the difference. Without anything it was luck.
        let enabling = enabling(&near[..found])?;
        (format!("it worked after {}", deed(enabling)), enabling, Relation::First)
    } else if before.iter().chain(&near[..found]).any(|one| tried_before(&one)) {
        // This way had failed too, so it is not the way that made the difference here.
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

/// What made the difference: a wait right before, or the last thing that verifiably changed something.
fn enabling(between: &[Attempt]) -> Option<&Attempt> {
    let waited = between.last().filter(|attempt| attempt.class == ActionClass::Wait);
    waited.or_else(|| between.iter().rev().find(|attempt| attempt.has_worked()))
}

fn is_success_of(attempt: &Attempt, failed: &Attempt) -> bool {
    attempt.has_worked() && attempt.class.is_deed() && attempt.origin == failed.origin && same_intent(attempt, failed)
}

/// The same thing, the same content, the same prediction, or nearly the same thought. Nearness in time alone is not
/// enough: a brain that gives up and does something else has not found a way.
fn same_intent(one: &Attempt, other: &Attempt) -> bool {
    let named = |attempt: &Attempt| attempt.target.as_ref().filter(|target| !target.name.is_empty()).map(|t| t.words());
    let same_target = named(one).is_some() && named(one) == named(other);
    let same_payload = one.payload.is_some() && one.payload == other.payload;
    let same_expectation = one.expected.is_some() && one.expected == other.expected;
    let common = one.thought.intersection(&other.thought).count();
    let same_thought = common >= COMMON_WORDS && jaccard(&one.thought, &other.thought) >= SAME_THOUGHT;
    same_target || same_payload || same_expectation || same_thought
}
