//! What a JSON value has to be. Checks of answers, files and outputs share it, so that "equals" means the same
//! everywhere.

use serde_json::{Map, Value, json};
use serde_json_path::JsonPath;

use super::condition::Condition;
use super::error::ContractError;
use super::fields::Fields;
use super::patterns;
use super::places::{around, spread_at};
use super::shapes::{Several, ValueShape, ValuesShape};
use super::since_start::SinceStart;
use super::values::{Count, shortened};

/// Whether a value is as wanted. `Unclear` is for a question that has several answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Met {
    Yes,
    No(&'static str),
    Unclear(&'static str),
}

/// Several rules about one document; all of them have to hold.
#[derive(Debug, Clone)]
pub(crate) struct ValueRules(Vec<ValueRule>);

#[derive(Debug, Clone)]
pub(crate) struct ValueRule {
    path: Option<JsonPath>,
    /// The path can name several values, so none is a count and not a place that is missing.
    spreads: bool,
    /// What is around the place. Where that is missing as well, nothing is known about the place.
    around: Option<JsonPath>,
    conditions: Vec<Condition>,
    exists: Option<bool>,
    count: Option<Count>,
    several: Several,
    since_start: Option<SinceStart>,
    /// Fields that may change by themselves.
    ignore: Vec<String>,
    expected: Value,
}

/// The same document when the run began.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    Known(&'a Value),
    NotKnown,
}

impl ValueRules {
    /// The rule of the check itself and those of its `values`; `None` where nothing is asked of a value.
    pub(crate) fn read(fields: &mut Fields) -> Result<Option<ValueRules>, ContractError> {
        let mut rules: Vec<ValueRule> = ValueRule::read(fields)?.into_iter().collect();
        let listed: ValuesShape = fields.section()?;
        for (at, object) in listed.values.into_iter().enumerate() {
            let mut inner = Fields::new(fields.place(&format!("values[{at}]")), object);
            let rule = ValueRule::read(&mut inner)?;
            let nothing = || inner.wrong("", "nothing is asked here. hint: `json_path` with `equals` or `exists`");
            rules.push(rule.ok_or_else(nothing)?);
            inner.finish()?;
        }
        Ok((!rules.is_empty()).then_some(ValueRules(rules)))
    }

    pub(crate) fn expected(&self) -> Map<String, Value> {
        let mut all = self.0.iter().map(|rule| rule.expected.clone());
        match (self.0.len(), all.next()) {
            (1, Some(Value::Object(only))) => only,
            (_, Some(first)) => Map::from_iter([("values".to_owned(), std::iter::once(first).chain(all).collect())]),
            (_, None) => Map::new(),
        }
    }

    /// Whether only something's being there is asked for, and whether it should be.
    pub(crate) fn only_existence(&self) -> Option<bool> {
        match self.0.as_slice() {
            [rule]
                if rule.path.is_none()
                    && rule.conditions.is_empty()
                    && rule.count.is_none()
                    && rule.since_start.is_none() =>
            {
                rule.exists
            }
            _ => None,
        }
    }

    /// Whether it only asks for things not to be there.
    pub(crate) fn only_absence(&self) -> bool {
        self.0.iter().all(|rule| {
            let nothing = rule.exists == Some(false) || rule.count == Some(Count::NONE);
            let as_it_was = rule.since_start.as_ref().is_some_and(SinceStart::only_absence);
            rule.conditions.is_empty() && (nothing || as_it_was)
        })
    }

    /// Whether it compares with how things were when the run began.
    pub(crate) fn wants_start(&self) -> bool {
        self.0.iter().any(|rule| rule.since_start.is_some())
    }

    /// A rule that surely does not hold decides; else one that is not clear leaves it open.
    pub(crate) fn judge(&self, document: &Value, start: Start<'_>) -> (Met, Value) {
        let judged: Vec<(Met, Value)> = self.0.iter().map(|rule| rule.judge(document, start)).collect();
        let met = judged
            .iter()
            .map(|(met, _)| met)
            .find(|met| matches!(met, Met::No(_)))
            .or_else(|| judged.iter().map(|(met, _)| met).find(|met| matches!(met, Met::Unclear(_))));
        let met = met.cloned().unwrap_or(Met::Yes);
        let mut seen: Vec<Value> = judged.into_iter().map(|(_, seen)| seen).collect();
        let seen = if seen.len() == 1 { seen.remove(0) } else { Value::Array(seen) };
        (met, seen)
    }
}

impl ValueRule {
    /// `None` where the check asks nothing of a value.
    fn read(fields: &mut Fields) -> Result<Option<ValueRule>, ContractError> {
        let shape: ValueShape = fields.section()?;
        let wrong = |field: &str, why: String| fields.wrong(field, why);
        let mut expected = Map::new();
        let path = match &shape.json_path {
            Some(path) => {
                expected.insert("json_path".into(), json!(path));
                Some(patterns::json_path(path).map_err(|why| wrong("json_path", why))?)
            }
            None => None,
        };
        let conditions = Condition::read(&shape, fields, &mut expected)?;
        let since_start = match &shape.since_start {
            Some(since) => Some(SinceStart::read(since, fields)?),
            None => None,
        };
        if !shape.ignore.is_empty() && since_start.is_none() {
            return Err(wrong("ignore", "it only goes with `since_start`".into()));
        }
        if let Some(since) = &shape.since_start {
            expected.insert("since_start".into(), since.in_words());
        }
        let count = match &shape.count {
            Some(count) => {
                let count = Count::read(count).map_err(|why| wrong("count", why))?;
                expected.insert("count".into(), json!(count.in_words()));
                Some(count)
            }
            None => None,
        };
        if let Some(exists) = shape.exists {
            expected.insert("exists".into(), json!(exists));
            if !exists && (!conditions.is_empty() || count.is_some() || since_start.is_some()) {
                return Err(wrong("exists", "what must not exist cannot be asked for anything else".into()));
            }
        }
        let asks = !conditions.is_empty() || count.is_some() || shape.exists.is_some() || since_start.is_some();
        if shape.json_path.is_some() && !asks {
            let why = "nothing is asked of the value there. hint: add `equals`, `matches`, `exists` or `count`";
            return Err(wrong("json_path", why.into()));
        }
        if shape.several.is_some() && shape.json_path.is_none() {
            return Err(wrong("several", "there can only be several values with a `json_path`".into()));
        }
        let several = shape.several.unwrap_or(Several::One);
        let written = shape.json_path.as_deref().unwrap_or_default();
        let spreads = spread_at(written).is_some();
        let around = around(written).and_then(|path| patterns::json_path(path).ok());
        let expected = Value::Object(expected);
        Ok(asks.then_some(ValueRule {
            path,
            spreads,
            around,
            conditions,
            exists: shape.exists,
            count,
            several,
            since_start,
            ignore: shape.ignore,
            expected,
        }))
    }

    /// The verdict and what was seen.
    fn judge(&self, value: &Value, start: Start<'_>) -> (Met, Value) {
        let (met, observed) = self.judge_now(value);
        let (Some(since), false) = (&self.since_start, matches!(met, Met::No(_))) else { return (met, observed) };
        let Start::Known(before) = start else { return (Met::Unclear("start_not_known"), observed) };
        let (before, now) = (without(before, &self.ignore), without(value, &self.ignore));
        let (before, now) = (self.nodes(&before), self.nodes(&now));
        // Where the path leads nowhere at both times, it was another document that was asked, or a wrong path.
        if before.is_empty() && now.is_empty() && !self.spreads {
            return (Met::Unclear("place_not_there"), observed);
        }
        let (holds, difference) = since.judge(&before, &now);
        match (met, holds) {
            (Met::Yes, false) => (Met::No("another_change"), difference),
            (met, _) => (met, difference),
        }
    }

    fn nodes<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        match &self.path {
            Some(path) => path.query(value).all(),
            None => vec![value],
        }
    }

    fn judge_now(&self, value: &Value) -> (Met, Value) {
        let nodes = self.nodes(value);
        let observed = match nodes.as_slice() {
            [] => json!("nothing is there"),
            [one] => shortened(one),
            several => json!({"values": several.iter().take(8).map(|v| shortened(v)).collect::<Vec<_>>(),
                              "count": several.len()}),
        };
        let lost = nodes.is_empty() && self.around.as_ref().is_some_and(|around| around.query(value).is_empty());
        (if lost { self.lost() } else { self.decide(&nodes) }, observed)
    }

    /// Even what is around the place is missing. A value that is wanted is surely not there; that one is gone
    /// cannot be concluded from a document that may be another one altogether.
    fn lost(&self) -> Met {
        let wanted = !self.conditions.is_empty() || self.exists == Some(true);
        if wanted { Met::No("nothing_there") } else { Met::Unclear("place_not_there") }
    }

    fn decide(&self, nodes: &[&Value]) -> Met {
        if let Some(wanted) = self.exists
            && wanted == nodes.is_empty()
        {
            return Met::No(if wanted { "nothing_there" } else { "still_there" });
        }
        if let Some(count) = self.count {
            if nodes.is_empty() && !self.spreads {
                return Met::No("nothing_there");
            }
            // The only value is a list where people count its entries, unless the path spreads it.
            let length = match nodes {
                [Value::Array(items)] => items.len(),
                several => several.len(),
            };
            if !count.holds(length) {
                return Met::No("another_count");
            }
        }
        if self.conditions.is_empty() {
            return Met::Yes;
        }
        let met = |node: &&Value| self.conditions.iter().all(|condition| condition.holds(node));
        match (nodes, self.several) {
            ([], _) => Met::No("nothing_there"),
            ([one], _) => {
                if met(one) {
                    Met::Yes
                } else {
                    Met::No("another_value")
                }
            }
            (all, Several::All) => {
                if all.iter().all(met) {
                    Met::Yes
                } else {
                    Met::No("another_value")
                }
            }
            (any, Several::Any) => {
                if any.iter().any(met) {
                    Met::Yes
                } else {
                    Met::No("another_value")
                }
            }
            (_, Several::One) => Met::Unclear("ambiguous_target"),
        }
    }
}

/// Without fields that may change by themselves.
fn without(value: &Value, names: &[String]) -> Value {
    match value {
        _ if names.is_empty() => value.clone(),
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !names.contains(name));
            Value::Object(kept.map(|(name, value)| (name.clone(), without(value, names))).collect())
        }
        Value::Array(items) => items.iter().map(|item| without(item, names)).collect(),
        simple => simple.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: Value, value: Value, wanted: Met) {
        let Value::Object(map) = rule.clone() else { panic!("a rule is an object") };
        let mut fields = Fields::new("checks[0]", map);
        let read = ValueRules::read(&mut fields).unwrap().unwrap();
        fields.finish().unwrap();
        assert_eq!(read.judge(&value, Start::NotKnown).0, wanted, "{rule} on {value}");
    }

    #[test]
    fn values_are_compared_as_data() {
        let (yes, other) = (Met::Yes, Met::No("another_value"));
        let order = json!({"id": 9007199254740993_u64, "status": "paid", "total": 20.0, "open": false, "note": null, "tags": ["a", "b"],
                           "lines": [{"sku": "A", "n": 1}, {"sku": "B", "n": 2}]});
        for (rule, wanted) in [
            (json!({"json_path": "$.status", "equals": "paid"}), yes.clone()),
            (json!({"json_path": "$.status", "equals": "Paid"}), other.clone()),
            (json!({"json_path": "$.status", "matches": "^pai"}), yes.clone()),
            (json!({"json_path": "$.status", "not_equals": "open"}), yes.clone()),
            (json!({"json_path": "$.gone", "not_equals": "open"}), Met::No("nothing_there")),
            (json!({"json_path": "$.total", "equals": 20}), yes.clone()),
            (json!({"json_path": "$.total", "equals": "20"}), other.clone()),
            (json!({"json_path": "$.total", "at_least": 20, "at_most": 20}), yes.clone()),
            (json!({"json_path": "$.status", "at_least": 0}), other.clone()),
            (json!({"json_path": "$.id", "equals": 9007199254740992_u64}), other.clone()),
            (json!({"json_path": "$.open", "equals": false}), yes.clone()),
            (json!({"json_path": "$.open", "equals": "false"}), other.clone()),
            (json!({"json_path": "$.note", "equals": null}), yes.clone()),
            (json!({"json_path": "$.gone", "equals": null}), Met::No("nothing_there")),
            (json!({"json_path": "$.gone", "exists": false}), yes.clone()),
            (json!({"json_path": "$.note", "exists": true}), yes.clone()),
            (json!({"json_path": "$.note", "exists": false}), Met::No("still_there")),
            (json!({"json_path": "$.status", "one_of": ["open", "paid"]}), yes.clone()),
            (json!({"json_path": "$.lines", "count": 2}), yes.clone()),
            (json!({"json_path": "$.lines[*]", "count": {"min": 3}}), Met::No("another_count")),
            (json!({"json_path": "$.gone", "count": 0}), Met::No("nothing_there")),
            (json!({"json_path": "$.lines[?@.sku == 'C']", "count": 0}), yes.clone()),
            (json!({"json_path": "$.lines[?@.sku == 'B'].n", "equals": 2}), yes.clone()),
            (json!({"json_path": "$.lines[*].n", "equals": 2}), Met::Unclear("ambiguous_target")),
            (json!({"json_path": "$.lines[*].n", "equals": 2, "several": "any"}), yes.clone()),
            (json!({"json_path": "$.lines[*].n", "equals": 2, "several": "all"}), other.clone()),
            (json!({"json_path": "$.lines[*].n", "at_least": 1, "several": "all"}), yes),
            (json!({"json_path": "$.gone[*]", "equals": 2, "several": "all"}), Met::No("nothing_there")),
            (json!({"json_path": "$.gone[?@.sku == 'A']", "exists": false}), Met::Unclear("place_not_there")),
            (json!({"json_path": "$.gone[*]", "count": 0}), Met::Unclear("place_not_there")),
            (json!({"json_path": "$.gone.deep", "exists": false}), Met::Unclear("place_not_there")),
            (json!({"json_path": "$.gone['deep']", "exists": true}), Met::No("nothing_there")),
            (json!({"json_path": "$.lines[?@.sku == 'C']", "exists": false}), Met::Yes),
            (json!({"json_path": "$.lines[7]", "exists": false}), Met::Yes),
            (json!({"json_path": "$.lines[0, 1].n", "count": 2}), Met::Yes),
            (json!({"json_path": "$.lines[?search(@.sku, '(?i)^b$')].n", "equals": 2}), Met::Yes),
            (json!({"json_path": "$.lines[?@.n == value($.lines[?@.sku == 'A'].n)].sku", "equals": "A"}), Met::Yes),
            (json!({"json_path": "$.tags", "equals": ["b", "a"]}), Met::No("another_value")),
            (json!({"json_path": "$.tags", "equals": ["b", "a"], "any_order": true}), Met::Yes),
            (json!({"json_path": "$.tags", "equals": ["a", "a"], "any_order": true}), Met::No("another_value")),
            (
                json!({"values": [{"json_path": "$.status", "equals": "paid"}, {"json_path": "$.total", "equals": 20}]}),
                Met::Yes,
            ),
            (
                json!({"values": [{"json_path": "$.lines[*].n", "equals": 1}, {"json_path": "$.total", "equals": 2}]}),
                Met::No("another_value"),
            ),
            (
                json!({"values": [{"json_path": "$.lines[*].n", "equals": 1}, {"json_path": "$.total", "equals": 20}]}),
                Met::Unclear("ambiguous_target"),
            ),
        ] {
            check(rule, order.clone(), wanted);
        }
    }

    #[test]
    fn parts_of_texts_and_lists() {
        let (yes, other) = (Met::Yes, Met::No("another_value"));
        let board = json!({"title": "Sprint 7", "tags": ["a", "b"], "cards": [{"id": 1, "list": "Done"}], "n": 12, "none": null});
        for (rule, wanted) in [
            (json!({"json_path": "$.title", "contains": "print"}), yes.clone()),
            (json!({"json_path": "$.title", "contains": "sprint"}), other.clone()),
            (json!({"json_path": "$.title", "not_contains": "8"}), yes.clone()),
            (json!({"json_path": "$.tags", "contains": "a"}), yes.clone()),
            (json!({"json_path": "$.tags", "not_contains": "a"}), other.clone()),
            (json!({"json_path": "$.cards", "contains": {"list": "Done"}}), yes.clone()),
            (json!({"json_path": "$.cards", "contains": {"list": "Done", "id": 2}}), other.clone()),
            (json!({"json_path": "$.none", "not_contains": "x"}), other.clone()),
            (json!({"json_path": "$.n", "not_matches": "^13$"}), yes),
            (json!({"json_path": "$.none", "not_matches": "^13$"}), other.clone()),
            (json!({"json_path": "$.title", "not_matches": "7$"}), other),
        ] {
            check(rule, board.clone(), wanted);
        }
    }

    #[test]
    fn the_start_is_compared_and_never_guessed() {
        let before = json!({"at": 1, "rows": [{"id": 1, "seen": 5}], "total": 3});
        let now = json!({"at": 2, "rows": [{"id": 1, "seen": 6}, {"id": 2, "seen": 1}], "total": 4});
        let judged = |rule: Value, start: Start<'_>| {
            let Value::Object(map) = rule else { panic!("a rule is an object") };
            let mut fields = Fields::new("checks[0]", map);
            ValueRules::read(&mut fields).unwrap().unwrap().judge(&now, start).0
        };
        let known = Start::Known(&before);
        let one_more = json!({"json_path": "$.rows", "since_start": {"added": [{"id": 2}]}, "ignore": ["seen"]});
        assert_eq!(judged(one_more.clone(), known), Met::Yes);
        assert_eq!(judged(one_more, Start::NotKnown), Met::Unclear("start_not_known"));
        let strict = json!({"json_path": "$.rows", "since_start": {"added": [{"id": 2}]}});
        assert_eq!(judged(strict, known), Met::No("another_change"));
        let whole = json!({"since_start": {"unchanged": true}, "ignore": ["at", "rows", "total"]});
        assert_eq!(judged(whole, known), Met::Yes);
        let others = json!({"json_path": "$.rows[?@.id != 2].id", "since_start": {"unchanged": true}});
        assert_eq!(judged(others, known), Met::Yes);
        let grown = json!({"json_path": "$.total", "since_start": {"increased_by": 1}});
        assert_eq!(judged(grown, known), Met::Yes);
        let nowhere = json!({"json_path": "$.totl", "since_start": {"unchanged": true}});
        assert_eq!(judged(nowhere, known), Met::Unclear("place_not_there"));
        let value_too = json!({"json_path": "$.total", "equals": 5, "since_start": {"increased_by": 1}});
        assert_eq!(judged(value_too, known), Met::No("another_value"));
    }
}
