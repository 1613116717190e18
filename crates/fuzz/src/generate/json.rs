//! Valid JSON examples with something dropped, doubled, replaced, nested, renamed or torn.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use serde_json::Value;

use super::text::{TextChange, text_change};
use super::{LARGEST, any_bytes, odd_text, odd_value, place};

#[derive(Debug, Clone)]
enum Change {
    Drop(u16),
    Double(u16),
    Replace(u16, Value),
    Rename(u16, String),
    /// Lists around it, so many deep.
    Bury(u16, u8),
    Swap(u16, u16),
}

fn change() -> BoxedStrategy<Change> {
    prop_oneof![
        1 => any::<u16>().prop_map(Change::Drop),
        1 => any::<u16>().prop_map(Change::Double),
        3 => (any::<u16>(), odd_value()).prop_map(|(at, value)| Change::Replace(at, value)),
        1 => (any::<u16>(), odd_text()).prop_map(|(at, name)| Change::Rename(at, name)),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(at, depth)| Change::Bury(at, depth)),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
    .boxed()
}

/// One of the examples with a few changes, as text that may be torn as well.
pub fn mutated_json(examples: Vec<Value>) -> BoxedStrategy<Vec<u8>> {
    let changed = one_of(examples).prop_map(|value| value.to_string());
    let torn = (changed.clone(), text_change()).prop_map(|(text, tear)| tear.apply(text));
    prop_oneof![
        8 => changed.prop_map(String::into_bytes),
        3 => torn.prop_map(String::into_bytes),
        1 => odd_value().prop_map(|value| value.to_string().into_bytes()),
        1 => any_bytes(),
    ]
    .prop_map(cut)
    .boxed()
}

/// Lines of changed examples, some of them left whole.
pub fn mutated_json_lines(examples: Vec<Value>) -> BoxedStrategy<Vec<u8>> {
    let whole = examples.clone();
    let changed = proptest::collection::vec(one_of(examples), 0..6);
    let torn = proptest::option::of(text_change());
    (changed, any::<bool>(), torn)
        .prop_map(move |(changed, in_order, tear): (Vec<Value>, bool, Option<TextChange>)| {
            let kept = if in_order { whole.as_slice() } else { &[] };
            let lines: Vec<String> = kept.iter().chain(&changed).map(Value::to_string).collect();
            let text = lines.join("\n") + "\n";
            cut(tear.map_or(text.clone(), |tear| tear.apply(text)).into_bytes())
        })
        .boxed()
}

fn one_of(examples: Vec<Value>) -> BoxedStrategy<Value> {
    (proptest::sample::select(examples), proptest::collection::vec(change(), 0..4))
        .prop_map(|(mut value, changes)| {
            for change in &changes {
                apply(&mut value, change);
            }
            value
        })
        .boxed()
}

fn cut(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(LARGEST);
    bytes
}

fn apply(root: &mut Value, change: &Change) {
    let nodes = count(root);
    match change {
        Change::Replace(at, new) => {
            if let Some(node) = nth(root, place(*at, nodes)) {
                *node = new.clone();
            }
        }
        Change::Bury(at, depth) => {
            if let Some(node) = nth(root, place(*at, nodes)) {
                for _ in 0..*depth {
                    *node = Value::Array(vec![node.take()]);
                }
            }
        }
        Change::Swap(a, b) => {
            let (a, b) = (place(*a, nodes), place(*b, nodes));
            let copy = nth(root, a).cloned();
            if let (Some(copy), Some(node)) = (copy, nth(root, b)) {
                *node = copy;
            }
        }
        Change::Drop(at) | Change::Double(at) | Change::Rename(at, _) => {
            if let Some(node) = nth(root, place(*at, nodes)) {
                within(node, *at, change);
            }
        }
    }
}

/// Changes of a list or an object at one of its entries.
fn within(node: &mut Value, at: u16, change: &Change) {
    match node {
        Value::Array(items) if !items.is_empty() => {
            let index = place(at, items.len());
            match change {
                Change::Drop(_) => drop(items.remove(index)),
                Change::Double(_) => items.insert(index, items[index].clone()),
                _ => {}
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let index = place(at, map.len());
            let name = map.keys().nth(index).cloned().unwrap_or_default();
            match change {
                Change::Drop(_) => drop(map.remove(&name)),
                Change::Double(_) => {
                    let copy = map.get(&name).cloned().unwrap_or_default();
                    map.insert(format!("{name}2"), copy);
                }
                Change::Rename(_, new) => {
                    let value = map.remove(&name).unwrap_or_default();
                    map.insert(new.clone(), value);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// The nth node, from the outside in.
fn nth(value: &mut Value, index: usize) -> Option<&mut Value> {
    if index == 0 {
        return Some(value);
    }
    let mut left = index - 1;
    let children: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        let size = count(child);
        if left < size {
            return nth(child, left);
        }
        left -= size;
    }
    None
}
