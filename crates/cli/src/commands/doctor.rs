//! `surehand doctor`: checks what we need by using it, and says how to mend what is missing.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde::Serialize;
use surehand_env::Environment;
use surehand_env::browser::{BrowserEnv, BrowserOptions, find_browser};
use surehand_store::{DataDir, Store};
use surehand_types::Settings;
use surehand_types::reason::Exit;

use crate::args::DoctorArguments;
use crate::environment::open_data;
use crate::exit::Failure;
use crate::output::say;

use super::doctor_brain::check_brain;
use super::doctor_desktop::check_desktop;

#[derive(Debug, Serialize)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) state: State,
    pub(super) detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Ok,
    /// Works, but not as well as it could.
    Warning,
    Broken,
}

pub(crate) async fn doctor(arguments: DoctorArguments, settings: &Settings) -> Result<i32, Failure> {
    let checks = match &arguments.brain {
        Some(spec) => check_brain(spec, settings).await?,
        None => check_machine(settings).await,
    };
    for check in &checks {
        if arguments.json {
            say!("{}", serde_json::to_string(check).unwrap_or_default());
        } else {
            print_check(check);
        }
    }
    let broken = checks.iter().any(|check| check.state == State::Broken);
    if !arguments.json {
        let next = match &arguments.brain {
            Some(spec) => format!("\nReady. Try: surehand run TASK --url URL --brain {spec}"),
            None => "\nReady. Try: surehand demo".to_string(),
        };
        say!("{}", if broken { "\nSomething has to be mended first." } else { &next });
    }
    Ok(if broken { Exit::Broken as i32 } else { 0 })
}

async fn check_machine(settings: &Settings) -> Vec<Check> {
    let data = open_data(settings);
    let mut checks = vec![check_data(&data).await, check_temporary()];
    let browser = settings.optional_text("chromium");
    checks.push(check_browser(browser));
    checks.push(check_launch(browser, data.as_ref().ok()).await);
    checks.push(check_fonts().await);
    checks.push(check_display());
    checks.push(check_sandbox());
    checks.extend(check_desktop(data.as_ref().ok()).await);
    checks
}

fn print_check(check: &Check) {
    let mark = match check.state {
        State::Ok => "ok     ",
        State::Warning => "warning",
        State::Broken => "BROKEN ",
    };
    say!("{mark}  {:<19} {}", check.name, check.detail);
    if let Some(fix) = &check.fix {
        say!("         {:<19} fix: {fix}", "");
    }
}

pub(super) fn good(name: &'static str, detail: impl Into<String>) -> Check {
    Check { name, state: State::Ok, detail: detail.into(), fix: None }
}

pub(super) fn bad(name: &'static str, state: State, detail: impl Into<String>, fix: impl Into<String>) -> Check {
    Check { name, state, detail: detail.into(), fix: Some(fix.into()) }
}

async fn check_data(data: &Result<DataDir, Failure>) -> Check {
    const NAME: &str = "data folder";
    let fix = "choose a folder you may write to with --data DIR or SUREHAND_DATA";
    match data {
        Err(failure) => bad(NAME, State::Broken, failure.message.lines().next().unwrap_or_default(), fix),
        Ok(data) => match Store::open(data).await {
            Ok(_) => good(NAME, data.root().display().to_string()),
            Err(error) => bad(NAME, State::Broken, error.to_string(), fix),
        },
    }
}

fn check_temporary() -> Check {
    const NAME: &str = "temporary files";
    match tempfile::tempdir() {
        Ok(folder) => good(NAME, folder.path().parent().unwrap_or(Path::new("/tmp")).display().to_string()),
        Err(error) => bad(NAME, State::Broken, error.to_string(), "set TMPDIR to a folder you may write to"),
    }
}

const INSTALL: &str = "Debian and Ubuntu: apt-get install chromium; elsewhere install Chromium or Google Chrome, or set SUREHAND_CHROMIUM";

fn check_browser(named: Option<&str>) -> Check {
    match find_browser(named) {
        Some(path) => good("browser", path.display().to_string()),
        None => bad("browser", State::Broken, "no Chromium or Chrome was found", INSTALL),
    }
}

/// The real thing: a browser is started and a frame taken.
async fn check_launch(named: Option<&str>, data: Option<&DataDir>) -> Check {
    const NAME: &str = "browser starts";
    let options = BrowserOptions {
        executable: named.map(str::to_string),
        owners_folder: data.map(DataDir::owners),
        ..BrowserOptions::default()
    };
    let started = Instant::now();
    let launch = async {
        let mut env = BrowserEnv::launch(&options).await.map_err(|error| error.to_string())?;
        let seen = env.observe().await.map_err(|error| error.to_string());
        let name = env.describe();
        env.close().await;
        seen.map(|observation| (name, observation.view))
    };
    match tokio::time::timeout(Duration::from_secs(40), launch).await {
        Ok(Ok((name, view))) => good(
            NAME,
            format!("{name}; first frame {}x{} after {} ms", view.width, view.height, started.elapsed().as_millis()),
        ),
        Ok(Err(message)) => bad(NAME, State::Broken, message.lines().next().unwrap_or_default(), INSTALL),
        Err(_) => bad(NAME, State::Broken, "it did not start within 40 s", INSTALL),
    }
}

async fn check_fonts() -> Check {
    const NAME: &str = "fonts";
    const FIX: &str = "Debian and Ubuntu: apt-get install fonts-dejavu-core fonts-liberation fonts-noto-color-emoji";
    let list =
        tokio::process::Command::new("fc-list").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).output();
    match tokio::time::timeout(Duration::from_secs(10), list).await {
        Ok(Ok(output)) => {
            let count = String::from_utf8_lossy(&output.stdout).lines().count();
            if count == 0 {
                bad(NAME, State::Warning, "no fonts are installed; pages will show no text", FIX)
            } else {
                good(NAME, format!("{count} faces"))
            }
        }
        _ => bad(NAME, State::Warning, "fc-list is not there, so fonts could not be counted", FIX),
    }
}

fn check_display() -> Check {
    match std::env::var("DISPLAY").or_else(|_| std::env::var("WAYLAND_DISPLAY")) {
        Ok(display) => good("display", display),
        Err(_) => good("display", "none; headless runs need none, --headed does"),
    }
}

fn check_sandbox() -> Check {
    if std::fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0) {
        bad(
            "sandbox",
            State::Warning,
            "running as root, so the browser runs without its sandbox",
            "run as an ordinary user",
        )
    } else {
        good("sandbox", "on")
    }
}
