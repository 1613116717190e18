//! The demo, and everything that can be done afterwards with the run it leaves behind: reports,
//! the list, export and removal.

use serde_json::Value;

use crate::bench::Bench;
use crate::crm::done;

#[test]
fn the_demo_succeeds_and_its_run_can_be_looked_at() {
    let bench = Bench::new();
    let demo = bench.surehand(&["demo", "--json"]);
    let result = demo.expect_end(0, "done");
    assert_eq!(result["success"], true);
    let run_id = result["run_id"].as_str().unwrap();

    let mut lines = demo.lines();
    lines.pop();
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["seq"], index + 1, "{line}");
        assert_eq!(line["run_id"], run_id);
    }
    assert_eq!(lines[0]["type"], "run_started");
    assert_eq!(result["steps"], demo.events("step").len());
    assert_eq!(result["trajectory"].as_array().unwrap().len(), demo.events("step").len());

    bench.expect_nothing_left();
    reports(&bench, run_id);
    listed_and_shown(&bench, run_id, &result);
    exported(&bench, run_id);
    removed(&bench, run_id);
}

#[test]
fn a_trace_is_read_back_as_it_was_written() {
    let bench = Bench::new();
    let run = bench.surehand(&["run", "a task", "--json", "--brain", &bench.script(&[done(true)])]);
    let run_id = run.expect_end(0, "done")["run_id"].as_str().unwrap().to_string();
    let file = bench.data().join("runs").join(run_id).join("events.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    // A number that a careless parser moves to its neighbour.
    let (before, after) = text.split_once("\"think_ms\":").unwrap();
    let after = &after[after.find('}').unwrap()..];
    let text = format!("{before}\"think_ms\":0.037059999999999996{after}");
    std::fs::write(&file, &text).unwrap();
    assert_eq!(bench.surehand(&["report", "last", "--json"]).expect(0).stdout, text);
}

fn reports(bench: &Bench, run_id: &str) {
    let text = bench.surehand(&["report", "last"]);
    text.expect(0);
    assert!(text.stdout.contains(run_id) && text.stdout.contains("Priya Raman"), "{}", text.stdout);
    assert!(!text.stdout.contains('\u{1b}'), "colours went to a file");

    let events = bench.surehand(&["report", run_id, "--json"]);
    events.expect(0);
    let kinds: Vec<Value> = events.lines().iter().map(|line| line["type"].clone()).collect();
    assert_eq!((kinds.first().unwrap(), kinds.last().unwrap()), (&"run_started".into(), &"run_ended".into()));

    let page = bench.path("f.html");
    bench.surehand(&["report", "last", "-o", page.to_str().unwrap()]).expect(0);
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.to_lowercase().starts_with("<!doctype html>") && html.contains("data:image/"));
    assert!(html.contains(run_id));
    bench.surehand(&["report", "last", "-o", "missing/f.html"]).expect(2).expect_sentence("missing/f.html");
}

fn listed_and_shown(bench: &Bench, run_id: &str, result: &Value) {
    let rows = bench.rows();
    assert_eq!(rows.len(), 1);
    for (field, expected) in
        [("run_id", run_id), ("state", "ended"), ("termination_reason", "done"), ("final_verdict", "pass")]
    {
        assert_eq!(rows[0][field], expected, "{field}");
    }
    assert_eq!(rows[0]["steps"], result["steps"]);

    let shown = bench.surehand(&["runs", "show", &run_id[..12]]);
    shown.expect(0);
    assert!(shown.stdout.contains(run_id) && shown.stdout.contains("click"), "{}", shown.stdout);
    let whole = bench.surehand(&["runs", "show", "last", "--json"]);
    whole.expect(0);
    assert_eq!(whole.lines(), std::slice::from_ref(result));
    assert!(bench.surehand(&["runs"]).expect(0).stdout.contains(run_id));
}

fn exported(bench: &Bench, run_id: &str) {
    let folder = bench.path("exported");
    bench.surehand(&["runs", "export", "last", "-o", folder.to_str().unwrap()]).expect(0);
    let has = |wanted: &str| {
        let mut folders = vec![folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else if entry.file_name().to_string_lossy().ends_with(wanted) {
                    return true;
                }
            }
        }
        false
    };
    for wanted in ["events.jsonl", ".png", ".json", ".html"] {
        assert!(has(wanted), "no {wanted} in the export of {run_id}");
    }
}

fn removed(bench: &Bench, run_id: &str) {
    bench.surehand(&["runs", "rm", "no-such-run"]).expect(2).expect_sentence("no-such-run");
    assert_eq!(bench.rows().len(), 1);
    bench.surehand(&["runs", "rm", run_id]).expect(0);
    assert_eq!(bench.rows(), Vec::<Value>::new());
    assert!(!bench.data().join("runs").join(run_id).exists());
    let mut frames = Vec::new();
    collect_files(&bench.data().join("frames"), &mut frames);
    assert_eq!(frames, Vec::<std::path::PathBuf>::new(), "frames that nobody uses");
    bench.surehand(&["report", "last"]).expect(2).expect_sentence("run");
}

fn collect_files(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            collect_files(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}
