//! Work that is done to the page: opening addresses, acting, filling in. An act is an errand of the run's brain; fields are
//! filled in by their labels, and what that cannot do is left to the brain as well.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Duration;

use surehand_brain::FillBrain;
use surehand_checks::after::predicates::Predicate;
use surehand_plan::Work;
use surehand_plan::machine::{Again, BudgetLeft, FieldValue, Outcome, StepRef};
use surehand_run::{Course, Declared, DoneRule, Errand, FormValue, Halt, Said};
use surehand_types::reply::{Hint, RESUMED_HINT};
use surehand_types::{Termination, ThreeValued};

use crate::agenda::name_of;
use crate::plan_run::PlanRun;
use crate::words;

/// How often a claimed done is sent back that the facts speak against.
pub(crate) const REFUSALS: u32 = 2;

/// Who fills in fields by their labels.
const BY_PLAN: &str = "plan";

/// Calls for one field, with room for scrolling and for a second try.
const CALLS_PER_FIELD: u32 = 12;

/// How an errand ended.
pub(crate) enum Errands {
    Said {
        reason: Termination,
        said: Said,
        error: Option<String>,
    },
    /// Without a word of the brain, or with one that the budget cut off.
    Gave {
        sentence: String,
        again: Again,
    },
}

impl PlanRun {
    pub(crate) async fn navigate(
        &mut self,
        course: &mut Course<'_>,
        step: &StepRef,
        url: &str,
        done_when: &[Predicate],
        budget: &BudgetLeft,
    ) -> Result<Outcome, Halt> {
        self.note_start(course, done_when).await?;
        // The start page is opened with the browser.
        let is_open = step.is_opening() && self.went_on_at.is_none();
        if !is_open && let Err(sentence) = course.go_to(url, self.time(course, budget)).await? {
            return Ok(Outcome::Failed { sentence, again: Again::Possible });
        }
        self.unsent.clear();
        let done_when = self.checked(course, done_when, self.limits.patience).await?;
        Ok(Outcome::Done { done_when })
    }

    pub(crate) async fn act(&mut self, course: &mut Course<'_>, work: &Work) -> Result<Outcome, Halt> {
        let Work::Act { step, intent, values, pending_form_labels, submits, done_when, budget, .. } = work else {
            return Ok(not_this());
        };
        self.note_start(course, done_when).await?;
        let declared = Declared {
            task: intent.clone(),
            values: values.iter().map(form_value).collect(),
            pending_form_labels: pending_form_labels.clone(),
            ..Declared::default()
        };
        let errand = self.errand(course, step, words::act(work), declared, budget);
        course.begin_errand(errand);
        let outcome = self.until_done(course, done_when, budget).await?;
        if matches!(&outcome, Outcome::Done { done_when } if done_when.iter().all(holds)) {
            self.were_sent(course, submits.as_deref()).await?;
        }
        Ok(outcome)
    }

    pub(crate) async fn fill(&mut self, course: &mut Course<'_>, work: &Work) -> Result<Outcome, Halt> {
        let Work::Fill { step, fields, form, done_when, budget } = work else { return Ok(not_this()) };
        self.note_start(course, done_when).await?;
        let left = self.fill_by_label(course, step, fields, budget).await?;
        let outcome = if left.is_empty() {
            Outcome::Done { done_when: self.checked(course, done_when, self.limits.patience).await? }
        } else {
            let declared = Declared {
                task: words::fill(&left),
                values: left.iter().map(form_value).collect(),
                ..Declared::default()
            };
            let errand = self.errand(course, step, words::with_history(words::fill(&left), step), declared, budget);
            course.begin_errand(errand);
            self.until_done(course, done_when, budget).await?
        };
        if matches!(outcome, Outcome::Done { .. }) {
            self.note_unsent(course, fields, form.as_deref()).await?;
        }
        Ok(outcome)
    }

    /// The fields that could not be filled in without looking.
    pub(crate) async fn fill_by_label(
        &mut self,
        course: &mut Course<'_>,
        step: &StepRef,
        fields: &[FieldValue],
        budget: &BudgetLeft,
    ) -> Result<Vec<FieldValue>, Halt> {
        let pairs = fields.iter().map(|field| (field.label.clone(), field.value.clone())).collect();
        let (brain, filled) = FillBrain::new(pairs);
        let calls = u32::try_from(fields.len()).unwrap_or(u32::MAX).saturating_mul(CALLS_PER_FIELD);
        course.begin_errand(Errand {
            task: words::fill(fields),
            step: Some(name_of(step)),
            declared: Declared::default(),
            brain: Some(Box::new(brain)),
            by: Some(BY_PLAN),
            max_steps: calls,
            timeout: self.time(course, budget),
            done: DoneRule::Believed,
            hints: Vec::new(),
            earlier: 0..0,
        });
        let ended = self.turns(course, budget).await?;
        course.end_errand();
        let is_done = matches!(ended, Errands::Said { reason: Termination::Done, .. });
        let done = if is_done { fields.len() } else { filled.load(Ordering::Relaxed) };
        Ok(fields.iter().skip(done).cloned().collect())
    }

    /// Turn by turn until the brain is done and the facts agree. What they speak against is told to it; it is the machine's
    /// word then whether the step has failed.
    async fn until_done(
        &mut self,
        course: &mut Course<'_>,
        done_when: &[Predicate],
        budget: &BudgetLeft,
    ) -> Result<Outcome, Halt> {
        let mut refused: Option<Vec<ThreeValued>> = None;
        for round in 0.. {
            let (reason, said, error) = match self.turns(course, budget).await? {
                Errands::Said { reason, said, error } => (reason, said, error),
                Errands::Gave { sentence, again } => return Ok(Outcome::Failed { sentence, again }),
            };
            if !said.success {
                return Ok(match refused {
                    Some(done_when) => Outcome::Done { done_when },
                    None => Outcome::Failed { sentence: words::gave_up(&said.summary), again: Again::Possible },
                });
            }
            let results = self.checked(course, done_when, self.limits.patience).await?;
            let all = results.iter().all(holds);
            if all && (reason == Termination::Done || !results.is_empty()) {
                return Ok(Outcome::Done { done_when: results });
            }
            if all {
                let sentence = words::not_believed(error.as_deref());
                return Ok(Outcome::Failed { sentence, again: Again::Possible });
            }
            if round >= REFUSALS {
                return Ok(Outcome::Done { done_when: results });
            }
            course.tell(words::not_done(done_when, &results));
            refused = Some(results);
        }
        Ok(not_this())
    }

    /// To the end of what the brain has to do, with a checkpoint after every turn. The budget is that of the whole work, of
    /// which this may be one round.
    pub(crate) async fn turns(&mut self, course: &mut Course<'_>, budget: &BudgetLeft) -> Result<Errands, Halt> {
        loop {
            let halt = match course.turn().await {
                Ok(()) => {
                    let spent = (course.spent().dollars - self.began.dollars) * 1_000_000.0;
                    if budget.micro_dollars.is_some_and(|left| spent >= left as f64) {
                        let sentence = "the money for this step is used up".to_string();
                        return Ok(Errands::Gave { sentence, again: Again::Pointless });
                    }
                    if !self.is_large {
                        self.save(course).await;
                    }
                    continue;
                }
                Err(halt) if halt.is_final() => return Err(halt),
                Err(halt) => halt,
            };
            return Ok(match halt.said {
                Some(said) => Errands::Said { reason: halt.reason, said: *said, error: halt.error },
                None => Errands::Gave {
                    sentence: words::ended_early(halt.reason, halt.error.as_deref()),
                    again: Again::Possible,
                },
            });
        }
    }

    /// For the run's own brain.
    pub(crate) fn errand(
        &self,
        course: &Course<'_>,
        step: &StepRef,
        task: String,
        declared: Declared,
        budget: &BudgetLeft,
    ) -> Errand {
        let steps = budget.steps.map_or(u32::MAX, |steps| u32::try_from(steps).unwrap_or(u32::MAX));
        Errand {
            task,
            step: Some(name_of(step)),
            declared,
            brain: None,
            by: None,
            max_steps: self.steps_of_one().min(steps),
            timeout: self.time(course, budget),
            done: DoneRule::Gate,
            hints: self.earlier_calls(course),
            earlier: self.earlier(),
        }
    }

    /// Steps of the trajectory that an earlier process made for the step that is under way.
    fn earlier(&self) -> Range<usize> {
        match (&self.start, self.went_on_at) {
            (Some(start), Some(until)) if start.calls < until => start.calls..until,
            _ => 0..0,
        }
    }

    /// What holds for each piece of work by itself; an earlier process may have used some of it.
    fn steps_of_one(&self) -> u32 {
        let carried = u32::try_from(self.carried.steps).unwrap_or(u32::MAX);
        self.limits.max_steps.saturating_sub(carried)
    }

    /// What is left of the time for the work that is under way.
    pub(crate) fn time(&self, course: &Course<'_>, budget: &BudgetLeft) -> Option<Duration> {
        let left = budget.milliseconds.map(Duration::from_millis);
        let carried = Duration::from_millis(self.carried.milliseconds);
        let most = match (self.limits.timeout.map(|most| most.saturating_sub(carried)), left) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        most.map(|most| most.saturating_sub(course.spent().time.saturating_sub(self.began.time)))
    }

    /// What an earlier process did of the step that is under way.
    fn earlier_calls(&self, course: &Course<'_>) -> Vec<Hint> {
        let steps = course.trajectory().get(self.earlier()).unwrap_or_default();
        let lines: Vec<String> = steps.iter().filter_map(words::earlier_call).collect();
        if lines.is_empty() {
            return Vec::new();
        }
        vec![Hint { id: RESUMED_HINT.into(), text: lines.join("\n") }]
    }
}

pub(crate) fn holds(answer: &ThreeValued) -> bool {
    matches!(answer, ThreeValued::Yes { .. })
}

pub(crate) fn not_this() -> Outcome {
    Outcome::Failed { sentence: "this is not the work that was asked for".into(), again: Again::Pointless }
}

fn form_value(field: &FieldValue) -> FormValue {
    FormValue { label: field.label.clone(), value: field.value.clone() }
}
