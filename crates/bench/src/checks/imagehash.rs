//! The rival of the frame hash: ImageHash, the usual perceptual hash library of Python, on the same frames,
//! decoded once on both sides. It lives in an environment of its own below the build folder; where Python or
//! the packages cannot be had, it is skipped with the reason.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use surehand_types::Pixels;
use tokio::process::Command;

const SCRIPT: &str = include_str!("../../imagehash/times.py");
const REQUIREMENTS: &str = include_str!("../../imagehash/requirements.txt");
const INSTALL_DEADLINE: Duration = Duration::from_secs(300);
const RUN_DEADLINE: Duration = Duration::from_secs(120);
const ROUNDS: usize = 100;

/// A Python that has the packages.
#[derive(Debug)]
pub(super) struct ImageHash {
    python: PathBuf,
}

/// Milliseconds of every round on one frame.
#[derive(Debug, Deserialize)]
pub(super) struct RivalTimes {
    pub(super) phash: Vec<f64>,
    /// Compares neighbours in a 9x8 thumbnail, as ours does.
    pub(super) dhash: Vec<f64>,
}

impl ImageHash {
    /// Installs the pinned packages unless they are there. The error is the reason to skip.
    pub(super) async fn prepare(build_folder: &Path) -> Result<ImageHash> {
        let folder = build_folder.join("bench-python");
        let python = folder.join("bin/python");
        let installed = folder.join("installed-requirements.txt");
        if std::fs::read_to_string(&installed).is_ok_and(|text| text == REQUIREMENTS) {
            return Ok(ImageHash { python });
        }
        eprintln!("bench: installing ImageHash into {}", folder.display());
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", "--clear"]).arg(&folder);
        install("python3 -m venv", venv).await?;
        let requirements = folder.join("requirements.txt");
        std::fs::write(&requirements, REQUIREMENTS)?;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "-r"]);
        pip.arg(&requirements);
        install("pip", pip).await?;
        std::fs::write(&installed, REQUIREMENTS)?;
        Ok(ImageHash { python })
    }

    /// The versions that were asked for, for the record.
    pub(super) fn version() -> String {
        REQUIREMENTS.lines().take(2).map(|line| line.replace("==", " ")).collect::<Vec<_>>().join(" on ")
    }

    /// Hashes every frame many times; `scratch` holds their pixels meanwhile.
    pub(super) async fn times(&self, frames: &[&Pixels], scratch: &Path) -> Result<Vec<RivalTimes>> {
        let script = scratch.join("times.py");
        std::fs::write(&script, SCRIPT)?;
        let mut command = Command::new(&self.python);
        command.arg(&script).arg(ROUNDS.to_string());
        for (index, pixels) in frames.iter().enumerate() {
            let file = scratch.join(format!("frame-{index}.rgb"));
            std::fs::write(&file, &pixels.rgb)?;
            command.args([pixels.width.to_string(), pixels.height.to_string()]).arg(file);
        }
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let ended = tokio::time::timeout(RUN_DEADLINE, command.output()).await.context("ImageHash took too long")?;
        let ended = ended.context("cannot start Python")?;
        ensure!(ended.status.success(), "the ImageHash script failed");
        let times: Vec<RivalTimes> = serde_json::from_slice(&ended.stdout).context("ImageHash said something odd")?;
        ensure!(times.len() == frames.len(), "ImageHash gave {} answers for {} frames", times.len(), frames.len());
        Ok(times)
    }
}

async fn install(name: &str, mut command: Command) -> Result<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(INSTALL_DEADLINE, command.status()).await;
    let status = ended.with_context(|| format!("{name} took too long"))?.with_context(|| format!("no {name}"))?;
    ensure!(status.success(), "{name} failed");
    Ok(())
}
