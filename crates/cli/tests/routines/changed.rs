//! The page has really changed: the replay stops and says why, or a second brain goes on and the repair is kept.

use serde_json::json;

use crate::bench::Bench;
use crate::pages::PageServer;
use crate::world::{ORDER, ORDER_ALMOST, ORDER_RENAMED, press, read, record_order, replay, says, script};

const FAST: [&str; 2] = ["--set", "target_wait=0.2s"];

#[test]
fn a_button_that_is_gone_stops_the_replay_with_the_reason() {
    let bench = Bench::new();
    let file = record_order(&bench);
    for page in [ORDER_RENAMED, ORDER_ALMOST] {
        let server = PageServer::with(page);
        let result = replay(&bench, &file, &server.url(), &FAST).expect_end(1, "done_failed");
        let summary = result["summary"].as_str().unwrap();
        assert!(summary.starts_with("routine stopped at step 3 (click"), "{summary}");
        assert!(summary.contains("no element matches the target button \"Send order\""), "{summary}");
    }
}

/// The button is there, and does nothing any more.
const DEAD: &str = "<!doctype html><title>Orders</title><label>Customer <input></label> <button>Send order</button>";
/// The button is there, and asks.
const ASKS: &str = "<!doctype html><title>Orders</title><label>Customer <input></label> <button onclick=\"confirm('Really?')\">Send order</button>";
/// The button is there, and leads elsewhere.
const LEADS: &str = "<!doctype html><title>Orders</title><label>Customer <input></label> <button onclick=\"location='/login'\">Send order</button>";

#[test]
fn a_step_that_brings_something_else_stops_the_replay() {
    let bench = Bench::new();
    let file = record_order(&bench);
    for (page, reason) in [
        (DEAD, "no effect was seen within"),
        (ASKS, "a dialog opened that was not there before: \"Really?\""),
        (LEADS, "it led to \"/login\""),
    ] {
        let server =
            PageServer::start(&[("/", crate::pages::Page::Html(page)), ("/login", crate::pages::Page::Html("Log in"))]);
        let result = replay(&bench, &file, &server.url(), &FAST).expect_end(1, "done_failed");
        let summary = result["summary"].as_str().unwrap();
        assert!(summary.contains("stopped at step 3") && summary.contains(reason), "{summary}");
    }
}

#[test]
fn a_second_brain_goes_on_and_the_repair_becomes_the_next_version() {
    let bench = Bench::new();
    let file = record_order(&bench);
    let server = PageServer::with(ORDER_RENAMED);
    let then = script(&bench, "then.json", &press("Submit request"));
    let contract = says(&bench, "Sent: Grace Hopper");
    let more = ["--then", &then, "--contract", &contract, "--value", "customer=Grace Hopper", FAST[0], FAST[1]];
    let ended = replay(&bench, &file, &server.url(), &more);
    ended.expect_end(0, "done");
    let said = format!("{}", bench.path("order.v2.json").display());
    assert!(ended.stderr.contains("routine stopped at step 3") && ended.stderr.contains(&said), "{}", ended.stderr);

    let (first, second) = (read(&bench, "order.json"), read(&bench, "order.v2.json"));
    assert_eq!((&second["version"], &second["name"]), (&json!(2), &json!("order")));
    assert_eq!(second["made_from"].as_array().unwrap().len(), 2);
    assert_eq!(second["values"], first["values"], "values stay what they were");
    assert_eq!(second["steps"][0], first["steps"][0], "what was verified is kept");
    assert_eq!(second["steps"][1]["call"]["text"], "<value:customer>");
    assert_eq!(second["steps"][2]["anchor"]["text"], "Submit request");
    assert_eq!(second["steps"].as_array().unwrap().len(), 3);

    // The repaired one needs nobody, and the same can be had by hand.
    let repaired = bench.path("order.v2.json").display().to_string();
    replay(&bench, &repaired, &server.url(), &["--contract", &contract, "--value", "customer=Grace Hopper"])
        .expect_end(0, "done");
    let by_hand = bench.path("by_hand.json").display().to_string();
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &by_hand]).expect(0);
    let by_hand = read(&bench, "by_hand.json");
    assert_eq!((&by_hand["version"], &by_hand["steps"]), (&json!(3), &second["steps"]));
    // A second repair of the first version overwrites nothing.
    let ended = replay(&bench, &file, &server.url(), &more);
    ended.expect_end(0, "done");
    assert_eq!(read(&bench, "order.v3.json")["version"], 3);
}

#[test]
fn a_second_brain_is_told_what_was_done_and_where_it_stopped() {
    let bench = Bench::new();
    let file = record_order(&bench);
    let server = PageServer::with(ORDER_RENAMED);
    let then = bench.replying_brain(&[r#"{"calls":[{"tool":"done","success":false,"summary":"I give up"}]}"#]);
    let result =
        replay(&bench, &file, &server.url(), &["--then", &then, FAST[0], FAST[1]]).expect_end(1, "done_failed");
    assert_eq!(result["summary"], "I give up");
    let turn = bench.seen().into_iter().find(|line| line["type"] == "turn").unwrap();
    assert_eq!((&turn["problem"], &turn["results"]), (&json!(null), &json!([])));
    let hint = turn["hints"][0]["text"].as_str().unwrap();
    for part in ["Step 2: type \"Ada Lovelace\"", "stopped at step 3", "no element matches"] {
        assert!(hint.contains(part), "{part}: {hint}");
    }
    assert!(!bench.path("order.v2.json").exists(), "nothing was repaired");
}

#[test]
fn run_takes_a_routine_and_its_values_as_well() {
    let bench = Bench::new();
    let file = record_order(&bench);
    let server = PageServer::with(ORDER);
    let contract = says(&bench, "Sent: Barbara Liskov");
    let more = ["--contract", &contract, "--confirm", "none"];
    let ended = bench.run(&server.url(), &format!("routine:{file},customer=Barbara Liskov"), &more);
    ended.expect_end(0, "done");
    let mut more = more.to_vec();
    more.extend(["--value", "customer=Barbara Liskov"]);
    bench.run(&server.url(), &format!("routine:{file}"), &more).expect_end(0, "done");
}
