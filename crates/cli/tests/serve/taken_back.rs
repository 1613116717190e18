//! Runs that rest, and that nobody wants any more: put away, interrupted, or in the queue again.

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::receiver::Receiver;
use crate::service::{Service, done, patient_brain, press, site};

/// The sum over all of `surehand_runs_total`.
fn counted(service: &Service) -> u64 {
    let text = service.get("/metrics").body;
    let lines = text.lines().filter(|line| line.starts_with("surehand_runs_total{"));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn a_run_that_was_put_away_can_be_cancelled_and_does_not_go_on() {
    let (bench, site) = (Bench::new(), site());
    let receiver = Receiver::start("127.0.0.1:0", &["204 Thanks"]);
    let secret = format!("file:{}", bench.write("secret", "a secret of the server, long enough\n").display());
    let flags = ["--set", "hold_limit=1s", "--webhook-secret", &secret, "--webhook-private"];
    let service = Service::start(&bench, &patient_brain(&bench), &flags);
    let request = json!({"instruction": "press it", "start_url": site.url(), "webhook": {"url": receiver.url()}});
    let run = service.submit(&request);
    eventually("the first press", || site.count("/pressed") == 1);
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["put_away"]);
    eventually("it to be written down", || service.run(&run)["words"].is_string());
    let taken = service.steer(&run, "cancel", &json!({})).expect(200);
    assert_eq!(taken["status"], "cancelled");
    let view = service.run(&run);
    assert_eq!((&view["status"], &view["termination_reason"]), (&json!("cancelled"), &json!("cancelled")), "{view}");
    assert_eq!(view["words"], "cancelled before it went on (local)");
    assert!(view["steps"].as_u64().unwrap() >= 1 && view["ended_at"].is_string(), "what it did is there: {view}");
    let listed = service.get("/v1/runs?status=cancelled").expect(200);
    assert_eq!(listed["runs"][0]["run_id"], run.as_str());
    assert!(service.get(&format!("/v1/runs/{run}/report")).body.contains("Press"));
    let audit = bench.surehand(&["audit", "show", "--json"]).stdout;
    let end = audit.lines().rfind(|line| line.contains("run_end")).unwrap();
    assert!(end.contains(&run) && end.contains("\"by\":\"local\""), "{end}");
    eventually("its end to be told", || receiver.heard().len() == 1);
    assert!(receiver.heard()[0].1.contains("\"event\":\"cancelled\""), "{:?}", receiver.heard());
    assert_eq!(counted(&service), 1);
    for wish in ["resume", "cancel"] {
        service.steer(&run, wish, &json!({})).expect_error(409, "not_running");
    }
}

#[test]
fn a_run_that_waits_for_a_word_is_not_said_to_go_on() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let run = service.submit(&json!({"instruction": "delete it", "start_url": site.url()}));
    service.until(&run, &["waiting"]);
    let told = service.steer(&run, "resume", &json!({})).expect(200);
    assert_eq!(told["status"], "waiting");
    assert!(told["message"].as_str().unwrap().contains("approve, deny or answer"), "{told}");
    service.steer(&run, "cancel", &json!({})).expect(200);
}

#[test]
fn a_run_that_a_kill_interrupted_can_be_cancelled_and_one_that_never_ran_is_counted() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let (run, waiting) = (service.submit(&request), service.submit(&request));
    eventually("the first step", || service.run(&run)["steps"] == 1);
    service.running.signal(Signal::KILL);
    service.running.wait();

    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    assert_eq!(service.run(&run)["status"], "interrupted");
    service.until(&waiting, &["running"]);
    // It waits for its turn again, and is still one that has begun.
    service.steer(&run, "resume", &json!({})).expect(200);
    let again: Vec<_> = std::thread::scope(|scope| {
        let wish = || service.steer(&run, "resume", &json!({})).expect(200);
        let wishes: Vec<_> = (0..4).map(|_| scope.spawn(wish)).collect();
        wishes.into_iter().map(|wish| wish.join().unwrap()).collect()
    });
    let again = &again[0];
    assert_eq!((&again["status"], service.run(&run)["status"].as_str()), (&json!("queued"), Some("queued")), "{again}");
    let cancel = json!({"action": "cancel", "run_id": run});
    assert_eq!(service.post("/v1/predict", &cancel).expect(200)["status"], "cancelled");
    let view = service.run(&run);
    assert_eq!((&view["status"], &view["steps"]), (&json!("cancelled"), &json!(1)), "{view}");
    assert_eq!(view["words"], "cancelled before it went on (local)");
    let never = service.submit(&request);
    let begins = service.steer(&never, "resume", &json!({})).expect_error(409, "not_running");
    assert!(begins["error"]["message"].as_str().unwrap().contains("begins by itself"), "{begins}");
    service.steer(&never, "cancel", &json!({})).expect(200);
    assert_eq!(service.run(&never)["words"], "cancelled before it began (local)");
    assert_eq!(counted(&service), 2);
    bench.write("finish", "");
    service.until(&waiting, &["ended"]);
    assert_eq!(service.run(&run)["status"], "cancelled");
    assert_eq!(counted(&service), 3);
}
