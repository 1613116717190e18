//! One run with everything around it: its row in the index, its trace on disk, its shown frames for as long as it
//! lasts. `surehand run`, the demo, the server and every arm of an experiment are conducted here.

use std::path::PathBuf;
use std::sync::Arc;

use surehand_brain::Brain;
use surehand_checks::before::GuardList;
use surehand_checks::before::density::{DensityGate, GateMode};
use surehand_env::Environment;
use surehand_run::{
    Agenda, Declared, Hand, Keeper, Lessons, People, Referee, Reins, Resumed, RunConfig, VerifyRules, run, run_agenda,
    run_started,
};
use surehand_store::{FileEventLog, FolderFrames, NewRun, Store, StoreError};
use surehand_trace::{Listener, TraceWriter};
use surehand_types::{Redactor, RunResult, Settings};
use tokio_util::sync::CancellationToken;

use crate::before::continued;
use crate::consent::{Consent, Desk};
use crate::fate::word_about;

/// What a run is told, beside its environment and its brain.
pub struct Conduct<'a> {
    pub run_id: String,
    pub task: String,
    pub url: Option<String>,
    pub declared: Declared,
    pub settings: &'a Settings,
    pub store: &'a Store,
    pub redactor: Redactor,
    pub listeners: Vec<Listener>,
    pub people: Box<dyn People>,
    /// What every call has to pass beside the checks.
    pub consent: Consent,
    pub cancel: CancellationToken,
    /// An earlier run that this one goes on from.
    pub resumed: Option<Resumed>,
    /// It has a trace already and goes on with it; who lets it.
    pub goes_on: Option<String>,
    /// Who judges the outcome beside the brain.
    pub referee: Option<Referee>,
    /// What earlier runs taught; `None`: nothing is recalled and nothing learned.
    pub lessons: Option<Lessons>,
    /// How people outside steer it.
    pub reins: Reins,
    /// Who keeps what it could be gone on from if its process died.
    pub keeper: Option<Keeper>,
    /// Several tasks in place of the one.
    pub agenda: Option<Planned<'a>>,
}

/// An agenda, and the addresses that are known by it.
pub struct Planned<'a> {
    pub agenda: &'a mut dyn Agenda,
    pub addresses: Vec<String>,
}

impl std::fmt::Debug for Planned<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planned").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Conduct<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conduct").field("run_id", &self.run_id).field("task", &self.task).finish_non_exhaustive()
    }
}

/// Runs to the end and notes it. Errors of the run are inside the result.
pub async fn conduct(
    told: Conduct<'_>,
    env: Box<dyn Environment>,
    mut brain: Box<dyn Brain>,
) -> Result<RunResult, StoreError> {
    let Conduct { run_id, settings, store, redactor, .. } = told;
    let data = store.data();
    let shown = FramesFolder(data.run(&run_id).join("shown"));
    let mut continued = match &told.goes_on {
        Some(by) => continued(&store.events(&run_id)?, by),
        None => None,
    };
    if let Some(open) = continued.as_mut().and_then(|continued| continued.before.open_call.as_mut()) {
        open.policy = word_about(data, &run_id, open.step, &open.call);
    }
    let timeout = Some(settings.duration("timeout")).filter(|timeout| !timeout.is_zero());
    let (max_steps, timeout) = match told.agenda.as_ref().map(|planned| planned.agenda.whole()) {
        Some(whole) => (whole.max_steps.unwrap_or(u32::MAX), whole.timeout),
        None => (u32::try_from(settings.integer("max_steps")).unwrap_or(u32::MAX), timeout),
    };
    let config = RunConfig {
        run_id: run_id.clone(),
        task: told.task,
        start_url: told.url,
        started_at: match &continued {
            Some(continued) => continued.started_at.clone(),
            None => jiff::Timestamp::now().to_string(),
        },
        max_steps,
        timeout,
        target_wait: settings.duration("target_wait"),
        toggles: settings.changed(),
        frames_folder: shown.0.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        redactor: redactor.clone(),
        verify: VerifyRules::new(settings),
        governor: surehand_checks::before::governor::GovernorRules::of(settings),
        declared: told.declared,
        resumed: told.resumed,
        before: continued.as_ref().map(|continued| continued.before.clone()).unwrap_or_default(),
        referee: told.referee.map(Arc::new),
        lessons: told.lessons,
        reins: told.reins,
        keeper: told.keeper,
    };
    if let Some(continued) = &continued {
        brain.goes_on(&continued.before.trajectory);
        brain.spent_before(continued.before.cost);
    }
    let started = run_started(&config, brain.name(), env.describe(), env.view());
    let new_run = NewRun { run_id: &run_id, started_at: &config.started_at, started: &started, redactor: &redactor };
    store.begin_run(new_run).await?;
    let desk = Desk {
        door: "run",
        run_id: &run_id,
        task: &config.task,
        start_url: config.start_url.as_deref(),
        settings,
        data,
        redactor: &redactor,
        addresses: told.agenda.as_ref().map(|planned| planned.addresses.as_slice()).unwrap_or_default(),
    };
    let hand = Hand::new(guards(settings)).under(told.consent.permits(desk)?);
    let log = Box::new(FileEventLog::open(data, &run_id)?);
    let trace = TraceWriter::new(run_id, log, Arc::new(FolderFrames::new(data)), redactor, told.listeners);
    let trace = match &continued {
        Some(continued) => trace.after(continued.last_seq),
        None => trace,
    };
    let result = match told.agenda {
        Some(planned) => {
            let running = run_agenda(planned.agenda, config, env, brain, told.people, trace, hand, told.cancel);
            Box::pin(running).await
        }
        None => Box::pin(run(config, env, brain, told.people, trace, hand, told.cancel)).await,
    };
    if let Err(error) = store.finish_run(&result).await {
        tracing::warn!(%error, "the run's end could not be noted in the index");
    }
    Ok(result)
}

/// What every call has to pass, whatever door it came through.
pub fn guards(settings: &Settings) -> GuardList {
    GuardList::new(vec![Box::new(DensityGate { mode: GateMode::parse(settings.text("density_gate")) })])
}

/// Frames shown to the brain are valid until the run ends, and not longer.
struct FramesFolder(PathBuf);

impl Drop for FramesFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
