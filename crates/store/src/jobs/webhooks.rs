//! Calls that tell somebody about the end of a run: armed when the run is asked for, made ripe by its end, and kept
//! until they are delivered or given up.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::{JobState, JobStore, trouble};
use crate::error::StoreError;

/// Due webhooks of one address that are looked at together.
const OF_ONE_RECEIVER: u32 = 16;

/// Whose run has come to an end that was not told yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RipeWebhook {
    pub number: i64,
    pub run_id: String,
    pub url: String,
    /// Names of ends, separated by spaces; empty: all.
    pub events: String,
    pub ended: JobState,
    pub ended_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueWebhook {
    pub number: i64,
    pub run_id: String,
    pub url: String,
    pub event: String,
    pub body: String,
    /// How often it was tried.
    pub tries: u32,
}

/// One of a run, as people look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRow {
    pub url: String,
    pub state: WebhookState,
    pub event: Option<String>,
    pub tries: u32,
    /// Seconds since 1970.
    pub due_at: Option<i64>,
    pub tried_at: Option<String>,
    pub outcome: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookState {
    /// Its run is not over.
    Armed,
    Due,
    Delivered,
    GivenUp,
}

/// What one try came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    Delivered,
    /// The next try, in seconds since 1970.
    Again(i64),
    GivenUp,
}

impl WebhookState {
    fn from_text(text: &str) -> WebhookState {
        match text {
            "armed" => WebhookState::Armed,
            "due" => WebhookState::Due,
            "delivered" => WebhookState::Delivered,
            _ => WebhookState::GivenUp,
        }
    }
}

impl JobStore {
    pub async fn ripe_webhooks(&self, limit: u32) -> Result<Vec<RipeWebhook>, StoreError> {
        let rows = sqlx::query(
            "SELECT webhooks.number, webhooks.run_id, url, events, jobs.state AS ended, jobs.ended_at FROM webhooks \
             JOIN jobs ON jobs.run_id = webhooks.run_id WHERE webhooks.state = 'armed' \
             AND jobs.state IN ('ended', 'failed', 'cancelled', 'interrupted') \
             AND (after IS NULL OR after <> jobs.ended_at) ORDER BY webhooks.number LIMIT ?1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(trouble)?;
        let read = |row: &SqliteRow| {
            Ok(RipeWebhook {
                number: row.try_get("number")?,
                run_id: row.try_get("run_id")?,
                url: row.try_get("url")?,
                events: row.try_get("events")?,
                ended: JobState::from_text(row.try_get("ended")?),
                ended_at: row.try_get::<Option<String>, _>("ended_at")?.unwrap_or_default(),
            })
        };
        rows.iter().map(read).collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }

    /// It tells this end now. A run that may still go on gets another one, for the end after that.
    pub async fn fire_webhook(
        &self,
        ripe: &RipeWebhook,
        event: &str,
        body: &str,
        due_at: i64,
    ) -> Result<(), StoreError> {
        let work = async {
            let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
            sqlx::query(
                "UPDATE webhooks SET state = 'due', event = ?2, body = ?3, due_at = ?4 \
                 WHERE number = ?1 AND state = 'armed'",
            )
            .bind(ripe.number)
            .bind(event)
            .bind(body)
            .bind(due_at)
            .execute(&mut *transaction)
            .await?;
            if ripe.ended == JobState::Interrupted {
                sqlx::query(
                    "INSERT INTO webhooks (run_id, url, body, state, events, after) VALUES (?1, ?2, '', 'armed', ?3, ?4)",
                )
                .bind(&ripe.run_id)
                .bind(&ripe.url)
                .bind(&ripe.events)
                .bind(&ripe.ended_at)
                .execute(&mut *transaction)
                .await?;
            }
            transaction.commit().await
        };
        work.await.map_err(trouble)
    }

    /// This end is none that it is for. Where the run may go on, it waits for the next one.
    pub async fn pass_webhook(&self, ripe: &RipeWebhook) -> Result<(), StoreError> {
        let passed = match ripe.ended {
            JobState::Interrupted => sqlx::query("UPDATE webhooks SET after = ?2 WHERE number = ?1").bind(ripe.number),
            _ => sqlx::query("DELETE FROM webhooks WHERE number = ?1 AND ?2 = ?2").bind(ripe.number),
        };
        passed.bind(&ripe.ended_at).execute(&self.pool).await.map_err(trouble)?;
        Ok(())
    }

    pub async fn due_webhooks(&self, now: i64, limit: u32) -> Result<Vec<DueWebhook>, StoreError> {
        // Some for each receiver: one that takes none must not hide the others.
        let rows = sqlx::query(
            "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY url ORDER BY due_at, number) AS turn \
             FROM webhooks WHERE due_at <= ?1) WHERE turn <= ?3 ORDER BY due_at, number LIMIT ?2",
        )
        .bind(now)
        .bind(limit)
        .bind(OF_ONE_RECEIVER)
        .fetch_all(&self.pool)
        .await
        .map_err(trouble)?;
        let read = |row: &SqliteRow| {
            Ok(DueWebhook {
                number: row.try_get("number")?,
                run_id: row.try_get("run_id")?,
                url: row.try_get("url")?,
                event: row.try_get::<Option<String>, _>("event")?.unwrap_or_default(),
                body: row.try_get("body")?,
                tries: tries(row)?,
            })
        };
        rows.iter().map(read).collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }

    /// When the next one after this moment is due, in seconds since 1970.
    pub async fn next_webhook(&self, now: i64) -> Result<Option<i64>, StoreError> {
        sqlx::query_scalar("SELECT MIN(due_at) FROM webhooks WHERE due_at > ?1")
            .bind(now)
            .fetch_one(&self.pool)
            .await
            .map_err(trouble)
    }

    pub async fn webhook_tried(&self, number: i64, tried: Tried, words: &str, now: &str) -> Result<(), StoreError> {
        let (state, due_at) = match tried {
            Tried::Delivered => ("delivered", None),
            Tried::Again(due_at) => ("due", Some(due_at)),
            Tried::GivenUp => ("given_up", None),
        };
        sqlx::query(
            "UPDATE webhooks SET tries = tries + 1, state = ?2, due_at = ?3, outcome = ?4, tried_at = ?5 \
             WHERE number = ?1",
        )
        .bind(number)
        .bind(state)
        .bind(due_at)
        .bind(words)
        .bind(now)
        .execute(&self.pool)
        .await
        .map_err(trouble)?;
        Ok(())
    }

    /// Of one run, in the order in which they were armed.
    pub async fn webhooks_of(&self, run_id: &str) -> Result<Vec<WebhookRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM webhooks WHERE run_id = ?1 ORDER BY number")
            .bind(run_id)
            .fetch_all(&self.pool)
            .await
            .map_err(trouble)?;
        let read = |row: &SqliteRow| {
            Ok(WebhookRow {
                url: row.try_get("url")?,
                state: WebhookState::from_text(row.try_get("state")?),
                event: row.try_get("event")?,
                tries: tries(row)?,
                due_at: row.try_get("due_at")?,
                tried_at: row.try_get("tried_at")?,
                outcome: row.try_get("outcome")?,
            })
        };
        rows.iter().map(read).collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }
}

fn tries(row: &SqliteRow) -> Result<u32, sqlx::Error> {
    Ok(u32::try_from(row.try_get::<i64, _>("tries")?).unwrap_or(u32::MAX))
}
