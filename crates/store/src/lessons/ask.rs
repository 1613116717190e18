//! Questions of people about lessons: lists, one by its id, what happened in a run, how they served over time.

use serde::Serialize;
use sqlx::{QueryBuilder, Row as _, Sqlite};
use surehand_memory::{Lesson, LessonEvent, LessonId, Status};

use super::{LessonStore, read};
use crate::error::StoreError;

/// Which lessons a list shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LessonFilter {
    pub status: Option<Status>,
    /// Host of a site or name of an application.
    pub origin: Option<String>,
    /// In the rule, the origin, the id or the task that it was learned in, whatever the case.
    pub text: Option<String>,
}

/// Where a page of a list ended. It stays a place when the lesson that was there changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LessonPlace {
    updated_at: i64,
    number: i64,
}

impl std::fmt::Display for LessonPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.updated_at, self.number)
    }
}

impl std::str::FromStr for LessonPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<LessonPlace, ()> {
        let (updated_at, number) = text.split_once('.').ok_or(())?;
        Ok(LessonPlace { updated_at: updated_at.parse().map_err(drop)?, number: number.parse().map_err(drop)? })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct LessonTotals {
    pub candidate: u64,
    pub promoted: u64,
    pub suppressed: u64,
    pub archived: u64,
    /// Born in or confirmed by a decided run, and active.
    pub trusted: u64,
    pub origins: u64,
    pub shown: u64,
    pub counted: u64,
    pub helpful: u64,
    pub bytes: u64,
}

/// One outcome that was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UtilityPoint {
    /// Milliseconds since 1970.
    pub at: i64,
    pub lesson: LessonId,
    pub run: String,
    pub utility: f64,
}

/// A decided run, as later ones are compared with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunMark {
    pub run: String,
    pub task: String,
    pub passed: bool,
    pub steps: u32,
}

impl LessonStore {
    pub async fn get(&self, id: &LessonId) -> Result<Option<Lesson>, StoreError> {
        let body: Option<String> = sqlx::query_scalar("SELECT body FROM lessons WHERE id = ?1")
            .bind(&id.0)
            .fetch_optional(&self.pool)
            .await
            .map_err(self.trouble())?;
        Ok(body.as_deref().and_then(read))
    }

    /// The lesson somebody means by an id or the beginning of one, with or without `lsn_`.
    pub async fn resolve(&self, text: &str) -> Result<LessonId, StoreError> {
        let wanted = text.trim().to_lowercase();
        let wanted = if wanted.starts_with("lsn_") { wanted } else { format!("lsn_{wanted}") };
        let mut matches: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM lessons WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id = ?1 DESC, number DESC LIMIT 4",
        )
        .bind(&wanted)
        .fetch_all(&self.pool)
        .await
        .map_err(self.trouble())?;
        match matches.as_slice() {
            [] => Err(StoreError::NoSuchLesson { text: text.to_string() }),
            [first, ..] if *first == wanted => Ok(LessonId(wanted)),
            [_] => Ok(LessonId(matches.remove(0))),
            _ => Err(StoreError::AmbiguousLesson { text: text.to_string(), matches }),
        }
    }

    /// The latest changed first.
    pub async fn list(&self, filter: &LessonFilter, limit: u32) -> Result<Vec<Lesson>, StoreError> {
        let listed = self.listed(filter, None, limit).await?;
        Ok(listed.into_iter().map(|(_, lesson)| lesson).collect())
    }

    /// The same page by page, each lesson with its place in the list.
    pub async fn listed(
        &self,
        filter: &LessonFilter,
        after: Option<LessonPlace>,
        limit: u32,
    ) -> Result<Vec<(LessonPlace, Lesson)>, StoreError> {
        let mut sql: QueryBuilder<Sqlite> =
            QueryBuilder::new("SELECT updated_at, number, body FROM lessons WHERE TRUE");
        if let Some(status) = filter.status {
            sql.push(" AND status = ").push_bind(status.as_str());
        }
        if let Some(origin) = &filter.origin {
            sql.push(" AND origin = ").push_bind(origin.to_lowercase());
        }
        if let Some(text) = &filter.text {
            let parts = "lower(json_extract(body, '$.rule') || char(10) || origin || char(10) || id || char(10) || \
                         json_extract(body, '$.learned_in'))";
            sql.push(" AND instr(").push(parts).push(", ").push_bind(text.to_lowercase()).push(") > 0");
        }
        if let Some(place) = after {
            sql.push(" AND (updated_at, number) < (").push_bind(place.updated_at).push(", ");
            sql.push_bind(place.number).push(")");
        }
        sql.push(" ORDER BY updated_at DESC, number DESC LIMIT ").push_bind(limit);
        let rows = sql.build().fetch_all(&self.pool).await.map_err(self.trouble())?;
        let read = |row: &sqlx::sqlite::SqliteRow| {
            let place = LessonPlace { updated_at: row.try_get(0).ok()?, number: row.try_get(1).ok()? };
            Some((place, read(row.try_get::<&str, _>(2).ok()?)?))
        };
        Ok(rows.iter().filter_map(read).collect())
    }

    /// All of them in the order in which they came, page by page: `after` is the number the last page ended with.
    pub async fn page(&self, after: i64, count: u32) -> Result<(Vec<Lesson>, Option<i64>), StoreError> {
        let rows = sqlx::query("SELECT number, body FROM lessons WHERE number > ?1 ORDER BY number LIMIT ?2")
            .bind(after)
            .bind(count)
            .fetch_all(&self.pool)
            .await
            .map_err(self.trouble())?;
        let last = rows.last().and_then(|row| row.try_get(0).ok());
        Ok((rows.iter().filter_map(|row| read(row.try_get::<&str, _>(1).ok()?)).collect(), last))
    }

    pub async fn events_of_run(&self, run: &str) -> Result<Vec<LessonEvent>, StoreError> {
        self.events("SELECT body FROM lesson_events WHERE run = ?1 ORDER BY number", run).await
    }

    pub async fn events_of_lesson(&self, id: &LessonId) -> Result<Vec<LessonEvent>, StoreError> {
        self.events("SELECT body FROM lesson_events WHERE lesson = ?1 ORDER BY number", &id.0).await
    }

    async fn events(&self, sql: &'static str, key: &str) -> Result<Vec<LessonEvent>, StoreError> {
        let bodies: Vec<String> =
            sqlx::query_scalar(sql).bind(key).fetch_all(&self.pool).await.map_err(self.trouble())?;
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }

    /// The latest `limit` counted outcomes, oldest first.
    pub async fn utilities(&self, limit: u32) -> Result<Vec<UtilityPoint>, StoreError> {
        let rows = sqlx::query(
            "SELECT at, lesson, run, utility FROM lesson_events WHERE kind = 'outcome' AND utility IS NOT NULL \
             ORDER BY number DESC LIMIT ?1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(self.trouble())?;
        let point = |row: &sqlx::sqlite::SqliteRow| {
            Ok(UtilityPoint {
                at: row.try_get(0)?,
                lesson: LessonId(row.try_get(1)?),
                run: row.try_get(2)?,
                utility: row.try_get(3)?,
            })
        };
        rows.iter().rev().map(point).collect::<Result<_, sqlx::Error>>().map_err(self.trouble())
    }

    /// The latest `limit` decided runs, oldest first.
    pub async fn judged_runs(&self, limit: u32) -> Result<Vec<RunMark>, StoreError> {
        let rows = sqlx::query("SELECT run, task, passed, steps FROM judged_runs ORDER BY at DESC LIMIT ?1")
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(self.trouble())?;
        let mark = |row: &sqlx::sqlite::SqliteRow| {
            Ok(RunMark { run: row.try_get(0)?, task: row.try_get(1)?, passed: row.try_get(2)?, steps: row.try_get(3)? })
        };
        rows.iter().rev().map(mark).collect::<Result<_, sqlx::Error>>().map_err(self.trouble())
    }

    pub async fn totals(&self) -> Result<LessonTotals, StoreError> {
        let work = async {
            let row = sqlx::query(
                "SELECT COALESCE(SUM(status = 'candidate'), 0), COALESCE(SUM(status = 'promoted'), 0), \
                 COALESCE(SUM(status = 'suppressed'), 0), COALESCE(SUM(status = 'archived'), 0), \
                 COALESCE(SUM(decided AND status IN ('candidate', 'promoted')), 0), COUNT(DISTINCT origin) FROM lessons",
            )
            .fetch_one(&self.pool)
            .await?;
            let events = sqlx::query(
                "SELECT COALESCE(SUM(kind = 'shown'), 0), COALESCE(SUM(utility IS NOT NULL), 0), \
                 COALESCE(SUM(utility > 0), 0) FROM lesson_events",
            )
            .fetch_one(&self.pool)
            .await?;
            let number = |row: &sqlx::sqlite::SqliteRow, column: usize| -> Result<u64, sqlx::Error> {
                Ok(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or_default())
            };
            Ok::<LessonTotals, sqlx::Error>(LessonTotals {
                candidate: number(&row, 0)?,
                promoted: number(&row, 1)?,
                suppressed: number(&row, 2)?,
                archived: number(&row, 3)?,
                trusted: number(&row, 4)?,
                origins: number(&row, 5)?,
                shown: number(&events, 0)?,
                counted: number(&events, 1)?,
                helpful: number(&events, 2)?,
                bytes: self.bytes(),
            })
        };
        work.await.map_err(self.trouble())
    }
}
