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
