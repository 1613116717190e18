//! Where the product knowingly does better than the source of the vectors: every written deviation, through the
//! public door, in the product's profile and beside what the vectors pin.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use serde_json::{Value, json};
use surehand_checks::action::Action;
use surehand_checks::after::high_risk::{HighRiskRules, is_high_risk};
use surehand_checks::after::loops::detector::{DetectorRules, Sample, loop_in, signs};
use surehand_checks::after::predicates::{
    Predicate, PredicateRules, Seen, evaluate_named, parse, parse_list, predicted,
};
use surehand_checks::done::gate::{GateInput, GateRules, GateStep, GateVerdict, PlanProgress, judge};
use surehand_types::EffectStatus;

const CASES: &str = include_str!("deviations.json");

/// The rules of both profiles, side by side.
struct Profile {
    predicates: PredicateRules,
    high_risk: HighRiskRules,
    detector: DetectorRules,
    gate: GateRules,
}

fn product() -> Profile {
    Profile {
        predicates: PredicateRules::default(),
        high_risk: HighRiskRules::default(),
        detector: DetectorRules::default(),
        gate: GateRules::default(),
    }
}

fn vectors() -> Profile {
    Profile {
        predicates: PredicateRules::VECTORS,
        high_risk: HighRiskRules::VECTORS,
        detector: DetectorRules::VECTORS,
        gate: GateRules::VECTORS,
    }
}

#[test]
fn every_written_deviation_holds_in_the_product_and_only_there() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    assert!(!cases.is_empty());
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let wanted = wanted(id, &case["want"]);
        assert_eq!(found(id, &case["input"], &product()), wanted, "{id}");
        // These two are harmless either way, so both profiles agree.
        if !id.starts_with("dev-13") && !id.starts_with("dev-18") {
            assert_ne!(found(id, &case["input"], &vectors()), wanted, "{id} is no deviation");
        }
    }
}

/// What the case wants, in the form that `found` gives. Wants in words are put into facts here.
fn wanted(id: &str, want: &Value) -> Value {
    match id {
        // Both full predicates of the long text are read.
        "dev-02" => json!({"predicates": ["url_contains", "title_changed"]}),
        // Either answer is right; ours is the plain one.
        "dev-13-sender" | "dev-13-unsaved" | "dev-13-buyer" => json!(true),
        // 4 or 5: a click 5 px away is told apart from one on the spot by 4.
        "dev-18" => json!([true, false]),
        "dev-20" | "dev-21" => json!({"accept": id == "dev-20"}),
        _ => want.clone(),
    }
}

fn found(id: &str, input: &Value, profile: &Profile) -> Value {
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    match &id[..6] {
        "dev-01" | "dev-03" | "dev-08" => {
            json!({"predicates": kinds(&predicted(text("brain_text"), &profile.predicates).predicates)})
        }
        "dev-02" => {
            let length = usize::try_from(input["brain_text_len"].as_u64().unwrap()).unwrap();
            let reply = |path: &str| format!(r#"{{"expected": ["url_contains:/{path}", "title_changed"]}}"#);
            let reply = reply(&"x".repeat(length - reply("").len()));
            let prediction = predicted(&reply, &profile.predicates);
            assert!(reply.len() == length && prediction.raw.chars().count() <= 500);
            json!({"predicates": kinds(&prediction.predicates)})
        }
        "dev-04" => {
            let seen = Seen { url: Some(text("url")), previous_url: Some(text("prev_url")), ..Seen::default() };
            json!({"result": evaluate_named("url_changed", None, &seen, &profile.predicates).as_wire()})
        }
        "dev-05" => {
            let answer = |kind| evaluate_named(kind, None, &Seen::default(), &profile.predicates).as_wire();
            json!({"field_focused": answer("field_focused"), "field_unfocused": answer("field_unfocused")})
        }
        "dev-06" => json!(kinds(&parse(text("raw"), &profile.predicates))),
        "dev-07" | "dev-09" => {
            let raw = predicted(text("brain_text"), &profile.predicates).raw;
            json!({"raw": raw.strip_prefix("Predicted:").unwrap_or(&raw).trim()})
        }
        "dev-10" => {
            let predicates = parse(text("raw"), &profile.predicates);
            json!(predicates.iter().map(|predicate| predicate.arg.clone()).collect::<Vec<_>>())
        }
        "dev-11" => json!(is_high_risk(&key(text("keys")), "", "", profile.high_risk)),
        "dev-12" | "dev-13" => {
            let action = Action { reasoning: text("reasoning").into(), ..click(1, 1) };
            json!(is_high_risk(&action, "", text("task"), profile.high_risk))
        }
        "dev-14" => {
            let place = |at: &Value| sample(click(at[0].as_i64().unwrap(), at[1].as_i64().unwrap()), "u", "a");
            let samples: Vec<Sample> = input["clicks"].as_array().unwrap().iter().map(place).collect();
            json!({"any_adaptive": loop_in(&samples, 3, &profile.detector).is_some()})
        }
        "dev-15" => {
            // Repeating a key that scrolls is reading as long as the picture moves.
            let samples = ["a", "b", "c"].map(|hash| sample(key(text("keys")), "u", hash));
            json!({"scroll_like": !signs(&samples, 3, &profile.detector).repeat})
        }
        "dev-16" => {
            let params = json!({"start_x": 10, "start_y": 10, "end_x": 90, "end_y": 90});
            let drag = || sample(Action::new("drag", params.clone()), "", "");
            let count = usize::try_from(input["drags"].as_u64().unwrap()).unwrap();
            let samples: Vec<Sample> = (0..count).map(|_| drag()).collect();
            json!({"drift": signs(&samples, count, &profile.detector).drift})
        }
        "dev-17" => {
            let state = |pair: &Value| sample(key("a"), pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
            let samples: Vec<Sample> = input["samples"].as_array().unwrap().iter().map(state).collect();
            json!({"state": signs(&samples, samples.len(), &profile.detector).state})
        }
        "dev-18" => {
            let tolerance = input["tol"].as_i64().unwrap();
            let rules = DetectorRules { click_tolerance: tolerance, ..profile.detector };
            let class = text("class");
            let aimed = |x: i64| Action { reasoning: format!("open the {class}"), ..click(x, 10) };
            let drifts =
                |away: i64| signs(&[sample(aimed(10), "", ""), sample(aimed(10 + away), "", "")], 2, &rules).drift;
            json!([drifts(4), drifts(6)])
        }
        "dev-19" => {
            let required: Vec<String> = serde_json::from_value(input["required"].clone()).unwrap();
            let input = GateInput { summary: text("summary"), required_fields: &required, ..GateInput::default() };
            accepted(&input, profile)
        }
        "dev-20" => {
            let still = GateStep {
                action: "scroll",
                url: Some("u"),
                frame_hash: "a",
                effect: Some(EffectStatus::NoEffect),
                url_changed: Some(false),
                tiles_changed: Some(false),
                ..GateStep::default()
            };
            let steps = vec![still; usize::try_from(input["frozen_steps"].as_u64().unwrap()).unwrap()];
            let input = GateInput { summary: text("summary"), steps: &steps, read_only: true, ..GateInput::default() };
            accepted(&input, profile)
        }
        "dev-21" => {
            let number = |name: &str| usize::try_from(input[name].as_u64().unwrap()).unwrap();
            let (steps, position) = (number("plan_steps"), number("plan_step_idx"));
            let plan = Some(PlanProgress { steps, position, completed: position });
            accepted(&GateInput { summary: "all done", plan, ..GateInput::default() }, profile)
        }
        _ => panic!("{id} is not known here"),
    }
}

/// A native list goes the same way as a list in words.
#[test]
fn a_native_list_is_read_like_the_written_one() {
    let rules = PredicateRules::default();
    let native = parse_list(&["url_changed", "title_contains:Hello, World."], &rules);
    let written = parse(r#"{"expected": ["url_changed", "title_contains:Hello, World."]}"#, &rules);
    assert_eq!(native, written);
}

fn kinds(predicates: &[Predicate]) -> Vec<&'static str> {
    predicates.iter().map(|predicate| predicate.kind.name()).collect()
}

fn key(keys: &str) -> Action {
    Action::new("key_press", json!({ "keys": keys }))
}

fn click(x: i64, y: i64) -> Action {
    Action::new("click", json!({ "x": x, "y": y }))
}

fn sample(action: Action, url: &str, frame_hash: &str) -> Sample {
    Sample { action, url: url.into(), frame_hash: frame_hash.into(), ..Sample::default() }
}

fn accepted(input: &GateInput<'_>, profile: &Profile) -> Value {
    json!({"accept": judge(input, &profile.gate) == GateVerdict::Accept})
}
