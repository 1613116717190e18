//! Reads somebody else's SQLite file for a contract: one question, opened for reading only, stopped at a deadline.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{
    ConnectOptions as _, Connection as _, Executor as _, Row as _, SqlSafeStr as _, TypeInfo as _, ValueRef as _,
};

const MOST_ROWS: usize = 10_000;
/// Virtual machine steps between two looks at the clock.
const STEPS: i32 = 10_000;

/// Rows as JSON (bytes as hexadecimal digits) and whether there were more. The error is one sentence.
pub async fn read_sqlite(file: &Path, sql: &str, deadline: Duration) -> Result<(Vec<Vec<Value>>, bool), String> {
    let words = |error: sqlx::Error| format!("the database does not answer: {error}");
    let options = SqliteConnectOptions::new()
        .filename(file)
        .read_only(true)
        .create_if_missing(false)
        .busy_timeout(deadline.min(Duration::from_secs(5)))
        .disable_statement_logging();
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(words)?;
    limit(&mut connection, deadline).await.map_err(words)?;
    let answer = rows(&mut connection, sql).await.map_err(words);
    let _ = connection.close().await;
    answer
}

/// Why SQLite could not read a statement, whatever tables there are; `None` where it could.
pub fn syntax_problem(sql: &str) -> Option<String> {
    // It is prepared and never run: whoever asks may be anybody.
    let options = SqliteConnectOptions::new().in_memory(true).read_only(true).disable_statement_logging();
    let sql = sql.to_string();
    let asked = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        runtime.block_on(async {
            let mut connection = SqliteConnection::connect_with(&options).await.ok()?;
            let prepared = (&mut connection).prepare(sqlx::AssertSqlSafe(sql).into_sql_str()).await;
            let _ = connection.close().await;
            prepared.err().map(|error| error.to_string())
        })
    });
    let why = asked.join().ok().flatten()?;
    let unreadable = ["syntax error", "incomplete input", "unrecognized token"].iter().any(|part| why.contains(part));
    unreadable.then(|| why.rsplit("(code: 1) ").next().unwrap_or(&why).to_string())
}

/// The connection only looks, and not for longer than this: a query that never ends would keep its thread busy after
/// everybody stopped waiting.
async fn limit(connection: &mut SqliteConnection, time: Duration) -> Result<(), sqlx::Error> {
    sqlx::query("PRAGMA query_only = ON").execute(&mut *connection).await?;
    let until = Instant::now() + time;
    connection.lock_handle().await?.set_progress_handler(STEPS, move || Instant::now() < until);
    Ok(())
}

async fn rows(connection: &mut SqliteConnection, sql: &str) -> Result<(Vec<Vec<Value>>, bool), sqlx::Error> {
    use futures_util::TryStreamExt as _;
    let mut found = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(connection);
    let mut rows = Vec::new();
    while let Some(row) = found.try_next().await? {
        if rows.len() >= MOST_ROWS {
            return Ok((rows, true));
        }
        rows.push((0..row.len()).map(|column| cell(&row, column)).collect::<Result<Vec<_>, _>>()?);
    }
    Ok((rows, false))
}

fn cell(row: &SqliteRow, column: usize) -> Result<Value, sqlx::Error> {
    let raw = row.try_get_raw(column)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    // By the kind of the value itself: SQLite lets every cell have its own.
    let kind = raw.type_info().name().to_string();
    drop(raw);
    Ok(match kind.as_str() {
        "INTEGER" => Value::from(row.try_get_unchecked::<i64, _>(column)?),
        "REAL" => Value::from(row.try_get_unchecked::<f64, _>(column)?),
        "BLOB" => {
            let bytes: Vec<u8> = row.try_get_unchecked(column)?;
            Value::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        _ => Value::from(row.try_get_unchecked::<String, _>(column)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_told_and_missing_tables_are_not() {
        for fine in
            ["SELECT 1", "SELECT a FROM nowhere WHERE b = 'x' ORDER BY c", "WITH t AS (SELECT 1) SELECT * FROM t"]
        {
            assert_eq!(syntax_problem(fine), None, "{fine}");
        }
        // Whatever stands there, nothing is made, and nothing takes for ever.
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("made.db");
        let attach = format!("SELECT 1; ATTACH 'file:{}?mode=rwc' AS x; CREATE TABLE x.t(a)", made.display());
        syntax_problem(&attach);
        assert!(!made.exists());
        syntax_problem(
            "SELECT 1; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n",
        );
        for wrong in ["SELECT FROM WHERE", "SELECT (1", "SELECT a FROM t WHERE", "SELECT # FROM t"] {
            let said = syntax_problem(wrong).unwrap();
            assert!(!said.contains('\n') && !said.contains("code: 1"), "{said}");
        }
    }
}
