//! Settings from their sources, weakest first: user file, project file, environment, flags.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use surehand_types::Settings;
use surehand_types::settings::{Source, find};
use surehand_types::settings_table::SETTINGS;

use crate::args::CommonArguments;
use crate::exit::Failure;

/// Names the settings file.
const CONFIG_VARIABLE: &str = "SUREHAND_CONFIG";

/// Holds the token for `surehand run --remote`: a flag would show it to everybody on the machine.
pub(crate) const TOKEN_VARIABLE: &str = "SUREHAND_TOKEN";

/// Variables that begin with our prefix but are no settings.
const OTHER_VARIABLES: &[&str] = &[CONFIG_VARIABLE, TOKEN_VARIABLE];

pub(crate) fn load(arguments: &CommonArguments) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(file) = user_file().filter(|file| file.is_file()) {
        read_file(&mut settings, &file, Source::UserFile)?;
    }
    let named = arguments.config.clone().or_else(|| std::env::var_os(CONFIG_VARIABLE).map(PathBuf::from));
    match named {
        Some(file) => read_file(&mut settings, &file, Source::ProjectFile)?,
        None if Path::new("surehand.toml").is_file() => {
            read_file(&mut settings, Path::new("surehand.toml"), Source::ProjectFile)?;
        }
        None => {}
    }
    read_environment(&mut settings, std::env::vars_os())?;
    for pair in &arguments.set {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(Failure::usage(format!(
                "--set wants NAME=VALUE, got {pair:?}\nhint: like --set settle_cap=5s"
            )));
        };
        set_flag(&mut settings, name.trim(), value)?;
    }
    if let Some(data) = &arguments.data {
        set_flag(&mut settings, "data", &data.display().to_string())?;
    }
    match arguments.verbose {
        0 => {}
        1 => set_flag(&mut settings, "log", "info")?,
        _ => set_flag(&mut settings, "log", "debug")?,
    }
    Ok(settings)
}

/// A flag of its own that is a setting too.
pub(crate) fn set_flag(settings: &mut Settings, name: &str, value: &str) -> Result<(), Failure> {
    settings
        .set(name, value, Source::Flag)
        .map_err(|message| Failure::usage(format!("{message}\nhint: all settings are in docs/reference/settings.md")))
}

/// Those of several such flags that were given.
pub(crate) fn set_flags(settings: &mut Settings, flags: &[(&str, &Option<String>)]) -> Result<(), Failure> {
    let mut given = flags.iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    given.try_for_each(|(name, value)| set_flag(settings, name, value))
}

fn user_file() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("surehand").join("surehand.toml"))
}

fn read_file(settings: &mut Settings, file: &Path, source: Source) -> Result<(), Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("cannot read the settings file {shown}: {error}")))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let first = error.message().lines().next().unwrap_or_default().to_string();
        Failure::usage(format!("{shown} is not valid TOML: {first}"))
    })?;
    for (name, value) in table {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Boolean(on) => if on { "on" } else { "off" }.to_string(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
                return Err(Failure::usage(format!("{shown}: {name} must be a text, a number or true/false")));
            }
        };
        settings.set(&name, &text, source).map_err(|message| Failure::usage(format!("{shown}: {message}")))?;
    }
    Ok(())
}

/// An unknown variable of ours is worth a warning, never an error: it may be for another version.
fn read_environment(
    settings: &mut Settings,
    variables: impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
) -> Result<(), Failure> {
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|name| name.starts_with("SUREHAND_")) else {
            continue;
        };
        if OTHER_VARIABLES.contains(&name) {
            continue;
        }
        let setting = name["SUREHAND_".len()..].to_ascii_lowercase();
        if find(&setting).is_none() {
            let nearest = SETTINGS
                .iter()
                .min_by_key(|spec| surehand_types::keys::edit_distance(&setting, spec.name))
                .map(|spec| spec.environment_variable())
                .unwrap_or_default();
            eprintln!("surehand: warning: {name} is not a known variable (nearest: {nearest}); it is ignored");
            continue;
        }
        let Some(value) = value.to_str() else {
            return Err(Failure::usage(format!("{name} is not valid UTF-8")));
        };
        settings
            .set(&setting, value, Source::Environment)
            .map_err(|message| Failure::usage(format!("{name}: {message}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_set_what_they_name_and_unknown_ones_are_ignored() {
        let mut settings = Settings::default();
        let variables = [("SUREHAND_DONE_GATE", "off"), ("SUREHAND_NO_SUCH", "1"), ("PATH", "/bin")];
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        read_environment(&mut settings, variables.into_iter()).unwrap();
        assert!(!settings.is_on("done_gate"));
        let bad = [("SUREHAND_DONE_GATE".into(), "maybe".into())];
        let failure = read_environment(&mut settings, bad.into_iter()).unwrap_err();
        assert!(failure.message.starts_with("SUREHAND_DONE_GATE: done_gate must be on or off"));
    }
}
