//! The question at the terminal, and every way it can end.

use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::person::Person;

/// A button that looks like deleting, in the upper half; its name has a trap for terminals in it.
const DELETE: &str = "<!doctype html><meta charset=utf-8><title>Delete</title>
<button style='position:fixed;inset:0 0 50% 0;width:100%' onclick=\"fetch('/deleted')\"
  aria-label='Delete &#27;[2J&#x202e;everything&#10;May it be done? [y/N] y'>x</button>";

/// The same, but another button takes its place when the server was asked for `/now`.
const SWAPPED: &str = "<!doctype html><title>Swapped</title>
<style>button{position:fixed;inset:0 0 50% 0;width:100%}</style>
<button id=b onclick=\"fetch('/deleted')\">Delete draft</button><script>
addEventListener('mousemove', () => setTimeout(() => {
  b.outerHTML = '<button onclick=\"fetch(`/deleted`)\">Delete account</button>'; fetch('/swapped');
}, 1500), {once: true});
</script>";

fn press_and_end(bench: &Bench) -> String {
    bench.script(&[
        json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [500, 200]}]}),
        json!({"calls": [{"tool": "done", "success": false, "summary": "that is all"}]}),
    ])
}

/// The result of the last run, whose trace is whole.
fn result(bench: &Bench) -> Value {
    let shown = bench.surehand(&["runs", "show", "last", "--json"]);
    shown.expect(0);
    serde_json::from_str(&shown.stdout).unwrap()
}

/// The event about the question, from the trace.
fn confirmation(bench: &Bench) -> Value {
    let events = bench.surehand(&["report", "last", "--json"]);
    events.expect(0);
    let asked: Vec<Value> = events.lines().into_iter().filter(|event| event["type"] == "confirmation").collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
    asked[0].clone()
}

#[test]
fn a_yes_lets_the_action_through_and_everything_is_kept() {
    let (bench, server) = (Bench::new(), PageServer::with(DELETE));
    let mut person = Person::run(&bench, &server.url(), &press_and_end(&bench), &[]);
    // Typed before the question is there: no answer to it.
    person.types("y\n");
    person.is_asked();
    let screen = person.screen();
    assert!(screen.contains("confirm risky: risky actions are asked about at this terminal"), "{screen}");
    for part in ["  action   left click", "  target   button", "  page     http://127.0.0.1:", "(rule delete)"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(!screen.contains("\u{1b}[2J") && !screen.contains('\u{202e}'), "{screen:?}");
    let picture = screen.lines().find_map(|line| line.trim().strip_prefix("picture  ")).unwrap().to_string();
    assert!(std::fs::read(picture.trim()).unwrap().starts_with(b"\x89PNG"), "{picture}");
    assert_eq!(server.count("/deleted"), 0, "nothing happens before the answer");
    person.types("y\n");
    let (code, screen) = person.leaves();
    assert_eq!(code, Some(1), "{screen}");
    assert_eq!(server.count("/deleted"), 1);

    let (result, asked) = (result(&bench), confirmation(&bench));
    let step = &result["trajectory"][0];
    assert_eq!(step["policy"]["decision"], "confirm", "{step}");
    assert_eq!((&step["policy"]["rule"], &step["policy"]["answer"]), (&json!("delete"), &json!("yes")));
    assert_eq!((&asked["rule"], &asked["answer"], &asked["step"]), (&json!("delete"), &json!("yes"), &json!(1)));
    assert!(asked["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(result["trajectory"][1]["policy"]["rule"], "default", "every step has its decision");
    let log = bench.surehand(&["audit", "show", "--run", "last"]);
    assert!(log.stdout.contains("asked by delete, answered yes"), "{}", log.stdout);
    let shown = bench.surehand(&["runs", "show", "last"]);
    assert!(shown.stdout.contains("policy: confirmed by a person, rule delete"), "{}", shown.stdout);
    bench.surehand(&["audit", "verify"]).expect(0);
}

#[test]
fn anything_else_than_yes_is_a_no() {
    for keys in ["n\n", "\n", "yes please\n", "\u{4}"] {
        let (bench, server) = (Bench::new(), PageServer::with(DELETE));
        let mut person = Person::run(&bench, &server.url(), &press_and_end(&bench), &[]);
        person.is_asked();
        person.types(keys);
        let (_, screen) = person.leaves();
        assert_eq!(server.count("/deleted"), 0, "{keys:?}: {screen}");
        let result = result(&bench);
        let step = &result["trajectory"][0];
        assert_eq!((&step["ok"], &step["error"]["code"]), (&json!(false), &json!("denied")), "{step}");
        assert_eq!((&step["dispatched"], &step["policy"]["answer"]), (&json!(null), &json!("no")));
        assert_eq!(confirmation(&bench)["answer"], "no");
    }
}

#[test]
fn silence_is_a_no_after_the_deadline() {
    let (bench, server) = (Bench::new(), PageServer::with(DELETE));
    let person = Person::run(&bench, &server.url(), &press_and_end(&bench), &["--set", "confirm_timeout=1s"]);
    let (_, screen) = person.leaves();
    assert!(screen.contains("no answer in time: not done"), "{screen}");
    assert_eq!(server.count("/deleted"), 0);
    let step = &result(&bench)["trajectory"][0];
    assert_eq!(step["policy"]["answer"], "timeout");
    assert!(step["message"].as_str().unwrap().contains("nobody did within 1 s"), "{step}");
}

#[test]
fn an_interrupt_at_the_question_ends_the_run() {
    let (bench, server) = (Bench::new(), PageServer::with(DELETE));
    let mut person = Person::run(&bench, &server.url(), &press_and_end(&bench), &[]);
    person.is_asked();
    person.types("\u{3}");
    let (code, screen) = person.leaves();
    assert_eq!(code, Some(130), "{screen}");
    assert_eq!(server.count("/deleted"), 0);
    let result = result(&bench);
    assert_eq!(result["termination_reason"], "cancelled");
    assert_eq!(result["trajectory"][0]["policy"]["answer"], "cancelled");
    bench.expect_nothing_left();
}

#[test]
fn what_changed_while_the_person_thought_is_not_done() {
    let (bench, server) = (Bench::new(), PageServer::start(&[("/", Page::Html(SWAPPED))]));
    let mut person = Person::run(&bench, &server.url(), &press_and_end(&bench), &[]);
    person.is_asked();
    assert!(person.screen().contains("Delete draft"), "{}", person.screen());
    eventually("the button to be swapped", || server.count("/swapped") == 1);
    person.types("y\n");
    let (_, screen) = person.leaves();
    assert_eq!(server.count("/deleted"), 0, "{screen}");
    let step = &result(&bench)["trajectory"][0];
    assert_eq!(step["error"]["code"], "target_changed", "{step}");
    let message = step["message"].as_str().unwrap();
    assert!(message.contains("\"Delete draft\" was agreed to") && message.contains("\"Delete account\""), "{message}");
    assert_eq!(step["policy"]["answer"], "yes");
}

#[test]
fn all_asks_about_harmless_actions_too() {
    let (bench, server) = (
        Bench::new(),
        PageServer::with(
            "<!doctype html><title>Plain</title><button style='position:fixed;inset:0;width:100%' onclick=\"fetch('/pressed')\">Continue</button>",
        ),
    );
    let mut person = Person::run(&bench, &server.url(), &press_and_end(&bench), &["--confirm", "all"]);
    person.is_asked();
    assert!(person.screen().contains("every action is to be confirmed (rule default)"), "{}", person.screen());
    person.types("y\n");
    person.leaves();
    assert_eq!(server.count("/pressed"), 1);
}

#[test]
fn without_a_terminal_nothing_risky_is_done() {
    let (bench, server) = (Bench::new(), PageServer::with(DELETE));
    let brain = press_and_end(&bench);
    let result = bench.run(&server.url(), &brain, &[]).expect_end(1, "done_failed");
    let step = &result["trajectory"][0];
    assert_eq!((&step["error"]["code"], &step["policy"]["answer"]), (&json!("denied"), &json!("no_terminal")));
    assert!(step["message"].as_str().unwrap().contains("`--confirm none` is for scripted runs"), "{step}");
    assert_eq!(server.count("/deleted"), 0);

    let result = bench.run(&server.url(), &brain, &["--confirm", "none"]).expect_end(1, "done_failed");
    let policy = &result["trajectory"][0]["policy"];
    assert_eq!(policy, &json!({"decision": "confirm", "rule": "delete", "reason": policy["reason"]}));
    assert_eq!(server.count("/deleted"), 1);
    let ended = bench.surehand(&["run", "x", "--url", &server.url(), "--brain", &brain]);
    assert!(ended.stderr.starts_with("confirm risky: there is no terminal to ask at"), "{}", ended.stderr);
}
