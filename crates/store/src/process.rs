//! Whether the process that started a run is still that process: pid and start time together,
//! since pids are used again.

use std::fs;

use serde::{Deserialize, Serialize};

/// Names one process for as long as the machine is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessMark {
    pub pid: i64,
    /// Field 22 of `/proc/<pid>/stat`; 0 where there is no such file.
    pub start: i64,
}

impl ProcessMark {
    pub fn current() -> ProcessMark {
        let pid = i64::from(std::process::id());
        ProcessMark { pid, start: start_time(pid).unwrap_or(0) }
    }

    pub fn is_alive(self) -> bool {
        match start_time(self.pid) {
            Some(start) => start == self.start,
            // Without /proc the pid alone has to do; with it, the process is gone.
            None if self.start == 0 => pid_exists(self.pid),
            None => false,
        }
    }
}

fn start_time(pid: i64) -> Option<i64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    start_in_stat(&stat)
}

/// The command name is in brackets and may itself hold brackets and spaces, so the fields are
/// counted from the last one. A zombie has ended as far as we care.
fn start_in_stat(stat: &str) -> Option<i64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(unix)]
fn pid_exists(pid: i64) -> bool {
    i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

#[cfg(not(unix))]
fn pid_exists(_pid: i64) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_time_is_found_behind_a_hostile_name() {
        let stat = "42 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987 20 21";
        assert_eq!(start_in_stat(stat), Some(987));
        assert_eq!(start_in_stat(&stat.replace(") S", ") Z")), None);
        assert_eq!(start_in_stat("nonsense"), None);
    }

    #[test]
    fn this_process_lives_and_its_namesake_does_not() {
        let here = ProcessMark::current();
        assert!(here.is_alive());
        if here.start != 0 {
            let reused = ProcessMark { start: here.start + 1, ..here };
            assert!(!reused.is_alive());
        }
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let mark = ProcessMark { pid: i64::from(child.id()), start: start_time(i64::from(child.id())).unwrap_or(1) };
        child.wait().unwrap();
        assert!(!mark.is_alive());
    }
}
