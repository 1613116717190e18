//! The chat adapter as the brain uses it: bodies in, gestures or a sentence out, and whole requests.

mod good;
mod nasty;
mod properties;
mod requests;
mod servers;
mod streams;

use serde_json::{Value, json};

use super::super::knowledge::{Dialect, chat_facts};
use super::super::provider::Provider;
use super::super::vendor_tests;
use super::{ChatOptions, ChatProvider};
use crate::prompt::{PromptContext, Variant};

fn provider_with(dialect: Dialect, variant: Variant, options: ChatOptions) -> ChatProvider {
    let model = match dialect {
        Dialect::Native => "some-model",
        Dialect::Qwen3Vl => "Qwen/Qwen3-VL-8B-Instruct",
        Dialect::Qwen25Vl => "Qwen2.5-VL-7B",
        Dialect::UiTars => "UI-TARS-1.5-7B",
        Dialect::UiTars2 => "ui-tars-2",
        Dialect::OpenCua => "OpenCUA-7B",
        Dialect::Holo3 => "Holo3-35B",
        Dialect::Fara => "Fara-7B",
    };
    ChatProvider::new(model, dialect, chat_facts(model, dialect), PromptContext::default(), variant, options)
}

fn provider(dialect: Dialect) -> ChatProvider {
    provider_with(dialect, Variant::Small, ChatOptions::default())
}

fn said(text: &str) -> Value {
    finished(text, "stop")
}

fn finished(text: &str, reason: &str) -> Value {
    json!({
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60}},
    })
}

/// A body with tool calls: name and arguments.
fn called(text: Value, calls: &[(&str, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            json!({"id": format!("c{index}"), "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    json!({"choices": [{"message": {"role": "assistant", "content": text, "tool_calls": calls}, "finish_reason": "tool_calls"}]})
}

#[track_caller]
fn gestures(dialect: Dialect, text: &str) -> Vec<Value> {
    let reading = provider(dialect).read(&said(text)).unwrap();
    assert_eq!(reading.problem, None, "{}: {text}", dialect.name());
    reading.spoken.gestures.into_iter().map(|gesture| Value::Object(gesture.call)).collect()
}

#[track_caller]
fn problem(dialect: Dialect, text: &str) -> String {
    let reading = provider(dialect).read(&said(text)).unwrap();
    assert!(reading.spoken.gestures.is_empty(), "{}: {text}: {:?}", dialect.name(), reading.spoken);
    let problem = reading.problem.unwrap();
    assert!(!problem.contains('\n') && problem.len() < 1000, "{problem}");
    problem
}

fn click(x: i64, y: i64) -> Value {
    json!({"tool": "mouse", "action": "click", "coordinate": [x, y]})
}

fn typed(text: &str) -> Value {
    json!({"tool": "keyboard", "action": "type", "text": text})
}
