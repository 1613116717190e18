//! `judge`, `contract` and `inspect` on pictures and on stored runs.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::studio::{FOUR, Studio, contract, on_the_screen, sets};

/// A labelled screenshot of a real sequencer: the kick row has steps 1 3 5 6 7 9 13 14.
pub(crate) fn shot() -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../perceive/tests/shots/s00_0.png");
    file.canonicalize().unwrap().display().to_string()
}

fn judged(bench: &Bench, checks: &[Value], more: Value) -> (Ended, Value) {
    let file = contract(bench, checks, more);
    let ended = bench.surehand(&["judge", "--contract", &file, "--frame", &shot(), "--json"]);
    let wire = serde_json::from_str(&ended.stdout).unwrap();
    (ended, wire)
}

fn kick(required: &[u32]) -> Value {
    json!({"type": "grid_row", "target_row_regex": "(?i)^kick$", "steps": 16, "required_steps": required, "forbidden_steps": "others"})
}

#[test]
fn a_picture_is_judged_with_evidence_and_exit_codes() {
    let bench = Bench::new();
    let right = [1, 3, 5, 6, 7, 9, 13, 14];
    let (ended, wire) = judged(&bench, &[kick(&right)], json!({"authority": "pixels"}));
    ended.expect(0);
    assert_eq!(
        (&wire["contract"], &wire["contract_result"], &wire["final"]),
        (&json!("four"), &json!("pass"), &json!("pass"))
    );
    assert_eq!(wire["checks"][0]["observed"]["active_steps"], json!(right));
    assert!(wire["checks"][0]["bbox"].is_array() && wire["checks"][0]["confidence"].as_f64().unwrap() > 0.5);
    let (ended, wire) = judged(&bench, &[kick(&[1, 5, 9, 13])], json!({}));
    ended.expect(1);
    assert_eq!((&wire["final"], &wire["judge_result"]), (&json!("fail"), &Value::Null));
    // What a picture cannot show is unknown, not wrong.
    let (ended, wire) = judged(&bench, &[kick(&right), json!({"type": "url", "regex": "x"})], json!({}));
    ended.expect(3);
    assert_eq!((&wire["checks"][1]["result"], &wire["final"]), (&json!("unknown"), &json!("uncertain")));
    // Another number of steps than the contract speaks of is no reading at all.
    let other = json!({"type": "grid_row", "target_row_regex": "(?i)^kick$", "steps": 32, "required_steps": [1]});
    let (ended, _) = judged(&bench, &[other], json!({"authority": "pixels"}));
    ended.expect(3);
}

#[test]
fn a_stored_run_can_be_judged_later() {
    let (bench, studio) = (Bench::new(), Studio::start());
    let brain = sets(&bench, "Kick", &FOUR);
    bench.run(&studio.url(), &brain, &["--confirm", "none"]).expect(0);
    let file = contract(&bench, &[on_the_screen(), json!({"type": "title", "regex": "^Stepyard$"})], json!({}));
    let crops = bench.path("crops");
    let ended =
        bench.surehand(&["judge", "--contract", &file, "--run", "last", "--json", "--crops", crops.to_str().unwrap()]);
    ended.expect(0);
    let wire: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(wire["channels"], json!(["pixels", "page"]));
    let crop = wire["checks"][0]["crop"].as_str().unwrap();
    assert!(std::fs::read(crop).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn contracts_are_checked_and_their_schema_is_printed() {
    let bench = Bench::new();
    let good = contract(&bench, &[on_the_screen()], json!({}));
    let ended = bench.surehand(&["contract", "check", &good]);
    assert!(ended.expect(0).stdout.starts_with("ok: 1 check, from pixels"), "{}", ended.stdout);
    assert!(ended.stdout.contains("note: "), "a contract of pixels only is noted: {}", ended.stdout);
    let bad = bench.write(
        "bad.json",
        r#"{"id":"x","checks":[{"type":"grid_row","target_row_regex":"a","steps":16,"required_steps":[17]}]}"#,
    );
    let ended = bench.surehand(&["contract", "check", bad.to_str().unwrap()]);
    ended.expect(2).expect_sentence("checks[0].required_steps");
    let ended = bench.surehand(&["contract", "schema"]);
    let schema: Value = serde_json::from_str(&ended.expect(0).stdout).unwrap();
    assert!(schema.to_string().contains("target_row_regex"));
}

#[test]
fn what_a_browser_or_a_database_could_not_read_is_refused_before_anything_starts() {
    let bench = Bench::new();
    let brain = bench.script(&[json!({"calls": [{"tool": "done", "success": true, "summary": "x"}]})]);
    for (check, part) in [
        (
            json!({"type": "dom", "selector": "tr:contains('x')"}),
            "checks[0].selector: `tr:contains('x')` is no CSS selector",
        ),
        (json!({"type": "table", "selector": "#t[", "row_count": 1}), "checks[0].selector"),
        (
            json!({"type": "sqlite", "db": "a.db", "sql": "SELECT FROM WHERE", "row_count": 1}),
            "checks[0].sql: SQLite cannot read it",
        ),
        (json!({"type": "http", "url": "/a", "json_path": "$.[", "exists": true}), "checks[0].json_path"),
        (
            json!({"type": "any_of", "checks": [{"type": "sqlite", "db": "a.db", "sql": "SELECT (1", "row_count": 1}]}),
            "checks[0].checks[0].sql: SQLite cannot read it",
        ),
        (json!({"type": "url", "regex": "("}), "checks[0].regex"),
    ] {
        let file = contract(&bench, &[check], json!({}));
        bench.surehand(&["contract", "check", &file]).expect(2).expect_sentence(part);
        bench.run("http://127.0.0.1:9/", &brain, &["--contract", &file]).expect(2).expect_sentence(part);
    }
    let secret =
        json!({"type": "http", "url": "/a", "status": 200, "headers": {"Authorization": "Bearer <secret:crm>"}});
    let file = contract(&bench, &[secret], json!({}));
    bench.surehand(&["contract", "check", &file]).expect(0);
    let ended = bench.run("http://127.0.0.1:9/", &brain, &["--contract", &file]);
    ended.expect(2).expect_sentence("checks[0].headers.Authorization: there is no secret \"crm\"");
}

#[test]
fn inspect_tells_what_it_sees() {
    let bench = Bench::new();
    let drawn = bench.path("drawn.png");
    let ended = bench.surehand(&[
        "inspect",
        "--frame",
        &shot(),
        "--text",
        "beside",
        "--json",
        "--annotate",
        drawn.to_str().unwrap(),
    ]);
    let state: Value = serde_json::from_str(&ended.expect(0).stdout).unwrap();
    assert_eq!((&state["source"], &state["width"]), (&json!("pixels"), &json!(1280)));
    let rows: Vec<&Value> =
        state["rows"].as_array().unwrap().iter().filter(|row| row["cells"].as_array().unwrap().len() == 16).collect();
    let labels: Vec<&str> = rows.iter().filter_map(|row| row["label"].as_str()).collect();
    assert_eq!(labels, ["Kick", "Conga", "Closed Hat", "Shaker", "Ride"]);
    assert!(std::fs::read(drawn).unwrap().starts_with(b"\x89PNG"));
    bench.surehand(&["inspect", "--frame", "no-such.png"]).expect(2).expect_sentence("cannot be read");
    let noise = bench.write("noise.png", "this is no picture");
    bench
        .surehand(&["inspect", "--frame", noise.to_str().unwrap()])
        .expect(2)
        .expect_sentence("neither a PNG nor a JPEG");
}
