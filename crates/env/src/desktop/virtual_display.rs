//! A display of our own: Xvfb on a free number, a window manager that binds no keys, and a session bus
//! for accessibility. Each has a deadline; only the display itself is needed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use surehand_types::ViewSize;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::cookie;
use super::processes::{Processes, find_program, missing};
use super::server::Address;
use crate::EnvError;

/// Clicks focus and raise, titles and edges work; no key and no click on the background does anything,
/// so that all input is the application's.
const WINDOW_MANAGER_RULES: &str = include_str!("openbox.xml");

/// Starts the server. It chooses a number that is free and tells it when it is ready.
pub(super) async fn start_server(
    processes: &mut Processes,
    folder: &Path,
    size: ViewSize,
    deadline: Duration,
) -> Result<Address, EnvError> {
    let program = find_program("Xvfb").ok_or_else(|| missing("Xvfb", "xvfb"))?;
    let authority = folder.join("authority");
    let cookie = cookie::write_cookie(&authority).map_err(EnvError::io("cannot write the display's cookie"))?;
    let mut command = Command::new(program);
    command
        .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-dpi", "96", "-auth"])
        .arg(&authority)
        .args(["-screen", "0", &format!("{}x{}x24", size.width, size.height)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = processes.spawn(command).map_err(|error| not_started("Xvfb", &error.to_string()))?;
    let (number, complaint) = (child.stdout.take(), child.stderr.take());
    let told = tokio::time::timeout(deadline, first_line(number)).await;
    match told {
        Ok(Some(number)) if !number.is_empty() => {
            drain(complaint);
            Ok(Address { name: format!(":{number}"), cookie: Some(cookie) })
        }
        Ok(_) => {
            let last = tokio::time::timeout(Duration::from_secs(1), last_line(complaint)).await.ok().flatten();
            Err(not_started("Xvfb", &last.unwrap_or_else(|| "it ended at once".into())))
        }
        Err(_) => Err(not_started("Xvfb", &format!("it was not ready after {} s", deadline.as_secs()))),
    }
}

/// Starts the window manager, if there is one. Without it windows have no frames, and keys go where the pointer is.
pub(super) fn start_window_manager(
    processes: &mut Processes,
    folder: &Path,
    variables: &[(String, String)],
) -> Result<bool, EnvError> {
    let Some(program) = find_program("openbox") else { return Ok(false) };
    let rules = folder.join("openbox.xml");
    std::fs::write(&rules, WINDOW_MANAGER_RULES).map_err(EnvError::io("cannot write the window manager's rules"))?;
    let mut command = Command::new(program);
    command.arg("--sm-disable").arg("--config-file").arg(&rules);
    command.envs(variables.iter().cloned()).stdout(Stdio::null()).stderr(Stdio::null());
    processes.spawn(command).map_err(|error| not_started("openbox", &error.to_string()))?;
    Ok(true)
}

/// A session bus that nobody else is on; `None` where there is no D-Bus, and then focus is not known.
pub(super) async fn start_bus(
    processes: &mut Processes,
    variables: &[(String, String)],
    deadline: Duration,
) -> Option<String> {
    let program = find_program("dbus-daemon")?;
    let mut command = Command::new(program);
    command.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
    command.env_remove("DISPLAY").envs(variables.iter().cloned()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = processes.spawn(command).ok()?;
    let address = child.stdout.take();
    tokio::time::timeout(deadline, first_line(address)).await.ok().flatten().filter(|address| !address.is_empty())
}

async fn first_line(stream: Option<impl AsyncRead + Unpin>) -> Option<String> {
    let mut line = String::new();
    BufReader::new(stream?).read_line(&mut line).await.ok()?;
    Some(line.trim().to_string())
}

async fn last_line(stream: Option<impl AsyncRead + Unpin>) -> Option<String> {
    let mut lines = BufReader::new(stream?).lines();
    let mut last = None;
    while let Ok(Some(line)) = lines.next_line().await {
        if !line.trim().is_empty() {
            last = Some(line.trim().chars().take(300).collect());
        }
    }
    last
}

/// A pipe that nobody reads would stop the server once it is full.
fn drain(stream: Option<impl AsyncRead + Unpin + Send + 'static>) {
    if let Some(stream) = stream {
        tokio::spawn(async move {
            let mut lines = BufReader::new(stream).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                tracing::debug!(line, "Xvfb");
            }
        });
    }
}

fn not_started(program: &str, why: &str) -> EnvError {
    EnvError::Desktop(format!("{program} did not start: {why}\nhint: run `surehand doctor`"))
}
