//! How a server ends: asked to, killed, or abandoned by whoever waited.

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::service::{Service, patient_brain, site};

#[test]
fn a_killed_server_is_followed_by_one_that_knows_what_was_lost_and_goes_on_with_the_rest() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let (first, second) = (service.submit(&request), service.submit(&request));
    eventually("the first press", || site.count("/pressed") == 1);
    let seen = service.events(&first, None, 5);
    service.running.signal(Signal::KILL);
    service.running.wait();

    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    assert_eq!(service.run(&first)["status"], "interrupted");
    assert_eq!(service.events(&first, None, 5), seen, "nothing that was told before is gone");
    assert_eq!(service.until(&second, &["ended"])["success"], true);
    eventually("the browser of the killed server to end", || bench.owners().is_empty());
    let refused = bench.surehand(&["serve", "--bind", "127.0.0.1:0", "--brain", &brain]);
    refused.expect(2).expect_sentence("another server works on");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
}

#[test]
fn a_server_that_is_asked_to_stop_puts_its_runs_away() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["paused"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
    let service = Service::start(&bench, &brain, &[]);
    let view = service.run(&run);
    assert_eq!((&view["status"], &view["termination_reason"]), (&json!("put_away"), &json!("paused")));
}

#[test]
fn a_run_that_nobody_waits_for_any_more_is_not_carried_on() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let body = json!({"instruction": "press it", "start_url": site.url()}).to_string();
    let waiting = service.send("POST", "/v1/cua", &[("content-type", "application/json")], &body);
    eventually("the first press", || site.count("/pressed") == 1);
    drop(waiting);
    let run = service.get("/v1/runs").expect(200)["runs"][0]["run_id"].as_str().unwrap().to_string();
    assert_eq!(service.until(&run, &["ended"])["termination_reason"], "cancelled");
}
