//! From settings and flags to a browser that is ready, and the data folder it works in.

use std::path::Path;

use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions, reap_orphans};
use surehand_eval::{BrowserChoice, browser_options};
use surehand_store::DataDir;
use surehand_types::Settings;

use crate::args::BrowserArguments;
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
    for root in &arguments.upload_root {
        if !root.is_dir() {
            return Err(Failure::usage(format!("--upload-root {} is not a folder", root.display())));
        }
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
        use surehand_env::Environment;
        env.close().await;
        return Err(error.into());
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
    Ok(browser_options(settings, &choice, data, downloads)?)
}
