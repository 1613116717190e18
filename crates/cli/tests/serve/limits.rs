//! What a request may ask for: never more than the operator and the token's entry let it, and only what a run can keep.

use std::io::Read;
use std::net::TcpStream;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, patient_brain, press, site};
use crate::tokens::Tokens;

#[test]
fn a_request_takes_away_and_never_adds() {
    let bench = Bench::new();
    let mine = "sessions = [\"mine\"]\ndomains = [\"*.shop.example\", \"other.example\"]";
    let tokens = Tokens::new(&bench, &[("ci", "\"run\", \"read\"", mine), ("ops", "\"run\", \"unattended\"", "")]);
    let server_allows = "allow=*.shop.example,crm.example";
    let flags = ["--tokens", &tokens.file, "--set", server_allows, "--set", "max_cost=1", "--set", "timeout=10m"];
    let service =
        Service::start(&bench, "script:/no/such/file.json", &[&flags[..], &["--set", "confirm=all"]].concat());
    let ask = |who: &str, more: Value| {
        let mut request = json!({"instruction": "x", "start_url": "http://www.shop.example/"});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tokens.ask(&service, who, "POST", "/v1/cua", &request.to_string())
    };
    for (more, words) in [
        (json!({"allow": ["evil.example"]}), "evil.example"),
        (json!({"allow": ["*"]}), "more than"),
        (json!({"allow": ["www.shop.example", "crm.example"]}), "crm.example"),
        (json!({"allow": ["other.example"]}), "other.example"),
        (json!({"allow": ["a.shop.example"]}), "start_url"),
        (json!({"start_url": "http://crm.example/"}), "start_url"),
        (json!({"confirm": "risky"}), "confirm"),
        (json!({"confirm": "none"}), "unattended"),
        (json!({"session": "theirs"}), "session"),
    ] {
        let error = ask("ci", more.clone()).expect_error(403, "forbidden");
        assert!(error["error"]["message"].as_str().unwrap().contains(words), "{more}: {error}");
    }
    for (more, words) in [
        (json!({"max_cost": 0}), "max_cost"),
        (json!({"max_cost": 1.5}), "1 at most"),
        (json!({"max_time_minutes": 0}), "max_time_minutes"),
        (json!({"max_time_minutes": 11}), "10 at most"),
        (json!({"max_time_minutes": 1e300}), "max_time_minutes"),
        (json!({"max_time_minutes": 1e-12}), "less than a second"),
        (json!({"max_steps": 10001}), "max_steps"),
        (json!({"session": "../mine"}), "session name"),
        (json!({"record": false}), "record"),
        (json!({"allow": ["http://"]}), "allow"),
        (json!({"allow": ["169.254.169.254,www.shop.example"]}), "comma"),
        (json!({"output_schema": {"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}}), "so often"),
        (json!({"output_schema": {"type": "thing"}}), "output_schema"),
        (json!({"output_schema": {"$ref": "http://127.0.0.1:1/schema"}}), "output_schema"),
        (json!({"contract": {"id": "c", "checks": [{"type": "file", "root": "home", "path_glob": "x"}]}}), "home"),
        (
            json!({"contract": {"id": "c", "checks": [
                {"type": "sqlite", "db": "a.db", "sql": "SELECT $1('); ATTACH 'x' AS y; SELECT $2(')", "row_count": 0}]}}),
            "variable",
        ),
        (json!({"judge": "anthropic"}), "ANTHROPIC_API_KEY"),
        (json!({"brain": "openai"}), "OPENAI_API_KEY"),
    ] {
        let error = ask("ci", more.clone()).expect_error(400, "invalid_request");
        assert!(error["error"].to_string().contains(words), "{more}: {error}");
    }
    for (who, more) in [
        ("ci", json!({"allow": ["www.shop.example"], "max_cost": 0.5, "confirm": "all", "session": "mine"})),
        ("ops", json!({"start_url": "http://crm.example/", "confirm": "none", "max_time_minutes": 10})),
    ] {
        ask(who, more).expect_error(422, "not_run");
    }
}

#[test]
fn what_was_taken_once_stays_taken_whatever_the_operator_changes() {
    let bench = Bench::new();
    let brain = "script:/no/such/file.json";
    let ask = |service: &Service, key: &str| {
        let body = json!({"instruction": "x", "max_cost": 5, "detached": true}).to_string();
        service.ask("POST", "/v1/cua", &[("content-type", "application/json"), ("idempotency-key", key)], &body)
    };
    let service = Service::start(&bench, brain, &[]);
    let run = ask(&service, "one").expect(202)["run_id"].clone();
    service.until(run.as_str().unwrap(), &["failed"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    let service = Service::start(&bench, brain, &["--set", "max_cost=1"]);
    ask(&service, "two").expect_error(400, "invalid_request");
    assert_eq!(ask(&service, "one").expect(202)["run_id"], run);
}

#[test]
fn a_secret_goes_where_the_operator_bound_it_and_nowhere_else() {
    let bench = Bench::new();
    bench.write("pw", "correct horse battery");
    let file = format!("file:{}", bench.path("pw").display());
    let serve = ["serve", "--bind", "127.0.0.1:0", "--brain", "script:x.json", "--secret"];
    let refused = bench.surehand(&[&serve[..], &[&format!("pw={file}")]].concat());
    refused.expect(2).expect_sentence("pw");

    // A contract of the request would send it to a server of the request's choice.
    let theirs = PageServer::start(&[("/", Page::Html("<title>Theirs</title>")), ("/told", Page::Html("{}"))]);
    let brain = bench.script(&[json!({"calls": [{"tool": "done", "success": true, "summary": "it is done"}]})]);
    let service = Service::start(&bench, &brain, &["--secret", &format!("pw@https://bank.example={file}")]);
    let contract = json!({"id": "c", "checks": [{"type": "http", "url": format!("{}told", theirs.url()),
        "headers": {"authorization": "Bearer <secret:pw>"}, "json_path": "$.x", "exists": true}]});
    let request = json!({"instruction": "look", "start_url": theirs.url(), "secrets": ["pw"], "contract": contract});
    let reply = service.post("/v1/cua", &request);
    assert!(matches!(reply.status, 200 | 400), "{reply:?}");
    assert_eq!(theirs.count("/told"), 0, "{reply:?}");
}

#[test]
fn a_contract_asks_only_whom_the_run_may_reach() {
    let bench = Bench::new();
    let (theirs, inner) = (site(), PageServer::start(&[("/", Page::Html("{\"admin\": true}"))]));
    let brain = bench.script(&[
        json!({"calls": [{"tool": "tab", "action": "open", "url": "file:///etc/passwd"}]}),
        json!({"calls": [press("Press"), {"tool": "done", "success": true, "summary": "the button was pressed"}]}),
    ]);
    let service = Service::start(&bench, &brain, &[]);
    let own = theirs.url().trim_start_matches("http://").trim_end_matches('/').to_string();
    let check = |url: &str| json!({"type": "http", "url": url, "status": 200});
    let contract = json!({"id": "c", "checks": [check(&theirs.url()), check(&inner.url())]});
    let request = json!({"instruction": "press it", "start_url": theirs.url(), "allow": [own], "contract": contract});
    let result = service.post("/v1/cua", &request).expect(200);
    assert_eq!(inner.requests(), [] as [&str; 0], "{}", result["referee"]);
    assert_eq!(result["verdict"]["final"], "uncertain", "{}", result["referee"]);
    assert!(result["referee"].to_string().contains("may not ask there"), "{}", result["referee"]);
    let first = &result["trajectory"][0];
    assert_eq!((&first["ok"], &first["error"]["code"]), (&json!(false), &json!("denied")), "{first}");
}

#[test]
fn an_output_follows_its_schema_or_the_run_is_not_done() {
    let (bench, site) = (Bench::new(), site());
    let done = |output: Value| json!({"tool": "done", "success": true, "summary": "it was pressed", "output": output});
    let brain = bench.script(&[
        json!({"calls": [press("Press"), done(json!({"total": "four"}))]}),
        json!({"calls": [done(json!({"total": 4}))]}),
    ]);
    let service = Service::start(&bench, &brain, &[]);
    let schema = json!({"type": "object", "required": ["total"], "properties": {"total": {"type": "integer"}}});
    let request = json!({"instruction": "press it", "start_url": site.url(), "output_schema": schema});
    let result = service.post("/v1/cua", &request).expect(200);
    assert_eq!(result["done_rejections_by_reason"], json!({"output_not_as_asked": 1}), "{result}");
    assert_eq!((&result["success"], &result["output"]), (&json!(true), &json!({"total": 4})));
    assert_eq!(result["task"], "press it", "the schema is for the brain");
}

#[test]
fn one_caller_waits_for_so_many_runs_and_others_are_served_meanwhile() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let body = json!({"instruction": "press it", "start_url": site.url()}).to_string();
    let headers = [("content-type", "application/json"), ("idempotency-key", "one")];
    let mut waiting: Vec<_> = (0..129).map(|_| service.send("POST", "/v1/cua", &headers, &body)).collect();
    let mut one_too_many = None;
    eventually("one of them to be sent away", || {
        one_too_many = waiting.iter().position(has_an_answer);
        one_too_many.is_some()
    });
    let mut answer = String::new();
    waiting.remove(one_too_many.unwrap()).read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 429 ") && answer.contains("too_many_waiting"), "{answer}");
    assert!(!waiting.iter().any(has_an_answer), "the others wait");
    service.get("/v1/queue").expect(200);
    bench.write("finish", "");
    drop(waiting);
    assert_eq!(
        service.get("/v1/runs").expect(200)["runs"].as_array().unwrap().len(),
        1,
        "all of them wait for one run"
    );
}

fn has_an_answer(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let seen = stream.peek(&mut [0]).is_ok();
    stream.set_nonblocking(false).unwrap();
    seen
}
