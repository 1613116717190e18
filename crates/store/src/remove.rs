//! Removing runs together with the frames that only they used.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::data_dir::{DataDir, is_run_id};
use crate::error::StoreError;
use crate::files::FolderFrames;
use crate::references::{References, file_bytes, folder_bytes};
use crate::row::{RunFilter, RunState};
use crate::store::{Store, blocking};

/// While another run is live, a frame used this recently may be about to appear in its trace.
const GRACE: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RemoveReport {
    pub runs: Vec<String>,
    pub frames: usize,
    pub bytes: u64,
}

/// Which unreferenced frames may go at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameAge {
    Any,
    OlderThanGrace,
}

impl Store {
    /// Removes the given runs (full ids). A run that is still running is not removed.
    pub async fn remove(&self, run_ids: &[String]) -> Result<RemoveReport, StoreError> {
        for run_id in run_ids {
            let row = self.row(run_id).await?;
            if row.is_some_and(|row| row.is_live()) {
                return Err(StoreError::StillRunning { run_id: run_id.clone() });
            }
            if !is_run_id(run_id) || !self.data.run(run_id).exists() && self.row(run_id).await?.is_none() {
                return Err(StoreError::NoSuchRun { text: run_id.clone() });
            }
        }
        let age = self.frame_age().await?;
        let (data, ids) = (self.data.clone(), run_ids.to_vec());
        let report = blocking(move || {
            let mut references = References::scan(&data);
            let mut report = RemoveReport::default();
            for run_id in &ids {
                remove_files(&data, run_id, &mut references, age, &mut report)?;
            }
            Ok(report)
        })
        .await?;
        self.forget_rows(&report.runs).await?;
        Ok(report)
    }

    pub(crate) async fn forget_rows(&self, run_ids: &[String]) -> Result<(), StoreError> {
        for run_id in run_ids {
            sqlx::query("DELETE FROM runs WHERE run_id = ?1").bind(run_id).execute(&self.pool).await?;
        }
        Ok(())
    }

    pub(crate) async fn frame_age(&self) -> Result<FrameAge, StoreError> {
        let running = self.list(1, RunFilter::State(RunState::Running)).await?;
        Ok(if running.is_empty() { FrameAge::Any } else { FrameAge::OlderThanGrace })
    }
}

/// Deletes the run's folder, then its own frames. In this order a crash in between leaves frames
/// without a run, which retention sweeps, and never a run without its frames.
pub(crate) fn remove_files(
    data: &DataDir,
    run_id: &str,
    references: &mut References,
    age: FrameAge,
    report: &mut RemoveReport,
) -> Result<(), StoreError> {
    let folder = data.run(run_id);
    let bytes = folder_bytes(&folder);
    match fs::remove_dir_all(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(StoreError::file(&folder)(error)),
    }
    report.bytes += bytes;
    report.runs.push(run_id.to_string());
    let frames = FolderFrames::new(data);
    for sha256 in references.forget(run_id) {
        if let Some(path) = frames.find(&sha256) {
            remove_frame(&path, age, report);
        }
    }
    Ok(())
}

pub(crate) fn remove_frame(path: &Path, age: FrameAge, report: &mut RemoveReport) {
    if age == FrameAge::OlderThanGrace && used_recently(path) {
        return;
    }
    let bytes = file_bytes(path);
    if fs::remove_file(path).is_ok() {
        report.frames += 1;
        report.bytes += bytes;
    }
}

fn used_recently(path: &Path) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| SystemTime::now().duration_since(at).map_or(true, |age| age < GRACE))
}
