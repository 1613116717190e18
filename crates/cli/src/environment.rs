//! From settings and flags to a browser or a desktop that is ready, and the data folder it works in.

use std::path::Path;

use surehand_checks::before::allowlist::Allowlist;
use surehand_env::Environment;
use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions, check_start_url, reap_orphans};
use surehand_env::desktop::{DesktopEnv, DesktopSpec};
use surehand_eval::{BrowserChoice, browser_options, desktop_options};
use surehand_store::DataDir;
use surehand_types::Settings;

use crate::args::{BrowserArguments, ConsentArguments};
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

/// What the flags ask for: a browser, unless they name a desktop.
pub(crate) async fn open_environment(
    settings: &Settings,
    arguments: &BrowserArguments,
    data: &DataDir,
    downloads: &Path,
    url: Option<&str>,
) -> Result<Box<dyn Environment>, Failure> {
    match &arguments.desktop {
        Some(spec) => Ok(Box::new(open_desktop(settings, arguments, data, spec).await?)),
        None => Ok(Box::new(open_browser(settings, arguments, data, downloads, url).await?)),
    }
}

/// Launches or attaches, and opens the start page.
async fn open_browser(
    settings: &Settings,
    arguments: &BrowserArguments,
    data: &DataDir,
    downloads: &Path,
    url: Option<&str>,
) -> Result<BrowserEnv, Failure> {
    let options = options(settings, arguments, data, downloads)?;
    if let Some(url) = url {
        check_start_url(&options, url)?;
    }
    let mut env = match &arguments.cdp {
        Some(cdp) => {
            let viewport = arguments.viewport.is_some().then(|| settings.size("viewport"));
            let attach = AttachOptions { url: cdp.clone(), target: arguments.target.clone(), viewport };
            BrowserEnv::attach(&attach, &options).await?
        }
        None => {
            let reaped = reap_orphans(&data.owners());
            if reaped > 0 {
                tracing::warn!(reaped, "ended browsers that an earlier run left behind");
            }
            BrowserEnv::launch(&options).await?
        }
    };
    if let Some(url) = url
        && let Err(error) = env.open_start_url(url).await
    {
        env.close().await;
        return Err(error.into());
    }
    for note in env.notes() {
        eprintln!("surehand: {note}");
    }
    Ok(env)
}

async fn open_desktop(
    settings: &Settings,
    arguments: &BrowserArguments,
    data: &DataDir,
    spec: &str,
) -> Result<DesktopEnv, Failure> {
    let spec = DesktopSpec::parse(spec).map_err(Failure::usage)?;
    let reaped = reap_orphans(&data.owners());
    if reaped > 0 {
        tracing::warn!(reaped, "ended what an earlier run left behind");
    }
    let env = DesktopEnv::start(&desktop_options(settings, spec, arguments.app.clone(), data)).await?;
    for note in env.notes() {
        eprintln!("surehand: {note}");
    }
    Ok(env)
}

fn options(
    settings: &Settings,
    arguments: &BrowserArguments,
    data: &DataDir,
    downloads: &Path,
) -> Result<BrowserOptions, Failure> {
    if arguments.cdp.is_none() {
        std::fs::create_dir_all(downloads)
            .map_err(|error| Failure::usage(format!("cannot create {}: {error}", downloads.display())))?;
    }
    let choice = BrowserChoice {
        headed: arguments.headed,
        session: arguments.session.clone(),
        upload_roots: arguments.upload_root.clone(),
    };
    let secrets = arguments.secrets.clone();
    Ok(BrowserOptions { secrets, ..browser_options(settings, &choice, data, downloads)? })
}
