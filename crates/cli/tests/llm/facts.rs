//! What the server itself does, without Surehand: the adapters are written for this, and a newer server that does
//! otherwise should be noticed here and not in the other tests.

use serde_json::{Value, json};

use crate::server::{ModelServer, question};

#[test]
fn it_says_503_while_loading_and_answers_afterwards() {
    let server = ModelServer::loading();
    let (status, body) = server.ask(&question("Say hello.", &json!({})));
    assert_eq!((status, body.contains("Loading model")), (503, true), "{body}");
    server.finish_loading();
    assert_eq!(server.ask(&question("Say hello.", &json!({"max_tokens": 3}))).0, 200);
}

#[test]
fn it_keeps_to_a_schema_ignores_the_choice_of_a_tool_and_has_no_eyes() {
    let server = ModelServer::ready();
    let schema = json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"],
                        "additionalProperties": false});
    let format = json!({"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": schema}});
    let (status, body) = server.ask(&question("Where is the button?", &json!({"response_format": format})));
    let said: Value = serde_json::from_str(&content(&body)).unwrap_or_default();
    assert!(status == 200 && said["x"].is_i64(), "{body}");

    let tool = json!({"type": "function", "function": {"name": "mouse", "parameters": schema}});
    for choice in [json!("required"), json!({"type": "function", "function": {"name": "mouse"}})] {
        let (status, body) =
            server.ask(&question("Click the button.", &json!({"tools": [tool], "tool_choice": choice})));
        assert!(status == 200 && !body.contains("tool_calls"), "{body}");
    }

    let picture = json!([{"type": "text", "text": "What is this?"},
                         {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]);
    let (status, body) = server.ask(&json!({"messages": [{"role": "user", "content": picture}]}));
    assert!(status == 500 && body.contains("image input is not supported"), "{status} {body}");

    let (status, body) = server.ask(&question(&"word ".repeat(10_000), &json!({})));
    assert!(status == 400 && body.contains("exceed_context_size_error"), "{status} {body}");
}

#[test]
fn a_stream_ends_with_its_mark() {
    let server = ModelServer::ready();
    let (status, body) = server.ask(&question("Say hello.", &json!({"stream": true, "max_tokens": 4})));
    assert_eq!(status, 200);
    assert!(body.contains("chat.completion.chunk") && body.contains("data: [DONE]"), "{body}");
}

fn content(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    body["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_string()
}
