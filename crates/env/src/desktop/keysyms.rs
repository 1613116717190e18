//! Names of keys in the X protocol. Characters beyond Latin-1 have a number of their own kind; the rest
//! is a table as old as X.

use surehand_types::keys::{KeyStroke, Modifier};
use x11rb::protocol::xproto::Keysym;

pub(super) const CAPS_LOCK: Keysym = 0xffe5;
pub(super) const LEVEL_THREE_SHIFT: Keysym = 0xfe03;
pub(super) const RETURN: Keysym = 0xff0d;
pub(super) const TAB: Keysym = 0xff09;

/// Keysyms of characters outside Latin-1 are their code point with this added.
const UNICODE: Keysym = 0x0100_0000;

/// `None` for control characters, which no key types.
pub(super) fn of_character(character: char) -> Option<Keysym> {
    match character {
        '\n' | '\r' => Some(RETURN),
        '\t' => Some(TAB),
        // The one currency sign that layouts name in the old way.
        '€' => Some(0x20ac),
        ' '..='~' | '\u{a0}'..='\u{ff}' => Some(character.into()),
        other if other.is_control() => None,
        other => Some(UNICODE + Keysym::from(other)),
    }
}

pub(super) fn of_modifier(modifier: Modifier) -> Keysym {
    match modifier {
        Modifier::Ctrl => 0xffe3,
        Modifier::Shift => 0xffe1,
        Modifier::Alt => 0xffe9,
        Modifier::Meta => 0xffeb,
    }
}

/// The keysym of a key by its DOM name.
pub(super) fn of_stroke(stroke: &KeyStroke) -> Option<Keysym> {
    let mut characters = stroke.key.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return of_character(character);
    }
    let keysym = match stroke.key.as_str() {
        "Enter" if stroke.location == 3 => 0xff8d,
        "Enter" => RETURN,
        "Tab" => TAB,
        "Escape" => 0xff1b,
        "Backspace" => 0xff08,
        "Delete" => 0xffff,
        "Insert" => 0xff63,
        "Home" => 0xff50,
        "End" => 0xff57,
        "PageUp" => 0xff55,
        "PageDown" => 0xff56,
        "ArrowLeft" => 0xff51,
        "ArrowUp" => 0xff52,
        "ArrowRight" => 0xff53,
        "ArrowDown" => 0xff54,
        "CapsLock" => CAPS_LOCK,
        "ContextMenu" => 0xff67,
        "PrintScreen" => 0xff61,
        "ScrollLock" => 0xff14,
        "NumLock" => 0xff7f,
        "Pause" => 0xff13,
        other => {
            return Modifier::ALL
                .into_iter()
                .find(|m| m.stroke().key == other)
                .map(of_modifier)
                .or_else(|| function(other));
        }
    };
    Some(keysym)
}

fn function(name: &str) -> Option<Keysym> {
    let number: Keysym = name.strip_prefix('F')?.parse().ok()?;
    (1..=12).contains(&number).then_some(0xffbd + number)
}

#[cfg(test)]
mod tests {
    use surehand_types::keys::Chord;

    use super::*;

    #[test]
    fn characters_and_names_have_their_numbers() {
        for (character, expected) in [('a', 0x61), ('ä', 0xe4), ('€', 0x20ac), ('漢', 0x0100_6f22), ('🙂', 0x0101_f642)]
        {
            assert_eq!(of_character(character), Some(expected), "{character}");
        }
        assert_eq!(of_character('\u{7}'), None);
        for (key, expected) in
            [("f5", 0xffc2), ("enter", 0xff0d), ("kp_enter", 0xff8d), ("super", 0xffeb), ("ctrl", 0xffe3), ("+", 0x2b)]
        {
            assert_eq!(of_stroke(&Chord::parse(key, &[]).unwrap().stroke), Some(expected), "{key}");
        }
    }

    #[test]
    fn every_key_that_can_be_named_has_a_number() {
        for key in [
            "escape",
            "backspace",
            "delete",
            "insert",
            "home",
            "end",
            "pageup",
            "pagedown",
            "up",
            "down",
            "left",
            "right",
            "space",
            "capslock",
            "menu",
            "printscreen",
            "scrolllock",
            "numlock",
            "pause",
            "f1",
            "f12",
            "tab",
            "alt",
            "shift",
        ] {
            assert!(of_stroke(&Chord::parse(key, &[]).unwrap().stroke).is_some(), "{key}");
        }
    }
}
