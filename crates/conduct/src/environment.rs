//! From settings and what was said beside them to a browser or a desktop that is ready.

use std::path::Path;
use std::sync::Arc;

use surehand_env::Environment;
use surehand_env::browser::{AttachOptions, BrowserEnv, BrowserOptions, Secrets, check_start_url, reap_orphans};
use surehand_env::desktop::{DesktopEnv, DesktopSpec};
use surehand_store::DataDir;
use surehand_types::Settings;

use crate::browser::{BrowserChoice, browser_options, desktop_options};
use crate::error::ConductError;

/// A browser of our own, unless it names something else.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentChoice {
    /// A desktop instead of a browser: a display, or `xvfb`.
    pub desktop: Option<String>,
    /// What is started on the desktop.
    pub app: Option<String>,
    /// A running browser to attach to, and the page there.
    pub cdp: Option<String>,
    pub target: Option<String>,
    /// An attached page gets the size of the settings; else its own is left alone.
    pub resize: bool,
    pub browser: BrowserChoice,
    pub secrets: Arc<Secrets>,
}

/// Launches or attaches, and opens the start page.
pub async fn open_environment(
    settings: &Settings,
    choice: &EnvironmentChoice,
    data: &DataDir,
    downloads: &Path,
    url: Option<&str>,
) -> Result<Box<dyn Environment>, ConductError> {
    match &choice.desktop {
        Some(spec) => Ok(Box::new(open_desktop(settings, choice, data, spec).await?)),
        None => Ok(Box::new(open_browser(settings, choice, data, downloads, url).await?)),
    }
}

async fn open_browser(
    settings: &Settings,
    choice: &EnvironmentChoice,
    data: &DataDir,
    downloads: &Path,
    url: Option<&str>,
) -> Result<BrowserEnv, ConductError> {
    let options = options(settings, choice, data, downloads)?;
    if let Some(url) = url {
        check_start_url(&options, url)?;
    }
    let mut env = match &choice.cdp {
        Some(cdp) => {
            let viewport = choice.resize.then(|| settings.size("viewport"));
            let attach = AttachOptions { url: cdp.clone(), target: choice.target.clone(), viewport };
            BrowserEnv::attach(&attach, &options).await?
        }
        None => {
            reap(data);
            BrowserEnv::launch(&options).await?
        }
    };
    if let Some(url) = url
        && let Err(error) = env.open_start_url(url).await
    {
        env.close().await;
        return Err(error.into());
    }
    Ok(env)
}

async fn open_desktop(
    settings: &Settings,
    choice: &EnvironmentChoice,
    data: &DataDir,
    spec: &str,
) -> Result<DesktopEnv, ConductError> {
    let spec = DesktopSpec::parse(spec).map_err(ConductError::usage)?;
    reap(data);
    Ok(DesktopEnv::start(&desktop_options(settings, spec, choice.app.clone(), data)).await?)
}

fn reap(data: &DataDir) {
    let reaped = reap_orphans(&data.owners());
    if reaped > 0 {
        tracing::warn!(reaped, "ended what an earlier run left behind");
    }
}

fn options(
    settings: &Settings,
    choice: &EnvironmentChoice,
    data: &DataDir,
    downloads: &Path,
) -> Result<BrowserOptions, ConductError> {
    if choice.cdp.is_none() {
        std::fs::create_dir_all(downloads)
            .map_err(|error| ConductError::usage(format!("cannot create {}: {error}", downloads.display())))?;
    }
    let secrets = Arc::clone(&choice.secrets);
    Ok(BrowserOptions { secrets, ..browser_options(settings, &choice.browser, data, downloads)? })
}
