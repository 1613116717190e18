//! A claimed success put to the model once more, in a question of its own: only the task, the claim and the last
//! picture, nothing of the conversation that led there.

use serde_json::Value;
use surehand_types::ThreeValued;

use super::provider::{Picture, Question};
use super::words::Fence;
use crate::brain::DoneOpinion;

const SYSTEM: &str = include_str!("opinion.md");

pub(crate) fn question(task: &str, summary: &str, picture: Picture, fence: &Fence) -> Question {
    let text = format!(
        "Task: {task}\n\n{}\nThe claim:\n{}\n\nDoes the picture bear the claim out? Answer with the JSON object alone.",
        fence.rule(),
        fence.around(summary)
    );
    Question { system: SYSTEM.to_string(), text, pictures: vec![("The screen now:".into(), picture)] }
}

/// Anything but a clear answer is no answer.
pub(crate) fn read(text: &str) -> DoneOpinion {
    let raw = Some(text.chars().take(4000).collect());
    let Some(object) = last_object(text) else {
        return DoneOpinion { raw, ..unknown("the verifier's answer is not understood") };
    };
    let reason: String = object.get("reason").and_then(Value::as_str).unwrap_or_default().chars().take(500).collect();
    let valid = match object.get("valid") {
        Some(Value::Bool(true)) => ThreeValued::yes(reason),
        Some(Value::Bool(false)) => ThreeValued::no(reason),
        _ => ThreeValued::not_measured("the verifier did not say whether the claim is valid"),
    };
    DoneOpinion { valid, raw }
}

pub(crate) fn unknown(why: &str) -> DoneOpinion {
    DoneOpinion { valid: ThreeValued::not_measured(why), raw: None }
}

/// The last JSON object with `valid` in it; models like to think aloud first.
fn last_object(text: &str) -> Option<Value> {
    let starts = text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at);
    // A long answer full of braces must not cost its length squared.
    let starts: Vec<usize> = starts.collect();
    starts.into_iter().rev().take(50).find_map(|start| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        values.next()?.ok().filter(|value| value.get("valid").is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_answer_counts() {
        let says = |text: &str| read(text).valid;
        assert_eq!(says(r#"{"valid": true, "reason": "it is there"}"#), ThreeValued::yes("it is there"));
        assert_eq!(
            says("Hm {x}.\n```json\n{\"valid\": false, \"reason\": \"cart is empty\"}\n```"),
            ThreeValued::no("cart is empty")
        );
        for unclear in ["", "yes", r#"{"valid": "true"}"#, r#"{"valid": tru"#, "{{{{"] {
            assert!(matches!(says(unclear), ThreeValued::NotMeasured { .. }), "{unclear}");
        }
    }
}
