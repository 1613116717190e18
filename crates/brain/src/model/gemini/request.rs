//! From a conversation to a request body.

use serde_json::{Map, Value, json};

use super::{GeminiProvider, read};
use crate::model::conversation::{CallAnswer, Conversation, Said, Shown};
use crate::model::knowledge::GeminiFunctions;
use crate::model::provider::{Picture, Question, Request};
use crate::prompt::Surface;

/// Room for the thinking before a short answer.
const ANSWER_TOKENS: u32 = 4096;
/// For a call whose result nobody knows: every call needs a response, or the request is refused.
const UNANSWERED: &str = "This call was not run.";
/// The browser's functions are answered with an address, also when the page has none.
const NO_ADDRESS: &str = "about:blank";

pub(super) fn conversation(provider: &GeminiProvider, conversation: &Conversation<'_>) -> Request {
    let mut contents = Vec::new();
    let mut said: Option<&Said> = None;
    for (index, exchange) in conversation.exchanges.iter().enumerate() {
        let shown = &exchange.shown;
        let last = index + 1 == conversation.exchanges.len();
        let url = shown.url.as_deref().or(conversation.url.filter(|_| last)).unwrap_or(NO_ADDRESS);
        let opening = (index == 0).then_some(conversation.opening);
        contents.push(json!({"role": "user", "parts": user_parts(provider, opening, shown, said, url)}));
        said = exchange.said.as_ref();
        if let Some(said) = said.filter(|said| said.replay.is_object()) {
            contents.push(said.replay.clone());
        }
    }
    let body = json!({
        "systemInstruction": {"parts": [text(conversation.system)]},
        "contents": contents,
        "tools": tools(provider),
        "generationConfig": {
            "maxOutputTokens": conversation.max_output_tokens,
            "thinkingConfig": {"includeThoughts": true},
        },
    });
    Request { path: path(&provider.model), headers: Vec::new(), body }
}

pub(super) fn question(provider: &GeminiProvider, question: &Question) -> Request {
    let mut parts = vec![text(&question.text)];
    for (label, picture) in &question.pictures {
        parts.push(text(label));
        parts.push(image(picture));
    }
    // Models that were made for computer use alone answer nothing without the tool.
    let mut body = json!({
        "systemInstruction": {"parts": [text(&question.system)]},
        "contents": [{"role": "user", "parts": parts}],
        "generationConfig": {"maxOutputTokens": ANSWER_TOKENS},
    });
    if provider.model.contains("computer-use") {
        body["tools"] = json!([computer_use(provider)]);
    }
    Request { path: path(&provider.model), headers: Vec::new(), body }
}

/// The model's name is a part of the address: whatever has a meaning there is written as a code.
fn path(model: &str) -> String {
    let named = if model.contains('/') { model.to_string() } else { format!("models/{model}") };
    let mut path = String::from("/v1beta/");
    for byte in named.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => path.push(char::from(byte)),
            other => path.push_str(&format!("%{other:02X}")),
        }
    }
    path + ":generateContent"
}

fn tools(provider: &GeminiProvider) -> Value {
    let declarations: Vec<Value> = provider
        .own
        .iter()
        .map(|own| {
            let mut declared = json!({"name": own.name, "description": own.description});
            // An object without properties is refused; no parameters at all are not.
            if own.schema["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
                declared["parameters"] = simple_schema(&own.schema);
            }
            declared
        })
        .collect();
    json!([computer_use(provider), {"functionDeclarations": declarations}])
}

fn computer_use(provider: &GeminiProvider) -> Value {
    let environment = match provider.surface {
        Surface::Browser => "ENVIRONMENT_BROWSER",
        Surface::Desktop => "ENVIRONMENT_DESKTOP",
    };
    let mut computer = json!({"environment": environment});
    if provider.functions == GeminiFunctions::Legacy {
        // The browser is open from the start.
        computer["excludedPredefinedFunctions"] = json!(["open_web_browser"]);
    }
    json!({"computerUse": computer})
}

/// The part of JSON Schema that function declarations take.
fn simple_schema(schema: &Value) -> Value {
    let Some(map) = schema.as_object() else { return json!({"type": "string"}) };
    let mut simple = Map::new();
    // A value of any kind has no type, which is not allowed here: it is asked for as text and read as JSON.
    let kind = map.get("type").cloned().unwrap_or_else(|| "string".into());
    simple.insert("type".into(), kind);
    for name in ["description", "enum", "required", "minItems", "maxItems", "minimum", "maximum"] {
        if let Some(value) = map.get(name) {
            simple.insert(name.into(), value.clone());
        }
    }
    if let Some(items) = map.get("items") {
        simple.insert("items".into(), simple_schema(items));
    }
    if let Some(properties) = map.get("properties").and_then(Value::as_object) {
        let properties = properties.iter().map(|(name, schema)| (name.clone(), simple_schema(schema)));
        simple.insert("properties".into(), Value::Object(properties.collect()));
    }
    Value::Object(simple)
}

fn user_parts(
    provider: &GeminiProvider,
    opening: Option<&str>,
    shown: &Shown,
    said: Option<&Said>,
    url: &str,
) -> Vec<Value> {
    let calls = said.map(|said| read::calls(&said.replay)).unwrap_or_default();
    let mut parts: Vec<Value> = opening.map(text).into_iter().collect();
    let is_known = |answer: &&CallAnswer| calls.iter().any(|call| call.id == answer.asked.id);
    let orphans = shown.answers.iter().filter(|answer| !is_known(answer));
    let mut words: String = orphans.map(|answer| format!("{}: {}\n", answer.asked.name, answer.text)).collect();
    words.push_str(&shown.text);
    let mut pictures: Vec<Value> = shown.picture.iter().chain(&shown.extra).map(image).collect();
    let is_own = |name: &str| provider.own.iter().any(|own| own.name == name);
    let of_theirs = calls.iter().rposition(|call| !is_own(call.name));
    let mut responses: Vec<Value> = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let answer = shown.answers.iter().find(|answer| answer.asked.id == call.id);
        let mut response = response(call, answer, url);
        // One response tells what all of them led to. A turn that answers calls holds nothing but responses.
        if index + 1 == calls.len() && !words.trim().is_empty() {
            response["response"]["observation"] = words.as_str().into();
        }
        // Only the provider's own functions are sure to take pictures.
        if of_theirs == Some(index) && !pictures.is_empty() {
            response["parts"] = Value::Array(std::mem::take(&mut pictures));
        }
        responses.push(json!({"functionResponse": response}));
    }
    if responses.is_empty() && !words.trim().is_empty() {
        parts.push(text(&words));
    }
    parts.extend(responses);
    parts.append(&mut pictures);
    if parts.is_empty() {
        parts.push(text("Go on."));
    }
    parts
}

fn response(call: &read::Call<'_>, answer: Option<&CallAnswer>, url: &str) -> Value {
    let told = answer.map_or(UNANSWERED, |answer| answer.text.trim());
    let ok = answer.is_some_and(|answer| answer.ok);
    let mut inside = json!({"url": url});
    inside[if ok { "output" } else { "error" }] = told.into();
    // Only what a person agreed to, and only for the call that it is about.
    if answer.is_some_and(|answer| answer.acknowledged.iter().any(|check| check.id == call.id)) {
        inside["safety_acknowledgement"] = "true".into();
    }
    let mut response = json!({"name": call.name, "response": inside});
    if call.has_id {
        response["id"] = call.id.as_str().into();
    }
    response
}

fn text(text: &str) -> Value {
    json!({"text": text})
}

fn image(picture: &Picture) -> Value {
    json!({"inlineData": {"mimeType": picture.media_type, "data": picture.base64}})
}
