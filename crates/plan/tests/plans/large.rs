//! Plans and data as large as they may be. Every size here would take minutes if something were copied or compared for
//! each place that names it.

use serde_json::{Map, Value, json};
use surehand_plan::machine::{Machine, Outcome, Status, Used, Work};
use surehand_plan::{Inputs, Plan, limits};

/// A page with very many fields is read, and after it come texts that are full of names.
fn crowded(text: &str) -> Value {
    let fields: Map<String, Value> = (0..3000).map(|at| (format!("field_{at}"), json!({"type": "string"}))).collect();
    let mut steps = vec![json!({"id": "read", "type": "extract", "what": "x", "save_as": "a",
        "output_schema": {"type": "object", "properties": fields}})];
    let text = text.repeat(limits::TEXT / text.len());
    steps.extend((0..200).map(|at| json!({"id": format!("s{at}"), "type": "act", "intent": text})));
    json!({"name": "x", "steps": steps})
}

/// To the first work, or to the end.
fn decided(plan: Value, given: Value) -> Machine {
    let plan = Plan::from_value(&plan).unwrap_or_else(|problems| panic!("{problems}"));
    let inputs = Inputs::resolve(&plan, given.as_object().unwrap()).unwrap();
    let mut machine = Machine::new(plan, inputs);
    decide(&mut machine);
    machine
}

fn decide(machine: &mut Machine) {
    while matches!(machine.next(), Work::Undecided) {
        machine.count_unreported(Used::default());
    }
}

#[test]
fn texts_full_of_names_are_checked_without_a_copy_for_each() {
    assert!(Plan::of_request(&crowded("{{a}}")).is_ok());
    let problems = Plan::of_request(&crowded("{{a.feild_7x}}")).unwrap_err();
    assert_eq!(problems.all().len(), limits::PROBLEMS);
    let longest = problems.all().iter().map(|problem| problem.hint.len()).max().unwrap();
    assert!(longest < 1000, "{longest}");
    let problems = Plan::of_request(&crowded("{{b}}")).unwrap_err();
    assert_eq!(problems.all().len(), limits::PROBLEMS);
}

#[test]
fn a_body_may_be_as_large_as_a_file() {
    let mut plan = crowded("x");
    assert!(Plan::of_request(&plan).is_ok());
    plan["about"] = json!("x".repeat(limits::FILE_BYTES));
    let said = Plan::of_request(&plan).unwrap_err().to_string();
    assert!(said.contains("bytes, more than"), "{said}");
}

#[test]
fn conditions_on_large_data_are_looked_at_piece_by_piece() {
    let rows: Vec<Value> = (0..10_000).map(|at| json!({"name": format!("{at}{}", "x".repeat(200))})).collect();
    let choices: Vec<Value> = (0..12)
        .map(|at| {
            let condition = json!({"any": [{"value": "{{rows}}", "empty": true}, {"value": "{{row.name}}", "equals": "{{rows}}"}]});
            json!({"id": format!("if{at}"), "type": "if", "condition": condition, "then": [{"id": format!("act{at}"), "type": "act", "intent": "x"}]})
        })
        .collect();
    let plan = json!({"name": "x", "values": {"rows": {"type": "rows"}}, "steps": [
        {"id": "each", "type": "loop", "over": "{{rows}}", "steps": choices},
        {"id": "last", "type": "act", "intent": "look"}]});
    let parsed = Plan::from_value(&plan).unwrap();
    let inputs = Inputs::resolve(&parsed, json!({"rows": rows}).as_object().unwrap()).unwrap();
    let fresh = Machine::new(parsed, inputs);
    assert_eq!(fresh.next(), &Work::Undecided, "nobody waits for all of it");
    let mut machine = decided(plan, json!({"rows": rows}));
    assert_eq!(machine.next().step().unwrap().id, "last", "rows without work are no reason to give up");
    machine.report(Outcome::Done { done_when: Vec::new() }, Used::default()).unwrap();
    decide(&mut machine);
    assert!(matches!(machine.next(), Work::Finished(ending) if ending.status == Status::Done));
}

#[test]
fn time_that_is_spent_on_deciding_counts() {
    let inner = json!({"id": "if", "type": "if", "condition": {"value": "{{n}}", "equals": 2}, "then": [{"id": "a", "type": "act", "intent": "x"}]});
    let plan = json!({"name": "x", "values": {"n": {"default": "1"}}, "budget": {"max_time": "1s"}, "steps": [
        {"id": "on", "type": "loop", "max_times": 10_000, "while": {"value": "{{n}}", "equals": "1"}, "steps": [inner]}]});
    let parsed = Plan::from_value(&plan).unwrap();
    let mut machine = Machine::new(parsed.clone(), Inputs::resolve(&parsed, &Map::new()).unwrap());
    assert_eq!(machine.next(), &Work::Undecided);
    machine.count_unreported(Used { milliseconds: 1000, ..Used::default() });
    decide(&mut machine);
    assert!(matches!(machine.next(), Work::Finished(ending) if ending.status == Status::OutOfBudget));
}
