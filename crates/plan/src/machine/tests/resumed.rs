//! A plan that is interrupted after every report and goes on from its saved position is the plan that was not
//! interrupted: shown for made-up plans and outcomes.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// What becomes of one piece of work.
#[derive(Debug, Clone, Copy)]
enum Luck {
    Well,
    Broken,
    Hopeless,
    No,
    Unknown,
    Odd,
}

fn luck() -> impl Strategy<Value = Luck> {
    prop_oneof![
        8 => Just(Luck::Well),
        2 => Just(Luck::Broken),
        1 => Just(Luck::Hopeless),
        2 => Just(Luck::No),
        1 => Just(Luck::Unknown),
        1 => Just(Luck::Odd),
    ]
}

fn outcome(work: &Work, luck: Luck, number: usize) -> Outcome {
    let answer = match luck {
        Luck::No => ThreeValued::no("not so"),
        Luck::Unknown => ThreeValued::not_measured("not seen"),
        _ => ThreeValued::yes("so"),
    };
    let answers = vec![answer; work.predicates().len()];
    match (work, luck) {
        (_, Luck::Broken) => broken("broken"),
        (_, Luck::Hopeless) => Outcome::Failed { sentence: "hopeless".into(), again: Again::Pointless },
        (Work::Extract { .. }, Luck::Odd) => extracted(json!([1])),
        (Work::Extract { .. }, _) => {
            match extracted(json!({"rows": [{"k": number % 3}], "more": !number.is_multiple_of(4), "list": [1, 2]})) {
                Outcome::Extracted { value, evidence, .. } => {
                    Outcome::Extracted { value, evidence, done_when: answers }
                }
                other => other,
            }
        }
        (Work::Verify { .. } | Work::Evaluate { .. }, _) => Outcome::Evaluated { results: answers },
        (Work::Ask { answer: Wanted::Approval, .. }, Luck::No) => {
            Outcome::Answered(Answer::Denied { reason: String::new() })
        }
        (Work::Ask { answer: Wanted::Recovery { may_retry: true }, .. }, Luck::Well | Luck::Odd) => {
            Outcome::Answered(Answer::Retry)
        }
        (Work::Ask { answer: Wanted::Recovery { .. }, .. }, Luck::No) => Outcome::Answered(Answer::Skip),
        (Work::Ask { .. }, _) => well(work),
        _ => Outcome::Done { done_when: answers },
    }
}

fn policy() -> impl Strategy<Value = Value> {
    let words = ["stop", "skip", "ask", "retry 1", "retry 2 then skip", "retry 1 then ask"];
    prop_oneof![2 => Just(Value::Null), 3 => prop::sample::select(words.to_vec()).prop_map(|word| json!(word))]
}

fn condition() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("url_contains:/a")),
        Just(json!({"value": "{{page.more}}", "equals": true})),
        Just(json!({"any": [{"value": "{{n}}", "equals": 1}, "element_appears:x"]})),
        Just(json!({"all": [{"not": "element_appears:x"}, "url_contains:{{n}}"]})),
        Just(json!({"value": "{{page}}", "empty": false})),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    let gates = prop_oneof![3 => Just(json!([])), 1 => Just(json!([{"approval": "ok?"}])), 1 => condition().prop_map(|gate| json!([gate]))];
    let kinds = prop_oneof![
        Just(json!({"type": "act", "intent": "act {{n}}", "done_when": ["url_changed"]})),
        Just(json!({"type": "act", "intent": "act"})),
        Just(json!({"type": "navigate", "url": "http://x/{{n}}"})),
        Just(json!({"type": "fill", "fields": {"A": "{{page.list.0}}"}, "form": "f"})),
        Just(
            json!({"type": "extract", "what": "w", "output_schema": {"type": "object"}, "save_as": "page", "collect": {"into": "t", "from": "rows"}})
        ),
        Just(json!({"type": "verify", "done_when": ["url_contains:/a"]})),
        Just(json!({"type": "ask", "question": "what?", "choices": ["a", "b"], "save_as": "said"})),
        Just(json!({"type": "act", "intent": "a {{said}}", "required": ["said"]})),
    ];
    (kinds, gates, policy()).prop_map(|(kind, gates, policy)| with(kind, json!({"gates": gates, "on_failure": policy})))
}

fn steps() -> impl Strategy<Value = Vec<Value>> {
    let tree = leaf().prop_recursive(3, 12, 3, |inner| {
        let block = || prop::collection::vec(inner.clone(), 1..3);
        let between = prop::collection::vec(inner.clone(), 0..2);
        prop_oneof![
            (block(), between, condition(), policy(), 0..3).prop_map(|(steps, between, condition, policy, kind)| {
                let rule = match kind {
                    0 => json!({"over": "{{items}}"}),
                    1 => json!({"while": condition, "max_times": 2}),
                    _ => json!({"until": condition, "max_times": 3}),
                };
                with(rule, json!({"type": "loop", "steps": steps, "between": between, "on_failure": policy}))
            }),
            (block(), block(), condition(), policy()).prop_map(|(then, other, condition, policy)| {
                json!({"type": "if", "condition": condition, "then": then, "else": other, "on_failure": policy})
            }),
        ]
    });
    prop::collection::vec(tree, 1..4)
}

/// Gives every step an id, and every loop over a list an item that hides no other.
fn numbered(steps: &mut [Value], next: &mut usize) {
    for step in steps {
        *next += 1;
        step["id"] = json!(format!("s{next}"));
        if step.get("over").is_some() {
            step["as"] = json!(format!("item{next}"));
        }
        for name in ["steps", "between", "then", "else"] {
            if let Some(inner) = step.get_mut(name).and_then(Value::as_array_mut) {
                numbered(inner, next);
            }
        }
    }
}

/// `said` and `page` are saved first, so that every name is known; whether they are still there is luck.
fn whole(mut steps: Vec<Value>, budget: u32) -> Value {
    steps.insert(0, json!({"type": "extract", "what": "w", "output_schema": {}, "save_as": "page"}));
    steps.insert(0, json!({"type": "ask", "question": "what?", "save_as": "said"}));
    numbered(&mut steps, &mut 0);
    json!({"name": "x", "start_url": "http://x/", "values": {"n": {"type": "number", "default": 1}, "items": {"type": "list", "default": [1, 2]}},
        "output": {"tables": {"t": {"key": ["k"]}}, "values": {"n": "{{n}}"}},
        "budget": {"max_steps": budget}, "step_budget": {"max_steps": 3}, "recovery": {"before_retry": "reopen", "on_failure": "retry 1 then skip"}, "steps": steps})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn interrupted_anywhere_is_as_uninterrupted(steps in steps(), budget in 5..120u32, luck in prop::collection::vec(luck(), 1..40)) {
        let plan = Plan::from_value(&whole(steps, budget)).map_err(|problems| TestCaseError::fail(problems.to_string()))?;
        let inputs = Inputs::resolve(&plan, &Map::new()).unwrap();
        let mut straight = Machine::new(plan.clone(), inputs.clone());
        let mut broken_off = straight.clone();
        let used = Used { steps: 1, milliseconds: 7, micro_dollars: 3 };
        let mut told = (Vec::new(), Vec::new());
        for number in 0.. {
            let saved = serde_json::to_string(broken_off.position()).unwrap();
            let read: Position = serde_json::from_str(&saved).unwrap();
            prop_assert_eq!(&read, broken_off.position());
            broken_off = Machine::resume(plan.clone(), inputs.clone(), read).map_err(|why| TestCaseError::fail(why.to_string()))?;
            // What comes next may have to be decided first, here and there from different moments.
            let is_decided = !matches!(straight.next(), Work::Undecided);
            decide(&mut straight);
            decide(&mut broken_off);
            prop_assert_eq!(straight.next(), broken_off.next());
            prop_assert_eq!(straight.position(), broken_off.position());
            if is_decided {
                prop_assert_eq!(serde_json::to_string(broken_off.position()).unwrap(), saved);
                prop_assert_eq!(told.0, told.1);
            }
            if matches!(straight.next(), Work::Finished(_)) {
                break;
            }
            // The budget ends every plan: each report uses a step.
            prop_assert!(number <= 200);
            let answer = outcome(straight.next(), luck[number % luck.len()], number);
            told = (straight.report(answer.clone(), used).unwrap(), broken_off.report(answer, used).unwrap());
        }
    }

    #[test]
    fn a_damaged_position_is_refused_or_gone_on_from(steps in steps(), luck in prop::collection::vec(luck(), 1..20), at in any::<prop::sample::Index>(), with in 0..4usize) {
        let plan = Plan::from_value(&whole(steps, 50)).map_err(|problems| TestCaseError::fail(problems.to_string()))?;
        let inputs = Inputs::resolve(&plan, &Map::new()).unwrap();
        let mut machine = Machine::new(plan.clone(), inputs.clone());
        for (number, luck) in luck.iter().enumerate() {
            decide(&mut machine);
            let answer = outcome(machine.next(), *luck, number);
            if machine.report(answer, Used::default()).is_err() {
                break;
            }
        }
        let mut saved = serde_json::to_value(machine.position()).unwrap();
        let level = saved["levels"].as_array_mut().and_then(|levels| { let count = levels.len(); levels.get_mut(at.index(count.max(1))) });
        if let Some(level) = level {
            match with {
                0 => level["at"] = json!(99),
                1 => level["part"] = json!("else"),
                2 => level["phase"] = json!("inside"),
                _ => level["pass"] = json!(4_000_000_000u32),
            }
        }
        if let Ok(position) = serde_json::from_value::<Position>(saved)
            && let Ok(mut machine) = Machine::resume(plan, inputs, position)
        {
            decide(&mut machine);
            let answer = outcome(machine.next(), Luck::Well, 1);
            let _ = machine.report(answer, Used::default());
        }
    }
}

#[test]
fn another_plan_or_other_inputs_are_not_gone_on_with() {
    let make = |intent: &str| Plan::from_value(&plan(json!([{"id": "a", "type": "act", "intent": intent}]))).unwrap();
    let position = Machine::new(make("x"), Inputs::default()).position().clone();
    assert!(Machine::resume(make("x"), Inputs::default(), position.clone()).is_ok());
    assert_eq!(Machine::resume(make("y"), Inputs::default(), position.clone()).unwrap_err(), ResumeError::OtherPlan);
    let other = Position { inputs: "other".into(), ..position.clone() };
    assert_eq!(Machine::resume(make("x"), Inputs::default(), other).unwrap_err(), ResumeError::OtherInputs);
    let old = Position { version: 0, ..position };
    assert_eq!(Machine::resume(make("x"), Inputs::default(), old).unwrap_err(), ResumeError::Version);
}
