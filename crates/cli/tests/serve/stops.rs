//! A server that is asked to stop while a run is at something slow: the run is put away all the same, and goes on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, done, patient_brain, press, site};

/// Lines of the trace as they are on disk.
fn trace(bench: &Bench, run: &str) -> Vec<Value> {
    let text = bench.read(&format!("data/runs/{run}/events.jsonl"));
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn stop(service: Service) {
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
}

#[test]
fn a_run_that_waits_is_put_away_and_goes_on() {
    let (bench, site) = (Bench::new(), site());
    let wait = json!({"calls": [{"tool": "wait", "seconds": 60}]});
    let brain = bench.script(&[json!({"calls": [press("Press")]}), wait, json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the wait to begin", || {
        trace(&bench, &run).iter().any(|event| event["type"] == "call_started" && event["call"]["tool"] == "wait")
    });
    stop(service);
    assert_eq!(trace(&bench, &run).last().unwrap()["result"]["termination_reason"], "paused");

    let service = Service::start(&bench, &brain, &[]);
    let ended = service.until(&run, &["ended"]);
    assert_eq!((&ended["success"], site.count("/pressed")), (&json!(true), 2), "{}", ended["result"]);
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    assert!(steps[1]["message"].as_str().unwrap().contains("cut short"), "{}", steps[1]);
}

const JUDGE: &str = "/v1/chat/completions";

/// A visual judge that never answers, and the setting that names it.
fn slow_judge() -> (PageServer, String) {
    let judge = PageServer::start(&[(JUDGE, Page::Silent)]);
    let setting = format!("judge_model=chat:eyes@{}", judge.url().trim_end_matches('/').to_string() + "/v1");
    (judge, setting)
}

#[test]
fn a_run_whose_judge_has_not_said_yet_what_it_goes_by_is_put_away_and_goes_on() {
    let (bench, site, (judge, setting)) = (Bench::new(), site(), slow_judge());
    let brain = bench.script(&[json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", &setting]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the judge to be asked", || judge.count(JUDGE) > 0);
    stop(service);

    let service = Service::start(&bench, &brain, &[]);
    let ended = service.until(&run, &["ended"]);
    assert_eq!((&ended["success"], site.count("/pressed")), (&json!(true), 1), "{}", ended["result"]);
}

#[test]
fn a_run_whose_outcome_is_not_judged_in_time_is_judged_when_it_has_gone_on() {
    let (bench, site, (judge, setting)) = (Bench::new(), site(), slow_judge());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &["--set", &setting]);
    let contract = json!({"id": "pressed", "rubric": "The page says pressed.",
        "checks": [{"type": "dom", "selector": "button", "absent": false}]});
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url(), "contract": contract}));
    eventually("the press", || site.count("/pressed") == 1);
    bench.write("finish", "");
    eventually("the judge to be asked", || judge.count(JUDGE) > 0);
    stop(service);
    assert_eq!(trace(&bench, &run).last().unwrap()["result"]["termination_reason"], "paused");

    let service = Service::start(&bench, &brain, &[]);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["result"]["verdict"]["final"], "pass", "{}", ended["result"]);
}

#[test]
fn a_server_that_stops_answers_until_its_runs_are_put_away() {
    let (bench, site) = (Bench::new(), site());
    // The judge holds the run up for as long as the server has patience with it.
    let (judge, setting) = slow_judge();
    let brain = bench.script(&[json!({"calls": [press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", &setting]);
    let contract = json!({"id": "pressed", "rubric": "The page says pressed.",
        "checks": [{"type": "dom", "selector": "button", "absent": false}]});
    let request = json!({"instruction": "press it", "start_url": site.url(), "contract": contract});
    let run = service.submit(&request);
    eventually("the judge to be asked", || judge.count(JUDGE) > 0);
    service.running.signal(Signal::TERM);
    eventually("it to stop", || service.get("/readyz").status == 503);
    service.post("/v1/cua", &request).expect_error(503, "stopping");
    service.steer(&run, "pause", &json!({})).expect_error(503, "stopping");
    assert_eq!(service.run(&run)["run_id"], run.as_str());
    let last = std::thread::scope(|scope| {
        let followed = scope.spawn(|| service.events(&run, None, usize::MAX));
        service.steer(&run, "cancel", &json!({})).expect(200);
        followed.join().unwrap().pop()
    });
    assert_eq!(last.unwrap().1, "run_ended", "whoever follows it is told of its end");
    assert_eq!(service.running.wait().code, Some(0));
    let service = Service::start(&bench, &brain, &[]);
    assert_eq!(service.run(&run)["status"], "ended", "it does not go on, and nothing was left to be done of it");
}

#[test]
fn a_server_without_runs_stops_at_once_whoever_is_connected() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:x.json", &[]);
    let _silent = TcpStream::connect(&service.address).unwrap();
    let mut resting = TcpStream::connect(&service.address).unwrap();
    write!(resting, "GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", service.address).unwrap();
    resting.read_exact(&mut [0; 12]).unwrap();
    let before = Instant::now();
    stop(service);
    assert!(before.elapsed() < Duration::from_secs(4), "{:?}", before.elapsed());
}
