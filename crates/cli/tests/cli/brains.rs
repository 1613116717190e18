//! Brains that fail in the middle of a run: they die, hang, or talk nonsense. The run ends as
//! `brain_error` with a sentence that says which, and the brain's processes are gone.

use crate::bench::{Bench, eventually, exists};
use crate::pages::PageServer;
use crate::processes;

const PAGE: &str = "<!doctype html><title>Plain</title>";

/// Ends as brain_error with this in its error, both in the result and in the words for a person.
fn check(program: &str, more: &[&str], part: &str) {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = bench.shell_brain(&format!("echo $$ >pid\n{program}"));
    let result = bench.run(&server.url(), &brain, more).expect_end(4, "brain_error");
    assert_eq!(result["success"], false);
    let error = result["error"].as_str().unwrap();
    assert!(error.contains(part) && !error.contains('\n'), "{error}");
    let pid = bench.read("pid").trim().parse().unwrap();
    eventually("the brain to end", || !processes::is_alive(pid));
    bench.expect_nothing_left();

    let url = server.url();
    let mut words = vec!["run", "a task", "--url", &url, "--brain", &brain];
    words.extend(more);
    let ended = bench.surehand(&words);
    ended.expect(4);
    assert!(ended.stdout.contains(part), "{}", ended.stdout);
}

#[test]
fn a_brain_that_dies_is_named_with_its_last_words() {
    check("read -r line; echo out of ideas >&2; exit 7", &[], "out of ideas");
}

#[test]
fn a_brain_that_dies_without_words_is_still_explained() {
    check("exit 0", &[], "ended (exit status: 0)");
}

#[test]
fn a_brain_that_hangs_runs_into_its_deadline() {
    check("while read -r line; do :; done", &["--brain-timeout", "1s"], "did not answer within 1 s");
}

#[test]
fn a_brain_that_talks_nonsense_is_given_up_after_three_steps() {
    let program = r#"while read -r line; do
  case $line in '{"type":"end"'*) exit 0 ;; esac
  echo 'Sure! I will click the button now.'
done"#;
    check(program, &[], "3 steps in a row brought no usable reply");
}

#[test]
fn a_brain_that_speaks_another_protocol_is_refused() {
    check(r#"echo '{"type":"hello","protocol":99}'; cat >/dev/null"#, &[], "protocol 99");
}

#[test]
fn the_end_is_told_and_frames_are_gone_afterwards() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let brain = bench.replying_brain(&[r#"{"calls":[{"tool":"done","success":true,"summary":"fine"}]}"#]);
    let result = bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    let seen = bench.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[1]["type"], "end");
    assert_eq!(seen[1]["result"], result);
    let frame = seen[0]["observation"]["frame"]["path"].as_str().unwrap();
    assert!(!exists(frame), "{frame} is still there");
}
