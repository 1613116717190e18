//! Owner files: which process of ours started which browser or desktop. After a `kill -9` of ours the
//! next start finds the file, sees that its owner is gone, and ends what was left behind. What has a
//! living owner is never touched.

use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};

use crate::EnvError;

/// Temporary folders that may be removed on the word of an owner file begin with this.
pub(crate) const PROFILE_PREFIX: &str = "surehand-profile-";

/// Pids are reused, so a process is named by its pid and its start time together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProcessId {
    pub(crate) pid: u32,
    /// Clock ticks since boot, field 22 of /proc/PID/stat.
    pub(crate) started: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct OwnerFile {
    owner: ProcessId,
    /// Leader of the browser's own process group.
    browser: ProcessId,
    /// Folder with its temporary profile and files, to remove with it.
    profile: Option<PathBuf>,
}

/// Removes its file when the browser was ended properly.
#[derive(Debug)]
pub(crate) struct Ownership {
    file: PathBuf,
}

impl ProcessId {
    /// `None` when there is no such process (any more).
    pub(crate) fn of(pid: u32) -> Option<ProcessId> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name is in parentheses and may hold anything, so count fields after the last one.
        let after_name = stat.rsplit_once(')')?.1;
        let mut fields = after_name.split_whitespace();
        let state = fields.next()?;
        if state == "Z" || state == "X" {
            return None;
        }
        let started = fields.nth(18)?.parse().ok()?;
        Some(ProcessId { pid, started })
    }

    pub(crate) fn is_alive(&self) -> bool {
        if self.started == 0 {
            // Written where there is no /proc: the number alone has to do.
            let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
            return pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
        }
        ProcessId::of(self.pid).as_ref() == Some(self)
    }
}

impl Ownership {
    /// `kind` says in the file's name what the process is.
    pub(crate) fn record(
        folder: &Path,
        kind: &str,
        browser_pid: u32,
        profile: Option<&Path>,
    ) -> Result<Ownership, EnvError> {
        std::fs::create_dir_all(folder).map_err(EnvError::io("cannot create the owners folder"))?;
        let identify = |pid| ProcessId::of(pid).unwrap_or(ProcessId { pid, started: 0 });
        let content = OwnerFile {
            owner: identify(std::process::id()),
            browser: identify(browser_pid),
            profile: profile.map(Path::to_path_buf),
        };
        let file = folder.join(format!("{kind}-{browser_pid}.json"));
        let text = serde_json::to_string(&content).unwrap_or_default();
        // Through another name: a start next door must not see half of it and take it for torn.
        let unfinished = folder.join(format!(".{kind}-{browser_pid}.tmp"));
        std::fs::write(&unfinished, text)
            .and_then(|()| std::fs::rename(&unfinished, &file))
            .map_err(EnvError::io("cannot write the owner file"))?;
        Ok(Ownership { file })
    }

    /// Leaves the file to the next start, which finds its owner gone and tries again.
    pub(crate) fn leave(mut self) {
        self.file = PathBuf::new();
    }
}

impl Drop for Ownership {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Ends browsers whose owner is gone. Returns how many were still running.
pub fn reap_orphans(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let mut reaped = 0;
    for entry in entries.flatten() {
        let file = entry.path();
        if file.extension().is_some_and(|extension| extension == "tmp") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let Ok(owner_file) = serde_json::from_str::<OwnerFile>(&text) else {
            // Torn by a crash while being written: it names nobody, so it protects nobody.
            let _ = std::fs::remove_file(&file);
            continue;
        };
        if owner_file.owner.is_alive() {
            continue;
        }
        if owner_file.browser.is_alive() {
            kill_group(owner_file.browser.pid);
            reaped += 1;
        }
        if let Some(profile) = owner_file.profile.filter(|profile| is_our_profile(profile))
            && !remove_patiently(&profile)
        {
            // Kept, so that the next start tries again.
            continue;
        }
        let _ = std::fs::remove_file(&file);
    }
    reaped
}

/// A process that was just killed may write for a moment longer, into a folder that is being emptied.
pub(crate) fn remove_patiently(folder: &Path) -> bool {
    for _ in 0..20 {
        if std::fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return true;
        }
        std::thread::park_timeout(std::time::Duration::from_millis(25));
    }
    false
}

/// Kills a whole process group at once.
pub(crate) fn kill_group(leader: u32) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

/// Only folders that we made are removed on the word of a file.
fn is_our_profile(profile: &Path) -> bool {
    profile.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PROFILE_PREFIX))
        && profile.is_absolute()
        && profile.symlink_metadata().is_ok_and(|about| about.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;

    fn sleeper() -> std::process::Child {
        std::process::Command::new("sleep").arg("600").process_group(0).spawn().unwrap()
    }

    fn write(folder: &Path, owner: ProcessId, browser: &std::process::Child) {
        let content = OwnerFile { owner, browser: ProcessId::of(browser.id()).unwrap(), profile: None };
        std::fs::write(folder.join(format!("browser-{}.json", browser.id())), serde_json::to_string(&content).unwrap())
            .unwrap();
    }

    #[test]
    fn only_browsers_of_dead_owners_are_reaped() {
        let folder = tempfile::tempdir().unwrap();
        let (mut orphan, mut owned) = (sleeper(), sleeper());
        // Same pid as ours but another start time: the pid was reused.
        let dead = ProcessId { pid: std::process::id(), started: 1 };
        write(folder.path(), dead, &orphan);
        write(folder.path(), ProcessId::of(std::process::id()).unwrap(), &owned);
        std::fs::write(folder.path().join("browser-torn.json"), "{\"owner\":").unwrap();
        assert_eq!(reap_orphans(folder.path()), 1);
        assert!(!orphan.wait().unwrap().success());
        assert!(owned.try_wait().unwrap().is_none(), "a live owner's browser was touched");
        owned.kill().unwrap();
        owned.wait().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
