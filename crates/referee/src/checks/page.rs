//! Address and title of the page, as its browser tells them.

use serde_json::{Value, json};

use crate::contract::{PageRule, shortened_text};
use crate::finding::Finding;

pub(crate) fn expected(rule: &PageRule) -> Value {
    let text = |regex: &Option<regex::Regex>| regex.as_ref().map(|regex| regex.as_str().to_owned());
    let mut expected = match (text(&rule.regex), text(&rule.not_regex)) {
        (Some(regex), None) => json!({"regex": regex}),
        (regex, not_regex) => json!({"regex": regex, "not_regex": not_regex}),
    };
    if !rule.query.is_empty() {
        expected["query"] = json!(rule.query);
    }
    expected
}

pub(crate) fn judge(rule: &PageRule, told: Option<&str>) -> Finding {
    let Some(told) = told else { return Finding::unknown("not_available: the page does not tell", Value::Null) };
    let observed = json!(shortened_text(told));
    if rule.regex.as_ref().is_some_and(|regex| !regex.is_match(told)) {
        return Finding::fail("no_match", observed);
    }
    if rule.not_regex.as_ref().is_some_and(|regex| regex.is_match(told)) {
        return Finding::fail("unwanted_match", observed);
    }
    if rule.query.is_empty() {
        return Finding::pass(observed);
    }
    let Some(asked) = parameters(told) else { return Finding::unknown("not_available: it is no address", observed) };
    for (name, wanted) in &rule.query {
        let found: Vec<&str> =
            asked.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
        if !fits(wanted, &found) {
            return Finding::fail("another_parameter", json!({"url": observed, "parameter": name, "values": found}));
        }
    }
    Finding::pass(observed)
}

/// Decoded; single-page applications have theirs behind the `#`.
fn parameters(address: &str) -> Option<Vec<(String, String)>> {
    let url = url::Url::parse(address).ok()?;
    let mut all: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    if let Some((_, query)) = url.fragment().and_then(|fragment| fragment.split_once('?')) {
        all.extend(url::form_urlencoded::parse(query.as_bytes()).into_owned());
    }
    Some(all)
}

fn fits(wanted: &Value, found: &[&str]) -> bool {
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match wanted {
        Value::Null => found.is_empty(),
        Value::Array(list) => list.iter().map(written).eq(found.iter().map(|text| (*text).to_owned())),
        one => found == [written(one)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_compared_decoded() {
        let asked = parameters("http://x/s?q=red+shoes%21&size=7&tag=a&tag=b#/list?page=2").unwrap();
        let value =
            |name: &str| asked.iter().filter(|(known, _)| known == name).map(|(_, v)| v.as_str()).collect::<Vec<_>>();
        for (name, wanted, holds) in [
            ("q", json!("red shoes!"), true),
            ("q", json!("red+shoes!"), false),
            ("size", json!(7), true),
            ("tag", json!(["a", "b"]), true),
            ("tag", json!("a"), false),
            ("page", json!("2"), true),
            ("gone", Value::Null, true),
            ("q", Value::Null, false),
        ] {
            assert_eq!(fits(&wanted, &value(name)), holds, "{name} {wanted}");
        }
    }
}
