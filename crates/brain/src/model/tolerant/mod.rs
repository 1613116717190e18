//! Reading what models write when they do not write what they were asked for: JSON with a slip in it, calls in
//! prose, a little Python. Nothing here runs anything, everything is bounded, and what was forgiven is written
//! down. The dialects of the chat adapter are made of these parts.

mod calls;
mod fences;
mod find;
mod json;
mod point;
mod python;
mod python_text;
mod refusal;
mod tags;
mod think;

pub(crate) use calls::{Written, WrittenCall, arguments, written_calls};
pub(crate) use fences::code_blocks;
pub(crate) use point::{corners, point};
pub(crate) use python::{Literal, PyCall, call_at, statements};
pub(crate) use refusal::is_refusal;
pub(crate) use tags::without_special_tokens;
pub(crate) use think::{Parted, part};

/// Most calls that are taken from one answer.
pub(crate) const MOST_CALLS: usize = 64;
/// The phrase about brackets that were missing at the end of a text.
pub(crate) const LEFT_OPEN: &str = "closed what was left open";
/// How deep values may be nested.
const DEEPEST: usize = 48;

/// What was forgiven, each thing once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Repairs(Vec<&'static str>);

impl Repairs {
    pub(crate) fn note(&mut self, what: &'static str) {
        if !self.0.contains(&what) {
            self.0.push(what);
        }
    }

    pub(crate) fn take_over(&mut self, other: Repairs) {
        other.0.into_iter().for_each(|what| self.note(what));
    }

    pub(crate) fn has(&self, what: &str) -> bool {
        self.0.contains(&what)
    }

    pub(crate) fn into_phrases(self) -> Vec<String> {
        self.0.into_iter().map(str::to_string).collect()
    }
}

/// The plain form of a sign that Chinese and Japanese keyboards write wide.
fn plain(sign: char) -> char {
    match sign {
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
        '、' => ',',
        other => other,
    }
}

/// Whether this opens a quoted text, and what may close it.
fn closing_quotes(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '“' | '”' | '„' | '＂' => Some(&['”', '“', '＂', '"']),
        '‘' | '’' | '＇' => Some(&['’', '‘', '＇', '\'']),
        '「' => Some(&['」']),
        _ => None,
    }
}

/// Cuts a text to so many characters.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod properties;
