//! A text as it is searched: character by character, with where each came from, escapes of urls, HTML
//! and JSON undone. Undoing what a page or a format did finds every mixture of spellings; listing the
//! spellings of a value would always miss one (which characters a url escapes depends on who wrote it).

/// One character and the bytes of the text that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) character: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What a plus sign in the text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plus {
    Itself,
    /// As forms write spaces into urls.
    Space,
}

pub(super) fn units_of(text: &str) -> Vec<Unit> {
    text.char_indices().map(|(start, character)| Unit { character, start, end: start + character.len_utf8() }).collect()
}

/// Whether `decoded` could find anything to undo.
pub(super) fn may_be_encoded(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'%' | b'&' | b'\\'))
}

/// One layer of escapes undone; `None` where there was none.
pub(super) fn decoded(units: &[Unit], plus: Plus) -> Option<Vec<Unit>> {
    let mut out = Vec::with_capacity(units.len());
    let mut changed = false;
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let taken = match unit.character {
            '%' => percent(&units[at..], &mut out),
            '&' => entity(&units[at..], &mut out),
            '\\' => backslash(&units[at..], &mut out),
            '+' if plus == Plus::Space => {
                out.push(Unit { character: ' ', ..*unit });
                1
            }
            _ => 0,
        };
        changed |= taken > 0;
        if taken == 0 {
            out.push(*unit);
        }
        at += taken.max(1);
    }
    changed.then_some(out)
}

/// As it is compared: runs of white space as one space, invisible characters left out.
pub(super) fn squeezed(units: &[Unit]) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::with_capacity(units.len());
    let mut in_space = false;
    for unit in units {
        if unit.character.is_whitespace() {
            match out.last_mut().filter(|_| in_space) {
                Some(space) => space.end = unit.end,
                None => out.push(Unit { character: ' ', ..*unit }),
            }
            in_space = true;
        } else if !is_invisible(unit.character) {
            out.push(*unit);
            in_space = false;
        }
    }
    out
}

/// One character for one: both sides are folded alike, so it does not matter what is lost.
pub(super) fn folded(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

/// Joiners, soft hyphens and the like, which a page may put in without anybody seeing it.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn hex(units: &[Unit], count: usize) -> Option<u32> {
    let digits = units.get(..count)?;
    digits.iter().try_fold(0u32, |sum, unit| Some(sum * 16 + unit.character.to_digit(16)?))
}

/// `%C3%A7…`: as many bytes as follow each other, read as UTF-8 and, where that fails, one by one.
fn percent(units: &[Unit], out: &mut Vec<Unit>) -> usize {
    let mut bytes = Vec::new();
    while units.get(bytes.len() * 3).is_some_and(|unit| unit.character == '%') {
        let Some(byte) = hex(&units[bytes.len() * 3 + 1..], 2).and_then(|byte| u8::try_from(byte).ok()) else { break };
        bytes.push(byte);
    }
    let mut at = 0;
    while at < bytes.len() {
        let valid = |length: &usize| bytes.get(at..at + length).is_some_and(|part| std::str::from_utf8(part).is_ok());
        let length = (1..=4).find(valid).unwrap_or(1);
        let part = std::str::from_utf8(&bytes[at..at + length]).ok();
        let character = part.and_then(|part| part.chars().next()).unwrap_or(char::from(bytes[at]));
        let (start, end) = (units[at * 3].start, units[(at + length) * 3 - 1].end);
        out.push(Unit { character, start, end });
        at += length;
    }
    bytes.len() * 3
}

/// `&amp;`, `&#39;`, `&#x27;`.
fn entity(units: &[Unit], out: &mut Vec<Unit>) -> usize {
    const LONGEST: usize = 10;
    let Some(end) = units.iter().take(LONGEST).position(|unit| unit.character == ';') else { return 0 };
    let name: String = units[1..end].iter().map(|unit| unit.character).collect();
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let character = match name.as_str() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        name => match name.strip_prefix('#') {
            Some(digits) if digits.starts_with(['x', 'X']) => number(&digits[1..], 16),
            Some(digits) => number(digits, 10),
            None => None,
        },
    };
    let Some(character) = character else { return 0 };
    out.push(Unit { character, start: units[0].start, end: units[end].end });
    end + 1
}

/// Escapes of JSON, and those that Rust and JavaScript add to them.
fn backslash(units: &[Unit], out: &mut Vec<Unit>) -> usize {
    let Some(kind) = units.get(1) else { return 0 };
    let (character, taken) = match kind.character {
        'n' => (Some('\n'), 2),
        'r' => (Some('\r'), 2),
        't' => (Some('\t'), 2),
        '0' => (Some('\0'), 2),
        plain @ ('"' | '\'' | '\\' | '/' | '`' | '$') => (Some(plain), 2),
        'x' => (hex(&units[2..], 2).and_then(char::from_u32), 4),
        'u' if units.get(2).is_some_and(|unit| unit.character == '{') => braced(units),
        'u' => four_digits(units),
        _ => (None, 0),
    };
    let Some(character) = character else { return 0 };
    out.push(Unit { character, start: units[0].start, end: units[taken - 1].end });
    taken
}

/// `\u{1f511}`.
fn braced(units: &[Unit]) -> (Option<char>, usize) {
    let Some(end) = units.iter().take(11).position(|unit| unit.character == '}') else { return (None, 0) };
    (hex(&units[3..], end - 3).and_then(char::from_u32), end + 1)
}

/// `\u00e7`, and the pairs that stand for what does not fit.
fn four_digits(units: &[Unit]) -> (Option<char>, usize) {
    let Some(first) = hex(&units[2..], 4) else { return (None, 0) };
    if !(0xd800..0xdc00).contains(&first) {
        return (char::from_u32(first), 6);
    }
    let follows = |at: usize, wanted: char| units.get(at).is_some_and(|unit| unit.character == wanted);
    let second = if follows(6, '\\') && follows(7, 'u') { hex(&units[8..], 4) } else { None };
    match second.filter(|second| (0xdc00..0xe000).contains(second)) {
        Some(second) => (char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 12),
        None => (None, 0),
    }
}
