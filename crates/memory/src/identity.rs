//! What makes two lessons the same: the rule in plain words and what triggers it.

use serde::{Deserialize, Serialize};

use crate::fingerprint::hex_of;
use crate::words::collapsed;

/// Characters of a rule. Longer ones are cut: a hint that needs more is no hint.
pub const RULE_LENGTH: usize = 420;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LessonId(pub String);

impl LessonId {
    /// Follows from the rule and its triggers, so that the same lesson of two runs has one id.
    pub fn of(rule: &str, triggers: &[String]) -> LessonId {
        let text = format!("{}|{}", normalised_rule(rule), sorted_unique(triggers).join(","));
        LessonId(format!("lsn_{}", hex_of(&text, 20)))
    }
}

impl std::fmt::Display for LessonId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub fn normalised_rule(rule: &str) -> String {
    let plain: String = rule
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_ascii_lowercase() || letter.is_ascii_digit() { letter } else { ' ' })
        .collect();
    collapsed(&plain)
}

/// The rule as it is kept.
pub fn rule_text(rule: &str) -> String {
    collapsed(rule).chars().take(RULE_LENGTH).collect()
}

/// In order, each once, none empty.
pub fn sorted_unique(items: &[String]) -> Vec<String> {
    let mut items: Vec<String> =
        items.iter().map(|item| item.trim().to_string()).filter(|item| !item.is_empty()).collect();
    items.sort_unstable();
    items.dedup();
    items
}
