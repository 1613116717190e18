//! Runs over HTTP: waited for, detached, followed, listed, repeated by key, cancelled, with settings of their own.

use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::service::{Service, done, patient_brain, press, site};

#[test]
fn a_run_is_waited_for_or_let_go_and_its_events_come_once_each() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &[]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let result = service.post("/v1/cua", &request).expect(200);
    assert_eq!((&result["success"], &result["termination_reason"]), (&json!(true), &json!("done")));
    assert_eq!(site.count("/pressed"), 1);

    let run_id = service.submit(&request);
    let events = service.events(&run_id, None, usize::MAX);
    let numbers: Vec<u64> = events.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "each once and in order");
    assert_eq!(events.last().unwrap().1, "run_ended");
    let later = service.events(&run_id, Some(3), usize::MAX);
    assert_eq!(later, events[3..], "whoever comes again gets the rest");
    assert!(service.events(&run_id, Some(numbers.len() as u64), usize::MAX).is_empty());

    let run = service.until(&run_id, &["ended"]);
    assert_eq!(run["result"]["run_id"], run_id.as_str());
    let frame = run["result"]["trajectory"][0]["frames"]["after"].as_str().unwrap();
    let picture = service.get(&format!("/v1/runs/{run_id}/frames/{frame}"));
    assert!(picture.status == 200 && picture.head.contains("image/png"), "{}", picture.head);
    service.get(&format!("/v1/runs/{run_id}/frames/{}", "0".repeat(64))).expect_error(404, "not_found");
    let report = service.get(&format!("/v1/runs/{run_id}/report"));
    assert!(report.status == 200 && report.body.contains("press it"));

    let metrics = service.get("/metrics").body;
    for line in [
        "surehand_steps_total 4",
        "surehand_effects_total{status=\"confirmed\"} 2",
        "reason=\"done\",verdict=\"unjudged\"} 2",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    let first = service.get("/v1/runs?limit=1").expect(200);
    assert_eq!(first["runs"][0]["run_id"], run_id.as_str());
    let next = first["next"].as_str().unwrap();
    let second = service.get(&format!("/v1/runs?limit=1&before={next}")).expect(200);
    assert_eq!((second["runs"].as_array().unwrap().len(), &second["next"]), (1, &Value::Null));
}

#[test]
fn a_key_makes_one_run_of_many_requests_and_the_queue_keeps_its_order() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &["--slots", "1"]);
    let request = json!({"instruction": "press it", "start_url": site.url(), "detached": true});
    let keyed = |body: &Value| {
        let headers = [("content-type", "application/json"), ("idempotency-key", "order-7")];
        service.ask("POST", "/v1/cua", &headers, &body.to_string())
    };
    let first = keyed(&request).expect(202);
    assert_eq!(keyed(&request).expect(202)["run_id"], first["run_id"]);
    let other = json!({"instruction": "press another", "start_url": site.url(), "detached": true});
    keyed(&other).expect_error(409, "key_reused");

    let run_id = first["run_id"].as_str().unwrap();
    service.until(run_id, &["running"]);
    let waiting: Vec<String> = (0..3).map(|_| service.submit(&other)).collect();
    let queue = service.get("/v1/queue").expect(200);
    assert_eq!((&queue["queued"], &queue["running"], &queue["order"]), (&json!(3), &json!(1), &json!(waiting)));
    assert_eq!(service.run(&waiting[2])["position"], 2);
    assert_eq!(service.get("/v1/runs").expect(200)["runs"].as_array().unwrap().len(), 4);
    service.steer(&waiting[1], "cancel", &json!({})).expect(200);
    assert_eq!(service.run(&waiting[1])["status"], "cancelled");
    service.steer(&waiting[1], "cancel", &json!({})).expect_error(409, "not_running");
    eventually("its first press", || site.count("/pressed") == 1);
    service.steer(run_id, "cancel", &json!({})).expect(200);
    assert_eq!(service.until(run_id, &["ended"])["termination_reason"], "cancelled");
    bench.write("finish", "");
    let mut started = Vec::new();
    for run in [&waiting[0], &waiting[2]] {
        started.push(service.until(run, &["ended"])["started_at"].as_str().unwrap().to_string());
    }
    assert!(started[0] < started[1]);
    assert_eq!(service.run(&waiting[1])["started_at"], Value::Null, "it never began");
}

#[test]
fn settings_that_are_changed_hold_for_later_runs_only() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let before = service.submit(&request);
    service.until(&before, &["running"]);
    eventually("its first step", || service.run(&before)["steps"] == 1);
    let change = json!({"toggles": {"done_gate": "off"}});
    let put =
        |body: &Value| service.ask("PUT", "/v1/toggles", &[("content-type", "application/json")], &body.to_string());
    put(&json!({"toggles": {"done_gate": "off", "no_such": "on"}})).expect_error(400, "invalid_request");
    put(&json!({"toggles": {"done_gate": "off", "chromium": "/bin/sh"}})).expect_error(400, "invalid_request");
    let value = |list: Value| {
        let all = list["toggles"].as_array().unwrap().clone();
        all.into_iter().find(|toggle| toggle["name"] == "done_gate").unwrap()
    };
    assert_eq!(value(service.get("/v1/toggles").expect(200))["value"], "on", "nothing of a wrong change is taken");
    let changed = value(put(&change).expect(200));
    assert_eq!(
        (&changed["value"], &changed["source"], &changed["changed_by"]),
        (&json!("off"), &json!("instance"), &json!("local"))
    );
    let after = service.submit(&request);
    let own = service.submit(&json!({"instruction": "x", "start_url": site.url(), "toggles": {"done_gate": "on"}}));
    bench.write("finish", "");
    let toggles = |run: &str| service.until(run, &["ended"])["result"]["toggles"]["done_gate"].clone();
    assert_eq!(toggles(&before), Value::Null, "as it began");
    assert_eq!(toggles(&after), "off");
    assert_eq!(toggles(&own), Value::Null, "a request's own word is stronger");
}

#[test]
fn what_is_wrong_with_a_request_is_said_before_anything_starts() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    for (request, words) in [
        (json!({}), "instruction"),
        (json!({"instruction": " "}), "instruction: it is empty"),
        (json!({"instruction": "x", "steps": 3}), "unknown field `steps`"),
        (json!({"instruction": "x", "max_steps": -1}), "max_steps: it has to be a whole number that is not negative"),
        (json!({"instruction": "x", "max_cost": "much"}), "max_cost: it has to be a number, not the text \"much\""),
        (json!({"instruction": "x", "max_steps": 0}), "max_steps"),
        (json!({"instruction": "x", "viewport": "wide"}), "viewport"),
        (json!({"instruction": "x", "brain": "exec:touch /tmp/x"}), "does not offer"),
        (json!({"instruction": "x", "brain": "anthropic@http://127.0.0.1:1/"}), "does not offer"),
        (json!({"instruction": "x", "judge": "chat:m@http://127.0.0.1:1/"}), "does not offer"),
        (json!({"instruction": "x", "secrets": ["pw"]}), "knows no secret"),
        (json!({"instruction": "x", "contract": {"nonsense": 1}}), "contract"),
        (json!({"instruction": "x", "toggles": {"proxy": "http://1.2.3.4"}}), "cannot be changed"),
    ] {
        let error = service.post("/v1/cua", &request).expect_error(400, "invalid_request");
        assert!(error["error"]["message"].as_str().unwrap().contains(words), "{request}: {error}");
    }
    assert_eq!(service.get("/v1/queue").expect(200)["queued"], 0);
    let request = json!({"instruction": "x"});
    let error = service.post("/v1/cua", &request).expect_error(422, "not_run");
    assert!(error["error"]["message"].as_str().unwrap().contains("/no/such/file.json"), "{error}");
    service.post("/v1/cua", &request).expect_error(422, "not_run");
    let failed = service.get("/v1/runs").expect(200);
    assert_eq!((failed["runs"].as_array().unwrap().len(), &failed["next"]), (2, &Value::Null));
    assert_eq!(failed["runs"][0]["status"], "failed");
    let id = |page: &Value, at: usize| page["runs"][at]["run_id"].as_str().unwrap().to_string();
    let newest = service.get("/v1/runs?limit=1&status=failed").expect(200);
    assert_eq!((newest["runs"].as_array().unwrap().len(), id(&newest, 0)), (1, id(&failed, 0)), "newest first");
    let rest = service.get(&format!("/v1/runs?limit=1&before={}", newest["next"].as_str().unwrap())).expect(200);
    assert_eq!((id(&rest, 0), &rest["next"]), (id(&failed, 1), &Value::Null));
    for status in ["cancelled", "paused", "put_away", "waiting", "taken_over"] {
        assert_eq!(service.get(&format!("/v1/runs?status={status}")).expect(200)["runs"], json!([]));
    }
    let error = service.get("/v1/runs?status=nope").expect_error(400, "invalid_request");
    let words = error["error"]["message"].as_str().unwrap();
    assert!(words.starts_with("status: \"nope\" is not known; it is one of queued, running"), "{words}");
}
