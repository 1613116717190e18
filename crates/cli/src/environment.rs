//! From settings and flags to a browser that is ready, and the data folder it works in.

use std::path::{Path, PathBuf};

use surehand_checks::before::GuardList;
use surehand_checks::before::density::{DensityGate, GateMode};
use surehand_env::browser::{
    AttachOptions, BrowserEnv, BrowserOptions, Login, Pace, SessionProfile, SiteSettings, Timing, reap_orphans,
};
use surehand_store::DataDir;
use surehand_types::{Encoding, Secret, Settings};

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

/// What every call has to pass, whatever door it came through.
pub(crate) fn guards(settings: &Settings) -> GuardList {
    GuardList::new(vec![Box::new(DensityGate { mode: GateMode::parse(settings.text("density_gate")) })])
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
    Ok(BrowserOptions {
        executable: settings.optional_text("chromium").map(str::to_string),
        headed: arguments.headed,
        viewport: settings.size("viewport"),
        scale: settings.number("device_scale_factor"),
        extra_flags: settings.text("chromium_args").split_whitespace().map(str::to_string).collect(),
        session: arguments.session.clone().map(|name| SessionProfile { folder: data.sessions(), name }),
        owners_folder: Some(data.owners()),
        downloads: Some(downloads.to_path_buf()),
        encoding: if settings.text("frame_format") == "jpeg" { Encoding::Jpeg } else { Encoding::Png },
        pace: if settings.text("pace") == "human" { Pace::Human } else { Pace::Fast },
        timing: Timing {
            launch: settings.duration("launch_timeout"),
            call: settings.duration("call_timeout"),
            navigation: settings.duration("navigation_timeout"),
            hover_cap: settings.duration("hover_settle_cap"),
            settle_cap: settings.duration("settle_cap"),
            patience: settings.duration("no_effect_patience"),
        },
        probing: settings.is_on("noop_probe") && settings.is_on("effect_verify"),
        native_controls: settings.is_on("native_controls"),
        upload_roots: upload_roots(settings, arguments),
        site: site_settings(settings)?,
        show_hand: false,
    })
}

fn upload_roots(settings: &Settings, arguments: &BrowserArguments) -> Vec<PathBuf> {
    let declared = settings.text("upload_roots").split(':').filter(|root| !root.is_empty()).map(PathBuf::from);
    declared.chain(arguments.upload_root.iter().cloned()).collect()
}

fn site_settings(settings: &Settings) -> Result<SiteSettings, Failure> {
    let text = |name: &str| settings.optional_text(name).map(str::to_string);
    let (proxy, proxy_login) = match settings.optional_text("proxy") {
        Some(proxy) => split_proxy(proxy)?,
        None => (None, None),
    };
    let login = match settings.optional_text("http_auth") {
        Some(given) => Some(
            login(given, "http_auth").ok_or_else(|| Failure::usage("http_auth must be name:password".to_string()))?,
        ),
        None => None,
    };
    Ok(SiteSettings {
        locale: text("locale"),
        timezone: text("timezone"),
        accept_language: text("accept_language"),
        user_agent: text("user_agent"),
        proxy,
        proxy_login,
        login,
        ignore_tls_errors: settings.is_on("ignore_tls_errors"),
    })
}

/// The server for the browser's flag, and the credentials that it asks for later.
fn split_proxy(given: &str) -> Result<(Option<String>, Option<Login>), Failure> {
    let (scheme, rest) = given.split_once("://").unwrap_or(("http", given));
    let (credentials, server) = match rest.rsplit_once('@') {
        Some((credentials, server)) => (Some(credentials), server),
        None => (None, rest),
    };
    if server.is_empty() || server.contains(char::is_whitespace) {
        return Err(Failure::usage("proxy must be like http://127.0.0.1:3128".to_string()));
    }
    let login = match credentials {
        Some(credentials) => Some(
            login(credentials, "proxy")
                .ok_or_else(|| Failure::usage("proxy credentials must be name:password".to_string()))?,
        ),
        None => None,
    };
    Ok((Some(format!("{scheme}://{}", server.trim_end_matches('/'))), login))
}

fn login(given: &str, name: &str) -> Option<Login> {
    let (user, password) = given.split_once(':')?;
    Some(Login { name: user.to_string(), password: Secret::new(name, password) })
}
