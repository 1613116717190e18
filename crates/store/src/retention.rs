//! Keeping the data folder within bounds: runs that are too old go, then the oldest until the
//! folder fits. A run that is alive is never touched.

use std::fs;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use surehand_types::Settings;

use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::jobs::JobStore;
use crate::references::{References, folder_bytes};
use crate::remove::{FrameAge, RemoveReport, remove_files, remove_frame};
use crate::row::{RunFilter, RunRow};
use crate::store::{Store, blocking};

/// What to keep. `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retention {
    pub days: Option<u32>,
    pub disk_mb: Option<u64>,
    /// Runs may begin meanwhile: frames that were just written may be theirs.
    pub beside_runs: bool,
}

impl Retention {
    pub fn of(settings: &Settings) -> Retention {
        Retention {
            days: u32::try_from(settings.integer("retention_days")).ok().filter(|days| *days > 0),
            disk_mb: u64::try_from(settings.integer("retention_disk_mb")).ok().filter(|size| *size > 0),
            beside_runs: false,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RetentionReport {
    /// Runs removed because of their age.
    pub too_old: Vec<String>,
    /// Runs removed to get below the disk limit.
    pub over_limit: Vec<String>,
    pub frames_removed: usize,
    pub bytes_removed: u64,
    /// What runs and frames take now.
    pub bytes_left: u64,
}

impl Store {
    pub async fn apply_retention(&self, keep: Retention, now: Timestamp) -> Result<RetentionReport, StoreError> {
        let mut oldest_first = self.list(usize::MAX, RunFilter::All).await?;
        oldest_first.reverse();
        let age = if keep.beside_runs { FrameAge::OlderThanGrace } else { self.frame_age().await? };
        // What was put away waits for its turn without a process, and may be let go on at any moment.
        let jobs = if self.data.jobs().exists() { Some(JobStore::open(&self.data).await?) } else { None };
        let (asking, runtime) = (jobs.clone(), tokio::runtime::Handle::current());
        let is_wanted = move |run_id: &str| {
            asking.as_ref().is_some_and(|jobs| runtime.block_on(jobs.is_wanted(run_id)).unwrap_or(true))
        };
        let data = self.data.clone();
        let report = blocking(move || Ok(apply(&data, &oldest_first, keep, age, now, &is_wanted))).await?;
        if let Some(jobs) = jobs {
            jobs.close().await;
        }
        self.forget_rows(&report.too_old).await?;
        self.forget_rows(&report.over_limit).await?;
        Ok(report)
    }
}

fn apply(
    data: &DataDir,
    oldest_first: &[RunRow],
    keep: Retention,
    age: FrameAge,
    now: Timestamp,
    is_wanted: &dyn Fn(&str) -> bool,
) -> RetentionReport {
    let mut references = References::scan(data);
    let mut removed = RemoveReport::default();
    let mut report = RetentionReport::default();
    let removable: Vec<&RunRow> = oldest_first.iter().filter(|row| !row.is_live()).collect();

    if let Some(days) = keep.days {
        let cutoff = now - SignedDuration::from_hours(i64::from(days) * 24);
        for row in removable.iter().filter(|row| is_before(row, cutoff) && !is_wanted(&row.run_id)) {
            take(data, row, &mut references, age, &mut removed, &mut report.too_old);
        }
    }
    sweep(data, &references, age, &mut removed);
    if let Some(disk_mb) = keep.disk_mb {
        let limit = disk_mb.saturating_mul(1024 * 1024);
        let mut used = used_bytes(data);
        for row in &removable {
            if used <= limit {
                break;
            }
            if report.too_old.contains(&row.run_id) || is_wanted(&row.run_id) {
                continue;
            }
            let before = removed.bytes;
            take(data, row, &mut references, age, &mut removed, &mut report.over_limit);
            used = used.saturating_sub(removed.bytes - before);
        }
    }
    report.frames_removed = removed.frames;
    report.bytes_removed = removed.bytes;
    report.bytes_left = used_bytes(data);
    report
}

fn take(
    data: &DataDir,
    row: &RunRow,
    references: &mut References,
    age: FrameAge,
    removed: &mut RemoveReport,
    list: &mut Vec<String>,
) {
    match remove_files(data, &row.run_id, references, age, removed) {
        Ok(()) => list.push(row.run_id.clone()),
        Err(error) => tracing::warn!("run {} stays: {error}", row.run_id),
    }
}

/// A start time that cannot be read is treated as new: deleting is the worse mistake.
fn is_before(row: &RunRow, cutoff: Timestamp) -> bool {
    row.started_at.parse::<Timestamp>().is_ok_and(|started| started < cutoff)
}

/// Deletes frames that no trace names, and temporary files of killed writers.
fn sweep(data: &DataDir, references: &References, age: FrameAge, removed: &mut RemoveReport) {
    let used = references.all_used();
    for path in frame_files(data) {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if !name.is_some_and(|name| used.contains(name)) {
            remove_frame(&path, age, removed);
        }
    }
}

fn frame_files(data: &DataDir) -> Vec<PathBuf> {
    let below = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    below(data.frames()).filter(|path| path.is_dir()).flat_map(below).filter(|path| path.is_file()).collect()
}

fn used_bytes(data: &DataDir) -> u64 {
    folder_bytes(&data.runs()) + folder_bytes(&data.frames())
}
