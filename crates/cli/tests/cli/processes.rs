//! A look at the machine's processes: which browsers belong to whom by the owner files, who is
//! alive, and who still names a folder of ours on its command line.

use std::path::Path;

use rustix::process::{Pid, Signal};
use serde_json::Value;

/// One owner file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) owner: u32,
    /// Also the number of the browser's process group.
    pub(crate) browser: u32,
}

pub(crate) fn owners(folder: &Path) -> Vec<Owner> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let read = |path: &Path| -> Option<Owner> {
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
        let pid = |who: &str| u32::try_from(file[who]["pid"].as_u64()?).ok();
        Some(Owner { owner: pid("owner")?, browser: pid("browser")? })
    };
    entries.flatten().filter_map(|entry| read(&entry.path())).collect()
}

/// Whether the process runs; one that only waits to be reaped does not.
pub(crate) fn is_alive(pid: u32) -> bool {
    stat(pid).is_some()
}

/// The living members of a process group.
pub(crate) fn group(leader: u32) -> Vec<u32> {
    all().into_iter().filter(|pid| stat(*pid).is_some_and(|group| group == leader)).collect()
}

/// Living processes with this text on their command line.
pub(crate) fn naming(text: &str) -> Vec<u32> {
    let names = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    all().into_iter().filter(|pid| is_alive(*pid) && names(pid)).collect()
}

pub(crate) fn signal_group(leader: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

fn all() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap();
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// The group of a process that runs.
fn stat(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, so the fields are counted behind the last one.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    (state != "Z" && state != "X").then(|| fields.nth(1)?.parse().ok()).flatten()
}
