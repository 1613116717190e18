//! Lessons in SQLite: a file of its own, since what was learned can be rebuilt from nothing else. The rules of memory
//! are in the memory crate; here lessons are found, loaded, and written in one transaction. Start at `find`.

mod ask;
mod find;
mod terms;
mod tidy;
mod write;

use std::path::PathBuf;

use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnection, SqlitePool, SqlitePoolOptions};
use surehand_memory::Lesson;

use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::sqlite::{self, BUSY_TIMEOUT, Schema, lock, options, own_file};

pub use ask::{LessonFilter, LessonPlace, LessonTotals, RunMark, UtilityPoint};
pub use tidy::Tidied;

const MIGRATIONS: &[&str] = &[include_str!("../../migrations/lessons_0001.sql")];

/// Bytes that are read by mapping the file, and kibibytes of pages that a connection keeps (as SQLite wants it: negative).
const MAPPED: &str = "67108864";
const CACHED: &str = "-8000";

/// The lessons of one data folder. Several processes may use it at once.
#[derive(Debug, Clone)]
pub struct LessonStore {
    path: PathBuf,
    pool: SqlitePool,
}

impl LessonStore {
    pub async fn open(data: &DataDir) -> Result<LessonStore, StoreError> {
        let path = data.lessons();
        let _lock = lock(data.lessons_lock()).await?;
        own_file(&path).map_err(StoreError::file(path.clone()))?;
        let opened = async {
            let mut connection = SqliteConnection::connect_with(&options(&path)).await?;
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            let schema = sqlite::migrate(&mut transaction, MIGRATIONS).await?;
            transaction.commit().await?;
            connection.close().await?;
            Ok::<Schema, sqlx::Error>(schema)
        };
        let trouble = trouble(&path);
        match opened.await.map_err(&trouble)? {
            Schema::At(_) => {}
            Schema::Newer { found, known } => return Err(StoreError::NewerLessons { found, known }),
        }
        let pool = SqlitePoolOptions::new()
            .max_connections(2)
            .acquire_timeout(BUSY_TIMEOUT)
            .connect_with(options(&path).pragma("mmap_size", MAPPED).pragma("cache_size", CACHED))
            .await
            .map_err(&trouble)?;
        Ok(LessonStore { path, pool })
    }

    /// Waits until everything is written out and let go of.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Bytes of the file and of what SQLite keeps beside it.
    pub fn bytes(&self) -> u64 {
        let beside = |extension: &str| self.path.with_extension(extension);
        [self.path.clone(), beside("db-wal")].iter().filter_map(|path| path.metadata().ok()).map(|it| it.len()).sum()
    }

    fn trouble(&self) -> impl Fn(sqlx::Error) -> StoreError + use<> {
        trouble(&self.path)
    }
}

fn trouble(path: &std::path::Path) -> impl Fn(sqlx::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| {
        if sqlite::is_damage(&source) {
            StoreError::DamagedLessons { path: path.clone(), source }
        } else {
            StoreError::Lessons(source.to_string())
        }
    }
}

/// A row of ours that is no lesson is left out: one that was damaged must not keep the others from being found.
fn read(body: &str) -> Option<Lesson> {
    match serde_json::from_str(body) {
        Ok(lesson) => Some(lesson),
        Err(error) => {
            tracing::warn!(%error, "a stored lesson cannot be read and is left out");
            None
        }
    }
}
