//! Which lessons may match a question. The full-text table is asked term by term, each answer is bounded, and the sums of
//! their weights pick the few whose bodies are read. So a question costs the same among a thousand lessons and among
//! a hundred thousand. Ranking by bm25 was tried and left: it counts every row of every term first.

use sqlx::{QueryBuilder, Row as _, Sqlite};
use surehand_memory::{Lesson, Query};

use super::terms::{self, Asked, TRUSTED};
use super::{LessonStore, read};
use crate::error::StoreError;

/// Rows that one term may bring, the latest first: of the own origin, which holds no more than memory's cap, and of
/// all others.
const OWN_ROWS: u32 = 600;
const OTHER_ROWS: u32 = 150;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Own,
    Elsewhere,
}

impl LessonStore {
    /// Active lessons that may match, best first by estimate, at most `limit` of the own origin and as many of others.
    pub async fn candidates(&self, query: &Query, limit: usize) -> Result<Vec<Lesson>, StoreError> {
        let asked = terms::of_query(query);
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        if !query.origin.is_empty() {
            found.extend(self.lane(query, &asked, Lane::Own, limit).await?);
        }
        if query.elsewhere {
            found.extend(self.lane(query, &asked, Lane::Elsewhere, limit).await?);
        }
        Ok(found)
    }

    async fn lane(&self, query: &Query, asked: &[Asked], lane: Lane, limit: usize) -> Result<Vec<Lesson>, StoreError> {
        let own = terms::origin(&query.origin);
        let trusted = if query.trusted_only { format!(" AND {TRUSTED}") } else { String::new() };
        let mut sql: QueryBuilder<Sqlite> =
            QueryBuilder::new("SELECT body FROM (SELECT lesson, SUM(weight) AS fit FROM (");
        for (index, asked) in asked.iter().enumerate() {
            let (scope, rows) = match lane {
                Lane::Own => (format!(" AND {own}"), OWN_ROWS),
                Lane::Elsewhere if query.origin.is_empty() => (String::new(), OTHER_ROWS),
                Lane::Elsewhere => (format!(" NOT {own}"), OTHER_ROWS),
            };
            sql.push(if index == 0 { "" } else { " UNION ALL " });
            sql.push("SELECT * FROM (SELECT rowid AS lesson, ").push_bind(asked.weight);
            sql.push(" AS weight FROM lesson_terms WHERE lesson_terms MATCH ");
            sql.push_bind(format!("({}{trusted}){scope}", asked.term));
            sql.push(" ORDER BY rowid DESC LIMIT ").push_bind(rows).push(")");
        }
        sql.push(") GROUP BY lesson ORDER BY fit DESC, lesson DESC LIMIT ").push_bind(4 * limit as i64);
        sql.push(") JOIN lessons ON number = lesson");
        if lane == Lane::Own && !query.task.is_empty() {
            sql.push(" WHERE task = '' OR task = ").push_bind(query.task.clone());
        }
        sql.push(" ORDER BY fit DESC, lesson DESC LIMIT ").push_bind(limit as i64);
        let rows = sql.build().fetch_all(&self.pool).await.map_err(self.trouble())?;
        Ok(rows.iter().filter_map(|row| read(row.try_get::<&str, _>(0).ok()?)).collect())
    }
}
