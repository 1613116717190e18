//! A data folder with small runs in it, written the way the loop writes them.

#![expect(clippy::unwrap_used, reason = "a helper of tests, where a panic is the report")]

use std::sync::Arc;

use serde_json::{Value, json};
use surehand_store::{DataDir, FileEventLog, FolderFrames, NewRun, Store};
use surehand_trace::TraceWriter;
use surehand_types::event::{Envelope, Event, RunStarted};
use surehand_types::frame::{Fence, FrameSource};
use surehand_types::{Encoding, Focus, Frame, Observation, Pixels, Redactor, RunResult, ViewPoint, ViewSize};

const VIEW: ViewSize = ViewSize { width: 64, height: 48 };

pub(crate) struct Folder {
    pub(crate) data: DataDir,
    _temp: tempfile::TempDir,
}

pub(crate) fn folder() -> Folder {
    let temp = tempfile::tempdir().unwrap();
    Folder { data: DataDir::open(temp.path().join("data")).unwrap(), _temp: temp }
}

pub(crate) fn started(task: &str) -> RunStarted {
    RunStarted {
        task: task.into(),
        start_url: Some("http://127.0.0.1/start".into()),
        brain: "scripted:x.json".into(),
        environment: "browser".into(),
        viewport: VIEW,
        max_steps: Some(10),
        timeout_s: None,
        toggles: Default::default(),
        surehand_version: "0.1.0".into(),
        resumed_from: None,
    }
}

pub(crate) fn writer(data: &DataDir, run_id: &str, redactor: &Redactor) -> TraceWriter {
    TraceWriter::new(
        run_id,
        Box::new(FileEventLog::open(data, run_id).unwrap()),
        Arc::new(FolderFrames::new(data)),
        redactor.clone(),
        Vec::new(),
    )
}

/// A run with one frame of each colour, from its start to just before its end.
pub(crate) async fn begin(store: &Store, run_id: &str, started_at: &str, colours: &[u8]) -> TraceWriter {
    let redactor = Redactor::default();
    let started = started(&format!("task of {run_id}"));
    store.begin_run(NewRun { run_id, started_at, started: &started, redactor: &redactor }).await.unwrap();
    let mut writer = writer(store.data(), run_id, &redactor);
    writer.record(Event::RunStarted(started)).unwrap();
    for (index, colour) in colours.iter().enumerate() {
        writer.frame(&observation(index as u64 + 1, *colour)).unwrap();
        writer.record(step(index as u32 + 1)).unwrap();
    }
    writer
}

pub(crate) async fn finished(store: &Store, run_id: &str, started_at: &str, colours: &[u8]) -> RunResult {
    let mut writer = begin(store, run_id, started_at, colours).await;
    let result = result(run_id, started_at, colours.len());
    writer.record(Event::RunEnded { result: Box::new(result.clone()) }).unwrap();
    store.finish_run(&result).await.unwrap();
    result
}

/// Frames on disk.
pub(crate) fn frame_count(data: &DataDir) -> usize {
    std::fs::read_dir(data.frames())
        .unwrap()
        .map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count())
        .sum()
}

pub(crate) fn result(run_id: &str, started_at: &str, steps: usize) -> RunResult {
    serde_json::from_value(json!({
        "schema_version": 1, "run_id": run_id, "task": format!("task of {run_id}"),
        "start_url": null, "brain": "scripted:x.json", "started_at": started_at, "success": true,
        "summary": "ok", "output": null, "termination_reason": "done", "error": null,
        "steps": steps, "turns": steps, "duration_s": 2.5, "cost": 0.25,
        "verdict": {"self_report": null, "contract": null, "judge": null, "final": "unjudged",
            "reasons": [], "disagreement": false},
        "downloads": [], "done_rejections_by_reason": {}, "perceptual_summary": {},
        "effect_summary": {"confirmed": 0, "no_effect": 0, "unverifiable": 0, "refused": 0},
        "predicate_summary": {}, "loop_recoveries_by_reason": {},
        "governor": {"blocks": 0, "retries": 0},
        "lessons": {"injected": 0, "created": 0, "promoted": 0, "suppressed": 0},
        "toggles": {}, "trajectory": []
    }))
    .unwrap()
}

fn step(step: u32) -> Event {
    let value: Value = json!({
        "v": 1, "seq": 1, "at": "x", "run_id": "x", "type": "step",
        "step": step, "turn": step, "thought": null, "call": {"tool": "wait"}, "ok": true,
        "message": "waited", "error": null, "dispatched": null, "hit": null, "effect": null,
        "action_effect_observed": null, "feedback": "", "frame_hash": "",
        "frames": {"before": null, "after": null}, "predicted_outcome": null,
        "predicate_results": [], "reward_components": {}, "done_rejected_reason": null,
        "loop_recovery_reason": null, "guard": null,
        "observed": {"url": null, "title": null, "focus": null},
        "timing_ms": {"observe": 1.0, "think": 1.0, "act": 1.0, "settle": 1.0, "verify": 1.0, "total": 5.0},
        "usage": {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    });
    serde_json::from_value::<Envelope>(value).unwrap().event
}

pub(crate) fn observation(id: u64, colour: u8) -> Observation {
    Observation {
        frame: Frame {
            id,
            captured_at_ms: id,
            source: FrameSource::Capture,
            encoding: Encoding::Png,
            fence: Fence::None,
            stale: false,
            view: VIEW,
            pixels: Arc::new(Pixels::new(64, 48, vec![colour; 64 * 48 * 3]).unwrap()),
        },
        view: VIEW,
        url: None,
        title: None,
        focus: Focus::Unknown,
        tabs: Vec::new(),
        dialog: None,
        cursor: ViewPoint { x: 0, y: 0 },
        interactables: Vec::new(),
        masks: Vec::new(),
        restless: Vec::new(),
        complaint: None,
    }
}
