//! From a response body to what the model said.

use serde_json::Value;

use super::actions;
use crate::model::heard::{Heard, count, quoted, unknown};
use crate::model::knowledge::Tokens;
use crate::model::own_tools;
use crate::model::provider::{Reading, Unusable};

pub(super) fn reading(body: &Value) -> Result<Reading, Unusable> {
    let content = content(body)?;
    let mut heard = Heard::default();
    for block in content {
        match block["type"].as_str().unwrap_or_default() {
            "text" => heard.thought(block["text"].as_str().unwrap_or_default()),
            "thinking" => heard.reasoning(block["thinking"].as_str().unwrap_or_default()),
            "tool_use" => call(block, &mut heard),
            // Redacted thinking and whatever the server runs itself: kept for the replay, nothing to do.
            _ => {}
        }
    }
    let cut_off = matches!(body["stop_reason"].as_str(), Some("max_tokens" | "model_context_window_exceeded"));
    if cut_off {
        // The last call may be half of what was meant.
        heard.problem("the answer was cut off before its end; answer shorter, with one action");
    }
    let replay = replay(content);
    if replay.is_empty() && !cut_off {
        return Err(Unusable::Again("the answer was empty".into()));
    }
    Ok(heard.into_reading(Value::Array(replay), tokens(body)))
}

pub(super) fn answer(body: &Value) -> Result<(String, Tokens), Unusable> {
    let texts = content(body)?.iter().filter(|block| block["type"] == "text");
    let words: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
    let words = words.join("\n").trim().to_string();
    if words.is_empty() {
        return Err(Unusable::Again("the answer has no words".into()));
    }
    Ok((words, tokens(body)))
}

/// The blocks of a response that is an answer.
fn content(body: &Value) -> Result<&[Value], Unusable> {
    if let Some(error) = body.get("error").filter(|error| error.is_object()) {
        let told = quoted(error["message"].as_str().unwrap_or("an error without words"));
        return Err(match error["type"].as_str().unwrap_or_default() {
            "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error" => Unusable::Again(told),
            _ => Unusable::Foreign(told),
        });
    }
    let Some(content) = body["content"].as_array() else {
        return Err(Unusable::Foreign("the response has no list of content".into()));
    };
    match body["stop_reason"].as_str() {
        Some("refusal") => Err(Unusable::Refused(refusal(body, content))),
        Some("pause_turn") => Err(Unusable::Again("the model paused its turn".into())),
        _ => Ok(content),
    }
}

fn refusal(body: &Value, content: &[Value]) -> String {
    let explained = body["stop_details"]["explanation"].as_str();
    let said = content.iter().rev().find_map(|block| block["text"].as_str());
    let words = explained.or(said).map(quoted).filter(|words| !words.is_empty());
    words.unwrap_or_else(|| "the model declined to go on".into())
}

fn call(block: &Value, heard: &mut Heard) {
    let id = block["id"].as_str().unwrap_or_default();
    let name = block["name"].as_str().unwrap_or_default();
    let input = &block["input"];
    heard.asked(id, name);
    if name == "computer" {
        let action = input["action"].as_str().unwrap_or_default();
        actions::read(action, input, id, heard);
        return;
    }
    // A toolset's actions are tools of their own; without the toolset's name, the names still tell.
    let of_toolset = block["toolset_name"].is_string() || actions::NAMES.contains(&name);
    if of_toolset {
        actions::read(name, input, id, heard);
    } else if !own_tools::read(name, input, id, heard) {
        heard.problem(unknown("tool", name, &["computer", "tab", "dialog", "select_option", "ask_user", "done"]));
    }
}

/// The turn as it has to be sent back: unchanged, since signatures cover it, but for what the API itself refuses:
/// texts without words, and a turn that ends in thought.
fn replay(content: &[Value]) -> Vec<Value> {
    let wordless =
        |block: &Value| block["type"] == "text" && block["text"].as_str().is_none_or(|text| text.trim().is_empty());
    let mut replay: Vec<Value> =
        content.iter().filter(|block| block.is_object() && !wordless(block)).cloned().collect();
    while replay.last().is_some_and(is_thinking) {
        replay.pop();
    }
    replay
}

pub(super) fn is_thinking(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}

fn tokens(body: &Value) -> Tokens {
    let usage = &body["usage"];
    Tokens {
        input: count(usage, "/input_tokens"),
        output: count(usage, "/output_tokens"),
        cache_read: count(usage, "/cache_read_input_tokens"),
        cache_write: count(usage, "/cache_creation_input_tokens"),
    }
}
