//! How a script's `target` finds its element: exactly one, one of several by index, one that
//! appears late, and what is said when there is none.

use serde_json::{Value, json};

use crate::bench::{Bench, Ended};
use crate::crm::{done, reply};
use crate::pages::PageServer;

const PAGE: &str = "<!doctype html><title>Targets</title>
<button onclick=\"fetch('/first')\">Save</button><br><br>
<button onclick=\"fetch('/second')\">Save</button><br><br>
<button onclick=\"fetch('/exact')\">Open</button><br><br>
<button onclick=\"fetch('/longer')\">Open all</button>";
const LATE: &str = "<!doctype html><title>Late</title><p>Soon</p><script>
setTimeout(() => { document.body.innerHTML = \"<button onclick=\\\"fetch('/late')\\\">At last</button>\"; }, 1200);
</script>";

fn click(target: Value) -> Value {
    reply(json!([{"tool": "mouse", "action": "click", "target": target}]))
}

fn run(server: &PageServer, bench: &Bench, target: Value, more: &[&str]) -> Ended {
    bench.run(&server.url(), &bench.script(&[click(target), done(true)]), more)
}

/// The target leads to one click, which the page reports by this request alone.
fn found(target: Value, path: &str) {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    run(&server, &bench, target, &[]).expect_end(0, "done");
    for other in ["/first", "/second", "/exact", "/longer"] {
        assert_eq!(server.count(other), usize::from(other == path), "{other}");
    }
}

/// The target is a problem, told in words, and in the end the brain is given up.
fn not_found(target: Value, part: &str) {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let ended = run(&server, &bench, target, &["--set", "target_wait=0.2s"]);
    let result = ended.expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains(part), "{error}");
    assert_eq!(result["steps"], 3, "three spent steps");
    let told = ended.events("turn_started");
    assert!(told.iter().any(|turn| turn["problem"].as_str().is_some_and(|problem| problem.contains(part))));
    assert!(ended.events("call_started").is_empty(), "nothing was dispatched");
    assert_eq!(result["trajectory"][0]["error"]["code"], "target_not_found");
    let report = bench.surehand(&["report", "last"]);
    assert!(report.stdout.contains("A target was not found:"), "{}", report.stdout);
    assert!(!report.stdout.contains("no usable reply"), "{}", report.stdout);
    assert_eq!(server.requests().iter().filter(|head| !head.contains("/favicon")).count(), 1);
}

#[test]
fn an_index_chooses_among_several() {
    found(json!({"role": "button", "text": "Save", "index": 1}), "/second");
}

#[test]
fn an_exact_name_beats_a_longer_one() {
    found(json!({"text": "open"}), "/exact");
}

#[test]
fn no_element_is_a_problem() {
    not_found(json!({"role": "button", "text": "Nowhere"}), "no element matches the target button \"Nowhere\"");
}

#[test]
fn several_elements_are_a_problem() {
    not_found(json!({"role": "button", "text": "Save"}), "2 elements match the target button \"Save\"");
}

#[test]
fn an_index_beyond_the_last_is_a_problem() {
    not_found(json!({"text": "Save", "index": 2}), "only 2 elements match");
}

#[test]
fn an_element_that_appears_late_is_waited_for() {
    let (bench, server) = (Bench::new(), PageServer::with(LATE));
    run(&server, &bench, json!({"role": "button", "text": "At last"}), &["--set", "target_wait=30s"])
        .expect_end(0, "done");
    assert_eq!(server.count("/late"), 1);
}
