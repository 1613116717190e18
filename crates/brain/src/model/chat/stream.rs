//! Puts the pieces of a streamed answer together into the body that the same request without a stream would have had.
//! Servers differ: content may be null, the last piece may have no choices, a tool call may come whole or letter by
//! letter, with or without an index.

use serde_json::{Map, Value, json};

/// Longest text that is collected, in bytes.
const LONGEST: usize = 4_000_000;
const MOST_CALLS: usize = 128;

/// The body, or one sentence about why the stream is no answer.
pub(super) fn assemble<'a>(events: impl IntoIterator<Item = &'a str>) -> Result<Value, String> {
    let mut parts = Parts::default();
    let mut ended = false;
    for event in events {
        let event = event.trim();
        if event == "[DONE]" {
            ended = true;
            break;
        }
        if event.is_empty() {
            continue;
        }
        let Ok(chunk) = serde_json::from_str::<Value>(event) else {
            return Err("the answer's stream broke off inside a piece".into());
        };
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Ok(chunk);
        }
        parts.take(&chunk);
        if parts.length > LONGEST {
            return Err("the answer's stream is longer than any answer".into());
        }
    }
    // A good end is either the mark or a reason; without both, the connection was lost.
    if !ended && parts.finish.is_none() {
        return Err("the answer's stream broke off before its end".into());
    }
    Ok(parts.body())
}

#[derive(Default)]
struct Parts {
    length: usize,
    any: bool,
    head: Map<String, Value>,
    content: String,
    reasoning: String,
    refusal: String,
    calls: Vec<Call>,
    finish: Option<Value>,
    usage: Option<Value>,
}

#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Parts {
    fn take(&mut self, chunk: &Value) {
        for name in ["id", "model", "created"] {
            if let Some(value) = chunk.get(name).filter(|_| !self.head.contains_key(name)) {
                self.head.insert(name.into(), value.clone());
            }
        }
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.usage = Some(usage.clone());
        }
        let Some(choice) = chunk.get("choices").and_then(Value::as_array).and_then(|choices| choices.first()) else {
            return;
        };
        // Only the first answer is wanted, should a server give several.
        if choice.get("index").and_then(Value::as_u64).unwrap_or_default() > 0 {
            return;
        }
        self.any = true;
        if let Some(finish) = choice.get("finish_reason").filter(|finish| !finish.is_null()) {
            self.finish = Some(finish.clone());
        }
        let empty = Value::Null;
        let delta = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&empty);
        let piece = |names: &[&str]| names.iter().find_map(|name| delta.get(*name)?.as_str()).unwrap_or_default();
        let (content, reasoning, refusal) =
            (piece(&["content"]), piece(&["reasoning_content", "reasoning"]), piece(&["refusal"]));
        let text =
            if content.is_empty() { choice.get("text").and_then(Value::as_str).unwrap_or_default() } else { content };
        self.length += text.len() + reasoning.len() + refusal.len();
        self.content.push_str(text);
        self.reasoning.push_str(reasoning);
        self.refusal.push_str(refusal);
        for call in delta.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default() {
            self.take_call(call);
        }
    }

    fn take_call(&mut self, piece: &Value) {
        let index = piece.get("index").and_then(Value::as_u64);
        let id = piece.get("id").and_then(Value::as_str).unwrap_or_default();
        let function = piece.get("function").unwrap_or(piece);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(value @ Value::Object(_)) => value.to_string(),
            _ => String::new(),
        };
        self.length += id.len() + name.len() + arguments.len();
        let known = match index {
            Some(_) => self.calls.iter().position(|call| call.index == index),
            // Without an index a new id, or a new name, begins a new call.
            None if !id.is_empty() => self.calls.iter().position(|call| call.id == id),
            None if !name.is_empty() => None,
            None => self.calls.len().checked_sub(1),
        };
        match known {
            Some(known) => {
                let call = &mut self.calls[known];
                if call.id.is_empty() {
                    call.id = id.to_string();
                }
                // Some servers repeat the whole name in every piece.
                if call.name != name {
                    call.name.push_str(name);
                }
                call.arguments.push_str(&arguments);
            }
            None if self.calls.len() < MOST_CALLS => {
                self.calls.push(Call { index, id: id.to_string(), name: name.to_string(), arguments });
            }
            None => {}
        }
    }

    fn body(self) -> Value {
        let mut message = Map::from_iter([
            ("role".to_string(), Value::from("assistant")),
            ("content".to_string(), Value::from(self.content)),
        ]);
        if !self.reasoning.is_empty() {
            message.insert("reasoning_content".into(), self.reasoning.into());
        }
        if !self.refusal.is_empty() {
            message.insert("refusal".into(), self.refusal.into());
        }
        if !self.calls.is_empty() {
            let calls = self.calls.into_iter().map(|call| {
                json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}})
            });
            message.insert("tool_calls".into(), calls.collect());
        }
        let mut body = self.head;
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish});
        body.insert("choices".into(), if self.any { json!([choice]) } else { json!([]) });
        if let Some(usage) = self.usage {
            body.insert("usage".into(), usage);
        }
        Value::Object(body)
    }
}
