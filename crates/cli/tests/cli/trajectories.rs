//! What a run leaves behind: every field that was promised, what is unknown kept as unknown, and the whole of it
//! carried to another data folder and back without a change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::pages::PageServer;

/// A form whose button does nothing: one run over it has substituted, refused, dead and unknown things in it.
const FORM: &str = "<!doctype html><title>Form</title><form onsubmit='return false'>
<label>E-mail <input name=email style='position:fixed;left:0;top:0;width:640px;height:120px;outline:0;caret-color:transparent'></label></form>
<button type=button style='all:unset;background:#ddd;position:fixed;left:0;top:300px;width:100%;height:300px'>Send</button>";

const RESULT_FIELDS: &[&str] = &[
    "schema_version",
    "run_id",
    "task",
    "start_url",
    "brain",
    "started_at",
    "success",
    "summary",
    "output",
    "termination_reason",
    "error",
    "steps",
    "turns",
    "duration_s",
    "cost",
    "verdict",
    "downloads",
    "done_rejections_by_reason",
    "perceptual_summary",
    "effect_summary",
    "predicate_summary",
    "loop_recoveries_by_reason",
    "governor",
    "lessons",
    "toggles",
    "trajectory",
];
const STEP_FIELDS: &[&str] = &[
    "step",
    "thought",
    "call",
    "dispatched",
    "hit",
    "effect",
    "action_effect_observed",
    "feedback",
    "frame_hash",
    "predicted_outcome",
    "predicate_results",
    "reward_components",
    "done_rejected_reason",
    "loop_recovery_reason",
    "observed",
    "timing_ms",
    "usage",
];

/// One run with a bit of everything in it.
fn a_rich_run(bench: &Bench) -> (PageServer, Value) {
    let server = PageServer::with(FORM);
    let click = |y: u32| json!({"tool": "mouse", "action": "click", "coordinate": [250, y]});
    let predicted = json!(["url_changed", "title_contains:Form"]);
    let done = |summary: &str, output: Value| {
        json!({"calls": [{"tool": "done", "success": true, "summary": summary, "output": output}]}).to_string()
    };
    let brain = bench.replying_brain(&[
        &json!({"thought": "submit it", "expected": predicted, "calls": [click(600)]}).to_string(),
        "no JSON at all",
        "nor this",
        "nor that",
        &json!({"thought": "the address", "calls": [click(80)]}).to_string(),
        &json!({"calls": [{"tool": "done", "success": true, "summary": ""}]}).to_string(),
        &done("the form is filled", json!({"sent": null})),
    ]);
    let more = ["--value", "email=ada@example.com", "--set", "no_effect_patience=0.3", "--confirm", "none"];
    let result = bench.run(&server.url(), &brain, &more).expect_end(0, "done");
    (server, result)
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn expect_fields(value: &Value, fields: &[&str]) {
    let missing: Vec<&&str> = fields.iter().filter(|field| !names(value).contains(**field)).collect();
    assert!(missing.is_empty(), "{missing:?} are not in {value}");
}

#[test]
fn every_promised_field_is_there_and_unknown_stays_unknown() {
    let bench = Bench::new();
    let (_server, result) = a_rich_run(&bench);
    expect_fields(&result, RESULT_FIELDS);
    expect_fields(&result["verdict"], &["self_report", "contract", "judge", "final", "reasons", "disagreement"]);
    expect_fields(&result["effect_summary"], &["confirmed", "no_effect", "unverifiable", "refused"]);
    expect_fields(&result["perceptual_summary"], &["checked", "no_effect"]);
    expect_fields(&result["predicate_summary"], &["total", "evaluated", "correct", "accuracy"]);
    expect_fields(&result["governor"], &["blocks", "retries"]);
    expect_fields(&result["lessons"], &["injected", "created", "promoted", "suppressed"]);
    let steps = result["trajectory"].as_array().unwrap();
    assert_eq!(steps.len() as u64, result["steps"].as_u64().unwrap());
    for step in steps {
        expect_fields(step, STEP_FIELDS);
        expect_fields(&step["observed"], &["url", "title", "focus"]);
        expect_fields(&step["timing_ms"], &["observe", "think", "act", "settle", "verify", "total"]);
        for scored in step["predicate_results"].as_array().unwrap() {
            assert_eq!(names(scored), BTreeSet::from(["predicate", "result", "reason"]));
        }
    }
    let [dead, spent, clicked, filled, refused, done] = &steps[..] else { panic!("{steps:#?}") };
    assert_eq!(
        clicked["call"],
        json!({"tool": "mouse", "action": "click", "coordinate": [250, 80]}),
        "as it was given"
    );
    assert_eq!(clicked["action_effect_observed"], Value::Null, "no high-risk action, so nobody looked");
    assert_eq!(clicked["predicted_outcome"], Value::Null);
    assert_eq!(clicked["observed"]["focus"]["name"], "email");
    assert_eq!((&filled["substituted"], &filled["call"]["text"]), (&json!(true), &json!("ada@example.com")));
    assert_eq!(filled["thought"], Value::Null, "the brain did not think of it");
    assert_eq!((&spent["call"], &spent["effect"], &spent["hit"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&spent["observed"]["url"], &spent["observed"]["focus"]), (&Value::Null, &json!("unknown")));
    assert_eq!((&dead["action_effect_observed"], &dead["effect"]["status"]), (&json!(false), &json!("no_effect")));
    assert_eq!(dead["predicted_outcome"], json!({"expected": ["url_changed", "title_contains:Form"]}));
    assert_eq!(dead["substituted"], false);
    assert_eq!((&refused["done_rejected_reason"], &refused["substituted"]), (&json!("empty_summary"), &json!(true)));
    assert_eq!(refused["call"], json!({"tool": "wait", "seconds": 1.0}));
    assert_eq!(done["call"]["output"], json!({"sent": null}), "a null inside an answer is a value");
    assert_eq!(result["output"], json!({"sent": null}));
    assert_eq!((&done["effect"], &done["action_effect_observed"]), (&Value::Null, &Value::Null));
    assert_eq!(result["error"], Value::Null);
}

/// `surehand --data <name> …` in the bench's folder.
fn elsewhere(bench: &Bench, data: &str, arguments: &[&str]) -> Ended {
    bench.start_command(bench.command_in(&bench.path(data), arguments)).wait()
}

fn json_file(path: PathBuf) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Every file below a folder with its content.
fn content(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => files.push((path.strip_prefix(folder).unwrap().to_path_buf(), std::fs::read(&path).unwrap())),
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_run_travels_to_another_data_folder_and_back_without_a_change() {
    let bench = Bench::new();
    let (_server, result) = a_rich_run(&bench);
    let id = result["run_id"].as_str().unwrap();
    bench.surehand(&["runs", "export", "last", "-o", "out"]).expect(0);
    assert_eq!(json_file(bench.path("out/result.json")), result);

    let imported = elsewhere(&bench, "other", &["runs", "import", "out"]);
    imported.expect(0);
    let frames = std::fs::read_dir(bench.path("out/frames")).unwrap().count();
    assert!(frames > 1);
    assert_eq!(imported.stdout, format!("imported {id}: {} steps, {frames} frames\n", result["steps"]));
    elsewhere(&bench, "other", &["runs", "export", "last", "-o", "again"]).expect(0);
    assert_eq!(content(&bench.path("again")), content(&bench.path("out")), "trace, frames, result and report");

    let shown = elsewhere(&bench, "other", &["runs", "show", id, "--json"]);
    assert_eq!(shown.expect(0).lines()[0], result);
    let (rows, other_rows) = (bench.rows(), elsewhere(&bench, "other", &["runs", "ls", "--json"]).lines());
    for field in
        ["run_id", "task", "brain", "start_url", "state", "termination_reason", "success", "steps", "duration_s"]
    {
        assert_eq!(other_rows[0][field], rows[0][field], "{field}");
    }
    elsewhere(&bench, "other", &["runs", "import", "out"]).expect(2).expect_sentence("which is here already");
    elsewhere(&bench, "other", &["runs", "rm", id]).expect(0);
    elsewhere(&bench, "other", &["runs", "import", "again"]).expect(0);
}

#[test]
fn a_trajectory_is_one_file_and_travels_too() {
    let bench = Bench::new();
    let (_server, result) = a_rich_run(&bench);
    let export = |data: &str, file: &str| {
        elsewhere(&bench, data, &["runs", "export", "last", "-o", file, "--format", "jsonl"]).expect(0);
    };
    export("data", "run.jsonl");
    let lines: Vec<Value> = bench.read("run.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    let mut expected = vec!["step"; result["trajectory"].as_array().unwrap().len() + 2];
    (expected[0], *expected.last_mut().unwrap()) = ("run_started", "run_ended");
    assert_eq!(kinds, expected);
    for (line, step) in lines[1..].iter().zip(result["trajectory"].as_array().unwrap()) {
        for (field, value) in step.as_object().unwrap() {
            assert_eq!(&line[field], value, "{field}");
        }
    }
    elsewhere(&bench, "other", &["runs", "import", "run.jsonl"]).expect(0);
    assert_eq!(elsewhere(&bench, "other", &["runs", "show", "last", "--json"]).lines(), [result]);
    export("other", "again.jsonl");
    assert_eq!(bench.read("again.jsonl"), bench.read("run.jsonl"));
    elsewhere(&bench, "other", &["report", "last", "-o", "report.html"]).expect(0);
}

/// Changes a copy of the export and expects that importing it is refused with this sentence and leaves no trace.
fn check_refused(bench: &Bench, part: &str, spoil: impl FnOnce(&Path)) {
    let copy = bench.path("spoilt");
    let _ = std::fs::remove_dir_all(&copy);
    for (name, bytes) in content(&bench.path("out")) {
        let file = copy.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    spoil(&copy);
    let before = content(&bench.path("other/frames"));
    let refused = elsewhere(bench, "other", &["runs", "import", "spoilt"]);
    refused.expect(2).expect_sentence(part);
    assert_eq!(content(&bench.path("other/frames")), before, "{part}");
    assert_eq!(std::fs::read_dir(bench.path("other/runs")).unwrap().count(), 0, "{part}");
    assert_eq!(elsewhere(bench, "other", &["runs", "ls", "--json"]).stdout, "", "{part}");
}

fn replace(file: PathBuf, from: &str, to: &str) {
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from} is not in {}", file.display());
    std::fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn what_is_not_a_whole_run_is_refused_in_one_sentence_and_changes_nothing() {
    let bench = Bench::new();
    let (_server, result) = a_rich_run(&bench);
    bench.surehand(&["runs", "export", "last", "-o", "out"]).expect(0);
    elsewhere(&bench, "other", &["runs", "ls"]).expect(0);
    let hash = result["trajectory"][0]["frames"]["before"].as_str().unwrap();
    let events = |folder: &Path| folder.join("events.jsonl");
    let picture = |folder: &Path| folder.join(format!("frames/{hash}.png"));

    check_refused(&bench, "the last event is cut off", |folder| {
        let bytes = std::fs::read(events(folder)).unwrap();
        std::fs::write(events(folder), &bytes[..bytes.len() - 100]).unwrap();
    });
    check_refused(&bench, "has no end", |folder| {
        let text = std::fs::read_to_string(events(folder)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        std::fs::write(events(folder), lines[..lines.len() - 1].join("\n")).unwrap();
    });
    check_refused(&bench, "event 4 was expected", |folder| {
        let text = std::fs::read_to_string(events(folder)).unwrap();
        let lines: Vec<&str> =
            text.lines().enumerate().filter(|(index, _)| *index != 3).map(|(_, line)| line).collect();
        std::fs::write(events(folder), lines.join("\n")).unwrap();
    });
    check_refused(&bench, "line 1: not a readable event", |folder| std::fs::write(events(folder), "[]\n{}\n").unwrap());
    check_refused(&bench, "is empty", |folder| std::fs::write(events(folder), "").unwrap());
    check_refused(&bench, "trace format 9", |folder| replace(events(folder), "{\"v\":1,", "{\"v\":9,"));
    check_refused(&bench, "is of version 0", |folder| replace(events(folder), "{\"v\":1,", "{\"v\":0,"));
    check_refused(&bench, "a result of version 7", |folder| {
        replace(events(folder), "\"schema_version\":1", "\"schema_version\":7");
    });
    check_refused(&bench, "not a readable event", |folder| {
        replace(events(folder), "\"termination_reason\":\"done\"", "\"termination_reason\":\"glory\"");
    });
    check_refused(&bench, "is no content hash", |folder| replace(events(folder), hash, "../../../../etc/passwd"));
    check_refused(&bench, "a way that is not allowed", |folder| {
        replace(events(folder), result["run_id"].as_str().unwrap(), "../../elsewhere");
    });
    check_refused(&bench, "does not hold exactly", |folder| replace(events(folder), "\"steps\":6", "\"steps\":5"));
    check_refused(&bench, "not what its name says", |folder| std::fs::write(picture(folder), "no picture").unwrap());
    check_refused(&bench, "differs from its events.jsonl", |folder| {
        replace(folder.join("result.json"), "\"success\": true", "\"success\": false");
    });
    check_refused(&bench, "not the result of a run", |folder| std::fs::write(folder.join("result.json"), "{").unwrap());
    check_refused(&bench, "something else than a plain file", |folder| {
        std::fs::remove_file(picture(folder)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", picture(folder)).unwrap();
    });
    check_refused(&bench, "something else than a plain file", |folder| {
        std::fs::rename(events(folder), folder.join("real")).unwrap();
        std::os::unix::fs::symlink("real", events(folder)).unwrap();
    });
    check_refused(&bench, "`frames` that is not a folder", |folder| {
        std::fs::rename(folder.join("frames"), folder.join("real")).unwrap();
        std::os::unix::fs::symlink("real", folder.join("frames")).unwrap();
    });
    check_refused(&bench, "has no events.jsonl", |folder| std::fs::remove_file(events(folder)).unwrap());
    check_refused(&bench, "over the limit", |folder| {
        std::fs::write(events(folder), vec![b'x'; 100 * 1024 * 1024]).unwrap();
    });
    let pipe = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    assert!(pipe.success());
    for (path, part) in [
        ("nowhere", "cannot be read"),
        ("/dev/zero", "neither a file nor a folder"),
        ("pipe", "neither a file nor a folder"),
        ("surehand", "not a whole run"),
    ] {
        bench.write("surehand", "{\"type\":\"run_started\"}\n\u{0}\u{1}");
        elsewhere(&bench, "other", &["runs", "import", path]).expect(2).expect_sentence(part);
    }
}
