//! What a JSON value has to be. Checks of answers, files and outputs share it, so that "equals" means the same
//! everywhere.

use regex::Regex;
use serde_json::{Map, Value, json};
use serde_json_path::JsonPath;

use super::error::ContractError;
use super::fields::Fields;
use super::patterns;
use super::places::{around, spread_at};
use super::shapes::{Several, ValueShape, ValuesShape};
use super::values::{Count, Order, same, shortened};

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
    expected: Value,
}

#[derive(Debug, Clone)]
enum Condition {
    Equals(Value, Order),
    NotEquals(Value, Order),
    OneOf(Vec<Value>, Order),
    Matches(Regex),
    AtLeast(f64),
    AtMost(f64),
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
            [rule] if rule.path.is_none() && rule.conditions.is_empty() && rule.count.is_none() => rule.exists,
            _ => None,
        }
    }

    /// Whether it only asks for things not to be there.
    pub(crate) fn only_absence(&self) -> bool {
        self.0
            .iter()
            .all(|rule| rule.conditions.is_empty() && (rule.exists == Some(false) || rule.count == Some(Count::NONE)))
    }

    /// A rule that surely does not hold decides; else one that is not clear leaves it open.
    pub(crate) fn judge(&self, document: &Value) -> (Met, Value) {
        let judged: Vec<(Met, Value)> = self.0.iter().map(|rule| rule.judge(document)).collect();
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
        let mut conditions = Vec::new();
        let order = if shape.any_order { Order::Any } else { Order::Counts };
        let path = match &shape.json_path {
            Some(path) => {
                expected.insert("json_path".into(), json!(path));
                Some(patterns::json_path(path).map_err(|why| wrong("json_path", why))?)
            }
            None => None,
        };
        if let Some(value) = shape.equals {
            expected.insert("equals".into(), value.clone());
            conditions.push(Condition::Equals(value, order));
        }
        if let Some(value) = shape.not_equals {
            expected.insert("not_equals".into(), value.clone());
            conditions.push(Condition::NotEquals(value, order));
        }
        if let Some(values) = shape.one_of {
            if values.is_empty() {
                return Err(wrong("one_of", "an empty list can never hold".into()));
            }
            expected.insert("one_of".into(), json!(values));
            conditions.push(Condition::OneOf(values, order));
        }
        if let Some(pattern) = shape.matches {
            conditions.push(Condition::Matches(patterns::regex(&pattern).map_err(|why| wrong("matches", why))?));
            expected.insert("matches".into(), json!(pattern));
        }
        if let Some(least) = shape.at_least {
            expected.insert("at_least".into(), json!(least));
            conditions.push(Condition::AtLeast(least));
        }
        if let Some(most) = shape.at_most {
            if shape.at_least.is_some_and(|least| least > most) {
                return Err(wrong("at_most", "it is less than `at_least`".into()));
            }
            expected.insert("at_most".into(), json!(most));
            conditions.push(Condition::AtMost(most));
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
            if !exists && (!conditions.is_empty() || count.is_some()) {
                return Err(wrong("exists", "what must not exist cannot be asked for anything else".into()));
            }
        }
        let asks = !conditions.is_empty() || count.is_some() || shape.exists.is_some();
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
            expected,
        }))
    }

    /// The verdict and what was seen.
    fn judge(&self, value: &Value) -> (Met, Value) {
        let nodes: Vec<&Value> = match &self.path {
            Some(path) => path.query(value).all(),
            None => vec![value],
        };
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

impl Condition {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Condition::Equals(wanted, order) => same(wanted, value, *order),
            Condition::NotEquals(unwanted, order) => !same(unwanted, value, *order),
            Condition::OneOf(wanted, order) => wanted.iter().any(|wanted| same(wanted, value, *order)),
            Condition::Matches(pattern) => match value {
                Value::String(text) => pattern.is_match(text),
                Value::Number(number) => pattern.is_match(&number.to_string()),
                _ => false,
            },
            Condition::AtLeast(least) => value.as_f64().is_some_and(|number| number >= *least),
            Condition::AtMost(most) => value.as_f64().is_some_and(|number| number <= *most),
        }
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
        assert_eq!(read.judge(&value).0, wanted, "{rule} on {value}");
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
}
