//! The store as the rest of the program sees it: begin, finish, list, resolve, read. Removing,
//! exporting and retention add their methods in files of their own.

use std::fs;

use sqlx::sqlite::SqlitePool;
use sqlx::{QueryBuilder, Sqlite};
use surehand_trace::{FrameLibrary, Timeline, TraceRead, read_trace};
use surehand_types::event::{Event, RunStarted};
use surehand_types::{Redactor, RunResult};

use crate::data_dir::{DataDir, create_private, is_run_id};
use crate::error::StoreError;
use crate::files::FolderFrames;
use crate::process::ProcessMark;
use crate::row::{RunFilter, RunRow, RunSearch, RunState};
use crate::{index, rebuild, references};

/// Rows that are read at once while somebody looks for some of them.
const CHUNK: usize = 500;

/// The runs of one data folder.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) data: DataDir,
    pub(crate) pool: SqlitePool,
}

/// A run that is about to start.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    pub run_id: &'a str,
    /// RFC 3339, UTC.
    pub started_at: &'a str,
    pub started: &'a RunStarted,
    /// The index is a writer of text like the trace is: task and url pass the redactor.
    pub redactor: &'a Redactor,
}

impl Store {
    pub async fn open(data: &DataDir) -> Result<Store, StoreError> {
        let pool = index::open(data).await?;
        Ok(Store { data: data.clone(), pool })
    }

    /// Waits until the index is written out and let go of.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub fn data(&self) -> &DataDir {
        &self.data
    }

    /// The frames of all runs, for reports.
    pub fn frames(&self) -> impl FrameLibrary + use<> {
        FolderFrames::new(&self.data)
    }

    /// Lists the run as running in this process.
    pub async fn begin_run(&self, run: NewRun<'_>) -> Result<(), StoreError> {
        let process = ProcessMark::current();
        let file = self.data.process_file(run.run_id);
        let write = || -> std::io::Result<()> {
            create_private(&self.data.run(run.run_id))?;
            fs::write(&file, serde_json::to_vec(&process)?)
        };
        write().map_err(StoreError::file(&file))?;
        sqlx::query(
            "INSERT INTO runs (run_id, task, brain, start_url, started_at, state, pid, pid_start) \
             VALUES (?1, ?2, ?3, ?4, ?5, 'running', ?6, ?7) \
             ON CONFLICT (run_id) DO UPDATE SET state = 'running', ended_at = NULL, \
             termination_reason = NULL, success = NULL, final_verdict = NULL, duration_s = NULL, pid = excluded.pid, pid_start = excluded.pid_start",
        )
        .bind(run.run_id)
        .bind(run.redactor.text(&run.started.task))
        .bind(run.redactor.text(&run.started.brain))
        .bind(run.started.start_url.as_deref().map(|url| run.redactor.text(url)))
        .bind(run.started_at)
        .bind(process.pid)
        .bind(process.start)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Lists the run as ended. The result itself is in the trace.
    pub async fn finish_run(&self, result: &RunResult) -> Result<(), StoreError> {
        self.write_end(result, surehand_trace::writer::now()).await
    }

    async fn write_end(&self, result: &RunResult, ended_at: String) -> Result<(), StoreError> {
        let (data, run_id) = (self.data.clone(), result.run_id.clone());
        let bytes = blocking(move || Ok(references::run_bytes(&data, &run_id))).await?;
        sqlx::query(
            "UPDATE runs SET state = 'ended', ended_at = ?2, termination_reason = ?3, success = ?4, \
             final_verdict = ?5, steps = ?6, duration_s = ?7, cost = ?8, bytes = ?9 WHERE run_id = ?1",
        )
        .bind(&result.run_id)
        .bind(ended_at)
        .bind(result.termination_reason.as_str())
        .bind(result.success)
        .bind(rebuild::verdict_name(result))
        .bind(i64::from(result.steps))
        .bind(result.duration_s)
        .bind(result.cost)
        .bind(bytes as i64)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The newest runs first, at most `limit` of those that the filter lets through.
    pub async fn list(&self, limit: usize, filter: RunFilter) -> Result<Vec<RunRow>, StoreError> {
        self.page(limit, &filter.into(), None).await
    }

    /// The same, of runs that began before another one.
    pub async fn page(
        &self,
        limit: usize,
        search: &RunSearch,
        before: Option<&str>,
    ) -> Result<Vec<RunRow>, StoreError> {
        let Some(run_id) = before else { return self.page_before(limit, search, None).await };
        match self.row(run_id).await? {
            Some(row) => self.page_before(limit, search, Some((&row.started_at, run_id))).await,
            None => Ok(Vec::new()),
        }
    }

    /// The same, of runs before a moment, and before an id among those that began at that moment.
    pub async fn page_before(
        &self,
        limit: usize,
        search: &RunSearch,
        before: Option<(&str, &str)>,
    ) -> Result<Vec<RunRow>, StoreError> {
        let mut rows = Vec::new();
        let mut before = before.map(|(at, run_id)| (at.to_string(), run_id.to_string()));
        while rows.len() < limit {
            let chunk = if search.text.is_some() { CHUNK } else { limit.min(CHUNK) };
            let some = self.some_before(search, before.as_ref(), chunk).await?;
            let Some(last) = some.last() else { break };
            before = Some((last.started_at.clone(), last.run_id.clone()));
            for row in some {
                // What the index calls running may have ended meanwhile.
                let row = self.settled(row).await?;
                if rows.len() < limit && search.lets_through(&row) {
                    rows.push(row);
                }
            }
        }
        Ok(rows)
    }

    /// Rows that may be meant, as far as the index can tell.
    async fn some_before(
        &self,
        search: &RunSearch,
        before: Option<&(String, String)>,
        limit: usize,
    ) -> Result<Vec<RunRow>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM runs WHERE (state = 'running' OR ");
        match search.filter {
            RunFilter::All => query.push("TRUE"),
            RunFilter::State(state) => query.push("state = ").push_bind(state.as_str()),
            RunFilter::Succeeded => query.push("success = 1"),
            RunFilter::Failed => query.push("success = 0"),
            RunFilter::Unfinished => query.push("state = 'interrupted' OR termination_reason = 'paused'"),
        };
        query.push(")");
        if let Some(verdict) = &search.verdict {
            query.push(" AND (state = 'running' OR final_verdict = ").push_bind(verdict.clone()).push(")");
        }
        if let Some((at, run_id)) = before {
            query.push(" AND (started_at, run_id) < (").push_bind(at.clone());
            query.push(", ").push_bind(run_id.clone()).push(")");
        }
        query.push(" ORDER BY started_at DESC, run_id DESC LIMIT ");
        query.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = query.build().fetch_all(&self.pool).await?;
        Ok(rows.iter().map(RunRow::from_sql).collect::<Result<_, sqlx::Error>>()?)
    }

    /// One run of the index by its full id.
    pub async fn row(&self, run_id: &str) -> Result<Option<RunRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM runs WHERE run_id = ?1").bind(run_id).fetch_optional(&self.pool).await?;
        match row {
            Some(row) => Ok(Some(self.settled(RunRow::from_sql(&row)?).await?)),
            None => Ok(None),
        }
    }

    /// The run somebody means by `last`, a full id, or the beginning of one.
    pub async fn resolve(&self, text: &str) -> Result<String, StoreError> {
        let wanted = text.trim().to_lowercase();
        if wanted == "last" {
            let newest = sqlx::query_scalar::<_, String>(
                "SELECT run_id FROM runs ORDER BY started_at DESC, run_id DESC LIMIT 1",
            )
            .fetch_optional(&self.pool)
            .await?;
            return newest.ok_or(StoreError::NoRuns);
        }
        let missing = || StoreError::NoSuchRun { text: text.to_string() };
        if !is_run_id(&wanted) {
            return Err(missing());
        }
        let mut matches: Vec<String> = sqlx::query_scalar(
            "SELECT run_id FROM runs WHERE substr(run_id, 1, length(?1)) = ?1 \
             ORDER BY run_id = ?1 DESC, started_at DESC LIMIT 4",
        )
        .bind(&wanted)
        .fetch_all(&self.pool)
        .await?;
        match matches.as_slice() {
            [] => Err(missing()),
            [first, ..] if *first == wanted => Ok(wanted),
            [_] => Ok(matches.remove(0)),
            _ => Err(StoreError::AmbiguousRun { text: text.to_string(), matches }),
        }
    }

    /// The raw events of a run, as far as they can be read.
    pub fn events(&self, run_id: &str) -> Result<TraceRead, StoreError> {
        if !is_run_id(run_id) {
            return Err(StoreError::NoSuchRun { text: run_id.to_string() });
        }
        let path = self.data.events(run_id);
        match fs::File::open(&path) {
            Ok(file) => Ok(read_trace(std::io::BufReader::new(file))),
            // It is listed before its first event is there, and still listed when its files go.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(StoreError::NoTrace { run_id: run_id.to_string() })
            }
            Err(error) => Err(StoreError::file(&path)(error)),
        }
    }

    /// Whether its trace has a beginning that could be gone on from. Being listed is not enough.
    pub async fn has_begun(&self, run_id: &str) -> Result<bool, StoreError> {
        let (store, id) = (self.clone(), run_id.to_string());
        let read = blocking(move || store.events(&id)).await;
        match read {
            Ok(read) => Ok(read.events.iter().any(|envelope| matches!(envelope.event, Event::RunStarted(_)))),
            Err(StoreError::NoTrace { .. } | StoreError::NoSuchRun { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The run as views show it. One whose process is alive is not called interrupted.
    pub async fn timeline(&self, run_id: &str) -> Result<Timeline, StoreError> {
        let store = self.clone();
        let id = run_id.to_string();
        let mut timeline = blocking(move || Ok(Timeline::from_read(store.events(&id)?))).await?;
        if self.row(run_id).await?.is_some_and(|row| row.is_live()) {
            timeline.mark_running();
        }
        Ok(timeline)
    }

    /// Corrects a row that says "running" although its process is gone: the trace knows whether
    /// the run ended and how many steps it took.
    pub(crate) async fn settled(&self, row: RunRow) -> Result<RunRow, StoreError> {
        if row.state != RunState::Running || row.is_live() {
            return Ok(row);
        }
        let (data, run_id) = (self.data.clone(), row.run_id.clone());
        let found = blocking(move || Ok(rebuild::look(&data, &run_id))).await?;
        let Some(found) = found else {
            return Ok(RunRow { state: RunState::Interrupted, ..row });
        };
        if let Some(result) = &found.result {
            let ended_at = found.last_at.clone().unwrap_or_default();
            self.write_end(result, ended_at).await?;
            return Ok(RunRow {
                state: RunState::Ended,
                ended_at: found.last_at,
                termination_reason: Some(result.termination_reason.as_str().into()),
                success: Some(result.success),
                final_verdict: Some(rebuild::verdict_name(result).into()),
                steps: result.steps,
                duration_s: Some(result.duration_s),
                cost: Some(result.cost),
                bytes: found.bytes,
                ..row
            });
        }
        // The condition keeps a run that was continued meanwhile from being marked.
        sqlx::query(
            "UPDATE runs SET state = 'interrupted', ended_at = ?2, steps = ?3, duration_s = ?4, bytes = ?5 \
             WHERE run_id = ?1 AND state = 'running' AND pid IS ?6 AND pid_start IS ?7",
        )
        .bind(&row.run_id)
        .bind(&found.last_at)
        .bind(i64::from(found.steps))
        .bind(found.duration_s)
        .bind(found.bytes as i64)
        .bind(row.process.map(|process| process.pid))
        .bind(row.process.map(|process| process.start))
        .execute(&self.pool)
        .await?;
        Ok(RunRow {
            state: RunState::Interrupted,
            ended_at: found.last_at,
            steps: found.steps,
            duration_s: found.duration_s,
            bytes: found.bytes,
            ..row
        })
    }
}

/// Runs file work off the async threads.
pub(crate) async fn blocking<T, F>(work: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, StoreError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::Stopped)?
}
