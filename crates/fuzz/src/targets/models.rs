//! What models answer: response bodies of every API, the words of every dialect, streams.

use proptest::strategy::BoxedStrategy;
use serde_json::json;
use surehand_brain::fuzzing;

use crate::generate::{mutated_json, mutated_text};
use crate::{Target, holds};

pub(super) const MODEL_REPLIES: Target =
    Target { name: "model_replies", cases: 200, input: replies, check: check_reply };
pub(super) const MODEL_WORDS: Target = Target { name: "model_words", cases: 200, input: words, check: check_words };
pub(super) const MODEL_STREAMS: Target =
    Target { name: "model_streams", cases: 100, input: streams, check: check_stream };

fn replies() -> BoxedStrategy<Vec<u8>> {
    mutated_json(vec![
        json!({"type": "message", "role": "assistant", "stop_reason": "tool_use",
            "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Predicted: url_changed"},
                {"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": "left_click", "coordinate": [10, 20], "text": "ctrl"}},
                {"type": "tool_use", "id": "t2", "name": "computer", "input": {"action": "scroll", "coordinate": [10, 20], "scroll_direction": "down", "scroll_amount": 3}}],
            "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 3}}),
        json!({"id": "r", "status": "completed", "output": [{"type": "reasoning", "id": "rs", "summary": []},
            {"type": "computer_call", "id": "c", "call_id": "call_1", "status": "completed",
                "pending_safety_checks": [{"id": "sc", "code": "malicious_instructions", "message": "m"}],
                "actions": [{"type": "click", "x": 1, "y": 2, "button": "left"}, {"type": "keypress", "keys": ["CTRL", "A"]},
                    {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}]}],
            "usage": {"input_tokens": 1, "output_tokens": 1}}),
        json!({"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [{"text": "I click."},
            {"functionCall": {"name": "click_at", "args": {"x": 500, "y": 500, "safety_decision": {"decision": "require_confirmation", "explanation": "e"}}}},
            {"functionCall": {"name": "type", "args": {"text": "x", "press_enter": true}}}]}}], "usageMetadata": {"promptTokenCount": 5}}),
        json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "mouse", "arguments": "{\"action\":\"click\",\"coordinate\":[5,6]}"}}]}}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
    ])
}

fn check_reply(input: &[u8]) -> Result<(), String> {
    let Ok(body) = serde_json::from_slice(input) else { return Ok(()) };
    bounded(&fuzzing::model_reply(&body))
}

fn words() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\",\"coordinate\":[500,300]}}</tool_call>",
        "Thought: I see it.\nAction: click(start_box='(100,200)')",
        "Thought: x\nAction: drag(start_point='<point>1 2</point>', end_point='<point>3 4</point>')",
        "<seed:tool_call><function=click><parameter=point><point>10 20</point></parameter></function></seed:tool_call>",
        "## Thought\nt\n## Action\na\n## Code\n```python\npyautogui.write('it\\'s \"nasty\"\\n', interval=0.1)\npyautogui.hotkey('ctrl', 's')\n```",
        "{\"note\":null,\"thought\":\"t\",\"tool_call\":{\"tool_name\":\"click\",\"element\":\"e\",\"x\":5,\"y\":6}}",
        "```json\n{\"thought\":\"t\",\"expected\":[\"url_changed\"],\"calls\":[{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[1,2]}]}\n```",
        "DONE",
    ])
}

fn check_words(input: &[u8]) -> Result<(), String> {
    bounded(&fuzzing::model_words(&String::from_utf8_lossy(input)))
}

fn streams() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "{\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n{\"choices\":[{\"delta\":{\"content\":\"DO\"}}]}\n{\"choices\":[{\"delta\":{\"content\":\"NE\"},\"finish_reason\":\"stop\"}]}\n{\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n[DONE]",
        "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"mouse\",\"arguments\":\"{\"}}]}}]}\n[DONE]",
    ])
}

fn check_stream(input: &[u8]) -> Result<(), String> {
    let _ = fuzzing::model_stream(&String::from_utf8_lossy(input));
    Ok(())
}

/// Sentences go back to a model and into the record: short, and one line.
fn bounded(sentences: &[String]) -> Result<(), String> {
    for sentence in sentences {
        holds(!sentence.is_empty() && sentence.chars().count() <= 1200, || {
            format!("a sentence of {} bytes", sentence.len())
        })?;
    }
    Ok(())
}
