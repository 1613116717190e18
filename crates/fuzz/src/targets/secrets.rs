//! The redactor: no spelling of a secret survives it, and it never blows text up.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use surehand_types::secret::{Redactor, Secret, names_in, pieces};

use crate::generate::{mutated_text, odd_text};
use crate::{Target, holds};

pub(super) const REDACTOR: Target = Target { name: "redactor", cases: 250, input: texts, check: check_redactor };
pub(super) const PLACEHOLDERS: Target =
    Target { name: "placeholders", cases: 200, input: placeholders, check: check_placeholders };

/// The secret up to the first NUL, then the text around its copies.
fn texts() -> BoxedStrategy<Vec<u8>> {
    let secret = prop_oneof![
        3 => proptest::collection::vec(any::<char>(), 4..40).prop_map(|chars| chars.into_iter().collect::<String>()),
        3 => proptest::sample::select(&["hunter2!", "p a s s", "a\"b\\c'd", "über-geheim", "Tr0ub4dor&3", "line one\nline two",
            "<secret:x>", "%41%42+c d", "\u{1f600}\u{1f601}pw", "^(a+)+$", "aaaaaaaa"][..]).prop_map(str::to_string),
        1 => odd_text(),
    ];
    (secret, odd_text(), odd_text())
        .prop_map(|(secret, before, after)| format!("{}\0{before}\0{after}", secret.replace('\0', "")).into_bytes())
        .boxed()
}

fn check_redactor(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let mut parts = text.splitn(3, '\0');
    let (value, before, after) =
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if value.is_empty() {
        return Ok(());
    }
    let secret = Secret::new("password", value);
    let redactor = Redactor::new([&secret]);
    let plain = format!("{before} {value} {after}");
    let clean = redactor.text(&plain);
    // A placeholder may stand for a single character.
    let most = 64 + 40 * plain.len();
    holds(clean.len() <= most, || format!("{} bytes from {}", clean.len(), plain.len()))?;
    // Values of few characters that can be seen are only replaced where they stand alone, and one that
    // is part of the placeholder stays in it.
    let visible = value.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(*c)).count();
    let is_telling = visible > 3 && !secret.placeholder().contains(value);
    if !is_telling {
        return Ok(());
    }
    for (spelling, how) in spellings(value) {
        let shown = redactor.text(&format!("{before} {spelling} {after}"));
        let left = shown.replace(&secret.placeholder(), "");
        holds(!left.contains(&spelling), || format!("{how}: {spelling:?} is left in {shown:?}"))?;
    }
    Ok(())
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

fn spellings(value: &str) -> Vec<(String, &'static str)> {
    let percent = |upper: bool| -> String {
        value
            .bytes()
            .map(|byte| match byte {
                byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
                byte if upper => format!("%{byte:02X}"),
                byte => format!("%{byte:02x}"),
            })
            .collect()
    };
    let json = serde_json::Value::from(value).to_string();
    let mut all = vec![
        (value.to_string(), "as it is"),
        (percent(true), "percent-encoded"),
        (percent(false), "percent-encoded in lower case"),
        (json[1..json.len() - 1].to_string(), "in JSON"),
        (STANDARD.encode(value).trim_end_matches('=').to_string(), "in Base64"),
        (URL_SAFE_NO_PAD.encode(value), "in Base64 for urls"),
    ];
    // So short a piece of Base64 says little and is found in any text.
    all.retain(|(spelling, how)| !how.contains("Base64") || spelling.len() >= 8);
    all
}

fn placeholders() -> BoxedStrategy<Vec<u8>> {
    mutated_text(&[
        "type <secret:password> here",
        "<secret:a><secret:b.c-d_e>",
        "<secret:",
        "<secret:>",
        "<secret:<secret:x>>",
    ])
}

/// The pieces of a text are the text.
fn check_placeholders(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let names = names_in(&text);
    holds(pieces(&text).len() <= text.len() + 1, || "more pieces than characters".into())?;
    holds(names.iter().all(|name| text.contains(name)), || format!("names that are not there: {names:?}"))
}
