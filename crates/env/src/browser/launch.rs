//! Starts a browser with a debugging pipe and a profile of its own, and ends its whole process
//! group: on close, on drop, and (through the owner file) at the next start after a `kill -9`.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::fs::Mode;
use tokio::process::{Child, Command};

use super::BrowserOptions;
use super::private_files::create_folder;
use super::profile::ProfileLock;
use super::session_notes::SessionNotes;
use crate::EnvError;
use crate::cdp::Transport;
use crate::owner::{Ownership, PROFILE_PREFIX, kill_group, remove_patiently};

/// A running browser of ours.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    child: Child,
    pid: u32,
    ownership: Option<Ownership>,
    scratch: Option<tempfile::TempDir>,
    profile_lock: Option<ProfileLock>,
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
        // Interface of the browser itself that would cover the page, and prefetching nobody asked for. The popups of the
        // address bar are pages that Chromium 156 loads at every start: half of its processor time (0.95 s, 0.45 without).
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,HttpsUpgrades,PaintHolding,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
        // After a kill, a profile that is used again would show a bubble over the page.
        "--hide-crash-restore-bubble",
        "--force-color-profile=srgb",
        "--mute-audio",
    ]
    .into_iter()
    .map(str::to_string)
    .collect();
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--window-size={},{}", size.width, size.height + 87));
    if options.scale != 1.0 {
        // While a capture is under way, a scale that is only emulated is applied to input as well: clicks go astray.
        flags.push(format!("--force-device-scale-factor={}", options.scale));
    }
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

        let Prepared { profile, temporary, scratch, profile_lock } = prepare_folders(options)?;
        let (browser_reads, we_write) = std::io::pipe().map_err(EnvError::io("cannot make a pipe"))?;
        let (we_read, browser_writes) = std::io::pipe().map_err(EnvError::io("cannot make a pipe"))?;

        let mut command = std::process::Command::new(&path);
        command
            .args(flags(options, &profile))
            .env_clear()
            .envs(minimal_environment())
            .env("TMPDIR", &temporary)
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
        let child = with_private_umask(|| command.spawn()).map_err(|error| launch_error(error.to_string()))?;
        drop(command);
        let pid = child.id().ok_or_else(|| launch_error("it ended at once".into()))?;
        let mut process = BrowserProcess { child, pid, ownership: None, scratch: Some(scratch), profile_lock };
        // Recorded after the struct exists, so that a failure to record still ends the browser.
        if let Some(folder) = &options.owners_folder {
            let scratch = process.scratch.as_ref().map(tempfile::TempDir::path);
            process.ownership = Some(Ownership::record(folder, "browser", pid, scratch)?);
        }
        let transport = Transport::over_pipes(OwnedFd::from(we_write), OwnedFd::from(we_read))
            .map_err(EnvError::io("cannot use the debugging pipe"))?;
        Ok((process, transport))
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// The session that it runs on, and whether that is new.
    pub(crate) fn session(&self) -> (Option<SessionNotes>, bool) {
        let lock = self.profile_lock.as_ref();
        (lock.map(ProfileLock::notes), lock.is_some_and(ProfileLock::is_new))
    }

    /// How long it may take to end by itself. A session is written down at the end, cookies and all,
    /// and a kill in the middle would lose a login; of a temporary profile nothing is worth waiting for.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(if self.profile_lock.is_some() { 15 } else { 2 })
    }

    /// Waits a little for the browser to end by itself, then kills what is left of its group.
    pub(crate) async fn end(&mut self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.child.wait()).await;
        kill_group(self.pid);
        let _ = tokio::time::timeout(Duration::from_secs(5), self.child.wait()).await;
        let removed = match self.scratch.take() {
            Some(scratch) => remove_scratch(scratch).await,
            None => true,
        };
        self.forget_ownership(removed);
    }

    /// What could not be removed stays known to the next start.
    fn forget_ownership(&mut self, removed: bool) {
        match self.ownership.take() {
            Some(ownership) if !removed => ownership.leave(),
            _ => {}
        }
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
        let removed = self.scratch.take().is_none_or(|scratch| remove_patiently(&scratch.keep()));
        self.forget_ownership(removed);
    }
}

/// Helpers of the browser may still write for a moment after it died, so removal is tried again.
async fn remove_scratch(scratch: tempfile::TempDir) -> bool {
    let path = scratch.keep();
    for _ in 0..20 {
        if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

/// The folders of one browser.
struct Prepared {
    profile: PathBuf,
    /// Where it puts its own temporary files.
    temporary: PathBuf,
    /// Removed with everything in it when the browser has ended.
    scratch: tempfile::TempDir,
    profile_lock: Option<ProfileLock>,
}

fn prepare_folders(options: &BrowserOptions) -> Result<Prepared, EnvError> {
    let profile_lock = match &options.session {
        Some(session) => Some(ProfileLock::acquire(&session.folder, &session.name)?),
        None => None,
    };
    let scratch = scratch_folder().map_err(EnvError::io("cannot create a temporary profile"))?;
    let temporary = scratch.path().join("tmp");
    create_folder(&temporary).map_err(EnvError::io("cannot create a temporary folder"))?;
    let profile = match &profile_lock {
        Some(lock) => lock.profile().to_path_buf(),
        None => scratch.path().join("profile"),
    };
    Ok(Prepared { profile, temporary, scratch, profile_lock })
}

/// Chromium puts a folder with its singleton socket into the temporary folder and leaves it there when
/// it is killed, so it gets a temporary folder that we remove. The path of a socket may have 107 bytes,
/// and past the limit Chromium does not start: with a long TMPDIR the system's own folder is used.
fn scratch_folder() -> std::io::Result<tempfile::TempDir> {
    const SOCKET_PATH: usize = 107;
    const OURS: usize = "/surehand-profile-123456/tmp".len();
    const CHROMIUMS: usize = "/org.chromium.Chromium.123456/SingletonSocket".len() + "scoped_dir".len();
    let mut builder = tempfile::Builder::new();
    builder.prefix(PROFILE_PREFIX).permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    if std::env::temp_dir().as_os_str().len() + OURS + CHROMIUMS > SOCKET_PATH
        && let Ok(folder) = builder.tempdir_in("/tmp")
    {
        return Ok(folder);
    }
    builder.tempdir()
}

/// What the browser writes (logins, downloads) is for its owner only. The mask belongs to the whole
/// process, so it is put back at once; a file that another thread makes meanwhile is only more private.
fn with_private_umask<T>(start: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let before = rustix::process::umask(Mode::from_raw_mode(0o077));
    let started = start();
    rustix::process::umask(before);
    started
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
