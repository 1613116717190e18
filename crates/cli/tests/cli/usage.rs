//! What is wrong before a run begins: one sentence, the right exit code, and no run left behind.

use serde_json::json;

use crate::bench::Bench;
use crate::crm::done;
use crate::pages::{PageServer, closed_port};

const PAGE: &str = "<!doctype html><title>Plain</title>";

/// Runs with these arguments; the failure has this code and sentence, and nothing was recorded.
fn check(bench: &Bench, arguments: &[&str], code: i32, part: &str) {
    let mut all = vec!["run", "a task", "--json"];
    all.extend(arguments);
    bench.surehand(&all).expect(code).expect_sentence(part);
    assert_eq!(bench.rows(), Vec::<serde_json::Value>::new());
    bench.expect_nothing_left();
}

#[test]
fn a_malformed_script_names_its_line() {
    let bench = Bench::new();
    let good = json!({"calls": [{"tool": "tab", "action": "view"}]});
    for (text, part) in [
        (format!("{good}\n{good}\n{{\"calls\": [\n"), "line 3"),
        (format!("{good}\n{{\"calls\":[{{\"tool\":\"mouse\",\"action\":\"clack\"}}]}}\n"), "line 2"),
        (format!("[\n{good},\n{good}\n{good}]"), "line 4"),
        (format!("[{good},\n{{\"cals\": []}}]"), "line 2"),
    ] {
        let file = bench.write("script.json", &text);
        check(&bench, &["--brain", &format!("script:{}", file.display())], 2, part);
    }
}

#[test]
fn a_brain_that_cannot_be_is_a_usage_error() {
    let bench = Bench::new();
    for (brain, part) in [
        ("script:missing.json", "missing.json"),
        ("magic:x", "magic"),
        ("exec:", "names no command"),
        ("exec:no-such-program-anywhere --flag", "no-such-program-anywhere"),
    ] {
        check(&bench, &["--brain", brain], 2, part);
    }
    check(&bench, &[], 2, "no brain");
}

#[test]
fn wrong_settings_are_a_usage_error() {
    let bench = Bench::new();
    let script = bench.script(&[done(true)]);
    for (flags, part) in [
        (&["--set", "no_such_setting=1"][..], "no_such_setting"),
        (&["--set", "max_steps"], "NAME=VALUE"),
        (&["--set", "max_steps=many"], "max_steps"),
        (&["--max-steps", "0"], "max_steps"),
        (&["--timeout", "soon"], "timeout"),
        (&["--viewport", "wide"], "viewport"),
        (&["--session", "../up"], "../up"),
        (&["--upload-root", "no-such-folder"], "no-such-folder"),
    ] {
        let mut all = vec!["--brain", script.as_str()];
        all.extend(flags);
        check(&bench, &all, 2, part);
    }
}

#[test]
fn unknown_flags_and_commands_are_usage_errors() {
    let bench = Bench::new();
    for arguments in [&["run", "x", "--no-such-flag"][..], &["frobnicate"], &[], &["run"], &["report"]] {
        let ended = bench.surehand(arguments);
        ended.expect(2);
        assert_eq!(ended.stdout, "");
        assert!(ended.stderr.contains("Usage:"), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn a_data_folder_that_cannot_be_written_is_a_usage_error() {
    let bench = Bench::new();
    let script = bench.script(&[done(true)]);
    let file = bench.write("a-file", "not a folder");
    for arguments in [
        &["run", "a task", "--brain", script.as_str()][..],
        &["tools"],
        &["demo", "--json"],
        &["runs", "ls"],
        &["report", "last"],
    ] {
        let command = bench.command_in(&file.join("data"), arguments);
        bench.start_command(command).wait().expect(2).expect_sentence("a-file");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "not a folder");
    bench.expect_nothing_left();
}

#[test]
fn a_url_that_is_none_is_a_usage_error() {
    let bench = Bench::new();
    let script = bench.script(&[done(true)]);
    for url in ["not a url", "http://"] {
        check(&bench, &["--brain", &script, "--url", url], 2, url);
    }
}

#[test]
fn an_address_that_does_not_answer_is_exit_4() {
    let bench = Bench::new();
    let (script, url) = (bench.script(&[done(true)]), closed_port());
    check(&bench, &["--brain", &script, "--url", &url], 4, &url);
}

#[test]
fn a_browser_to_attach_to_that_is_not_there_is_exit_4() {
    let bench = Bench::new();
    let (script, url) = (bench.script(&[done(true)]), closed_port());
    check(&bench, &["--brain", &script, "--cdp", &url], 4, "cannot attach");
}

#[test]
fn no_browser_is_exit_4() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let script = bench.script(&[done(true)]);
    let run = ["run", "a task", "--brain", &script, "--url", &server.url()];
    for arguments in [&run[..], &["tools"], &["demo", "--json"]] {
        let mut command = bench.command(arguments);
        command.env("SUREHAND_CHROMIUM", "/nonexistent");
        let ended = bench.start_command(command).wait();
        ended.expect(4);
        assert!(ended.stderr.contains("surehand: no Chromium or Chrome was found"), "{}", ended.stderr);
        assert!(ended.stderr.contains("hint: "), "{}", ended.stderr);
    }
    assert_eq!(server.requests(), Vec::<String>::new());
    assert_eq!(bench.rows(), Vec::<serde_json::Value>::new());
}

#[test]
fn a_browser_that_dies_at_once_is_exit_4() {
    let bench = Bench::new();
    let program = bench.write("browser.sh", "#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let script = bench.script(&[done(true)]);
    let mut command = bench.command(&["run", "a task", "--brain", &script]);
    command.env("SUREHAND_CHROMIUM", &program);
    bench.start_command(command).wait().expect(4).expect_sentence("did not start");
    bench.expect_nothing_left();
}
