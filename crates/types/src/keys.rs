//! Keys and modifiers as people name them, resolved against a US layout table. Pure data: the
//! backends translate a `KeyStroke` into their own raw events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Modifier {
    Ctrl,
    Shift,
    Alt,
    Meta,
}

impl Modifier {
    pub const ALL: [Modifier; 4] = [Modifier::Ctrl, Modifier::Shift, Modifier::Alt, Modifier::Meta];

    pub fn parse(name: &str) -> Option<Modifier> {
        match name.trim().to_ascii_lowercase().as_str() {
            "ctrl" | "control" => Some(Modifier::Ctrl),
            "shift" => Some(Modifier::Shift),
            "alt" | "option" => Some(Modifier::Alt),
            "meta" | "cmd" | "command" | "super" | "win" => Some(Modifier::Meta),
            _ => None,
        }
    }

    /// The key that a hand would hold down for this modifier.
    pub fn stroke(self) -> KeyStroke {
        let (key, code, virtual_key) = match self {
            Modifier::Ctrl => ("Control", "ControlLeft", 17),
            Modifier::Shift => ("Shift", "ShiftLeft", 16),
            Modifier::Alt => ("Alt", "AltLeft", 18),
            Modifier::Meta => ("Meta", "MetaLeft", 91),
        };
        KeyStroke { key: key.into(), code: code.into(), virtual_key, text: None, location: 1 }
    }
}

/// One key as the page will see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStroke {
    /// DOM `key`.
    pub key: String,
    /// DOM `code`.
    pub code: String,
    pub virtual_key: u16,
    /// The text the key produces, if any. Enter produces a carriage return.
    pub text: Option<String>,
    /// DOM `location`: 0 standard, 1 left, 2 right, 3 keypad.
    pub location: u8,
}

/// A key with the modifiers held around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    pub modifiers: Vec<Modifier>,
    pub stroke: KeyStroke,
}

impl std::fmt::Display for Chord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for modifier in &self.modifiers {
            write!(f, "{}+", modifier.stroke().key)?;
        }
        f.write_str(if self.stroke.key == " " { "Space" } else { &self.stroke.key })
    }
}

impl Chord {
    /// Reads `key` (a name, a character, or "ctrl+shift+a") plus separately given modifiers.
    /// The error is one sentence that lists near names.
    pub fn parse(key: &str, extra: &[Modifier]) -> Result<Chord, String> {
        let (names, key_name) = split_chord(key);
        let mut modifiers: Vec<Modifier> = extra.to_vec();
        for name in names {
            let Some(modifier) = Modifier::parse(name) else {
                let shown: String = name.chars().take(40).collect();
                return Err(format!(
                    "keyboard.key has the unknown modifier {shown:?}; the modifiers are ctrl, shift, alt and meta"
                ));
            };
            modifiers.push(modifier);
        }
        modifiers.sort();
        modifiers.dedup();
        let shift = modifiers.contains(&Modifier::Shift);
        let Some(mut stroke) = find_stroke(key_name, shift) else {
            return Err(unknown_key(key_name));
        };
        // As with a real keyboard, a key held with ctrl, alt or meta produces no text.
        if modifiers.iter().any(|modifier| *modifier != Modifier::Shift) {
            stroke.text = None;
        }
        // A modifier pressed alone must not be held around itself.
        modifiers.retain(|modifier| modifier.stroke().key != stroke.key);
        Ok(Chord { modifiers, stroke })
    }
}

/// The stroke that types `character` on a US keyboard, and whether Shift is held for it.
pub fn stroke_for_character(character: char) -> Option<(KeyStroke, bool)> {
    match character {
        '\n' | '\r' => return find_stroke("enter", false).map(|stroke| (stroke, false)),
        '\t' => return find_stroke("tab", false).map(|stroke| (stroke, false)),
        _ => {}
    }
    let (row, shifted) = printable_row(character)?;
    Some((printable_stroke(row, shifted), shifted))
}

/// Printable keys: base character, shifted character, DOM code, virtual key code.
type PrintableRow = (char, char, &'static str, u16);

const PRINTABLE: &[PrintableRow] = &[
    ('`', '~', "Backquote", 192),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    (' ', ' ', "Space", 32),
];

const LETTER_CODES: [&str; 26] = [
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL", "KeyM", "KeyN",
    "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX", "KeyY", "KeyZ",
];

/// Named keys: accepted names (first is the canonical one), DOM key, DOM code, virtual key, text, location.
type NamedRow = (&'static [&'static str], &'static str, &'static str, u16, Option<&'static str>, u8);

const NAMED: &[NamedRow] = &[
    (&["enter", "return"], "Enter", "Enter", 13, Some("\r"), 0),
    (&["numpadenter", "kp_enter", "kpenter"], "Enter", "NumpadEnter", 13, Some("\r"), 3),
    (&["tab"], "Tab", "Tab", 9, Some("\t"), 0),
    (&["escape", "esc"], "Escape", "Escape", 27, None, 0),
    (&["backspace", "back_space"], "Backspace", "Backspace", 8, None, 0),
    (&["delete", "del"], "Delete", "Delete", 46, None, 0),
    (&["insert", "ins"], "Insert", "Insert", 45, None, 0),
    (&["home"], "Home", "Home", 36, None, 0),
    (&["end"], "End", "End", 35, None, 0),
    (&["pageup", "page_up", "pgup", "prior"], "PageUp", "PageUp", 33, None, 0),
    (&["pagedown", "page_down", "pgdn", "pgdown", "next"], "PageDown", "PageDown", 34, None, 0),
    (&["arrowup", "up"], "ArrowUp", "ArrowUp", 38, None, 0),
    (&["arrowdown", "down"], "ArrowDown", "ArrowDown", 40, None, 0),
    (&["arrowleft", "left"], "ArrowLeft", "ArrowLeft", 37, None, 0),
    (&["arrowright", "right"], "ArrowRight", "ArrowRight", 39, None, 0),
    (&["space", "spacebar"], " ", "Space", 32, Some(" "), 0),
    (&["capslock", "caps_lock"], "CapsLock", "CapsLock", 20, None, 0),
    (&["contextmenu", "menu"], "ContextMenu", "ContextMenu", 93, None, 0),
    (&["printscreen"], "PrintScreen", "PrintScreen", 44, None, 0),
    (&["scrolllock"], "ScrollLock", "ScrollLock", 145, None, 0),
    (&["numlock"], "NumLock", "NumLock", 144, None, 0),
    (&["pause"], "Pause", "Pause", 19, None, 0),
    (&["f1"], "F1", "F1", 112, None, 0),
    (&["f2"], "F2", "F2", 113, None, 0),
    (&["f3"], "F3", "F3", 114, None, 0),
    (&["f4"], "F4", "F4", 115, None, 0),
    (&["f5"], "F5", "F5", 116, None, 0),
    (&["f6"], "F6", "F6", 117, None, 0),
    (&["f7"], "F7", "F7", 118, None, 0),
    (&["f8"], "F8", "F8", 119, None, 0),
    (&["f9"], "F9", "F9", 120, None, 0),
    (&["f10"], "F10", "F10", 121, None, 0),
    (&["f11"], "F11", "F11", 122, None, 0),
    (&["f12"], "F12", "F12", 123, None, 0),
];

/// Words for printable keys, so that "plus" or "minus" can be part of a chord.
const CHARACTER_WORDS: &[(&str, char)] = &[
    ("plus", '+'),
    ("minus", '-'),
    ("equal", '='),
    ("comma", ','),
    ("period", '.'),
    ("slash", '/'),
    ("backslash", '\\'),
];

/// "ctrl+a" -> (["ctrl"], "a"). A lone "+" and a trailing "++" mean the plus key itself.
fn split_chord(key: &str) -> (Vec<&str>, &str) {
    let trimmed = if key.trim().is_empty() { key } else { key.trim() };
    if trimmed.chars().count() == 1 {
        return (Vec::new(), trimmed);
    }
    if let Some(before) = trimmed.strip_suffix("++") {
        return (before.split('+').collect(), "+");
    }
    let mut parts: Vec<&str> = trimmed.split('+').collect();
    let last = parts.pop().unwrap_or(trimmed);
    (parts, last.trim())
}

fn find_stroke(name: &str, shift: bool) -> Option<KeyStroke> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return match printable_row(character) {
            // With Shift named, the key gives its shifted character; without, exactly what was asked for.
            Some((row, shifted)) => Some(printable_stroke(row, shifted || shift)),
            None => other_character(character),
        };
    }
    let lower = name.to_ascii_lowercase();
    if let Some((names, key, code, virtual_key, text, location)) =
        NAMED.iter().find(|(names, ..)| names.contains(&lower.as_str()))
    {
        debug_assert!(!names.is_empty());
        return Some(KeyStroke {
            key: (*key).into(),
            code: (*code).into(),
            virtual_key: *virtual_key,
            text: text.map(Into::into),
            location: *location,
        });
    }
    if let Some((_, character)) = CHARACTER_WORDS.iter().find(|(word, _)| *word == lower) {
        return find_stroke(&character.to_string(), shift);
    }
    Modifier::parse(&lower).map(Modifier::stroke)
}

/// A character that no US key carries: the page sees it as the key, with its own text.
fn other_character(character: char) -> Option<KeyStroke> {
    if character.is_control() {
        return None;
    }
    Some(KeyStroke {
        key: character.to_string(),
        code: String::new(),
        virtual_key: 0,
        text: Some(character.to_string()),
        location: 0,
    })
}

/// The row of a printable ASCII character and whether it is the shifted one of its key.
fn printable_row(character: char) -> Option<(PrintableRow, bool)> {
    if character.is_ascii_alphabetic() {
        let lower = character.to_ascii_lowercase();
        let index = usize::from(lower as u8 - b'a');
        let upper = lower.to_ascii_uppercase();
        let row = (lower, upper, LETTER_CODES[index], u16::from(upper as u8));
        return Some((row, character.is_ascii_uppercase()));
    }
    PRINTABLE.iter().find(|row| row.0 == character || row.1 == character).map(|row| (*row, row.0 != character))
}

fn printable_stroke(row: PrintableRow, shifted: bool) -> KeyStroke {
    let (base, upper, code, virtual_key) = row;
    let character = if shifted { upper } else { base };
    KeyStroke {
        key: character.to_string(),
        code: code.into(),
        virtual_key,
        text: Some(character.to_string()),
        location: 0,
    }
}

fn unknown_key(name: &str) -> String {
    let lower: String = name.to_ascii_lowercase().chars().take(20).collect();
    let mut near: Vec<(usize, &str)> = NAMED
        .iter()
        .flat_map(|(names, ..)| names.iter().copied())
        .map(|candidate| (edit_distance(&lower, candidate), candidate))
        .collect();
    near.sort();
    let near: Vec<&str> = near.iter().take(3).map(|(_, candidate)| *candidate).collect();
    let shown: String = name.chars().take(40).collect();
    format!("keyboard.key {shown:?} is not a key; near names: {}; a single character is a key too", near.join(", "))
}

/// Levenshtein distance; the inputs are short, so the plain table is fine.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(from != *to)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key: &str, extra: &[Modifier], expected: (&[Modifier], &str, &str, u16, Option<&str>)) {
        let chord = Chord::parse(key, extra).expect(key);
        let (modifiers, dom_key, code, virtual_key, text) = expected;
        assert_eq!(chord.modifiers, modifiers, "{key}");
        let stroke = chord.stroke;
        assert_eq!(
            (stroke.key.as_str(), stroke.code.as_str(), stroke.virtual_key, stroke.text.as_deref()),
            (dom_key, code, virtual_key, text),
            "{key}"
        );
    }

    #[test]
    fn chords_and_names() {
        use Modifier::{Ctrl, Shift};
        check("Return", &[], (&[], "Enter", "Enter", 13, Some("\r")));
        check("ESC", &[], (&[], "Escape", "Escape", 27, None));
        check("ctrl+a", &[], (&[Ctrl], "a", "KeyA", 65, None));
        check("a", &[Ctrl], (&[Ctrl], "a", "KeyA", 65, None));
        check("Control+Shift+T", &[], (&[Ctrl, Shift], "T", "KeyT", 84, None));
        check("3", &[Shift], (&[Shift], "#", "Digit3", 51, Some("#")));
        check("!", &[], (&[], "!", "Digit1", 49, Some("!")));
        check("A", &[], (&[], "A", "KeyA", 65, Some("A")));
        check("+", &[], (&[], "+", "Equal", 187, Some("+")));
        check("ctrl++", &[], (&[Ctrl], "+", "Equal", 187, None));
        check(" ", &[], (&[], " ", "Space", 32, Some(" ")));
        check("é", &[], (&[], "é", "", 0, Some("é")));
        check("shift", &[], (&[], "Shift", "ShiftLeft", 16, None));
    }

    #[test]
    fn unknown_names_are_one_sentence_with_near_names() {
        let message = Chord::parse("entre", &[]).unwrap_err();
        assert!(message.contains("\"entre\" is not a key; near names: enter"), "{message}");
        let message = Chord::parse("hyper+a", &[]).unwrap_err();
        assert!(message.contains("unknown modifier \"hyper\""), "{message}");
        assert!(Chord::parse("", &[]).is_err());
        assert!(Chord::parse("\u{0}", &[]).is_err());
    }

    #[test]
    fn every_printable_ascii_character_can_be_typed() {
        for byte in 0x20..0x7fu8 {
            let (stroke, shifted) = stroke_for_character(char::from(byte)).expect("typable");
            assert_eq!(stroke.text.as_deref(), Some(char::from(byte).to_string().as_str()));
            assert_eq!(shifted, "~!@#$%^&*()_+{}|:\"<>?".contains(char::from(byte)) || byte.is_ascii_uppercase());
        }
        assert!(stroke_for_character('é').is_none());
    }
}
