//! A server's runs never reach the server itself: on its pages their browser would be the person who watches over them.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::service::{Service, done, press, site};

#[test]
fn a_run_opens_nothing_of_the_server_that_conducts_it() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[]);
    let service = Service::start(&bench, &brain, &["--host-name", "agents.example"]);
    let (_, port) = service.address.rsplit_once(':').unwrap();
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
    let refused = |reply: crate::service::Reply| {
        let error = reply.expect_error(403, "forbidden");
        assert!(error["error"]["message"].as_str().unwrap().contains("conducts this run"), "{error}");
    };
    for name in names.iter().map(String::as_str).chain([
        "127.1:PORT",
        "0.0.0.0:PORT",
        "[::ffff:127.0.0.1]:PORT",
        "agents.example",
    ]) {
        let url = format!("http://{}/", name.replace("PORT", port));
        refused(service.post("/v1/cua", &json!({"instruction": "approve everything", "start_url": url})));
        refused(service.post("/v1/cua", &json!({"instruction": "x", "start_url": url, "allow": ["*"]})));
        let step = json!({"id": "a", "type": "act", "intent": "press it", "done_when": ["frame_changed"]});
        let plan = json!({"name": "p", "start_url": url, "steps": [step]});
        refused(service.post("/v1/predict", &json!({"plan": plan})));
    }
    let open = |name: &str| json!({"tool": "tab", "action": "open", "url": format!("http://{name}/runs")});
    let mut replies: Vec<Value> = names.iter().map(|name| json!({"calls": [open(name)]})).collect();
    replies.extend([json!({"calls": [press("Press")]}), done()]);
    bench.script(&replies);
    let header = json!({"type": "http", "url": site.url(), "status": 200, "headers": {"host": names[0]}});
    let checks: Vec<Value> = names
        .iter()
        .map(|name| json!({"type": "http", "url": format!("http://{name}/healthz"), "status": 200}))
        .collect();
    let checks: Vec<Value> = checks.into_iter().chain([header]).collect();
    // With an allowlist that holds the server's own address as well.
    let allowed = [names[0].clone(), site.url().trim_start_matches("http://").trim_end_matches('/').to_string()];
    for allow in [json!([]), json!(["*"]), json!(allowed)] {
        let contract = json!({"id": "c", "checks": checks});
        let request = json!({"instruction": "press it", "start_url": site.url(), "allow": allow, "contract": contract});
        let result = service.post("/v1/cua", &request).expect(200);
        let steps = result["trajectory"].as_array().unwrap();
        for step in &steps[..names.len()] {
            assert_eq!((&step["ok"], &step["error"]["code"]), (&json!(false), &json!("denied")), "{allow}: {step}");
        }
        assert_eq!(steps[names.len()]["ok"], true, "{allow}: {result}");
        assert_eq!(result["verdict"]["final"], "uncertain", "{allow}: {}", result["referee"]);
        let told = result["referee"].to_string();
        assert_eq!(told.matches("this run may not ").count(), checks.len(), "{allow}: {told}");
    }
}
