//! Gemini's contents: `functionCall` and `functionResponse`, in both sets of functions.

use serde_json::{Value, json};

use super::{Act, CACHED, INPUT, OUTPUT};

pub(super) fn reply(number: usize, thought: &str, acts: &[Act]) -> Value {
    let calls = acts.iter().enumerate().map(|(index, act)| {
        let (name, arguments) = match act {
            Act::Look => ("take_screenshot", json!({"intent": "look"})),
            Act::Click(x, y) => ("click", json!({"x": x, "y": y, "intent": "hit the square"})),
            Act::Type(text) => ("type", json!({"text": text, "press_enter": false})),
            Act::Done { success, summary } => ("done", json!({"success": success, "summary": summary})),
        };
        // The newer API gives ids, the older one did not.
        call(name, arguments, Some(format!("fc-{number}-{index}")))
    });
    candidate(thought, calls.collect())
}

pub(super) fn legacy_reply(_number: usize, thought: &str, acts: &[Act]) -> Value {
    let calls = acts.iter().map(|act| {
        let (name, arguments) = match act {
            Act::Look => ("open_web_browser", json!({})),
            Act::Click(x, y) => ("click_at", json!({"x": x, "y": y})),
            // Where the field is that has the focus: the older set types at a place.
            Act::Type(text) => (
                "type_text_at",
                json!({"x": 110, "y": 100, "text": text, "press_enter": false, "clear_before_typing": false}),
            ),
            Act::Done { success, summary } => ("done", json!({"success": success, "summary": summary})),
        };
        call(name, arguments, None)
    });
    candidate(thought, calls.collect())
}

/// One click that somebody has to agree to.
pub(crate) fn checked(at: (i64, i64), explanation: &str) -> Value {
    let decision = json!({"decision": "require_confirmation", "explanation": explanation});
    candidate("", vec![call("click_at", json!({"x": at.0, "y": at.1, "safety_decision": decision}), None)])
}

pub(super) fn words(words: &str) -> Value {
    candidate(words, Vec::new())
}

pub(super) fn refusal(words: &str) -> Value {
    let mut body = candidate("", Vec::new());
    body["candidates"][0] = json!({"index": 0, "finishReason": "SAFETY", "finishMessage": words});
    body
}

pub(super) fn nonsense(number: usize) -> Value {
    candidate("", vec![call("levitate", json!({"x": 1, "y": 1}), Some(format!("fc-{number}")))])
}

pub(super) fn error(status: u16, kind: &str, message: &str) -> Value {
    json!({"error": {"code": status, "message": message, "status": kind}})
}

pub(super) fn expect_answered(request: &Value) {
    let contents = request["contents"].as_array().unwrap();
    assert_eq!(contents[0]["role"], "user");
    let named = |content: &Value, field: &str| -> Vec<Value> {
        let parts = content["parts"].as_array().unwrap();
        parts.iter().filter_map(|part| part.get(field)).map(|call| call["name"].clone()).collect()
    };
    for pair in contents.windows(2) {
        assert_ne!(pair[0]["role"], pair[1]["role"], "two contents of one role in a row");
        if pair[0]["role"] == "model" {
            assert_eq!(named(&pair[0], "functionCall"), named(&pair[1], "functionResponse"));
        }
    }
}

fn call(name: &str, arguments: Value, id: Option<String>) -> Value {
    let mut call = json!({"name": name, "args": arguments});
    if let Some(id) = id {
        call["id"] = id.into();
    }
    json!({"functionCall": call, "thoughtSignature": "c2ln"})
}

fn candidate(thought: &str, calls: Vec<Value>) -> Value {
    let mut parts = vec![json!({"text": "hidden thoughts", "thought": true})];
    if !thought.is_empty() {
        parts.push(json!({"text": thought}));
    }
    parts.extend(calls);
    json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": INPUT, "cachedContentTokenCount": CACHED,
                          "candidatesTokenCount": OUTPUT - 10, "thoughtsTokenCount": 10,
                          "totalTokenCount": INPUT + OUTPUT},
        "modelVersion": "gemini",
    })
}
