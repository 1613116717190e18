//! The audit log of real runs: what is in it, and what becomes of it when somebody tampers with it.

use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::PageServer;

const PAGE: &str =
    "<!doctype html><title>Plain</title><button style='position:fixed;inset:0;width:100%'>Continue</button>";

fn short_run(bench: &Bench) -> Value {
    let server = PageServer::with(PAGE);
    let brain = bench.script(&[
        json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [500, 500]}]}),
        json!({"calls": [{"tool": "done", "success": false, "summary": "that is all"}]}),
    ]);
    bench.run(&server.url(), &brain, &["--max-steps", "7"]).expect_end(1, "done_failed")
}

fn file(bench: &Bench) -> PathBuf {
    bench.data().join("audit/audit.jsonl")
}

fn lines(bench: &Bench) -> Vec<String> {
    std::fs::read_to_string(file(bench)).unwrap().lines().map(str::to_string).collect()
}

fn put(bench: &Bench, lines: &[String]) {
    std::fs::write(file(bench), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

/// The faults that `audit verify` names.
fn faults(bench: &Bench, code: i32) -> Vec<String> {
    let ended = bench.surehand(&["audit", "verify", "--json"]);
    ended.expect(code);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["ok"], code == 0);
    report["problems"].as_array().unwrap().iter().map(|one| one["fault"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_run_is_in_the_log_and_the_log_is_in_the_run() {
    let bench = Bench::new();
    bench.surehand(&["audit", "verify"]).expect(0);
    let result = short_run(&bench);
    let written: Vec<Value> = lines(&bench).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| written.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<Value>>();
    assert_eq!(of("run_start")[0]["confirm"], "risky");
    let steps: Vec<Value> = of("decision").iter().map(|line| line["rule"].clone()).collect();
    assert_eq!(steps, [json!("default"), json!("default")], "allowed ones too");
    let flag = of("setting").into_iter().find(|line| line["name"] == "max_steps").unwrap();
    assert_eq!((&flag["value"], &flag["source"]), (&json!("7"), &json!("flag")));
    let end = of("run_end")[0].clone();
    assert_eq!(result["audit"], json!({"seq": end["seq"], "hash": end["hash"]}));
    let verified = bench.surehand(&["audit", "verify"]);
    assert_eq!(verified.expect(0).stdout, format!("ok: {} lines, compared with 1 runs\n", written.len()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(file(&bench)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // Removing the run leaves the log as it is.
    bench.surehand(&["runs", "rm", "last"]).expect(0);
    assert_eq!(lines(&bench).len(), written.len());
    bench.surehand(&["audit", "verify"]).expect(0);
    let shown = bench.surehand(&["audit", "show", "--run", result["run_id"].as_str().unwrap(), "-n", "2"]);
    assert_eq!(shown.expect(0).stdout.lines().count(), 2, "{}", shown.stdout);
    let shown = bench.surehand(&["audit", "show", "--json", "-n", "1"]);
    assert_eq!(shown.lines()[0]["kind"], "run_end");
}

#[test]
fn tampering_is_found_and_named() {
    let bench = Bench::new();
    short_run(&bench);
    let whole = lines(&bench);
    let tampered = |change: &dyn Fn(&mut Vec<String>)| {
        let mut changed = whole.clone();
        change(&mut changed);
        put(&bench, &changed);
        faults(&bench, 1)
    };
    assert_eq!(tampered(&|lines| lines[1] = lines[1].replacen("flag", "none", 1))[0], "edited");
    assert_eq!(tampered(&|lines| drop(lines.remove(1)))[0], "missing");
    assert!(tampered(&|lines| lines.swap(1, 2)).contains(&"reordered".to_string()));
    assert_eq!(tampered(&|lines| drop(lines.pop())), ["truncated", "truncated"], "by the head and by the run");
    // Even with the head file gone along, the run knows.
    let head = bench.data().join("audit/head.json");
    let kept = std::fs::read(&head).unwrap();
    std::fs::remove_file(&head).unwrap();
    assert!(tampered(&|lines| drop(lines.pop())).contains(&"truncated".to_string()));
    std::fs::write(&head, kept).unwrap();
    put(&bench, &whole);
    assert_eq!(faults(&bench, 0), Vec::<String>::new());
    // A cut end stays visible after the next run.
    put(&bench, &whole[..whole.len() - 2]);
    short_run(&bench);
    assert!(faults(&bench, 1).contains(&"truncated".to_string()));
}

#[test]
fn a_killed_run_leaves_a_log_that_goes_on() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = bench.script(&[json!({"calls": [{"tool": "wait", "seconds": 60}]})]);
    let mut running = bench.start_run(&server.url(), &brain, &[]);
    running.wait_for("call_started");
    running.signal(Signal::KILL);
    drop(running);
    // As if it had been in the middle of a line.
    let mut text = std::fs::read_to_string(file(&bench)).unwrap();
    let next = format!("{{\"v\":1,\"seq\":{}", text.lines().count() + 1);
    text.push_str(&next);
    std::fs::write(file(&bench), text).unwrap();
    let ended = bench.surehand(&["audit", "verify"]);
    assert!(ended.expect(0).stdout.contains("note: the last line was left unfinished"), "{}", ended.stdout);
    short_run(&bench);
    let ended = bench.surehand(&["audit", "verify"]);
    let told = format!("was left unfinished ({} bytes), and the log went on", next.len());
    assert!(ended.expect(0).stdout.contains(&told), "{}", ended.stdout);
    assert!(lines(&bench).iter().any(|line| line.contains("\"kind\":\"recovered\"")));
}

#[test]
fn two_runs_at_once_share_one_chain() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = bench.script(&[
        json!({"calls": [{"tool": "tab", "action": "view"}, {"tool": "tab", "action": "list"}]}),
        json!({"calls": [{"tool": "done", "success": false, "summary": "that is all"}]}),
    ]);
    let both = [bench.start_run(&server.url(), &brain, &[]), bench.start_run(&server.url(), &brain, &[])];
    for running in both {
        running.wait().expect_end(1, "done_failed");
    }
    let verified = bench.surehand(&["audit", "verify"]);
    assert!(verified.expect(0).stdout.contains("compared with 2 runs"), "{}", verified.stdout);
}
