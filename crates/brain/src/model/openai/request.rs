//! From a conversation to a request body.

use serde_json::{Value, json};

use super::OpenAiProvider;
use crate::model::conversation::{CallAnswer, Conversation, Said, Shown};
use crate::model::knowledge::OpenAiTool;
use crate::model::provider::{Picture, Question, Request};
use crate::prompt::Surface;

const PATH: &str = "/responses";
/// Room for the thinking before a short answer.
const ANSWER_TOKENS: u32 = 4096;
/// For a call whose result nobody knows: every call needs an output, or the request is refused.
const UNANSWERED: &str = "This call was not run.";
/// One white pixel. A computer call can only be answered with a picture, also when the screen has none to give.
const NO_PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==";

pub(super) fn conversation(provider: &OpenAiProvider, conversation: &Conversation<'_>) -> Request {
    let mut input = Vec::new();
    let mut said: Option<&Said> = None;
    let mut latest: Option<&Picture> = None;
    for (index, exchange) in conversation.exchanges.iter().enumerate() {
        let shown = &exchange.shown;
        latest = shown.picture.as_ref().or(latest);
        let last = index + 1 == conversation.exchanges.len();
        let url = shown.url.as_deref().or(conversation.url.filter(|_| last));
        let calls = said.map(calls).unwrap_or_default();
        for call in &calls {
            input.push(output(provider, call, shown, latest, url));
        }
        let opening = (index == 0).then_some(conversation.opening);
        input.extend(message(provider, opening, &calls, shown));
        said = exchange.said.as_ref();
        if let Some(items) = said.and_then(|said| said.replay.as_array()) {
            input.extend(items.iter().cloned());
        }
    }
    let mut body = json!({
        "model": provider.model,
        "instructions": conversation.system,
        "input": input,
        "tools": tools(provider, conversation.screen),
        "store": false,
        // Without it, what the model thought could not be sent back, as nothing is stored.
        "include": ["reasoning.encrypted_content"],
        "max_output_tokens": conversation.max_output_tokens,
    });
    if provider.tool == OpenAiTool::Preview {
        body["truncation"] = "auto".into();
    }
    Request { path: PATH.into(), headers: Vec::new(), body }
}

pub(super) fn question(provider: &OpenAiProvider, question: &Question) -> Request {
    let mut content = vec![text(&question.text)];
    for (label, picture) in &question.pictures {
        content.push(text(label));
        content.push(image(provider, picture));
    }
    let body = json!({
        "model": provider.model,
        "instructions": question.system,
        "input": [{"type": "message", "role": "user", "content": content}],
        "store": false,
        "max_output_tokens": ANSWER_TOKENS,
    });
    Request { path: PATH.into(), headers: Vec::new(), body }
}

fn tools(provider: &OpenAiProvider, screen: (u32, u32)) -> Vec<Value> {
    let computer = match provider.tool {
        OpenAiTool::Computer => json!({"type": "computer"}),
        OpenAiTool::Preview => json!({
            "type": "computer_use_preview",
            "display_width": screen.0,
            "display_height": screen.1,
            "environment": match provider.surface {
                Surface::Browser => "browser",
                Surface::Desktop => "linux",
            },
        }),
    };
    let own = provider.own.iter().map(|own| {
        json!({
            "type": "function",
            "name": own.name,
            "description": own.description,
            "parameters": own.schema,
            "strict": false,
        })
    });
    std::iter::once(computer).chain(own).collect()
}

/// A call in a turn of the model.
struct Call<'a> {
    id: &'a str,
    is_computer: bool,
    /// Ids of the checks that the provider has about it.
    checks: Vec<&'a str>,
}

fn calls(said: &Said) -> Vec<Call<'_>> {
    let items = said.replay.as_array().map(Vec::as_slice).unwrap_or_default();
    let call = |item: &'_ Value| matches!(item["type"].as_str(), Some("computer_call" | "function_call"));
    let calls = items.iter().filter(|item| call(item)).filter_map(|item| {
        let checks = item["pending_safety_checks"].as_array().map(Vec::as_slice).unwrap_or_default();
        Some(Call {
            id: item["call_id"].as_str()?,
            is_computer: item["type"] == "computer_call",
            checks: checks.iter().filter_map(|check| check["id"].as_str()).collect(),
        })
    });
    calls.collect()
}

fn output(
    provider: &OpenAiProvider,
    call: &Call<'_>,
    shown: &Shown,
    latest: Option<&Picture>,
    url: Option<&str>,
) -> Value {
    let answer = shown.answers.iter().find(|answer| answer.asked.id == call.id);
    if !call.is_computer {
        let told = answer.map_or(UNANSWERED, |answer| answer.text.as_str());
        return json!({"type": "function_call_output", "call_id": call.id, "output": told});
    }
    let picture = latest.map_or_else(|| NO_PICTURE.to_string(), Picture::data_url);
    let mut screen = json!({"type": "computer_screenshot", "image_url": picture});
    match (provider.tool, url) {
        // Pixels must not be scaled again: the model's points are in them.
        (OpenAiTool::Computer, _) => screen["detail"] = "original".into(),
        // The preview's checks of domains go by it.
        (OpenAiTool::Preview, Some(url)) => screen["current_url"] = url.into(),
        (OpenAiTool::Preview, None) => {}
    }
    let mut output = json!({"type": "computer_call_output", "call_id": call.id, "output": screen});
    let agreed = answer.map(|answer| acknowledged(call, answer)).unwrap_or_default();
    if !agreed.is_empty() {
        output["acknowledged_safety_checks"] = Value::Array(agreed);
    }
    output
}

/// Exactly the checks of this call that a person agreed to.
fn acknowledged(call: &Call<'_>, answer: &CallAnswer) -> Vec<Value> {
    let agreed = answer.acknowledged.iter().filter(|check| call.checks.contains(&check.id.as_str()));
    let written = agreed.map(|check| {
        let mut written = json!({"id": check.id});
        for (name, value) in [("code", &check.code), ("message", &check.message)] {
            if !value.is_empty() {
                written[name] = value.as_str().into();
            }
        }
        written
    });
    written.collect()
}

/// What the outputs have no room for: words, and pictures where no computer call was made.
fn message(provider: &OpenAiProvider, opening: Option<&str>, calls: &[Call<'_>], shown: &Shown) -> Option<Value> {
    let mut content: Vec<Value> = opening.map(text).into_iter().collect();
    let is_told = |answer: &&CallAnswer| calls.iter().any(|call| call.id == answer.asked.id && !call.is_computer);
    let untold = shown.answers.iter().filter(|answer| !is_told(answer) && !answer.text.trim().is_empty());
    let mut words: String = untold.map(|answer| format!("{}: {}\n", answer.asked.name, answer.text.trim())).collect();
    words.push_str(&shown.text);
    if !words.trim().is_empty() {
        content.push(text(&words));
    }
    let is_shown = calls.iter().any(|call| call.is_computer);
    let picture = shown.picture.as_ref().filter(|_| !is_shown);
    content.extend(picture.into_iter().chain(&shown.extra).map(|picture| image(provider, picture)));
    (!content.is_empty()).then(|| json!({"type": "message", "role": "user", "content": content}))
}

fn text(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

fn image(provider: &OpenAiProvider, picture: &Picture) -> Value {
    let detail = match provider.tool {
        OpenAiTool::Computer => "original",
        OpenAiTool::Preview => "high",
    };
    json!({"type": "input_image", "image_url": picture.data_url(), "detail": detail})
}
