//! What people are told about a question: what silence means. It has to be what then happens.

use serde_json::{Value, json};

use super::*;

/// The first question of a plan in which every act fails, what it says of silence, and what comes of that.
fn check(plan: Value, silence: &str, next: &str) {
    let mut machine = machine(plan, json!({}));
    loop {
        decide(&mut machine);
        let outcome = match machine.next() {
            Work::Ask { .. } => break,
            Work::Act { .. } => broken("no luck"),
            other => well(other),
        };
        machine.report(outcome, Used::default()).unwrap();
    }
    assert_eq!(machine.without_answer(), silence);
    let again = match machine.next() {
        Work::Ask { answer: Wanted::Approval, .. } => Again::Pointless,
        _ => Again::Possible,
    };
    let unanswered = Outcome::Failed { sentence: "nobody answered".into(), again };
    machine.report(unanswered, Used::default()).unwrap();
    decide(&mut machine);
    let found = match machine.next() {
        Work::Finished(ending) => format!("{:?}: {}", ending.status, ending.sentence),
        work => line(work),
    };
    assert_eq!(found, next);
}

fn plan(recovery: Value, steps: Value) -> Value {
    json!({"name": "x", "values": {"list": {"type": "list", "default": ["a", "b"]}}, "recovery": recovery, "steps": steps})
}

fn each(on_failure: &str) -> Value {
    json!([{"id": "each", "type": "loop", "over": "{{list}}", "on_failure": on_failure,
        "steps": [{"id": "one", "type": "act", "intent": "see {{row}}", "on_failure": "ask"}]}])
}

#[test]
fn silence_about_a_failure_is_stop_and_the_steps_around_it_decide() {
    let ended = "Failed: no luck; what to do was asked, but nobody answered";
    check(plan(json!({}), json!([with(act("a"), json!({"on_failure": "ask"}))])), "stop: the plan fails", ended);
    let silence = "stop: this pass of `each` is given up, and the loop goes on";
    check(plan(json!({}), each("skip")), silence, "act one: see b");
    check(plan(json!({}), each("retry 1")), "stop: this pass of `each` is tried again", "act one: see a");
    let silence = "stop: this pass of `each` fails, and a person is asked what to do about that";
    let next =
        "ask each: Step `each` failed: step `one`: no luck; what to do was asked, but nobody answered. What now?";
    check(plan(json!({}), each("ask")), silence, next);
}

#[test]
fn any_other_question_has_failed_without_an_answer_and_its_step_with_it() {
    let who = |policy: &str| json!([{"id": "who", "type": "ask", "question": "Who?", "on_failure": policy}, act("b")]);
    check(plan(json!({}), who("stop")), "the plan fails", "Failed: nobody answered");
    check(plan(json!({}), who("skip")), "the step `who` is given up, and the plan goes on", "act b: do b");
    check(plan(json!({}), who("retry 1")), "the step `who` is tried again", "ask who: Who?");
    let silence = "a person is asked what to do about it";
    check(plan(json!({}), who("ask")), silence, "ask who: Step `who` failed: nobody answered. What now?");
    let next = "Failed: nobody answered; and that was failure 1 of at most 1";
    check(plan(json!({"max_failures": 1}), who("skip")), "the plan fails: it is one failure too many", next);
    // Without a yes it is not asked for again.
    let gate = json!({"gates": [{"approval": "May it?"}], "on_failure": "retry 3 then skip"});
    let silence = "the step `a` is given up, and the plan goes on";
    check(plan(json!({}), json!([with(act("a"), gate), act("b")])), silence, "act b: do b");
}

#[test]
fn an_attempt_that_is_asked_about_is_told_to_have_failed() {
    let mut machine = machine(plan(json!({}), json!([with(act("a"), json!({"on_failure": "ask"}))])), json!({}));
    let notes = machine.report(broken("no luck"), Used::default()).unwrap();
    assert!(matches!(notes.as_slice(), [Note::StepFailed { why, .. }] if why == "no luck"), "{notes:?}");
}
