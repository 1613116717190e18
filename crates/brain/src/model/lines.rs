//! A turn in one line, for when the turn itself is no longer shown. It says what the model did and how that came
//! out, in words that no page can choose.

use serde_json::{Map, Value};
use surehand_types::EffectStatus;
use surehand_types::reply::{CallRequest, CallResult};

const THOUGHT: usize = 100;
const TYPED: usize = 40;

pub(crate) fn about(step: u32, thought: Option<&str>, calls: &[CallRequest]) -> String {
    let said: Vec<String> = calls.iter().take(6).map(|call| in_words(&call.given)).collect();
    let thought = thought.and_then(|thought| thought.lines().find(|line| !line.trim().is_empty())).unwrap_or_default();
    let thought: String = thought.trim().chars().take(THOUGHT).collect();
    let thought = if thought.is_empty() { String::new() } else { format!(" ({thought})") };
    format!("Step {step}: {}{thought}", said.join(", "))
}

/// How the calls of a turn came out, in the runtime's own words.
pub(crate) fn outcome(results: &[CallResult]) -> String {
    let Some(last) = results.iter().rev().find(|result| result.ran) else {
        return if results.is_empty() { String::new() } else { ": not run".into() };
    };
    let effect = last.effect.as_ref().map(|effect| effect.status);
    let words = match (last.ok, effect) {
        (false, _) => "failed",
        (true, Some(EffectStatus::NoEffect)) => "no effect",
        (true, Some(EffectStatus::Refused)) => "held back",
        (true, _) => "done",
    };
    format!(": {words}")
}

fn in_words(call: &Map<String, Value>) -> String {
    let text =
        |name: &str| call.get(name).and_then(Value::as_str).map(|text| text.chars().take(TYPED).collect::<String>());
    let tool = text("tool").unwrap_or_default();
    let action = text("action").or_else(|| text("dialog_action")).unwrap_or_default();
    let detail = ["text", "key", "url", "direction", "question", "summary"]
        .into_iter()
        .find_map(text)
        .map(|text| format!(" {text:?}"))
        .or_else(|| call.get("values").or_else(|| call.get("paths")).map(|list| format!(" {}", short(list))))
        .unwrap_or_default();
    match (tool.as_str(), action.as_str()) {
        ("mouse" | "keyboard", action) => format!("{action}{detail}"),
        (tool, "") => format!("{tool}{detail}"),
        (tool, action) => format!("{tool} {action}{detail}"),
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_says_what_was_done_and_how_it_came_out() {
        let call = |value: Value| CallRequest::parse(&value).unwrap();
        let calls = [
            call(json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]})),
            call(json!({"tool": "keyboard", "action": "type", "text": "hello"})),
        ];
        assert_eq!(about(3, Some("\nfill it in\nmore"), &calls), "Step 3: click, type \"hello\" (fill it in)");
        let result = |ran, ok| CallResult {
            index: 0,
            ran,
            ok,
            effect: None,
            message: "page words".into(),
            predicates: Vec::new(),
        };
        assert_eq!(outcome(&[result(true, true), result(false, false)]), ": done");
        assert_eq!(outcome(&[result(true, false)]), ": failed");
        assert_eq!(outcome(&[result(false, false)]), ": not run");
        assert_eq!(outcome(&[]), "");
    }
}
