//! A plan on the web pages, in a real Chromium: somebody who watches it is asked with buttons, sees what each of its steps
//! came to, the rows, and the place where a field was read.

use serde_json::json;

use crate::bench::Bench;
use crate::operator::{Operator, click, one};
use crate::pages::{Page, PageServer};
use crate::service::Service;

/// The last name would read backwards, and turn what stands behind it.
const PEOPLE: &str = "<title>People</title><table><tr><td id=a>Ada<td id=am>ada@one.example<tr><td id=b>Bob\u{202e}<td id=bm>bob@two.example</table>";

#[test]
fn a_person_who_watches_a_plan_chooses_and_sees_where_each_field_was_read() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(PEOPLE))]);
    let rows = json!([{"name": "Ada", "mail": "ada@one.example"}, {"name": "Bob\u{202e}", "mail": null}]);
    let evidence = json!([
        {"field": "[0].name", "selector": "#a", "box": [10, 20, 200, 80]},
        {"field": "[0].mail", "box": [300, 20, 500, 80]},
        {"field": "[1].name", "selector": "#b"},
    ]);
    let read =
        json!({"tool": "done", "success": true, "summary": "read it", "output": {"value": rows, "evidence": evidence}});
    let gave_up = json!({"tool": "done", "success": false, "summary": "it is not to be found here"});
    let brain = bench.script(&[
        json!({"step": "look", "calls": [gave_up]}),
        json!({"step": "read", "calls": [{"tool": "done", "success": true, "summary": "read it"}]}),
        json!({"step": "read", "attempt": 2, "calls": [read]}),
    ]);
    let service = Service::start(&bench, &brain, &[]);
    let plan = json!({"name": "people", "start_url": site.url(), "output": {"tables": {"people": {}}}, "steps": [
        {"id": "look", "type": "act", "intent": "Find the notice.", "on_failure": "skip"},
        {"id": "which", "type": "ask", "question": "Which of them?", "choices": ["the first", "all of them"], "save_as": "wish"},
        {"id": "read", "type": "extract", "what": "Everybody in the table.", "collect": "people", "on_failure": "retry 1",
         "output_schema": {"type": "array", "items": {"type": "object", "required": ["name"]}}}]});
    let request = json!({"plan": plan, "detached": true});
    let run = service.post("/v1/predict", &request).expect(202)["run_id"].as_str().unwrap().to_string();
    service.until(&run, &["waiting"]);

    let operator = Operator {
        bench: &bench,
        name: "plan-watcher",
        replies: vec![
            // A run that needs somebody is told of, also in a list that does not show it.
            one(&[click("link", "Plan people")]),
            one(&[click("button", "all of them")]),
            // The rows are there when the page has heard of the end.
            one(&[click("button", "The end")]),
            one(&[json!({"tool": "mouse", "action": "scroll", "direction": "down", "amount": 1000})]),
            // Nobody read what stands in a box.
            one(&[click("button", "ada@one.example: where the brain says it read people[0].mail")]),
            one(&[click("button", "Close")]),
            one(&[click("tab", "Plan")]),
            one(&[click("button", "Ada: where people[0].name was read")]),
        ],
        checks: vec![
            json!({"type": "dom", "selector": ".plan-at", "hidden_too": true, "text_regex": "The plan is done"}),
            json!({"type": "dom", "selector": ".plan-steps tbody tr", "hidden_too": true, "count": 5}),
            json!({"type": "dom", "selector": ".plan-steps tbody tr:nth-child(2) td", "hidden_too": true, "text_regex": "given up, goes on.*not to be found"}),
            json!({"type": "dom", "selector": ".plan-steps tbody tr:nth-child(4) td", "hidden_too": true, "text_regex": "failed, is tried again"}),
            json!({"type": "dom", "selector": ".plan-steps tbody tr:nth-child(5) th", "hidden_too": true, "text_regex": "^read, attempt 2"}),
            json!({"type": "dom", "selector": ".collected-table tbody tr", "hidden_too": true, "count": 2}),
            json!({"type": "dom", "selector": ".collected-table tbody tr:nth-child(2) td", "hidden_too": true, "texts": ["Bob\u{fffd}", "–"]}),
            json!({"type": "dom", "selector": "dialog .seen-shot rect.box", "hidden_too": true, "count": 1}),
            json!({"type": "dom", "selector": "dialog figcaption .chip", "texts": ["✓ was read here"]}),
            json!({"type": "dom", "selector": "dialog dl", "text_regex": "(?s)Ada.*#a.*10, 20, 200, 80 of 1000"}),
            json!({"type": "dom", "selector": ".log li:has(b)", "hidden_too": true, "count": {"min": 15}}),
        ],
    };
    let result = operator.start(&format!("http://{}/runs?status=ended", service.address)).wait().result();
    assert_eq!(result["verdict"]["final"], "pass", "{:#}", result["referee"]["checks"]);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["result"]["plan"]["status"], "done", "{}", ended["result"]["plan"]);
}
