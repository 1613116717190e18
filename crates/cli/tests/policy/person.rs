//! A person at a terminal: surehand runs in one that `script` made, and answers are typed into it.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::bench::{Bench, HANG, pause};

pub(crate) struct Person {
    child: Child,
    keys: Option<ChildStdin>,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Person {
    /// `surehand run` on this page, with a terminal.
    pub(crate) fn run(bench: &Bench, url: &str, brain: &str, more: &[&str]) -> Person {
        let mut arguments = vec!["run", "a task in words", "--url", url, "--brain", brain];
        arguments.extend(more);
        let inner = bench.command(&arguments);
        let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_str().unwrap().replace('\'', r"'\''"));
        let line: Vec<String> = std::iter::once(inner.get_program()).chain(inner.get_args()).map(quoted).collect();
        let mut command = Command::new("script");
        command.args(["-q", "-e", "-c", &line.join(" "), "/dev/null"]).env("SHELL", "/bin/sh");
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(bench.path("")).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (keys, mut screen) = (child.stdin.take(), child.stdout.take().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shown = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                shown.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Person { child, keys, seen }
    }

    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    pub(crate) fn wait_for(&self, text: &str) {
        let end = Instant::now() + HANG;
        while !self.screen().contains(text) {
            assert!(Instant::now() < end, "never showed {text:?}:\n{}", self.screen());
            pause();
        }
    }

    /// The question is on the screen.
    pub(crate) fn is_asked(&self) {
        self.wait_for("May it be done? [y/N]");
    }

    pub(crate) fn types(&mut self, keys: &str) {
        let input = self.keys.as_mut().unwrap();
        input.write_all(keys.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The exit code, and everything that was on the screen.
    pub(crate) fn leaves(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + HANG;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "still running:\n{}", self.screen());
            pause();
        };
        (status.code(), self.screen())
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
