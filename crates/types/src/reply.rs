//! What a brain is given (`Turn`) and what it answers (`Reply`), independent of any vendor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::call::{Call, CallProblem, TargetPlace, TargetQuery};
use crate::coords::{GridPoint, ViewSize};
use crate::effect::Effect;
use crate::observation::{Candidate, Dialog, Dispatched, Download, ExtraImage, Focus, FrameFile, Hit, Pending, Tab};
use crate::plan::PlanStep;
use crate::result::PredicateResult;
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
    /// What came of the reply's `expected`, on the last call that ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<PredicateResult>,
}

/// Why the effect of a look is `refused`: nothing has changed since the last one. A brain that cannot think of anything
/// else leaves the call out.
pub const NOTHING_NEW: &str = "nothing_new";

/// The hint of a first turn that tells what an earlier run has done, one line a step.
pub const RESUMED_HINT: &str = "resumed";

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
    /// A person agreed to the safety checks of the last reply.
    pub safety_agreed: bool,
    /// The step of a plan that the task is.
    pub plan_step: Option<PlanStep>,
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
        query: Box<TargetQuery>,
        /// Where a drag ends, if that is looked for as well.
        end: Option<Box<TargetQuery>>,
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
    /// Hidden reasoning, where a model shows it: kept for the record, never scored and never quoted.
    pub reasoning: Option<String>,
    /// Where a model pointed in its own space, and what that came to.
    pub aims: Vec<AimedAt>,
    /// What a provider wants a person to agree to before any of the calls runs.
    pub safety: Vec<SafetyCheck>,
    /// What was forgiven while the answer was read, in words.
    pub repairs: Vec<String>,
}

/// What one answer took. The dollars are an estimate from the price file; 0 where no price is known.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost_usd: f64,
    /// Part of the input that the provider had in its prompt cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// HTTP requests made, those that failed and were repeated included.
    #[serde(default)]
    pub requests: u32,
    #[serde(default)]
    pub bytes_sent: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cost_usd += other.cost_usd;
        self.cached_tokens += other.cached_tokens;
        self.requests += other.requests;
        self.bytes_sent += other.bytes_sent;
    }
}

/// A point as a model gave it, the picture it refers to, and the grid point it was read as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AimedAt {
    /// Index of the call in the reply.
    pub call: usize,
    pub field: String,
    pub raw: [f64; 2],
    /// The model's coordinate space, like `image_px` or `grid1000`.
    pub space: String,
    /// Size of the picture that was sent.
    pub image: [u32; 2],
    /// Exact, before it is rounded to whole grid units.
    pub grid: [f64; 2],
    /// The raw point was outside the picture.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clamped: bool,
}

/// One check of a provider. Its code and message are free text from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SafetyCheck {
    pub id: String,
    pub code: String,
    pub message: String,
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
        for words in [&mut self.thought, &mut self.reasoning].into_iter().flatten() {
            cut(words, KEPT_THOUGHT);
        }
        self.repairs.truncate(KEPT_EXPECTED);
        self.safety.truncate(KEPT_EXPECTED);
        for check in &mut self.safety {
            [&mut check.id, &mut check.code, &mut check.message].into_iter().for_each(|text| cut(text, KEPT_ENTRY));
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
    /// Tool and action, for a person who is asked about it.
    pub fn given_in_words(&self) -> String {
        let word = |name: &str| self.given.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("{} {}", word("tool"), word("action")).trim().to_string()
    }

    /// A call whose points may lie between grid points, as a model's own pixels do. The record shows whole grid
    /// units; the hand aims at the exact place.
    pub fn exact(mut call: Map<String, Value>) -> Result<CallRequest, CallProblem> {
        let mut points = Vec::new();
        for field in ["coordinate", "start_coordinate", "end_coordinate"] {
            if let Some([x, y]) = call.get(field).and_then(numbers) {
                call.insert(field.into(), Value::from(<[u16; 2]>::from(GridPoint::exact(x, y)).to_vec()));
                points.push((field, GridPoint::exact(x, y)));
            }
        }
        let mut request = CallRequest::parse(&Value::Object(call))?;
        if let CallForm::Ready(ready) = &mut request.form {
            for (field, point) in points {
                ready.aim_exactly(field, point);
            }
        }
        Ok(request)
    }

    pub fn parse(value: &Value) -> Result<CallRequest, CallProblem> {
        let Some(given) = value.as_object() else {
            return Call::parse(value)
                .map(|parsed| CallRequest { given: parsed.given, form: CallForm::Ready(parsed.call) });
        };
        let mut call = given.clone();
        let (query, end) = (TargetQuery::take(&mut call)?, TargetQuery::take_end(&mut call)?);
        let form = match (query, end) {
            (None, None) => CallForm::Ready(Call::parse(value)?.call),
            (None, Some(_)) => return Err(CallProblem::invalid("end_target needs target: a drag has two ends")),
            (Some(query), end) => {
                // Everything but the coordinate can be checked now.
                with_stand_ins(call.clone(), &query, end.is_some())?;
                CallForm::NeedsTarget { query: Box::new(query), end: end.map(Box::new), call }
            }
        };
        Ok(CallRequest { given: given.clone(), form })
    }

    /// What kind of call it is, for whoever does not need to know where its target is.
    pub fn somewhere(&self) -> Option<Call> {
        match &self.form {
            CallForm::Ready(call) => Some(call.clone()),
            CallForm::NeedsTarget { query, end, call } => with_stand_ins(call.clone(), query, end.is_some()).ok(),
        }
    }
}

fn with_stand_ins(mut call: Map<String, Value>, query: &TargetQuery, with_end: bool) -> Result<Call, CallProblem> {
    put_place(&mut call, query.place, GridPoint::new(0, 0));
    if with_end {
        call.insert("end_coordinate".into(), serde_json::json!([0, 0]));
    }
    Call::parse(&Value::Object(call)).map(|parsed| parsed.call)
}

/// Gives a call the place that its target was found at, in the field that the call has for it.
pub fn put_place(call: &mut Map<String, Value>, place: Option<TargetPlace>, found: GridPoint) {
    if place == Some(TargetPlace::Focus) {
        return;
    }
    let drags = call.get("action").and_then(Value::as_str) == Some("drag");
    let field = if drags { "start_coordinate" } else { "coordinate" };
    call.insert(field.into(), Value::from(<[u16; 2]>::from(found).to_vec()));
}

fn numbers(value: &Value) -> Option<[f64; 2]> {
    match value.as_array()?.as_slice() {
        [x, y] => Some([x.as_f64()?, y.as_f64()?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_exact_call_is_recorded_in_whole_units_and_aimed_between_them() {
        let call = json!({"tool": "mouse", "action": "click", "coordinate": [400.39, 300.0]});
        let request = CallRequest::exact(call.as_object().unwrap().clone()).unwrap();
        assert_eq!(request.given["coordinate"], json!([400, 300]));
        let CallForm::Ready(Call::Mouse(crate::call::MouseCall::Click { at: Some(at), .. })) = request.form else {
            panic!("{request:?}");
        };
        assert_eq!(at.to_view(ViewSize { width: 2560, height: 1440 }).x, 1025);
    }

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
