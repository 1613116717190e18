//! Hard ends: surehand killed with -9, and the browser killed under it. What was written is
//! readable, and the next start cleans up, but only what belongs to nobody any more.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::crm::{done, reply, wait};
use crate::pages::PageServer;
use crate::processes;
use crate::tools_client::Tools;

const PAGE: &str = "<!doctype html><title>Plain</title><p>Still here</p>";
/// A wait of 60 seconds would last longer.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn after_a_kill_the_trace_is_readable_and_the_next_start_cleans_up() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    let other = bench.owners()[0];

    let view = reply(json!([{"tool": "tab", "action": "view"}]));
    let mut running = bench.start_run(&server.url(), &bench.script(&[view, wait(60)]), &[]);
    running.wait_for(r#""type":"call_started","step":2"#);
    let printed = running.stdout();
    let mine = bench.owners().into_iter().find(|owner| owner.owner == running.pid()).unwrap();
    // A browser ends by itself when its pipe closes. One that is stopped cannot, so that only the
    // next start can have ended it.
    processes::signal_group(mine.browser, Signal::STOP);
    running.signal(Signal::KILL);
    assert_eq!(running.wait().code, None);
    assert!(!processes::group(mine.browser).is_empty());

    let events = bench.surehand(&["report", "last", "--json"]);
    events.expect(0);
    assert_eq!(events.stdout, printed, "everything that was printed is in the trace");
    let report = bench.surehand(&["report", "last"]);
    assert!(report.expect(0).stdout.contains("interrupted"), "{}", report.stdout);
    let page = bench.path("killed.html");
    bench.surehand(&["report", "last", "-o", page.to_str().unwrap()]).expect(0);
    assert!(std::fs::read_to_string(page).unwrap().contains("interrupted"));
    let row = &bench.rows()[0];
    assert_eq!((&row["state"], &row["termination_reason"]), (&json!("interrupted"), &json!(null)));
    assert!(bench.surehand(&["runs", "ls"]).expect(0).stdout.contains("interrupted"));

    bench.run(&server.url(), &bench.script(&[done(true)]), &[]).expect_end(0, "done");
    eventually("the killed run's browser to end", || processes::group(mine.browser).is_empty());
    assert_eq!(bench.owners(), [other]);
    let answer = tools.ask(json!({"id": 2, "tool": "tab", "action": "view"}));
    assert_eq!((&answer["ok"], &answer["title"]), (&json!(true), &json!("Plain")));
    tools.close().expect(0);
    bench.expect_nothing_left();
}

/// The browser is killed after this text was printed; the run ends soon as env_error.
fn browser_killed(brain: impl FnOnce(&Bench) -> String, after: &str) {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = brain(&bench);
    let mut running = bench.start_run(&server.url(), &brain, &["--max-steps", "1000", "--set", "governor=off"]);
    running.wait_for(after);
    processes::signal_group(bench.owners()[0].browser, Signal::KILL);
    let ended = running.wait_at_most(SOON);
    let result = ended.expect_end(4, "env_error");
    assert!(result["error"].as_str().is_some_and(|error| !error.is_empty()), "{result}");
    assert_eq!(bench.rows()[0]["termination_reason"], "env_error");
    bench.expect_nothing_left();
}

#[test]
fn a_killed_browser_ends_a_busy_run() {
    let view = reply(json!([{"tool": "tab", "action": "view"}]));
    browser_killed(|bench| bench.script(&vec![view; 900]), r#""type":"call_started","step":3"#);
}

#[test]
fn a_killed_browser_ends_a_run_that_waits() {
    browser_killed(|bench| bench.script(&[wait(60), wait(60)]), r#""type":"call_started""#);
}

#[test]
fn a_killed_browser_ends_a_run_that_thinks() {
    browser_killed(|bench| bench.shell_brain("while read -r line; do :; done"), r#""type":"turn_started""#);
}

#[test]
fn a_killed_browser_is_told_to_tools() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    processes::signal_group(bench.owners()[0].browser, Signal::KILL);
    let answer = tools.ask(json!({"id": 2, "tool": "tab", "action": "view"}));
    assert_eq!(
        (&answer["id"], &answer["ok"], &answer["error"]["code"]),
        (&json!(2), &json!(false), &json!("env_lost"))
    );
    let ended = tools.ended();
    ended.expect(4);
    bench.expect_nothing_left();
}
