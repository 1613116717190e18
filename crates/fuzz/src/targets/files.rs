//! Files that people write or bring along: suites, settings, storage states.

use proptest::strategy::{BoxedStrategy, Strategy as _};
use serde_json::json;
use surehand_env::browser::StorageState;
use surehand_eval::{BUILT_IN, Suite};
use surehand_types::Settings;
use surehand_types::settings::{SettingKind, Source, parse_seconds, parse_size};
use surehand_types::settings_table::SETTINGS;

use super::with_file;
use crate::generate::{mutated_json, mutated_text, odd_text};
use crate::{Target, holds, is_sentence};

pub(super) const SUITES: Target = Target { name: "suites", cases: 60, input: suites, check: check_suite };
pub(super) const SETTINGS_TARGET: Target =
    Target { name: "settings", cases: 300, input: settings, check: check_settings };
pub(super) const STORAGE_STATES: Target =
    Target { name: "storage_states", cases: 300, input: storage_states, check: check_storage_state };

fn suites() -> BoxedStrategy<Vec<u8>> {
    let whole = BUILT_IN.iter().filter_map(|(_, text)| serde_json::from_str::<serde_json::Value>(text).ok());
    // A few tasks of each, so that a change hits something.
    let small = whole.map(|mut suite| {
        if let Some(tasks) = suite["tasks"].as_array_mut() {
            tasks.truncate(3);
        }
        suite
    });
    mutated_json(small.collect())
}

fn check_suite(input: &[u8]) -> Result<(), String> {
    with_file(input, |path| match Suite::load(&path.display().to_string()) {
        Ok(suite) => holds(!suite.tasks.is_empty(), || "a suite without tasks".into()),
        Err(error) => is_sentence(&error.to_string()),
    })?
}

fn settings() -> BoxedStrategy<Vec<u8>> {
    let names: Vec<&'static str> = SETTINGS.iter().map(|setting| setting.name).collect();
    let pair = (proptest::sample::select(names), odd_text()).prop_map(|(name, value)| format!("{name}={value}"));
    proptest::prop_oneof![
        3 => pair.prop_map(String::into_bytes),
        1 => mutated_text(&[
            "settle_cap = \"5s\"\nmax_steps = 40\nviewport = \"800x600\"\ndone_gate = true\n",
            "viewport=1280x720",
            "timeout=90s",
            "[section]\nx = [1, 2, {a = 1}]\n",
        ]),
    ]
    .boxed()
}

fn check_settings(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let _ = (parse_seconds(&text), parse_size(&text));
    let _ = text.parse::<toml::Table>();
    let mut settings = Settings::default();
    for line in text.lines().take(50) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        if let Err(sentence) = settings.set(name, value, Source::Flag) {
            is_sentence(&sentence)?;
        }
    }
    // What was taken can be read as what it is.
    for setting in SETTINGS {
        match setting.kind {
            SettingKind::Size => drop(settings.size(setting.name)),
            SettingKind::Seconds { .. } => drop(settings.duration(setting.name)),
            SettingKind::Integer { .. } => drop(settings.integer(setting.name)),
            SettingKind::Number { .. } => drop(settings.number(setting.name)),
            _ => drop(settings.text(setting.name).len()),
        }
    }
    let _ = settings.changed();
    Ok(())
}

fn storage_states() -> BoxedStrategy<Vec<u8>> {
    mutated_json(example_states())
}

fn example_states() -> Vec<serde_json::Value> {
    let cookie = json!({"name": "sid", "value": "a=b; c", "domain": ".example.com", "path": "/app", "expires": 4e9,
        "httpOnly": true, "secure": true, "sameSite": "None", "partitionKey": "https://top.test"});
    let ending = json!({"name": "s", "value": "", "domain": "127.0.0.1", "path": "/", "expires": -1});
    let items = json!([{"name": "token", "value": "{\"a\":1}"}]);
    let origin = json!({"origin": "https://example.com", "localStorage": items, "indexedDB": []});
    vec![
        json!({"cookies": [cookie, ending], "origins": [origin]}),
        json!({"cookies": [ending], "origins": []}),
        json!({"origins": [origin, origin]}),
    ]
}

/// What is taken is written and taken again as the same thing.
fn check_storage_state(input: &[u8]) -> Result<(), String> {
    match StorageState::parse(input) {
        Ok(parsed) => {
            let written = parsed.state.to_json();
            let again = StorageState::parse(written.as_bytes()).map_err(|sentence| format!("our own: {sentence}"))?;
            holds(again.state == parsed.state, || format!("it changed on the way: {written}"))?;
            parsed.notes.iter().try_for_each(|note| is_sentence(note))
        }
        Err(sentence) => {
            holds(!sentence.contains('\n'), || format!("more than one line: {sentence}"))?;
            is_sentence(&sentence)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_right() {
        for (name, _) in BUILT_IN {
            Suite::load(name).unwrap();
        }
        for state in example_states() {
            let parsed = StorageState::parse(state.to_string().as_bytes()).unwrap();
            assert_eq!(parsed.notes, Vec::<String>::new());
        }
    }
}
