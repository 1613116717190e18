//! Starts child processes with a deadline. Children stay in our process group, so Ctrl-C in a
//! terminal reaches them and us alike; stopping at the deadline is the part that needs code,
//! because a killed `cargo` would leave the programs it started behind.

use std::fs;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    With(ExitStatus),
    /// It was still running at the deadline and was stopped, with everything it had started.
    AtDeadline,
}

impl Ended {
    pub(crate) fn succeeded(self) -> bool {
        matches!(self, Self::With(status) if status.success())
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::With(status) => write!(formatter, "ended with {status}"),
            Self::AtDeadline => write!(formatter, "was stopped at its deadline"),
        }
    }
}

/// Runs a command to its end or its deadline, whichever is first.
pub(crate) fn run(command: &mut Command, deadline: Duration) -> Result<Ended> {
    let mut child = start(command)?;
    wait(&mut child, deadline)
}

/// Starts a command, with an error that names the program.
pub(crate) fn start(command: &mut Command) -> Result<Child> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.spawn().with_context(|| format!("could not start `{program}`"))
}

/// Waits for a child until the deadline, then stops it and its descendants.
pub(crate) fn wait(child: &mut Child, deadline: Duration) -> Result<Ended> {
    let started = Instant::now();
    // Short steps at first, so that quick commands cost nothing, then long ones.
    let mut step = Duration::from_millis(2);
    while started.elapsed() < deadline {
        if let Some(status) = child.try_wait().context("could not wait for a child process")? {
            return Ok(Ended::With(status));
        }
        thread::sleep(step.min(deadline.saturating_sub(started.elapsed())));
        step = (step * 2).min(Duration::from_millis(100));
    }
    stop(child);
    Ok(Ended::AtDeadline)
}

/// Replaces xtask by the command. No deadline: the program may be one that a person uses for as
/// long as they like.
pub(crate) fn become_program(command: &mut Command) -> Result<ExitCode> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let program = command.get_program().to_string_lossy().into_owned();
        // Comes back only if the program could not be started.
        Err(command.exec()).with_context(|| format!("could not start `{program}`"))
    }
    #[cfg(not(unix))]
    {
        let status = start(command)?.wait().context("could not wait for a child process")?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(ExitCode::from(code.unwrap_or(1)))
    }
}

// More than the ten seconds that nextest gives its tests to end after it was asked to.
const GRACE: Duration = Duration::from_secs(15);

fn stop(child: &mut Child) {
    // Taken before the first signal: once the parent is gone its children are not ours to find.
    let family = with_descendants(child.id());
    signal("TERM", &family);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && !matches!(child.try_wait(), Ok(Some(_))) {
        thread::sleep(Duration::from_millis(50));
    }
    signal("KILL", &family);
    // Both may fail only because the child is already gone, which is the aim.
    child.kill().ok();
    child.wait().ok();
}

// The shell's own `kill`, because sending a signal from Rust needs unsafe code or a library.
fn signal(name: &str, processes: &[u32]) {
    Command::new("sh")
        .args(["-c", "kill -s \"$0\" \"$@\"", name])
        .args(processes.iter().map(u32::to_string))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok();
}

fn with_descendants(root: u32) -> Vec<u32> {
    let parents = parents_from_proc().or_else(parents_from_ps).unwrap_or_default();
    let mut family = vec![root];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        let children = parents.iter().filter(|(_, of)| *of == parent);
        family.extend(children.map(|(process, _)| *process));
        next += 1;
    }
    family
}

// Small Linux images have no `ps`, macOS has no /proc.
fn parents_from_proc() -> Option<Vec<(u32, u32)>> {
    let pairs: Vec<(u32, u32)> = fs::read_dir("/proc")
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let text = fs::read_to_string(entry.path().join("stat")).ok()?;
            Some((process, parent_in_stat(&text)?))
        })
        .collect();
    (!pairs.is_empty()).then_some(pairs)
}

// The name in the second field may itself hold spaces and brackets, so count from the last one.
fn parent_in_stat(text: &str) -> Option<u32> {
    let (_, after_name) = text.rsplit_once(')')?;
    after_name.split_whitespace().nth(1)?.parse().ok()
}

fn parents_from_ps() -> Option<Vec<(u32, u32)>> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    Some(text.lines().filter_map(pair).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::sync::mpsc;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn success_and_failure_are_told_apart() {
        let deadline = Duration::from_secs(10);
        assert!(run(&mut shell("exit 0"), deadline).unwrap().succeeded());
        let failed = run(&mut shell("exit 7"), deadline).unwrap();
        assert!(!failed.succeeded());
        assert!(failed.to_string().contains('7'), "{failed}");
    }

    #[test]
    fn the_deadline_stops_grandchildren_too() {
        let mut command = shell("sleep 300 & echo started; wait");
        let mut child = start(command.stdout(Stdio::piped())).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        let ended = wait(&mut child, Duration::from_millis(100)).unwrap();
        assert_eq!(ended, Ended::AtDeadline);
        // The stream ends when the last process that holds it is gone, which tells more surely
        // than the process list: there a dead process stays until its new parent collects it.
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(output.read_to_end(&mut Vec::new()).is_ok()));
        let stream_ended = receiver.recv_timeout(Duration::from_secs(10));
        assert_eq!(stream_ended, Ok(true), "the grandchild is still there");
    }

    #[test]
    fn a_process_name_with_brackets_does_not_confuse_the_parent() {
        assert_eq!(parent_in_stat("41 (a) b (c)) S 17 41 41 0"), Some(17));
    }
}
