//! Fingerprints of failures: the same failure at another place, in another file or with other numbers gets the
//! same one. What varies is replaced by a placeholder, what carries no meaning is dropped, the rest is hashed.

use sha2::{Digest, Sha256};

const STOP_WORDS: &[&str] =
    &["a", "an", "and", "at", "by", "for", "from", "in", "into", "of", "on", "the", "to", "with"];
/// Longer texts are cut before anything else: a page can be made to say very much.
const LONGEST: usize = 4_000;

/// A failure in three plain texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FailureText<'a> {
    pub error: &'a str,
    pub state: &'a str,
    pub action: &'a str,
}

impl FailureText<'_> {
    pub fn fingerprint(&self) -> String {
        let text = format!(
            "error={}|state={}|action={}",
            normalised(self.error),
            normalised(self.state),
            normalised(self.action)
        );
        // What is left of the texts is ASCII already; the rule is kept for readers in other languages.
        let ascii: String = text.chars().filter(char::is_ascii).collect();
        format!("ef_{}", hex_of(&ascii, 20))
    }
}

/// The fingerprint of one kind of action on one named thing at one place. It tells apart what the failure's own does
/// not, since that holds no names. Of one place: every site has a "Save", and what is wrong with it on one says
/// nothing about the others.
pub fn target_fingerprint(origin: &str, action_class: &str, target: &str) -> String {
    let text = format!("{}|{action_class}|{}", origin.to_lowercase(), target.to_lowercase());
    format!("{TARGET}{}", hex_of(&text, 20))
}

/// The key of a named thing, whatever is done to it.
pub fn thing_key(target: &str) -> String {
    format!("th_{}", hex_of(&target.to_lowercase(), 20))
}

/// Where and in which task something holds. As a trigger it keeps lessons of two places apart whose words are the same;
/// nothing is ever looked up by it.
pub fn place_key(origin: &str, task: &str) -> String {
    format!("pl_{}", hex_of(&format!("{}|{task}", origin.to_lowercase()), 20))
}

pub(crate) const TARGET: &str = "tg_";

/// The text as it is hashed.
pub fn normalised(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    for (find, placeholder) in PASSES {
        letters = replaced(&letters, *find, placeholder);
    }
    let plain: String = letters
        .into_iter()
        .map(|letter| if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '<' | '>') { letter } else { ' ' })
        .collect();
    let mut words: Vec<&str> = plain.split_whitespace().filter(|word| !STOP_WORDS.contains(word)).collect();
    words.dedup();
    words.join(" ")
}

pub(crate) fn hex_of(text: &str, digits: usize) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .take(digits)
        .collect()
}

/// How many letters from `start` on are of the kind; 0 for none.
type Find = fn(letters: &[char], start: usize) -> usize;

/// In this order: a number inside a path is part of the path.
const PASSES: &[(Find, &str)] =
    &[(uuid, "<uuid>"), (hex_number, "<hex>"), (quoted, "<str>"), (path, "<path>"), (number, "<num>")];

fn replaced(letters: &[char], find: Find, placeholder: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(letters.len());
    let mut at = 0;
    while at < letters.len() {
        match find(letters, at) {
            0 => {
                out.push(letters[at]);
                at += 1;
            }
            length => {
                out.extend(placeholder.chars());
                at += length;
            }
        }
    }
    out
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn starts_word(letters: &[char], at: usize) -> bool {
    at == 0 || !is_word(letters[at - 1])
}

fn ends_word(letters: &[char], end: usize) -> bool {
    letters.get(end).is_none_or(|next| !is_word(*next))
}

/// Versions 1 to 5, as RFC 4122 lays them out.
fn uuid(letters: &[char], start: usize) -> usize {
    const LENGTH: usize = 36;
    let Some(part) = letters.get(start..start + LENGTH) else { return 0 };
    let fits = part.iter().enumerate().all(|(index, letter)| match index {
        8 | 13 | 18 | 23 => *letter == '-',
        14 => matches!(letter, '1'..='5'),
        19 => matches!(letter, '8' | '9' | 'a' | 'b'),
        _ => letter.is_ascii_hexdigit(),
    });
    if fits && starts_word(letters, start) && ends_word(letters, start + LENGTH) { LENGTH } else { 0 }
}

fn hex_number(letters: &[char], start: usize) -> usize {
    if !letters[start..].starts_with(&['0', 'x']) || !starts_word(letters, start) {
        return 0;
    }
    let digits = letters[start + 2..].iter().take_while(|letter| letter.is_ascii_hexdigit()).count();
    if digits > 0 && ends_word(letters, start + 2 + digits) { digits + 2 } else { 0 }
}

fn quoted(letters: &[char], start: usize) -> usize {
    let quote = letters[start];
    if !matches!(quote, '"' | '\'' | '`') {
        return 0;
    }
    letters[start + 1..].iter().position(|letter| *letter == quote).map_or(0, |inside| inside + 2)
}

/// `c:\…`, `~…`, `/…`, up to the next space.
fn path(letters: &[char], start: usize) -> usize {
    let head = match letters[start] {
        '/' | '~' => 1,
        drive if drive.is_ascii_alphabetic() && letters[start + 1..].starts_with(&[':', '\\']) => 3,
        _ => return 0,
    };
    let tail = letters[start + head..].iter().take_while(|letter| !letter.is_whitespace()).count();
    if tail == 0 { 0 } else { head + tail }
}

fn number(letters: &[char], start: usize) -> usize {
    if !starts_word(letters, start) {
        return 0;
    }
    let digits = |from: usize| letters[from..].iter().take_while(|letter| letter.is_ascii_digit()).count();
    let whole = digits(start);
    if whole == 0 {
        return 0;
    }
    let end = start + whole;
    if letters.get(end) == Some(&'.') {
        let fraction = digits(end + 1);
        if fraction > 0 && ends_word(letters, end + 1 + fraction) {
            return whole + 1 + fraction;
        }
    }
    if ends_word(letters, end) { whole } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_is_replaced() {
        for (text, expected) in [
            ("Click at (412, 88) had no effect", "click <num> had no effect"),
            ("a / b", "b"),
            ("see https://x.test/a?b=1 now", "see https <path> now"),
            ("step3 of v2 took 10ms or 1.5 s", "step3 v2 took 10ms or <num> s"),
            ("host 127.0.0.1 is down", "host <num> is down"),
            ("an \"unclosed quote", "unclosed quote"),
            ("`id` and 'name' and \"x y\"", "<str>"),
            ("0xZZ 0x 0x1f", "0xzz 0x <hex>"),
            ("Größe ändern", "gr e ndern"),
            ("00000000-0000-0000-0000-000000000000", "<num>"),
            ("d:\\ e:\\x", "d <path>"),
        ] {
            assert_eq!(normalised(text), expected, "{text}");
        }
    }

    #[test]
    fn very_long_texts_cost_little() {
        let long = "'".repeat(1_000_000);
        assert_eq!(normalised(&long), "<str>".repeat(2_000));
    }
}
