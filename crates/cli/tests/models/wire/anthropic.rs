//! Anthropic's messages: content blocks, `tool_use` and `tool_result`.

use serde_json::{Value, json};

use super::{Act, CACHED, INPUT, OUTPUT};

pub(super) fn reply(number: usize, thought: &str, acts: &[Act]) -> Value {
    let used = acts.iter().enumerate().map(|(index, act)| {
        let id = format!("toolu_{number}_{index}");
        match act {
            Act::Look => tool_use(&id, "computer", json!({"action": "screenshot"})),
            Act::Click(x, y) => tool_use(&id, "computer", json!({"action": "left_click", "coordinate": [x, y]})),
            Act::Type(text) => tool_use(&id, "computer", json!({"action": "type", "text": text})),
            Act::Done { success, summary } => tool_use(&id, "done", json!({"success": success, "summary": summary})),
        }
    });
    message(thought, used.collect())
}

pub(super) fn toolset_reply(number: usize, thought: &str, acts: &[Act]) -> Value {
    let used = acts.iter().enumerate().map(|(index, act)| {
        let id = format!("toolu_{number}_{index}");
        let of_set = |name: &str, input: Value| {
            let mut block = tool_use(&id, name, input);
            block["toolset_name"] = "computer".into();
            block
        };
        match act {
            Act::Look => of_set("screenshot", json!({})),
            Act::Click(x, y) => of_set("left_click", json!({"coordinate": [x, y]})),
            Act::Type(text) => of_set("type", json!({"text": text})),
            Act::Done { success, summary } => tool_use(&id, "done", json!({"success": success, "summary": summary})),
        }
    });
    message(thought, used.collect())
}

pub(super) fn words(words: &str) -> Value {
    let mut message = message(words, Vec::new());
    message["stop_reason"] = "end_turn".into();
    message
}

pub(super) fn refusal(words: &str) -> Value {
    let mut message = message(words, Vec::new());
    message["stop_reason"] = "refusal".into();
    message
}

pub(super) fn nonsense(number: usize) -> Value {
    let id = format!("toolu_{number}_0");
    message("", vec![tool_use(&id, "computer", json!({"action": "levitate", "coordinate": [1, 1]}))])
}

pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"})
}

pub(super) fn expect_answered(request: &Value) {
    let messages = request["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "user");
    for pair in messages.windows(2) {
        assert_ne!(pair[0]["role"], pair[1]["role"], "two messages of one role in a row");
        if pair[0]["role"] == "assistant" {
            let ids = |message: &Value, kind: &str, field: &str| -> Vec<Value> {
                let blocks = message["content"].as_array().unwrap();
                blocks.iter().filter(|block| block["type"] == kind).map(|block| block[field].clone()).collect()
            };
            assert_eq!(ids(&pair[0], "tool_use", "id"), ids(&pair[1], "tool_result", "tool_use_id"));
            assert!(!pair[0]["content"].as_array().unwrap().is_empty());
        }
    }
    for message in messages {
        // Results come first in a message, and one that is an error holds text alone.
        let blocks = message["content"].as_array().unwrap();
        let results = blocks.iter().filter(|block| block["type"] == "tool_result").count();
        if results > 0 {
            assert!(blocks[..results].iter().all(|block| block["type"] == "tool_result"), "a result is not first");
        }
        for block in blocks.iter().filter(|block| block["is_error"] == true) {
            let inside = block["content"].as_array().unwrap();
            assert!(inside.iter().all(|part| part["type"] == "text"), "a picture in an error");
        }
    }
}

fn tool_use(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn message(thought: &str, used: Vec<Value>) -> Value {
    let mut content = vec![json!({"type": "thinking", "thinking": "hidden thoughts", "signature": "c2ln"})];
    if !thought.is_empty() {
        content.push(json!({"type": "text", "text": thought}));
    }
    content.extend(used);
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content,
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": INPUT - CACHED, "cache_read_input_tokens": CACHED,
                  "cache_creation_input_tokens": 0, "output_tokens": OUTPUT},
    })
}
