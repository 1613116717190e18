//! The page as it is now, for whoever works on it.

use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, patient_brain};

/// A page that turns black by itself some time after it was pressed, when no call is under way any more.
const LATE: &str = "<title>Late</title><body><button style='font-size:30px' onclick='fetch(\"/pressed\")'>Press</button>\
    <script>onkeydown = () => setTimeout(() => { document.body.style.background = 'black'; fetch('/turned'); }, 3000);</script>";

#[test]
fn what_the_page_does_by_itself_is_seen_by_whoever_has_it_in_hand_and_is_no_step() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(LATE)), ("/pressed", Page::Html("")), ("/turned", Page::Html(""))]);
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the first press", || site.count("/pressed") == 1);
    let now = format!("/v1/runs/{run}/now");
    service.get(&now).expect_error(409, "not_taken_over");
    service.get("/v1/runs/01aaaaaaaaaaaaaaaaaaaaaaaa/now").expect_error(404, "not_found");
    service.get(&format!("{now}?width=9")).expect_error(400, "invalid_request");
    service.steer(&run, "takeover", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["taken_over"]);
    let picture = || {
        let reply = service.get(&now);
        assert!(reply.status == 200 && reply.head.contains("image/jpeg"), "{}", reply.head);
        reply.body
    };
    service.steer(&run, "call", &json!({"tool": "keyboard", "action": "press", "key": "a"})).expect(200);
    let told = || bench.read(&format!("data/runs/{run}/events.jsonl")).lines().count();
    let (white, known) = (picture(), told());
    assert_eq!(site.count("/turned"), 0, "the page has not turned yet, or this test shows nothing");
    eventually("the page to turn", || site.count("/turned") == 1);
    eventually("the picture to turn", || picture() != white);
    assert!(service.get(&format!("{now}?width=320")).body.len() < white.len());
    assert_eq!(told(), known, "nothing is written down");
    let view = service.run(&run);
    bench.write("finish", "");
    service.steer(&run, "release", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    service.get(&now).expect_error(409, "not_taken_over");
    let by_hand = ended["result"]["trajectory"].as_array().unwrap().iter().filter(|step| step["by"] == "person");
    assert_eq!((by_hand.count(), &view["steps"]), (1, &json!(2)), "looking is no step");
}
