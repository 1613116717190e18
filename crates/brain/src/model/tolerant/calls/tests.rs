//! One call in every wrapping, half a call, words around calls.

use super::*;
use serde_json::json;

fn read(text: &str) -> Written {
    written_calls(text, false, &mut Repairs::default())
}

fn check(text: &str, expected: &[(&str, Value)]) {
    let calls: Vec<(String, Value)> =
        read(text).calls.into_iter().map(|call| (call.name, Value::Object(call.fields))).collect();
    let expected: Vec<(String, Value)> =
        expected.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    assert_eq!(calls, expected, "{text}");
}

#[test]
fn one_call_in_every_wrapping() {
    let click = ("computer_use", json!({"action": "left_click", "coordinate": [1, 2]}));
    for text in [
        r#"<tool_call>{"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}}</tool_call>"#,
        r#"<tool_call>{"name":"computer_use","arguments":"{\"action\":\"left_click\",\"coordinate\":[1,2]}"}"#,
        "I click.\n```json\n{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\",\"coordinate\":[1,2]}}\n```\nDone.",
        r#"好的，我点击 {"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}} 。"#,
        r#"Action: computer_use({"action":"left_click","coordinate":[1,2]})"#,
        "Thought: x\nAction: computer_use\nAction Input: {\"action\":\"left_click\",\"coordinate\":[1,2]}",
        r#"{"type":"function","function":{"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}}}"#,
        r#"{"thought":"x","tool_call":{"tool_name":"computer_use","action":"left_click","coordinate":[1,2]}}"#,
        r#"[{"name":"computer_use","parameters":{"action":"left_click","coordinate":[1,2]}}]"#,
        r#"{"computer_use":{"action":"left_click","coordinate":[1,2]}}"#,
        r#"{{"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}}}"#,
        r#"<tool_call>{"name":"computer_use","arguments":{"action":"left_click","coordinate":[1,2]}"#,
    ] {
        check(text, std::slice::from_ref(&click));
    }
}

#[test]
fn words_around_are_kept() {
    let written = read(
        "Predicted: url_changed\n{\"note\":\"n\",\"thought\":\"t\",\"expected\":[\"title_changed\"],\"calls\":[{\"tool\":\"wait\"},{\"tool\":\"done\"}]}",
    );
    assert_eq!(written.thought.as_deref(), Some("t"));
    assert_eq!((written.note.as_deref(), written.expected), (Some("n"), vec!["title_changed".to_string()]));
    assert_eq!((written.calls.len(), written.prose.as_str()), (2, "Predicted: url_changed"));
    let beside = read("go {\"expected\":[\"modal_opens\"]} <tool_call>{\"name\":\"a\",\"arguments\":{}}</tool_call>");
    assert_eq!((beside.calls.len(), beside.expected.len()), (1, 1));
}

#[test]
fn half_a_call_is_no_call() {
    for text in [
        r#"{"tool":"mouse","action":"click","coordinate":[51"#,
        r#"<tool_call>{"name":"computer_use","arguments":{"action":"type","text":"hel"#,
        r#"{"thought":"t","calls":[{"tool":"mou"#,
    ] {
        let written = read(text);
        assert!(written.calls.is_empty() && written.cut, "{text}: {written:?}");
    }
    let prefix = read(r#"{"calls":[{"tool":"wait","seconds":1},{"tool":"mouse","coordi"#);
    assert_eq!((prefix.calls.len(), prefix.cut), (1, true));
    let unclosed = r#"{"tool":"mouse","action":"click","coordinate":[5,6]"#;
    assert_eq!(read(unclosed).calls.len(), 1);
    assert!(written_calls(unclosed, true, &mut Repairs::default()).calls.is_empty());
}

#[test]
fn of_two_replies_the_last_counts() {
    let text = r#"Draft: {"calls":[{"tool":"wait"}]} better: {"calls":[{"tool":"zoom"}]}"#;
    check(text, &[("zoom", json!({}))]);
}
