//! A brain that only looks is asked to act, and given up when it does not; one that acts in between is left alone.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::PageServer;

const PAGE: &str = r#"<!doctype html><title>Still</title><h1>Nothing moves here</h1><button onclick="this.textContent+='!'" style="width:300px;height:200px">Press</button>"#;

fn zoom(index: u32) -> Value {
    json!({"calls": [{"tool": "zoom", "region": [index, 0, index + 200, 400]}]})
}

fn hover(index: u32) -> Value {
    json!({"calls": [{"tool": "mouse", "action": "move", "coordinate": [600 + index, 800]}]})
}

#[test]
fn a_brain_that_only_zooms_and_hovers_is_stopped() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let replies: Vec<Value> = (0..30).map(|index| if index % 2 == 0 { zoom(index) } else { hover(index) }).collect();
    let ended = bench.run(&server.url(), &bench.script(&replies), &["--max-steps", "30"]);
    let result = ended.expect_end(1, "loop");
    assert!(result["error"].as_str().unwrap().contains("only looked"), "{}", result["error"]);
    // Two looks are free; then each of three steps is tried three times.
    assert_eq!(result["steps"], 5, "{result}");
    assert_eq!(result["governor"], json!({"blocks": 9, "retries": 6}));
    let told: Vec<String> =
        ended.events("turn_started").iter().filter_map(|turn| turn["problem"].as_str().map(str::to_string)).collect();
    assert!(told.iter().all(|problem| problem.starts_with("Not done: nothing has changed")), "{told:?}");
}

/// A focus that wanders and a page that is loaded again change nothing; in between them looks go on for ever.
#[test]
fn a_wandering_focus_and_a_reload_are_no_way_out() {
    const FIELDS: &str = "<!doctype html><title>Fields</title><h1>Nothing moves here</h1><input><input><input>";
    let tab = json!({"tool": "keyboard", "action": "press", "key": "Tab"});
    let reload = json!({"tool": "tab", "action": "refresh"});
    for between in [tab, reload] {
        let (bench, server) = (Bench::new(), PageServer::with(FIELDS));
        let one = json!({"calls": [between]});
        let inspect = json!({"calls": [{"tool": "inspect"}]});
        let replies: Vec<Value> = (0..30).flat_map(|index| [zoom(index), inspect.clone(), one.clone()]).collect();
        let ended = bench.run(&server.url(), &bench.script(&replies), &["--max-steps", "60"]);
        let result = ended.expect_end(1, "loop");
        assert!(result["error"].as_str().unwrap().contains("only looked"), "{one}: {}", result["error"]);
        assert!(result["steps"].as_u64() <= Some(20), "{one}: {}", result["steps"]);
    }
}

#[test]
fn who_acts_in_between_may_look_again() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let press = json!({"calls": [{"tool": "mouse", "action": "click", "target": {"role": "button"}}]});
    let mut replies = Vec::new();
    for index in 0..3 {
        replies.extend([zoom(index), zoom(index + 1), press.clone()]);
    }
    replies.push(json!({"calls": [{"tool": "done", "success": true, "summary": "Pressed the button three times."}]}));
    let ended = bench.run(&server.url(), &bench.script(&replies), &[]);
    let result = ended.expect_end(0, "done");
    assert_eq!((&result["governor"]["blocks"], &result["steps"]), (&json!(0), &json!(10)));
}

#[test]
fn switched_off_it_says_nothing() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut replies: Vec<Value> = (0..6).map(zoom).collect();
    replies.push(json!({"calls": [{"tool": "done", "success": false, "summary": "Only looked."}]}));
    let ended = bench.run(&server.url(), &bench.script(&replies), &["--set", "governor=off"]);
    assert_eq!(ended.expect_end(1, "done_failed")["governor"], json!({"blocks": 0, "retries": 0}));
}

#[test]
fn looks_that_were_refused_are_nothing_to_claim_success_with() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut replies: Vec<Value> = (0..5).map(zoom).collect();
    let claim = json!({"calls": [{"tool": "done", "success": true, "summary": "The order is placed."}]});
    replies.extend([claim.clone(), claim.clone(), claim.clone(), claim]);
    let ended = bench.run(&server.url(), &bench.script(&replies), &["--max-steps", "12"]);
    let result = ended.result();
    assert_eq!(result["success"], json!(false), "{result}");
    assert!(result["done_rejections_by_reason"]["no_progress_in_window"].as_u64() >= Some(1), "{result}");
}
