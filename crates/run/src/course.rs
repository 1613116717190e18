//! An agenda of several tasks in one run: one environment, one trace, one result. Each task is an errand that goes through the
//! ordinary steps of the loop, with a memory, a gate and a budget of its own; what comes next is the agenda's business.
//! What an agenda does between errands (open an address, look, ask people) is in `between`.

mod between;

use std::ops::Range;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use surehand_brain::Brain;
use surehand_env::Sight;
use surehand_types::plan::{PlanStep, PlanSummary};
use surehand_types::reply::Hint;
use surehand_types::{Observation, StepRecord, Termination};

use crate::budget::Budget;
use crate::reins::hold;
use crate::run::{Claim, CutOff, Ending, Run};
use crate::step;
use crate::verify::Declared;

/// Knows what is to be done in a run, one thing after another.
#[async_trait]
pub trait Agenda: Send {
    /// To its end, or to where the run has to stop: a halt that is final is handed on as it is.
    async fn follow(&mut self, course: &mut Course<'_>) -> CourseEnd;

    /// What holds for all of it together; each errand has limits of its own.
    fn whole(&self) -> Whole;
}

/// Limits of an agenda as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Whole {
    pub max_steps: Option<u32>,
    pub timeout: Option<Duration>,
}

/// How an agenda ended.
#[derive(Debug, Clone)]
pub struct CourseEnd {
    pub reason: Termination,
    pub said: Option<Said>,
    pub error: Option<String>,
    pub plan: Option<PlanSummary>,
}

/// What is claimed about the work.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub success: bool,
    pub summary: String,
    pub output: Option<Value>,
}

/// One task of an agenda.
pub struct Errand {
    pub task: String,
    pub step: Option<PlanStep>,
    pub declared: Declared,
    /// In place of the run's own.
    pub brain: Option<Box<dyn Brain>>,
    /// Who does it, where it is not the run's brain.
    pub by: Option<&'static str>,
    pub max_steps: u32,
    pub timeout: Option<Duration>,
    pub done: DoneRule,
    /// Told with the first turn.
    pub hints: Vec<Hint>,
    /// Where in the run's trajectory the steps are that an earlier process made for it.
    pub earlier: Range<usize>,
}

/// Whether a claimed done passes the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoneRule {
    Gate,
    /// Whoever works looks for itself whether it is done.
    Believed,
}

/// Why an errand, or the whole run, does not go on.
#[derive(Debug, Clone)]
pub struct Halt {
    pub reason: Termination,
    pub said: Option<Box<Said>>,
    pub error: Option<String>,
    brain_is_lost: bool,
}

/// The page at one moment.
#[derive(Debug, Clone)]
pub struct Look {
    pub observation: Observation,
    pub sight: Option<Sight>,
}

/// What a run has taken so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Calls of brains.
    pub steps: u64,
    pub dollars: f64,
    /// Without the time that people took.
    pub time: Duration,
}

/// A run under way, as an agenda works with it.
pub struct Course<'a> {
    run: &'a mut Run,
}

/// What an errand has put aside, until it is over.
pub(crate) struct UnderWay {
    pub(crate) step: Option<PlanStep>,
    pub(crate) by: Option<&'static str>,
    pub(crate) hints: Vec<Hint>,
    own_brain: Option<Box<dyn Brain>>,
}

pub(crate) async fn follow(run: &mut Run, agenda: &mut dyn Agenda) -> Ending {
    if let Err(ending) = run.begin().await {
        return ending;
    }
    let task = run.config.task.clone();
    let mut course = Course { run };
    let end = agenda.follow(&mut course).await;
    course.end_errand();
    let run = course.run;
    run.config.task = task;
    run.plan = end.plan;
    let claim = end.said.map(|Said { success, summary, output }| Box::new(Claim { success, summary, output }));
    Ending { claim, error: end.error, ..Ending::of(end.reason) }
}

impl std::fmt::Debug for Errand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Errand").field("task", &self.task).field("step", &self.step).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Course<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Course").field("run_id", &self.run.config.run_id).finish_non_exhaustive()
    }
}

impl Course<'_> {
    /// Begins a task; what an earlier one was told, or had begun, is over.
    pub fn begin_errand(&mut self, errand: Errand) {
        self.end_errand();
        let run = &mut *self.run;
        let mut rules = run.config.verify;
        if errand.done == DoneRule::Believed {
            rules.done_gate = false;
        }
        run.config.task = errand.task;
        // The gate goes by the words of the task itself, not by what is said around them.
        let mut declared = errand.declared;
        if declared.task.is_empty() {
            declared.task.clone_from(&run.config.task);
        }
        run.memory.next_task(rules, declared, run.env.view());
        run.trajectory.get(errand.earlier).unwrap_or_default().iter().for_each(|step| run.memory.heard_of(step));
        run.governing.next_task();
        run.budget = Budget::new(run.steps.saturating_add(errand.max_steps), errand.timeout, &run.waits);
        (run.spent_in_row, run.unresolved_in_row, run.safety_agreed) = (0, 0, false);
        run.results.clear();
        run.feedback.clear();
        (run.problem, run.last) = (None, None);
        let own_brain = match errand.brain {
            Some(brain) => Some(std::mem::replace(&mut run.brain, brain)),
            None => {
                run.brain.new_task();
                None
            }
        };
        run.errand = Some(UnderWay { step: errand.step, by: errand.by, hints: errand.hints, own_brain });
    }

    /// One turn of the errand: the brain is asked once, and its calls are made.
    pub async fn turn(&mut self) -> Result<(), Halt> {
        step::turn(self.run).await.map_err(Halt::from)
    }

    /// The brain said that it is done, and is told why it is not.
    pub fn tell(&mut self, words: String) {
        self.run.feedback = words;
        self.run.results.clear();
    }

    pub fn end_errand(&mut self) {
        if let Some(own) = self.run.errand.take().and_then(|errand| errand.own_brain) {
            self.run.brain = own;
        }
    }

    /// Waits for as long as people want the run to stand still.
    pub async fn hold(&mut self) -> Result<(), Halt> {
        hold(self.run).await?;
        if self.run.cancel.is_cancelled() {
            return Err(self.run.told_to_end().into());
        }
        Ok(())
    }

    pub fn spent(&self) -> Spent {
        let own = self.run.errand.as_ref().and_then(|errand| errand.own_brain.as_ref());
        let counted = own.map_or_else(|| self.run.brain.spent(), |brain| brain.spent());
        let before = self.run.config.before.cost;
        let steps = self.run.trajectory.iter().filter(|step| step.by.is_none()).count();
        Spent {
            steps: u64::try_from(steps).unwrap_or(u64::MAX),
            dollars: before + counted.map_or(self.run.cost, |usage| usage.cost_usd),
            time: self.run.started.elapsed().saturating_sub(self.run.held + self.run.waits.total()),
        }
    }

    /// Every step so far, those of an earlier process included.
    pub fn trajectory(&self) -> &[StepRecord] {
        &self.run.trajectory
    }

    /// The call that was on its way when an earlier process ended.
    pub fn cut_off(&self) -> Option<&CutOff> {
        self.run.config.before.open_call.as_ref()
    }
}

impl Halt {
    /// Nothing can be done any more in this run: it was cancelled or put away, its environment or its brain is gone.
    pub fn is_final(&self) -> bool {
        match self.reason {
            Termination::Cancelled | Termination::Paused | Termination::EnvError => true,
            Termination::BrainError | Termination::Budget => self.brain_is_lost,
            _ => false,
        }
    }

    pub fn ended(self, plan: Option<PlanSummary>) -> CourseEnd {
        CourseEnd { reason: self.reason, said: None, error: self.error, plan }
    }
}

impl From<Ending> for Halt {
    fn from(ending: Ending) -> Halt {
        let said = ending.claim.map(|claim| {
            let Claim { success, summary, output } = *claim;
            Box::new(Said { success, summary, output })
        });
        Halt { reason: ending.reason, said, error: ending.error, brain_is_lost: ending.brain_is_lost }
    }
}
