//! `surehand ablate`: tables, JSON and page of a small experiment, wrong names, and Ctrl-C.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};

/// Two tasks on one page: one claims what is not so, the other waits for long.
fn suite(bench: &Bench, seconds: u32) -> String {
    let task = |id: &str, replies: Value| {
        json!({
            "id": id, "task": "Press the button that works", "site": "lab", "path": "p/live-button",
            "brain": {"script": replies}, "check": {"state": {"/pages/live-button/check/ok": true}},
        })
    };
    let done = json!({"calls": [{"tool": "done", "success": true, "summary": ""}]});
    let slow = json!({"calls": [{"tool": "wait", "seconds": seconds}]});
    let tasks = json!([task("empty-claim", json!([done])), task("slow", json!([slow]))]);
    let file = bench.write("suite.json", &json!({"name": "small", "tasks": tasks}).to_string());
    file.display().to_string()
}

#[test]
fn an_experiment_is_printed_as_json_and_as_a_page() {
    let bench = Bench::new();
    let suite = suite(&bench, 0);
    let page = bench.path("page.html").display().to_string();
    let ended =
        bench.surehand(&["ablate", "--toggle", "done_gate", "--suite", &suite, "--pairs", "1", "--json", "-o", &page]);
    ended.expect(0);
    let line = &ended.lines()[0];
    let figure = |name: &str| {
        let figures = line["comparison"]["figures"].as_array().unwrap();
        figures.iter().find(|figure| figure["name"] == name).unwrap()["arms"].clone()
    };
    assert_eq!(figure("false successes"), json!([0.0, 1.0]), "{line}");
    assert_eq!(figure("done refused: empty_summary"), json!([1.0, 0.0]));
    assert_eq!(line["ablation"]["values"], json!(["on", "off"]));
    assert!(ended.stderr.contains("[1/1] empty-claim off: FALSE SUCCESS"), "{}", ended.stderr);
    let page = bench.read("page.html");
    assert!(page.contains("<svg ") && page.contains("false success") && !page.contains("<script"));
    assert_eq!(bench.rows().len(), 4, "every arm is a run of its own");
    let kept: Vec<_> = std::fs::read_dir(bench.data().join("eval")).unwrap().flatten().collect();
    let kept: Vec<Value> =
        kept.iter().map(|file| serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap()).collect();
    assert_eq!(kept.len(), 1, "what was found is kept");
    assert_eq!((&kept[0]["kind"], &kept[0]["result"]["ablation"]), (&json!("ablation"), &line["ablation"]));
    bench.expect_nothing_left();
}

#[test]
fn wrong_names_are_one_sentence_with_a_hint() {
    let bench = Bench::new();
    let suite = suite(&bench, 0);
    let wrong = bench.write("wrong.json", r#"{"name": "w", "tasks": [], "colour": 1}"#).display().to_string();
    for (toggle, suite, expected) in [
        ("done_gat", "done", "the nearest is \"done_gate\""),
        ("timeout", "done", "neither a toggle nor a choice"),
        ("done_gate_exhausted", "done", "say which two"),
        ("done_gate", "falt", "there is no suite \"falt\""),
        ("done_gate", &wrong, "unknown field `colour`"),
    ] {
        let ended = bench.surehand(&["ablate", "--toggle", toggle, "--suite", suite]);
        ended.expect(2).expect_sentence(expected);
        assert!(ended.stderr.contains("hint: "), "{}", ended.stderr);
    }
    let nowhere = bench.path("no/such/page.html").display().to_string();
    bench.surehand(&["ablate", "--toggle", "done_gate", "--suite", &suite, "-o", &nowhere]).expect(2);
    let none = bench.surehand(&["ablate", "--toggle", "done_gate", "--suite", "done", "--only", "nothing-like-it"]);
    none.expect(2).expect_sentence("no task of the suite done");
}

#[test]
fn ctrl_c_ends_it_cleanly_with_what_there_is() {
    let bench = Bench::new();
    let suite = suite(&bench, 60);
    let running = bench.start(&["ablate", "--toggle", "done_gate", "--suite", &suite, "--pairs", "2"]);
    eventually("the first pair", || running.stderr().contains("empty-claim off"));
    eventually("the long wait", || !bench.owners().is_empty());
    running.signal(Signal::INT);
    let ended = running.wait();
    ended.expect(130);
    assert!(
        ended.stdout.contains("interrupted: ") && ended.stdout.contains("1 runs of either arm"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("false successes"), "{}", ended.stdout);
    bench.expect_nothing_left();
}
