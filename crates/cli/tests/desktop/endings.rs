//! Nothing stays: not after the input's end, not after a signal, not after `kill -9`.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::processes;
use crate::tools_client::Tools;

/// A desktop at work, whose application carries the mark on its command line.
fn at_work(bench: &Bench, mark: &str) -> Tools {
    let app = format!("(sleep 900; : {mark}) & exec xclock -name {mark}");
    let mut tools = Tools::start(bench, &["--desktop", "xvfb:400x300", "--app", &app]);
    assert_eq!(tools.ask(json!({"id": 1, "tool": "wait", "seconds": 0}))["ok"], true);
    assert!(processes::naming(mark).len() >= 2);
    assert!(bench.owners().len() >= 3, "{:?}", bench.owners());
    tools
}

#[test]
fn a_signal_ends_everything() {
    for signal in [Signal::INT, Signal::TERM] {
        let bench = Bench::new();
        let mark = format!("sh-desktop-{}-{}", std::process::id(), signal.as_raw());
        let tools = at_work(&bench, &mark);
        tools.signal(signal);
        assert_eq!(tools.ended_at_most(Duration::from_secs(15)).code, Some(130));
        assert_eq!(processes::naming(&mark), Vec::<u32>::new());
        assert_eq!(bench.owners(), []);
        bench.expect_nothing_left();
    }
}

#[test]
fn a_kill_leaves_nothing_for_long() {
    let bench = Bench::new();
    let mark = format!("sh-killed-{}", std::process::id());
    let tools = at_work(&bench, &mark);
    let owned = bench.owners();
    tools.signal(Signal::KILL);
    tools.ended();
    eventually("everything to be gone", || {
        processes::naming(&mark).is_empty() && owned.iter().all(|owner| !processes::is_alive(owner.browser))
    });
    // The files that are left go with the next start.
    Tools::start(&bench, &["--desktop", "xvfb:400x300"]).close().expect(0);
    assert_eq!(bench.owners(), []);
    bench.expect_nothing_left();
}

#[test]
fn a_display_that_dies_ends_a_run() {
    let bench = Bench::new();
    let script = bench.script(&[json!({"calls": [{"tool": "wait", "seconds": 60}]})]);
    let arguments = ["run", "Wait", "--desktop", "xvfb:400x300", "--app", "exec xclock", "--brain", &script, "--json"];
    let mut running = bench.start(&arguments);
    running.wait_for(r#""type":"call_started""#);
    let servers: Vec<u32> = bench
        .owners()
        .iter()
        .map(|owner| owner.browser)
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains("Xvfb"))
        })
        .collect();
    assert_eq!(servers.len(), 1);
    processes::signal_group(servers[0], Signal::KILL);
    let result = running.wait_at_most(Duration::from_secs(20)).expect_end(4, "env_error");
    assert!(result["error"].as_str().unwrap().contains("display"), "{result}");
    bench.expect_nothing_left();
}
