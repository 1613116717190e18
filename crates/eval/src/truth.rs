//! The truth about an outcome, from the site's own state and from the answer. Neither the brain nor its pictures
//! have a say in it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use surehand_env::local_client;
use surehand_types::RunResult;

use crate::error::EvalError;

/// A local server that does not answer within this has hung.
const DEADLINE: Duration = Duration::from_secs(5);

/// What has to hold for the task to be done. Pointers are JSON pointers in which a part like `id=1087` or
/// `type=click&target=go` chooses the first item of an array whose fields have these values.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Address of the site's state.
    #[serde(default = "state_path")]
    get: String,
    /// Pointer into the state -> the value that must be there; null means that nothing may be there.
    #[serde(default)]
    state: BTreeMap<String, Value>,
    /// Pointer into the answer (`output` of the done) -> the value that must be there.
    #[serde(default)]
    answer: BTreeMap<String, Value>,
}

/// Whether it is so, and the first thing that is not.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Truth {
    pub achieved: bool,
    /// Empty when it is achieved.
    pub why_not: String,
}

impl Check {
    pub(crate) fn validate(&self) -> Result<(), String> {
        if self.state.is_empty() && self.answer.is_empty() {
            return Err("the check expects nothing; give it state, answer or both".into());
        }
        for pointer in self.state.keys().chain(self.answer.keys()) {
            if !pointer.is_empty() && !pointer.starts_with('/') {
                return Err(format!("{pointer:?} is no pointer; it has to start with /"));
            }
        }
        Ok(())
    }

    /// Asks the site at `url`, which ends in a slash.
    pub(crate) async fn truth(&self, url: &str, result: &RunResult) -> Result<Truth, EvalError> {
        if !self.state.is_empty() {
            let state = get(&format!("{url}{}", self.get.trim_start_matches('/'))).await?;
            if let Some(why_not) = first_difference("the site's state", &state, &self.state) {
                return Ok(Truth { achieved: false, why_not });
            }
        }
        let nothing = Value::Null;
        let answer = result.output.as_ref().unwrap_or(&nothing);
        Ok(match first_difference("the answer", answer, &self.answer) {
            Some(why_not) => Truth { achieved: false, why_not },
            None => Truth { achieved: true, why_not: String::new() },
        })
    }
}

fn state_path() -> String {
    "/__state".into()
}

fn client() -> Result<reqwest::Client, EvalError> {
    local_client(DEADLINE).map_err(|error| EvalError::Broken(format!("cannot ask the site: {error}")))
}

pub(crate) async fn get(url: &str) -> Result<Value, EvalError> {
    let broken = |error: reqwest::Error| EvalError::Broken(format!("the site's state cannot be read: {error}"));
    let answer = client()?.get(url).send().await.and_then(reqwest::Response::error_for_status).map_err(broken)?;
    answer.json().await.map_err(broken)
}

/// Puts the site's data back to the beginning, as this seed makes them.
pub(crate) async fn reset(url: &str, seed: u64) -> Result<(), EvalError> {
    let broken = |error: reqwest::Error| EvalError::Broken(format!("the site cannot be reset: {error}"));
    let request = client()?.post(format!("{url}__reset")).json(&serde_json::json!({ "seed": seed }));
    request.send().await.and_then(reqwest::Response::error_for_status).map_err(broken)?;
    Ok(())
}

fn first_difference(what: &str, found: &Value, expected: &BTreeMap<String, Value>) -> Option<String> {
    expected.iter().find_map(|(pointer, expected)| {
        let there = look_up(found, pointer).unwrap_or(&Value::Null);
        (there != expected).then(|| format!("{what} has {} at {pointer}, not {expected}", shortened(there)))
    })
}

fn look_up<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').skip(1).try_fold(value, |value, part| {
        let part = part.replace("~1", "/").replace("~0", "~");
        match (value, part.split_once('=')) {
            (Value::Array(items), Some(_)) => items.iter().find(|item| part.split('&').all(|one| has(item, one))),
            (Value::Array(items), None) => items.get(part.parse::<usize>().ok()?),
            _ => value.get(&part),
        }
    })
}

/// Whether an item has a field with a value, as in `id=1087`.
fn has(item: &Value, condition: &str) -> bool {
    let Some((field, wanted)) = condition.split_once('=') else { return false };
    let held = match &item[field] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    held == wanted
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pointers_go_through_objects_arrays_and_items_by_a_field() {
        let state = json!({"rows": [{"id": 7, "name": "a"}, {"id": 8, "name": "b/c", "tags": ["x"]}], "a/b": 1});
        for (pointer, found) in [
            ("", Some(state.clone())),
            ("/rows/0/name", Some(json!("a"))),
            ("/rows/id=8/tags/0", Some(json!("x"))),
            ("/rows/name=b~1c/id", Some(json!(8))),
            ("/rows/id=8&name=b~1c/id", Some(json!(8))),
            ("/rows/id=8&name=a/id", None),
            ("/a~1b", Some(json!(1))),
            ("/rows/id=9/name", None),
            ("/rows/5", None),
            ("/rows/first", None),
            ("/none/at/all", None),
        ] {
            assert_eq!(look_up(&state, pointer).cloned(), found, "{pointer}");
        }
    }

    #[test]
    fn the_first_difference_is_said_and_null_means_nothing_there() {
        let expected = |value: Value| -> BTreeMap<String, Value> { serde_json::from_value(value).unwrap() };
        let state = json!({"contacts": [{"id": 1, "phone": "5"}]});
        let check = |wanted: Value| first_difference("the state", &state, &expected(wanted));
        assert_eq!(check(json!({"/contacts/id=1/phone": "5", "/contacts/id=2": null})), None);
        assert_eq!(
            check(json!({"/contacts/id=1/phone": "6"})).unwrap(),
            "the state has \"5\" at /contacts/id=1/phone, not \"6\""
        );
        assert_eq!(check(json!({"/contacts/id=1": null})).unwrap().matches("not null").count(), 1);
    }
}
