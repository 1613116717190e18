//! What a script offers turn by turn, and which files are refused at open.

use std::io::Write;

use surehand_types::ViewSize;
use surehand_types::observation::Focus;
use surehand_types::reply::{BudgetLeft, ObservationView};

use super::*;
use crate::{Answer, BrainErrorClass};

pub(crate) fn turn() -> Turn {
    Turn {
        run: "r1".into(),
        turn: 1,
        step: 1,
        task: "a task".into(),
        observation: ObservationView {
            message: String::new(),
            error: None,
            dispatched: None,
            hit: None,
            pending: None,
            candidates: Vec::new(),
            frame: None,
            images: Vec::new(),
            url: None,
            title: None,
            focus: Focus::Unknown,
            tabs: Vec::new(),
            opened: Vec::new(),
            dialog: None,
            downloads: Vec::new(),
        },
        results: Vec::new(),
        feedback: String::new(),
        problem: None,
        hints: Vec::new(),
        secrets: Vec::new(),
        viewport: ViewSize { width: 1280, height: 720 },
        budget: BudgetLeft { steps_left: 9, seconds_left: None },
        safety_agreed: false,
        plan_step: None,
    }
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn script(text: &str) -> ScriptBrain {
    ScriptBrain::open(file(text).path()).unwrap()
}

fn result(index: usize, ran: bool, ok: bool) -> CallResult {
    CallResult { index, ran, ok, effect: None, message: String::new(), predicates: Vec::new() }
}

/// Asks for the next reply and shows it as the seconds of its `wait` calls, or the done summary.
async fn offered(brain: &mut ScriptBrain, problem: Option<&str>, results: &[CallResult]) -> String {
    let mut turn = turn();
    turn.problem = problem.map(str::to_string);
    turn.results = results.to_vec();
    let Answer::Reply(reply) = brain.think(&turn).await.unwrap().answer else {
        panic!("a script has no problems of its own");
    };
    let shown: Vec<String> = reply
        .calls
        .iter()
        .map(|call| match call.given.get("seconds") {
            Some(seconds) => seconds.to_string(),
            None => format!("done {}: {}", call.given["success"], call.given["summary"]),
        })
        .collect();
    shown.join(" ")
}

const THREE: &str = r#"[
    {"calls": [{"tool": "wait", "seconds": 1}, {"tool": "wait", "seconds": 2}, {"tool": "wait", "seconds": 3}]},
    {"calls": [{"tool": "wait", "seconds": 4}]},
    {"calls": [{"tool": "wait", "seconds": 5}]}
]"#;
const ENDED: &str = "done false: \"script ended\"";

#[tokio::test]
async fn replies_come_in_order_and_then_the_script_has_ended() {
    let lines = "\n{\"calls\":[{\"tool\":\"wait\",\"seconds\":1}]}\r\n\n{\"thought\":\"x\",\"calls\":[{\"tool\":\"wait\",\"seconds\":2}]}";
    let mut brain = script(lines);
    for expected in ["1", "2", ENDED, ENDED] {
        assert_eq!(offered(&mut brain, None, &[]).await, expected);
    }
    for empty in ["", "[]", " [ ] \n", "\u{feff}[]"] {
        assert_eq!(offered(&mut script(empty), None, &[]).await, ENDED);
    }
}

#[tokio::test]
async fn without_a_problem_it_goes_on_whatever_happened() {
    let mut brain = script(THREE);
    assert_eq!(offered(&mut brain, None, &[]).await, "1 2 3");
    let stopped = [result(0, true, true), result(1, true, false), result(2, false, false)];
    assert_eq!(offered(&mut brain, None, &stopped).await, "4");
    let failed = [result(0, true, false)];
    assert_eq!(offered(&mut brain, None, &failed).await, "5");
    assert_eq!(offered(&mut brain, None, &[]).await, ENDED);
}

#[tokio::test]
async fn with_a_problem_it_offers_again_what_did_not_run() {
    let problem = Some("call 1: no element matches the target");
    let mut brain = script(THREE);
    assert_eq!(offered(&mut brain, None, &[]).await, "1 2 3");
    let stuck_at_second = [result(0, true, true), result(1, false, false), result(2, false, false)];
    assert_eq!(offered(&mut brain, problem, &stuck_at_second).await, "2 3");
    // The indices now belong to the shorter reply; still stuck, then one further.
    let stuck_at_first = [result(0, false, false)];
    assert_eq!(offered(&mut brain, problem, &stuck_at_first).await, "2 3");
    let second_ran = [result(0, true, true)];
    assert_eq!(offered(&mut brain, problem, &second_ran).await, "3");
    assert_eq!(offered(&mut brain, problem, &[]).await, "3");
    assert_eq!(offered(&mut brain, None, &second_ran).await, "4");
    // A problem although everything ran: nothing is left to offer again.
    assert_eq!(offered(&mut brain, problem, &second_ran).await, "5");
    assert_eq!(offered(&mut brain, problem, &second_ran).await, ENDED);
    assert_eq!(offered(&mut brain, problem, &[]).await, ENDED);
}

#[tokio::test]
async fn a_problem_before_anything_was_offered_starts_at_the_beginning() {
    let mut brain = script(THREE);
    assert_eq!(offered(&mut brain, Some("odd"), &[]).await, "1 2 3");
}

#[test]
fn mistakes_are_found_at_open_with_file_and_line() {
    let good = r#"{"calls":[{"tool":"inspect"}]}"#;
    for (text, line, expected) in [
        (format!("{good}\n\n{{oops\n"), 3, "not JSON: key must be a string"),
        (format!("{good}\nhello\n"), 2, "not JSON"),
        (format!("{good}\n{good} {good}\n"), 2, "trailing characters"),
        (format!("{good}\n{{\"calls\":[]}}\n"), 2, "no calls"),
        (format!("{good}\n[{good}]\n"), 2, "must be a JSON object"),
        (
            r#"{"calls":[{"tool":"mouse","action":"click","coordinate":[1]}]}"#.into(),
            1,
            "call 0: mouse.coordinate must be",
        ),
        (r#"{"calls":[{"tool":"inspect"}],"note":1}"#.into(), 1, "unknown field \"note\""),
        (
            format!("[\n{good},\n{{\"calls\": [\n {{\"tool\": \"wait\", \"seconds\": \"x\"}}]}}\n]"),
            3,
            "call 0: wait.seconds",
        ),
        (format!("[\n{good},\n{{\"calls\": [\n {{\"tool\": oops}}]}}\n]"), 4, "not JSON: expected value"),
        (format!("[\n{good}\n{good}]"), 3, "a comma or the end"),
        (format!("[{good},\n]"), 2, "must be a JSON object"),
        (format!("[{good}\n"), 2, "a comma or the end"),
        ("[".into(), 1, "must be a JSON object"),
        ("[1]".into(), 1, "must be a JSON object"),
        (format!("[{good}]\n{good}"), 2, "text after the array"),
        ("[{\"calls\":".into(), 1, "not JSON: EOF"),
    ] {
        let file = file(&text);
        let error = ScriptBrain::open(file.path()).unwrap_err();
        assert_eq!(error.class(), BrainErrorClass::Usage);
        let sentence = error.to_string();
        let place = format!("{} is wrong in line {line}: ", file.path().display());
        assert!(sentence.contains(&place), "{text}: {sentence}");
        assert!(sentence.contains(expected), "{text}: {sentence}");
        assert!(!sentence.contains("none of the reply"), "{sentence}");
    }
}

#[test]
fn files_that_cannot_be_read_are_usage_errors() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing.json");
    let binary = directory.path().join("binary.json");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    for path in [directory.path(), &missing, &binary] {
        let error = ScriptBrain::open(path).unwrap_err();
        assert_eq!(error.class(), BrainErrorClass::Usage);
        let sentence = error.to_string();
        assert!(sentence.contains("cannot be read") && sentence.contains("; hint: "));
        assert!(sentence.contains(&path.display().to_string()), "{sentence}");
    }
}

#[tokio::test]
async fn in_a_plan_a_step_gets_its_own_replies_each_time_it_is_begun() {
    let wait = |seconds: u32| serde_json::json!([{"tool": "wait", "seconds": seconds}]);
    let mut brain = ScriptBrain::from_values(
        "s",
        &[
            serde_json::json!({"step": "page", "pass": 1, "calls": wait(1)}),
            serde_json::json!({"step": "page", "pass": 2, "calls": wait(2)}),
            serde_json::json!({"step": "page", "attempt": 2, "calls": wait(3)}),
            serde_json::json!({"step": "save", "calls": wait(4)}),
            serde_json::json!({"step": "save", "calls": wait(5)}),
            serde_json::json!({"calls": wait(6)}),
        ],
    )
    .unwrap();
    let mut at = async |id: &str, passes: &[u32], attempt: u32| {
        let step = surehand_types::plan::PlanStep { id: id.into(), passes: passes.to_vec(), attempt };
        let turn = Turn { plan_step: Some(step), ..turn() };
        match brain.think(&turn).await.unwrap().answer {
            Answer::Reply(reply) => reply.calls[0].given.get("seconds").map_or(0, |seconds| seconds.as_u64().unwrap()),
            Answer::Problem(problem) => panic!("{problem:?}"),
        }
    };
    assert_eq!((at("page", &[1], 1).await, at("page", &[1], 1).await), (1, 0), "0: the script has ended");
    assert_eq!(at("page", &[2], 1).await, 2);
    assert_eq!((at("page", &[9, 2], 2).await, at("page", &[9, 2], 2).await), (2, 3));
    assert_eq!((at("save", &[1], 1).await, at("save", &[1], 1).await, at("save", &[2], 1).await), (4, 5, 4));
    assert_eq!((at("other", &[], 1).await, at("other", &[], 2).await), (6, 0), "in order, where nothing is its own");
    for wrong in [
        serde_json::json!({"step": 1, "calls": wait(1)}),
        serde_json::json!({"pass": 1, "calls": wait(1)}),
        serde_json::json!({"step": "a", "pass": 0, "calls": wait(1)}),
    ] {
        assert!(ScriptBrain::from_values("s", &[wrong]).is_err());
    }
}
