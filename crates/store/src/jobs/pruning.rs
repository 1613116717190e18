//! What of the queue is no longer needed: jobs whose runs were removed, and old ones that never became runs.

use std::collections::HashSet;

use sqlx::{QueryBuilder, Sqlite};

use super::{JobStore, trouble};
use crate::data_dir::DataDir;
use crate::error::StoreError;

/// Ids in one statement; SQLite takes some thousands.
const AT_ONCE: usize = 500;

impl JobStore {
    /// Runs that wait for their turn or go on by themselves: nobody may remove what they left.
    pub async fn waiting(data: &DataDir) -> Result<HashSet<String>, StoreError> {
        // Where nothing was ever served, nothing waits, and no file is made to find that out.
        if !data.jobs().exists() {
            return Ok(HashSet::new());
        }
        let jobs = JobStore::open(data).await?;
        let waiting = sqlx::query_scalar("SELECT run_id FROM jobs WHERE state IN ('queued', 'running', 'paused')")
            .fetch_all(&jobs.pool)
            .await
            .map_err(trouble);
        jobs.close().await;
        Ok(waiting?.into_iter().collect())
    }

    /// The jobs and webhooks of runs that are gone.
    pub async fn forget(&self, run_ids: &[String]) -> Result<(), StoreError> {
        for some in run_ids.chunks(AT_ONCE) {
            for head in [
                "DELETE FROM webhooks WHERE due_at IS NULL AND run_id IN (",
                "DELETE FROM jobs WHERE state IN ('ended', 'failed', 'cancelled', 'interrupted') AND run_id IN (",
            ] {
                let mut query = QueryBuilder::<Sqlite>::new(head);
                let mut ids = query.separated(", ");
                for run_id in some {
                    ids.push_bind(run_id.clone());
                }
                query.push(")").build().execute(&self.pool).await.map_err(trouble)?;
            }
        }
        Ok(())
    }

    /// Jobs that were over before a moment and have no run that could be looked at.
    pub async fn over_before(&self, moment: &str) -> Result<Vec<String>, StoreError> {
        sqlx::query_scalar(
            "SELECT run_id FROM jobs WHERE state IN ('ended', 'failed', 'cancelled', 'interrupted') AND ended_at < ?1",
        )
        .bind(moment)
        .fetch_all(&self.pool)
        .await
        .map_err(trouble)
    }
}
