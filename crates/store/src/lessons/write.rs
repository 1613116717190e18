//! Changing lessons: what is needed is loaded, memory works on it, and the changes are written, all in one transaction
//! that no other process can get between. A run's end is one such piece of work, an import another.

use std::collections::BTreeSet;

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, Row as _};
use surehand_memory::settle::Baseline;
use surehand_memory::upsert::{Relink, UpsertReport, upsert};
use surehand_memory::{
    Change, Closed, Closing, Lesson, LessonEvent, LessonId, LessonRules, MemoryError, Need, RecordingShelf,
};

use super::{LessonStore, read, terms};
use crate::error::StoreError;

/// Lessons with one of the triggers that are looked at, the latest first. As many as memory looks at.
const NEIGHBOURS: u32 = 500;
/// Earlier runs that a run is compared with.
const COMPARED: u32 = 10;
/// What counts as "used to pass": so many passes, and such a share of the runs that were looked at.
const PASSES: u32 = 2;
const SHARE: f64 = 0.8;
/// Lessons of an import that are written in one transaction; others may get in between.
const CHUNK: usize = 500;

impl LessonStore {
    /// The end of a run: credit and blame, and what it teaches.
    pub async fn close_run(&self, closing: &Closing, rules: &LessonRules) -> Result<Closed, StoreError> {
        let mut connection = self.pool.acquire().await.map_err(self.trouble())?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(self.trouble())?;
        let work = async {
            let baseline = baseline(&mut transaction, closing).await?;
            let mut shelf = RecordingShelf::of(load(&mut transaction, &closing.need()).await?);
            let closed = match closing.settle(&mut shelf, &baseline, rules) {
                Ok(closed) => closed,
                Err(error) => return Ok(Err(error)),
            };
            apply(&mut transaction, shelf.into_changes()).await?;
            for event in &closed.events {
                add_event(&mut transaction, event).await?;
            }
            if closing.is_worth_comparing() {
                add_run(&mut transaction, closing).await?;
            }
            transaction.commit().await?;
            Ok::<Result<Closed, MemoryError>, sqlx::Error>(Ok(closed))
        };
        work.await.map_err(self.trouble())?.map_err(|error| StoreError::Lessons(error.to_string()))
    }

    /// Puts lessons on the shelf as memory has it: known ones are merged, contradictions linked.
    pub async fn add(&self, lessons: Vec<Lesson>, rules: &LessonRules) -> Result<UpsertReport, StoreError> {
        let mut total = UpsertReport::default();
        let mut rest = lessons;
        // Lessons of one place are compared with each other; together, their neighbours are read once.
        rest.sort_by(|left, right| left.origin.cmp(&right.origin));
        while !rest.is_empty() {
            let chunk: Vec<Lesson> = rest.drain(..rest.len().min(CHUNK)).collect();
            let report = self.add_some(chunk, rules).await?;
            total.inserted += report.inserted;
            total.merged += report.merged;
            total.conflict_links += report.conflict_links;
            total.touched.extend(report.touched);
        }
        Ok(total)
    }

    async fn add_some(&self, lessons: Vec<Lesson>, rules: &LessonRules) -> Result<UpsertReport, StoreError> {
        let now = jiff::Timestamp::now();
        let need = Need::of(&lessons);
        let mut connection = self.pool.acquire().await.map_err(self.trouble())?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(self.trouble())?;
        let loaded = load(&mut transaction, &need).await.map_err(self.trouble())?;
        let mut shelf = RecordingShelf::of(loaded);
        let report = upsert(&mut shelf, lessons, now, rules, Relink::Touched)
            .map_err(|error| StoreError::Lessons(error.to_string()))?;
        let written = async {
            apply(&mut transaction, shelf.into_changes()).await?;
            transaction.commit().await
        };
        written.await.map_err(self.trouble())?;
        Ok(report)
    }

    /// One lesson, changed by a person. `None` from `work` leaves it as it is.
    pub async fn change(
        &self,
        id: &LessonId,
        work: impl FnOnce(Lesson) -> Option<(Lesson, LessonEvent)>,
    ) -> Result<Option<Lesson>, StoreError> {
        let mut connection = self.pool.acquire().await.map_err(self.trouble())?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(self.trouble())?;
        let need = Need { ids: vec![id.clone()], ..Need::default() };
        let loaded = load(&mut transaction, &need).await.map_err(self.trouble())?;
        let Some(known) = loaded.into_iter().find(|lesson| lesson.id == *id) else {
            return Err(StoreError::NoSuchLesson { text: id.0.clone() });
        };
        let Some((changed, event)) = work(known) else { return Ok(None) };
        let written = async {
            put(&mut transaction, &changed).await?;
            add_event(&mut transaction, &event).await?;
            transaction.commit().await
        };
        written.await.map_err(self.trouble())?;
        Ok(Some(changed))
    }
}

/// The lessons that are needed, in the order in which they came.
async fn load(connection: &mut SqliteConnection, need: &Need) -> Result<Vec<Lesson>, sqlx::Error> {
    let mut numbers: BTreeSet<i64> = BTreeSet::new();
    for id in &need.ids {
        numbers.extend(numbers_of(connection, "SELECT number FROM lessons WHERE id = ?1", &id.0).await?);
    }
    for identity in &need.identities {
        numbers.extend(numbers_of(connection, "SELECT number FROM lessons WHERE identity = ?1", &identity.0).await?);
    }
    for trigger in &need.triggers {
        let (trigger, origin) = trigger;
        let sql =
            "SELECT lesson FROM lesson_triggers WHERE trigger_text = ?1 AND origin = ?2 ORDER BY lesson DESC LIMIT ?3";
        let rows = sqlx::query(sql).bind(trigger).bind(origin).bind(NEIGHBOURS).fetch_all(&mut *connection).await?;
        for row in rows {
            numbers.insert(row.try_get(0)?);
        }
    }
    let mut lessons = Vec::new();
    for number in numbers {
        let row =
            sqlx::query("SELECT body FROM lessons WHERE number = ?1").bind(number).fetch_one(&mut *connection).await?;
        lessons.extend(read(row.try_get(0)?));
    }
    Ok(lessons)
}

async fn numbers_of(connection: &mut SqliteConnection, sql: &'static str, key: &str) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(sql).bind(key).fetch_all(connection).await
}

async fn apply(connection: &mut SqliteConnection, changes: Vec<Change>) -> Result<(), sqlx::Error> {
    for change in changes {
        match change {
            Change::Put(lesson) => put(connection, &lesson).await?,
            Change::Remove(id) => remove(connection, &id).await?,
        }
    }
    Ok(())
}

pub(super) async fn put(connection: &mut SqliteConnection, lesson: &Lesson) -> Result<(), sqlx::Error> {
    let body = serde_json::to_string(lesson).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
    let terms = terms::of_lesson(lesson);
    let known = sqlx::query("SELECT number, terms FROM lessons WHERE id = ?1")
        .bind(&lesson.id.0)
        .fetch_optional(&mut *connection)
        .await?;
    let known: Option<(i64, String)> =
        known.map(|row| Ok::<_, sqlx::Error>((row.try_get(0)?, row.try_get(1)?))).transpose()?;
    let sql = match known {
        Some(_) => {
            "UPDATE lessons SET identity = ?2, status = ?3, suppressed_by = ?4, suppressed_at = ?5, origin = ?6, \
             task = ?7, decided = ?8, reliability = ?9, mean_utility = ?10, helpful = ?11, updated_at = ?12, \
             terms = ?13, body = ?14 WHERE id = ?1 RETURNING number"
        }
        None => {
            "INSERT INTO lessons (id, identity, status, suppressed_by, suppressed_at, origin, task, decided, \
             reliability, mean_utility, helpful, updated_at, terms, body) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING number"
        }
    };
    let number: i64 = sqlx::query_scalar(sql)
        .bind(&lesson.id.0)
        .bind(LessonId::of(&lesson.rule, &lesson.triggers).0)
        .bind(lesson.status.as_str())
        .bind(lesson.suppressed_by.map(super::tidy::suppressor_name))
        .bind(lesson.suppressed_at.map(jiff::Timestamp::as_millisecond))
        .bind(lesson.origin.to_lowercase())
        .bind(&lesson.task)
        .bind(lesson.is_decided())
        .bind(lesson.reliability)
        .bind(lesson.mean_utility())
        .bind(lesson.counts.helpful)
        .bind(lesson.updated_at.as_millisecond())
        .bind(&terms)
        .bind(&body)
        .fetch_one(&mut *connection)
        .await?;
    if known.as_ref().is_some_and(|(_, filed)| *filed == terms) {
        return Ok(());
    }
    if known.is_some() {
        unfile(connection, number).await?;
    }
    for trigger in &lesson.triggers {
        sqlx::query("INSERT OR IGNORE INTO lesson_triggers (trigger_text, origin, lesson) VALUES (?1, ?2, ?3)")
            .bind(trigger)
            .bind(lesson.origin.to_lowercase())
            .bind(number)
            .execute(&mut *connection)
            .await?;
    }
    if !terms.is_empty() {
        sqlx::query("INSERT INTO lesson_terms (rowid, terms) VALUES (?1, ?2)")
            .bind(number)
            .bind(&terms)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

pub(super) async fn remove(connection: &mut SqliteConnection, id: &LessonId) -> Result<(), sqlx::Error> {
    for number in numbers_of(connection, "SELECT number FROM lessons WHERE id = ?1", &id.0).await? {
        unfile(connection, number).await?;
        sqlx::query("DELETE FROM lessons WHERE number = ?1").bind(number).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Takes a lesson out of what is searched.
async fn unfile(connection: &mut SqliteConnection, number: i64) -> Result<(), sqlx::Error> {
    for sql in ["DELETE FROM lesson_triggers WHERE lesson = ?1", "DELETE FROM lesson_terms WHERE rowid = ?1"] {
        sqlx::query(sql).bind(number).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn add_event(connection: &mut SqliteConnection, event: &LessonEvent) -> Result<(), sqlx::Error> {
    let utility = match &event.happened {
        surehand_memory::Happened::Outcome { utility, counted: true } => Some(*utility),
        _ => None,
    };
    sqlx::query("INSERT INTO lesson_events (lesson, run, at, kind, utility, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        .bind(&event.lesson.0)
        .bind(&event.run)
        .bind(event.at.as_millisecond())
        .bind(event.happened.as_str())
        .bind(utility)
        .bind(serde_json::to_string(event).map_err(|error| sqlx::Error::Encode(Box::new(error)))?)
        .execute(connection)
        .await?;
    Ok(())
}

async fn add_run(connection: &mut SqliteConnection, closing: &Closing) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT OR REPLACE INTO judged_runs (run, task, origin, passed, steps, score, at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )
    .bind(&closing.facts.run)
    .bind(closing.task())
    .bind(closing.facts.origin.to_lowercase())
    .bind(closing.has_passed())
    .bind(closing.facts.steps)
    .bind(closing.facts.score)
    .bind(closing.at.as_millisecond())
    .execute(connection)
    .await?;
    Ok(())
}

/// The latest decided runs of the same task at the same place.
async fn baseline(connection: &mut SqliteConnection, closing: &Closing) -> Result<Baseline, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT passed, steps, score FROM judged_runs WHERE origin = ?1 AND task = ?2 AND run <> ?3 \
         ORDER BY at DESC LIMIT ?4",
    )
    .bind(closing.facts.origin.to_lowercase())
    .bind(closing.task())
    .bind(&closing.facts.run)
    .bind(COMPARED)
    .fetch_all(connection)
    .await?;
    let (mut steps, mut scores, mut passes) = (Vec::new(), Vec::new(), 0_u32);
    for row in &rows {
        if row.try_get::<bool, _>(0)? {
            passes += 1;
            steps.push(f64::from(row.try_get::<u32, _>(1)?));
        }
        scores.extend(row.try_get::<Option<f64>, _>(2)?);
    }
    let mean = |numbers: &[f64]| (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64);
    let share = f64::from(passes) / rows.len().max(1) as f64;
    Ok(Baseline {
        mean_steps: mean(&steps),
        mean_score: mean(&scores),
        used_to_pass: passes >= PASSES && share >= SHARE,
    })
}
