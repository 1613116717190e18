//! `surehand runs`: what is stored, and getting rid of it.

use std::path::Path;

use surehand_store::{RunFilter, RunRow, RunState, Store};
use surehand_trace::report::facts::duration_in_words;
use surehand_trace::report::outcome::outcome_in_words;
use surehand_trace::report::policy::policy_in_words;
use surehand_trace::report::words::{call_in_words, state_in_words};
use surehand_types::Settings;

use crate::args::{RunsArguments, RunsCommand, RunsFilter};
use crate::args_routine::RoutineArguments;
use crate::commands::export::export;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;
use crate::routines::export_routine;

pub(crate) async fn runs(arguments: RunsArguments, settings: &Settings) -> Result<i32, Failure> {
    let store = Store::open(&open_data(settings)?).await?;
    match arguments.command.unwrap_or(RunsCommand::Ls { limit: 20, only: None, json: false }) {
        RunsCommand::Ls { limit, only, json } => list(&store, limit, only, json).await,
        RunsCommand::Show { run, json } => show(&store, &run, json).await,
        RunsCommand::Rm { runs } => remove(&store, &runs).await,
        RunsCommand::Export { run, output, routine, .. } if routine.routine => {
            routine_of(&store, &run, &output, &routine).await
        }
        RunsCommand::Export { run, output, format, images, .. } => {
            let run_id = store.resolve(&run).await?;
            export(&store, &run_id, &output, format, images).await
        }
        RunsCommand::Import { path } => import(&store, &path).await,
    }
}

async fn routine_of(store: &Store, run: &str, output: &Path, wanted: &RoutineArguments) -> Result<i32, Failure> {
    let run_id = store.resolve(run).await?;
    let routine = export_routine(store, &run_id, output, wanted).await?;
    let (count, file) = (routine.steps.len(), output.display());
    say!("{count} steps in {file}, version {}", routine.version);
    for doubt in routine.doubts() {
        eprintln!("warning: {doubt}");
    }
    say!("replay it: surehand replay {file}");
    Ok(0)
}

async fn import(store: &Store, path: &Path) -> Result<i32, Failure> {
    let imported = store.import(path).await?;
    let missing = match imported.missing_frames {
        0 => String::new(),
        count => format!(" ({count} did not come along)"),
    };
    say!("imported {}: {} steps, {} frames{missing}", imported.run_id, imported.steps, imported.frames);
    Ok(0)
}

async fn list(store: &Store, limit: usize, only: Option<RunsFilter>, json: bool) -> Result<i32, Failure> {
    let filter = match only {
        None => RunFilter::All,
        Some(RunsFilter::Running) => RunFilter::State(RunState::Running),
        Some(RunsFilter::Interrupted) => RunFilter::State(RunState::Interrupted),
        Some(RunsFilter::Succeeded) => RunFilter::Succeeded,
        Some(RunsFilter::Failed) => RunFilter::Failed,
    };
    let rows = store.list(limit, filter).await?;
    if json {
        for row in &rows {
            say!("{}", serde_json::to_string(row).unwrap_or_default());
        }
        return Ok(0);
    }
    if rows.is_empty() {
        say!("no runs yet; try: surehand demo");
        return Ok(0);
    }
    say!("{:<26}  {:<19}  {:<14}  {:>5}  {:>7}  TASK", "RUN", "STARTED (UTC)", "ENDED AS", "STEPS", "TIME");
    for row in &rows {
        say!("{}", row_line(row));
    }
    Ok(0)
}

fn row_line(row: &RunRow) -> String {
    let ended = row.termination_reason.clone().unwrap_or_else(|| row.state.as_str().to_string());
    let started: String = row.started_at.replace('T', " ").chars().take(19).collect();
    let time = row.duration_s.map(duration_in_words).unwrap_or_else(|| "-".into());
    let task: String = row.task.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    format!("{:<26}  {:<19}  {:<14}  {:>5}  {:>7}  {}", row.run_id, started, ended, row.steps, time, task)
}

async fn show(store: &Store, run: &str, json: bool) -> Result<i32, Failure> {
    let run_id = store.resolve(run).await?;
    let timeline = store.timeline(&run_id).await?;
    if json {
        match &timeline.ended {
            Some(result) => say!("{}", serde_json::to_string(result).unwrap_or_default()),
            None => {
                let row = store.row(&run_id).await?;
                say!("{}", serde_json::json!({"run": row, "result": null}));
            }
        }
        return Ok(0);
    }
    let outcome = outcome_in_words(&timeline);
    say!("run      {run_id}");
    say!("task     {}", timeline.task());
    say!("outcome  {}. {}", outcome.headline, outcome.detail);
    for entry in &timeline.entries {
        let record = &entry.record;
        let words = record
            .call
            .as_ref()
            .map(|call| call_in_words(call, record.hit.as_ref()))
            .unwrap_or_else(|| record.message.clone());
        say!("  {:>3}  {:<9}  {}", record.step, state_in_words(record), words);
        if let Some(policy) = policy_in_words(record) {
            say!("                  {policy}");
        }
    }
    say!("trace    {}", store.data().events(&run_id).display());
    say!("more     surehand report {run_id} -o report.html");
    Ok(0)
}

async fn remove(store: &Store, runs: &[String]) -> Result<i32, Failure> {
    let mut ids = Vec::new();
    for run in runs {
        ids.push(store.resolve(run).await?);
    }
    ids.sort();
    ids.dedup();
    let report = store.remove(&ids).await?;
    say!("removed {} runs, {} frames", ids.len(), report.frames);
    Ok(0)
}
