//! Bodies that differ from server to server: errors with a good status, filters, parts, older shapes.

use super::super::super::provider::Unusable;
use super::*;

fn unusable(body: Value) -> Unusable {
    provider(Dialect::Native).read(&body).unwrap_err()
}

#[test]
fn what_is_no_answer() {
    assert!(matches!(unusable(json!({"choices": []})), Unusable::Again(_)));
    assert!(matches!(
        unusable(json!({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}})),
        Unusable::Again(_)
    ));
    assert!(matches!(unusable(json!({"error": {"message": "slow down", "code": "429"}})), Unusable::Again(_)));
    let Unusable::Foreign(sentence) = unusable(json!({"error": {"message": "model \"x\" not found"}})) else {
        panic!()
    };
    assert!(sentence.contains("not found"));
    for body in [
        json!({}),
        json!([]),
        json!(null),
        json!({"message": {"content": "x"}, "done": true}),
        json!({"choices": 3}),
        json!("x"),
    ] {
        assert!(matches!(unusable(body.clone()), Unusable::Foreign(_)), "{body}");
    }
    let Unusable::Refused(sentence) = unusable(finished("half", "content_filter")) else { panic!() };
    assert!(sentence.contains("half"));
    assert!(matches!(unusable(json!({"choices": [{"message": {"refusal": "No."}}]})), Unusable::Refused(_)));
}

#[test]
fn words_in_every_place_they_are_put() {
    let click_text = "{\"tool\":\"wait\"}";
    for body in [
        json!({"choices": [{"message": {"content": [{"type": "text", "text": click_text}]}}]}),
        json!({"choices": [{"text": click_text}]}),
        json!({"choices": [{"message": {"content": click_text, "tool_calls": []}}]}),
        json!({"choices": [{"message": {"content": click_text, "tool_calls": null, "function_call": null}}], "error": null}),
        json!({"choices": [{"message": {"content": null, "function_call": {"name": "wait", "arguments": "{}"}}}]}),
    ] {
        let reading = provider(Dialect::Native).read(&body).unwrap();
        assert_eq!((reading.problem, reading.spoken.gestures.len()), (None, 1), "{body}");
    }
    for field in ["reasoning_content", "reasoning"] {
        let body = json!({"choices": [{"message": {"content": click_text, field: "because"}}]});
        let reading = provider(Dialect::Native).read(&body).unwrap();
        assert_eq!(reading.spoken.reasoning.as_deref(), Some("because"));
        assert!(!reading.replay.to_string().contains("because"));
    }
}

#[test]
fn an_answer_that_was_taken_for_reasoning() {
    let text = "I see a button. {\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}";
    let body = |content: &str, reasoning: &str| json!({"choices": [{"message": {"content": content, "reasoning_content": reasoning}}]});
    let reading = provider(Dialect::Native).read(&body("", text)).unwrap();
    assert_eq!(Value::Object(reading.spoken.gestures[0].call.clone()), click(5, 6));
    assert!(
        reading.spoken.thought.is_none() && reading.spoken.repairs.iter().any(|repair| repair.contains("reasoning"))
    );
    // A draft that the model went on from is none.
    assert!(provider(Dialect::Native).read(&body("", &format!("{text} no, better not"))).unwrap().problem.is_some());
    assert!(provider(Dialect::Native).read(&body("I wait.", text)).unwrap().problem.is_some());
}

#[test]
fn tool_calls_in_a_dialect_of_text_go_back_as_text() {
    let body = called(json!("I click."), &[("computer_use", json!({"action": "left_click", "coordinate": [1, 2]}))]);
    let reading = provider(Dialect::Qwen3Vl).read(&body).unwrap();
    assert_eq!(Value::Object(reading.spoken.gestures[0].call.clone()), click(1, 2));
    assert_eq!((reading.asked.len(), reading.spoken.gestures[0].id.clone()), (0, None));
    assert!(reading.replay["content"].as_str().unwrap().contains("<tool_call>"));
    assert!(reading.replay.get("tool_calls").is_none());
}

#[test]
fn answers_to_questions() {
    let provider = provider(Dialect::Qwen3Vl);
    let (text, tokens) = provider.read_answer(&said("<think>hm</think> {\"valid\":true} ")).unwrap();
    assert_eq!((text.as_str(), tokens.output), ("{\"valid\":true}", 20));
    assert!(matches!(provider.read_answer(&said("")), Err(Unusable::Again(_))));
}
