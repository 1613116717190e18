//! Conditions and gates. Whether their predicates and names exist is for `validate`.

use serde_json::Value;

use super::fields::{Fields, kind, shown, text};
use crate::limits;
use crate::plan::{Condition, Gate, Test, ValueTest};
use crate::problem::Problems;

const TESTS: &[&str] = &["equals", "not_equals", "contains", "at_least", "at_most", "empty"];
const FORMS: &str =
    "a predicate such as \"url_contains:/cart\", {all: […]}, {any: […]}, {not: …} or {value: \"{{…}}\", equals: …}";

pub(super) fn optional(fields: &Fields<'_>, name: &str, problems: &mut Problems) -> Option<Condition> {
    condition(&fields.place_of(name), fields.get(name)?, problems)
}

pub(super) fn condition(place: &str, value: &Value, problems: &mut Problems) -> Option<Condition> {
    let mut nodes = 0;
    let condition = read(place, value, limits::CONDITION_DEPTH, &mut nodes, problems);
    if nodes > limits::CONDITION_NODES {
        problems.add(
            place,
            format!("the condition has more than {} parts", limits::CONDITION_NODES),
            "make it simpler",
        );
    }
    condition
}

pub(super) fn gates(fields: &Fields<'_>, problems: &mut Problems) -> Vec<Gate> {
    let list = fields.list("gates", problems);
    list.into_iter().filter_map(|(place, value)| gate(&place, value, problems)).collect()
}

fn gate(place: &str, value: &Value, problems: &mut Problems) -> Option<Gate> {
    if value.get("approval").is_none() {
        return condition(place, value, problems).map(Gate::Condition);
    }
    let fields = Fields::of(place, value, &["approval"], "an approval", problems)?;
    Some(Gate::Approval { approval: fields.wanted_text("approval", "say what the person allows", problems) })
}

fn read(place: &str, value: &Value, depth: usize, nodes: &mut usize, problems: &mut Problems) -> Option<Condition> {
    *nodes += 1;
    if depth == 0 {
        problems.add(place, format!("the condition is deeper than {}", limits::CONDITION_DEPTH), "make it simpler");
        return None;
    }
    if *nodes > limits::CONDITION_NODES {
        return None;
    }
    if value.is_string() {
        return text(place, value, problems).map(Condition::Predicate);
    }
    let Some(map) = value.as_object() else {
        problems.add(place, format!("a condition cannot be {}", kind(value)), FORMS);
        return None;
    };
    let has = |name: &str| map.contains_key(name);
    if has("all") || has("any") {
        let name = if has("all") { "all" } else { "any" };
        let fields = Fields::of(place, value, &[name], "this condition", problems)?;
        let list = fields.list(name, problems);
        if list.is_empty() {
            problems.add(fields.place_of(name), format!("`{name}` is empty"), FORMS);
        }
        let mut parts = Vec::new();
        for (place, part) in list {
            parts.extend(read(&place, part, depth - 1, nodes, problems));
        }
        return Some(if name == "all" { Condition::All { all: parts } } else { Condition::Any { any: parts } });
    }
    if has("not") {
        let fields = Fields::of(place, value, &["not"], "this condition", problems)?;
        let inner = read(&fields.place_of("not"), map.get("not")?, depth - 1, nodes, problems)?;
        return Some(Condition::Not { not: Box::new(inner) });
    }
    if has("value") {
        return value_test(place, value, problems).map(Condition::Value);
    }
    problems.add(place, "this is no condition", FORMS);
    None
}

fn value_test(place: &str, value: &Value, problems: &mut Problems) -> Option<ValueTest> {
    let known: Vec<&str> = ["value"].into_iter().chain(TESTS.iter().copied()).collect();
    let fields = Fields::of(place, value, &known, "a comparison", problems)?;
    let of = fields.wanted_text("value", "name it as in \"{{page.total}}\"", problems);
    // Here `null` is something to compare with.
    let given: Vec<(&str, &Value)> = TESTS.iter().filter_map(|test| Some((*test, value.get(test)?))).collect();
    let misspelt = value.as_object().is_some_and(|map| map.keys().any(|name| !known.contains(&name.as_str())));
    if given.is_empty() && misspelt {
        return None;
    }
    let [(name, with)] = given.as_slice() else {
        problems.add(
            place,
            format!("a comparison has {} tests", given.len()),
            format!("give one of {}", TESTS.join(", ")),
        );
        return None;
    };
    let number = || with.as_f64().filter(|number| number.is_finite());
    let test = match *name {
        "equals" => Some(Test::Equals((*with).clone())),
        "not_equals" => Some(Test::NotEquals((*with).clone())),
        "contains" => Some(Test::Contains((*with).clone())),
        "at_least" => number().map(Test::AtLeast),
        "at_most" => number().map(Test::AtMost),
        _ => with.as_bool().map(Test::Empty),
    };
    if test.is_none() {
        let wanted = if *name == "empty" { "true or false" } else { "a number" };
        problems.add(fields.place_of(name), format!("`{name}` wants {wanted}, this is {}", shown(with)), "");
    }
    Some(ValueTest { value: of, test: test? })
}
