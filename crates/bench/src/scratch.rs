//! The one folder that everything started here lives in: profiles, frames, temporary files. Every
//! browser names it on its command line, so at the end, after an error or Ctrl-C as well, whatever
//! still runs is found by it, ended, and the folder removed.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// From here on, temporary files of this process go into the folder too.
    pub(crate) fn create() -> Result<Scratch> {
        let folder =
            tempfile::Builder::new().prefix("surehand-bench-").tempdir().context("cannot create a temporary folder")?;
        // Fails only when it was set before, and nobody else sets it.
        let _ = tempfile::env::override_temp_dir(folder.path());
        Ok(Scratch { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Ends what is left and removes the folder; bounded.
    pub(crate) async fn sweep(self) {
        let path = self.folder.keep();
        // A dying browser may write once more, so both are tried until nothing is left.
        for _ in 0..60 {
            let left = processes_naming(&path);
            for process in &left {
                let _ = kill_process(*process, Signal::KILL);
            }
            let removed = std::fs::remove_dir_all(&path).is_ok() || !path.exists();
            if removed && left.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        eprintln!("bench: could not remove {}", path.display());
    }
}

fn processes_naming(folder: &Path) -> Vec<Pid> {
    let name = folder.as_os_str().as_encoded_bytes();
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let pid = entry.file_name().into_string().ok().filter(|pid| *pid != own)?;
            let command_line = std::fs::read(entry.path().join("cmdline")).ok()?;
            let named = command_line.windows(name.len()).any(|part| part == name);
            if named { pid.parse().ok().and_then(Pid::from_raw) } else { None }
        })
        .collect()
}
