//! Address and title of the page, as its browser tells them.

use serde_json::{Value, json};

use crate::contract::{PageRule, shortened_text};
use crate::finding::Finding;

pub(crate) fn expected(rule: &PageRule) -> Value {
    let text = |regex: &Option<regex::Regex>| regex.as_ref().map(|regex| regex.as_str().to_owned());
    match (text(&rule.regex), text(&rule.not_regex)) {
        (Some(regex), None) => json!({"regex": regex}),
        (regex, not_regex) => json!({"regex": regex, "not_regex": not_regex}),
    }
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
    Finding::pass(observed)
}
