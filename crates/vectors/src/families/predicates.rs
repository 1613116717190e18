//! Family `predicates`.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use surehand_checks::after::predicates::{
    FrameFacts, PredicateRules, Seen, evaluate_all, evaluate_named, extract, parse, predicted, reward_component,
    world_model_error,
};
use surehand_types::Focus;
use surehand_types::observation::FocusedElement;

use crate::{Case, Place};

const RULES: PredicateRules = PredicateRules::VECTORS;

#[derive(Deserialize)]
struct ExtractInput {
    text: String,
}

#[derive(Deserialize)]
struct ParseInput {
    raw: String,
}

#[derive(Deserialize)]
struct EvaluateInput {
    predicate: GivenPredicate,
    observation: GivenObservation,
}

#[derive(Deserialize)]
struct GivenPredicate {
    kind: String,
    arg: Option<String>,
}

#[derive(Deserialize)]
struct ScoreInput {
    results: Vec<Option<bool>>,
}

#[derive(Deserialize)]
struct PipelineInput {
    brain_text: String,
    observation: GivenObservation,
}

/// What is missing is empty; focus that is null is known to be nowhere.
#[derive(Deserialize, Default)]
#[serde(default)]
struct GivenObservation {
    url: String,
    prev_url: String,
    title: String,
    prev_title: String,
    frame_hash: String,
    prev_frame_hash: String,
    #[serde(deserialize_with = "given_focus")]
    focused_input: Focus,
}

impl GivenObservation {
    fn seen(&self) -> Seen<'_> {
        Seen {
            url: Some(&self.url),
            previous_url: Some(&self.prev_url),
            title: Some(&self.title),
            previous_title: Some(&self.prev_title),
            focus: &self.focused_input,
            frame: FrameFacts::Hashes { before: &self.prev_frame_hash, after: &self.frame_hash },
            ..Seen::default()
        }
    }
}

/// Names may be numbers; an object that says nothing stands for no focus.
fn given_focus<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Focus, D::Error> {
    let given = Option::<Map<String, Value>>::deserialize(deserializer)?.unwrap_or_default();
    if given.is_empty() {
        return Ok(Focus::Nothing);
    }
    let text = |name: &str| match given.get(name) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    };
    Ok(Focus::Element(Box::new(FocusedElement {
        r#type: text("type"),
        name: text("name"),
        id: text("id"),
        label: text("label"),
        placeholder: text("placeholder"),
        selector: text("selector"),
        ..FocusedElement::default()
    })))
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let answer = match case.kind.as_str() {
        "extract" => {
            let input: ExtractInput = super::input(&case.input)?;
            json!({ "raw": extract(&input.text, &RULES) })
        }
        "parse" => {
            let input: ParseInput = super::input(&case.input)?;
            let predicates = parse(&input.raw, &RULES);
            let shown = predicates.iter().map(|predicate| {
                json!({ "kind": predicate.kind.name(), "arg": predicate.arg, "text": predicate.to_string() })
            });
            json!({ "predicates": shown.collect::<Vec<_>>() })
        }
        "evaluate" => {
            let input: EvaluateInput = super::input(&case.input)?;
            let GivenPredicate { kind, arg } = &input.predicate;
            json!(evaluate_named(kind, arg.as_deref(), &input.observation.seen(), &RULES))
        }
        "score" => {
            let input: ScoreInput = super::input(&case.input)?;
            score(&input.results)
        }
        "pipeline" => {
            let input: PipelineInput = super::input(&case.input)?;
            let prediction = predicted(&input.brain_text, &RULES);
            let results = evaluate_all(&prediction.predicates, &input.observation.seen(), &RULES);
            let mut answer = score(&results.iter().map(|result| result.result).collect::<Vec<_>>());
            answer["raw"] = json!(prediction.raw);
            answer["results"] = json!(results);
            answer
        }
        other => return Err(format!("kind {other} is not known")),
    };
    crate::same(&case.expect, &answer)
}

fn score(results: &[Option<bool>]) -> Value {
    json!({
        "world_model_error": world_model_error(results.iter().copied()),
        "reward_component": reward_component(results.iter().copied()),
    })
}
