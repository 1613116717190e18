//! Webhooks: signed, tried again, kept across a restart, and never to an address that nobody meant.

use std::net::TcpListener;

use rustix::process::Signal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::bench::{Bench, eventually};
use crate::receiver::Receiver;
use crate::service::Service;

const SECRET: &str = "a secret of the server, long enough";

/// HMAC by its definition, apart from the one in the product.
fn hmac(key: &[u8], message: &[u8]) -> String {
    let mut block = [0_u8; 64];
    block[..key.len()].copy_from_slice(key);
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn header(head: &str, name: &str) -> String {
    let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("no {name} in {head}")).to_string()
}

fn secret(bench: &Bench) -> String {
    format!("file:{}", bench.write("secret", &format!("{SECRET}\n")).display())
}

fn hook(service: &Service, run: &str) -> Value {
    service.run(run)["webhooks"][0].clone()
}

#[test]
fn a_webhook_is_signed_tried_again_and_delivered_after_a_restart() {
    let bench = Bench::new();
    let receiver = Receiver::start("127.0.0.1:0", &["503 Busy", "302 Found\r\nlocation: /elsewhere", "204 Thanks"]);
    let secret = secret(&bench);
    let flags = ["--webhook-secret", &secret, "--webhook-private"];
    // A brain that cannot be opened: the run fails before there is a browser.
    let service = Service::start(&bench, "script:/no/such/file.json", &flags);
    let run = service.submit(&json!({"instruction": "x", "webhook": {"url": receiver.url()}}));
    eventually("the third try", || receiver.heard().len() == 3);
    eventually("it to be noted", || hook(&service, &run)["state"] == "delivered");
    let state = hook(&service, &run);
    assert_eq!((&state["event"], &state["tries"], &state["next_try_at"]), (&json!("failed"), &json!(3), &Value::Null));
    assert!(state["url"].as_str().unwrap().ends_with("/hook"), "its key is not shown: {state}");

    let heard = receiver.heard();
    let (head, body) = &heard[2];
    assert!(head.starts_with("POST /hook?key=hidden HTTP/1.1"), "{head}");
    assert_eq!(header(head, "surehand-event"), "failed");
    let signature = header(head, "surehand-signature");
    let (at, tag) = signature.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
    assert_eq!(tag, hmac(SECRET.as_bytes(), format!("{at}.{body}").as_bytes()));
    assert!(heard.iter().all(|(_, other)| other == body), "the same body at every try");
    let told: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&told["event"], &told["run"]["run_id"]), (&json!("failed"), &json!(run)));
    assert!(told["run"]["words"].as_str().unwrap().contains("/no/such/file.json"), "{told}");
    let metrics = service.get("/metrics").body;
    assert!(metrics.contains("surehand_webhooks_total{status=\"delivered\"} 1"), "{metrics}");
    assert!(metrics.contains("surehand_webhooks_total{status=\"failed\"} 2"), "{metrics}");

    // Nobody listens there until the server is another one.
    let place = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let run = service
        .submit(&json!({"instruction": "x", "webhook": {"url": format!("http://{place}/"), "events": ["failed"]}}));
    let unwanted = service
        .submit(&json!({"instruction": "x", "webhook": {"url": format!("http://{place}/"), "events": ["ended"]}}));
    eventually("a try in vain", || hook(&service, &run)["tries"].as_u64() > Some(0));
    assert_eq!(hook(&service, &run)["state"], "due");
    eventually("the other to be dropped", || service.run(&unwanted).get("webhooks").is_none());
    service.running.signal(Signal::KILL);
    service.running.wait();
    let receiver = Receiver::start(&place.to_string(), &["200 OK"]);
    let service = Service::start(&bench, "script:/no/such/file.json", &flags);
    eventually("the delivery", || hook(&service, &run)["state"] == "delivered");
    assert_eq!(receiver.heard().len(), 1);
}

#[test]
fn webhooks_go_nowhere_that_nobody_meant() {
    let bench = Bench::new();
    let refused = |flags: &[&str], words: &str| {
        let all = [&["serve", "--bind", "127.0.0.1:0", "--brain", "script:x"], flags].concat();
        bench.surehand(&all).expect(2).expect_sentence(words);
    };
    let short = format!("file:{}", bench.write("short", "guess me").display());
    let secret = secret(&bench);
    refused(&["--webhook-secret", "env:NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE, which is not set");
    refused(&["--webhook-secret", "perhaps the secret itself"], "has no source");
    refused(&["--webhook-secret", &short], "shorter than");
    refused(&["--webhook-secret", &secret, "--webhook", "http://10.0.0.1/"], "public network");

    let receiver = Receiver::start("127.0.0.1:0", &["200 OK"]);
    let ask = |service: &Service, url: &str| {
        service.post("/v1/cua", &json!({"instruction": "x", "detached": true, "webhook": {"url": url}}))
    };
    let without = Service::start(&bench, "script:/no/such/file.json", &[]);
    let error = ask(&without, "https://hooks.example/").expect_error(400, "invalid_request");
    assert!(error["error"]["hint"].as_str().unwrap().contains("--webhook-secret"));
    without.running.signal(Signal::TERM);
    without.running.wait();

    let service = Service::start(&bench, "script:/no/such/file.json", &["--webhook-secret", &secret]);
    let port = receiver.address.port();
    for wrong in [
        &*receiver.url(),
        &format!("http://[::ffff:127.0.0.1]:{port}/"),
        &format!("http://2130706433:{port}/"),
        "http://169.254.169.254/latest/",
        "ftp://hooks.example/",
        "https://me:pw@hooks.example/",
        "",
    ] {
        ask(&service, wrong).expect_error(400, "invalid_request");
    }
    assert_eq!(service.get("/v1/runs").expect(200)["runs"], json!([]));
    // A name is looked up when it is needed, and what it stands for is judged then.
    let run = ask(&service, &format!("http://localhost:{port}/")).expect(202)["run_id"].as_str().unwrap().to_string();
    eventually("a try", || hook(&service, &run)["tries"].as_u64() > Some(0));
    let words = hook(&service, &run)["words"].as_str().unwrap().to_string();
    assert!(words.contains("not an address of the public network"), "{words}");
    assert_eq!(receiver.heard().len(), 0, "nobody was asked");
}

#[test]
fn a_receiver_that_never_answers_holds_up_nobody_else() {
    let bench = Bench::new();
    // It takes connections and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let slow = format!("http://{}/", silent.local_addr().unwrap());
    let good = Receiver::start("127.0.0.1:0", &["204 Thanks"]);
    let flags = ["--webhook-secret", &secret(&bench), "--webhook-private"];
    let service = Service::start(&bench, "script:/no/such/file.json", &flags);
    let submit = |url: &str| service.submit(&json!({"instruction": "x", "webhook": {"url": url}}));
    let held: Vec<String> = (0..20).map(|_| submit(&slow)).collect();
    for run in &held {
        service.until(run, &["failed"]);
    }
    let run = submit(&good.url());
    eventually("the one that answers to be told", || hook(&service, &run)["state"] == "delivered");
    let tried = held.iter().filter(|run| hook(&service, run)["tries"].as_u64() > Some(0)).count();
    assert!(tried <= 4, "{tried} tries at the silent one were over before");
}
