//! Opening the SQLite index: settings, migrations, and what to do when it is missing or broken.
//! All of it happens under a file lock, since two processes may start at the same moment.

use std::fs;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnection, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection, Row};

use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::rebuild;
use crate::sqlite::{self, BUSY_TIMEOUT, Schema, lock, options, own_file};

/// In order; the position plus one is the schema version.
const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_runs.sql")];

pub(crate) async fn open(data: &DataDir) -> Result<SqlitePool, StoreError> {
    let _lock = lock(data.index_lock()).await?;
    let path = data.index();
    own_file(&path).map_err(StoreError::file(path.clone()))?;
    match prepare(data).await {
        Ok(()) => {}
        Err(StoreError::Index(error)) if is_damage(&error) => {
            let aside = move_aside(&path)?;
            tracing::warn!(
                "the index was damaged ({error}); it is rebuilt from the runs, the old one is kept as {}",
                aside.display()
            );
            own_file(&path).map_err(StoreError::file(path.clone()))?;
            prepare(data).await?;
        }
        Err(other) => return Err(other),
    }
    SqlitePoolOptions::new()
        .max_connections(4)
        .acquire_timeout(BUSY_TIMEOUT)
        .connect_with(options(&path))
        .await
        .map_err(|source| StoreError::OpenIndex { path, source })
}

/// Brings the file to the current schema; a new one is filled from the runs folder.
async fn prepare(data: &DataDir) -> Result<(), StoreError> {
    let mut connection = SqliteConnection::connect_with(&options(&data.index())).await?;
    let prepared = migrate(&mut connection, data).await;
    let closed = connection.close().await;
    prepared?;
    closed?;
    Ok(())
}

async fn migrate(connection: &mut SqliteConnection, data: &DataDir) -> Result<(), StoreError> {
    // A few milliseconds for thousands of runs, and finds damage before anybody relies on it.
    let check = sqlx::query("PRAGMA quick_check(1)").fetch_one(&mut *connection).await?;
    let verdict: String = check.try_get(0)?;
    if verdict != "ok" {
        return Err(StoreError::Index(sqlx::Error::Protocol(format!("{DAMAGED}{verdict}"))));
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let found = match sqlite::migrate(&mut transaction, MIGRATIONS).await? {
        Schema::At(found) => found,
        Schema::Newer { found, known } => return Err(StoreError::NewerIndex { found, known }),
    };
    if found == 0 {
        rebuild::fill(&mut transaction, data).await?;
    }
    transaction.commit().await?;
    Ok(())
}

const DAMAGED: &str = "damaged: ";

fn is_damage(error: &sqlx::Error) -> bool {
    sqlite::is_damage(error) || matches!(error, sqlx::Error::Protocol(message) if message.starts_with(DAMAGED))
}

/// Renames the index and its companions; a journal left behind would be applied to the new file.
fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let mark = format!("corrupt-{}", jiff::Timestamp::now().as_millisecond());
    let aside = path.with_extension(format!("db.{mark}"));
    fs::rename(path, &aside).map_err(StoreError::file(path))?;
    for companion in ["db-wal", "db-shm"] {
        // Usually not there.
        let _ = fs::rename(path.with_extension(companion), path.with_extension(format!("{companion}.{mark}")));
    }
    Ok(aside)
}
