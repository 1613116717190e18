//! What somebody without a key tries first.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::service::Service;

#[test]
fn the_demo_asks_wants_a_word_and_deletes_what_it_was_told_to() {
    let bench = Bench::new();
    let service = Service::listening(bench.start(&["demo", "serve", "--json", "--set", "bind=127.0.0.1:0"]));
    let site: Value = serde_json::from_str(service.running.stdout().lines().next().unwrap()).unwrap();
    let run = service.submit(&json!({"instruction": "Delete the contact Priya Raman", "start_url": site["url"]}));
    let mut last = Value::Null;
    for (kind, wish, word) in [
        ("answer", "answer", json!({"text": "no, go on"})),
        ("approval", "approve", json!({})),
        ("approval", "approve", json!({})),
    ] {
        let mut question = Value::Null;
        eventually("the next question", || {
            question = service.run(&run)["question"].clone();
            !question.is_null() && question["id"] != last["id"]
        });
        assert_eq!(question["kind"], kind, "{question}");
        service.steer(&run, wish, &word).expect(200);
        last = question;
    }
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["success"], true, "{ended}");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.surehand(&["demo", "serve", "--headed"]).expect(2);
}
