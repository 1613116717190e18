//! The index itself: dead processes, damage, rebuilding, several users at once.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use std::fs::{self, OpenOptions};
use std::io::Write;

use surehand_store::{ProcessMark, RunFilter, RunState, Store, StoreError};

use crate::support::{begin, finished, folder};

const DAY1: &str = "2026-03-01T10:00:00.000Z";
const DAY2: &str = "2026-03-02T10:00:00.000Z";

/// Makes the run look as if a process that is gone had started it.
fn orphan(data: &surehand_store::DataDir, run_id: &str) {
    let dead = ProcessMark { pid: 1, start: -7 };
    fs::write(data.run(run_id).join("process.json"), serde_json::to_vec(&dead).unwrap()).unwrap();
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        let _ = fs::remove_file(data.root().join(name));
    }
}

#[tokio::test]
async fn a_run_whose_process_died_is_interrupted_with_its_steps() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    begin(&store, "a1", DAY1, &[1, 2, 3]).await;
    drop(store);
    // kill -9 in the middle of a line.
    let mut log = OpenOptions::new().append(true).open(folder.data.events("a1")).unwrap();
    log.write_all(b"{\"v\":1,\"seq\":8,\"at\":\"20").unwrap();
    orphan(&folder.data, "a1");

    let store = Store::open(&folder.data).await.unwrap();
    let rows = store.list(9, RunFilter::All).await.unwrap();
    assert_eq!(rows[0].state, RunState::Interrupted);
    assert_eq!(rows[0].steps, 3);
    assert_eq!(rows[0].success, None);
    let read = store.events("a1").unwrap();
    assert_eq!(read.problems.len(), 1);
    assert!(store.timeline("a1").await.unwrap().interrupted);
    store.remove(&["a1".into()]).await.unwrap();
}

#[tokio::test]
async fn a_row_of_a_dead_process_is_settled_when_it_is_looked_at() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    begin(&store, "a1", DAY1, &[1, 2]).await;
    set_process(&folder.data, "a1", child.id()).await;
    assert_eq!(store.row("a1").await.unwrap().unwrap().state, RunState::Running);
    child.kill().unwrap();
    child.wait().unwrap();
    let row = store.row("a1").await.unwrap().unwrap();
    assert_eq!((row.state, row.steps), (RunState::Interrupted, 2));
    assert!(row.bytes > 0);
}

/// Writes another process into the row, as if that one had started the run.
async fn set_process(data: &surehand_store::DataDir, run_id: &str, pid: u32) {
    use sqlx::Connection;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let start: i64 = stat.rsplit_once(')').unwrap().1.split_ascii_whitespace().nth(19).unwrap().parse().unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(data.root().join("index.db"));
    let mut connection = sqlx::sqlite::SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::query("UPDATE runs SET pid = ?1, pid_start = ?2 WHERE run_id = ?3")
        .bind(i64::from(pid))
        .bind(start)
        .bind(run_id)
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_missing_index_is_rebuilt_from_the_runs() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    finished(&store, "a1", DAY1, &[1]).await;
    finished(&store, "b2", DAY2, &[2, 3]).await;
    let before = store.list(9, RunFilter::All).await.unwrap();
    drop(store);
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        let _ = fs::remove_file(folder.data.root().join(name));
    }
    fs::create_dir_all(folder.data.run("nothing-in-it")).unwrap();
    let store = Store::open(&folder.data).await.unwrap();
    let mut after = store.list(9, RunFilter::All).await.unwrap();
    assert_eq!(after.len(), 2);
    after.sort_by(|a, b| b.run_id.cmp(&a.run_id));
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.run_id, before.run_id);
        assert_eq!(after.state, RunState::Ended);
        assert_eq!(after.task, before.task);
        assert_eq!(after.steps, before.steps);
        assert_eq!(after.bytes, before.bytes);
        assert_eq!(after.termination_reason, before.termination_reason);
    }
}

#[tokio::test]
async fn a_damaged_index_is_moved_aside_and_rebuilt() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    finished(&store, "a1", DAY1, &[1]).await;
    store.close().await;
    let path = folder.data.root().join("index.db");
    for damage in [b"this is no database at all".to_vec(), broken_pages(&fs::read(&path).unwrap())] {
        for name in ["index.db-wal", "index.db-shm"] {
            let _ = fs::remove_file(folder.data.root().join(name));
        }
        fs::write(&path, damage).unwrap();
        let store = Store::open(&folder.data).await.unwrap();
        let rows = store.list(9, RunFilter::All).await.unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].run_id, "a1");
        store.close().await;
    }
    let kept = fs::read_dir(folder.data.root())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("corrupt-"))
        .count();
    assert!(kept >= 2, "{kept} moved aside");
}

/// Keeps the first page, so it looks like a database, and breaks the rest.
fn broken_pages(whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    assert!(bytes.len() > 4096);
    bytes[4096..].fill(0xa5);
    bytes
}

#[tokio::test]
async fn an_index_of_a_newer_version_is_left_alone() {
    use sqlx::Connection;
    let folder = folder();
    Store::open(&folder.data).await.unwrap().close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.data.root().join("index.db"));
    let mut connection = sqlx::sqlite::SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let error = Store::open(&folder.data).await.unwrap_err();
    assert!(matches!(error, StoreError::NewerIndex { found: 99, .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_users_open_and_write_at_once() {
    let folder = folder();
    let mut tasks = Vec::new();
    for user in 0..6 {
        let data = folder.data.clone();
        tasks.push(tokio::spawn(async move {
            let store = Store::open(&data).await.unwrap();
            for run in 0..5_u8 {
                finished(&store, &format!("u{user}r{run}"), DAY1, &[run]).await;
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let store = Store::open(&folder.data).await.unwrap();
    let rows = store.list(99, RunFilter::State(RunState::Ended)).await.unwrap();
    assert_eq!(rows.len(), 30);
    for row in rows {
        assert_eq!(store.events(&row.run_id).unwrap().problems, []);
    }
}
