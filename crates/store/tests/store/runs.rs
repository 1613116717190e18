//! The life of runs: begin, finish, resolve, remove, export, retention.

use std::fs;

use surehand_store::{
    JobState, JobStore, NewJob, NewRun, Retention, RunFilter, RunState, Store, StoreError, new_run_id,
};
use surehand_types::event::Event;
use surehand_types::{Redactor, Secret};

use crate::support::{begin, finished, folder, frame_count, started, writer};

const DAY1: &str = "2026-03-01T10:00:00.000Z";
const DAY2: &str = "2026-03-02T10:00:00.000Z";
const DAY3: &str = "2026-03-03T10:00:00.000Z";

#[tokio::test]
async fn a_run_is_listed_while_it_runs_and_after() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    begin(&store, "a1", DAY1, &[1]).await;
    finished(&store, "b2", DAY2, &[1, 2]).await;
    let rows = store.list(10, RunFilter::All).await.unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].run_id, "b2");
    assert_eq!(rows[0].state, RunState::Ended);
    assert_eq!(rows[0].steps, 2);
    assert_eq!(rows[0].success, Some(true));
    assert_eq!(rows[0].termination_reason.as_deref(), Some("done"));
    assert_eq!(rows[0].final_verdict.as_deref(), Some("unjudged"));
    assert_eq!(rows[0].cost, Some(0.25));
    assert!(rows[0].bytes > 500);
    assert_eq!(rows[1].state, RunState::Running, "this process is alive");
    assert_eq!(rows[1].task, "task of a1");

    assert_eq!(store.list(1, RunFilter::All).await.unwrap().len(), 1);
    let running = store.list(10, RunFilter::State(RunState::Running)).await.unwrap();
    assert_eq!(running.len(), 1);
    assert_eq!(store.list(10, RunFilter::Succeeded).await.unwrap().len(), 1);
    assert_eq!(store.list(10, RunFilter::Failed).await.unwrap(), []);
    let timeline = store.timeline("a1").await.unwrap();
    assert!(timeline.still_running && !timeline.interrupted);
}

#[tokio::test]
async fn names_are_resolved_or_refused_in_one_sentence() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    assert!(matches!(store.resolve("last").await, Err(StoreError::NoRuns)));
    for (id, at) in [("01ab", DAY1), ("01abcd", DAY2), ("01xy", DAY3)] {
        finished(&store, id, at, &[]).await;
    }
    assert_eq!(store.resolve("last").await.unwrap(), "01xy");
    assert_eq!(store.resolve("01AB").await.unwrap(), "01ab", "a whole id wins over longer ones");
    assert_eq!(store.resolve("01abc").await.unwrap(), "01abcd");
    let error = store.resolve("01a").await.unwrap_err().to_string();
    assert_eq!(error, "\"01a\" matches several runs: 01abcd, 01ab\nhint: give more characters of the id");
    for text in ["zz", "", "../01ab", "%"] {
        let error = store.resolve(text).await.unwrap_err();
        assert!(matches!(error, StoreError::NoSuchRun { .. }), "{text}");
        assert!(error.to_string().contains("hint: `surehand runs` lists them"));
    }
}

#[tokio::test]
async fn the_index_holds_no_secret() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    let redactor = Redactor::new(&[Secret::new("token", "s3cr3t-value")]);
    let mut started = started("log in with s3cr3t-value");
    started.start_url = Some("http://x/?t=s3cr3t-value".into());
    store.begin_run(NewRun { run_id: "r1", started_at: DAY1, started: &started, redactor: &redactor }).await.unwrap();
    let row = store.row("r1").await.unwrap().unwrap();
    assert_eq!(row.task, "log in with <secret:token>");
    drop(store);
    for entry in fs::read_dir(folder.data.root()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = fs::read(&path).unwrap();
            assert!(!bytes.windows(6).any(|window| window == b"s3cr3t"), "{}", path.display());
        }
    }
}

#[tokio::test]
async fn removing_a_run_keeps_frames_that_others_show() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    finished(&store, "a1", DAY1, &[10, 20, 30]).await;
    finished(&store, "b2", DAY2, &[20]).await;
    assert_eq!(frame_count(&folder.data), 3);
    let report = store.remove(&["a1".into()]).await.unwrap();
    assert_eq!(report.runs, ["a1"]);
    assert_eq!(report.frames, 2);
    assert_eq!(frame_count(&folder.data), 1);
    assert!(!folder.data.run("a1").exists());
    assert_eq!(store.list(9, RunFilter::All).await.unwrap().len(), 1);
    assert!(matches!(store.remove(&["a1".into()]).await, Err(StoreError::NoSuchRun { .. })));
    assert!(matches!(store.remove(&["..".into()]).await, Err(StoreError::NoSuchRun { .. })));
    assert!(folder.data.run("b2").exists());
}

#[tokio::test]
async fn a_running_run_cannot_be_removed() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    begin(&store, "a1", DAY1, &[1]).await;
    let error = store.remove(&["a1".into()]).await.unwrap_err();
    assert!(matches!(error, StoreError::StillRunning { .. }), "{error}");
    assert!(folder.data.events("a1").exists());

    finished(&store, "b2", DAY2, &[2]).await;
    store.remove(&["b2".into()]).await.unwrap();
    assert_eq!(frame_count(&folder.data), 2, "a live run may be about to name a fresh frame");
}

#[tokio::test]
async fn an_export_can_be_read_alone() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    finished(&store, "a1", DAY1, &[10, 20]).await;
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("deep/export");
    let files = store.export("a1", &target).await.unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(fs::read(target.join("events.jsonl")).unwrap(), fs::read(folder.data.events("a1")).unwrap());
    assert_eq!(fs::read_dir(target.join("frames")).unwrap().count(), 2);
    let result: serde_json::Value = serde_json::from_slice(&fs::read(target.join("result.json")).unwrap()).unwrap();
    assert_eq!(result["trajectory"].as_array().unwrap().len(), 2);
    assert!(fs::read_to_string(target.join("report.html")).unwrap().contains("task of a1"));

    let file = out.path().join("file");
    fs::write(&file, b"").unwrap();
    let error = store.export("a1", &file.join("x")).await.unwrap_err();
    assert!(error.to_string().contains("\nhint: "), "{error}");
}

#[tokio::test]
async fn retention_takes_old_runs_then_the_oldest_over_the_limit() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    finished(&store, "a1", DAY1, &[1, 9]).await;
    finished(&store, "b2", DAY2, &[2, 9]).await;
    finished(&store, "c3", DAY3, &[3, 9]).await;
    fs::write(folder.data.run("b2").join("big"), vec![0; 700_000]).unwrap();
    fs::write(folder.data.run("c3").join("big"), vec![0; 700_000]).unwrap();
    fs::create_dir_all(folder.data.frames().join("ab")).unwrap();
    fs::write(folder.data.frames().join("ab/left.tmp"), b"left by a killed writer").unwrap();

    let now = "2026-03-04T09:00:00Z".parse().unwrap();
    let keep = Retention { days: Some(2), disk_mb: None, ..Retention::default() };
    let report = store.apply_retention(keep, now).await.unwrap();
    assert_eq!(report.too_old, ["a1"]);
    assert_eq!(report.over_limit, [] as [&str; 0]);
    assert_eq!(report.frames_removed, 2, "its own frame and the leftover");

    let keep = Retention { days: None, disk_mb: Some(1), ..Retention::default() };
    let report = store.apply_retention(keep, now).await.unwrap();
    assert_eq!(report.over_limit, ["b2"]);
    assert!(report.bytes_removed > 700_000);
    assert!(report.bytes_left < 1024 * 1024);
    let left = store.list(9, RunFilter::All).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].run_id, "c3");
    assert_eq!(frame_count(&folder.data), 2);
}

#[tokio::test]
async fn retention_never_touches_a_live_run() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    begin(&store, "a1", DAY1, &[1]).await;
    let keep = Retention { days: Some(0), disk_mb: Some(0), ..Retention::default() };
    let report = store.apply_retention(keep, "2030-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
    assert_eq!(report.too_old, [] as [&str; 0]);
    assert!(folder.data.events("a1").exists());
}

#[test]
fn run_ids_are_lower_case_and_sort_by_time() {
    let first = new_run_id();
    assert_eq!(first.len(), 26);
    assert!(first.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
    assert_ne!(new_run_id(), first);
}

#[tokio::test]
async fn retention_leaves_what_a_server_has_put_away() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    let jobs = JobStore::open(&folder.data).await.unwrap();
    for run in ["a1", "b2"] {
        finished(&store, run, DAY1, &[1]).await;
        let job = NewJob { run_id: run, owner: "ada", request: "{}", created_at: DAY1, ..NewJob::default() };
        jobs.enqueue(job).await.unwrap();
        jobs.claim(DAY1).await.unwrap();
        let state = if run == "a1" { JobState::Paused } else { JobState::Ended };
        jobs.moved(run, &[JobState::Running], state, None, DAY1).await.unwrap();
    }
    let keep = Retention { days: Some(1), disk_mb: None, ..Retention::default() };
    let report = store.apply_retention(keep, "2030-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
    assert_eq!(report.too_old, ["b2"]);
    assert!(folder.data.events("a1").exists());
}

#[tokio::test]
async fn a_run_has_begun_when_its_trace_has() {
    let folder = folder();
    let store = Store::open(&folder.data).await.unwrap();
    let (id, redactor) = (surehand_store::new_run_id(), Redactor::default());
    assert!(!store.has_begun(&id).await.unwrap());
    let started = started("t");
    let run = NewRun { run_id: &id, started_at: "2026-01-01T00:00:00Z", started: &started, redactor: &redactor };
    store.begin_run(run).await.unwrap();
    assert!(!store.has_begun(&id).await.unwrap(), "it is listed, and nothing is written");
    assert!(matches!(store.timeline(&id).await, Err(StoreError::NoTrace { .. })));
    let mut writer = writer(&folder.data, &id, &redactor);
    assert!(!store.has_begun(&id).await.unwrap(), "an empty file is no beginning");
    writer.record(Event::RunStarted(started.clone())).unwrap();
    assert!(store.has_begun(&id).await.unwrap());
}
