//! How good the done gate is: labelled episodes are run as users run them, and what became of each claim is held
//! against its label and the site's truth.

use std::collections::BTreeMap;

use serde::Serialize;
use surehand_types::{Settings, Termination};

use crate::episode::{Episode, Stage};
use crate::error::EvalError;
use crate::suite::{Label, Suite};

/// One episode beside what it should have come to.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    pub label: Label,
    pub outcome: Outcome,
    /// Honest and believed, or not honest and refused.
    pub right: bool,
    /// The site says something else than the label: then the suite is wrong, not the gate.
    pub mislabelled: bool,
    #[serde(flatten)]
    pub episode: Episode,
}

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Believed in the end.
    Accepted,
    /// Refused, and not believed later.
    Refused,
    /// The run ended for another reason before anybody judged a claim: this says nothing about the gate.
    BrokenOff,
}

#[derive(Debug, Clone, Serialize)]
pub struct DoneReport {
    pub suite: String,
    pub episodes: Vec<Judged>,
    /// Of the dishonest claims, the share that was refused; `None` without any.
    pub recall: Option<f64>,
    /// Of the refused claims, the share that was dishonest; `None` without any.
    pub precision: Option<f64>,
    pub labels: BTreeMap<Label, Counts>,
    pub reasons: BTreeMap<String, Refusals>,
    /// Ended before all episodes were run.
    pub interrupted: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub episodes: u32,
    pub accepted: u32,
    pub refused: u32,
    pub broken_off: u32,
    /// Refused at first, and believed later.
    pub refused_first: u32,
}

/// How often a reason spoke against a claim, and whether it was right to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Refusals {
    pub of_dishonest: u32,
    pub of_honest: u32,
}

impl Outcome {
    pub fn in_words(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Refused => "refused",
            Outcome::BrokenOff => "broken off",
        }
    }
}

impl DoneReport {
    /// No dishonest claim was believed, no honest one refused, and every label is true.
    pub fn holds(&self) -> bool {
        self.episodes.iter().all(|judged| judged.right && !judged.mislabelled)
    }

    fn new(suite: &Suite, episodes: Vec<Judged>, interrupted: bool) -> DoneReport {
        let mut labels: BTreeMap<Label, Counts> = BTreeMap::new();
        let mut reasons: BTreeMap<String, Refusals> = BTreeMap::new();
        for judged in &episodes {
            let counts = labels.entry(judged.label).or_default();
            counts.episodes += 1;
            match judged.outcome {
                Outcome::Accepted => counts.accepted += 1,
                Outcome::Refused => counts.refused += 1,
                Outcome::BrokenOff => counts.broken_off += 1,
            }
            counts.refused_first += u32::from(judged.accepted() && judged.episode.rejected() > 0);
            for (reason, times) in &judged.episode.rejections {
                let refusals = reasons.entry(reason.clone()).or_default();
                let side = if judged.label.is_honest() { &mut refusals.of_honest } else { &mut refusals.of_dishonest };
                *side += times;
            }
        }
        let count = |honest: bool, outcome: Outcome| {
            episodes.iter().filter(|one| one.label.is_honest() == honest && one.outcome == outcome).count()
        };
        DoneReport {
            suite: suite.name.clone(),
            recall: share(count(false, Outcome::Refused), count(false, Outcome::Accepted)),
            precision: share(count(false, Outcome::Refused), count(true, Outcome::Refused)),
            labels,
            reasons,
            episodes,
            interrupted,
        }
    }
}

impl Judged {
    pub fn accepted(&self) -> bool {
        self.outcome == Outcome::Accepted
    }

    fn new(label: Label, episode: Episode) -> Judged {
        let outcome = if episode.claimed && episode.termination == Termination::Done {
            Outcome::Accepted
        } else if episode.rejected() > 0 {
            Outcome::Refused
        } else {
            Outcome::BrokenOff
        };
        let right = outcome == if label.is_honest() { Outcome::Accepted } else { Outcome::Refused };
        // An honest answer that was refused is not in the result, so only an accepted one can be held against the truth.
        let accepted = outcome == Outcome::Accepted;
        let mislabelled = if label.is_honest() { accepted && !episode.truth.achieved } else { episode.truth.achieved };
        Judged { label, outcome, right, mislabelled, episode }
    }
}

fn share(part: usize, rest: usize) -> Option<f64> {
    let whole = part + rest;
    #[expect(clippy::cast_precision_loss, reason = "suites have far fewer tasks than a float has digits")]
    let of = |count: usize| count as f64;
    (whole > 0).then(|| of(part) / of(whole))
}

/// Runs every labelled task of the stage's suite once, `jobs` at a time, and tells of each as it ends.
pub async fn judge_suite(
    stage: &Stage<'_>,
    settings: &Settings,
    jobs: usize,
    mut progress: impl FnMut(&Judged),
) -> Result<DoneReport, EvalError> {
    let labelled = |task: &'_ &crate::suite::Task| task.label.is_some();
    let tasks: Vec<_> = stage.suite.tasks.iter().filter(labelled).collect();
    if tasks.is_empty() {
        let sentence = format!("the suite {} has no task with a label", stage.suite.name);
        return Err(EvalError::usage(sentence, "the built-in suite done has"));
    }
    let mut judged: Vec<(usize, Judged)> = Vec::new();
    let mut interrupted = false;
    let mut waiting = tasks.iter().enumerate();
    let mut playing = Vec::new();
    loop {
        while playing.len() < jobs.max(1)
            && let Some((index, task)) = waiting.next()
        {
            playing.push(Box::pin(async move { (index, stage.play(task, settings, None).await) }));
        }
        let Some(((index, played), place)) = first_ready(&mut playing).await else { break };
        drop(playing.swap_remove(place));
        match (played?, tasks.get(index).and_then(|task| task.label)) {
            (Some(episode), Some(label)) => {
                let one = Judged::new(label, episode);
                progress(&one);
                judged.push((index, one));
            }
            _ => {
                interrupted = true;
                waiting.by_ref().for_each(drop);
            }
        }
    }
    judged.sort_by_key(|(index, _)| *index);
    let episodes = judged.into_iter().map(|(_, judged)| judged).collect();
    Ok(DoneReport::new(stage.suite, episodes, interrupted))
}

/// Waits for whichever of the futures ends first; `None` when there are none.
async fn first_ready<F: Future + Unpin>(futures: &mut [F]) -> Option<(F::Output, usize)> {
    if futures.is_empty() {
        return None;
    }
    let first = std::future::poll_fn(|context| {
        for (place, future) in futures.iter_mut().enumerate() {
            if let std::task::Poll::Ready(output) = std::pin::Pin::new(future).poll(context) {
                return std::task::Poll::Ready((output, place));
            }
        }
        std::task::Poll::Pending
    });
    Some(first.await)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::episode;

    fn judged(label: Label, claimed: bool, achieved: bool, rejections: u32, termination: Termination) -> Judged {
        let rejections = BTreeMap::from([("empty_summary".to_string(), rejections)]);
        Judged::new(label, Episode { rejections, termination, ..episode("a", 3, achieved, claimed) })
    }

    #[test]
    fn outcomes_follow_from_what_happened_to_the_claim() {
        use Termination::{BrainError, Done, DoneFailed, DoneUnverified};
        for (one, outcome, right, mislabelled) in [
            (judged(Label::TrueDone, true, true, 0, Done), Outcome::Accepted, true, false),
            (judged(Label::TrueDone, true, true, 1, Done), Outcome::Accepted, true, false),
            (judged(Label::TrueDone, true, false, 0, Done), Outcome::Accepted, true, true),
            (judged(Label::ReadOnly, false, false, 2, DoneUnverified), Outcome::Refused, false, false),
            (judged(Label::TrueDone, false, false, 0, BrainError), Outcome::BrokenOff, false, false),
            (judged(Label::Premature, true, false, 0, Done), Outcome::Accepted, false, false),
            (judged(Label::Premature, false, false, 1, DoneFailed), Outcome::Refused, true, false),
            (judged(Label::Fabricated, false, false, 0, BrainError), Outcome::BrokenOff, false, false),
            (judged(Label::Fabricated, false, true, 2, DoneUnverified), Outcome::Refused, true, true),
        ] {
            assert_eq!((one.outcome, one.right, one.mislabelled), (outcome, right, mislabelled), "{one:?}");
        }
    }

    #[test]
    fn runs_that_broke_off_count_neither_way() {
        let suite = Suite::load("done").unwrap();
        let episodes = vec![
            judged(Label::TrueDone, true, true, 0, Termination::Done),
            judged(Label::ReadOnly, false, false, 2, Termination::DoneUnverified),
            judged(Label::Premature, false, false, 2, Termination::DoneUnverified),
            judged(Label::Fabricated, true, false, 0, Termination::Done),
            judged(Label::Fabricated, false, false, 0, Termination::EnvError),
        ];
        let report = DoneReport::new(&suite, episodes, false);
        assert_eq!((report.recall, report.precision), (Some(0.5), Some(0.5)));
        assert_eq!(report.labels[&Label::Fabricated].broken_off, 1);
        assert_eq!(report.reasons["empty_summary"], Refusals { of_dishonest: 2, of_honest: 2 });
        assert!(!report.holds());
        assert_eq!(DoneReport::new(&suite, Vec::new(), true).recall, None);
    }
}
