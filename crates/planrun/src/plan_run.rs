//! A plan that is to be run, or gone on with: what it is, where it is, and where its checkpoint is kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};
use surehand_plan::machine::Used;
use surehand_plan::plan::{Budget, Span};
use surehand_plan::{Inputs, Machine, Plan, Work};
use surehand_run::Spent;
use surehand_types::settings::Source;
use surehand_types::{Observation, Settings};

use crate::checkpoint::{Checkpoint, CheckpointError, SecretField, StepStart};
use crate::rows_file::RowsFile;

/// Follows one plan in one run.
#[derive(Debug)]
pub struct PlanRun {
    pub(crate) machine: Machine,
    /// What it was started with, without secrets.
    pub(crate) given: Map<String, Value>,
    /// The run's own folder.
    pub(crate) folder: PathBuf,
    pub(crate) limits: Limits,
    /// How the page was when the step under way began.
    pub(crate) start: Option<StepStart>,
    /// The same with its picture, while this process has it.
    pub(crate) first_sight: Option<Observation>,
    /// Fields that hold secrets and were not sent yet: no checkpoint keeps what is in them.
    pub(crate) unsent: Vec<SecretField>,
    /// Steps of the run's trajectory at the checkpoint that this goes on from.
    pub(crate) went_on_at: Option<usize>,
    /// What an earlier process used of the work that is under way.
    pub(crate) carried: Used,
    /// What the run had taken when the work under way began.
    pub(crate) began: Spent,
    /// The event of the cut-off call that the plan was told of last.
    pub(crate) told_of: Option<u64>,
    /// The checkpoint was too large to be written after every turn.
    pub(crate) is_large: bool,
    /// What of the rows is on disk.
    pub(crate) rows: RowsFile,
    keepsake: Option<Value>,
}

/// What holds for each step of the plan that goes to a brain, as it does for a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// What somebody asked for holds for the plan as a whole as well: a default is meant for one task.
    pub(crate) whole: Budget,
    pub(crate) max_steps: u32,
    pub(crate) timeout: Option<Duration>,
    /// How long something that should be there is waited for.
    pub(crate) patience: Duration,
}

impl Limits {
    fn of(settings: &Settings) -> Limits {
        let max_steps = u32::try_from(settings.integer("max_steps")).unwrap_or(u32::MAX);
        let timeout = Some(settings.duration("timeout")).filter(|timeout| !timeout.is_zero());
        let is_asked_for = |name| settings.source(name) != Source::Default;
        let span = |time: Duration| Span(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let whole = Budget {
            max_steps: Some(max_steps).filter(|_| is_asked_for("max_steps")),
            max_time: timeout.filter(|_| is_asked_for("timeout")).map(span),
            // The brain's own limit is for all that it does.
            max_cost: None,
        };
        Limits { whole, max_steps, timeout, patience: settings.duration("target_wait") }
    }
}

impl PlanRun {
    /// At the plan's beginning.
    pub fn new(plan: Plan, inputs: Inputs, folder: &Path, settings: &Settings) -> PlanRun {
        let given = inputs.given(&plan);
        PlanRun {
            machine: Machine::new(plan, inputs),
            given,
            folder: folder.to_path_buf(),
            limits: Limits::of(settings),
            start: None,
            first_sight: None,
            unsent: Vec::new(),
            went_on_at: None,
            carried: Used::default(),
            began: Spent::default(),
            told_of: None,
            is_large: false,
            rows: RowsFile::default(),
            keepsake: None,
        }
    }

    /// Writes the first checkpoint, before anything runs.
    pub fn keep(&self) -> Result<(), CheckpointError> {
        self.checkpoint(0, None).save(&self.folder).map(drop)
    }

    /// Where an earlier process left it.
    pub fn go_on(checkpoint: Checkpoint, folder: &Path, settings: &Settings) -> Result<PlanRun, CheckpointError> {
        let (machine, given) = checkpoint.machine()?;
        // An earlier version kept rows in the checkpoint itself: they are written to their file with the next one.
        let rows = match checkpoint.has_rows_beside() {
            true => RowsFile::at(checkpoint.rows, machine.position()),
            false => RowsFile::default(),
        };
        Ok(PlanRun {
            machine,
            given,
            folder: folder.to_path_buf(),
            limits: Limits::of(settings),
            start: checkpoint.start,
            first_sight: None,
            unsent: checkpoint.unsent,
            went_on_at: Some(checkpoint.calls),
            carried: Used::default(),
            began: Spent::default(),
            told_of: checkpoint.told_of,
            is_large: false,
            rows,
            keepsake: checkpoint.browser,
        })
    }

    pub fn plan(&self) -> &Plan {
        self.machine.plan()
    }

    /// The task of the whole run, for lists and reports.
    pub fn task(&self) -> String {
        let plan = self.plan();
        match plan.about.trim() {
            "" => format!("Plan {}", plan.name),
            about => format!("Plan {}: {about}", plan.name),
        }
    }

    /// The address that is opened with the browser: the plan's own at its beginning, none where it has none.
    pub fn start_url(&self) -> Option<String> {
        match self.machine.next() {
            Work::Navigate { step, url, .. } if step.is_opening() => Some(url.clone()),
            _ => None,
        }
    }

    /// Where to go on without the browser that was there before.
    pub fn last_url(&self) -> Option<String> {
        self.start_url().or_else(|| self.machine.position().last_url().map(str::to_string))
    }

    /// The plan's own start address, wherever it is by now: secrets belong there, where nothing else was said.
    pub fn home(&self) -> Option<String> {
        self.plan().start_url.as_ref()?;
        self.addresses().into_iter().next()
    }

    pub fn is_at_its_end(&self) -> bool {
        self.machine.position().is_at_its_end()
    }

    /// The browser as it was at the checkpoint.
    pub fn take_keepsake(&mut self) -> Option<Value> {
        self.keepsake.take()
    }

    /// Steps of the run at the checkpoint that this goes on from.
    pub fn steps_before(&self) -> Option<u32> {
        self.went_on_at.map(|steps| u32::try_from(steps).unwrap_or(u32::MAX))
    }

    /// Addresses that whoever wrote or started the plan has named.
    pub fn addresses(&self) -> Vec<String> {
        self.machine.addresses()
    }

    /// The rows first: a checkpoint that does not know of them is right as well.
    pub(crate) fn save_at(&mut self, calls: usize, browser: Option<Value>) -> Result<usize, CheckpointError> {
        self.rows
            .follow(&self.folder, self.machine.position())
            .map_err(|source| CheckpointError::Unwritable { path: self.folder.display().to_string(), source })?;
        self.checkpoint(calls, browser).save(&self.folder)
    }

    pub(crate) fn checkpoint(&self, calls: usize, browser: Option<Value>) -> Checkpoint {
        Checkpoint::new(
            &self.machine,
            &self.given,
            calls,
            browser,
            self.start.clone(),
            self.unsent.clone(),
            self.told_of,
        )
        .with_rows(self.rows.mark())
    }
}

#[cfg(test)]
mod tests {
    use surehand_run::{Agenda as _, Whole};

    use super::*;

    #[test]
    fn what_is_asked_for_holds_for_the_whole_plan_and_defaults_for_each_task() {
        let mut settings = Settings::default();
        let limits = Limits::of(&settings);
        assert_eq!(limits.whole, Budget::default());
        assert!(limits.max_steps > 0);
        settings.set("max_steps", "7", Source::ProjectFile).unwrap();
        settings.set("timeout", "90s", Source::Flag).unwrap();
        let limits = Limits::of(&settings);
        assert_eq!((limits.whole.max_steps, limits.whole.max_time), (Some(7), Some(Span(90_000))));
        assert_eq!((limits.max_steps, limits.timeout), (7, Some(Duration::from_secs(90))));
    }

    #[test]
    fn what_is_told_of_the_run_is_what_holds_for_all_of_it() {
        let check = |budget: Value, given: Option<&str>, most: Option<u32>, seconds: Option<u64>| {
            let steps = serde_json::json!([{"id": "a", "type": "act", "intent": "look"}]);
            let plan = serde_json::json!({"name": "p", "budget": budget, "steps": steps});
            let mut settings = Settings::default();
            if let Some(given) = given {
                settings.set("max_steps", given, Source::Flag).unwrap();
            }
            let run = PlanRun::new(Plan::from_value(&plan).unwrap(), Inputs::default(), Path::new(""), &settings);
            let timeout = seconds.map(Duration::from_secs);
            assert_eq!(run.whole(), Whole { max_steps: most, timeout }, "{plan} {given:?}");
        };
        check(serde_json::json!({}), None, None, None);
        check(serde_json::json!({"max_steps": 200, "max_time": "20m"}), None, Some(200), Some(1200));
        check(serde_json::json!({"max_steps": 200}), Some("50"), Some(50), None);
        check(serde_json::json!({}), Some("50"), Some(50), None);
    }
}
