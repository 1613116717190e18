//! A door for the fuzzing of what programs write to us; nothing else uses it.

use crate::wire::{read_hello, read_opinion, read_reply};

/// Reads a line as everything that it could be. Returns the sentences about what is wrong with it.
pub fn exec_line(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(Err(sentence)) = read_hello(text) {
        sentences.push(sentence);
    }
    if let Err(problem) = read_reply(text) {
        sentences.push(problem.0);
    }
    let _ = read_opinion(text);
    sentences
}

/// Reads a response body as every model API and every dialect would, the whole way to native calls. Returns the
/// sentences about what is wrong with it.
pub fn model_reply(body: &serde_json::Value) -> Vec<String> {
    crate::model::read_as_all(body)
}

/// The same for the words of a chat model.
pub fn model_words(text: &str) -> Vec<String> {
    let body =
        serde_json::json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]});
    crate::model::read_as_all(&body)
}

/// The data lines of a chat server's stream.
pub fn model_stream(text: &str) -> bool {
    let events: Vec<String> = text.lines().map(str::to_string).collect();
    crate::model::assembles(&events)
}
