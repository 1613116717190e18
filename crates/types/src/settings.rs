//! Settings as values: one declaration each (in `settings_table`), text in, typed values out, and
//! the source of every value remembered. Reading files and the environment is the binary's job.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::keys::edit_distance;
use crate::settings_table::{SENSITIVE, SETTINGS};

/// One declared setting. Its environment variable is `SUREHAND_` plus the upper-case name.
#[derive(Debug)]
pub struct SettingSpec {
    pub name: &'static str,
    pub kind: SettingKind,
    pub default: &'static str,
    /// Value in the `vectors` profile with the reason, where it differs.
    pub vectors: Option<(&'static str, &'static str)>,
    pub area: Area,
    pub doc: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SettingKind {
    /// `on` or `off`. The checks among these are what `ablate` compares.
    Toggle,
    Choice(&'static [&'static str]),
    Integer {
        min: i64,
        max: i64,
    },
    Number {
        min: f64,
        max: f64,
    },
    /// `1.8`, `1.8s`, `250ms`, `5m`, `2h`.
    Seconds {
        min: f64,
        max: f64,
    },
    /// `1280x720`.
    Size,
    Text,
}

/// Which part of the product reads the setting; `Later` ones are declared but have no effect yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    Run,
    Browser,
    Pointer,
    Storage,
    Verification,
    Brains,
    Referee,
    Memory,
    Serving,
    /// Declared now so that files, variables and docs do not change when the feature arrives.
    Later(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Default,
    Profile,
    UserFile,
    ProjectFile,
    Environment,
    Flag,
}

/// All settings with their values.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    values: BTreeMap<&'static str, (String, Source)>,
}

impl SettingSpec {
    pub fn environment_variable(&self) -> String {
        format!("SUREHAND_{}", self.name.to_ascii_uppercase())
    }
}

impl Default for Settings {
    fn default() -> Self {
        let values = SETTINGS.iter().map(|spec| (spec.name, (spec.default.to_string(), Source::Default))).collect();
        Settings { values }
    }
}

impl Settings {
    /// Sets one value. A weaker source never overrides a stronger one. The error is one sentence.
    pub fn set(&mut self, name: &str, value: &str, source: Source) -> Result<(), String> {
        let Some(spec) = find(name) else {
            return Err(unknown_setting(name));
        };
        let value = normalised(spec, value)?;
        let old = self.values.get(spec.name).map_or(Source::Default, |(_, source)| *source);
        if source < old {
            return Ok(());
        }
        if spec.name == "profile" {
            self.apply_profile(&value);
        }
        self.values.insert(spec.name, (value, source));
        Ok(())
    }

    pub fn text(&self, name: &str) -> &str {
        debug_assert!(find(name).is_some(), "{name} is not declared in settings_table");
        self.values.get(name).map_or("", |(value, _)| value.as_str())
    }

    pub fn source(&self, name: &str) -> Source {
        self.values.get(name).map_or(Source::Default, |(_, source)| *source)
    }

    pub fn is_on(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }

    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    pub fn duration(&self, name: &str) -> Duration {
        parse_seconds(self.text(name)).and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or_default()
    }

    /// `None` for an empty text, which is how "not set" is spelled.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    pub fn size(&self, name: &str) -> crate::coords::ViewSize {
        parse_size(self.text(name)).unwrap_or(crate::coords::ViewSize { width: 1280, height: 720 })
    }

    /// Every value that is not the default: what the result records as `toggles`. Values that may hold credentials are
    /// only said to be set, and what is about this machine alone is no part of it.
    pub fn changed(&self) -> BTreeMap<String, String> {
        SETTINGS
            .iter()
            .filter(|spec| self.text(spec.name) != spec.default)
            .filter(|spec| spec.area != Area::Serving && !matches!(spec.name, "data" | "log"))
            .map(|spec| {
                let shown = if SENSITIVE.contains(&spec.name) { "(set)" } else { self.text(spec.name) };
                (spec.name.to_string(), shown.to_string())
            })
            .collect()
    }

    fn apply_profile(&mut self, profile: &str) {
        for spec in SETTINGS {
            let Some((value, _)) = spec.vectors else {
                continue;
            };
            let slot = self.values.entry(spec.name).or_insert_with(|| (spec.default.to_string(), Source::Default));
            if slot.1 <= Source::Profile {
                *slot = if profile == "vectors" {
                    (value.to_string(), Source::Profile)
                } else {
                    (spec.default.to_string(), Source::Default)
                };
            }
        }
    }
}

pub fn find(name: &str) -> Option<&'static SettingSpec> {
    SETTINGS.iter().find(|spec| spec.name == name)
}

fn unknown_setting(name: &str) -> String {
    let shown: String = name.chars().take(40).collect();
    let nearest = SETTINGS.iter().map(|spec| spec.name).min_by_key(|known| edit_distance(&shown, known)).unwrap_or("");
    format!("{shown:?} is not a setting; the nearest is {nearest:?}")
}

/// The canonical spelling of a value, or one sentence about what is wrong with it.
fn normalised(spec: &SettingSpec, value: &str) -> Result<String, String> {
    let trimmed = value.trim();
    let wrong = |expected: String| {
        let shown: String = trimmed.chars().take(60).collect();
        Err(format!("{} must be {expected}; got {shown:?}", spec.name))
    };
    match spec.kind {
        SettingKind::Toggle => match trimmed.to_ascii_lowercase().as_str() {
            "on" | "true" | "1" | "yes" => Ok("on".into()),
            "off" | "false" | "0" | "no" => Ok("off".into()),
            _ => wrong("on or off".into()),
        },
        SettingKind::Choice(values) => {
            let lower = trimmed.to_ascii_lowercase();
            if values.contains(&lower.as_str()) { Ok(lower) } else { wrong(format!("one of {}", values.join(", "))) }
        }
        SettingKind::Integer { min, max } => match trimmed.parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(number.to_string()),
            _ => wrong(format!("an integer from {min} to {max}")),
        },
        SettingKind::Number { min, max } => match trimmed.parse::<f64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(number.to_string()),
            _ => wrong(format!("a number from {min} to {max}")),
        },
        SettingKind::Seconds { min, max } => match parse_seconds(trimmed) {
            Some(seconds) if (min..=max).contains(&seconds) => Ok(seconds.to_string()),
            _ => wrong(format!("a time from {min} to {max} seconds, like 2.5, 250ms or 5m")),
        },
        SettingKind::Size => match parse_size(trimmed) {
            Some(size) => Ok(format!("{}x{}", size.width, size.height)),
            None => wrong("a size from 100x100 to 8192x8192, like 1280x720".into()),
        },
        SettingKind::Text if value.len() <= 4096 && !value.contains('\0') => Ok(value.to_string()),
        SettingKind::Text => wrong("a text of at most 4096 bytes".into()),
    }
}

/// Seconds from `2.5`, `2.5s`, `250ms`, `5m`, `1h`.
pub fn parse_seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, factor) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else if let Some(number) = text.strip_suffix('h') {
        (number, 3600.0)
    } else {
        (text, 1.0)
    };
    let value: f64 = number.trim().parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value * factor)
}

pub fn parse_size(text: &str) -> Option<crate::coords::ViewSize> {
    let (width, height) = text.trim().split_once(['x', 'X'])?;
    let side = |text: &str| text.trim().parse::<u32>().ok().filter(|side| (100..=8192).contains(side));
    Some(crate::coords::ViewSize { width: side(width)?, height: side(height)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stronger_source_wins_whatever_the_order() {
        let mut settings = Settings::default();
        settings.set("settle_cap", "5s", Source::Flag).unwrap();
        settings.set("settle_cap", "1s", Source::ProjectFile).unwrap();
        assert_eq!(settings.duration("settle_cap"), Duration::from_secs(5));
        assert_eq!(settings.changed().get("settle_cap").map(String::as_str), Some("5"));
    }

    #[test]
    fn the_vectors_profile_changes_only_what_nobody_set() {
        let mut settings = Settings::default();
        settings.set("done_gate_exhausted", "accept", Source::Environment).unwrap();
        settings.set("profile", "vectors", Source::Flag).unwrap();
        assert_eq!(settings.text("done_gate_exhausted"), "accept");
        assert_eq!(settings.text("progress_windows"), "hash");
        settings.set("profile", "surehand", Source::Flag).unwrap();
        assert_eq!(settings.text("progress_windows"), "effect");
    }

    #[test]
    fn bad_values_are_one_sentence() {
        let mut settings = Settings::default();
        for (name, value, expected) in [
            ("done_gate", "maybe", "done_gate must be on or off; got \"maybe\""),
            ("density_gate", "x", "density_gate must be one of always, smart, off; got \"x\""),
            ("viewport", "12x12", "viewport must be a size"),
            ("settle_cap", "-1", "settle_cap must be a time"),
            ("settle_cap", "NaN", "settle_cap must be a time"),
            ("settlecap", "1", "\"settlecap\" is not a setting; the nearest is \"settle_cap\""),
        ] {
            let message = settings.set(name, value, Source::Flag).unwrap_err();
            assert!(message.starts_with(expected), "{message}");
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn every_declaration_is_sound() {
        for (index, spec) in SETTINGS.iter().enumerate() {
            assert_eq!(normalised(spec, spec.default).as_deref(), Ok(spec.default), "{}", spec.name);
            if let Some((value, why)) = spec.vectors {
                assert_eq!(normalised(spec, value).as_deref(), Ok(value), "{}", spec.name);
                assert!(!why.is_empty());
            }
            assert!(SETTINGS[..index].iter().all(|other| other.name != spec.name), "{} twice", spec.name);
            assert!(spec.doc.ends_with('.'), "{}: doc lines are sentences", spec.name);
        }
    }
}
