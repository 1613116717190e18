//! Key names as models write them, in the names our keyboard knows: xdotool's (`Page_Down`, `KP_Enter`), pyautogui's
//! (`pgdn`, `ctrlleft`), those of browsers (`ArrowLeft`, `KeyA`) and those in capitals (`CTRL`). The one table for
//! every wire format and every dialect. What is not known is passed on as it is, so that the keyboard's own sentence
//! about it reaches the model.

/// Beyond this, a text is no list of keys.
const MOST_CHORDS: usize = 64;
/// Longer than the longest value a `key` may have, so that too long a name is still refused as one.
const LONGEST_NAME: usize = 100;

/// The native `key` values that a text of one or more chords stands for, in order. Chords are separated by spaces
/// (`ctrl+a Delete`); a modifier that stands alone belongs to the key after it (`ctrl c`).
pub(crate) fn chords(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    // The key itself may be white space, written as such.
    match text {
        "\n" | "\r" | "\r\n" => return vec!["enter".into()],
        "\t" => return vec!["tab".into()],
        _ if text.trim().is_empty() => return vec!["space".into()],
        _ => {}
    }
    let whole = text.trim();
    if let Some(chord) = known_chord(whole) {
        return vec![chord];
    }
    let mut found = Vec::new();
    let mut waiting: Vec<&'static str> = Vec::new();
    for part in whole.split_whitespace() {
        if found.len() == MOST_CHORDS {
            break;
        }
        // From `ctrl + a x`: a sign that only joins its neighbours.
        if part == "+" && !waiting.is_empty() {
            continue;
        }
        let (modifiers, key) = take_apart(part);
        waiting.extend(modifiers);
        match key {
            Some(key) => found.push(join(&mut waiting, &key)),
            None => continue,
        }
    }
    if let Some(last) = waiting.pop() {
        found.push(join(&mut waiting, last));
    }
    found
}

/// The modifiers named in a text, as native names, and whether there was anything else in it.
pub(crate) fn modifiers(text: &str) -> (Vec<&'static str>, bool) {
    let mut named = Vec::new();
    let mut others = false;
    for part in text.split(|c: char| c == '+' || c == ',' || c.is_whitespace()).filter(|part| !part.is_empty()) {
        match modifier(&plain(part)) {
            Some(name) if named.contains(&name) => {}
            Some(name) => named.push(name),
            None => others = true,
        }
    }
    (named, others)
}

/// One chord whose every part is known, whatever stands between the words of a part: `ctrl + page down`.
fn known_chord(text: &str) -> Option<String> {
    let (before, last) = split_last(text);
    let mut held = Vec::new();
    for part in before {
        held.push(modifier(&plain(part))?);
    }
    let key = native_name(last)?;
    Some(join(&mut held, &key))
}

/// The modifiers in front of a key, and the key; `None` for the key where there are only modifiers.
fn take_apart(part: &str) -> (Vec<&'static str>, Option<String>) {
    let (before, last) = split_last(part);
    let mut held = Vec::new();
    for name in &before {
        match modifier(&plain(name)) {
            Some(name) => held.push(name),
            // No chord that we know: the keyboard will say so.
            None => return (Vec::new(), Some(cut(part))),
        }
    }
    match modifier(&plain(last)) {
        Some(name) => {
            held.push(name);
            (held, None)
        }
        None => (held, Some(native_name(last).unwrap_or_else(|| cut(last)))),
    }
}

/// What stands before the last `+`, and the key after it. A `+` at the very end is the plus key.
fn split_last(text: &str) -> (Vec<&str>, &str) {
    if text == "+" {
        return (Vec::new(), text);
    }
    let (before, last) = match text.strip_suffix("++").or_else(|| text.strip_suffix("+ +")) {
        Some(before) => (before, "+"),
        None => match text.rsplit_once('+') {
            Some((before, last)) if !last.trim().is_empty() => (before, last.trim()),
            _ => return dashed(text).unwrap_or((Vec::new(), text)),
        },
    };
    (before.split('+').map(str::trim).filter(|part| !part.is_empty()).collect(), last)
}

/// `ctrl-a`, where everything but the end is a modifier.
fn dashed(text: &str) -> Option<(Vec<&str>, &str)> {
    let (before, last) = text.rsplit_once('-')?;
    let parts: Vec<&str> = before.split('-').collect();
    let all_modifiers = parts.iter().all(|part| modifier(&plain(part)).is_some());
    (all_modifiers && !last.is_empty()).then_some((parts, last))
}

fn join(held: &mut Vec<&'static str>, key: &str) -> String {
    let mut chord = String::new();
    for name in held.iter() {
        if !chord.split('+').any(|earlier| earlier == *name) {
            chord.push_str(name);
            chord.push('+');
        }
    }
    // Capitals in a chord are a way of writing, not a shift: `CTRL+A` selects all.
    let is_letter = key.chars().count() == 1 && key.is_ascii();
    chord.push_str(&if is_letter && !held.is_empty() { key.to_ascii_lowercase() } else { key.to_string() });
    held.clear();
    chord
}

/// The native name of a single key, modifiers included.
fn native_name(name: &str) -> Option<String> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        // A plus sign would be read as the sign between keys.
        return Some(if character == '+' { "plus".into() } else { character.to_string() });
    }
    // `page down` is one key, `a t` are two.
    if name.contains(char::is_whitespace) && name.split_whitespace().any(|word| word.chars().count() == 1) {
        return None;
    }
    let plain = plain(name);
    if let Some(modifier) = modifier(&plain) {
        return Some(modifier.into());
    }
    if let Some((_, native)) = NAMES.iter().find(|(names, _)| names.contains(&plain.as_str())) {
        return Some((*native).into());
    }
    numbered(&plain)
}

/// Families of keys that end in their own name: `f5`, `kp7`, `num7`, `keya`, `digit3`.
fn numbered(plain: &str) -> Option<String> {
    let end = |prefix: &str| plain.strip_prefix(prefix).filter(|rest| rest.chars().count() == 1);
    let digit = ["kp", "num", "numpad", "digit"].iter().find_map(|prefix| end(prefix));
    if let Some(digit) = digit.filter(|digit| digit.chars().all(|c| c.is_ascii_digit())) {
        return Some(digit.into());
    }
    if let Some(letter) = end("key").filter(|letter| letter.chars().all(|c| c.is_ascii_lowercase())) {
        return Some(letter.into());
    }
    let number: u8 = plain.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then(|| plain.to_string())
}

/// In small letters, without what people put between the words of a name.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).take(LONGEST_NAME).collect::<String>().to_ascii_lowercase()
}

fn cut(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

fn modifier(plain: &str) -> Option<&'static str> {
    match plain {
        "ctrl" | "control" | "ctl" | "controll" | "controlr" | "ctrll" | "ctrlr" | "ctrlleft" | "ctrlright"
        | "controlleft" | "controlright" | "leftctrl" | "rightctrl" | "leftcontrol" | "rightcontrol"
        | "controlormeta" | "cmdorctrl" | "commandorcontrol" => Some("ctrl"),
        "shift" | "shiftl" | "shiftr" | "shiftleft" | "shiftright" | "leftshift" | "rightshift" => Some("shift"),
        "alt" | "option" | "altl" | "altr" | "altleft" | "altright" | "leftalt" | "rightalt" | "optionleft"
        | "optionright" | "altgr" | "isolevel3shift" | "opt" => Some("alt"),
        "meta" | "cmd" | "command" | "super" | "win" | "windows" | "metal" | "metar" | "metaleft" | "metaright"
        | "superl" | "superr" | "winleft" | "winright" | "leftmeta" | "rightmeta" | "leftsuper" | "osleft"
        | "osright" | "os" | "commandleft" | "commandright" => Some("meta"),
        _ => None,
    }
}

/// Names without their separators, and the native one.
const NAMES: &[(&[&str], &str)] = &[
    (&["enter", "return", "linefeed"], "enter"),
    (&["kpenter", "numpadenter"], "numpadenter"),
    (&["tab"], "tab"),
    (&["isolefttab", "backtab"], "shift+tab"),
    (&["escape", "esc"], "escape"),
    (&["backspace", "bksp"], "backspace"),
    (&["delete", "del", "kpdelete"], "delete"),
    (&["insert", "ins", "kpinsert"], "insert"),
    (&["home", "kphome"], "home"),
    (&["end", "kpend"], "end"),
    (&["pageup", "pgup", "prior", "kppageup", "kpprior"], "pageup"),
    (&["pagedown", "pgdn", "pgdown", "next", "kppagedown", "kpnext"], "pagedown"),
    (&["arrowup", "up", "uparrow", "kpup"], "arrowup"),
    (&["arrowdown", "down", "downarrow", "kpdown"], "arrowdown"),
    (&["arrowleft", "left", "leftarrow", "kpleft"], "arrowleft"),
    (&["arrowright", "right", "rightarrow", "kpright"], "arrowright"),
    (&["space", "spacebar", "kpspace"], "space"),
    (&["capslock", "caps"], "capslock"),
    (&["contextmenu", "menu", "apps"], "contextmenu"),
    (&["printscreen", "print", "prtsc", "prtscr", "prntscrn", "printscrn", "sysreq"], "printscreen"),
    (&["scrolllock"], "scrolllock"),
    (&["numlock"], "numlock"),
    (&["pause", "break"], "pause"),
    (&["browserback"], "alt+arrowleft"),
    (&["browserforward"], "alt+arrowright"),
    (&["browserrefresh", "refresh"], "f5"),
    (&["plus", "kpadd", "numpadadd", "add"], "plus"),
    (&["minus", "kpsubtract", "numpadsubtract", "subtract", "hyphen"], "minus"),
    (&["asterisk", "kpmultiply", "numpadmultiply", "multiply"], "*"),
    (&["slash", "kpdivide", "numpaddivide", "divide"], "slash"),
    (&["period", "dot", "kpdecimal", "numpaddecimal", "decimal"], "period"),
    (&["equal", "equals", "kpequal"], "equal"),
    (&["comma"], "comma"),
    (&["backslash"], "backslash"),
    (&["semicolon"], ";"),
    (&["colon"], ":"),
    (&["apostrophe", "quoteright", "quote", "singlequote"], "'"),
    (&["quotedbl", "doublequote"], "\""),
    (&["grave", "quoteleft", "backquote", "backtick"], "`"),
    (&["asciitilde", "tilde"], "~"),
    (&["exclam"], "!"),
    (&["at"], "@"),
    (&["numbersign", "hash"], "#"),
    (&["dollar"], "$"),
    (&["percent"], "%"),
    (&["asciicircum", "caret"], "^"),
    (&["ampersand"], "&"),
    (&["parenleft"], "("),
    (&["parenright"], ")"),
    (&["underscore"], "_"),
    (&["bracketleft"], "["),
    (&["bracketright"], "]"),
    (&["braceleft"], "{"),
    (&["braceright"], "}"),
    (&["bar", "pipe"], "|"),
    (&["less"], "<"),
    (&["greater"], ">"),
    (&["question"], "?"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use surehand_types::keys::Chord;

    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(chords(text), expected, "{text:?}");
        for chord in expected {
            Chord::parse(chord, &[]).unwrap_or_else(|problem| panic!("{text:?}: {problem}"));
        }
    }

    #[test]
    fn every_spelling_becomes_a_native_key() {
        check("Return", &["enter"]);
        check("Page_Down", &["pagedown"]);
        check("KP_Enter", &["numpadenter"]);
        check("super", &["meta"]);
        check("Super_L", &["meta"]);
        check("ctrl+shift+t", &["ctrl+shift+t"]);
        check("CTRL+A", &["ctrl+a"]);
        check("Control_L+KP_7", &["ctrl+7"]);
        check("a", &["a"]);
        check("A", &["A"]);
        check("ArrowLeft", &["arrowleft"]);
        check("KeyA", &["a"]);
        check("Digit3", &["3"]);
        check("F11", &["f11"]);
        check("ctrlleft", &["ctrl"]);
        check("ControlOrMeta+A", &["ctrl+a"]);
        check("alt+Tab", &["alt+tab"]);
        check("ISO_Left_Tab", &["shift+tab"]);
        check("PAGEDOWN", &["pagedown"]);
        check("cmd+c", &["meta+c"]);
        check("ctrl+minus", &["ctrl+minus"]);
        check("ctrl+-", &["ctrl+-"]);
        check("é", &["é"]);
    }

    #[test]
    fn several_chords_are_kept_in_order() {
        check("ctrl+a Delete", &["ctrl+a", "delete"]);
        check("Down Down Return", &["arrowdown", "arrowdown", "enter"]);
        check("ctrl c", &["ctrl+c"]);
        check("CTRL SHIFT T", &["ctrl+shift+t"]);
        check("ctrl a BackSpace", &["ctrl+a", "backspace"]);
        check("ctrl + a", &["ctrl+a"]);
        check("Page Down", &["pagedown"]);
        check("ctrl+Page Up", &["ctrl+pageup"]);
        check("a b", &["a", "b"]);
        check("a t", &["a", "t"]);
        check("left shift", &["shift"]);
        check("ctrl-a", &["ctrl+a"]);
        check("Ctrl-Shift-Esc", &["ctrl+shift+escape"]);
    }

    #[test]
    fn signs_and_white_space_are_keys_too() {
        check("+", &["plus"]);
        check("ctrl++", &["ctrl+plus"]);
        check("ctrl + +", &["ctrl+plus"]);
        check("-", &["-"]);
        check(" ", &["space"]);
        check("\n", &["enter"]);
        check("\t", &["tab"]);
        check("", &[]);
    }

    #[test]
    fn what_is_unknown_reaches_the_keyboard_as_it_was() {
        assert_eq!(chords("Hyper_L+q"), ["Hyper_L+q"]);
        assert_eq!(chords("entre"), ["entre"]);
        assert!(Chord::parse(&chords("entre")[0], &[]).is_err());
        assert_eq!(chords(&"x ".repeat(500)).len(), MOST_CHORDS);
        assert!(chords(&"y".repeat(5000))[0].len() <= LONGEST_NAME);
    }

    #[test]
    fn modifiers_are_told_from_other_words() {
        assert_eq!(modifiers("ctrl+shift"), (vec!["ctrl", "shift"], false));
        assert_eq!(modifiers("Control_L, cmd ctrl"), (vec!["ctrl", "meta"], false));
        assert_eq!(modifiers(""), (vec![], false));
        assert_eq!(modifiers("Submit"), (vec![], true));
    }

    #[test]
    fn every_native_name_in_the_table_is_one() {
        for (names, native) in NAMES {
            Chord::parse(native, &[]).unwrap_or_else(|problem| panic!("{names:?}: {problem}"));
            for name in *names {
                assert_eq!(plain(name), *name);
                assert_eq!(native_name(name).as_deref(), Some(*native));
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_a_bounded_list(
            characters in proptest::collection::vec(any::<char>(), 0..60),
            picks in proptest::collection::vec(0..12usize, 0..30),
        ) {
            let likely = ["ctrl", "+", " ", "-", "_", "a", "Page", "Down", "shift", "F5", "++", "KP_"];
            let made: String = picks.iter().map(|pick| likely[*pick]).collect();
            for text in [characters.iter().collect::<String>(), made] {
            let found = chords(&text);
            prop_assert!(found.len() <= MOST_CHORDS + 1);
            prop_assert!(found.iter().all(|chord| !chord.is_empty() && chord.chars().count() <= LONGEST_NAME + 40));
            let _ = modifiers(&text);
            }
        }
    }
}
