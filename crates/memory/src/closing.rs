//! The end of a run as memory sees it, in one piece: credit and blame for what was shown, then what the run itself
//! teaches. Pure, like the rest: `Need` says what has to be on the shelf, and the report says what became of it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use surehand_types::result::{FinalVerdict, LessonSummary};

use crate::birth::{from_reflection, learn};
use crate::error::MemoryError;
use crate::facts::RunFacts;
use crate::identity::LessonId;
use crate::journal::{Happened, LessonEvent, Showing};
use crate::lesson::{Lesson, task_key};
use crate::outcome::Weight;
use crate::rules::LessonRules;
use crate::settle::{Baseline, Shown, outcome_of, settle_outcomes};
use crate::shelf::LessonShelf;
use crate::upsert::{Relink, upsert};

/// What is settled when a run is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Closing {
    pub facts: RunFacts,
    pub shown: Vec<(LessonId, Showing)>,
    pub learned: Vec<Lesson>,
    pub at: Timestamp,
}

/// Lessons that the work may touch. A store loads these and no others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Need {
    pub ids: Vec<LessonId>,
    pub identities: Vec<LessonId>,
    /// With the place where each was seen: what holds elsewhere is neither merged nor contradicted.
    pub triggers: Vec<(String, String)>,
}

impl Need {
    /// For putting these lessons on a shelf.
    pub fn of(lessons: &[Lesson]) -> Need {
        let triggers: BTreeSet<(String, String)> = lessons
            .iter()
            .flat_map(|lesson| lesson.triggers.iter().map(|trigger| (trigger.clone(), lesson.origin.to_lowercase())))
            .collect();
        Need {
            ids: lessons.iter().map(|lesson| lesson.id.clone()).collect(),
            identities: lessons.iter().map(|lesson| LessonId::of(&lesson.rule, &lesson.triggers)).collect(),
            triggers: triggers.into_iter().collect(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Closed {
    pub summary: LessonSummary,
    pub events: Vec<LessonEvent>,
}

impl Closing {
    /// What the run teaches follows from its facts; `reflection` is what a model made of it, in its own words.
    pub fn new(facts: RunFacts, shown: Vec<(LessonId, Showing)>, reflection: Option<&str>, at: Timestamp) -> Closing {
        let mut learned = learn(&facts, at);
        learned.extend(reflection.and_then(|text| from_reflection(&facts, text, at)));
        Closing { facts, shown, learned, at }
    }

    pub fn need(&self) -> Need {
        let mut need = Need::of(&self.learned);
        need.ids.extend(self.shown.iter().map(|(id, _)| id.clone()));
        need
    }

    /// The key under which earlier runs of the same task are kept.
    pub fn task(&self) -> String {
        task_key(&self.facts.task)
    }

    pub fn settle(
        &self,
        shelf: &mut dyn LessonShelf,
        baseline: &Baseline,
        rules: &LessonRules,
    ) -> Result<Closed, MemoryError> {
        let mut events = self.showings(shelf, baseline)?;
        let shown: Vec<Shown> = self
            .shown
            .iter()
            .map(|(id, why)| Shown { lesson: id.clone(), moment: why.moment, after_step: why.after_step })
            .collect();
        let settled = settle_outcomes(shelf, &shown, &self.facts, baseline, self.at)?;
        let mut created = 0;
        for lesson in &self.learned {
            let known = shelf.twin(&LessonId::of(&lesson.rule, &lesson.triggers))?.is_some();
            let report = upsert(shelf, vec![lesson.clone()], self.at, rules, Relink::Touched)?;
            let is_new = report.inserted > 0 && !known;
            created += u32::from(is_new);
            let happened = if is_new { Happened::Created } else { Happened::Confirmed };
            events.extend(report.touched.iter().map(|id| self.event(id, happened.clone())));
        }
        events.extend(settled.promoted.iter().map(|id| self.event(id, Happened::Promoted)));
        events.extend(settled.suppressed.iter().map(|id| self.event(id, Happened::Suppressed)));
        let count = |items: &[LessonId]| u32::try_from(items.len()).unwrap_or(u32::MAX);
        let injected = u32::try_from(self.shown.len()).unwrap_or(u32::MAX);
        let summary = LessonSummary {
            injected,
            created,
            promoted: count(&settled.promoted),
            suppressed: count(&settled.suppressed),
        };
        Ok(Closed { summary, events })
    }

    /// A pass, or a fail that stands on strong evidence: what later runs of the task are compared with.
    pub fn is_worth_comparing(&self) -> bool {
        self.facts.is_decided()
    }

    pub fn has_passed(&self) -> bool {
        self.facts.verdict == FinalVerdict::Pass
    }

    /// Each showing, and once per lesson what came of it.
    fn showings(&self, shelf: &dyn LessonShelf, baseline: &Baseline) -> Result<Vec<LessonEvent>, MemoryError> {
        let mut events = Vec::new();
        let mut told: Vec<&LessonId> = Vec::new();
        for (id, why) in &self.shown {
            events.push(self.event(id, Happened::Shown(why.clone())));
            if told.contains(&id) {
                continue;
            }
            told.push(id);
            let Some(lesson) = shelf.get(id)? else { continue };
            let shown = Shown { lesson: id.clone(), moment: why.moment, after_step: why.after_step };
            let happened = match outcome_of(&lesson, &shown, &self.facts, baseline) {
                Some(outcome) => Happened::Outcome {
                    utility: outcome.utility(),
                    counted: Weight::of(&lesson, self.facts.is_decided()) == Weight::Full,
                },
                None => Happened::Untried,
            };
            events.push(self.event(id, happened));
        }
        Ok(events)
    }

    fn event(&self, lesson: &LessonId, happened: Happened) -> LessonEvent {
        LessonEvent { lesson: lesson.clone(), run: self.facts.run.clone(), at: self.at, happened }
    }
}
