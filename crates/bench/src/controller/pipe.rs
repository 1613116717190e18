//! The smallest DevTools client that can be fair: a browser on a pipe, one call at a time, events
//! thrown away unless somebody waits for one. It shares no code with Surehand on purpose.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};

const CALL_DEADLINE: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct PipedBrowser {
    child: Child,
    sender: pipe::Sender,
    receiver: pipe::Receiver,
    buffer: Vec<u8>,
    next_id: u64,
    session: Option<String>,
}

impl PipedBrowser {
    pub(super) fn launch(browser: &Path, profile: &Path) -> Result<PipedBrowser> {
        let (browser_reads, we_write) = std::io::pipe()?;
        let (we_read, browser_writes) = std::io::pipe()?;
        let mut command = std::process::Command::new(browser);
        command
            .args(["--headless", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--force-color-profile=srgb", "--window-size=1280,807"])
            // Without it captures take half as long again: the rival should be a strong one.
            .arg("--enable-features=CDPScreenshotNewSurface")
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0);
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        command.arg("about:blank");
        command.fd_mappings(vec![
            FdMapping { parent_fd: OwnedFd::from(browser_reads), child_fd: 3 },
            FdMapping { parent_fd: OwnedFd::from(browser_writes), child_fd: 4 },
        ])?;
        let child = Command::from(command).kill_on_drop(true).spawn().context("cannot start the browser")?;
        Ok(PipedBrowser {
            child,
            sender: pipe::Sender::from_owned_fd(OwnedFd::from(we_write))?,
            receiver: pipe::Receiver::from_owned_fd(OwnedFd::from(we_read))?,
            buffer: Vec::new(),
            next_id: 1,
            session: None,
        })
    }

    /// Later calls go to this session.
    pub(super) fn use_session(&mut self, session: &str) {
        self.session = Some(session.to_string());
    }

    pub(super) async fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.sender.write_all(&bytes).await?;
        let mut answer = self.wait_for(method, |message| message["id"] == json!(id)).await?;
        if let Some(error) = answer.get("error") {
            bail!("{method}: {error}");
        }
        Ok(answer["result"].take())
    }

    pub(super) async fn event(&mut self, name: &str) -> Result<()> {
        self.wait_for(name, |message| message["method"] == json!(name)).await.map(|_| ())
    }

    pub(super) async fn end(mut self) {
        let _ = self.call("Browser.close", json!({})).await;
        let _ = tokio::time::timeout(Duration::from_secs(2), self.child.wait()).await;
    }

    async fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        let wait = async {
            loop {
                let message = self.message().await?;
                if wanted(&message) {
                    return Ok(message);
                }
            }
        };
        tokio::time::timeout(CALL_DEADLINE, wait).await.with_context(|| format!("{what} took too long"))?
    }

    async fn message(&mut self) -> Result<Value> {
        let mut searched = 0;
        loop {
            if let Some(length) = self.buffer[searched..].iter().position(|byte| *byte == 0) {
                let rest = self.buffer.split_off(searched + length + 1);
                let mut message = std::mem::replace(&mut self.buffer, rest);
                message.pop();
                return serde_json::from_slice(&message).context("the browser sent something odd");
            }
            searched = self.buffer.len();
            if self.receiver.read_buf(&mut self.buffer).await? == 0 {
                bail!("the browser closed its pipe");
            }
        }
    }
}

impl Drop for PipedBrowser {
    fn drop(&mut self) {
        let pid = self.child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}
