//! More runs than browsers, each followed by somebody; and a server that is killed again and again among them. The same
//! at full size: `cargo xtask bench serve`.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::service::{Service, done, press, site};

fn is_contiguous(events: &[(u64, String)]) -> bool {
    events.iter().map(|(number, _)| *number).eq(1..=events.len() as u64)
}

#[test]
fn a_crowd_of_runs_is_worked_off_in_order_and_every_follower_sees_every_event_once() {
    const RUNS: usize = 6;
    let (bench, site) = (Bench::new(), site());
    let press = json!({"calls": [press("Press")]});
    let brain = bench.script(&[press.clone(), press, done()]);
    let service = Service::start(&bench, &brain, &["--slots", "3"]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let runs: Vec<String> = (0..RUNS).map(|_| service.submit(&request)).collect();
    let followed: Vec<Vec<(u64, String)>> = std::thread::scope(|scope| {
        let follow = |run: &String| service.events(run, None, usize::MAX);
        let followers: Vec<_> = runs.iter().map(|run| scope.spawn(move || follow(run))).collect();
        followers.into_iter().map(|follower| follower.join().unwrap()).collect()
    });
    for events in &followed {
        assert!(is_contiguous(events) && events.last().unwrap().1 == "run_ended", "{events:?}");
    }
    let views: Vec<Value> = runs.iter().map(|run| service.until(run, &["ended"])).collect();
    assert!(views.iter().all(|view| view["success"] == true), "{views:?}");
    assert!(views.is_sorted_by_key(|view| view["started_at"].as_str().unwrap()), "{views:?}");
    assert_eq!(site.count("/pressed"), RUNS * 2, "none lost, none doubled");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
}

#[test]
fn a_server_that_is_killed_again_and_again_loses_no_run_and_no_event() {
    const RUNS: usize = 4;
    let (bench, site) = (Bench::new(), site());
    let press = json!({"calls": [press("Press")]});
    let brain = bench.script(&[press.clone(), press.clone(), press, done()]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let mut service = Service::start(&bench, &brain, &["--slots", "2"]);
    let runs: Vec<String> = (0..RUNS).map(|_| service.submit(&request)).collect();
    let mut told: Vec<Vec<(u64, String)>> = vec![Vec::new(); RUNS];
    // In a launch, at a run's first look, in steps: whenever so much has been written in all.
    for moment in [0, 3, 31, 57] {
        let all_written = || runs.iter().map(|run| written(&bench, run).len()).sum::<usize>();
        eventually("the moment to kill it", || all_written() >= moment);
        service.running.signal(Signal::KILL);
        service.running.wait();
        service = Service::start(&bench, &brain, &["--slots", "2"]);
        for (run, told) in runs.iter().zip(&mut told) {
            let known = written(&bench, run);
            assert!(known.starts_with(told), "{run} knew {told:?} and now {known:?}");
            *told = known;
            if service.run(run)["status"] == "interrupted" {
                service.steer(run, "resume", &json!({})).expect(200);
            }
        }
    }
    for (run, told) in runs.iter().zip(&told) {
        let view = service.until(run, &["ended"]);
        assert_eq!(view["success"], true, "{view}");
        let steps = view["result"]["trajectory"].as_array().unwrap().iter();
        let whole = steps.filter(|step| step["cut_off"] != true).count();
        assert_eq!(whole, 4, "a script goes on where it was: {view}");
        let events = service.events(run, None, usize::MAX);
        assert!(is_contiguous(&events) && events.starts_with(told), "{events:?}");
    }
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
}

/// What is on disk of a run's trace.
fn written(bench: &Bench, run: &str) -> Vec<(u64, String)> {
    let file = bench.data().join("runs").join(run).join("events.jsonl");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.map(|event| (event["seq"].as_u64().unwrap(), event["type"].as_str().unwrap().to_string())).collect()
}
