//! Plans over HTTP: the same queue, the same people, the same endings as runs, and one address for clients that know no other.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, done, press, site};

/// Presses once for each act and says that it is done; in the step `again` only once there is a file `go`.
fn brain(bench: &Bench) -> String {
    let evidence = json!([{"field": "word", "selector": "button"}]);
    let output = json!({"value": {"word": "Press"}, "evidence": evidence});
    let read = json!({"calls": [{"tool": "done", "success": true, "summary": "read it", "output": output}]});
    bench.shell_brain(&format!(
        r#"key=
while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  step=$(printf '%s' "$line" | sed -n 's/.*"plan_step":{{"id":"\([a-z]*\)".*/\1/p')
  if [ "$key" != "$step" ]; then key=$step; n=0; fi
  n=$((n+1))
  if [ "$step" = again ]; then : >at-again; while [ ! -e go ]; do sleep 0.05; done; fi
  if [ "$step" = read ]; then printf '%s\n' '{read}'
  elif [ $n = 1 ]; then printf '%s\n' '{press}'
  else printf '%s\n' '{done}'; fi
done
"#,
        press = json!({"calls": [press("Press")]}),
        done = done(),
    ))
}

fn plan(url: &str) -> String {
    format!(
        "name: pressing\nstart_url: \"{{{{site}}}}\"\nvalues: {{site: {{default: \"{url}\"}}}}\n\
         output: {{tables: {{words: {{}}}}}}\nsteps:\n\
         - {{id: read, type: extract, what: The word on the button., collect: words, output_schema: {{type: object, required: [word]}}}}\n\
         - {{id: first, type: act, intent: Press it., gates: [{{approval: May it be pressed?}}], done_when: [frame_changed]}}\n\
         - {{id: again, type: act, intent: Press it again.}}\n"
    )
}

#[test]
fn a_plan_is_approved_paused_put_away_and_gone_on_with_by_the_next_server() {
    let (bench, site) = (Bench::new(), site());
    let brain = brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let request = json!({"plan": plan(&site.url()), "detached": true});
    let keyed = |service: &Service, body: &Value| {
        let headers = [("content-type", "application/json"), ("idempotency-key", "plan-1")];
        service.ask("POST", "/v1/predict", &headers, &body.to_string())
    };
    let run = keyed(&service, &request).expect(202)["run_id"].as_str().unwrap().to_string();
    assert_eq!(keyed(&service, &request).expect(202)["run_id"], run.as_str());
    let act = |service: &Service, action: &str| service.post("/v1/predict", &json!({"action": action, "run_id": run}));

    let waiting = service.until(&run, &["waiting"]);
    assert_eq!((&waiting["question"]["kind"], &waiting["question"]["rule"]), (&json!("approval"), &json!("plan-gate")));
    assert!(waiting["task"].as_str().unwrap().contains("pressing"), "{waiting}");
    act(&service, "result").expect_error(409, "not_ended");
    assert_eq!(site.count("/pressed"), 0, "nobody has agreed yet");
    service.steer(&run, "approve", &json!({"question": waiting["question"]["id"]})).expect(200);
    eventually("the second act", || {
        let run = service.run(&run);
        assert_ne!(
            run["status"],
            "ended",
            "{} {}",
            run["result"]["plan"],
            service.post("/v1/predict", &json!({"action": "logs", "run_id": run["run_id"]})).body
        );
        bench.path("at-again").exists()
    });
    assert_eq!(act(&service, "status").expect(200)["status"], "running");
    act(&service, "pause").expect(200);
    bench.write("go", "");
    service.until(&run, &["paused"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();

    let service = Service::start(&bench, &brain, &[]);
    service.until(&run, &["paused"]);
    assert_eq!(site.count("/pressed"), 1);
    act(&service, "resume").expect(200);
    service.until(&run, &["ended"]);
    let result = act(&service, "result").expect(200);
    assert_eq!((&result["termination_reason"], &result["plan"]["status"]), (&json!("done"), &json!("done")));
    assert_eq!(result["output"]["words"], json!([{"word": "Press"}]), "what was read before is there, once");
    assert_eq!(site.count("/pressed"), 2);
    let logs = act(&service, "logs").expect(200);
    let texts: Vec<&str> = logs["logs"].as_array().unwrap().iter().filter_map(|line| line["text"].as_str()).collect();
    for part in ["step first: done", "goes on from its checkpoint", "the run ended: done"] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part}: {texts:?}");
    }
    let numbers: Vec<u64> = service.events(&run, None, usize::MAX).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "one trace over two servers");
    act(&service, "cancel").expect_error(409, "not_running");

    // Whoever cancels a plan leaves none of its logins behind.
    let run = service.post("/v1/predict", &request).expect(202)["run_id"].as_str().unwrap().to_string();
    service.until(&run, &["waiting"]);
    service.steer(&run, "cancel", &json!({})).expect(200);
    service.until(&run, &["ended"]);
    let checkpoint = || serde_json::from_str::<Value>(&bench.read(&format!("data/runs/{run}/plan.json"))).unwrap();
    eventually("its logins to be forgotten", || checkpoint()["browser"].is_null());
}

#[test]
fn what_is_wrong_with_a_plan_is_said_before_anything_starts() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    let act = json!({"id": "a", "type": "act", "intent": "look"});
    let with =
        |values: Value| json!({"name": "p", "start_url": "http://127.0.0.1:1/", "values": values, "steps": [act]});
    for (request, words) in [
        (json!({}), "plan: it is missing"),
        (json!({"plan": 3}), "plan"),
        (json!({"plan": "\u{0}: ["}), "plan"),
        (json!({"plan": {"name": "p", "steps": [{"id": "a", "type": "jump"}]}}), "steps[0]"),
        (
            json!({"plan": {"name": "p", "steps": [{"id": "a", "type": "jump"}, {"id": "a", "type": "act"}]}}),
            "plan: steps[0].type: there is no type of step `jump`",
        ),
        (
            json!({"plan": {"name": "p", "steps": [{"id": "a", "type": "jump"}, {"id": "a", "type": "act"}]}}),
            "\nsteps[1].id: the id `a` is that of steps[0] too",
        ),
        (json!({"plan": with(json!({"who": {}}))}), "values: who: nothing is given"),
        (json!({"plan": with(json!({"rows": {"type": "rows", "file": "rows.csv"}}))}), "reads no files"),
        (json!({"plan": with(json!({"pw": {"type": "secret"}}))}), "knows no secret"),
        (json!({"plan": with(json!({})), "brain": "exec:touch x"}), "does not offer"),
        (json!({"plan": with(json!({})), "run_id": "x"}), "run_id"),
        (json!({"plan": with(json!({})), "steps": 3}), "unknown field `steps`"),
        (json!({"action": "status"}), "run_id"),
        (json!({"action": "jump", "run_id": "x"}), "action"),
        (json!({"action": "status", "run_id": "x", "detached": true}), "nothing else"),
    ] {
        let error = service.post("/v1/predict", &request).expect_error(400, "invalid_request");
        assert!(error["error"]["message"].as_str().unwrap().contains(words), "{request}: {error}");
    }
    service.post("/v1/predict", &json!({"action": "logs", "run_id": "no-such-run"})).expect_error(404, "not_found");
    assert_eq!(service.get("/v1/queue").expect(200)["queued"], 0);
    let error = service.post("/v1/predict", &json!({"plan": with(json!({}))})).expect_error(422, "not_run");
    assert!(error["error"]["message"].as_str().unwrap().contains("/no/such/file.json"), "{error}");
    let failed = service.get("/v1/runs").expect(200);
    assert_eq!((&failed["runs"][0]["status"], &failed["runs"][0]["task"]), (&json!("failed"), &json!("Plan p")));
}

#[test]
fn a_call_that_was_cut_off_is_held_against_its_step_once_however_often_the_server_dies() {
    let bench = Bench::new();
    // The press leads to a page that never comes, so that the server can be killed in the middle of it.
    let html = "<title>Slow</title><button style='font-size:30px' onclick=\"location='/slow'\">Press</button>";
    let site = PageServer::start(&[("/", Page::Html(html)), ("/slow", Page::Silent)]);
    let press = json!({"calls": [press("Press")]});
    let brain = bench.shell_brain(&format!(
        r#"while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  printf '%s\n' "$line" >>seen
  if [ $(wc -l <seen) = 1 ]; then printf '%s\n' '{press}'; continue; fi
  while [ ! -e finish ]; do sleep 0.05; done
  printf '%s\n' '{done}'
done
"#,
        done = done(),
    ));
    let plan = json!({"name": "slow", "start_url": site.url(), "steps": [
        {"id": "go", "type": "act", "intent": "Press it.", "on_failure": "retry 3"}]});
    let service = Service::start(&bench, &brain, &["--set", "done_gate=off"]);
    let request = json!({"plan": plan, "detached": true});
    let run = service.post("/v1/predict", &request).expect(202)["run_id"].as_str().unwrap().to_string();
    let retried = || {
        let text = bench.read(&format!("data/runs/{run}/events.jsonl"));
        text.lines().filter(|line| line.contains("\"outcome\":\"retried\"")).count()
    };
    eventually("the press", || site.count("/slow") > 0);
    let mut service = service;
    for life in 2..4 {
        service.running.signal(Signal::KILL);
        service.running.wait();
        service = Service::start(&bench, &brain, &["--set", "done_gate=off"]);
        service.steer(&run, "resume", &json!({})).expect(200);
        eventually("the brain to be asked again", || bench.read("seen").lines().count() == life);
        assert_eq!(retried(), 1, "in life {life}");
    }
    bench.write("finish", "");
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["result"]["plan"]["status"], "done", "{}", ended["result"]);
}
