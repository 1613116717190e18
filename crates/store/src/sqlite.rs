//! What every SQLite file of ours has in common: how it is opened, whose eyes it is for, how its schema grows, and how
//! damage is told from other trouble.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::Row;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};

use crate::audit::{private, tighten};
use crate::error::StoreError;

/// How long a write waits for another process before it fails.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Whole after a crash of ours; at a power cut the last writes may be missing. The traces are the truth about
        // runs, and a lesson that is true comes again.
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
}

pub(crate) enum Schema {
    /// The version that was found before; 0 for a new file.
    At(i64),
    Newer {
        found: i64,
        known: i64,
    },
}

/// Brings a file to the current schema. The position of a migration plus one is its version.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    migrations: &[&'static str],
) -> Result<Schema, sqlx::Error> {
    sqlx::query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT")
        .execute(&mut *connection)
        .await?;
    let found: i64 = sqlx::query("SELECT COALESCE(MAX(version), 0) FROM schema_version")
        .fetch_one(&mut *connection)
        .await?
        .try_get(0)?;
    let known = migrations.len() as i64;
    if found > known {
        return Ok(Schema::Newer { found, known });
    }
    for (position, migration) in migrations.iter().enumerate() {
        let version = position as i64 + 1;
        if version <= found {
            continue;
        }
        sqlx::raw_sql(*migration).execute(&mut *connection).await?;
        sqlx::query("INSERT INTO schema_version (version) VALUES (?1)").bind(version).execute(&mut *connection).await?;
    }
    Ok(Schema::At(found))
}

/// Result codes 11 (corrupt) and 26 (not a database).
pub(crate) fn is_damage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(database) => matches!(
            database.code().and_then(|code| code.parse::<i32>().ok()),
            Some(code) if matches!(code & 0xff, 11 | 26)
        ),
        _ => false,
    }
}

/// For its owner's eyes alone, also in a data folder that others may enter. What SQLite puts beside a file has the
/// file's mode.
pub(crate) fn own_file(path: &Path) -> std::io::Result<File> {
    let file = private(File::options().create(true).truncate(false).write(true)).open(path)?;
    tighten(&file)?;
    Ok(file)
}

/// Waits for the lock off the async threads. It is released when the file is dropped.
pub(crate) async fn lock(path: PathBuf) -> Result<File, StoreError> {
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
