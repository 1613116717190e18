//! How much work a JSON Schema can make, before it is used on anything. A schema of a few lines that refers to itself
//! twice for one value asks for more visits than there is time; validators follow it without end. Counting them must
//! not be such work itself, so it is bounded too.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Visits for one value and everything below it on one way down.
const MOST: u64 = 100_000;
/// References are followed so far; values are not nested deeper in any reply.
const DEEPEST: u32 = 64;
/// Schemas within schemas, through references as well: each takes some of the thread's stack.
const MOST_NESTED: u32 = 2_000;
/// Parts that are looked at to count those visits.
const MOST_LOOKS: u64 = 200_000;

const TOO_OFTEN: &str = "it refers to its own parts so often that nothing could be checked against it in time";

/// Keywords whose schemas all look at the value itself, or at the same parts of it.
const SAME_PLACE: &[&str] = &["allOf", "anyOf", "oneOf"];
const ONE_SCHEMA: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
];
const BY_PATTERN: &[&str] = &["patternProperties", "dependentSchemas", "dependencies"];

/// The error is a part of a sentence about the schema.
pub fn check(schema: &Value) -> Result<(), String> {
    Counting { root: schema, known: HashMap::new(), written: HashMap::new(), looks: 0, nested: 0 }
        .visits(schema, 0)
        .map(drop)
}

struct Counting<'a> {
    root: &'a Value,
    /// By the part of the schema and by how many references led there.
    known: HashMap<(*const Value, u32), u64>,
    /// How each part is written where it is referred to: for a validator every way to write it is another part.
    written: HashMap<*const Value, String>,
    looks: u64,
    nested: u32,
}

impl Counting<'_> {
    /// More than there may be is an error at once, so that nothing is counted any further.
    fn visits(&mut self, schema: &Value, depth: u32) -> Result<u64, String> {
        self.looks += 1;
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err("its parts are nested too deeply in each other".into());
        }
        let visits = self.visits_below(schema, depth)?;
        self.nested -= 1;
        if visits > MOST || self.looks > MOST_LOOKS { Err(TOO_OFTEN.into()) } else { Ok(visits) }
    }

    fn visits_below(&mut self, schema: &Value, depth: u32) -> Result<u64, String> {
        let Value::Object(keywords) = schema else { return Ok(1) };
        for keyword in ["$dynamicRef", "$recursiveRef"] {
            if keywords.contains_key(keyword) {
                return Err(format!("it uses {keyword}, which is not taken here"));
            }
        }
        if depth > 0 && keywords.contains_key("$id") {
            return Err("it has an $id below its beginning, which is not taken here".into());
        }
        let mut sum: u64 = 1;
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
            sum = sum.saturating_add(self.behind(reference, depth)?);
        }
        for keyword in SAME_PLACE {
            for part in keywords.get(*keyword).and_then(Value::as_array).into_iter().flatten() {
                sum = sum.saturating_add(self.visits(part, depth)?);
            }
        }
        for keyword in ONE_SCHEMA {
            match keywords.get(*keyword) {
                Some(Value::Array(parts)) => sum = sum.saturating_add(self.most(parts.iter(), depth)?),
                Some(part) => sum = sum.saturating_add(self.visits(part, depth)?),
                None => {}
            }
        }
        for keyword in BY_PATTERN {
            for part in keywords.get(*keyword).and_then(Value::as_object).into_iter().flat_map(Map::values) {
                sum = sum.saturating_add(self.visits(part, depth)?);
            }
        }
        // Each of these is for another part of the value.
        let named = keywords.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
        sum = sum.saturating_add(self.most(named, depth)?);
        let placed = keywords.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
        Ok(sum.saturating_add(self.most(placed, depth)?))
    }

    fn most<'b>(&mut self, parts: impl Iterator<Item = &'b Value>, depth: u32) -> Result<u64, String> {
        parts.map(|part| self.visits(part, depth)).try_fold(0, |most, visits| Ok(visits?.max(most)))
    }

    fn behind(&mut self, reference: &str, depth: u32) -> Result<u64, String> {
        if depth >= DEEPEST {
            return Ok(1);
        }
        let pointer = reference.strip_prefix('#').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let root = self.root;
        let found = pointer.and_then(|pointer| root.pointer(&unescaped(pointer)));
        let Some(found) = found else {
            let shown: String = reference.chars().take(80).collect();
            return Err(format!("its reference {shown:?} does not lead to a part of it"));
        };
        let written = self.written.entry(found).or_insert_with(|| reference.to_string());
        if written != reference {
            let shown: String = reference.chars().take(80).collect();
            return Err(format!("its reference {shown:?} leads to a part that another reference writes otherwise"));
        }
        let place: (*const Value, u32) = (found, depth);
        if let Some(visits) = self.known.get(&place) {
            return Ok(*visits);
        }
        let visits = self.visits(found, depth + 1)?;
        self.known.insert(place, visits);
        Ok(visits)
    }
}

/// Percent signs of an address, where they stand for plain characters.
fn unescaped(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_of_use_are_taken() {
        let tree = json!({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "properties":
            {"left": {"$ref": "#/$defs/tree"}, "right": {"$ref": "#/$defs/tree"}, "name": {"type": "string"}}}}});
        let list = json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#"}]}});
        let escaped = json!({"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"type": "string"}}});
        let rows = json!({"type": "array", "items": {"type": "object", "required": ["email"],
            "properties": {"email": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}});
        for schema in [tree, list, escaped, rows, json!({}), json!(true)] {
            assert_eq!(check(&schema), Ok(()), "{schema}");
        }
    }

    #[test]
    fn schemas_that_never_end_are_refused() {
        let mut chain = serde_json::Map::new();
        for at in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            chain.insert(format!("d{at}"), json!({"allOf": [next, next]}));
        }
        chain.insert("d40".into(), json!({}));
        let doubled = json!({"$ref": "#/$defs/d0", "$defs": chain});
        let deep = json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}});
        let both = json!({"items": {"$ref": "#"}, "contains": {"$ref": "#"}});
        let itself = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]});
        for schema in [doubled, deep, both, itself] {
            assert!(check(&schema).unwrap_err().contains("so often"), "{schema}");
        }
        // Many ways to write one part, and so many parts that nobody has to repeat any.
        let spelled = |text: &str| json!({"$ref": format!("#/$defs/{text}")});
        let ways = json!({"anyOf": [spelled("ab"), spelled("%61b"), spelled("a%62")], "$defs": {"ab": {}}});
        assert!(check(&ways).unwrap_err().contains("otherwise"));
        let wide: Vec<Value> = (0..MOST_LOOKS).map(|_| json!({})).collect();
        assert!(check(&json!({"prefixItems": wide})).unwrap_err().contains("so often"));
        let nested = |depth| (0..depth).fold(json!({"$ref": "#"}), |inner, _| json!({"not": inner}));
        assert_eq!(check(&nested(20)), Ok(()));
        assert!(check(&nested(100)).unwrap_err().contains("too deeply"));
        for schema in [
            json!({"$ref": "http://127.0.0.1:1/x"}),
            json!({"$ref": "#nowhere"}),
            json!({"items": {"$dynamicRef": "#x"}}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$id": "http://x/"}}}),
        ] {
            assert!(check(&schema).is_err(), "{schema}");
        }
    }
}
