//! `surehand run --remote`: the server's run told at this terminal, across a restart of the server, and taken back by
//! Ctrl-C.

use std::io::Write as _;
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use crate::bench::{Bench, eventually};
use crate::service::{Service, done, patient_brain, press, site};
use crate::tokens::{Tokens, token};

#[test]
fn a_remote_run_is_told_like_a_local_one_and_outlives_a_restart_of_the_server() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let (address, url) = (service.address.clone(), format!("http://{}", service.address));
    let site_url = site.url();
    let arguments = ["run", "press it", "--url", &site_url, "--remote", &url];
    let told = bench.start(&arguments);
    let lines = bench.start(&[&arguments[..], &["--json", "--max-steps", "7", "--set", "done_gate=off"]].concat());
    eventually("both to press", || site.count("/pressed") == 2);
    eventually("a step to be told", || told.stderr().contains("step   1"));
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    eventually("the loss to be told", || told.stderr().contains("the connection is lost"));
    bench.write("finish", "");
    let service = Service::restart(&bench, &patient_brain(&bench), &address, &[]);

    let told = told.wait();
    told.expect(0);
    for words in ["the connection is there again", "step   2"] {
        assert!(told.stderr.contains(words), "{words}: {}", told.stderr);
    }
    for words in ["step   1", "the connection is there again", "the connection is lost"] {
        assert_eq!(told.stderr.matches(words).count(), 1, "{words}: {}", told.stderr);
    }
    assert!(!told.stderr.contains("does not go on"), "{}", told.stderr);
    assert!(
        told.stdout.contains("it says: the button was pressed")
            && told.stdout.contains("/runs/")
            && !told.stdout.contains("/v1/"),
        "{}",
        told.stdout
    );
    let lines = lines.wait();
    let result = lines.expect_end(0, "done");
    assert_eq!((&result["toggles"]["done_gate"], &result["toggles"]["max_steps"]), (&json!("off"), &json!("7")));
    let numbers: Vec<u64> = lines.lines().iter().filter_map(|line| line["seq"].as_u64()).collect();
    let kept = service.events(result["run_id"].as_str().unwrap(), None, usize::MAX);
    let kept: Vec<u64> = kept.into_iter().filter(|(_, kind)| kind != "run_ended").map(|(number, _)| number).collect();
    assert_eq!(numbers, kept, "each event once and in order; ends are told by the result");
}

#[test]
fn a_run_that_ended_meanwhile_gives_its_result_and_one_that_was_put_away_is_not_waited_for() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &["--set", "hold_limit=1s"]);
    let (url, site_url) = (format!("http://{}", service.address), site.url());
    let forgotten = bench.start(&["run", "press it", "--url", &site_url, "--remote", &url]);
    eventually("the first press", || site.count("/pressed") == 1);
    let run = service.get("/v1/runs").expect(200)["runs"][0]["run_id"].as_str().unwrap().to_string();
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    let forgotten = forgotten.wait();
    let hint = format!("--resume {run} goes on with it");
    assert!(forgotten.stderr.contains("stood still") && forgotten.stderr.contains(&hint), "{}", forgotten.stderr);
    assert!(!forgotten.stderr.contains("connection is lost"), "{}", forgotten.stderr);
    bench.write("finish", "");
    let again = ["run", "--remote", &url, "--resume", &run];
    bench.surehand(&again).expect(0);
    // Once more: it is over by now.
    let over = bench.surehand(&again);
    over.expect(0);
    assert!(over.stdout.contains("it says: the button was pressed"), "{}", over.stdout);
    assert!(!over.stderr.contains("step   1"), "what it did is not told again: {}", over.stderr);
}

#[test]
fn a_run_that_nobody_could_follow_is_not_started() {
    let bench = Bench::new();
    let tokens = Tokens::new(&bench, &[("starter", "\"run\"", "")]);
    let service = Service::start(&bench, "script:/no/such/file.json", &["--tokens", &tokens.file]);
    let url = format!("http://{}", service.address);
    let mut command = bench.command(&["run", "x", "--url", "http://a.example/", "--remote", &url]);
    command.env("SUREHAND_TOKEN", token("starter"));
    bench.start_command(command).wait().expect(2).expect_sentence("the scope \"read\"");
    assert!(bench.rows().is_empty());
}

#[test]
fn a_remote_run_asks_its_person_and_is_taken_back_by_an_interrupt() {
    let (bench, site) = (Bench::new(), site());
    let ask = json!({"calls": [{"tool": "ask_user", "question": "Which one?"}]});
    let brain = bench.script(&[ask, json!({"calls": [press("Delete account")]}), done()]);
    let tokens = Tokens::new(&bench, &[("ci", "\"read\", \"run\", \"control\"", "")]);
    let flags = ["--tokens", &tokens.file, "--set", "confirm_timeout=90s"];
    let service = Service::start(&bench, &brain, &flags);
    let (url, site_url) = (format!("http://{}", service.address), site.url());
    let arguments = ["run", "delete it", "--url", &site_url, "--remote", &url, "--json"];
    let refused = bench.surehand(&arguments);
    refused.expect(2).expect_sentence("a token is needed");
    assert!(refused.stderr.contains("hint: put a token of that server into SUREHAND_TOKEN"), "{}", refused.stderr);

    let answer = bench.write("answer", "the left one\n");
    let mut command = bench.command(&arguments);
    command.env("SUREHAND_TOKEN", token("ci")).stdin(std::fs::File::open(answer).unwrap());
    let running = bench.start_command(command);
    eventually("the question to be told", || running.stderr().contains("there is no terminal here"));
    assert!(running.stderr().contains("The brain asks: Which one?"), "{}", running.stderr());
    running.signal(Signal::INT);
    let ended = running.wait();
    let result = ended.expect_end(130, "cancelled");
    assert!(result["trajectory"][0]["message"].as_str().unwrap().contains("the left one"), "{result}");
    assert_eq!(site.count("/deleted"), 0);
    let run = result["run_id"].as_str().unwrap();
    let view = tokens.ask(&service, "ci", "GET", &format!("/v1/runs/{run}"), "").expect(200);
    assert_eq!(view["status"], "ended");
    // A server that answers nobody: the first word asks it to cancel, the second one means now.
    let mut command = bench.command(&arguments);
    command.env("SUREHAND_TOKEN", token("ci"));
    let running = bench.start_command(command);
    eventually("the run to begin", || running.stderr().contains("The brain asks"));
    let begun =
        running.stderr().lines().find_map(|line| line.strip_prefix("run ")?.split(' ').next().map(str::to_string));
    service.running.signal(Signal::STOP);
    running.signal(Signal::INT);
    eventually("the first word to be heard", || running.stderr().contains("once more stops at once"));
    running.signal(Signal::INT);
    let left = running.wait();
    service.running.signal(Signal::CONT);
    left.expect(130);
    let begun = begun.unwrap();
    let words = format!("the run {begun} may still go on at the server");
    assert!(left.stderr.contains(&words), "{}", left.stderr);

    // Followed again until the server dies, and let go on at the next one.
    let again = || {
        let mut command = bench.command(&["run", "--remote", &url, "--resume", &begun, "--json"]);
        command.env("SUREHAND_TOKEN", token("ci"));
        let running = bench.start_command(command);
        eventually("its question", || running.stderr().contains("The brain asks"));
        running
    };
    let running = again();
    service.running.signal(Signal::KILL);
    let (address, _) = (service.address.clone(), service.running.wait());
    let service = Service::restart(&bench, &brain, &address, &flags);
    let cut = running.wait();
    cut.expect(4);
    assert!(cut.stderr.contains("was cut off") && cut.stderr.contains("--resume"), "{}", cut.stderr);
    let known = cut.lines().last().unwrap()["seq"].as_u64().unwrap();
    let running = again();
    running.signal(Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.expect_end(130, "cancelled")["run_id"], begun.as_str());
    assert_eq!(ended.lines()[0]["seq"].as_u64(), Some(known + 1), "what is known is not told again");
    tokens.ask(&service, "ci", "GET", "/v1/queue", "").expect(200);
    assert!(!ended.stderr.contains(&token("ci")) && !ended.stdout.contains(&token("ci")));
}

/// The same command at a terminal of its own (util-linux `script`), whose keys come from `keys`.
fn at_a_terminal(command: &Command, keys: std::io::PipeReader) -> Command {
    let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap().replace('\'', "'\\''"));
    let words: Vec<String> = [command.get_program()].into_iter().chain(command.get_args()).map(quoted).collect();
    let mut outer = Command::new("script");
    outer.args(["-qefc", &words.join(" "), "/dev/null"]).stdin(keys).current_dir(command.get_current_dir().unwrap());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

#[test]
fn a_remote_run_is_agreed_to_at_the_terminal() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=90s"]);
    let (url, site_url) = (format!("http://{}", service.address), site.url());
    let command = bench.command(&["run", "delete it", "--url", &site_url, "--remote", &url]);
    let (reader, mut keys) = std::io::pipe().unwrap();
    let running = bench.start_command(at_a_terminal(&command, reader));
    eventually("the question", || running.stdout().contains("May it be done? [y/N]"));
    let asked = running.stdout();
    assert!(asked.contains("button \"Delete account\"") && asked.contains("/frames/"), "{asked}");
    assert_eq!(site.count("/deleted"), 0);
    keys.write_all(b"y\n").unwrap();
    let ended = running.wait();
    ended.expect(0);
    assert_eq!(site.count("/deleted"), 1);
    assert!(ended.stdout.contains("asked before step 1") && ended.stdout.contains("it says: "), "{}", ended.stdout);
}

#[test]
fn what_belongs_to_this_machine_cannot_be_sent() {
    let bench = Bench::new();
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{nowhere}");
    let run = |more: &[&str]| bench.surehand(&[&["run", "x", "--remote", &url], more].concat());
    for (more, words) in [
        (&["--desktop", "xvfb"][..], "--desktop cannot be used with --remote"),
        (&["--cdp", "http://127.0.0.1:9222"], "--cdp cannot be used with --remote"),
        (&["--headed"], "--headed cannot be used with --remote"),
        (&["--policy", "p.toml"], "--policy cannot be used with --remote"),
        (&["--root", "a=."], "--root cannot be used with --remote"),
        (&["--brain-timeout", "5s"], "--brain-timeout cannot be used with --remote"),
        (&["--secret", "pw=env:HOME"], "--secret pw=… cannot be sent"),
        (&["--contract", "no-such.json"], "no-such.json"),
        (&["--max-steps", "none"], "max_steps"),
        (&["--value", "x"], "LABEL=TEXT"),
    ] {
        run(more).expect(2).expect_sentence(words);
    }
    run(&[]).expect(4).expect_sentence("cannot be reached");
    bench.surehand(&["run", "x", "--remote", "7777"]).expect(2).expect_sentence("the server's address");
    bench
        .surehand(&["run", "x", "--remote", &url, "--resume", "y"])
        .expect(2)
        .expect_sentence("keeps what it began with");
    bench.surehand(&["run", "--remote", &url, "--resume", "y"]).expect(4).expect_sentence("cannot be reached");

    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    let url = format!("http://{}", service.address);
    let run = |more: &[&str]| bench.surehand(&[&["run", "x", "--remote", &url, "--json"], more].concat());
    run(&["--brain", "exec:touch x"]).expect(2).expect_sentence("this server does not offer \"exec:touch x\"");
    run(&["--secret", "pw"]).expect(2).expect_sentence("knows no secret");
    run(&["--set", "proxy=http://127.0.0.1:1"]).expect(2).expect_sentence("cannot be changed by a request");
    let failed = run(&[]);
    failed.expect(4);
    assert!(
        failed.stderr.contains("could not be started") && failed.stderr.contains("/no/such/file.json"),
        "{}",
        failed.stderr
    );
    let listed = service.get("/v1/runs").expect(200);
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(1), "the others asked for nothing: {listed}");
}
