//! The smaller commands: doctor, sites, completions, help, and what is said about variables.

use std::io::{Read, Write};

use rustix::process::Signal;
use serde_json::Value;

use crate::bench::Bench;

#[test]
fn the_doctor_finds_everything_here() {
    let bench = Bench::new();
    let json = bench.surehand(&["doctor", "--json"]);
    json.expect(0);
    let checks = json.lines();
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in ["data folder", "temporary files", "browser", "browser starts", "fonts"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for check in &checks {
        assert!(["ok", "warning"].contains(&check["state"].as_str().unwrap()), "{check}");
        assert!(!check["detail"].as_str().unwrap().is_empty(), "{check}");
        assert_eq!(check["fix"].is_string(), check["state"] != "ok", "{check}");
    }
    let words = bench.surehand(&["doctor"]);
    words.expect(0);
    for name in names {
        let lines = words.stdout.lines().filter(|line| line.get(9..).is_some_and(|rest| rest.starts_with(name)));
        assert!(
            lines.count() > 0,
            "{name}:
{}",
            words.stdout
        );
    }
    bench.expect_nothing_left();
}

#[test]
fn the_doctor_says_what_is_broken_and_how_to_mend_it() {
    let bench = Bench::new();
    let mut command = bench.command(&["doctor", "--json"]);
    command.env("SUREHAND_CHROMIUM", "/nonexistent");
    let ended = bench.start_command(command).wait();
    ended.expect(4);
    let broken: Vec<Value> = ended.lines().into_iter().filter(|check| check["state"] == "broken").collect();
    let names: Vec<&str> = broken.iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["browser", "browser starts"]);
    assert!(broken.iter().all(|check| check["fix"].as_str().unwrap().contains("SUREHAND_CHROMIUM")));
}

#[test]
fn completions_are_printed_for_the_common_shells() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        let ended = bench.surehand(&["completions", shell]);
        ended.expect(0);
        for word in ["surehand", "doctor", "max-steps"] {
            assert!(ended.stdout.contains(word), "{shell}: {word}");
        }
    }
    bench.surehand(&["completions", "abacus"]).expect(2);
}

#[test]
fn sites_are_listed_and_served() {
    let bench = Bench::new();
    let list = bench.surehand(&["sites"]);
    assert!(list.expect(0).stdout.lines().any(|line| line.starts_with("crm ")), "{}", list.stdout);
    bench.surehand(&["sites", "no-such-site"]).expect(2).expect_sentence("no-such-site");

    let mut running = bench.start(&["sites", "crm", "--json"]);
    running.wait_for("\n");
    let line: Value = serde_json::from_str(running.stdout().trim()).unwrap();
    let address = line["url"].as_str().unwrap().strip_prefix("http://").unwrap().trim_end_matches('/').to_string();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /__state HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"contacts\""));
    running.signal(Signal::INT);
    running.wait().expect(0);
}

#[test]
fn every_command_shows_an_example() {
    let bench = Bench::new();
    let help = bench.surehand(&["--help"]);
    help.expect(0);
    let commands = help.stdout.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let names: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for name in ["demo", "run", "tools", "report", "runs", "sites", "doctor", "completions"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for name in names.into_iter().filter(|name| *name != "help") {
        let ended = bench.surehand(&[name, "--help"]);
        ended.expect(0);
        let example = ended.stdout.split_once("Example").map(|(_, after)| after.to_string()).unwrap_or_default();
        assert!(example.contains(&format!("surehand {name}")), "{name}:\n{}", ended.stdout);
    }
    assert!(bench.surehand(&["--version"]).expect(0).stdout.starts_with("surehand "));
}

#[test]
fn variables_that_are_unknown_are_only_warned_about() {
    let bench = Bench::new();
    let mut command = bench.command(&["runs", "ls", "--json"]);
    command.env("SUREHAND_FOO", "1").env("SUREHAND_MAX_STEP", "2");
    let ended = bench.start_command(command).wait();
    ended.expect(0);
    assert_eq!(ended.stdout, "");
    assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
    for name in ["SUREHAND_FOO", "SUREHAND_MAX_STEP is not a known variable (nearest: SUREHAND_MAX_STEPS)"] {
        assert!(ended.stderr.contains(&format!("surehand: warning: {name}")), "{}", ended.stderr);
    }
}

#[test]
fn an_output_that_nobody_reads_is_no_crash() {
    let (bench, server) = (Bench::new(), crate::pages::PageServer::with("<!doctype html><title>Plain</title>"));
    let (script, url) = (bench.script(&[crate::crm::done(true)]), server.url());
    let run = ["run", "a task", "--url", &url, "--brain", &script];
    let run_json = ["run", "a task", "--url", &url, "--brain", &script, "--json"];
    for arguments in [
        &run[..],
        &run_json,
        &["report", "last"],
        &["report", "last", "--json"],
        &["runs", "ls"],
        &["runs", "show", "last"],
        &["sites"],
        &["completions", "bash"],
        &["doctor", "--json"],
        &["--help"],
    ] {
        let ended = bench.start_unread(arguments).wait();
        let said = &ended.stderr;
        assert!(!said.contains("panicked") && ended.code != Some(101), "{arguments:?} ({:?}):\n{said}", ended.code);
    }
    bench.expect_nothing_left();
}

#[test]
fn settings_come_from_file_variable_and_flag_in_this_order() {
    let bench = Bench::new();
    let script = bench.script(&[crate::crm::done(true)]);
    bench.write("surehand.toml", "max_steps = 11\npace = \"human\"\nsettle_cap = 1.5\n");
    let mut command = bench.command(&["run", "a task", "--json", "--brain", &script, "--set", "settle_cap=2s"]);
    command.env("SUREHAND_MAX_STEPS", "12");
    let ended = bench.start_command(command).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!(ended.events("run_started")[0]["max_steps"], 12);
    assert_eq!(result["toggles"]["pace"], "human");
    assert_eq!(result["toggles"]["max_steps"], "12");

    bench.write("surehand.toml", "max_stepz = 11\n");
    bench.surehand(&["runs", "ls"]).expect(2).expect_sentence("max_stepz");
}
