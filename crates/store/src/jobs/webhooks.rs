//! Calls that tell somebody about the end of a run: kept until they are delivered or given up.

use sqlx::Row as _;

use super::{JobStore, trouble};
use crate::error::StoreError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueWebhook {
    pub number: i64,
    pub run_id: String,
    pub url: String,
    pub body: String,
    /// How often it was tried.
    pub tries: u32,
}

impl JobStore {
    pub async fn add_webhook(&self, run_id: &str, url: &str, body: &str, due_at: i64) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO webhooks (run_id, url, body, due_at) VALUES (?1, ?2, ?3, ?4)")
            .bind(run_id)
            .bind(url)
            .bind(body)
            .bind(due_at)
            .execute(&self.pool)
            .await
            .map_err(trouble)?;
        Ok(())
    }

    pub async fn due_webhooks(&self, now: i64, limit: u32) -> Result<Vec<DueWebhook>, StoreError> {
        let rows = sqlx::query("SELECT * FROM webhooks WHERE due_at <= ?1 ORDER BY due_at, number LIMIT ?2")
            .bind(now)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(trouble)?;
        let read = |row: &sqlx::sqlite::SqliteRow| {
            Ok(DueWebhook {
                number: row.try_get("number")?,
                run_id: row.try_get("run_id")?,
                url: row.try_get("url")?,
                body: row.try_get("body")?,
                tries: u32::try_from(row.try_get::<i64, _>("tries")?).unwrap_or(u32::MAX),
            })
        };
        rows.iter().map(read).collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }

    /// One try is over: when the next one is due, or `None` where there will be none.
    pub async fn webhook_tried(&self, number: i64, due_at: Option<i64>, outcome: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE webhooks SET tries = tries + 1, due_at = ?2, outcome = ?3 WHERE number = ?1")
            .bind(number)
            .bind(due_at)
            .bind(outcome)
            .execute(&self.pool)
            .await
            .map_err(trouble)?;
        Ok(())
    }
}
