//! Streams as servers really send them, put together and read.

use super::super::stream::assemble;
use super::*;

fn body(events: &[Value]) -> Result<Value, String> {
    let events: Vec<String> =
        events.iter().map(|event| event.as_str().map_or_else(|| event.to_string(), str::to_string)).collect();
    assemble(events.iter().map(String::as_str))
}

fn delta(delta: Value) -> Value {
    json!({"id": "x", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn usage() -> Value {
    json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}})
}

#[test]
fn text_and_reasoning_in_pieces() {
    let whole = body(&[
        delta(json!({"role": "assistant", "content": null})),
        delta(json!({"reasoning_content": "be"})),
        delta(json!({"reasoning_content": "cause"})),
        delta(json!({"content": "{\"tool\":"})),
        delta(json!({"content": "\"wait\"}"})),
        end("stop"),
        usage(),
        json!("[DONE]"),
    ])
    .unwrap();
    let reading = provider(Dialect::Native).read(&whole).unwrap();
    assert_eq!((reading.problem, reading.spoken.gestures.len(), reading.tokens.input), (None, 1, 9));
    assert_eq!(reading.spoken.reasoning.as_deref(), Some("because"));
}

#[test]
fn tool_calls_in_pieces() {
    let by_index = [
        delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "mouse", "arguments": ""}}]}),
        ),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"action\":\"click\","}}]})),
        delta(json!({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "wait", "arguments": "{}"}}]})),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"coordinate\":[1,2]}"}}]})),
        end("tool_calls"),
        json!("[DONE]"),
    ];
    let without_index = [
        delta(
            json!({"tool_calls": [{"id": "a", "function": {"name": "mouse", "arguments": {"action": "click", "coordinate": [1, 2]}}}]}),
        ),
        delta(json!({"tool_calls": [{"id": "b", "function": {"name": "wait", "arguments": "{}"}}]})),
        end("tool_calls"),
    ];
    for events in [&by_index[..], &without_index[..]] {
        let reading = provider(Dialect::Native).read(&body(events).unwrap()).unwrap();
        assert_eq!(Value::Object(reading.spoken.gestures[0].call.clone()), click(1, 2));
        assert_eq!(reading.asked.iter().map(|asked| asked.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }
}

#[test]
fn a_stream_that_breaks_off_is_no_answer() {
    assert!(body(&[delta(json!({"content": "{\"tool\":\"wait\"}"}))]).unwrap_err().contains("broke off"));
    assert!(body(&[json!("{\"choices\":[{\"del")]).unwrap_err().contains("broke off"));
    assert!(body(&[]).is_err());
    let error =
        body(&[delta(json!({"content": "a"})), json!({"error": {"message": "overloaded", "code": 529}})]).unwrap();
    assert!(provider(Dialect::Native).read(&error).is_err());
    assert_eq!(body(&[json!("[DONE]")]).unwrap()["choices"], json!([]));
}

#[test]
fn what_is_asked_of_a_stream() {
    let streaming =
        provider_with(Dialect::Native, Variant::Small, ChatOptions { stream: true, ..ChatOptions::default() });
    let request = streaming.question(&vendor_tests::question());
    assert_eq!(
        (&request.body["stream"], &request.body["stream_options"]),
        (&json!(true), &json!({"include_usage": true}))
    );
}
