//! Starts a browser with a debugging pipe and a profile of its own, and ends its whole process
//! group: on close, on drop, and (through the owner file) at the next start after a `kill -9`.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use tokio::process::{Child, Command};

use super::BrowserOptions;
use super::owner::{Ownership, kill_group};
use super::profile::ProfileLock;
use crate::EnvError;
use crate::cdp::Transport;

pub(crate) const PROFILE_PREFIX: &str = "surehand-profile-";

/// A running browser of ours.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    child: Child,
    pid: u32,
    ownership: Option<Ownership>,
    temporary_profile: Option<tempfile::TempDir>,
    _profile_lock: Option<ProfileLock>,
}

/// Flags that make Chromium quiet, steady and driveable; each line says why.
fn flags(options: &BrowserOptions, profile: &Path) -> Vec<String> {
    let size = options.viewport;
    let mut flags: Vec<String> = [
        "--remote-debugging-pipe",
        // No first-run pages, sync, updates or other traffic of its own.
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-breakpad",
        "--metrics-recording-only",
        "--no-service-autorun",
        "--password-store=basic",
        "--use-mock-keychain",
        // window.open must reach us as a tab (trap 10).
        "--disable-popup-blocking",
        // A tab in the background must not be slowed down.
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--disable-hang-monitor",
        "--disable-ipc-flooding-protection",
        // Small /dev/shm in containers kills renderers.
        "--disable-dev-shm-usage",
        // Captures through a fresh surface: measured 33 instead of 47 ms for JPEG, and a real fence.
        "--enable-features=CDPScreenshotNewSurface",
        // Interface of the browser itself that would cover the page, and prefetching nobody asked for.
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,HttpsUpgrades,PaintHolding",
        "--force-color-profile=srgb",
        "--mute-audio",
    ]
    .into_iter()
    .map(str::to_string)
    .collect();
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--window-size={},{}", size.width, size.height + 87));
    if let Some(proxy) = &options.site.proxy {
        flags.push(format!("--proxy-server={proxy}"));
        // Without this, addresses of this machine would go around the proxy.
        flags.push("--proxy-bypass-list=<-loopback>".into());
    }
    if let Some(locale) = &options.site.locale {
        flags.push(format!("--lang={locale}"));
    }
    if !options.headed {
        flags.push("--headless".into());
        flags.push("--disable-gpu".into());
        // A machine without a mouse would tell pages that nobody can hover; our hand can.
        flags.push(
            "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"
                .into(),
        );
    }
    if rustix::process::geteuid().is_root() {
        flags.push("--no-sandbox".into());
        flags.push("--test-type".into());
    }
    flags.extend(options.extra_flags.iter().cloned());
    flags.push("about:blank".into());
    flags
}

impl BrowserProcess {
    pub(crate) fn launch(options: &BrowserOptions) -> Result<(BrowserProcess, Transport), EnvError> {
        let path = super::find::find_browser(options.executable.as_deref()).ok_or(EnvError::NoBrowser)?;
        let launch_error = |message: String| EnvError::Launch { path: path.display().to_string(), message };

        let (profile, temporary_profile, profile_lock) = prepare_profile(options)?;
        let (browser_reads, we_write) = std::io::pipe().map_err(EnvError::io("cannot make a pipe"))?;
        let (we_read, browser_writes) = std::io::pipe().map_err(EnvError::io("cannot make a pipe"))?;

        let mut command = std::process::Command::new(&path);
        command
            .args(flags(options, &profile))
            .env_clear()
            .envs(minimal_environment())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Its own group, so that Ctrl-C in the terminal reaches us and not the browser first.
            .process_group(0);
        command
            .fd_mappings(vec![
                FdMapping { parent_fd: OwnedFd::from(browser_reads), child_fd: 3 },
                FdMapping { parent_fd: OwnedFd::from(browser_writes), child_fd: 4 },
            ])
            .map_err(|error| launch_error(error.to_string()))?;
        let mut command = Command::from(command);
        command.kill_on_drop(true);
        let child = command.spawn().map_err(|error| launch_error(error.to_string()))?;
        drop(command);
        let pid = child.id().ok_or_else(|| launch_error("it ended at once".into()))?;
        let mut process =
            BrowserProcess { child, pid, ownership: None, temporary_profile, _profile_lock: profile_lock };
        // Recorded after the struct exists, so that a failure to record still ends the browser.
        if let Some(folder) = &options.owners_folder {
            let profile = process.temporary_profile.as_ref().map(tempfile::TempDir::path);
            process.ownership = Some(Ownership::record(folder, pid, profile)?);
        }
        let transport = Transport::over_pipes(OwnedFd::from(we_write), OwnedFd::from(we_read))
            .map_err(EnvError::io("cannot use the debugging pipe"))?;
        Ok((process, transport))
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits a little for the browser to end by itself, then kills what is left of its group.
    pub(crate) async fn end(&mut self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.child.wait()).await;
        kill_group(self.pid);
        let _ = tokio::time::timeout(Duration::from_secs(5), self.child.wait()).await;
        if let Some(profile) = self.temporary_profile.take() {
            remove_profile(profile).await;
        }
        self.ownership = None;
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        kill_group(self.pid);
        // Killed processes are gone within milliseconds; the profile can only be removed after them.
        let end = std::time::Instant::now() + Duration::from_millis(500);
        while matches!(self.child.try_wait(), Ok(None)) && std::time::Instant::now() < end {
            std::thread::yield_now();
        }
        // Before the owner file: what cannot be removed now is still known to the next start.
        drop(self.temporary_profile.take());
    }
}

/// Helpers of the browser may still write for a moment after it died, so removal is tried again.
async fn remove_profile(profile: tempfile::TempDir) {
    let path = profile.keep();
    for _ in 0..20 {
        if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

type PreparedProfile = (PathBuf, Option<tempfile::TempDir>, Option<ProfileLock>);

fn prepare_profile(options: &BrowserOptions) -> Result<PreparedProfile, EnvError> {
    if let Some(session) = &options.session {
        let lock = ProfileLock::acquire(&session.folder, &session.name)?;
        return Ok((lock.profile().to_path_buf(), None, Some(lock)));
    }
    let folder = tempfile::Builder::new()
        .prefix(PROFILE_PREFIX)
        .tempdir()
        .map_err(EnvError::io("cannot create a temporary profile"))?;
    Ok((folder.path().to_path_buf(), Some(folder), None))
}

/// What a browser needs to run, and nothing of the user's secrets that live in variables.
fn minimal_environment() -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    const KEPT: &[&str] = &[
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TMPDIR",
        "DISPLAY",
        "XAUTHORITY",
        "WAYLAND_DISPLAY",
        "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE",
        "DBUS_SESSION_BUS_ADDRESS",
        "LD_LIBRARY_PATH",
        "FONTCONFIG_PATH",
    ];
    KEPT.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?))).collect()
}
