//! The server's process, as a user starts it, and what it needs of the machine.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use surehand_client::Client;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::controller::Setup;

const READY: Duration = Duration::from_secs(30);
const FAREWELL: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct Service {
    child: Child,
    pub(crate) client: Client,
    pub(crate) pid: u32,
}

impl Service {
    pub(crate) async fn start(setup: &Setup, program: &Path, script: &Path, slots: u64) -> Result<Service> {
        let mut child = Command::new(program)
            .args(["serve", "--json", "--bind", "127.0.0.1:0", "--slots", &slots.to_string()])
            .arg("--brain")
            .arg(format!("script:{}", script.display()))
            .arg("--data")
            .arg(script.with_extension("data"))
            .env("TMPDIR", &setup.scratch)
            .env("SUREHAND_CHROMIUM", &setup.browser)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}. hint: cargo xtask bench builds it", program.display()))?;
        let pid = child.id().context("the server ended at once")?;
        let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let line = tokio::time::timeout(READY, lines.next_line()).await.context("the server does not get ready")??;
        let line: Value = serde_json::from_str(&line.context("the server ended at once")?)?;
        let url = line["url"].as_str().context("the server did not say its address")?;
        Ok(Service { client: Client::new(url, None)?, child, pid })
    }

    /// Asks it to end, and waits for that.
    pub(crate) async fn stop(mut self) -> Result<()> {
        if let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM).context("the server is gone")?;
        }
        let status = tokio::time::timeout(FAREWELL, self.child.wait()).await.context("the server does not end")??;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// Resident memory in MiB; `None` when the process is gone.
pub(crate) fn resident_mib(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok().map(|kib| kib / 1024.0)
}

/// Processor time of the process alone, not of what it started, in ms.
pub(crate) fn processor_ms(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets and may hold anything; figures begin after the last one.
    let figures: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = figures.get(11)?.parse::<f64>().ok()? + figures.get(12)?.parse::<f64>().ok()?;
    Some(ticks * 1000.0 / rustix::param::clock_ticks_per_second() as f64)
}
