//! What a lesson is filed under in the full-text table, and what a question asks for: origin, trust, fingerprints, tags
//! and words, each as one token of plain letters. So no text of a page ever reaches the query language.

use surehand_memory::{Lesson, Query, Status, filed_words};

/// Words of a question that are looked up; the longest, which say the most.
const WORDS: usize = 24;

pub(super) const TRUSTED: &str = "q_trusted";

/// A term of a question and how much of the final score it can bring.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) kind: Kind,
    pub(super) term: String,
    pub(super) weight: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Fingerprint,
    Tag,
    Word,
}

/// Empty for a lesson that may not be found at all.
pub(super) fn of_lesson(lesson: &Lesson) -> String {
    if !lesson.status.is_active() || lesson.origin.is_empty() {
        return String::new();
    }
    let mut terms = vec![origin(&lesson.origin)];
    if lesson.status == Status::Promoted || lesson.is_decided() {
        terms.push(TRUSTED.to_string());
    }
    terms.extend(lesson.triggers.iter().map(|trigger| token("f", trigger)));
    terms.extend(lesson.tags.iter().map(|tag| token("t", tag)));
    terms.extend(filed_words(lesson).iter().map(|word| token("w", word)));
    terms.join(" ")
}

pub(super) fn origin(origin: &str) -> String {
    token("o", &origin.to_lowercase())
}

pub(super) fn of_query(query: &Query) -> Vec<Asked> {
    let shares = |whole: f64, count: usize| whole / count.max(1) as f64;
    let mut words: Vec<&String> = query.words.iter().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(WORDS);
    let mut asked = Vec::new();
    let mut add = |kind: Kind, text: &str, weight: f64| {
        let prefix = match kind {
            Kind::Fingerprint => "f",
            Kind::Tag => "t",
            Kind::Word => "w",
        };
        asked.push(Asked { kind, term: token(prefix, text), weight });
    };
    // That of a thing tells more than that of a kind of failure, which half a site may share.
    for print in &query.fingerprints {
        add(Kind::Fingerprint, print, if print.starts_with("tg_") { 0.6 } else { 0.3 });
    }
    for tag in &query.tags {
        add(Kind::Tag, tag, shares(0.25, query.tags.len()));
    }
    for word in &words {
        add(Kind::Word, word, shares(0.4, words.len()));
    }
    asked
}

/// Letters and digits stay, everything else is written as its bytes, so that equal texts and only those are equal.
fn token(prefix: &str, text: &str) -> String {
    let mut token = format!("{prefix}_");
    for byte in text.bytes().take(200) {
        if byte.is_ascii_alphanumeric() {
            token.push(char::from(byte.to_ascii_lowercase()));
        } else {
            token.push_str(&format!("_{byte:02x}"));
        }
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_hold_nothing_of_the_query_language() {
        for text in ["\" OR 1", "a:b", "naïve", "保存", "NEAR(a b)", "", "x*"] {
            let token = token("w", text);
            assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{token}");
        }
        assert_ne!(token("w", "保存"), token("w", "保全"));
        assert_ne!(token("w", "a b"), token("w", "a_b"));
    }
}
