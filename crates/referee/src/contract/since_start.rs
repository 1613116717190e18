//! What may have changed since the start of a run: rows or entries that came and went, or a number that grew. Shared
//! by databases and JSON, so that "one more, and nothing else" means the same everywhere.

use serde_json::{Map, Value, json};

use super::error::ContractError;
use super::fields::Fields;
use super::shapes::{ItemsShape, SinceStartShape};
use super::values::{Count, Order, same, shortened};

/// Items that are kept as evidence.
const KEPT: usize = 5;

#[derive(Debug, Clone)]
pub(crate) enum SinceStart {
    /// Whatever is not named here has to be as it was.
    Items {
        added: Items,
        removed: Items,
    },
    Unchanged,
    IncreasedBy(f64),
}

#[derive(Debug, Clone)]
pub(crate) enum Items {
    Count(Count),
    These(Vec<Value>),
}

impl SinceStart {
    pub(crate) fn read(shape: &SinceStartShape, fields: &Fields) -> Result<SinceStart, ContractError> {
        let wrong = |field: &str, why: String| fields.wrong(&format!("since_start{field}"), why);
        let items = |field: &str, shape: &Option<ItemsShape>| match shape {
            None => Ok(Items::Count(Count::NONE)),
            Some(ItemsShape::These(list)) => Ok(Items::These(list.clone())),
            Some(ItemsShape::Count(count)) => Count::read(count).map(Items::Count).map_err(|why| wrong(field, why)),
        };
        let listed = shape.added.is_some() || shape.removed.is_some();
        match (shape.unchanged, shape.increased_by, listed) {
            (true, None, false) => Ok(SinceStart::Unchanged),
            (false, Some(by), false) => Ok(SinceStart::IncreasedBy(by)),
            (false, None, true) => Ok(SinceStart::Items {
                added: items(".added", &shape.added)?,
                removed: items(".removed", &shape.removed)?,
            }),
            (false, None, false) => Err(wrong("", "it wants `added`, `removed`, `unchanged` or `increased_by`".into())),
            _ => Err(wrong("", "`unchanged`, `increased_by` and `added` with `removed` go one at a time".into())),
        }
    }

    /// Whether nothing has to have happened.
    pub(crate) fn only_absence(&self) -> bool {
        match self {
            SinceStart::Unchanged => true,
            SinceStart::IncreasedBy(by) => *by == 0.0,
            SinceStart::Items { added, removed } => added.none() && removed.none(),
        }
    }

    /// Whether what is there now came out of what was there as wanted, and what the difference is.
    pub(crate) fn judge(&self, before: &[&Value], now: &[&Value]) -> (bool, Value) {
        match self {
            SinceStart::IncreasedBy(by) => {
                let number = |nodes: &[&Value]| match nodes {
                    [one] => one.as_f64(),
                    _ => None,
                };
                let (was, is) = (number(before), number(now));
                // Sums of money are no exact binary numbers.
                let close = |grown: f64| (grown - by).abs() <= 1e-9 * by.abs().max(1.0);
                let holds = was.zip(is).is_some_and(|(was, is)| close(is - was));
                (holds, json!({"at_start": was, "now": is}))
            }
            SinceStart::Unchanged => {
                let holds = before.len() == now.len() && before.iter().zip(now).all(|(a, b)| same(a, b, Order::Counts));
                let (added, removed) = difference(before, now);
                (holds, told(&added, &removed))
            }
            SinceStart::Items { added, removed } => {
                let (came, went) = difference(&entries(before), &entries(now));
                (added.hold(&came) && removed.hold(&went), told(&came, &went))
            }
        }
    }
}

impl SinceStartShape {
    /// As it stands in evidence.
    pub(crate) fn in_words(&self) -> Value {
        let items = |items: &Option<ItemsShape>| match items {
            None => json!(0),
            Some(ItemsShape::These(list)) => shortened(&json!(list)),
            Some(ItemsShape::Count(count)) => json!(Count::read(count).map(Count::in_words).unwrap_or_default()),
        };
        match (self.unchanged, self.increased_by) {
            (true, _) => json!("unchanged"),
            (false, Some(by)) => json!({"increased_by": by}),
            (false, None) => json!({"added": items(&self.added), "removed": items(&self.removed)}),
        }
    }
}

impl Items {
    fn none(&self) -> bool {
        match self {
            Items::Count(count) => count.holds(0),
            Items::These(list) => list.is_empty(),
        }
    }

    fn hold(&self, found: &[&Value]) -> bool {
        match self {
            Items::Count(count) => count.holds(found.len()),
            Items::These(wanted) => wanted.len() == found.len() && matched(wanted, found),
        }
    }
}

/// The entries of the only list, or the values themselves.
fn entries<'a>(nodes: &[&'a Value]) -> Vec<&'a Value> {
    match nodes {
        [Value::Array(items)] => items.iter().collect(),
        several => several.to_vec(),
    }
}

/// What came and what went, each as often as it did.
fn difference<'a>(before: &[&'a Value], now: &[&'a Value]) -> (Vec<&'a Value>, Vec<&'a Value>) {
    // By their text first: thousands of rows against thousands would take long one by one.
    let mut counts: std::collections::BTreeMap<String, i64> = std::collections::BTreeMap::new();
    for item in before {
        *counts.entry(in_order(item).to_string()).or_default() += 1;
    }
    let mut came = Vec::new();
    for item in now {
        let left = counts.entry(in_order(item).to_string()).or_default();
        if *left > 0 { *left -= 1 } else { came.push(*item) }
    }
    let mut went = Vec::new();
    for item in before.iter().rev() {
        let left = counts.entry(in_order(item).to_string()).or_default();
        if *left > 0 {
            *left -= 1;
            went.push(*item);
        }
    }
    went.reverse();
    (came, went)
}

/// The same text for the same data: fields by name, `1.0` as `1`.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let sorted: std::collections::BTreeMap<&String, Value> =
                fields.iter().map(|(name, value)| (name, in_order(value))).collect();
            Value::Object(sorted.into_iter().map(|(name, value)| (name.clone(), value)).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(in_order).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => json!(float as i64),
            _ => value.clone(),
        },
        simple => simple.clone(),
    }
}

/// Each wanted item is one of those found, and none is used twice. Objects are looked at in the fields that are named,
/// so the most demanding ones choose first.
fn matched(wanted: &[Value], found: &[&Value]) -> bool {
    let mut wanted: Vec<&Value> = wanted.iter().collect();
    wanted.sort_by_key(|value| std::cmp::Reverse(value.as_object().map_or(usize::MAX, Map::len)));
    let mut left: Vec<&Value> = found.to_vec();
    wanted.into_iter().all(|wanted| match left.iter().position(|item| has(item, wanted)) {
        Some(at) => {
            left.swap_remove(at);
            true
        }
        None => false,
    })
}

/// An object has at least the named fields; anything else is the same.
pub(crate) fn has(item: &Value, wanted: &Value) -> bool {
    match (item, wanted) {
        (Value::Object(item), Value::Object(wanted)) => {
            wanted.iter().all(|(name, value)| item.get(name).is_some_and(|own| has(own, value)))
        }
        (item, wanted) => same(wanted, item, Order::Counts),
    }
}

fn told(added: &[&Value], removed: &[&Value]) -> Value {
    let list = |items: &[&Value]| items.iter().take(KEPT).map(|item| shortened(item)).collect::<Vec<_>>();
    json!({"added": list(added), "removed": list(removed), "added_count": added.len(), "removed_count": removed.len()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: Value, before: Value, now: Value, holds: bool) {
        let shape: SinceStartShape = serde_json::from_value(rule.clone()).unwrap();
        let fields = Fields::new("checks[0]", Map::new());
        let rule_read = SinceStart::read(&shape, &fields).unwrap();
        assert_eq!(rule_read.judge(&[&before], &[&now]).0, holds, "{rule}: {before} -> {now}");
    }

    #[test]
    fn one_more_and_nothing_else() {
        let before = json!([{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]);
        let more = json!([{"id": 2, "name": "Bob"}, {"name": "Ada", "id": 1.0}, {"id": 3, "name": "Cy"}]);
        let renamed = json!([{"id": 1, "name": "Ada"}, {"id": 2, "name": "Rob"}]);
        check(json!({"added": 1}), before.clone(), more.clone(), true);
        check(json!({"added": [{"name": "Cy"}]}), before.clone(), more.clone(), true);
        check(json!({"added": [{"name": "cy"}]}), before.clone(), more.clone(), false);
        check(json!({"added": [{"name": "Cy"}], "removed": 1}), before.clone(), more.clone(), false);
        check(json!({"added": 1}), before.clone(), renamed.clone(), false);
        check(json!({"added": [{"id": 2, "name": "Rob"}], "removed": [{"id": 2}]}), before.clone(), renamed, true);
        check(json!({"removed": 1}), more.clone(), before.clone(), true);
        check(json!({"unchanged": true}), before.clone(), before.clone(), true);
        check(json!({"unchanged": true}), before.clone(), json!([before[1], before[0]]), false);
        check(json!({"added": 0}), before.clone(), json!([before[1], before[0]]), true);
        // Twice the same is not once.
        check(json!({"added": 1}), json!(["a"]), json!(["a", "a"]), true);
        check(json!({"added": 0}), json!(["a", "a"]), json!(["a"]), false);
    }

    #[test]
    fn numbers_grow() {
        check(json!({"increased_by": 0.3}), json!(0.1), json!(0.4), true);
        check(json!({"increased_by": -1}), json!(5), json!(4), true);
        check(json!({"increased_by": 1}), json!(5), json!(7), false);
        check(json!({"increased_by": 1}), json!("5"), json!("6"), false);
    }
}
