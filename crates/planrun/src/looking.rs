//! Whether predicates hold: on the page as it is, and in comparison with how it was when the step began.

use std::time::{Duration, Instant};

use surehand_checks::after::frame_hash::phash_64;
use surehand_checks::after::pixels::changed_beyond;
use surehand_checks::after::predicates::{
    ElementFacts, FrameFacts, Predicate, Seen, SelectorCount, Visible, selectors_to_measure,
};
use surehand_plan::machine::Outcome;
use surehand_plan::predicates::{compares, holds};
use surehand_run::{Course, Halt, Look};
use surehand_types::{Observation, ThreeValued};

use crate::checkpoint::StepStart;
use crate::errands;
use crate::plan_run::PlanRun;

/// Between two looks at something that should be there.
const PAUSE: Duration = Duration::from_millis(200);

impl PlanRun {
    /// How things are before the step. One that is gone on with began earlier.
    pub(crate) async fn note_start(&mut self, course: &mut Course<'_>, done_when: &[Predicate]) -> Result<(), Halt> {
        if self.start.is_some() {
            return Ok(());
        }
        let mut start = StepStart { calls: course.trajectory().len(), ..StepStart::default() };
        if done_when.iter().any(|predicate| compares(predicate.kind)) {
            let now = course.look(&[]).await?.observation;
            start = StepStart { frame: hash(&now), url: now.url.clone(), title: now.title.clone(), ..start };
            self.first_sight = Some(now);
        }
        self.start = Some(start);
        Ok(())
    }

    /// What should hold has a moment to come true; what does not by then does not.
    pub(crate) async fn checked(
        &mut self,
        course: &mut Course<'_>,
        predicates: &[Predicate],
        patience: Duration,
    ) -> Result<Vec<ThreeValued>, Halt> {
        if predicates.is_empty() {
            return Ok(Vec::new());
        }
        let end = Instant::now() + patience;
        loop {
            let results = self.looked(course, predicates).await?;
            if results.iter().all(errands::holds) || Instant::now() >= end {
                return Ok(results);
            }
            course.rest(PAUSE).await?;
        }
    }

    /// A condition is as likely to be a no as a yes, so only what could not be told is looked at again.
    pub(crate) async fn evaluate(
        &mut self,
        course: &mut Course<'_>,
        predicates: &[Predicate],
    ) -> Result<Outcome, Halt> {
        let end = Instant::now() + self.limits.patience;
        loop {
            let results = self.looked(course, predicates).await?;
            let unknown = results.iter().any(|answer| matches!(answer, ThreeValued::NotMeasured { .. }));
            if !unknown || Instant::now() >= end {
                return Ok(Outcome::Evaluated { results });
            }
            course.rest(PAUSE).await?;
        }
    }

    async fn looked(&self, course: &mut Course<'_>, predicates: &[Predicate]) -> Result<Vec<ThreeValued>, Halt> {
        let selectors: Vec<String> = selectors_to_measure(predicates).into_iter().map(str::to_string).collect();
        let look = course.look(&selectors).await?;
        Ok(judged(predicates, &selectors, self.start.as_ref(), self.first_sight.as_ref(), &look))
    }
}

fn judged(
    predicates: &[Predicate],
    selectors: &[String],
    start: Option<&StepStart>,
    first: Option<&Observation>,
    look: &Look,
) -> Vec<ThreeValued> {
    let now = &look.observation;
    let after = hash(now);
    let before = start.map(|start| start.frame.as_str()).unwrap_or_default();
    let counted = look.sight.as_ref().map(|sight| sight.counts.as_slice()).unwrap_or_default();
    let counts: Vec<SelectorCount> = selectors
        .iter()
        .enumerate()
        .map(|(at, selector)| SelectorCount {
            selector: selector.clone(),
            before: None,
            after: counted.get(at).copied().flatten(),
        })
        .collect();
    let elements = look.sight.as_ref().map(|sight| ElementFacts {
        before: None,
        after: Some(Visible { interactables: &now.interactables, texts: &sight.lines, complete: sight.complete }),
        selectors: &counts,
    });
    let seen = Seen {
        url: now.url.as_deref(),
        previous_url: start.and_then(|start| start.url.as_deref()),
        title: now.title.as_deref(),
        previous_title: start.and_then(|start| start.title.as_deref()),
        focus: &now.focus,
        // Pixels tell more than hashes; after an interruption only the hash is left.
        frame: match first {
            Some(first) => FrameFacts::of_pixels(changed_beyond(first, now)),
            None if before.is_empty() => FrameFacts::Unknown,
            None => FrameFacts::Hashes { before, after: &after },
        },
        elements,
        modals_before: None,
        modals_after: look.sight.as_ref().map(|sight| sight.modals),
    };
    predicates.iter().map(|predicate| holds(predicate, &seen)).collect()
}

fn hash(observation: &Observation) -> String {
    phash_64(&observation.frame.pixels).map(|hash| hash.to_string()).unwrap_or_default()
}
