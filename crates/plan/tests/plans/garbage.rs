//! Nothing that anybody can write makes a reader panic, and what is read can be written and read again.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use surehand_plan::extraction::{check, read_evidence};
use surehand_plan::machine::{Machine, Outcome, Position, Used};
use surehand_plan::plan::EvidencePer;
use surehand_plan::{Inputs, Plan, predicates};

const WORDS: &[&str] = &[
    "id",
    "type",
    "act",
    "loop",
    "if",
    "extract",
    "steps",
    "then",
    "else",
    "intent",
    "over",
    "while",
    "until",
    "max_times",
    "done_when",
    "url_contains:/a",
    "{{x}}",
    "{{",
    "<secret:a>",
    "<secret:",
    "values",
    "output",
    "tables",
    "key",
    "name",
    "budget",
    "max_time",
    "1h",
    "retry 2",
    "condition",
    "value",
    "equals",
    "all",
    "any",
    "not",
    "fields",
    "form",
    "collect",
    "into",
    "save_as",
    "output_schema",
    "$ref",
    "rows",
    "gates",
    "approval",
    "fill",
    "ask",
    "question",
    "navigate",
    "url",
    "http://x/",
    "verify",
    "required",
    "on_failure",
    "recovery",
];

fn value() -> impl Strategy<Value = Value> {
    let word = || prop::sample::select(WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        prop::collection::vec(any::<char>(), 0..6).prop_map(|text| text.into_iter().collect::<String>().into()),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..7)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// A good plan with one thing in it changed.
fn damaged() -> impl Strategy<Value = Value> {
    let good = json!({"name": "x", "values": {"r": {"type": "rows", "default": [{"a": "1"}]}}, "output": {"tables": {"t": {"key": ["k"]}}},
        "budget": {"max_steps": 40}, "steps": [
            {"id": "l", "type": "loop", "over": "{{r}}", "steps": [{"id": "f", "type": "fill", "fields": {"A": "{{row.a}}"}}], "between": []},
            {"id": "e", "type": "extract", "what": "w", "output_schema": {"type": "object"}, "save_as": "p", "collect": {"into": "t", "from": "rows"}},
            {"id": "i", "type": "if", "condition": {"value": "{{p.n}}", "at_least": 1}, "then": [{"id": "v", "type": "verify", "done_when": ["url_contains:/a"]}]}]});
    (any::<prop::sample::Index>(), value()).prop_map(move |(at, new)| {
        let mut plan = good.clone();
        let mut places = Vec::new();
        pointers(&plan, String::new(), &mut places);
        if let Some(place) = plan.pointer_mut(&places[at.index(places.len())]) {
            *place = new;
        }
        plan
    })
}

fn pointers(value: &Value, here: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| pointers(value, format!("{here}/{name}"), found)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| pointers(value, format!("{here}/{at}"), found))
        }
        _ => {}
    }
    found.push(here);
}

fn survive(value: &Value) -> Result<(), TestCaseError> {
    match Plan::from_value(value) {
        Ok(plan) => {
            let written = serde_json::to_value(&plan).unwrap();
            prop_assert_eq!(
                &Plan::from_value(&written).map_err(|why| TestCaseError::fail(format!("{written}: {why}")))?,
                &plan
            );
            if let Ok(inputs) = Inputs::resolve(&plan, &Map::new()) {
                let mut machine = Machine::new(plan, inputs);
                for _ in 0..50 {
                    machine.count_unreported(Used::default());
                    let answers = vec![surehand_types::ThreeValued::yes("x"); machine.next().predicates().len()];
                    let _ = machine
                        .report(Outcome::Done { done_when: answers.clone() }, Used { steps: 1, ..Used::default() });
                    let _ = machine.report(Outcome::Evaluated { results: answers }, Used::default());
                    let _ = machine.report(
                        Outcome::Failed { sentence: "x".into(), again: surehand_plan::machine::Again::Possible },
                        Used { steps: 1, ..Used::default() },
                    );
                }
            }
        }
        Err(problems) => {
            prop_assert!(!problems.is_empty());
            for problem in problems.all() {
                prop_assert!(!problem.to_string().contains('\n'), "{:?}", problem);
                prop_assert!(!problem.sentence.is_empty());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_a_plan_or_a_sentence(text in prop::collection::vec(prop_oneof![
        prop::sample::select(WORDS).prop_map(str::to_owned),
        prop::sample::select(vec![": ", "\n", "  ", "- ", "[", "]", "{", "}", "\"", "'", "|", ">", "&a", "*a", "!!", "#", "\t", "---", "<<: "]).prop_map(str::to_owned),
        any::<char>().prop_map(String::from)], 0..60)) {
        let text = text.concat();
        let _ = Plan::parse(&text);
        let _ = Plan::parse(&format!("{{{text}"));
        let _ = predicates::read(&text);
        let _ = surehand_plan::inputs::table("x.csv", &text);
        let _ = surehand_plan::inputs::table("x.json", &text);
        let _ = serde_json::from_str::<Position>(&text);
    }

    #[test]
    fn any_value_is_a_plan_or_sentences(value in value()) {
        survive(&value)?;
    }

    #[test]
    fn a_plan_with_one_thing_changed_is_a_plan_or_sentences(value in damaged()) {
        survive(&value)?;
    }

    #[test]
    fn any_value_can_be_checked_as_an_extraction(schema in value(), data in value(), evidence in value()) {
        let evidence = read_evidence(&evidence).unwrap_or_default();
        if let Some(schema) = schema.as_object() {
            let _ = check(schema, EvidencePer::Record, &data, &evidence);
        }
    }
}
