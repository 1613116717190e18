//! The two arms of an ablation: the same settings but for one, the first arm as the product has it.

use surehand_types::Settings;
use surehand_types::settings::{Area, SettingKind, Source, find};
use surehand_types::settings_table::SETTINGS;

use crate::error::EvalError;

/// One way to set the thing under test.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The value, as it is shown: `on`, `off`, `judge`.
    pub value: String,
    pub settings: Settings,
}

/// What is compared with what.
#[derive(Debug, Clone)]
pub struct Toggle {
    pub name: String,
    /// The arm that should win, then the one that it is compared with.
    pub arms: [Arm; 2],
    /// Said beside the figures where it matters.
    pub note: Option<String>,
}

impl Toggle {
    /// `NAME` for a toggle or a choice of two, `NAME=A,B` for any choice.
    pub fn parse(text: &str, settings: &Settings) -> Result<Toggle, EvalError> {
        let (name, given) = match text.split_once('=') {
            Some((name, given)) => (name.trim(), Some(given)),
            None => (text.trim(), None),
        };
        let Some(spec) = find(name) else {
            // The nearest name is found where all names are.
            let sentence = settings.clone().set(name, "", Source::Flag).err().unwrap_or_default();
            return Err(EvalError::usage(sentence, HINT));
        };
        let known: &[&str] = match spec.kind {
            SettingKind::Toggle => &["on", "off"],
            SettingKind::Choice(values) => values,
            _ => {
                let sentence = format!("{name} is neither a toggle nor a choice, so there is nothing to switch");
                return Err(EvalError::usage(sentence, HINT));
            }
        };
        let values = match given {
            Some(given) => two(given).ok_or_else(|| {
                EvalError::usage(
                    format!("{name} needs two values that differ; got {given:?}"),
                    format!("like --toggle {name}={},{}", known[0], known[1]),
                )
            })?,
            None if known.len() == 2 => {
                // As the product has it comes first.
                let other = known.iter().find(|value| **value != spec.default).unwrap_or(&known[1]);
                if spec.kind == SettingKind::Toggle { ["on", "off"] } else { [spec.default, *other] }
            }
            None => {
                return Err(EvalError::usage(
                    format!("{name} has {} values, so say which two to compare", known.len()),
                    format!("like --toggle {name}={},{}", known[0], known[1]),
                ));
            }
        };
        let arm = |value: &str| -> Result<Arm, EvalError> {
            let mut settings = settings.clone();
            settings.set(name, value, Source::Flag).map_err(|sentence| {
                EvalError::usage(sentence, format!("like --toggle {name}={},{}", known[0], known[1]))
            })?;
            Ok(Arm { value: settings.text(name).to_string(), settings })
        };
        let note = match spec.area {
            Area::Later(what) => Some(format!("{name} has no effect yet: it belongs to later work ({what})")),
            _ => None,
        };
        Ok(Toggle { name: name.to_string(), arms: [arm(values[0])?, arm(values[1])?], note })
    }

    /// Every setting that can be ablated, for help texts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let switchable = |kind: SettingKind| matches!(kind, SettingKind::Toggle | SettingKind::Choice(_));
        SETTINGS.iter().filter(move |spec| switchable(spec.kind)).map(|spec| spec.name)
    }
}

fn two(given: &str) -> Option<[&str; 2]> {
    let (first, second) = given.split_once(',')?;
    let (first, second) = (first.trim(), second.trim());
    (!first.is_empty() && !second.is_empty() && !second.contains(',') && first != second).then_some([first, second])
}

const HINT: &str = "toggles and choices are listed in docs/reference/settings.md, like done_gate or profile";

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Toggle, String> {
        Toggle::parse(text, &Settings::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn toggles_and_choices_become_two_arms() {
        for (text, values) in [
            ("done_gate", ["on", "off"]),
            ("strip_prediction_dots", ["on", "off"]),
            ("profile", ["surehand", "vectors"]),
            ("progress_windows", ["effect", "hash"]),
            ("done_gate_exhausted=judge,accept", ["judge", "accept"]),
            ("density_gate = off , always", ["off", "always"]),
            ("done_gate=off,on", ["off", "on"]),
        ] {
            let toggle = parse(text).unwrap();
            assert_eq!(toggle.arms.each_ref().map(|arm| arm.value.as_str()), values, "{text}");
        }
        let profile = parse("profile").unwrap();
        assert_eq!(profile.arms[1].settings.text("progress_windows"), "hash");
        for spec in SETTINGS {
            let Ok(toggle) = parse(spec.name) else { continue };
            assert_eq!(toggle.note.is_some(), matches!(spec.area, Area::Later(_)), "{}", spec.name);
        }
        assert!(Toggle::names().any(|name| name == "effect_verify") && Toggle::names().all(|name| name != "timeout"));
    }

    #[test]
    fn what_cannot_be_compared_is_said_in_one_sentence_with_a_hint() {
        for (text, expected) in [
            ("done_gat", "\"done_gat\" is not a setting; the nearest is \"done_gate\""),
            ("max_steps", "neither a toggle nor a choice"),
            ("done_gate_exhausted", "has 3 values, so say which two"),
            ("done_gate_exhausted=judge", "needs two values that differ"),
            ("done_gate_exhausted=judge,judge", "needs two values that differ"),
            ("done_gate_exhausted=judge,nope", "must be one of judge, unverified, accept"),
            ("profile=a,b,c", "needs two values"),
        ] {
            let sentence = parse(text).unwrap_err();
            assert!(sentence.contains(expected), "{sentence}");
            assert_eq!(sentence.matches("\nhint: ").count(), 1, "{sentence}");
        }
    }
}
