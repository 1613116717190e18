//! One row of the index as others see it, and how it is read from SQLite.

use serde::Serialize;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::process::ProcessMark;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Running,
    Ended,
    /// Its process is gone and it has no end.
    Interrupted,
}

/// One run of the list. Times are RFC 3339, UTC.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow {
    pub run_id: String,
    pub task: String,
    pub brain: String,
    pub start_url: Option<String>,
    pub started_at: String,
    pub ended_at: Option<String>,
    pub state: RunState,
    pub termination_reason: Option<String>,
    pub success: Option<bool>,
    pub final_verdict: Option<String>,
    pub steps: u32,
    pub duration_s: Option<f64>,
    pub cost: Option<f64>,
    #[serde(skip)]
    pub process: Option<ProcessMark>,
    /// Size of its trace and of its frames. Frames shared with other runs count in each.
    pub bytes: u64,
}

const PAUSED: &str = "paused";

/// Which runs to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunFilter {
    #[default]
    All,
    State(RunState),
    /// Ended with success.
    Succeeded,
    /// Ended without success.
    Failed,
    /// It may go on: its process died, or it was put away.
    Unfinished,
}

/// A filter with a verdict and a text beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunSearch {
    pub filter: RunFilter,
    /// `pass`, `fail`, `uncertain` or `unjudged`.
    pub verdict: Option<String>,
    /// Somewhere in the task, the address, the brain or the id, in any case.
    pub text: Option<String>,
}

impl From<RunFilter> for RunSearch {
    fn from(filter: RunFilter) -> RunSearch {
        RunSearch { filter, ..RunSearch::default() }
    }
}

impl RunSearch {
    pub(crate) fn lets_through(&self, row: &RunRow) -> bool {
        let verdict = self.verdict.as_ref().is_none_or(|verdict| row.final_verdict.as_ref() == Some(verdict));
        let contains = |text: &str| {
            let places = [Some(&row.task), row.start_url.as_ref(), Some(&row.brain), Some(&row.run_id)];
            places.into_iter().flatten().any(|place| place.to_lowercase().contains(text))
        };
        let text = self.text.as_ref().is_none_or(|text| contains(&text.to_lowercase()));
        self.filter.lets_through(row) && verdict && text
    }
}

impl RunState {
    pub fn as_str(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Ended => "ended",
            RunState::Interrupted => "interrupted",
        }
    }

    fn from_text(text: &str) -> RunState {
        match text {
            "ended" => RunState::Ended,
            "interrupted" => RunState::Interrupted,
            _ => RunState::Running,
        }
    }
}

impl RunFilter {
    pub(crate) fn lets_through(self, row: &RunRow) -> bool {
        match self {
            RunFilter::All => true,
            RunFilter::State(state) => row.state == state,
            RunFilter::Succeeded => row.success == Some(true),
            RunFilter::Failed => row.success == Some(false),
            RunFilter::Unfinished => {
                row.state == RunState::Interrupted || row.termination_reason.as_deref() == Some(PAUSED)
            }
        }
    }
}

impl RunRow {
    pub(crate) fn from_sql(row: &SqliteRow) -> Result<RunRow, sqlx::Error> {
        let pid: Option<i64> = row.try_get("pid")?;
        let start: Option<i64> = row.try_get("pid_start")?;
        let state: String = row.try_get("state")?;
        Ok(RunRow {
            run_id: row.try_get("run_id")?,
            task: row.try_get("task")?,
            brain: row.try_get("brain")?,
            start_url: row.try_get("start_url")?,
            started_at: row.try_get("started_at")?,
            ended_at: row.try_get("ended_at")?,
            state: RunState::from_text(&state),
            termination_reason: row.try_get("termination_reason")?,
            success: row.try_get("success")?,
            final_verdict: row.try_get("final_verdict")?,
            steps: u32::try_from(row.try_get::<i64, _>("steps")?).unwrap_or(0),
            duration_s: row.try_get("duration_s")?,
            cost: row.try_get("cost")?,
            process: pid.map(|pid| ProcessMark { pid, start: start.unwrap_or(0) }),
            bytes: u64::try_from(row.try_get::<i64, _>("bytes")?).unwrap_or(0),
        })
    }

    /// A run that another process, or this one, is still working on.
    pub fn is_live(&self) -> bool {
        self.state == RunState::Running && self.process.is_some_and(ProcessMark::is_alive)
    }
}
