//! From a conversation to a request body. What is said stays the same, byte by byte, from one request to the next,
//! until turns are forgotten: so the prompt cache holds.

use serde_json::{Map, Value, json};

use super::{AnthropicProvider, read};
use crate::model::conversation::{CallAnswer, Conversation, Said, Shown};
use crate::model::provider::{Picture, Question, Request};

const PATH: &str = "/v1/messages";
const VERSION: &str = "2023-06-01";
/// The answer to a question is short, but the models that think first count their thinking in.
const ANSWER_TOKENS: u32 = 4096;
/// For a call whose result nobody knows: every call needs a result, or the request is refused.
const UNANSWERED: &str = "This call was not run.";
/// The words that models of the toolset know for an action behind a failed one.
const NOT_EXECUTED: &str = "Not executed: an earlier computer action in this turn failed.";

pub(super) fn conversation(provider: &AnthropicProvider, conversation: &Conversation<'_>) -> Request {
    let mut messages = Vec::new();
    let mut said: Option<&Said> = None;
    for (index, exchange) in conversation.exchanges.iter().enumerate() {
        let opening = (index == 0).then_some(conversation.opening);
        messages.push(json!({"role": "user", "content": user_content(opening, &exchange.shown, said)}));
        said = exchange.said.as_ref();
        let content = said.map(|said| assistant_content(provider, said, conversation.cuts)).unwrap_or_default();
        if !content.is_empty() {
            messages.push(json!({"role": "assistant", "content": content}));
        }
    }
    mark_for_cache(&mut messages);
    let body = json!({
        "model": provider.model,
        "max_tokens": conversation.max_output_tokens,
        // The end of what never changes: tools stand before the system prompt.
        "system": [{"type": "text", "text": conversation.system, "cache_control": {"type": "ephemeral"}}],
        "tools": tools(provider, conversation.screen),
        "messages": messages,
    });
    Request { path: PATH.into(), headers: headers(provider.tool.beta.as_deref()), body }
}

pub(super) fn question(provider: &AnthropicProvider, question: &Question) -> Request {
    let mut content = vec![text(&question.text)];
    for (label, picture) in &question.pictures {
        content.push(text(label));
        content.push(image(picture));
    }
    let body = json!({
        "model": provider.model,
        "max_tokens": ANSWER_TOKENS,
        "system": question.system,
        "messages": [{"role": "user", "content": content}],
    });
    Request { path: PATH.into(), headers: headers(None), body }
}

fn headers(beta: Option<&str>) -> Vec<(&'static str, String)> {
    let version = ("anthropic-version", VERSION.to_string());
    std::iter::once(version).chain(beta.map(|beta| ("anthropic-beta", beta.to_string()))).collect()
}

fn tools(provider: &AnthropicProvider, screen: (u32, u32)) -> Vec<Value> {
    let tool = &provider.tool;
    let mut computer = Map::new();
    computer.insert("type".into(), tool.tool.as_str().into());
    if tool.is_toolset() {
        // It takes no size and no name. What we cannot do must not be offered.
        if !tool.zoom {
            computer.insert("configs".into(), json!({"zoom": {"enabled": false}}));
        }
    } else {
        computer.insert("name".into(), "computer".into());
        computer.insert("display_width_px".into(), screen.0.into());
        computer.insert("display_height_px".into(), screen.1.into());
        if tool.zoom {
            computer.insert("enable_zoom".into(), true.into());
        }
    }
    let own = provider
        .own
        .iter()
        .map(|own| json!({"name": own.name, "description": own.description, "input_schema": own.schema}));
    std::iter::once(Value::Object(computer)).chain(own).collect()
}

fn user_content(opening: Option<&str>, shown: &Shown, said: Option<&Said>) -> Vec<Value> {
    let calls = said.map(calls).unwrap_or_default();
    let mut content: Vec<Value> = opening.map(text).into_iter().collect();
    // Text before pictures: the models aim better so.
    let (told, orphans) = results(&calls, shown);
    let mut facts: Vec<Value> = Vec::new();
    if !orphans.is_empty() {
        facts.push(text(&orphans));
    }
    if !shown.text.trim().is_empty() {
        facts.push(text(&shown.text));
    }
    facts.extend(shown.picture.iter().chain(&shown.extra).map(image));
    let mut results = told;
    match results.last_mut() {
        // A result that is marked as an error may only hold text.
        Some(last) if last.get("is_error").is_none() => {
            if let Some(inside) = last["content"].as_array_mut() {
                inside.append(&mut facts);
            }
        }
        _ => {}
    }
    content.extend(results);
    content.append(&mut facts);
    if content.is_empty() {
        content.push(text("Go on."));
    }
    content
}

/// A result for every call of the turn before, and the answers whose calls are gone, as text.
fn results(calls: &[(&str, Option<&str>)], shown: &Shown) -> (Vec<Value>, String) {
    let mut failed = false;
    let results = calls.iter().map(|(id, toolset)| {
        let answer = shown.answers.iter().find(|answer| answer.asked.id == *id);
        let ok = answer.is_some_and(|answer| answer.ok);
        let told = match answer.map(|answer| answer.text.trim()).filter(|told| !told.is_empty()) {
            // A batch ends at its first failure: what stands behind it was never tried.
            _ if failed && !ok && toolset.is_some() => NOT_EXECUTED,
            Some(told) => told,
            None if ok => "OK",
            None => UNANSWERED,
        };
        failed |= !ok;
        result(id, *toolset, told, ok)
    });
    let results = results.collect();
    let known = |answer: &&CallAnswer| calls.iter().any(|(id, _)| *id == answer.asked.id);
    let orphans = shown.answers.iter().filter(|answer| !known(answer));
    let orphans: String = orphans.map(|answer| format!("{}: {}\n", answer.asked.name, answer.text)).collect();
    (results, orphans.trim_end().to_string())
}

fn result(id: &str, toolset: Option<&str>, told: &str, ok: bool) -> Value {
    let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": [text(told)]});
    if let Some(toolset) = toolset {
        // The API refuses a result that does not name the toolset of its call.
        result["toolset_name"] = toolset.into();
    }
    if !ok {
        result["is_error"] = true.into();
    }
    result
}

/// Id and toolset of every call in a turn of the model.
fn calls(said: &Said) -> Vec<(&str, Option<&str>)> {
    let blocks = said.replay.as_array().map(Vec::as_slice).unwrap_or_default();
    let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
    calls.filter_map(|block| Some((block["id"].as_str()?, block["toolset_name"].as_str()))).collect()
}

/// The model's own turn as it came. Some models sign their thinking together with everything before it: once older
/// turns are gone, the API refuses such a block, but not a turn without it.
fn assistant_content(provider: &AnthropicProvider, said: &Said, cuts: u32) -> Vec<Value> {
    let unbound = provider.tool.bound_thinking && said.cuts != cuts;
    let blocks = said.replay.as_array().map(Vec::as_slice).unwrap_or_default();
    blocks.iter().filter(|block| !(unbound && read::is_thinking(block))).cloned().collect()
}

/// Marks the end of the last message, which the next request repeats, and the one that the last request ended with,
/// which is in the cache already however many blocks have come since.
fn mark_for_cache(messages: &mut [Value]) {
    let users = messages.iter_mut().rev().filter(|message| message["role"] == "user").take(2);
    for message in users {
        if let Some(last) = message["content"].as_array_mut().and_then(|content| content.last_mut()) {
            last["cache_control"] = json!({"type": "ephemeral"});
        }
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image(picture: &Picture) -> Value {
    let source = json!({"type": "base64", "media_type": picture.media_type, "data": picture.base64});
    json!({"type": "image", "source": source})
}
