//! Ctrl-C: once ends the run cleanly and in order, twice ends it at once. Either way nothing of
//! it stays behind.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, HANG, Running, eventually};
use crate::crm::{reply, wait};
use crate::pages::{Page, PageServer};
use crate::processes;
use crate::tools_client::Tools;

const PAGE: &str = "<!doctype html><title>Plain</title>";
const STUCK: &str = "<!doctype html><title>Stuck</title>
<button style='position:fixed;inset:0;width:100%' onclick='for(;;){}'>Press</button>";
/// Well below the wait or the thought that it cuts short.
const QUICKLY: Duration = Duration::from_secs(30);

/// The run ends soon as cancelled, is recorded as such, and leaves nothing behind.
fn cancelled(bench: &Bench, running: Running) {
    let browser = bench.owners()[0].browser;
    assert!(!processes::group(browser).is_empty());
    running.signal(Signal::INT);
    let ended = running.wait_at_most(QUICKLY);
    let result = ended.expect_end(130, "cancelled");
    assert_eq!(result["success"], false);
    // A process that was killed takes a moment to go on a busy machine.
    let gone = (0..50).any(|_| {
        std::thread::park_timeout(Duration::from_millis(if processes::group(browser).is_empty() { 0 } else { 100 }));
        processes::group(browser).is_empty()
    });
    assert!(gone, "a browser was left");
    bench.expect_nothing_left();
    let rows = bench.rows();
    assert_eq!((&rows[0]["state"], &rows[0]["termination_reason"]), (&json!("ended"), &json!("cancelled")));
    let report = bench.surehand(&["report", "last"]);
    assert!(report.expect(0).stdout.contains(result["run_id"].as_str().unwrap()));
    let events = bench.surehand(&["report", "last", "--json"]).lines();
    assert_eq!(events.last().unwrap()["result"], result);
}

#[test]
fn once_during_a_long_wait_ends_the_run_as_cancelled() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut running = bench.start_run(&server.url(), &bench.script(&[wait(60)]), &[]);
    running.wait_for(r#""type":"call_started""#);
    cancelled(&bench, running);
}

#[test]
fn once_during_a_thought_ends_the_run_as_cancelled() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = bench.shell_brain("echo $$ >pid\nwhile read -r line; do :; done");
    let mut running = bench.start_run(&server.url(), &brain, &[]);
    running.wait_for(r#""type":"turn_started""#);
    cancelled(&bench, running);
    let pid = bench.read("pid").trim().parse().unwrap();
    eventually("the brain to end", || !processes::is_alive(pid));
}

#[test]
fn once_while_a_target_is_looked_for_ends_the_run_as_cancelled() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let missing = reply(json!([{"tool": "mouse", "action": "click", "target": {"text": "Nowhere"}}]));
    let mut running = bench.start_run(&server.url(), &bench.script(&[missing]), &["--set", "target_wait=60s"]);
    running.wait_for(r#""type":"replied""#);
    cancelled(&bench, running);
}

#[test]
fn sigterm_is_the_same() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut running = bench.start_run(&server.url(), &bench.script(&[wait(60)]), &[]);
    running.wait_for(r#""type":"call_started""#);
    running.signal(Signal::TERM);
    running.wait_at_most(QUICKLY).expect_end(130, "cancelled");
    bench.expect_nothing_left();
}

#[test]
fn once_before_the_first_page_is_there_ends_without_a_run() {
    let (bench, server) = (Bench::new(), PageServer::start(&[("/", Page::Silent)]));
    let script = bench.script(&[wait(60)]);
    let running = bench.start_run(&server.url(), &script, &["--set", "navigation_timeout=120s"]);
    eventually("the page to be asked for", || server.count("/") == 1);
    running.signal(Signal::INT);
    let ended = running.wait_at_most(QUICKLY);
    ended.expect(130);
    assert_eq!(ended.stdout, "");
    assert!(ended.stderr.contains("surehand: interrupted before the run began"), "{}", ended.stderr);
    assert_eq!(bench.rows(), Vec::<serde_json::Value>::new());
    bench.expect_nothing_left();
}

#[test]
fn once_during_an_action_that_never_ends_is_enough() {
    let (bench, server) = (Bench::new(), PageServer::with(STUCK));
    let press = reply(json!([{"tool": "mouse", "action": "click", "coordinate": [500, 500]}]));
    let mut running = bench.start_run(&server.url(), &bench.script(&[press]), &["--set", "call_timeout=120s"]);
    running.wait_for(r#""type":"call_started""#);
    cancelled(&bench, running);
}

#[test]
fn twice_ends_at_once() {
    let (bench, server) = (Bench::new(), PageServer::with(STUCK));
    let press = reply(json!([{"tool": "mouse", "action": "click", "coordinate": [500, 500]}]));
    let mut running = bench.start_run(&server.url(), &bench.script(&[press]), &["--set", "call_timeout=120s"]);
    running.wait_for(r#""type":"call_started""#);
    let browser = bench.owners()[0].browser;
    running.signal(Signal::INT);
    eventually("the first signal to be taken", || running.stderr().contains("once more stops at once"));
    running.signal(Signal::INT);
    let ended = running.wait_at_most(HANG);
    ended.expect(130);
    assert!(ended.stderr.contains("interrupted"), "{}", ended.stderr);
    assert!(ended.events("result").is_empty(), "the action was waited for");
    eventually("the browser to end", || processes::group(browser).is_empty());
    bench.expect_nothing_left();
    assert_eq!(bench.rows()[0]["state"], "interrupted");
    assert!(bench.surehand(&["report", "last"]).expect(0).stdout.contains("interrupted"));
}

#[test]
fn tools_end_on_a_signal_and_take_their_browser_along() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    tools.signal(Signal::INT);
    let ended = tools.ended();
    ended.expect(130);
    assert_eq!(ended.stdout, "");
    bench.expect_nothing_left();
}

#[test]
fn tools_end_at_once_on_the_second_signal() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    tools.say(r#"{"id":2,"tool":"wait","seconds":60}"#);
    tools.signal(Signal::INT);
    eventually("the first signal to be taken", || tools.stderr().contains("once more stops at once"));
    tools.signal(Signal::INT);
    let ended = tools.ended_at_most(QUICKLY);
    ended.expect(130);
    assert_eq!(ended.stdout, "");
    bench.expect_nothing_left();
}
