//! What of the queue is no longer needed: jobs whose runs were removed, and old ones that never became runs.

use sqlx::{QueryBuilder, Sqlite};

use super::{JobState, JobStore, KEY_LIFE, OLD_KEYS, trouble};
use crate::error::StoreError;

/// Ids in one statement; SQLite takes some thousands.
const AT_ONCE: usize = 500;

impl JobStore {
    /// Whether a run waits for its turn, runs, or goes on by itself: nobody may remove what it left.
    pub async fn is_wanted(&self, run_id: &str) -> Result<bool, StoreError> {
        let state = self.head(run_id).await?.map(|job| job.state);
        Ok(matches!(state, Some(JobState::Queued | JobState::Running | JobState::Paused)))
    }

    /// The jobs of runs that are gone, with their webhooks. What somebody has still to be told stays, and so do keys:
    /// whoever asks again in time must not get another run.
    pub async fn forget(&self, run_ids: &[String]) -> Result<(), StoreError> {
        for some in run_ids.chunks(AT_ONCE) {
            for (head, tail) in [
                // One that is armed again waits for the end of a run that will never go on.
                (
                    "DELETE FROM webhooks WHERE (due_at IS NULL AND (state <> 'armed' OR after IS NOT NULL)) AND run_id IN (",
                    ")",
                ),
                (
                    "DELETE FROM jobs WHERE state IN ('ended', 'failed', 'cancelled', 'interrupted') AND run_id IN (",
                    ") AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.run_id = jobs.run_id)",
                ),
            ] {
                let mut query = QueryBuilder::<Sqlite>::new(head);
                let mut ids = query.separated(", ");
                for run_id in some {
                    ids.push_bind(run_id.clone());
                }
                query.push(tail).build().execute(&self.pool).await.map_err(trouble)?;
            }
        }
        Ok(())
    }

    /// Keys of more than a day ago.
    pub async fn forget_keys(&self, now: i64) -> Result<(), StoreError> {
        let forgotten = sqlx::query(OLD_KEYS).bind(now.saturating_sub(KEY_LIFE)).execute(&self.pool).await;
        forgotten.map(drop).map_err(trouble)
    }

    /// Jobs that were over before a moment: whether a run came to its end, and when.
    pub async fn over_before(&self, moment: &str) -> Result<Vec<(String, bool, String)>, StoreError> {
        sqlx::query_as(
            "SELECT run_id, state = 'ended', ended_at FROM jobs \
             WHERE state IN ('ended', 'failed', 'cancelled', 'interrupted') AND ended_at < ?1",
        )
        .bind(moment)
        .fetch_all(&self.pool)
        .await
        .map_err(trouble)
    }
}
