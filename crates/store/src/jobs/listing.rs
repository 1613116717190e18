//! Jobs in pages, the newest first: what waits, and after that by the moment at which it got its place.

use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{HEAD, JobHead, JobState, JobStore, read_head, trouble};
use crate::error::StoreError;

/// As the indexes of the table have it.
const PLACE: &str = "(CASE WHEN state = 'queued' THEN '9999-' || created_at ELSE COALESCE(started_at, created_at) END)";

/// Where a run stands in the list: its moment, and its id among those of the same moment.
pub type JobPlace = (String, String);

/// Which jobs of the list.
#[derive(Debug, Clone, Copy)]
pub struct JobPage<'a> {
    pub states: &'a [JobState],
    /// Of this one alone.
    pub owner: Option<&'a str>,
    /// After this place.
    pub before: Option<&'a JobPlace>,
    pub limit: usize,
}

impl JobStore {
    pub async fn page(&self, page: JobPage<'_>) -> Result<Vec<(JobPlace, JobHead)>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(HEAD).push(", ").push(PLACE).push(" AS place FROM jobs WHERE state IN (");
        let mut states = query.separated(", ");
        for state in page.states {
            states.push_bind(state.as_str());
        }
        query.push(")");
        if let Some(owner) = page.owner {
            query.push(" AND owner = ").push_bind(owner.to_string());
        }
        if let Some((at, run_id)) = page.before {
            query.push(" AND (").push(PLACE).push(", run_id) < (").push_bind(at.clone());
            query.push(", ").push_bind(run_id.clone()).push(")");
        }
        query.push(" ORDER BY ").push(PLACE).push(" DESC, run_id DESC LIMIT ");
        query.push_bind(i64::try_from(page.limit).unwrap_or(i64::MAX));
        let rows = query.build().fetch_all(&self.pool).await.map_err(trouble)?;
        let placed = rows.iter().map(|row| {
            let job = read_head(row)?;
            Ok(((row.try_get("place")?, job.run_id.clone()), job))
        });
        placed.collect::<Result<_, sqlx::Error>>().map_err(trouble)
    }

    /// Of one job.
    pub async fn place(&self, run_id: &str) -> Result<Option<JobPlace>, StoreError> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT ");
        query.push(PLACE).push(" AS place FROM jobs WHERE run_id = ").push_bind(run_id.to_string());
        let place: Option<String> = query.build_query_scalar().fetch_optional(&self.pool).await.map_err(trouble)?;
        Ok(place.map(|place| (place, run_id.to_string())))
    }
}
