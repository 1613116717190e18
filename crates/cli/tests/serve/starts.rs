//! Where a run is to start: an address that can be seen to be wrong is refused before anything starts, in a sentence that
//! says what is wrong with it.

use serde_json::json;

use crate::bench::Bench;
use crate::service::Service;

const WRONG: &[(&str, &str)] = &[
    ("http://", "names no host"),
    ("http://[", "IPv6"),
    ("http://a b/", "characters"),
    ("http://127.0.0.1:99999/", "port"),
    ("http://user:pw@/", "names no host"),
];

#[test]
fn an_address_that_is_none_is_refused_and_what_is_wrong_with_it_is_said() {
    let bench = Bench::new();
    let brain = bench.script(&[]);
    let service = Service::start(&bench, &brain, &[]);
    let step = json!({"id": "a", "type": "act", "intent": "press it", "done_when": ["frame_changed"]});
    for (url, words) in WRONG {
        let plan = json!({"name": "p", "start_url": url, "steps": [step]});
        let requests = [
            ("/v1/cua", json!({"instruction": "x", "start_url": url, "detached": true})),
            ("/v1/cua", json!({"instruction": "x", "start_url": url, "allow": ["a.example"], "detached": true})),
            ("/v1/predict", json!({"plan": plan, "detached": true})),
        ];
        for (path, request) in requests {
            let error = service.post(path, &request).expect_error(400, "invalid_request");
            let said = error["error"]["message"].as_str().unwrap();
            assert!(said.contains("start_url") && !said.contains("pw@"), "{url}: {said}");
            assert!(said.contains(words) || path == "/v1/predict", "{url}: {said}");
        }
        let here = bench.surehand(&["run", "x", "--url", url, "--brain", &brain]);
        here.expect(2).expect_sentence(words);
    }
    // A long one would be in every list.
    let long = json!({"instruction": "x", "start_url": format!("http://a.example/{}", "x".repeat(9000))});
    let error = service.post("/v1/cua", &long).expect_error(400, "invalid_request");
    assert_eq!(error["error"]["message"], "start_url: it is longer than 8192 characters");
    let long = json!({"instruction": "x", "brain": format!("anthropic:{}", "x".repeat(9000))});
    assert!(service.post("/v1/cua", &long).expect_error(400, "invalid_request").to_string().len() < 1000);
    // Nobody has a token here, and the field that is wrong is the other one.
    let outside = json!({"instruction": "x", "start_url": "http://a.example/", "allow": ["http://x", "y"]});
    let error = service.post("/v1/cua", &outside).expect_error(403, "forbidden");
    let said = error["error"]["message"].as_str().unwrap();
    assert!(said.starts_with("allow: ") && !said.contains("token"), "{said}");
    assert_eq!(service.get("/v1/runs").expect(200)["runs"], json!([]));
}
