//! A lesson in a model's own words. It is a guess about what went wrong, so it is bound to a failure that was
//! verified, and read with the suspicion that every text from outside deserves.

use jiff::Timestamp;

use super::is_setup_noise;
use crate::facts::RunFacts;
use crate::fingerprint::place_key;
use crate::lesson::{Delta, Draft, Lesson, task_key};
use crate::sanitise::foreign_rule;

/// `None` where no failure of the run stands behind it, or where the text is not fit to be a rule.
pub fn from_reflection(run: &RunFacts, text: &str, now: Timestamp) -> Option<Lesson> {
    let failed = run.attempts.iter().rev().find(|attempt| attempt.has_failed())?;
    let rule = foreign_rule(text, &run.page_texts)?;
    let tags = failed.tags();
    if is_setup_noise(&tags, &run.task) {
        return None;
    }
    let draft = Draft {
        rule,
        triggers: failed.fingerprints().into_iter().chain([place_key(&failed.origin, "")]).collect(),
        tags,
        origin: failed.origin.clone(),
        task: String::new(),
        learned_in: task_key(&run.task),
        delta: Delta { action: failed.class.as_str().into(), ..Delta::default() },
        source: run.source(),
    };
    Some(Lesson::new(draft, now))
}
