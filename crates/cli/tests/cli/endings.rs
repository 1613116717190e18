//! How runs with a script end: the exit code, the reason, and the words for a person.

use serde_json::json;

use crate::bench::Bench;
use crate::crm::{done, reply, wait};
use crate::pages::PageServer;

const PAGE: &str = "<!doctype html><title>Plain</title><p>Nothing to see</p>";
/// It never comes to rest and keeps a request open.
const RESTLESS: &str = "<!doctype html><title>Busy</title><p id=p>0</p><script>
let n = 0; setInterval(() => { document.getElementById('p').textContent = ++n; }, 10);
</script>";

#[test]
fn a_claimed_success_is_exit_0() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let result = bench.run(&server.url(), &bench.script(&[done(true)]), &[]).expect_end(0, "done");
    assert_eq!(result["success"], true);
    assert_eq!(result["summary"], "that is all");
    assert_eq!(
        result["verdict"],
        json!({"self_report": {"success": true, "summary": "that is all"}, "contract": null, "judge": null,
               "final": "unjudged", "reasons": [], "disagreement": false})
    );
    for (field, expected) in
        [("schema_version", json!(1)), ("steps", json!(1)), ("turns", json!(1)), ("start_url", json!(server.url()))]
    {
        assert_eq!(result[field], expected, "{field}");
    }
    bench.expect_nothing_left();
}

#[test]
fn a_claimed_failure_is_exit_1() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let result = bench.run(&server.url(), &bench.script(&[done(false)]), &[]).expect_end(1, "done_failed");
    assert_eq!(result["success"], false);
    assert_eq!(result["verdict"]["self_report"]["success"], false);
}

#[test]
fn a_script_without_done_ends_as_failed() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let view = reply(json!([{"tool": "tab", "action": "view"}]));
    let result = bench.run(&server.url(), &bench.script(&[view]), &[]).expect_end(1, "done_failed");
    assert_eq!(result["summary"], "script ended");
    assert_eq!(result["steps"], 2);
}

#[test]
fn steps_are_counted_by_call_and_limited() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let view = json!({"tool": "tab", "action": "view"});
    let script = bench.script(&[reply(json!([view, view, view, view])), done(true)]);
    let result =
        bench.run(&server.url(), &script, &["--max-steps", "3", "--set", "governor=off"]).expect_end(1, "max_steps");
    assert_eq!(result["steps"], 3);
    assert_eq!(result["success"], false);
}

#[test]
fn time_is_limited_even_while_waiting() {
    let (bench, server) = (Bench::new(), PageServer::with(RESTLESS));
    let script = bench.script(&vec![wait(60); 20]);
    let ended = bench.run(&server.url(), &script, &["--timeout", "3s", "--set", "settle_cap=1s"]);
    let result = ended.expect_end(1, "timeout");
    assert!(result["duration_s"].as_f64().unwrap() < 45.0, "{result}");
    bench.expect_nothing_left();
}

#[test]
fn two_runs_at_a_time_share_a_data_folder() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let script = bench.script(&[wait(1), done(true)]);
    let both = [bench.start_run(&server.url(), &script, &[]), bench.start_run(&server.url(), &script, &[])];
    let mut ids: Vec<String> =
        both.map(|running| running.wait().expect_end(0, "done")["run_id"].as_str().unwrap().to_string()).to_vec();
    let mut listed: Vec<String> = bench.rows().iter().map(|row| row["run_id"].as_str().unwrap().to_string()).collect();
    ids.sort();
    listed.sort();
    assert_eq!(listed, ids);
    bench.expect_nothing_left();
}

#[test]
fn a_person_gets_steps_on_stderr_and_the_outcome_on_stdout() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let output = json!({"tool": "done", "success": true, "summary": "found it", "output": {"price": 12}});
    let script = bench.script(&[wait(0), reply(json!([output]))]);
    let ended = bench.surehand(&["run", "find the price", "--url", &server.url(), "--brain", &script]);
    ended.expect(0);
    for part in ["said it was done", "it says: found it", r#"output: {"price":12}"#, "surehand report "] {
        assert!(ended.stdout.contains(part), "{part}:\n{}", ended.stdout);
    }
    for part in ["up to 30 steps", "step   1", "step   2"] {
        assert!(ended.stderr.contains(part), "{part}:\n{}", ended.stderr);
    }
}
