//! Filling an empty index from the runs folder. The same reading of a trace also settles what
//! became of a run whose process died.

use std::fs;

use sqlx::sqlite::SqliteConnection;
use surehand_trace::{Timeline, read_trace};
use surehand_types::RunResult;
use surehand_types::event::RunStarted;

use crate::data_dir::{DataDir, is_run_id};
use crate::error::StoreError;
use crate::process::ProcessMark;
use crate::references;
use crate::row::RunState;

/// What the trace of one run says for the index.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) run_id: String,
    pub(crate) started: Option<RunStarted>,
    pub(crate) started_at: String,
    pub(crate) last_at: Option<String>,
    pub(crate) result: Option<RunResult>,
    pub(crate) steps: u32,
    pub(crate) duration_s: Option<f64>,
    pub(crate) process: Option<ProcessMark>,
    pub(crate) bytes: u64,
}

impl Found {
    pub(crate) fn state(&self) -> RunState {
        match (&self.result, self.process) {
            (Some(_), _) => RunState::Ended,
            (None, Some(process)) if process.is_alive() => RunState::Running,
            (None, _) => RunState::Interrupted,
        }
    }
}

/// Reads one run from its folder; `None` when there is no readable trace.
pub(crate) fn look(data: &DataDir, run_id: &str) -> Option<Found> {
    let file = fs::File::open(data.events(run_id)).ok()?;
    let timeline = Timeline::from_read(read_trace(std::io::BufReader::new(file)));
    let started_at = timeline.run.started_at.clone()?;
    let process = fs::read(data.process_file(run_id)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Some(Found {
        run_id: run_id.to_string(),
        steps: timeline.entries.len() as u32,
        duration_s: timeline.duration_s(),
        started: timeline.run.started,
        started_at,
        last_at: timeline.run.last_at,
        result: timeline.ended,
        process,
        bytes: references::run_bytes(data, run_id),
    })
}

/// Inserts every run of the folder. Unreadable ones are left out with a warning.
pub(crate) async fn fill(connection: &mut SqliteConnection, data: &DataDir) -> Result<(), StoreError> {
    let folder = data.runs();
    let owned = data.clone();
    let found = crate::store::blocking(move || {
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).map_err(StoreError::file(&folder))? {
            let entry = entry.map_err(StoreError::file(&folder))?;
            let name = entry.file_name();
            let Some(run_id) = name.to_str().filter(|name| is_run_id(name)) else {
                continue;
            };
            match look(&owned, run_id) {
                Some(run) => found.push(run),
                None => tracing::warn!("run {run_id} has no readable trace and is not listed"),
            }
        }
        Ok(found)
    })
    .await?;
    for run in found {
        insert(connection, &run).await?;
    }
    Ok(())
}

pub(crate) async fn insert(connection: &mut SqliteConnection, run: &Found) -> Result<(), StoreError> {
    let result = run.result.as_ref();
    let (task, brain, start_url) = match (&run.started, result) {
        (Some(started), _) => (started.task.as_str(), started.brain.as_str(), started.start_url.as_deref()),
        (None, Some(result)) => (result.task.as_str(), result.brain.as_str(), result.start_url.as_deref()),
        (None, None) => ("", "", None),
    };
    let state = run.state();
    sqlx::query(
        "INSERT OR IGNORE INTO runs (run_id, task, brain, start_url, started_at, ended_at, state, \
         termination_reason, success, final_verdict, steps, duration_s, cost, pid, pid_start, bytes) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    )
    .bind(&run.run_id)
    .bind(task)
    .bind(brain)
    .bind(start_url)
    .bind(&run.started_at)
    .bind(run.last_at.as_ref().filter(|_| state != RunState::Running))
    .bind(state.as_str())
    .bind(result.map(|result| result.termination_reason.as_str()))
    .bind(result.map(|result| result.success))
    .bind(result.map(verdict_name))
    .bind(i64::from(result.map_or(run.steps, |result| result.steps)))
    .bind(run.duration_s)
    .bind(result.map(|result| result.cost))
    .bind(run.process.map(|process| process.pid))
    .bind(run.process.map(|process| process.start))
    .bind(run.bytes as i64)
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) fn verdict_name(result: &RunResult) -> &'static str {
    use surehand_types::result::FinalVerdict;
    match result.verdict.r#final {
        FinalVerdict::Pass => "pass",
        FinalVerdict::Fail => "fail",
        FinalVerdict::Uncertain => "uncertain",
        FinalVerdict::Unjudged => "unjudged",
    }
}
