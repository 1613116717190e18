//! Who is let in, and what is not: hosts, origins, tokens, scopes, sizes, methods.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::bench::Bench;
use crate::service::{Service, done};
use crate::tokens::{Tokens, token};

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn foreign_hosts_origins_methods_and_bodies_are_refused_in_one_shape() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:x.json", &["--host-name", "Agents.example:7777"]);
    let get = |headers: &[(&str, &str)]| service.ask("GET", "/v1/runs", headers, "");
    get(&[("host", "evil.example")]).expect_error(421, "wrong_host");
    get(&[("host", "agents.example:7777")]).expect(200);
    get(&[("origin", "http://evil.example")]).expect_error(403, "foreign_origin");
    get(&[("origin", "null")]).expect_error(403, "foreign_origin");
    let own = format!("http://{}", service.address);
    get(&[("origin", &own), ("origin", "http://evil.example")]).expect_error(403, "foreign_origin");
    get(&[("x-long", &"x".repeat(40 * 1024))]).expect_error(431, "head_too_large");
    get(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]).expect_error(403, "foreign_origin");
    get(&[("origin", &format!("http://{}", service.address))]).expect(200);
    service.get("/v1/nothing").expect_error(404, "not_found");
    service.get("/v1/runs/no-such-run").expect_error(404, "not_found");
    for odd in ["..%2f..%2fetc", "%FF", "%FF/events", "x/frames/%FE", "%00", "x%0d%0ay"] {
        service.get(&format!("/v1/runs/{odd}")).expect_error(404, "not_found");
    }
    service.get("/v1/lessons/%FF").expect_error(404, "not_found");
    service.ask("POST", "/v1/runs/%FF/pause", &[JSON], "{}").expect_error(404, "not_found");
    service.get("/v1/runs?limit=0").expect_error(400, "invalid_request");
    service.get("/v1/runs?limit=x").expect_error(400, "invalid_request");
    service.ask("DELETE", "/v1/runs", &[], "").expect_error(405, "method_not_allowed");
    service.ask("POST", "/v1/cua", &[("content-type", "text/plain")], "x").expect_error(415, "not_json");
    service.ask("POST", "/v1/cua", &[JSON], "{\"instruction\": ").expect_error(400, "invalid_request");
    for list in [" ", "\u{c}", "[]", " [\"do it\"]", "null", "\u{feff}{}"] {
        service.ask("POST", "/v1/cua", &[JSON], list).expect_error(400, "invalid_request");
    }
    // What is on the server's machine is nobody's business.
    for url in ["file:///etc/passwd", "FILE:///x", "view-source:http://x/", "chrome://version", "data:text/html,x", "x"]
    {
        let body = json!({"instruction": "read it", "start_url": url}).to_string();
        let error = service.ask("POST", "/v1/cua", &[JSON], &body).expect_error(400, "invalid_request");
        assert!(error["error"]["message"].as_str().unwrap().contains("start_url"), "{error}");
    }
    let large = format!("{{\"instruction\": \"{}\"}}", "x".repeat(3 * 1024 * 1024));
    assert_eq!(service.ask("POST", "/v1/cua", &[JSON], &large).status, 413);
    let document = service.get("/openapi.json").expect(200);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let path = path.replace("{id}", "no-such-run").replace("{frame}", "1");
            let reply = service.ask(&method.to_uppercase(), &path, &[JSON], "");
            assert!(
                reply.status != 405 && !reply.body.contains("nothing at this address"),
                "{method} {path}: {reply:?}"
            );
        }
    }
}

#[test]
fn tokens_are_needed_beyond_this_machine_and_open_what_they_say() {
    let bench = Bench::new();
    let serve = ["serve", "--brain", "script:x.json"];
    let refused = bench.surehand(&[&serve[..], &["--bind", "0.0.0.0:0"]].concat());
    refused.expect(2).expect_sentence("there are no tokens");

    let made = bench.surehand(&["serve", "--new-token", "made"]);
    made.expect(0);
    let token = made.stderr.lines().find_map(|line| line.strip_prefix("The token, shown this once: ")).unwrap();
    let reader = "sh_a-token-for-reading-only";
    let hash: String = Sha256::digest(reader.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let entries = format!(
        "{}\n[[token]]\nname = \"reader\"\nsha256 = \"{hash}\"\nscopes = [\"read\"]\nrequests_per_minute = 3\nown_runs_only = true\n",
        made.stdout
    );
    let file = bench.write("tokens.toml", &entries);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let file = file.display().to_string();
    let open = bench.surehand(&[&serve[..], &["--bind", "127.0.0.1:0", "--tokens", &file]].concat());
    open.expect(2).expect_sentence("can be read by others");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();

    let service = Service::start(&bench, "script:x.json", &["--tokens", &file]);
    let ask = |path: &str, token: &str| service.ask("GET", path, &[("authorization", &format!("Bearer {token}"))], "");
    service.get("/healthz").expect(200);
    service.get("/v1/runs").expect_error(401, "unauthorized");
    ask("/v1/runs", "sh_something-that-is-wrong").expect_error(401, "unauthorized");
    ask("/v1/runs", token).expect(200);
    ask("/v1/runs", reader).expect(200);
    let headers = [JSON, ("authorization", &*format!("Bearer {reader}"))];
    let request = json!({"instruction": "x", "detached": true}).to_string();
    service.ask("POST", "/v1/cua", &headers, &request).expect_error(403, "forbidden");
    let headers = [JSON, ("authorization", &*format!("Bearer {token}"))];
    let unattended = json!({"instruction": "x", "detached": true, "confirm": "none"}).to_string();
    service.ask("POST", "/v1/cua", &headers, &unattended).expect_error(403, "forbidden");
    let run = service.ask("POST", "/v1/cua", &headers, &request).expect(202)["run_id"].as_str().unwrap().to_string();
    ask(&format!("/v1/runs/{run}"), token).expect(200);
    ask(&format!("/v1/runs/{run}"), reader).expect_error(404, "not_found");
    let last = ask("/v1/runs", reader);
    assert!(last.status == 429 && last.head.to_lowercase().contains("retry-after"), "{last:?}");
    assert!(!bench.surehand(&["runs", "ls", "--json"]).stdout.contains(token));
}

#[test]
fn whoever_mistypes_an_address_in_a_browser_gets_a_page_and_programs_get_their_error() {
    let bench = Bench::new();
    let tokens = Tokens::new(&bench, &[("reader", "\"read\"", "")]);
    let service = Service::start(&bench, "script:x.json", &["--tokens", &tokens.file]);
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    for path in ["/checks", "/runs/01abc/", "/lessons/xyz", "/metrics/x"] {
        let shown = service.ask("GET", path, &browser, "");
        let is_page = shown.head.contains("text/html") && shown.head.contains("trusted-types");
        assert!(shown.status == 404 && is_page && shown.body.contains("/ui/app.js"), "{path}: {shown:?}");
    }
    for path in ["/v1/runs", "/v1/nothing", "/v1", "/metrics"] {
        service.ask("GET", path, &browser, "").expect_error(401, "unauthorized");
    }
    service.ask("POST", "/checks", &browser, "").expect_error(401, "unauthorized");
    service.get("/checks").expect_error(401, "unauthorized");
    tokens.ask(&service, "reader", "GET", "/checks", "").expect_error(404, "not_found");
}

#[test]
fn who_may_not_do_something_is_told_that_first_and_a_header_that_comes_twice_is_refused() {
    let bench = Bench::new();
    let tokens = Tokens::new(&bench, &[("reader", "\"read\"", ""), ("ci", "\"run\"", "")]);
    let service = Service::start(&bench, "script:x.json", &["--tokens", &tokens.file]);
    for (method, path) in [("POST", "/v1/cua"), ("POST", "/v1/runs/x/answer"), ("PUT", "/v1/toggles")] {
        tokens.ask(&service, "reader", method, path, "{\"nonsense\": 1}").expect_error(403, "forbidden");
    }
    service.get("/v1/runs/x/answer").expect_error(401, "unauthorized");
    tokens.ask(&service, "reader", "GET", "/v1/cua", "").expect_error(405, "method_not_allowed");
    let own = format!("Bearer {}", token("ci"));
    for twice in [("authorization", own.as_str()), ("idempotency-key", "a")] {
        let headers = [JSON, ("authorization", own.as_str()), ("idempotency-key", "a"), twice];
        service.ask("POST", "/v1/cua", &headers, "{\"instruction\": \"x\"}").expect_error(400, "invalid_request");
    }
}

#[test]
fn a_server_that_could_make_no_run_says_so_at_once() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    let warnings = service.get("/readyz").expect(200)["warnings"].to_string();
    assert!(warnings.contains("one brain cannot be used") && !warnings.contains("/no/such"), "{warnings}");
    service.get("/healthz").expect(200);
    assert!(service.running.stderr().contains("warning: the brain script:/no/such"), "{}", service.running.stderr());
    let taken =
        bench.surehand(&["serve", "--bind", &service.address, "--data", &bench.path("other").display().to_string()]);
    assert!(taken.stderr.contains("hint: --set bind=127.0.0.1:0"), "{}", taken.stderr);
    let good = Service::restart(
        &bench,
        &bench.script(&[done()]),
        "127.0.0.1:0",
        &["--data", &bench.path("more").display().to_string()],
    );
    assert_eq!(good.get("/readyz").expect(200)["warnings"], json!([]));
}

#[test]
fn what_the_server_offers_is_for_those_who_may_read_or_run() {
    let bench = Bench::new();
    let tokens = Tokens::new(&bench, &[("hand", "\"control\"", ""), ("reader", "\"read\"", ""), ("ci", "\"run\"", "")]);
    let secret = format!("pw@https://bank.example=file:{}", bench.write("pw", "hush\n").display());
    let flags = ["--tokens", &tokens.file, "--secret", &secret, "--set", "judge_model=chat:eyes@http://127.0.0.1:1/v1"];
    let service = Service::start(&bench, "exec:sh brain.sh --key 4711", &flags);
    let instance = |who: &str| tokens.ask(&service, who, "GET", "/v1/instance", "").expect(200);
    let hand = instance("hand");
    assert_eq!(
        (&hand["scopes"], &hand["brains"], &hand["secrets"], &hand["judge"]),
        (&json!(["control"]), &json!([]), &json!([]), &serde_json::Value::Null)
    );
    for who in ["reader", "ci"] {
        let offered = instance(who);
        assert_eq!((&offered["secrets"], offered["brains"].as_array().map(Vec::len)), (&json!(["pw"]), Some(1)));
    }
}

#[test]
fn a_token_for_some_hosts_and_its_own_runs_is_told_so_before_anything_starts() {
    let bench = Bench::new();
    let carol = "domains = [\"crm.example\"]\nown_runs_only = true";
    let tokens = Tokens::new(&bench, &[("alice", "\"run\", \"read\"", ""), ("carol", "\"run\", \"read\"", carol)]);
    let service = Service::start(&bench, "script:/no/such/file.json", &["--tokens", &tokens.file]);
    let ask = |who: &str, url: &str| {
        let body = json!({"instruction": "x", "start_url": url}).to_string();
        tokens.ask(&service, who, "POST", "/v1/cua", &body)
    };
    let refused = ask("carol", "http://127.0.0.1:4501/").expect_error(403, "forbidden");
    assert!(refused["error"]["message"].as_str().unwrap().contains("may not go there"), "{refused}");
    assert!(refused["error"]["hint"].as_str().unwrap().contains("crm.example"), "{refused}");
    ask("carol", "https://crm.example/").expect_error(422, "not_run");
    for _ in 0..2 {
        ask("alice", "http://127.0.0.1:4501/").expect_error(422, "not_run");
    }
    let list = |who: &str| tokens.ask(&service, who, "GET", "/v1/runs?limit=1", "").expect(200);
    let own = list("carol");
    let theirs = list("alice")["runs"][0]["run_id"].as_str().unwrap().to_string();
    let before = |who: &str, id: &str| tokens.ask(&service, who, "GET", &format!("/v1/runs?before={id}"), "");
    let (foreign, unknown) = (before("carol", &theirs), before("carol", "01nothing"));
    assert_eq!((foreign.status, foreign.body), (400, unknown.body), "it is not told that there is such a run");
    before("alice", &theirs).expect(200);
    assert_eq!((&own["runs"][0]["owner"], &own["next"]), (&json!("carol"), &serde_json::Value::Null), "{own}");
    assert!(list("alice")["next"].is_string());
}
