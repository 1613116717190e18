//! Secret values, their placeholders, and the one redaction layer that every writer of text passes
//! through. How a value is found again in other spellings is in `spellings`, `patterns` and `redactor`.

mod patterns;
mod redactor;
mod spellings;
mod vocabulary;

use std::fmt;

pub use redactor::Redactor;

/// Longest name of a secret.
pub const NAME_LIMIT: usize = 64;

/// A value that exists in clear only at the moment of typing. It cannot be serialised, and its
/// debug form shows the name alone.
#[derive(Clone)]
pub struct Secret {
    name: String,
    value: String,
}

impl Secret {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Secret { name: name.into(), value: value.into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The clear value. Callers are the typing code, the search for shown copies and the redactor,
    /// nobody else.
    pub fn expose(&self) -> &str {
        &self.value
    }

    /// What everybody but the keyboard sees.
    pub fn placeholder(&self) -> String {
        placeholder(&self.name)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({})", self.name)
    }
}

/// A part of a text that a brain wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    /// A placeholder, by the name in it.
    Secret(&'a str),
}

pub fn placeholder(name: &str) -> String {
    format!("{OPENING}{name}>")
}

/// Whether a secret may have this name: letters, digits, `_`, `-` and `.`, up to 64 of them.
pub fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !text.is_empty() && text.len() <= NAME_LIMIT && text.chars().all(fits)
}

/// The text with its placeholders apart. What only looks like one is text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut plain_from, mut at) = (0, 0);
    while let Some(found) = text[at..].find(OPENING) {
        let start = at + found;
        let inner = &text[start + OPENING.len()..];
        match inner.find('>').filter(|end| is_name(&inner[..*end])) {
            Some(end) => {
                if plain_from < start {
                    pieces.push(Piece::Text(&text[plain_from..start]));
                }
                pieces.push(Piece::Secret(&inner[..end]));
                at = start + OPENING.len() + end + 1;
                plain_from = at;
            }
            None => at = start + OPENING.len(),
        }
    }
    if plain_from < text.len() {
        pieces.push(Piece::Text(&text[plain_from..]));
    }
    pieces
}

/// The names of the secrets that a text asks for, in order.
pub fn names_in(text: &str) -> Vec<&str> {
    let name = |piece| match piece {
        Piece::Secret(name) => Some(name),
        Piece::Text(_) => None,
    };
    pieces(text).into_iter().filter_map(name).collect()
}

const OPENING: &str = "<secret:";

#[cfg(test)]
mod tests;
