//! Plans and the people who are asked about them: a no, another try, a step left out, and budgets that end.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::service::{Service, done, press, site};

fn step(id: &str, calls: Value) -> Value {
    json!({"step": id, "calls": calls})
}

fn submit(service: &Service, plan: &Value) -> String {
    let request = json!({"plan": plan, "detached": true});
    service.post("/v1/predict", &request).expect(202)["run_id"].as_str().unwrap().to_string()
}

/// The trace as it is on disk.
fn events(bench: &Bench, run: &str) -> Vec<Value> {
    let text = bench.read(&format!("data/runs/{run}/events.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answer(service: &Service, run: &str, text: &str) -> String {
    let waiting = service.until(run, &["waiting"]);
    let question = &waiting["question"];
    assert_eq!(question["kind"], "answer", "{waiting}");
    service.steer(run, "answer", &json!({"question": question["id"], "text": text})).expect(200);
    question["text"].as_str().unwrap().to_string()
}

#[test]
fn a_no_to_a_gate_is_final_and_nothing_behind_it_is_done() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &[]);
    let plan = json!({"name": "gated", "start_url": site.url(), "steps": [
        {"id": "pay", "type": "act", "intent": "Press it.", "gates": [{"approval": "May it be pressed?"}], "on_failure": "retry 3"}]});
    let run = submit(&service, &plan);
    let waiting = service.until(&run, &["waiting"]);
    assert!(waiting["question"]["text"].as_str().unwrap().contains("May it be pressed?"), "{waiting}");
    let reason = "the plan asks a person before it goes on; without a yes the plan fails";
    assert_eq!(waiting["question"]["reason"], reason, "{waiting}");
    service.steer(&run, "deny", &json!({"question": waiting["question"]["id"]})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!((&ended["success"], &ended["result"]["plan"]["status"]), (&json!(false), &json!("failed")));
    assert_eq!(site.count("/pressed"), 0, "{ended}");
    let events = events(&bench, &run);
    let asked = events.iter().filter(|event| event["type"] == "confirmation").count();
    assert_eq!(asked, 1, "a no is not asked for again");
    let started = &events[0];
    assert_eq!(started["type"], "run_started");
    let limits = (started.get("max_steps"), &started["timeout_s"]);
    assert_eq!(limits, (None, &Value::Null), "the defaults hold for each step, and nothing for the whole: {started}");
}

#[test]
fn a_gate_that_waits_outlives_a_pause_that_is_taken_back_at_once() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &[]);
    let plan = json!({"name": "gated", "start_url": site.url(), "steps": [
        {"id": "pay", "type": "act", "intent": "Press it.", "gates": [{"approval": "May it be pressed?"}]}]});
    let run = submit(&service, &plan);
    for _ in 0..5 {
        service.until(&run, &["waiting"]);
        service.steer(&run, "pause", &json!({})).expect(200);
        service.steer(&run, "resume", &json!({})).expect(200);
    }
    let ended = loop {
        let view = service.until(&run, &["waiting", "ended"]);
        if view["status"] == "ended" {
            break view;
        }
        // It may be withdrawn at this very moment, and is asked again then.
        let _ = service.steer(&run, "approve", &json!({"question": view["question"]["id"]}));
    };
    assert_eq!((&ended["success"], site.count("/pressed")), (&json!(true), 1), "{ended}");
    let report = service.get(&format!("/v1/runs/{run}/report")).body;
    assert!(report.contains("agreed to") && !report.contains("not finished"), "{report}");
}

#[test]
fn a_person_decides_about_a_failed_step_and_a_budget_ends_the_plan() {
    let (bench, site) = (Bench::new(), site());
    let nothing = json!([{"tool": "done", "success": false, "summary": "it is not to be found here"}]);
    let replies: Vec<Value> = [
        vec![json!({"step": "first", "attempt": 1, "calls": nothing.clone()})],
        vec![step("second", nothing.clone())],
        (1..=9).map(|_| step("third", json!([press("Press")]))).collect(),
    ]
    .concat();
    let first = json!({"step": "first", "attempt": 2, "calls": [press("Press")]});
    let said = json!({"step": "first", "attempt": 2, "calls": done()["calls"]});
    let brain = bench.script(&[&replies[..], &[first, said]].concat());
    let service = Service::start(&bench, &brain, &[]);
    let plan = json!({"name": "people", "start_url": site.url(), "recovery": {"on_failure": "ask"}, "steps": [
        {"id": "first", "type": "act", "intent": "Press it.", "done_when": ["frame_changed"], "budget": {"max_steps": 5}},
        {"id": "second", "type": "act", "intent": "Find it.", "done_when": ["element_appears:nowhere"], "budget": {"max_steps": 3}},
        {"id": "third", "type": "act", "intent": "Press on.", "done_when": ["url_contains:/end"], "budget": {"max_steps": 3}}]});
    let run = submit(&service, &plan);
    let question = service.until(&run, &["waiting"])["question"].clone();
    assert_eq!(question["without_answer"], "stop: the plan fails", "{question}");
    let asked = answer(&service, &run, "perhaps");
    assert!(asked.contains("first") && asked.contains("1: retry, 2: skip, 3: stop"), "{asked}");
    answer(&service, &run, "Retry");
    let asked = answer(&service, &run, "skip");
    assert!(asked.contains("second"), "{asked}");
    let asked = answer(&service, &run, "stop");
    assert!(asked.contains("third") && !asked.contains("retry"), "what has no budget left is not tried again: {asked}");
    let ended = service.until(&run, &["ended"]);
    let plan = &ended["result"]["plan"];
    assert_eq!((&ended["success"], &plan["status"], &plan["skipped"]), (&json!(false), &json!("failed"), &json!(1)));
    assert_eq!(site.count("/pressed"), 4, "once in the second try of the first, and three times in the third: {plan}");
    let events = events(&bench, &run);
    let answers: Vec<&Value> =
        events.iter().filter(|event| event["kind"] == "asked").map(|event| &event["answer"]).collect();
    assert_eq!(answers, ["perhaps", "Retry", "skip", "stop"]);
}
