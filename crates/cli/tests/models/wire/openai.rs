//! OpenAI's responses: output items, `computer_call` and `computer_call_output`.

use serde_json::{Value, json};

use super::{Act, CACHED, INPUT, OUTPUT};

/// The current tool acts in batches: all deeds up to a call of ours are one item.
pub(super) fn reply(number: usize, thought: &str, acts: &[Act]) -> Value {
    let mut items = spoken(number, thought);
    let actions: Vec<Value> = acts.iter().filter_map(action).collect();
    if !actions.is_empty() {
        items.push(computer_call(number, 0, json!({"actions": actions}), json!([])));
    }
    items.extend(acts.iter().filter_map(|act| done(number, act)));
    response(items)
}

/// The preview before it does one thing at a time.
pub(super) fn preview_reply(number: usize, thought: &str, acts: &[Act]) -> Value {
    let mut items = spoken(number, thought);
    for (index, act) in acts.iter().enumerate() {
        if let Some(action) = action(act) {
            items.push(computer_call(number, index, json!({"action": action}), json!([])));
        }
        items.extend(done(number, act));
    }
    response(items)
}

/// One call with checks that somebody has to agree to.
pub(crate) fn checked(number: usize, acts: &[Act], checks: Value) -> Value {
    let actions: Vec<Value> = acts.iter().filter_map(action).collect();
    response(vec![computer_call(number, 0, json!({"actions": actions}), checks)])
}

pub(super) fn words(words: &str) -> Value {
    response(vec![message(json!({"type": "output_text", "text": words, "annotations": []}))])
}

pub(super) fn refusal(words: &str) -> Value {
    response(vec![message(json!({"type": "refusal", "refusal": words}))])
}

pub(super) fn nonsense(number: usize) -> Value {
    let actions = json!({"actions": [{"type": "levitate", "x": 1, "y": 1}]});
    response(vec![computer_call(number, 0, actions, json!([]))])
}

pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": kind}})
}

pub(super) fn expect_answered(request: &Value) {
    let input = request["input"].as_array().unwrap();
    let ids = |kinds: &[&str]| -> Vec<Value> {
        let items = input.iter().filter(|item| kinds.contains(&item["type"].as_str().unwrap_or_default()));
        items.map(|item| item["call_id"].clone()).collect()
    };
    assert_eq!(ids(&["computer_call", "function_call"]), ids(&["computer_call_output", "function_call_output"]));
}

fn action(act: &Act) -> Option<Value> {
    match act {
        Act::Look => Some(json!({"type": "screenshot"})),
        Act::Click(x, y) => Some(json!({"type": "click", "button": "left", "x": x, "y": y})),
        Act::Type(text) => Some(json!({"type": "type", "text": text})),
        Act::Done { .. } => None,
    }
}

fn done(number: usize, act: &Act) -> Option<Value> {
    let Act::Done { success, summary } = act else { return None };
    let arguments = json!({"success": success, "summary": summary}).to_string();
    Some(json!({"type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_f{number}"),
                "name": "done", "arguments": arguments, "status": "completed"}))
}

fn spoken(number: usize, thought: &str) -> Vec<Value> {
    let mut items = vec![json!({"type": "reasoning", "id": format!("rs_{number}"), "summary": [],
                                "encrypted_content": "c2ln", "status": null})];
    if !thought.is_empty() {
        items.push(message(json!({"type": "output_text", "text": thought, "annotations": []})));
    }
    items
}

fn message(part: Value) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]})
}

fn computer_call(number: usize, index: usize, what: Value, checks: Value) -> Value {
    let mut call = json!({"type": "computer_call", "id": format!("cu_{number}_{index}"),
                          "call_id": format!("call_{number}_{index}"), "status": "completed",
                          "pending_safety_checks": checks});
    call.as_object_mut().unwrap().extend(what.as_object().unwrap().clone());
    call
}

fn response(output: Vec<Value>) -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": "completed", "error": null, "incomplete_details": null,
        "output": output,
        "usage": {"input_tokens": INPUT, "input_tokens_details": {"cached_tokens": CACHED}, "output_tokens": OUTPUT,
                  "output_tokens_details": {"reasoning_tokens": 10}, "total_tokens": INPUT + OUTPUT},
    })
}
