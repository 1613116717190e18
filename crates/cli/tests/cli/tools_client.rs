//! A client of `surehand tools`: writes lines, reads answers one by one with a bound on the wait.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::bench::{Bench, Ended, HANG, pause};

pub(crate) struct Tools {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: PathBuf,
}

impl Tools {
    pub(crate) fn start(bench: &Bench, more: &[&str]) -> Tools {
        let mut arguments = vec!["tools"];
        arguments.extend(more);
        let folder = tempfile::Builder::new().prefix("tools-").tempdir_in(bench.path("")).unwrap().keep();
        let stderr = folder.join("stderr");
        let mut child = bench
            .command(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Tools { child, stdin, lines, stderr }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Writes a line as it is.
    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn answer(&mut self) -> Value {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")),
            Err(RecvTimeoutError::Timeout) => panic!("no answer; stderr:\n{}", self.stderr()),
            Err(RecvTimeoutError::Disconnected) => panic!("ended without an answer; stderr:\n{}", self.stderr()),
        }
    }

    pub(crate) fn ask_line(&mut self, line: &str) -> Value {
        self.say(line);
        self.answer()
    }

    pub(crate) fn ask(&mut self, call: Value) -> Value {
        self.ask_line(&call.to_string())
    }

    /// Ends the input and waits for the program.
    pub(crate) fn close(mut self) -> Ended {
        self.stdin = None;
        self.ended()
    }

    /// Waits for the program; what nobody has read yet is its stdout.
    pub(crate) fn ended(self) -> Ended {
        self.ended_at_most(HANG)
    }

    pub(crate) fn ended_at_most(mut self, bound: Duration) -> Ended {
        let end = Instant::now() + bound;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "tools did not end; stderr:\n{}", self.stderr());
            pause();
        };
        let rest: Vec<String> = self.lines.iter().collect();
        Ended { code: status.code(), stdout: rest.join("\n"), stderr: self.stderr() }
    }

    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap_or_default()
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
