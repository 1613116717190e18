//! What a brain is given (`Turn`) and what it answers (`Reply`), independent of any vendor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::call::{Call, CallProblem, TargetQuery};
use crate::coords::ViewSize;
use crate::effect::Effect;
use crate::observation::{Candidate, Dialog, Dispatched, Download, ExtraImage, Focus, FrameFile, Hit, Pending, Tab};
use crate::secret::Redactor;

/// The part of an answer that describes the world; shared by tool answers and exec turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ObservationView {
    /// About the last call; empty before the first one.
    pub message: String,
    pub error: Option<CallProblem>,
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    pub pending: Option<Pending>,
    pub candidates: Vec<Candidate>,
    pub frame: Option<FrameFile>,
    pub images: Vec<ExtraImage>,
    pub url: Option<String>,
    pub title: Option<String>,
    pub focus: Focus,
    pub tabs: Vec<Tab>,
    pub opened: Vec<String>,
    pub dialog: Option<Dialog>,
    pub downloads: Vec<Download>,
}

impl ObservationView {
    /// What an outside program may see of it.
    pub fn redacted(self, redactor: &Redactor) -> ObservationView {
        redactor.copy_of(&self).unwrap_or_else(|| ObservationView {
            // What cannot be told without a secret is not told; the picture is masked already.
            message: "what is known of the page was left out: it cannot be told without a secret".into(),
            error: None,
            dispatched: self.dispatched,
            hit: None,
            pending: None,
            candidates: Vec::new(),
            frame: self.frame,
            images: self.images,
            url: None,
            title: None,
            focus: Focus::Unknown,
            tabs: Vec::new(),
            opened: Vec::new(),
            dialog: None,
            downloads: Vec::new(),
        })
    }
}

/// What became of one call of the previous reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallResult {
    pub index: usize,
    pub ran: bool,
    pub ok: bool,
    pub effect: Option<Effect>,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hint {
    pub id: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetLeft {
    pub steps_left: u32,
    pub seconds_left: Option<f64>,
}

/// Everything a brain sees when it is asked for its next reply.
#[derive(Debug, Clone)]
pub struct Turn {
    pub run: String,
    pub turn: u32,
    pub step: u32,
    pub task: String,
    pub observation: ObservationView,
    pub results: Vec<CallResult>,
    pub feedback: String,
    pub problem: Option<String>,
    pub hints: Vec<Hint>,
    /// Names of secrets that can be typed as `<secret:NAME>`.
    pub secrets: Vec<String>,
    pub viewport: ViewSize,
    pub budget: BudgetLeft,
}

/// A call as the brain gave it: checked against its schema before anything of the reply runs.
#[derive(Debug, Clone, PartialEq)]
pub struct CallRequest {
    /// Exactly the fields the brain set, `target` included.
    pub given: Map<String, Value>,
    pub form: CallForm,
}

#[derive(Debug, Clone, PartialEq)]
pub enum CallForm {
    Ready(Call),
    /// Waits for its coordinate until the call runs.
    NeedsTarget {
        query: TargetQuery,
        call: Map<String, Value>,
    },
}

/// A trace line around a call must stay within what a JSON reader follows.
const MAX_DEPTH: usize = 64;

/// What is kept of a reply's words: nobody reads more, and a run has many replies.
const KEPT_THOUGHT: usize = 20_000;
const KEPT_EXPECTED: usize = 100;
pub const KEPT_ENTRY: usize = 500;

/// A reply that passed all checks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub thought: Option<String>,
    pub expected: Vec<String>,
    pub calls: Vec<CallRequest>,
    pub usage: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_usd: f64,
}

/// One sentence about a reply that could not be used. Data, not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem(pub String);

impl Reply {
    /// Reads the native reply shape `{"thought"?, "expected"?, "calls":[…]}`. If any call is
    /// invalid none of the reply runs.
    pub fn parse(value: &Value) -> Result<Reply, Problem> {
        let Some(map) = value.as_object() else {
            return Err(Problem(
                "the reply must be a JSON object with calls, like {\"calls\":[{\"tool\":\"tab\",\"action\":\"view\"}]}"
                    .into(),
            ));
        };
        let mut reply = Reply::default();
        for (name, field) in map {
            match (name.as_str(), field) {
                ("thought", Value::String(text)) => reply.thought = Some(text.clone()),
                ("thought", Value::Null) | ("expected", Value::Null) => {}
                ("thought", _) => return Err(Problem("thought must be a string".into())),
                ("expected", Value::Array(items)) => {
                    for item in items {
                        let Some(text) = item.as_str() else {
                            return Err(Problem(
                                "expected must be an array of strings like \"url_contains:/cart\"".into(),
                            ));
                        };
                        reply.expected.push(text.to_string());
                    }
                }
                ("expected", _) => {
                    return Err(Problem("expected must be an array of strings like \"url_contains:/cart\"".into()));
                }
                ("calls", Value::Array(items)) => {
                    for (index, item) in items.iter().enumerate() {
                        if is_deeper_than(item, MAX_DEPTH) {
                            return Err(Problem(format!("call {index} is nested more than {MAX_DEPTH} levels deep")));
                        }
                        let call = CallRequest::parse(item).map_err(|problem| {
                            Problem(format!("call {index}: {}; none of the reply was run", problem.message))
                        })?;
                        reply.calls.push(call);
                    }
                }
                ("calls", _) => return Err(Problem("calls must be an array of calls".into())),
                (other, _) => {
                    let shown: String = other.chars().take(40).collect();
                    return Err(Problem(format!(
                        "the reply has the unknown field {shown:?}; its fields are thought, expected and calls"
                    )));
                }
            }
        }
        if reply.calls.is_empty() {
            return Err(Problem("the reply has no calls; give at least one, or done".into()));
        }
        Ok(reply)
    }

    /// What is written down of it. Predictions are read from the whole before.
    #[must_use]
    pub fn kept(mut self) -> Reply {
        self.expected.truncate(KEPT_EXPECTED);
        self.expected.iter_mut().for_each(|entry| cut(entry, KEPT_ENTRY));
        if let Some(thought) = &mut self.thought {
            cut(thought, KEPT_THOUGHT);
        }
        self
    }
}

/// Shortens a text to so many characters, with a sign that there was more.
pub fn cut(text: &mut String, characters: usize) {
    if let Some((end, _)) = text.char_indices().nth(characters) {
        text.truncate(end);
        text.push('…');
        text.shrink_to_fit();
    }
}

fn is_deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(|item| is_deeper_than(item, levels - 1)),
        Value::Object(fields) => levels == 0 || fields.values().any(|field| is_deeper_than(field, levels - 1)),
        _ => false,
    }
}

impl CallRequest {
    pub fn parse(value: &Value) -> Result<CallRequest, CallProblem> {
        let Some(given) = value.as_object() else {
            return Call::parse(value)
                .map(|parsed| CallRequest { given: parsed.given, form: CallForm::Ready(parsed.call) });
        };
        let mut call = given.clone();
        let form = match TargetQuery::take(&mut call)? {
            None => CallForm::Ready(Call::parse(value)?.call),
            Some(query) => {
                // Everything but the coordinate can be checked now; a stand-in takes its place.
                let mut trial = call.clone();
                trial.insert("coordinate".into(), serde_json::json!([0, 0]));
                Call::parse(&Value::Object(trial))?;
                CallForm::NeedsTarget { query, call }
            }
        };
        Ok(CallRequest { given: given.clone(), form })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problem(value: Value, expected: &str) {
        let Problem(message) = Reply::parse(&value).expect_err(&value.to_string());
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn one_bad_call_rejects_the_whole_reply() {
        problem(
            json!({"calls": [{"tool": "wait", "seconds": 1}, {"tool": "mouse", "action": "click", "coordinate": [1]}]}),
            "call 1: mouse.coordinate must be",
        );
        problem(json!({"calls": []}), "no calls");
        problem(json!({}), "no calls");
        problem(json!([]), "must be a JSON object");
        problem(json!({"calls": [{"tool": "inspect"}], "extra": 1}), "unknown field \"extra\"");
        problem(json!({"calls": [{"tool": "mouse", "action": "click", "target": {}}]}), "target must be an object");
        problem(
            json!({"calls": [{"tool": "keyboard", "action": "clear", "target": {"text": "x"}}]}),
            "keyboard.coordinate is not a field",
        );
    }

    #[test]
    fn depth_and_length_have_their_bounds() {
        let mut deep = json!(1);
        for _ in 0..70 {
            deep = json!([deep]);
        }
        problem(json!({"calls": [{"tool": "done", "success": true, "summary": "x", "output": deep}]}), "64 levels");
        let call = json!({"tool": "wait", "seconds": 1});
        let long =
            json!({"thought": "ä".repeat(30_000), "expected": vec!["url_contains:".repeat(99); 150], "calls": [call]});
        let kept = Reply::parse(&long).unwrap().kept();
        assert_eq!(kept.thought.unwrap().chars().count(), KEPT_THOUGHT + 1);
        assert_eq!((kept.expected.len(), kept.expected[0].chars().count()), (KEPT_EXPECTED, KEPT_ENTRY + 1));
    }

    #[test]
    fn a_reply_keeps_what_was_given() {
        let call = json!({"tool": "mouse", "action": "click", "target": {"role": "Button", "text": "Save"}});
        let reply = Reply::parse(&json!({"thought": "save it", "expected": ["url_changed"], "calls": [call]})).unwrap();
        assert_eq!(reply.thought.as_deref(), Some("save it"));
        assert_eq!(reply.expected, ["url_changed"]);
        assert_eq!(Value::Object(reply.calls[0].given.clone()), call);
        assert!(matches!(reply.calls[0].form, CallForm::NeedsTarget { .. }));
    }
}
