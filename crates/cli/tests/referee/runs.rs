//! Runs with a contract: right outcomes pass, subtly wrong ones do not, and what a brain says changes nothing.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::studio::{FOUR, Studio, at_the_server, contract, on_the_screen, sets};

fn judged(row: &str, steps: &[u32], checks: &[Value], more: Value) -> (Option<i32>, Value, Bench) {
    let (bench, studio) = (Bench::new(), Studio::start());
    let file = contract(&bench, checks, more);
    let brain = sets(&bench, row, steps);
    let ended = bench.run(&studio.url(), &brain, &["--contract", &file, "--confirm", "none"]);
    let result = ended.result();
    (ended.code, result, bench)
}

#[test]
fn what_is_right_on_the_screen_and_at_the_server_passes() {
    let (code, result, bench) = judged("Kick", &FOUR, &[on_the_screen(), at_the_server()], json!({}));
    let verdict = &result["verdict"];
    assert_eq!((code, &result["success"], &verdict["final"]), (Some(0), &json!(true), &json!("pass")), "{verdict}");
    assert_eq!((&verdict["contract"], &verdict["judge"]), (&json!("pass"), &Value::Null));
    let referee = &result["referee"];
    assert_eq!(referee["channels"], json!(["pixels", "network"]));
    let checks = referee["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["result"] == "pass"), "{checks:?}");
    assert_eq!(checks[0]["observed"]["active_steps"], json!(FOUR));
    // The evidence is shown: the report has the part of the frame that was looked at.
    let page = bench.path("report.html");
    bench.surehand(&["report", "last", "-o", page.to_str().unwrap()]).expect(0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("class=\"crop f") && page.contains("The outcome was checked and is right"));
    bench.expect_nothing_left();
}

#[test]
fn one_step_off_fails_whatever_the_brain_says() {
    let (code, result, _bench) = judged("Kick", &[1, 5, 10, 13], &[on_the_screen(), at_the_server()], json!({}));
    assert_eq!((code, &result["success"]), (Some(1), &json!(false)));
    assert_eq!(
        (&result["verdict"]["final"], &result["verdict"]["self_report"]["success"]),
        (&json!("fail"), &json!(true))
    );
    let observed = &result["referee"]["checks"][0]["observed"];
    assert_eq!((&observed["missing_steps"], &observed["forbidden_active"]), (&json!([9]), &json!([10])));
}

#[test]
fn the_neighbour_row_is_not_the_row() {
    let (code, result, _bench) = judged("Kick Room", &FOUR, &[on_the_screen(), at_the_server()], json!({}));
    assert_eq!((code, &result["verdict"]["final"]), (Some(1), &json!("fail")));
}

#[test]
fn pixels_alone_do_not_decide_unless_the_contract_says_so() {
    let (code, result, _bench) = judged("Kick", &FOUR, &[on_the_screen()], json!({}));
    assert_eq!((code, &result["verdict"]["final"], &result["success"]), (Some(3), &json!("uncertain"), &json!(false)));
    assert_eq!(result["verdict"]["reasons"][0], "single_channel");
    let (code, result, _bench) = judged("Kick", &FOUR, &[on_the_screen()], json!({"authority": "pixels"}));
    assert_eq!((code, &result["verdict"]["final"]), (Some(0), &json!("pass")));
}

#[test]
fn every_kind_of_question_is_asked_at_the_end_of_a_run() {
    let (bench, studio) = (Bench::new(), Studio::start());
    bench.write("notes.csv", "name,step\nKick,1\n");
    let database = bench.path("truth.db");
    make_database(&database);
    let checks = [
        json!({"type": "dom", "selector": "#status", "text_regex": "^Pattern saved$"}),
        json!({"type": "dom", "selector": "[aria-label='Kick step 9']", "attribute": "aria-pressed", "value_regex": "^true$"}),
        json!({"type": "dom", "selector": ".error", "absent": true}),
        json!({"type": "url", "regex": "^http://127\\.0\\.0\\.1:\\d+/$"}),
        json!({"type": "title", "regex": "Stepyard"}),
        json!({"type": "file", "path_glob": "*.csv", "contains_regex": "Kick,1"}),
        json!({"type": "sqlite", "db": "truth.db", "sql": "SELECT step FROM steps WHERE name = 'Kick' ORDER BY step", "rows": [[1], [5], [9], [13]]}),
        json!({"type": "text_present", "regex": "Closed Hat"}),
        at_the_server(),
    ];
    let file = contract(&bench, &checks, json!({}));
    let brain = sets(&bench, "Kick", &FOUR);
    let ended = bench.run(&studio.url(), &brain, &["--contract", &file, "--confirm", "none"]);
    let result = ended.result();
    let told: Vec<(&str, &str)> = result["referee"]["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (check["type"].as_str().unwrap(), check["result"].as_str().unwrap()))
        .collect();
    assert!(told.iter().all(|(_, result)| *result == "pass"), "{}", result["referee"]["checks"]);
    assert_eq!((ended.code, &result["verdict"]["final"]), (Some(0), &json!("pass")));
}

#[test]
fn what_changed_since_the_start_is_all_that_changed() {
    let changed = |steps: Value| {
        json!({"type": "http", "url": "/__state", "values": [
            {"json_path": "$.rows[0].active", "since_start": {"added": steps}},
            {"json_path": "$.rows[1:]", "since_start": {"unchanged": true}}]})
    };
    let (code, result, _bench) = judged("Kick", &FOUR, &[changed(json!(FOUR))], json!({}));
    assert_eq!((code, &result["verdict"]["final"]), (Some(0), &json!("pass")), "{}", result["referee"]["checks"]);
    let (code, result, _bench) = judged("Snare", &FOUR, &[changed(json!(4))], json!({}));
    assert_eq!((code, &result["verdict"]["final"]), (Some(1), &json!("fail")), "{}", result["referee"]["checks"]);
}

#[test]
fn a_wrong_contract_is_found_before_anything_starts() {
    let bench = Bench::new();
    let brain = bench.script(&[json!({"calls": [{"tool": "done", "success": true, "summary": "x"}]})]);
    for (text, part) in [
        ("{", "JSON"),
        (
            r#"{"id":"x","checks":[{"type":"grid_row","target_row_regex":"(","steps":16,"required_steps":[1]}]}"#,
            "checks[0].target_row_regex",
        ),
        (r#"{"id":"x","checks":[{"type":"url","regex":"a","regx":"b"}]}"#, "regx"),
    ] {
        let file = bench.write("wrong.json", text).display().to_string();
        let ended = bench.run("http://127.0.0.1:9/", &brain, &["--contract", &file]);
        ended.expect(2).expect_sentence(part);
        assert!(bench.rows().is_empty());
    }
    let ended = bench.run("http://127.0.0.1:9/", &brain, &["--judge", &brain]);
    ended.expect(2).expect_sentence("cannot be a judge");
}

fn make_database(file: &std::path::Path) {
    use std::process::Command;
    // Python has SQLite built in everywhere that these tests run; the program under test only ever reads.
    let program = "import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nd.execute('create table steps(name text, step int)')\nd.executemany('insert into steps values(?,?)',[('Kick',s) for s in (1,5,9,13)]+[('Snare',3)])\nd.commit()";
    assert!(Command::new("python3").args(["-c", program]).arg(file).status().unwrap().success());
}
