//! The queue of a server: what it was asked to run, by whom, and what became of it. A file of its own, since it can be
//! made from nothing else. What is accepted here survives the death of the process.

mod listing;
mod pruning;
mod toggles;
mod webhooks;

use std::path::PathBuf;

use sqlx::sqlite::{SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous};
use sqlx::{Connection as _, QueryBuilder, Row as _, Sqlite};

use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::sqlite::{self, BUSY_TIMEOUT, Schema, lock, options, own_file};

pub use listing::{JobPage, JobPlace};
pub use toggles::ToggleRow;
pub use webhooks::{DueWebhook, RipeWebhook, Tried, WebhookRow, WebhookState};

const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/jobs_0001.sql"),
    include_str!("../../migrations/jobs_0002.sql"),
    include_str!("../../migrations/jobs_0003.sql"),
    include_str!("../../migrations/jobs_0004.sql"),
    include_str!("../../migrations/jobs_0005.sql"),
];

/// How long an idempotency key is remembered, in seconds.
const KEY_LIFE: i64 = 24 * 60 * 60;
const OLD_KEYS: &str = "DELETE FROM job_keys WHERE created_at < ?1";

/// The queue of one data folder. One server at a time works on it: whoever holds the lease.
#[derive(Debug, Clone)]
pub struct JobStore {
    pool: SqlitePool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    Queued,
    Running,
    /// Put away; it can be gone on from.
    Paused,
    Ended,
    /// It could not be started.
    Failed,
    /// Taken back before it began, or before it went on.
    Cancelled,
    /// The server died in the middle of it.
    Interrupted,
}

/// What is shown of a request, and looked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    pub task: &'a str,
    pub brain: Option<&'a str>,
    pub start_url: Option<&'a str>,
}

/// A job without what it is made from, which may be large.
#[derive(Debug, Clone, PartialEq)]
pub struct JobHead {
    pub run_id: String,
    pub owner: String,
    pub state: JobState,
    pub task: String,
    pub brain: Option<String>,
    pub start_url: Option<String>,
    pub words: Option<String>,
    pub created_at: String,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
}

/// The columns of a head.
const HEAD: &str = "run_id, owner, state, task, brain, start_url, words, created_at, started_at, ended_at";

#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub number: i64,
    pub run_id: String,
    pub owner: String,
    pub state: JobState,
    /// JSON, as it was given.
    pub request: String,
    pub snapshot: Option<String>,
    pub words: Option<String>,
    pub created_at: String,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct NewJob<'a> {
    pub run_id: &'a str,
    pub owner: &'a str,
    pub request: &'a str,
    pub about: About<'a>,
    pub created_at: &'a str,
    pub key: Option<JobKey<'a>>,
    pub room: Room,
    /// Who is told of its end; kept together with it, so that there is no run without them and none without a run.
    pub webhooks: &'a [NewWebhook],
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewWebhook {
    pub url: String,
    /// Names of ends, separated by spaces; empty: all.
    pub events: String,
}

/// No more than so many may wait or run, of everybody and of one owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    pub most: Option<u32>,
    pub most_of_owner: Option<u32>,
}

/// Whether one more fits.
enum Fits {
    Yes,
    Full,
    OwnerFull,
}

impl Room {
    async fn fits(self, connection: &mut SqliteConnection, owner: &str) -> Result<Fits, sqlx::Error> {
        let waiting = "SELECT COUNT(*) FROM jobs WHERE state IN ('queued', 'running')";
        if let Some(most) = self.most {
            let all: i64 = sqlx::query_scalar(waiting).fetch_one(&mut *connection).await?;
            if all >= i64::from(most) {
                return Ok(Fits::Full);
            }
        }
        if let Some(most) = self.most_of_owner {
            let own: i64 =
                sqlx::query_scalar("SELECT COUNT(*) FROM jobs WHERE state IN ('queued', 'running') AND owner = ?1")
                    .bind(owner)
                    .fetch_one(&mut *connection)
                    .await?;
            if own >= i64::from(most) {
                return Ok(Fits::OwnerFull);
            }
        }
        Ok(Fits::Yes)
    }
}

/// What became of a wish to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// It waits for its turn.
    Queued,
    /// It is not where the caller believed it to be.
    Elsewhere,
    Full,
    OwnerFull,
}

/// What makes two requests the same one.
#[derive(Debug, Clone, Copy)]
pub struct JobKey<'a> {
    pub key: &'a str,
    /// Hash of the request.
    pub body: &'a str,
    /// Seconds since 1970.
    pub now: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    New,
    /// The same key and the same request: this run.
    Same {
        run_id: String,
    },
    /// The same key with another request.
    OtherRequest {
        run_id: String,
    },
    /// There is no room.
    Full,
    /// This owner has enough under way.
    OwnerFull,
}

impl JobState {
    pub const ALL: [JobState; 7] = [
        JobState::Queued,
        JobState::Running,
        JobState::Paused,
        JobState::Ended,
        JobState::Failed,
        JobState::Cancelled,
        JobState::Interrupted,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Running => "running",
            JobState::Paused => "paused",
            JobState::Ended => "ended",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
            JobState::Interrupted => "interrupted",
        }
    }

    fn from_text(text: &str) -> JobState {
        JobState::ALL.into_iter().find(|state| state.as_str() == text).unwrap_or(JobState::Interrupted)
    }

    /// Nothing more will happen to it unless somebody asks.
    pub fn is_over(self) -> bool {
        !matches!(self, JobState::Queued | JobState::Running)
    }
}

impl JobStore {
    pub async fn open(data: &DataDir) -> Result<JobStore, StoreError> {
        let path: PathBuf = data.jobs();
        let _lock = lock(data.jobs_lock()).await?;
        own_file(&path).map_err(StoreError::file(path.clone()))?;
        // An accepted request is a promise, also across a power cut.
        let options = options(&path).synchronous(SqliteSynchronous::Full).foreign_keys(true);
        let opened = async {
            let mut connection = SqliteConnection::connect_with(&options).await?;
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            let schema = sqlite::migrate(&mut transaction, MIGRATIONS).await?;
            transaction.commit().await?;
            connection.close().await?;
            Ok::<Schema, sqlx::Error>(schema)
        };
        match opened.await.map_err(trouble)? {
            Schema::At(_) => {}
            Schema::Newer { found, known } => return Err(StoreError::NewerJobs { found, known }),
        }
        let pool = SqlitePoolOptions::new().max_connections(4).acquire_timeout(BUSY_TIMEOUT).connect_with(options);
        Ok(JobStore { pool: pool.await.map_err(trouble)? })
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// One transaction decides whether it is new, so that the same request sent twice at once is one run.
    pub async fn enqueue(&self, job: NewJob<'_>) -> Result<Enqueued, StoreError> {
        self.enqueued(job).await.map_err(trouble)
    }

    async fn enqueued(&self, job: NewJob<'_>) -> Result<Enqueued, sqlx::Error> {
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        if let Some(key) = job.key
            && let Some(earlier) = earlier(&mut transaction, job.owner, key).await?
        {
            return Ok(earlier);
        }
        match job.room.fits(&mut transaction, job.owner).await? {
            Fits::Yes => {}
            Fits::Full => return Ok(Enqueued::Full),
            Fits::OwnerFull => return Ok(Enqueued::OwnerFull),
        }
        sqlx::query(
            "INSERT INTO jobs (run_id, owner, state, request, created_at, task, brain, start_url) \
             VALUES (?1, ?2, 'queued', ?3, ?4, ?5, ?6, ?7)",
        )
        .bind(job.run_id)
        .bind(job.owner)
        .bind(job.request)
        .bind(job.created_at)
        .bind(job.about.task)
        .bind(job.about.brain)
        .bind(job.about.start_url)
        .execute(&mut *transaction)
        .await?;
        if let Some(key) = job.key {
            sqlx::query("INSERT INTO job_keys (owner, key, body, run_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")
                .bind(job.owner)
                .bind(key.key)
                .bind(key.body)
                .bind(job.run_id)
                .bind(key.now)
                .execute(&mut *transaction)
                .await?;
        }
        for webhook in job.webhooks {
            sqlx::query("INSERT INTO webhooks (run_id, url, body, state, events) VALUES (?1, ?2, '', 'armed', ?3)")
                .bind(job.run_id)
                .bind(&webhook.url)
                .bind(&webhook.events)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(Enqueued::New)
    }

    /// The run that this key stands for already.
    pub async fn earlier(&self, owner: &str, key: JobKey<'_>) -> Result<Option<Enqueued>, StoreError> {
        let work = async { earlier(&mut *self.pool.acquire().await?, owner, key).await };
        work.await.map_err(trouble)
    }

    /// The oldest that waits becomes a running one.
    pub async fn claim(&self, now: &str) -> Result<Option<Job>, StoreError> {
        let row = sqlx::query(
            "UPDATE jobs SET state = 'running', started_at = COALESCE(started_at, ?1), ended_at = NULL, words = NULL \
             WHERE number = (SELECT number FROM jobs WHERE state = 'queued' ORDER BY number LIMIT 1) RETURNING *",
        )
        .bind(now)
        .fetch_optional(&self.pool)
        .await
        .map_err(trouble)?;
        row.map(|row| read(&row)).transpose().map_err(trouble)
    }

    /// Moves a job on, if it still is where the caller believes it to be. Returns whether it was.
    pub async fn moved(
        &self,
        run_id: &str,
        from: &[JobState],
        to: JobState,
        words: Option<&str>,
        now: &str,
    ) -> Result<bool, StoreError> {
        let ended = to.is_over().then_some(now);
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await.map_err(trouble)?;
        let state: Option<String> = sqlx::query_scalar("SELECT state FROM jobs WHERE run_id = ?1")
            .bind(run_id)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(trouble)?;
        if !state.is_some_and(|state| from.contains(&JobState::from_text(&state))) {
            return Ok(false);
        }
        // Nobody goes on with it any more, so nobody needs the cookies in it.
        let is_final = matches!(to, JobState::Ended | JobState::Failed | JobState::Cancelled);
        sqlx::query(
            "UPDATE jobs SET state = ?2, words = ?3, ended_at = ?4, snapshot = CASE WHEN ?5 THEN NULL ELSE snapshot END \
             WHERE run_id = ?1",
        )
            .bind(run_id)
            .bind(to.as_str())
            .bind(words)
            .bind(ended)
            .bind(is_final)
            .execute(&mut *transaction)
            .await
            .map_err(trouble)?;
        transaction.commit().await.map_err(trouble)?;
        Ok(true)
    }

    /// One that came to a rest waits for its turn again, with what it goes on from; there has to be room for it as for
    /// a new one.
    pub async fn requeue(
        &self,
        run_id: &str,
        from: &[JobState],
        snapshot: &str,
        room: Room,
    ) -> Result<Requeued, StoreError> {
        let work = async {
            let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
            let found: Option<(String, String)> = sqlx::query_as("SELECT state, owner FROM jobs WHERE run_id = ?1")
                .bind(run_id)
                .fetch_optional(&mut *transaction)
                .await?;
            let Some((_, owner)) = found.filter(|(state, _)| from.contains(&JobState::from_text(state))) else {
                return Ok(Requeued::Elsewhere);
            };
            match room.fits(&mut transaction, &owner).await? {
                Fits::Yes => {}
                Fits::Full => return Ok(Requeued::Full),
                Fits::OwnerFull => return Ok(Requeued::OwnerFull),
            }
            sqlx::query(
                "UPDATE jobs SET state = 'queued', words = NULL, ended_at = NULL, snapshot = ?2 WHERE run_id = ?1",
            )
            .bind(run_id)
            .bind(snapshot)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(Requeued::Queued)
        };
        work.await.map_err(trouble)
    }

    /// One that was taken and of which nothing was done takes its place in the queue again, as if it had never left it. Not
    /// more often than `most`: it may be the very thing that servers die of. Returns whether it did.
    pub async fn put_back(&self, run_id: &str, most: u32) -> Result<bool, StoreError> {
        let put_back = sqlx::query(
            "UPDATE jobs SET state = 'queued', words = NULL, started_at = NULL, toggles = NULL, \
             false_starts = false_starts + 1 WHERE run_id = ?1 AND state = 'running' AND false_starts < ?2",
        )
        .bind(run_id)
        .bind(most)
        .execute(&self.pool)
        .await
        .map_err(trouble)?;
        Ok(put_back.rows_affected() == 1)
    }

    /// What the run keeps of the instance's changed settings: what it had when it began, or else these.
    pub async fn keep_toggles(&self, run_id: &str, toggles: &str) -> Result<String, StoreError> {
        let kept: Option<String> =
            sqlx::query_scalar("UPDATE jobs SET toggles = COALESCE(toggles, ?2) WHERE run_id = ?1 RETURNING toggles")
                .bind(run_id)
                .bind(toggles)
                .fetch_optional(&self.pool)
                .await
                .map_err(trouble)?;
        Ok(kept.unwrap_or_else(|| toggles.to_string()))
    }

    /// What a run that was put away goes on from.
    pub async fn keep_snapshot(&self, run_id: &str, snapshot: Option<&str>) -> Result<(), StoreError> {
        sqlx::query("UPDATE jobs SET snapshot = ?2 WHERE run_id = ?1")
            .bind(run_id)
            .bind(snapshot)
            .execute(&self.pool)
            .await
            .map_err(trouble)?;
        Ok(())
    }

    pub async fn job(&self, run_id: &str) -> Result<Option<Job>, StoreError> {
        let row = sqlx::query("SELECT * FROM jobs WHERE run_id = ?1")
            .bind(run_id)
            .fetch_optional(&self.pool)
            .await
            .map_err(trouble)?;
        row.map(|row| read(&row)).transpose().map_err(trouble)
    }

    /// What a list shows of a job.
    pub async fn head(&self, run_id: &str) -> Result<Option<JobHead>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(HEAD).push(" FROM jobs WHERE run_id = ").push_bind(run_id.to_string());
        let row = query.build().fetch_optional(&self.pool).await.map_err(trouble)?;
        row.map(|row| read_head(&row)).transpose().map_err(trouble)
    }

    /// Those in one state, the oldest first.
    pub async fn in_state(&self, state: JobState, limit: u32) -> Result<Vec<JobHead>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(HEAD).push(" FROM jobs WHERE state = ").push_bind(state.as_str());
        query.push(" ORDER BY number LIMIT ").push_bind(limit);
        let rows = query.build().fetch_all(&self.pool).await.map_err(trouble)?;
        rows.iter().map(read_head).collect::<Result<_, _>>().map_err(trouble)
    }

    pub async fn count(&self, state: JobState) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM jobs WHERE state = ?1")
            .bind(state.as_str())
            .fetch_one(&self.pool)
            .await
            .map_err(trouble)?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// How many are before it, if it waits.
    pub async fn position(&self, run_id: &str) -> Result<Option<u64>, StoreError> {
        let before: Option<i64> = sqlx::query_scalar(
            "SELECT (SELECT COUNT(*) FROM jobs AS other WHERE other.state = 'queued' AND other.number < own.number) \
             FROM jobs AS own WHERE own.run_id = ?1 AND own.state = 'queued'",
        )
        .bind(run_id)
        .fetch_optional(&self.pool)
        .await
        .map_err(trouble)?;
        Ok(before.and_then(|before| u64::try_from(before).ok()))
    }
}

async fn earlier(
    connection: &mut SqliteConnection,
    owner: &str,
    key: JobKey<'_>,
) -> Result<Option<Enqueued>, sqlx::Error> {
    sqlx::query(OLD_KEYS).bind(key.now.saturating_sub(KEY_LIFE)).execute(&mut *connection).await?;
    let known: Option<(String, String)> =
        sqlx::query_as("SELECT body, run_id FROM job_keys WHERE owner = ?1 AND key = ?2")
            .bind(owner)
            .bind(key.key)
            .fetch_optional(connection)
            .await?;
    Ok(known.map(
        |(body, run_id)| {
            if body == key.body { Enqueued::Same { run_id } } else { Enqueued::OtherRequest { run_id } }
        },
    ))
}

fn read_head(row: &SqliteRow) -> Result<JobHead, sqlx::Error> {
    let state: String = row.try_get("state")?;
    Ok(JobHead {
        run_id: row.try_get("run_id")?,
        owner: row.try_get("owner")?,
        state: JobState::from_text(&state),
        task: row.try_get("task")?,
        brain: row.try_get("brain")?,
        start_url: row.try_get("start_url")?,
        words: row.try_get("words")?,
        created_at: row.try_get("created_at")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
    })
}

fn read(row: &SqliteRow) -> Result<Job, sqlx::Error> {
    let state: String = row.try_get("state")?;
    Ok(Job {
        number: row.try_get("number")?,
        run_id: row.try_get("run_id")?,
        owner: row.try_get("owner")?,
        state: JobState::from_text(&state),
        request: row.try_get("request")?,
        snapshot: row.try_get("snapshot")?,
        words: row.try_get("words")?,
        created_at: row.try_get("created_at")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
    })
}

fn trouble(error: sqlx::Error) -> StoreError {
    StoreError::Jobs(error.to_string())
}

#[cfg(test)]
mod tests;
