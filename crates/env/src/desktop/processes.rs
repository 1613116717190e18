//! The processes of a desktop that we started: each is the head of a group of its own, all of them and
//! whatever they start carry a mark in their environment, and all are gone when the desktop is.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};

use crate::EnvError;
use crate::owner::{Ownership, kill_group};

/// The variable that every process of a desktop carries.
const MARK: &str = "DESKTOP_OF_SUREHAND";

/// How long a process may take to go after it was asked to.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Ends what carries the mark as soon as its input ends, which happens whatever becomes of us. Twice, for
/// what was being started meanwhile.
const GUARD: &str = r#"read -r _
for round in 1 2; do
  for process in /proc/[0-9]*; do
    grep -qazF "DESKTOP_OF_SUREHAND=$1" "$process/environ" 2>/dev/null && kill -KILL "${process#/proc/}" 2>/dev/null
  done
done"#;

/// All that was started for one desktop.
#[derive(Debug)]
pub(super) struct Processes {
    mark: String,
    owners_folder: Option<PathBuf>,
    scratch: PathBuf,
    /// The newest last; ended from the end.
    members: Vec<Member>,
    guard: Option<(std::process::Child, Option<ChildStdin>)>,
}

#[derive(Debug)]
struct Member {
    child: Child,
    pid: u32,
    ownership: Option<Ownership>,
}

impl Processes {
    /// `scratch` is removed by whoever has to clear up after us.
    pub(super) fn new(owners_folder: Option<PathBuf>, scratch: &Path) -> Processes {
        let mark = format!("{}-{:x}", std::process::id(), random());
        let guard = start_guard(&mark);
        Processes { mark, owners_folder, scratch: scratch.to_path_buf(), members: Vec::new(), guard }
    }

    /// Starts it in a group of its own, so that Ctrl-C in the terminal reaches us and not it first.
    pub(super) fn spawn(&mut self, mut command: std::process::Command) -> std::io::Result<&mut Child> {
        command.process_group(0).env(MARK, &self.mark).stdin(Stdio::null());
        let mut command = Command::from(command);
        command.kill_on_drop(true);
        let child = command.spawn()?;
        let pid = child.id().ok_or_else(|| std::io::Error::other("it ended at once"))?;
        let mut member = Member { child, pid, ownership: None };
        if let Some(folder) = &self.owners_folder {
            member.ownership = Ownership::record(folder, "desktop", pid, Some(&self.scratch)).ok();
        }
        self.members.push(member);
        match self.members.last_mut() {
            Some(member) => Ok(&mut member.child),
            None => Err(std::io::Error::other("it could not be kept")),
        }
    }

    /// Whether the process with this pid has ended, and how.
    pub(super) fn ended(&mut self, pid: u32) -> Option<std::process::ExitStatus> {
        let member = self.members.iter_mut().find(|member| member.pid == pid)?;
        member.child.try_wait().ok().flatten()
    }

    /// Asks the newest first to go, gives it a moment, and kills what is left.
    pub(super) async fn end(&mut self) {
        for member in self.members.iter().rev().take(1) {
            signal_group(member.pid, Signal::TERM);
        }
        if let Some(newest) = self.members.last_mut() {
            let _ = tokio::time::timeout(PATIENCE, newest.child.wait()).await;
        }
        self.kill();
        for member in &mut self.members {
            let _ = tokio::time::timeout(Duration::from_secs(5), member.child.wait()).await;
        }
        self.members.clear();
    }

    fn kill(&mut self) {
        for member in self.members.iter().rev() {
            kill_group(member.pid);
        }
        // What left its group still carries the mark. Once more, for what was being started meanwhile.
        for _ in 0..3 {
            let left = marked(&self.mark);
            if left.is_empty() {
                break;
            }
            for pid in left {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        if let Some((mut guard, input)) = self.guard.take() {
            let _ = guard.kill();
            drop(input);
            let _ = guard.wait();
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.kill();
    }
}

fn signal_group(leader: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// Processes that carry the mark and still run.
fn marked(mark: &str) -> Vec<Pid> {
    let wanted = format!("{MARK}={mark}");
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let ours = pids.filter(|pid| {
        let variables = std::fs::read(Path::new("/proc").join(pid.to_string()).join("environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
    });
    ours.filter_map(Pid::from_raw).collect()
}

/// A shell that outlives us for a moment if we are killed. Without a shell there is still the owner file.
fn start_guard(mark: &str) -> Option<(std::process::Child, Option<ChildStdin>)> {
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", GUARD, "surehand-guard", mark]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut guard = command.spawn().ok()?;
    let input = guard.stdin.take();
    Some((guard, input))
}

/// Enough to tell two desktops of one process apart.
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// The program's path, if it is on `PATH` or is one.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    let is_program = |path: &Path| {
        path.metadata().is_ok_and(|about| {
            about.is_file() && std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0
        })
    };
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let path: OsString = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// The error of something that has to be installed first.
pub(super) fn missing(program: &str, package: &str) -> EnvError {
    EnvError::Desktop(format!(
        "{program} was not found\nhint: install it (Debian: apt-get install {package}), or `surehand doctor` tells what is missing"
    ))
}
