//! From settings to the options of a browser or a desktop, for everybody who launches one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use surehand_checks::before::allowlist::{Allowlist, OffLimits};
use surehand_env::browser::{BrowserOptions, DownloadLimits, Login, Pace, SessionProfile, SiteSettings, Timing};
use surehand_env::desktop::{DesktopOptions, DesktopSpec};
use surehand_store::DataDir;
use surehand_types::{Encoding, Secret, Settings};

use crate::error::ConductError;

/// What is said of a browser beside its settings.
#[derive(Debug, Clone, Default)]
pub struct BrowserChoice {
    pub headed: bool,
    /// A named profile instead of a fresh one.
    pub session: Option<String>,
    pub upload_roots: Vec<PathBuf>,
    /// Only http and https are opened: files of this machine are not for whoever asks.
    pub web_only: bool,
    /// Places that are not reached although they may be allowed: those of the server that starts the run.
    pub off_limits: OffLimits,
}

pub fn browser_options(
    settings: &Settings,
    choice: &BrowserChoice,
    data: &DataDir,
    downloads: &Path,
) -> Result<BrowserOptions, ConductError> {
    let declared = settings.text("upload_roots").split(':').filter(|root| !root.is_empty()).map(PathBuf::from);
    Ok(BrowserOptions {
        executable: settings.optional_text("chromium").map(str::to_string),
        headed: choice.headed,
        viewport: settings.size("viewport"),
        scale: settings.number("device_scale_factor"),
        extra_flags: settings.text("chromium_args").split_whitespace().map(str::to_string).collect(),
        session: choice.session.clone().map(|name| SessionProfile { folder: data.sessions(), name }),
        owners_folder: Some(data.owners()),
        downloads: Some(downloads.to_path_buf()),
        encoding: if settings.text("frame_format") == "jpeg" { Encoding::Jpeg } else { Encoding::Png },
        pace: pace(settings),
        timing: timing(settings),
        probing: probing(settings),
        adaptive_settle: settings.is_on("adaptive_settle"),
        native_controls: settings.is_on("native_controls"),
        upload_roots: declared.chain(choice.upload_roots.iter().cloned()).collect(),
        never_upload: vec![data.root().to_path_buf()],
        download_limits: DownloadLimits {
            bytes: u64::try_from(settings.integer("download_cap_mb")).unwrap_or_default().saturating_mul(1_000_000),
            count: u32::try_from(settings.integer("download_limit")).unwrap_or_default(),
            deadline: settings.duration("download_timeout"),
        },
        site: site_settings(settings)?,
        show_hand: false,
        web_only: choice.web_only,
        allow: allowlist(settings)?,
        off_limits: choice.off_limits.clone(),
        secrets: Arc::default(),
    })
}

pub fn desktop_options(settings: &Settings, spec: DesktopSpec, app: Option<String>, data: &DataDir) -> DesktopOptions {
    DesktopOptions {
        app,
        owners_folder: Some(data.owners()),
        pace: pace(settings),
        timing: timing(settings),
        probing: probing(settings),
        adaptive_settle: settings.is_on("adaptive_settle"),
        ..DesktopOptions::new(spec)
    }
}

fn pace(settings: &Settings) -> Pace {
    if settings.text("pace") == "human" { Pace::Human } else { Pace::Fast }
}

fn probing(settings: &Settings) -> bool {
    settings.is_on("noop_probe") && settings.is_on("effect_verify")
}

fn timing(settings: &Settings) -> Timing {
    Timing {
        launch: settings.duration("launch_timeout"),
        call: settings.duration("call_timeout"),
        navigation: settings.duration("navigation_timeout"),
        hover_cap: settings.duration("hover_settle_cap"),
        settle_cap: settings.duration("settle_cap"),
        patience: settings.duration("no_effect_patience"),
    }
}

pub(crate) fn allowlist(settings: &Settings) -> Result<Option<Arc<Allowlist>>, ConductError> {
    let Some(text) = settings.optional_text("allow") else { return Ok(None) };
    let list = Allowlist::parse_text(text).map_err(|sentence| {
        ConductError::with_hint(sentence, "allow names hosts like example.com, *.example.com or 127.0.0.1:8000")
    })?;
    Ok(Some(Arc::new(list)))
}

fn site_settings(settings: &Settings) -> Result<SiteSettings, ConductError> {
    let text = |name: &str| settings.optional_text(name).map(str::to_string);
    let (proxy, proxy_login) = match settings.optional_text("proxy") {
        Some(proxy) => split_proxy(proxy)?,
        None => (None, None),
    };
    let login = match settings.optional_text("http_auth") {
        Some(given) => Some(login(given, "http_auth").ok_or_else(|| wrong("http_auth must be name:password"))?),
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
fn split_proxy(given: &str) -> Result<(Option<String>, Option<Login>), ConductError> {
    let (scheme, rest) = given.split_once("://").unwrap_or(("http", given));
    let (credentials, server) = match rest.rsplit_once('@') {
        Some((credentials, server)) => (Some(credentials), server),
        None => (None, rest),
    };
    if server.is_empty() || server.contains(char::is_whitespace) {
        return Err(wrong("proxy must be like http://127.0.0.1:3128"));
    }
    let login = match credentials {
        Some(credentials) => {
            Some(login(credentials, "proxy").ok_or_else(|| wrong("proxy credentials must be name:password"))?)
        }
        None => None,
    };
    Ok((Some(format!("{scheme}://{}", server.trim_end_matches('/'))), login))
}

fn login(given: &str, name: &str) -> Option<Login> {
    let (user, password) = given.split_once(':')?;
    Some(Login { name: user.to_string(), password: Secret::new(name, password) })
}

fn wrong(sentence: &str) -> ConductError {
    ConductError::with_hint(sentence, "all settings are in docs/reference/settings.md")
}
