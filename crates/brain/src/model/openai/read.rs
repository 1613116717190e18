//! From a response body to what the model said.

use serde_json::Value;
use surehand_types::reply::SafetyCheck;

use super::{COMPUTER, actions};
use crate::model::heard::{Heard, count, quoted, unknown};
use crate::model::knowledge::Tokens;
use crate::model::own_tools;
use crate::model::provider::{Reading, Unusable};

pub(super) fn reading(body: &Value) -> Result<Reading, Unusable> {
    let output = output(body)?;
    let mut heard = Heard::default();
    for item in output {
        match item["type"].as_str().unwrap_or_default() {
            "message" => texts(item, "output_text").for_each(|text| heard.thought(text)),
            "reasoning" => {
                for list in ["summary", "content"] {
                    let parts = item[list].as_array().map(Vec::as_slice).unwrap_or_default();
                    parts.iter().filter_map(|part| part["text"].as_str()).for_each(|text| heard.reasoning(text));
                }
            }
            "computer_call" => computer_call(item, &mut heard),
            "function_call" => function_call(item, &mut heard),
            // Whatever the provider runs itself: kept for the replay, nothing to do.
            _ => {}
        }
    }
    if body["status"] == "incomplete" {
        // The last call may be half of what was meant.
        heard.problem("the answer was cut off before its end; answer shorter, with one action");
    }
    if !heard.calls() && !heard.has_words() {
        return Err(Unusable::Again("the answer was empty".into()));
    }
    Ok(heard.into_reading(replay(output), tokens(body)))
}

pub(super) fn answer(body: &Value) -> Result<(String, Tokens), Unusable> {
    let messages = output(body)?.iter().filter(|item| item["type"] == "message");
    let words: Vec<&str> = messages.flat_map(|item| texts(item, "output_text")).collect();
    let words = words.join("\n").trim().to_string();
    if words.is_empty() {
        return Err(Unusable::Again("the answer has no words".into()));
    }
    Ok((words, tokens(body)))
}

/// The items of a response that is an answer.
fn output(body: &Value) -> Result<&[Value], Unusable> {
    if let Some(error) = body.get("error").filter(|error| error.is_object()) {
        let told = quoted(error["message"].as_str().unwrap_or("an error without words"));
        return Err(match error["code"].as_str().or(error["type"].as_str()).unwrap_or_default() {
            "server_error" | "rate_limit_exceeded" | "server_is_overloaded" | "vector_store_timeout" => {
                Unusable::Again(told)
            }
            // What it is called when a prompt is taken for a breach of the rules.
            "invalid_prompt" | "content_policy_violation" | "content_filter" => Unusable::Refused(told),
            _ => Unusable::Foreign(told),
        });
    }
    let Some(output) = body["output"].as_array() else {
        return Err(Unusable::Foreign("the response has no list of output".into()));
    };
    if body["incomplete_details"]["reason"] == "content_filter" {
        return Err(Unusable::Refused("the provider's content filter stopped the answer".into()));
    }
    if matches!(body["status"].as_str(), Some("failed" | "cancelled")) {
        return Err(Unusable::Again("the provider broke the answer off".into()));
    }
    if let Some(words) = output.iter().flat_map(|item| texts(item, "refusal")).next() {
        return Err(Unusable::Refused(quoted(words)));
    }
    Ok(output)
}

/// Parts of a message: of kind `output_text` under `text`, of kind `refusal` under `refusal`.
fn texts<'a>(item: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a str> {
    let field = if kind == "output_text" { "text" } else { kind };
    let parts = item["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    parts.iter().filter(move |part| part["type"] == kind).filter_map(move |part| part[field].as_str())
}

fn computer_call(item: &Value, heard: &mut Heard) {
    let id = item["call_id"].as_str().unwrap_or_default();
    heard.asked(id, COMPUTER);
    for check in item["pending_safety_checks"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let part = |name: &str| check[name].as_str().unwrap_or_default().to_string();
        heard.safety(SafetyCheck { id: part("id"), code: part("code"), message: part("message") });
    }
    // A batch in the current tool, one action in the preview.
    match (item["actions"].as_array(), item.get("action")) {
        (Some(actions), _) if !actions.is_empty() => {
            actions.iter().for_each(|action| actions::read(action, id, heard));
        }
        (_, Some(action)) if action.is_object() => actions::read(action, id, heard),
        _ => heard.problem(format!("the computer call has no actions; the actions are {}", actions::NAMES.join(", "))),
    }
}

fn function_call(item: &Value, heard: &mut Heard) {
    let id = item["call_id"].as_str().unwrap_or_default();
    let name = item["name"].as_str().unwrap_or_default();
    heard.asked(id, name);
    let arguments = &item["arguments"];
    if own_tools::read(name, arguments, id, heard) {
        return;
    }
    // An action of the computer tool that came as a function.
    if actions::NAMES.contains(&name)
        && let Some(mut action) = crate::model::lenient::fields(arguments)
    {
        action.insert("type".into(), name.into());
        heard.repair("an action came as a function");
        actions::read(&Value::Object(action), id, heard);
        return;
    }
    heard.problem(unknown("function", name, &["tab", "dialog", "select_option", "upload_file", "ask_user", "done"]));
}

/// Every item as it came, reasoning included, but for what is refused as input: fields without a value, and reasoning
/// that nothing follows.
fn replay(output: &[Value]) -> Value {
    let items = output.iter().filter_map(Value::as_object).map(|item| {
        let given = item.iter().filter(|(_, value)| !value.is_null());
        Value::Object(given.map(|(name, value)| (name.clone(), value.clone())).collect())
    });
    let mut items: Vec<Value> = items.collect();
    while items.last().is_some_and(|item| item["type"] == "reasoning") {
        items.pop();
    }
    Value::Array(items)
}

/// The provider counts what it had cached as input, too.
fn tokens(body: &Value) -> Tokens {
    let usage = &body["usage"];
    let cached = count(usage, "/input_tokens_details/cached_tokens");
    Tokens {
        input: count(usage, "/input_tokens").saturating_sub(cached),
        output: count(usage, "/output_tokens"),
        cache_read: cached,
        cache_write: 0,
    }
}
