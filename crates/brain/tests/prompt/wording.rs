//! How prompts speak: only what to do, coordinates only as arrays, no word of tools that are gone.
//! Each rule was paid for: a warned-of shape is a shape that models copy.

use surehand_brain::prompt::Variant;
use surehand_types::EffectStatus;

const NEGATIONS: &[&str] = &[
    "not",
    "never",
    "no",
    "none",
    "nothing",
    "nor",
    "neither",
    "cannot",
    "avoid",
    "instead",
    "unless",
    "except",
    "forbidden",
    "refrain",
    "wrong",
    "prohibited",
    "shouldn't",
    "rather than",
];

const RETIRED: &[&str] = &[
    "highlight",
    "element_id",
    "element_interaction",
    "right_click",
    "left_click",
    "double_click",
    "triple_click",
    "middle_click",
    "mouse_move",
    "left_click_drag",
    "screenshot",
    "x2",
    "y2",
    "\"x\"",
    "\"y\"",
    "`x`",
    "`y`",
    "{x",
    "(x",
    "<x",
    "x,",
    "x=",
    "\"ref\"",
    "selector",
    "xpath",
    "click(",
    "click {",
];

#[test]
fn only_affirmative_words() {
    for (name, text) in super::texts() {
        let text = text.to_lowercase().replace('’', "'");
        let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric() && !"_'".contains(letter)).collect();
        for (index, word) in words.iter().enumerate() {
            let around = words[index.saturating_sub(6)..(index + 6).min(words.len())].join(" ");
            assert!(!NEGATIONS.contains(word), "{name}: {word:?} in {around:?}");
            assert!(!word.ends_with("n't"), "{name}: {word:?} in {around:?}");
        }
        for phrase in NEGATIONS.iter().filter(|phrase| phrase.contains(' ')) {
            assert!(!text.contains(phrase), "{name}: {phrase:?}");
        }
    }
}

#[test]
fn retired_vocabulary_and_scalar_coordinates_are_absent() {
    for (name, text) in super::texts() {
        // The one declared array of four is written with its corners' names.
        let text = text.to_lowercase().replace("[x0, y0, x1, y1]", "");
        for word in RETIRED {
            let found = text.match_indices(word).find(|(start, _)| starts_a_word(&text, *start));
            assert!(found.is_none(), "{name}: {word:?}");
        }
    }
}

fn starts_a_word(text: &str, start: usize) -> bool {
    text[..start].chars().next_back().is_none_or(|before| !before.is_alphanumeric())
}

#[test]
fn nothing_is_left_unfilled() {
    for (name, text) in super::texts() {
        assert!(!text.contains("{{"), "{name}");
        assert!(!text.contains("\n\n\n") && text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{name}");
    }
}

#[test]
fn both_variants_teach_the_same_facts() {
    let statuses = [EffectStatus::Confirmed, EffectStatus::NoEffect, EffectStatus::Unverifiable, EffectStatus::Refused]
        .map(|status| serde_json::to_value(status).unwrap().as_str().unwrap().to_string());
    let everywhere = [
        "[1000,1000]",
        "cursor",
        "moves there and presses",
        "container under",
        "first surprise",
        "`expected`",
        "`ok`",
        "`message`",
        "`effect`",
        "`pending`",
        "`follow_up`",
        "`candidates`",
        "`center`",
        "`focus`",
        "ellow",
        "range dashed",
        "{\"tool\":\"mouse\",\"action\":\"confirm\"}",
        "evidence",
        "task alone",
        "ield first",
        "`problem`",
        "\"tool\":\"ask_user\"",
        "\"tool\":\"done\"",
    ];
    let in_browsers = [
        "YYYY-MM-DD",
        "HH:MM",
        "YYYY-MM-DDTHH:MM",
        "YYYY-MM",
        "YYYY-Www",
        "#rrggbb",
        "`opened`",
        "alert is accepted",
        "\"tool\":\"select_option\"",
        "\"tool\":\"upload_file\"",
        "\"tool\":\"dialog\"",
        "\"tool\":\"tab\"",
    ];
    for (name, text) in super::texts().iter().filter(|(name, _)| name.starts_with("system")) {
        for fact in everywhere.iter().copied().chain(statuses.iter().map(String::as_str)) {
            assert!(text.contains(fact), "{name}: {fact}");
        }
        for fact in in_browsers {
            assert_eq!(text.contains(fact), name.contains("browser"), "{name}: {fact}");
        }
    }
    assert_eq!(Variant::default(), Variant::Large);
}
