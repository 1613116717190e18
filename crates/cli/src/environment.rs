//! From flags to settings and to what is said of the environment beside them, and the data folder it works in.

use std::sync::Arc;

use surehand_checks::before::allowlist::Allowlist;
use surehand_conduct::{BrowserChoice, EnvironmentChoice};
use surehand_env::desktop::DesktopSpec;
use surehand_store::DataDir;
use surehand_types::Settings;

use crate::args::{BrowserArguments, ConsentArguments};
use crate::args_referee::RefereeArguments;
use crate::exit::Failure;
use crate::settings::set_flag;

pub(crate) fn open_data(settings: &Settings) -> Result<DataDir, Failure> {
    let path = match settings.optional_text("data") {
        Some(path) => path.into(),
        None => DataDir::default_path()?,
    };
    Ok(DataDir::open(path)?)
}

/// Flags that are settings override them.
pub(crate) fn apply_flags(
    settings: &mut Settings,
    arguments: &BrowserArguments,
    url: Option<&str>,
) -> Result<(), Failure> {
    refuse_beside_desktop(arguments, url)?;
    if let Some(viewport) = &arguments.viewport {
        set_flag(settings, "viewport", viewport)?;
    }
    if !arguments.allow.is_empty() {
        Allowlist::parse(&arguments.allow).map_err(|wrong| {
            Failure::usage(format!(
                "{wrong}\nhint: --allow example.com, --allow '*.example.com', --allow 127.0.0.1:8000"
            ))
        })?;
        set_flag(settings, "allow", &arguments.allow.join(" "))?;
    }
    for root in &arguments.upload_root {
        if !root.is_dir() {
            return Err(Failure::usage(format!("--upload-root {} is not a folder", root.display())));
        }
    }
    Ok(())
}

/// What only a browser has is refused before anything starts.
fn refuse_beside_desktop(arguments: &BrowserArguments, url: Option<&str>) -> Result<(), Failure> {
    let Some(spec) = &arguments.desktop else { return Ok(()) };
    DesktopSpec::parse(spec).map_err(Failure::usage)?;
    let refused = [
        ("--url", url.is_some(), "a desktop has no address; --app starts the application"),
        ("--cdp", arguments.cdp.is_some(), "--desktop :1 names the display to drive"),
        ("--viewport", arguments.viewport.is_some(), "--desktop xvfb:1280x720 gives the display a size"),
        ("--headed", arguments.headed, "--desktop :1 drives a display that you can see"),
        ("--session", arguments.session.is_some(), "applications keep their own settings in HOME"),
        (
            "--allow",
            !arguments.allow.is_empty(),
            "addresses can only be refused to a browser; restrict the application's network outside",
        ),
        ("--secret", !arguments.secret.is_empty(), "a secret is bound to the origin of a page, and a desktop has none"),
        ("--upload-root", !arguments.upload_root.is_empty(), "applications open files through their own dialogs"),
    ];
    match refused.iter().find(|(_, given, _)| *given) {
        Some((flag, _, hint)) => Err(Failure::usage(format!("{flag} cannot be used with --desktop\nhint: {hint}"))),
        None => Ok(()),
    }
}

/// The same for what needs a person.
pub(crate) fn apply_consent(settings: &mut Settings, arguments: &ConsentArguments) -> Result<(), Failure> {
    if let Some(confirm) = &arguments.confirm {
        set_flag(settings, "confirm", confirm)?;
    }
    if let Some(policy) = &arguments.policy {
        set_flag(settings, "policy", &policy.display().to_string())?;
    }
    Ok(())
}

/// The same for the referee.
pub(crate) fn apply_referee(settings: &mut Settings, arguments: &RefereeArguments) -> Result<(), Failure> {
    if let Some(judge) = &arguments.judge {
        set_flag(settings, "judge_model", judge)?;
    }
    if let Some(accept) = &arguments.accept {
        set_flag(settings, "accept", accept)?;
    }
    Ok(())
}

/// What the flags say of the environment, beside the settings.
pub(crate) fn environment_choice(arguments: &BrowserArguments) -> EnvironmentChoice {
    EnvironmentChoice {
        desktop: arguments.desktop.clone(),
        app: arguments.app.clone(),
        cdp: arguments.cdp.clone(),
        target: arguments.target.clone(),
        resize: arguments.viewport.is_some(),
        browser: BrowserChoice {
            headed: arguments.headed,
            session: arguments.session.clone(),
            upload_roots: arguments.upload_root.clone(),
            ..BrowserChoice::default()
        },
        secrets: Arc::clone(&arguments.secrets),
    }
}

/// What an environment has to say before the first step.
pub(crate) fn say_notes(notes: Vec<String>) {
    for note in notes {
        eprintln!("surehand: {note}");
    }
}
