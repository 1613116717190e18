//! The application that is driven: started in the display, waited for until it shows a window, and
//! known to have ended when it has.

use std::collections::BTreeSet;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::task::JoinHandle;
use x11rb::protocol::xproto::Window;

use super::display::Display;
use super::processes::Processes;
use crate::EnvError;

/// Between two looks for the first window.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// A command that ended well may have handed over to another process; its window is waited for this long.
const HANDED_OVER: Duration = Duration::from_secs(5);

/// Time for what an application said before it ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct App {
    pub(super) command: String,
    pid: u32,
    last_words: Arc<Mutex<Option<String>>>,
    /// Over when nothing more is said.
    listening: Option<JoinHandle<()>>,
    ended: bool,
}

impl App {
    /// Runs the command line in a shell, as the user would have typed it.
    pub(super) fn start(
        processes: &mut Processes,
        command: &str,
        variables: &[(String, String)],
    ) -> Result<App, EnvError> {
        let failed = |why: String| EnvError::Desktop(format!("the application {command:?} did not start: {why}"));
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", command]);
        for name in foreign_variables() {
            shell.env_remove(name);
        }
        shell.envs(variables.iter().cloned()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = processes.spawn(shell).map_err(|error| failed(error.to_string()))?;
        let pid = child.id().ok_or_else(|| failed("it ended at once".into()))?;
        let last_words = Arc::default();
        let listening = listen(child.stderr.take(), Arc::clone(&last_words));
        Ok(App { command: command.to_string(), pid, last_words, listening, ended: false })
    }

    /// Waits until a window is there that was not there before.
    pub(super) async fn wait_for_window(
        &mut self,
        processes: &mut Processes,
        display: &Display,
        before: &BTreeSet<Window>,
        deadline: Duration,
    ) -> Result<(), EnvError> {
        let mut end = Instant::now() + deadline;
        loop {
            let survey = display.must(|server| server.survey()).await?;
            if survey.windows.iter().any(|window| !before.contains(&window.id) && !window.splash && !window.hidden) {
                return Ok(());
            }
            if let Some(status) = self.ended(processes) {
                if !status.success() {
                    // What it said last may still be on its way.
                    if let Some(listening) = self.listening.take() {
                        let _ = tokio::time::timeout(LAST_WORDS, listening).await;
                    }
                    return Err(EnvError::Desktop(format!(
                        "the application {:?} ended before it showed a window ({}){}\nhint: try the same command in a terminal of that display",
                        self.command,
                        in_words(status),
                        self.quoted_words()
                    )));
                }
                end = end.min(Instant::now() + HANDED_OVER);
            }
            if Instant::now() >= end {
                return Err(EnvError::Desktop(format!(
                    "the application {:?} showed no window within {} s{}\nhint: does it open a window at all, and does it need an option like --display?",
                    self.command,
                    deadline.as_secs(),
                    self.quoted_words()
                )));
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
    }

    /// How it ended, told once.
    pub(super) fn ended(&mut self, processes: &mut Processes) -> Option<ExitStatus> {
        if self.ended {
            return None;
        }
        let status = processes.ended(self.pid)?;
        self.ended = true;
        Some(status)
    }

    /// One sentence about its end.
    pub(super) fn end_in_words(&self, status: ExitStatus) -> String {
        format!("the application ended ({}){}", in_words(status), self.quoted_words())
    }

    fn quoted_words(&self) -> String {
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        words.map(|words| format!("; it said: {words}")).unwrap_or_default()
    }
}

fn in_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "in an unknown way".into(),
    }
}

/// Keys of model providers are none of the application's business, and another desktop would draw it away.
fn foreign_variables() -> Vec<String> {
    const OTHERS: &[&str] =
        &["WAYLAND_DISPLAY", "SESSION_MANAGER", "NO_AT_BRIDGE", "XDG_SESSION_TYPE", "AT_SPI_BUS_ADDRESS"];
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(|name| name.ends_with("_API_KEY") || OTHERS.contains(&name.as_str())).collect()
}

/// Keeps the last line, and keeps the pipe from filling.
fn listen(
    stream: Option<impl AsyncRead + Unpin + Send + 'static>,
    last: Arc<Mutex<Option<String>>>,
) -> Option<JoinHandle<()>> {
    let stream = stream?;
    Some(tokio::spawn(async move {
        let mut lines = BufReader::new(stream).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let line: String = String::from_utf8_lossy(&line).trim().chars().take(300).collect();
            if !line.is_empty() {
                tracing::debug!(line, "application");
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
            }
        }
    }))
}
