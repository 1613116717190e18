//! Playwright, driven by a small Node.js program of ours that times itself. The package is installed
//! below the build folder; where Node.js, npm or the package cannot be had, Playwright is skipped
//! with the reason.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::picture;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::{Sample, Setup};
use crate::panel::{Witness, witness};
use crate::site::Aiming;

const SCRIPT: &str = include_str!("../../playwright/step.mjs");
const PACKAGE: &str = include_str!("../../playwright/package.json");
const INSTALL_DEADLINE: Duration = Duration::from_secs(180);
const OPEN_DEADLINE: Duration = Duration::from_secs(60);
const STEP_DEADLINE: Duration = Duration::from_secs(20);

/// A folder in which the script can run.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    folder: PathBuf,
}

impl Toolchain {
    /// Installs the package unless the pinned version is there. The error is the reason to skip.
    pub(crate) async fn prepare(build_folder: &Path) -> Result<Toolchain> {
        let folder = build_folder.join("bench-node");
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("step.mjs"), SCRIPT)?;
        std::fs::write(folder.join("package.json"), PACKAGE)?;
        let node = Command::new("node").arg("--version").stdout(Stdio::null()).kill_on_drop(true).status().await;
        ensure!(node.is_ok_and(|status| status.success()), "no node");
        if installed_version(&folder) != Some(pinned_version()?) {
            eprintln!("bench: installing playwright-core into {}", folder.display());
            let mut npm = Command::new("npm");
            npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
            npm.current_dir(&folder).stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
            let ended = tokio::time::timeout(INSTALL_DEADLINE, npm.status()).await.context("npm took too long")?;
            ensure!(ended.context("no npm")?.success(), "npm failed");
        }
        Ok(Toolchain { folder })
    }

    /// Version of the package, for the record.
    pub(crate) fn version(&self) -> Option<String> {
        installed_version(&self.folder)
    }
}

#[derive(Debug)]
pub(crate) struct Playwright {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    aiming: Aiming,
    sent: u64,
    counted: u64,
}

#[derive(Debug, Deserialize)]
struct ScriptSample {
    total: f64,
    acted: f64,
    count: u64,
    /// The second screenshot, of some steps.
    frame: Option<String>,
}

impl Playwright {
    /// Starts the script only; `open` starts the browser.
    pub(crate) fn start(toolchain: &Toolchain, setup: &Setup) -> Result<Playwright> {
        let mut command = Command::new("node");
        command
            .arg("step.mjs")
            .arg(&setup.browser)
            .args([&setup.url, setup.format.name()])
            .current_dir(&toolchain.folder)
            // Playwright makes its profiles here, which is how what it leaves behind is found.
            .env("TMPDIR", &setup.scratch)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn().context("cannot start node")?;
        let input = child.stdin.take().context("node has no input")?;
        let output = BufReader::new(child.stdout.take().context("node has no output")?);
        Ok(Playwright { child, input, output, aiming: setup.aiming, sent: 0, counted: 0 })
    }

    /// Launches a browser and opens the page; milliseconds until its first screenshot.
    pub(crate) async fn open(&mut self) -> Result<f64> {
        let answer = self.ask(&json!({"do": "open"}), OPEN_DEADLINE).await?;
        ensure!(answer["view"] == json!([1280, 720, 1]), "Playwright's view is {}", answer["view"]);
        answer["ms"].as_f64().context("Playwright told no time")
    }

    /// Closes the browser; the script stays.
    pub(crate) async fn close_browser(&mut self) -> Result<()> {
        self.ask(&json!({"do": "close"}), OPEN_DEADLINE).await.map(|_| ())
    }

    pub(crate) async fn steps(&mut self, count: u64) -> Result<Vec<Sample>> {
        let points: Vec<[i32; 2]> = (self.sent..self.sent + count)
            .map(|click| self.aiming.view_point(click))
            .map(|point| [point.x, point.y])
            .collect();
        let deadline = OPEN_DEADLINE + STEP_DEADLINE * u32::try_from(count).unwrap_or(u32::MAX).min(1000);
        let mut answer = self.ask(&json!({"do": "steps", "points": points}), deadline).await?;
        self.sent += count;
        self.counted = answer["count"].as_u64().context("the page did not tell its count")?;
        let samples: Vec<ScriptSample> = serde_json::from_value(answer["samples"].take())?;
        samples.into_iter().map(sample).collect()
    }

    pub(crate) fn missed(&self) -> u64 {
        self.sent.saturating_sub(self.counted)
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// The script closes its browser when its input ends.
    pub(crate) async fn close(mut self) {
        drop(self.input);
        let _ = tokio::time::timeout(Duration::from_secs(10), self.child.wait()).await;
    }

    async fn ask(&mut self, command: &Value, deadline: Duration) -> Result<Value> {
        let asking = async {
            self.input.write_all(format!("{command}\n").as_bytes()).await?;
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line).await? > 0, "the Playwright script ended");
            Ok(serde_json::from_str::<Value>(&line)?)
        };
        let answer = tokio::time::timeout(deadline, asking).await.context("Playwright took too long")??;
        match answer["error"].as_str() {
            Some(error) => bail!("Playwright: {error}"),
            None => Ok(answer),
        }
    }
}

fn sample(sample: ScriptSample) -> Result<Sample> {
    let witness = match &sample.frame {
        None => Witness::NotChecked,
        Some(frame) => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(frame)?;
            witness(&picture::decode(&bytes)?, sample.count)
        }
    };
    Ok(Sample { total_ms: sample.total, without_first_look_ms: sample.acted, witness })
}

fn installed_version(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("node_modules/playwright-core/package.json")).ok()?;
    serde_json::from_str::<Value>(&text).ok()?["version"].as_str().map(str::to_string)
}

fn pinned_version() -> Result<String> {
    let package: Value = serde_json::from_str(PACKAGE)?;
    let version = package["dependencies"]["playwright-core"].as_str();
    version.map(str::to_string).context("package.json pins no playwright-core")
}
