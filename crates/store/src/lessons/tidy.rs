//! Bounds of growth. Memory plans from a few facts of each lesson, held at once; the rest is two statements. Done at the
//! end of a run, at most once an hour, and more often only while there are too many lessons.

use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use sqlx::{Connection as _, Row as _};
use surehand_memory::growth::{Caps, Standing, TidyReport, plan};
use surehand_memory::lesson::Suppressor;
use surehand_memory::{LessonId, Status};

use super::{LessonStore, read, write};
use crate::error::StoreError;

const EVERY: std::time::Duration = std::time::Duration::from_secs(3_600);
/// Events and judged runs that are kept: enough for a plot and for questions about runs of the last months.
const EVENTS: i64 = 200_000;
const RUNS: i64 = 20_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tidied {
    NotDue,
    Done(TidyReport),
}

impl LessonStore {
    pub async fn tidy_if_due(&self, now: Timestamp, caps: &Caps) -> Result<Tidied, StoreError> {
        let last: Option<i64> = sqlx::query_scalar("SELECT value FROM lesson_notes WHERE name = 'tidied_at'")
            .fetch_optional(&self.pool)
            .await
            .map_err(self.trouble())?;
        let since = last.map(|last| now.as_millisecond().saturating_sub(last));
        if since.is_some_and(|since| (0..EVERY.as_millis() as i64).contains(&since)) {
            return Ok(Tidied::NotDue);
        }
        Ok(Tidied::Done(self.tidy(now, caps).await?))
    }

    pub async fn tidy(&self, now: Timestamp, caps: &Caps) -> Result<TidyReport, StoreError> {
        let mut connection = self.pool.acquire().await.map_err(self.trouble())?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(self.trouble())?;
        let work = async {
            let mut standings = Vec::new();
            let mut rows = sqlx::query(
                "SELECT id, status, suppressed_by, suppressed_at, origin, decided, reliability, mean_utility, helpful, \
                 updated_at FROM lessons ORDER BY number",
            )
            .fetch(&mut *transaction);
            while let Some(row) = rows.try_next().await? {
                let time = |at: i64| Timestamp::from_millisecond(at).unwrap_or(now);
                standings.push(Standing {
                    id: LessonId(row.try_get(0)?),
                    status: status_of(row.try_get(1)?),
                    suppressed_by: row.try_get::<Option<&str>, _>(2)?.map(suppressor_of),
                    suppressed_at: row.try_get::<Option<i64>, _>(3)?.map(time),
                    origin: row.try_get(4)?,
                    decided: row.try_get(5)?,
                    reliability: row.try_get(6)?,
                    mean_utility: row.try_get(7)?,
                    helpful: row.try_get(8)?,
                    updated_at: time(row.try_get(9)?),
                });
            }
            drop(rows);
            let report = plan(standings, now, caps);
            for id in &report.archived {
                let body: Option<String> = sqlx::query_scalar("SELECT body FROM lessons WHERE id = ?1")
                    .bind(&id.0)
                    .fetch_optional(&mut *transaction)
                    .await?;
                if let Some(mut lesson) = body.as_deref().and_then(read) {
                    lesson.status = Status::Archived;
                    write::put(&mut transaction, &lesson).await?;
                }
            }
            for id in &report.forgotten {
                write::remove(&mut transaction, id).await?;
            }
            for (sql, kept) in [
                ("DELETE FROM lesson_events WHERE number <= (SELECT MAX(number) FROM lesson_events) - ?1", EVENTS),
                (
                    "DELETE FROM judged_runs WHERE at < (SELECT at FROM judged_runs ORDER BY at DESC LIMIT 1 OFFSET ?1)",
                    RUNS,
                ),
            ] {
                sqlx::query(sql).bind(kept).execute(&mut *transaction).await?;
            }
            sqlx::query("INSERT OR REPLACE INTO lesson_notes (name, value) VALUES ('tidied_at', ?1)")
                .bind(now.as_millisecond())
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok::<TidyReport, sqlx::Error>(report)
        };
        work.await.map_err(self.trouble())
    }
}

pub(super) fn suppressor_name(suppressor: Suppressor) -> &'static str {
    match suppressor {
        Suppressor::Person => "person",
        Suppressor::Outcomes => "outcomes",
    }
}

fn suppressor_of(name: &str) -> Suppressor {
    match name {
        "outcomes" => Suppressor::Outcomes,
        // In doubt it was a person: theirs is the word that stays.
        _ => Suppressor::Person,
    }
}

fn status_of(name: &str) -> Status {
    match name {
        "promoted" => Status::Promoted,
        "suppressed" => Status::Suppressed,
        "archived" => Status::Archived,
        _ => Status::Candidate,
    }
}
