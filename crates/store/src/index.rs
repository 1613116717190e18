//! Opening the SQLite index: settings, migrations, and what to do when it is missing or broken.
//! All of it happens under a file lock, since two processes may start at the same moment.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, Row};

use crate::audit::{private, tighten};
use crate::data_dir::DataDir;
use crate::error::StoreError;
use crate::rebuild;

/// In order; the position plus one is the schema version.
const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_runs.sql")];

/// How long a write waits for another process before it fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

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

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // The traces are the truth and the index can be rebuilt, so a lost last write is fine.
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
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
    sqlx::query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT")
        .execute(&mut *transaction)
        .await?;
    let found: i64 = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM schema_version")
        .fetch_one(&mut *transaction)
        .await?
        .try_get(0)?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(StoreError::NewerIndex { found, known });
    }
    for (position, migration) in MIGRATIONS.iter().enumerate() {
        let version = position as i64 + 1;
        if version <= found {
            continue;
        }
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES (?1)")
            .bind(version)
            .execute(&mut *transaction)
            .await?;
    }
    if found == 0 {
        rebuild::fill(&mut transaction, data).await?;
    }
    transaction.commit().await?;
    Ok(())
}

const DAMAGED: &str = "damaged: ";

/// Result codes 11 (corrupt) and 26 (not a database), and what the check above found.
fn is_damage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(database) => matches!(
            database.code().and_then(|code| code.parse::<i32>().ok()),
            Some(code) if matches!(code & 0xff, 11 | 26)
        ),
        sqlx::Error::Protocol(message) => message.starts_with(DAMAGED),
        _ => false,
    }
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

/// Waits for the lock off the async threads. It is released when the file is dropped.
/// For its owner's eyes alone, also in a data folder that others may enter. What SQLite puts beside the index has
/// the index's mode.
fn own_file(path: &Path) -> std::io::Result<File> {
    let file = private(File::options().create(true).truncate(false).write(true)).open(path)?;
    tighten(&file)?;
    Ok(file)
}

async fn lock(path: PathBuf) -> Result<File, StoreError> {
    crate::store::blocking(move || {
        let open = || {
            let file = own_file(&path)?;
            file.lock()?;
            Ok(file)
        };
        open().map_err(StoreError::file(path.clone()))
    })
    .await
}
