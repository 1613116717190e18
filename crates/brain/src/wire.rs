//! The lines spoken with a brain program: turn, verify_done and end go out; hello, replies and
//! opinions come in. Field names and their order are a contract with programs we never see.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use surehand_types::observation::FrameFile;
use surehand_types::plan::PlanStep;
use surehand_types::reply::{BudgetLeft, CallResult, Hint, ObservationView};
use surehand_types::{Problem, Reply, RunResult, ThreeValued, Turn, ViewSize};

/// Version of the lines; a program that announces another one is not talked to.
pub const PROTOCOL: u32 = 1;

/// The turn as one line of JSON, without the newline.
pub fn turn_line(turn: &Turn) -> String {
    line(&TurnLine {
        r#type: "turn",
        protocol: PROTOCOL,
        run: &turn.run,
        turn: turn.turn,
        step: turn.step,
        task: &turn.task,
        observation: &turn.observation,
        results: &turn.results,
        feedback: &turn.feedback,
        problem: turn.problem.as_deref(),
        hints: &turn.hints,
        secrets: &turn.secrets,
        viewport: turn.viewport,
        budget: turn.budget,
        plan_step: turn.plan_step.as_ref(),
    })
}

pub(crate) fn verify_done_line(summary: &str, frame: Option<&FrameFile>) -> String {
    line(&VerifyDoneLine { r#type: "verify_done", summary, frame })
}

pub(crate) fn end_line(result: &RunResult) -> String {
    line(&EndLine { r#type: "end", result })
}

/// What the optional first line of a program says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Hello {
    pub(crate) verify_done: bool,
}

/// `None` when the line is something else than a hello, `Err` with a sentence when it is a hello
/// we cannot work with.
pub(crate) fn read_hello(text: &str) -> Option<Result<Hello, String>> {
    let value: Value = serde_json::from_str(text).ok()?;
    if value.get("type").and_then(Value::as_str) != Some("hello") {
        return None;
    }
    Some(match serde_json::from_value::<HelloLine>(value) {
        Err(error) => Err(format!("the brain's hello is not understood: {}", shortened(&error))),
        Ok(hello) if hello.protocol != u64::from(PROTOCOL) => {
            Err(format!("the brain speaks protocol {}, but this is protocol {PROTOCOL}", hello.protocol))
        }
        Ok(hello) => Ok(Hello { verify_done: hello.verify_done }),
    })
}

pub(crate) fn read_reply(text: &str) -> Result<Reply, Problem> {
    if text.trim().is_empty() {
        return Err(Problem("the reply was a blank line; answer with one JSON object on one line".into()));
    }
    let value: Value =
        serde_json::from_str(text).map_err(|error| Problem(format!("the reply is not JSON: {error}")))?;
    Reply::parse(&value)
}

pub(crate) fn read_opinion(text: &str) -> ThreeValued {
    match serde_json::from_str::<OpinionLine>(text) {
        Err(error) => {
            ThreeValued::not_measured(format!("the verifier's answer is not understood: {}", shortened(&error)))
        }
        Ok(opinion) => {
            let reason = opinion.reason.unwrap_or_default();
            if opinion.valid { ThreeValued::yes(reason) } else { ThreeValued::no(reason) }
        }
    }
}

/// Errors name the field that is wrong, which a program may make as long as it likes.
fn shortened(error: &serde_json::Error) -> String {
    error.to_string().chars().take(300).collect()
}

#[derive(Serialize)]
struct TurnLine<'a> {
    r#type: &'static str,
    protocol: u32,
    run: &'a str,
    turn: u32,
    step: u32,
    task: &'a str,
    observation: &'a ObservationView,
    results: &'a [CallResult],
    feedback: &'a str,
    problem: Option<&'a str>,
    hints: &'a [Hint],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    secrets: &'a [String],
    viewport: ViewSize,
    budget: BudgetLeft,
    /// Only inside of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_step: Option<&'a PlanStep>,
}

#[derive(Serialize)]
struct VerifyDoneLine<'a> {
    r#type: &'static str,
    summary: &'a str,
    frame: Option<&'a FrameFile>,
}

#[derive(Serialize)]
struct EndLine<'a> {
    r#type: &'static str,
    result: &'a RunResult,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HelloLine {
    #[serde(rename = "type")]
    _type: String,
    protocol: u64,
    #[serde(default)]
    verify_done: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpinionLine {
    valid: bool,
    #[serde(default)]
    reason: Option<String>,
}

/// Our own types always serialise: their maps have string keys and their numbers become `null`
/// where JSON has none.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| {
        tracing::error!(target: "brain", %error, "a line could not be written as JSON");
        "{}".to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::tests::turn;

    #[test]
    fn a_turn_has_exactly_the_fields_of_the_contract_in_order() {
        let mut turn = turn();
        turn.task = "two\nlines".into();
        turn.problem = Some("no".into());
        turn.budget.seconds_left = Some(f64::INFINITY);
        let line = turn_line(&turn);
        assert!(!line.contains('\n'));
        let value: Value = serde_json::from_str(&line).unwrap();
        let names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "type",
                "protocol",
                "run",
                "turn",
                "step",
                "task",
                "observation",
                "results",
                "feedback",
                "problem",
                "hints",
                "viewport",
                "budget"
            ]
        );
        assert_eq!(value["type"], "turn");
        assert_eq!(value["protocol"], 1);
        assert_eq!(value["problem"], "no");
        assert_eq!(value["viewport"], serde_json::json!({"width": 1280, "height": 720}));
        assert_eq!(value["budget"]["steps_left"], 9);
        turn.secrets = vec!["pin".into()];
        let told: Value = serde_json::from_str(&turn_line(&turn)).unwrap();
        assert_eq!(told["secrets"], serde_json::json!(["pin"]));
        assert_eq!(value["observation"]["focus"], "unknown");
    }

    #[test]
    fn hellos() {
        for (text, expected) in [
            (r#"{"type":"hello","protocol":1}"#, Some(Ok(false))),
            (r#"{"type":"hello","protocol":1,"verify_done":true}"#, Some(Ok(true))),
            (r#"{"type":"hello","protocol":2}"#, Some(Err("speaks protocol 2"))),
            (r#"{"type":"hello"}"#, Some(Err("missing field `protocol`"))),
            (r#"{"type":"hello","protocol":1,"name":"x"}"#, Some(Err("`name`"))),
            (r#"{"calls":[{"tool":"inspect"}]}"#, None),
            ("hello", None),
            ("", None),
        ] {
            match (read_hello(text), expected) {
                (None, None) => {}
                (Some(Ok(hello)), Some(Ok(verify_done))) => {
                    assert_eq!(hello.verify_done, verify_done);
                }
                (Some(Err(sentence)), Some(Err(part))) => {
                    assert!(sentence.contains(part), "{sentence}");
                }
                (got, _) => panic!("{text}: {got:?}"),
            }
        }
    }

    #[test]
    fn opinions_that_cannot_be_read_are_not_measured() {
        for (text, expected) in [
            (r#"{"valid":true,"reason":"seen"}"#, Some(true)),
            (r#"{"valid":false}"#, Some(false)),
            (r#"{"valid":"yes"}"#, None),
            (r#"{"valid":true,"sure":1}"#, None),
            ("", None),
            ("yes", None),
        ] {
            assert_eq!(read_opinion(text).as_wire(), expected, "{text}");
        }
    }
}
