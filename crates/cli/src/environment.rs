//! From settings and flags to a browser that is ready, and the data folder it works in.

use std::path::Path;

use surehand_checks::before::allowlist::Allowlist;
use surehand_env::Environment;
use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions, check_start_url, reap_orphans};
use surehand_eval::{BrowserChoice, browser_options};
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
pub(crate) fn apply_flags(settings: &mut Settings, arguments: &BrowserArguments) -> Result<(), Failure> {
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

/// Launches or attaches, and opens the start page.
pub(crate) async fn open_browser(
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
