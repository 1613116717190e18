//! Collects what an answer says while a reader goes through it, within bounds, and makes a `Reading` of it. A
//! problem with one call is a problem of the whole answer: nothing of it is run.

use serde_json::Value;
use surehand_types::reply::{SafetyCheck, cut};

use super::knowledge::Tokens;
use super::provider::{Asked, Reading};
use super::spoken::{Gesture, Spoken};

/// More than this is no plan any more, and nobody looks at the screen in between.
pub(crate) const MOST_GESTURES: usize = 64;
/// Ids that are answered; each costs a part of the next request.
const MOST_ASKED: usize = 128;
/// Longest words, hidden or not, in characters.
const LONGEST_WORDS: usize = 20_000;
/// Longest text of a safety check.
const LONGEST_CHECK: usize = 2000;
const MOST_CHECKS: usize = 16;
const MOST_REPAIRS: usize = 16;
/// Longest name that is quoted back to the model.
const LONGEST_NAME: usize = 40;

#[derive(Debug, Default)]
pub(crate) struct Heard {
    spoken: Spoken,
    asked: Vec<Asked>,
    problem: Option<String>,
    thought: Words,
    reasoning: Words,
}

/// Pieces of text, up to a length.
#[derive(Debug, Default)]
struct Words {
    text: String,
    left: Option<usize>,
}

impl Words {
    fn add(&mut self, piece: &str) {
        let piece = piece.trim();
        let left = self.left.unwrap_or(LONGEST_WORDS);
        if piece.is_empty() || left == 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let before = self.text.len();
        self.text.extend(piece.chars().take(left));
        self.left = Some(left.saturating_sub(self.text[before..].chars().count() + 1));
    }

    fn all(self) -> Option<String> {
        (!self.text.is_empty()).then_some(self.text)
    }
}

impl Heard {
    pub(crate) fn thought(&mut self, text: &str) {
        self.thought.add(text);
    }

    pub(crate) fn reasoning(&mut self, text: &str) {
        self.reasoning.add(text);
    }

    /// A call that has to be answered in the next request.
    pub(crate) fn asked(&mut self, id: &str, name: &str) {
        if !id.is_empty() && self.asked.len() < MOST_ASKED {
            let name = if name.is_empty() { "unnamed" } else { name };
            self.asked.push(Asked { id: id.to_string(), name: shown(name) });
        }
    }

    pub(crate) fn gesture(&mut self, id: &str, call: Value) {
        if self.spoken.gestures.len() >= MOST_GESTURES {
            self.repair(&format!("only the first {MOST_GESTURES} actions were kept"));
            return;
        }
        let gesture = Gesture::of(call);
        self.spoken.gestures.push(if id.is_empty() { gesture } else { gesture.answering(id) });
    }

    pub(crate) fn safety(&mut self, check: SafetyCheck) {
        if self.spoken.safety.len() < MOST_CHECKS {
            let mut check = check;
            cut(&mut check.code, LONGEST_CHECK);
            cut(&mut check.message, LONGEST_CHECK);
            self.spoken.safety.push(check);
        }
    }

    pub(crate) fn repair(&mut self, phrase: &str) {
        let repairs = &mut self.spoken.repairs;
        if repairs.len() < MOST_REPAIRS && repairs.iter().all(|earlier| earlier != phrase) {
            repairs.push(phrase.to_string());
        }
    }

    /// The first one counts: later ones tend to follow from it.
    pub(crate) fn problem(&mut self, sentence: impl Into<String>) {
        self.problem.get_or_insert_with(|| sentence.into());
    }

    /// Whether the answer calls anything.
    pub(crate) fn calls(&self) -> bool {
        !self.asked.is_empty() || !self.spoken.gestures.is_empty() || self.problem.is_some()
    }

    pub(crate) fn has_words(&self) -> bool {
        !self.thought.text.is_empty()
    }

    pub(crate) fn into_reading(mut self, replay: Value, tokens: Tokens) -> Reading {
        if !self.calls() {
            self.problem(
                "the answer has no call; call the tool done when the task is achieved or out of reach, \
                 ask_user to ask the person, or take the next action on the screen",
            );
        }
        if self.problem.is_none() && self.spoken.gestures.is_empty() {
            self.problem("the answer calls for nothing that can be done; take the next action on the screen");
        }
        if self.problem.is_some() {
            self.spoken.gestures.clear();
            // What is not run needs nobody's consent.
            self.spoken.safety.clear();
        }
        self.spoken.thought = self.thought.all();
        self.spoken.reasoning = self.reasoning.all();
        Reading { spoken: self.spoken, replay, tokens, problem: self.problem, asked: self.asked }
    }
}

/// A name as it is quoted.
pub(crate) fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_NAME).collect()
}

/// The sentence about a name that nobody knows.
pub(crate) fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    format!("{:?} is no {kind}; known are {}; nothing of the answer was run", shown(name), known.join(", "))
}

/// A count of an API's usage report.
pub(crate) fn count(usage: &Value, path: &str) -> u64 {
    usage.pointer(path).and_then(Value::as_u64).unwrap_or_default()
}

/// Words of a server or a model that end up in an error.
pub(crate) fn quoted(text: &str) -> String {
    let mut text: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    cut(&mut text, 300);
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_actions_and_ids_are_bounded() {
        let mut heard = Heard::default();
        for index in 0..1000 {
            heard.thought(&"ä".repeat(1000));
            heard.gesture("a", json!({"tool": "look"}));
            heard.asked(&format!("id{index}"), &"n".repeat(500));
            heard.repair(&format!("repair {index}"));
        }
        let reading = heard.into_reading(Value::Null, Tokens::default());
        assert!(reading.spoken.thought.unwrap().chars().count() <= LONGEST_WORDS);
        assert_eq!((reading.spoken.gestures.len(), reading.asked.len()), (MOST_GESTURES, MOST_ASKED));
        assert_eq!(reading.asked[0].name.len(), LONGEST_NAME);
        assert_eq!(reading.spoken.repairs.len(), MOST_REPAIRS);
    }

    #[test]
    fn a_problem_leaves_nothing_to_do() {
        let mut heard = Heard::default();
        heard.gesture("a", json!({"tool": "look"}));
        heard.asked("a", "computer");
        heard.problem("first");
        heard.problem("second");
        let reading = heard.into_reading(Value::Null, Tokens::default());
        assert!(reading.spoken.gestures.is_empty());
        assert_eq!((reading.problem.as_deref(), reading.asked.len()), (Some("first"), 1));
        let silent = Heard::default().into_reading(Value::Null, Tokens::default());
        assert!(silent.problem.unwrap().contains("no call"));
    }
}
