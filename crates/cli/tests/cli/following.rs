//! `surehand report --follow`: a run of another process, step by step, to whatever end it comes.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, Running};
use crate::crm::{done, reply, wait};
use crate::pages::PageServer;

const PAGE: &str = "<!doctype html><title>Plain</title><p>Still here</p>";

fn view() -> Value {
    reply(json!([{"tool": "tab", "action": "view"}]))
}

/// A run that has begun, and a follower of it that has seen its first step.
fn followed(bench: &Bench, server: &PageServer, script: &[Value], more: &[&str]) -> (Running, Running) {
    let mut running = bench.start_run(&server.url(), &bench.script(script), &[]);
    running.wait_for(r#""type":"run_started""#);
    let arguments: Vec<&str> = ["report", "last", "--follow"].iter().chain(more).copied().collect();
    let mut follower = bench.start(&arguments);
    follower.wait_for(if more.contains(&"--json") { r#""type":"step""# } else { "\n   1  " });
    (running, follower)
}

#[test]
fn every_step_of_a_run_under_way_is_printed_once_and_then_its_end() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let (mut running, mut follower) = followed(&bench, &server, &[view(), wait(3), view(), done(true)], &[]);
    running.wait_for(r#""type":"call_started","step":2"#);
    let seen = follower.stdout();
    assert!(!seen.contains("\n   2  "), "step 2 is not over yet:\n{seen}");
    follower.wait_for("\n   3  ");
    running.wait().expect_end(0, "done");
    let text = follower.wait().expect(0).stdout.clone();
    for step in 1..=4 {
        assert_eq!(text.matches(&format!("\n   {step}  ")).count(), 1, "{text}");
    }
    assert_eq!(text.matches("nobody has checked the outcome").count(), 1, "{text}");
    assert!(text.starts_with("Run "), "{text}");

    // A run that is over is told at once.
    let again = bench.surehand(&["report", "last", "-f"]);
    assert_eq!(again.expect(0).stdout, text);
}

#[test]
fn events_are_followed_too_and_are_those_of_the_trace() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let (running, follower) = followed(&bench, &server, &[view(), wait(1), done(true)], &["--json"]);
    running.wait().expect_end(0, "done");
    let followed = follower.wait();
    assert_eq!(followed.expect(0).stdout, bench.surehand(&["report", "last", "--json"]).stdout);
    assert_eq!(followed.lines().last().unwrap()["type"], "run_ended");
}

#[test]
fn a_run_that_is_killed_ends_its_follower_which_says_so() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let (mut running, follower) = followed(&bench, &server, &[view(), wait(60)], &[]);
    running.wait_for(r#""type":"call_started","step":2"#);
    running.signal(Signal::KILL);
    assert_eq!(running.wait().code, None);
    let ended = follower.wait();
    ended.expect(1);
    assert!(ended.stderr.contains("its process is gone and wrote no end\nhint: "), "{}", ended.stderr);
    assert!(ended.stdout.contains("The run was interrupted"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Step 2 (wait 60 s) was under way"), "{}", ended.stdout);
}

#[test]
fn a_follower_that_is_stopped_leaves_the_run_alone() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let (running, follower) = followed(&bench, &server, &[view(), wait(2), done(true)], &[]);
    follower.signal(Signal::INT);
    let stopped = follower.wait();
    assert_eq!(stopped.code, Some(130), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("which goes on"), "{}", stopped.stderr);
    running.wait().expect_end(0, "done");
    bench.surehand(&["report", "last", "--follow", "-o", "x.html"]).expect(2);
}
