//! Writes requests: system, user, assistant and tool messages, text before pictures. Only fields that the servers
//! people run themselves accept.

use serde_json::{Map, Value, json};

use super::super::conversation::{Conversation, Exchange, Shown};
use super::super::knowledge::Dialect;
use super::super::own_tools;
use super::super::provider::{Picture, Question, Request};
use super::super::space::Space;
use super::{ChatProvider, dialects};

const PATH: &str = "/chat/completions";
/// Room for a short opinion and some reasoning before it.
const ANSWER_TOKENS: u32 = 2048;

pub(super) fn conversation(provider: &ChatProvider, conversation: &Conversation<'_>) -> Request {
    let mut messages = vec![json!({"role": "system", "content": conversation.system})];
    let mut asked: Vec<String> = Vec::new();
    for (index, exchange) in conversation.exchanges.iter().enumerate() {
        let opening = (index == 0).then_some(conversation.opening);
        messages.extend(shown(provider, opening, &exchange.shown, &asked));
        asked = said(exchange, &mut messages);
    }
    let mut body = body(provider, messages, conversation.max_output_tokens);
    if provider.dialect == Dialect::Native && provider.options.tools {
        let context = &provider.setting.context;
        let tools = context.tools().iter().filter_map(|tool| own_tools::declared(tool.name));
        let tools = tools.map(|tool| dialects::function(tool.name, &tool.description, tool.schema));
        body.insert("tools".into(), tools.collect());
    }
    if let Some(schema) = dialects::schema(provider.dialect, &provider.setting) {
        // The first is vLLM's own name for it, the second everybody's; either alone is ignored somewhere.
        body.insert("structured_outputs".into(), json!({"json": schema}));
        let format = json!({"type": "json_schema", "json_schema": {"name": "action", "schema": schema}});
        body.insert("response_format".into(), format);
    }
    Request { path: PATH.into(), headers: Vec::new(), body: Value::Object(body) }
}

pub(super) fn question(provider: &ChatProvider, question: &Question) -> Request {
    let mut content = vec![text_part(&question.text)];
    for (label, picture) in question.pictures.iter().filter(|_| provider.sees) {
        content.push(text_part(label));
        content.push(picture_part(picture));
    }
    let messages =
        vec![json!({"role": "system", "content": question.system}), json!({"role": "user", "content": content})];
    let body = body(provider, messages, ANSWER_TOKENS);
    Request { path: PATH.into(), headers: Vec::new(), body: Value::Object(body) }
}

fn body(provider: &ChatProvider, messages: Vec<Value>, most_tokens: u32) -> Map<String, Value> {
    let options = provider.options;
    let mut body = Map::new();
    body.insert("model".into(), provider.model.as_str().into());
    body.insert("messages".into(), messages.into());
    let limit = if options.newer_limit_name { "max_completion_tokens" } else { "max_tokens" };
    body.insert(limit.into(), most_tokens.into());
    if let Some(temperature) = options.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    body.insert("stream".into(), options.stream.into());
    if options.stream {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    body
}

/// What the model is shown in one turn. `asked`: the ids of the turn before that wait for a message each.
fn shown(provider: &ChatProvider, opening: Option<&str>, shown: &Shown, asked: &[String]) -> Vec<Value> {
    let mut messages = Vec::new();
    for id in asked {
        let answer = shown.answers.iter().find(|answer| answer.asked.id == *id);
        let text = answer.map_or("see the picture", |answer| answer.text.as_str());
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
    }
    // Answers whose question is gone, and those of dialects without ids.
    let mut told = String::new();
    for answer in shown.answers.iter().filter(|answer| !asked.contains(&answer.asked.id)) {
        told.push_str(&format!("{}: {}\n", answer.asked.name, answer.text));
    }
    told.push_str(&shown.text);
    if let Some(picture) = shown.picture.as_ref().filter(|_| provider.sees) {
        told.push_str(&size_of(picture, provider.space));
    }
    if provider.dialect == Dialect::Holo3 {
        told = format!("<observation>\n{}\n</observation>", told.trim_end());
    }
    let text = match opening {
        Some(opening) => format!("{}\n\n{told}", opening.trim_end()),
        None => told,
    };
    let mut content = vec![text_part(&text)];
    if provider.sees {
        content.extend(shown.picture.iter().map(picture_part));
        for extra in &shown.extra {
            content.push(text_part("Zoom or preview:"));
            content.push(picture_part(extra));
        }
    }
    // Servers without vision often take plain text only.
    let content = if content.len() == 1 { text.into() } else { Value::Array(content) };
    messages.push(json!({"role": "user", "content": content}));
    messages
}

/// Models that point in pixels are told how many there are.
fn size_of(picture: &Picture, space: Space) -> String {
    if space == Space::Grid1000 {
        return String::new();
    }
    let (width, height) = space.extent((picture.width, picture.height));
    format!("\nThe picture is {width} pixels wide and {height} high.")
}

/// The model's own turn; returns the ids in it.
fn said(exchange: &Exchange, messages: &mut Vec<Value>) -> Vec<String> {
    let Some(said) = &exchange.said else { return Vec::new() };
    messages.push(if said.replay.is_object() {
        said.replay.clone()
    } else {
        json!({"role": "assistant", "content": said.line})
    });
    let calls = said.replay.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    calls.iter().filter_map(|call| call.get("id").and_then(Value::as_str).map(str::to_string)).collect()
}

fn text_part(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn picture_part(picture: &Picture) -> Value {
    json!({"type": "image_url", "image_url": {"url": picture.data_url()}})
}
