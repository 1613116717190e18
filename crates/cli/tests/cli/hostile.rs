//! Pages that misbehave: they loop, never finish loading, or open dialogs for ever. A run on them
//! ends by its budget, and the browser goes with it.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::crm::{reply, wait};
use crate::pages::{Page, PageServer};

const ALERTS_ON_CLICK: &str = "<!doctype html><title>Alerts</title>
<button style='position:fixed;inset:0;width:100%' onclick=\"for(;;)alert('again')\">Press</button>";
const ALERTS_ON_LOAD: &str = "<!doctype html><title>Alerts</title><script>for(;;)alert('again')</script>";
const LOOP_ON_CLICK: &str = "<!doctype html><title>Loop</title>
<button style='position:fixed;inset:0;width:100%' onclick='for(;;){}'>Press</button>";
const LOOP_ON_LOAD: &str = "<!doctype html><title>Loop</title><script>setTimeout(() => { for(;;){} }, 0)</script>";
const UNFINISHED: &str = "<!doctype html><title>Unfinished</title>
<button style='position:fixed;inset:0;width:100%' onclick=\"fetch('/pressed')\">Press</button>";
const REDRAWS: &str = "<!doctype html><title>Redraws</title><body><script>
const paint = () => { document.body.style.background = '#' + Math.floor(Math.random() * 4096).toString(16).padStart(3, '0');
requestAnimationFrame(paint); }; paint();
</script>";

fn press() -> Value {
    reply(json!([{"tool": "mouse", "action": "click", "coordinate": [500, 500]}]))
}

/// The run goes on until its time is up, and then really ends.
fn ends_by_its_budget(page: Page, replies: &[Value]) -> (Value, PageServer) {
    let (bench, server) = (Bench::new(), PageServer::start(&[("/", page)]));
    let more =
        ["--timeout", "8s", "--max-steps", "100000", "--set", "navigation_timeout=2s", "--set", "call_timeout=3s"];
    let result = bench.run(&server.url(), &bench.script(replies), &more).expect_end(1, "timeout");
    bench.expect_nothing_left();
    bench.surehand(&["report", "last"]).expect(0);
    (result, server)
}

/// One of these again and again, more often than 8 seconds allow.
fn endlessly(first: Value, then: Value) -> Vec<Value> {
    let mut replies = vec![first];
    replies.extend(std::iter::repeat_n(then, 20_000));
    replies
}

fn accept() -> Value {
    reply(json!([{"tool": "dialog", "dialog_action": "accept"}]))
}

#[test]
fn alerts_without_end_after_a_click() {
    let (result, _) = ends_by_its_budget(Page::Html(ALERTS_ON_CLICK), &endlessly(press(), accept()));
    let first = &result["trajectory"][0];
    assert_eq!(first["ok"], true, "{first}");
    assert!(first["message"].as_str().unwrap().contains("again"), "{first}");
    assert_eq!(result["trajectory"][1]["ok"], true, "the sixth alert stays open for the dialog tool");
}

#[test]
fn alerts_without_end_while_loading() {
    ends_by_its_budget(Page::Html(ALERTS_ON_LOAD), &endlessly(accept(), accept()));
}

#[test]
fn a_click_that_never_returns() {
    let (result, _) = ends_by_its_budget(Page::Html(LOOP_ON_CLICK), &endlessly(press(), wait(1)));
    assert!(result["duration_s"].as_f64().unwrap() < 60.0, "{result}");
}

#[test]
fn a_script_that_never_returns_while_loading() {
    ends_by_its_budget(Page::Html(LOOP_ON_LOAD), &endlessly(press(), press()));
}

#[test]
fn a_page_that_never_finishes_can_still_be_used() {
    let (result, server) = ends_by_its_budget(Page::Unfinished(UNFINISHED), &endlessly(press(), wait(60)));
    assert_eq!(result["trajectory"][0]["ok"], true);
    assert_eq!(server.count("/pressed"), 1);
}

#[test]
fn a_page_that_always_moves() {
    ends_by_its_budget(Page::Html(REDRAWS), &endlessly(press(), press()));
}

#[test]
fn a_server_that_never_answers_is_exit_4() {
    let (bench, server) = (Bench::new(), PageServer::start(&[("/", Page::Silent)]));
    let url = server.url();
    let script = bench.script(&[wait(1)]);
    let ended = bench.run(&url, &script, &["--set", "navigation_timeout=2s", "--set", "call_timeout=3s"]);
    ended.expect(4).expect_sentence(&url);
    bench.expect_nothing_left();
}
