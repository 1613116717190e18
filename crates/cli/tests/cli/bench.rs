//! A place of its own for one test: data folder, temporary files, scripts, and a way to run the
//! binary there with a bound on its time. Whatever a test leaves running is ended when it drops.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::processes::{self, Owner};

/// Far longer than anything here takes; only a hang reaches it.
pub(crate) const HANG: Duration = Duration::from_secs(90);

pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

/// A surehand that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A surehand at work.
pub(crate) struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let folder = tempfile::Builder::new().prefix("shcli-").tempdir().unwrap();
        for part in ["tmp", "config"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        Bench { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.path(name);
        std::fs::write(&file, text).unwrap();
        file
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// A brain spec for these replies.
    pub(crate) fn script(&self, replies: &[Value]) -> String {
        let lines: Vec<String> = replies.iter().map(Value::to_string).collect();
        let file = self.write("script.jsonl", &lines.join("\n"));
        format!("script:{}", file.display())
    }

    /// A brain spec for a shell program, which starts in the bench's folder.
    pub(crate) fn shell_brain(&self, program: &str) -> String {
        let file = self.write("brain.sh", program);
        format!("exec:sh {}", file.display())
    }

    /// A brain that writes what it is told to `seen` and answers with these lines, one by one.
    pub(crate) fn replying_brain(&self, replies: &[&str]) -> String {
        self.write("replies", &(replies.join("\n") + "\n"));
        self.shell_brain(
            r#"exec 3<replies
while read -r line; do
  printf '%s\n' "$line" >>seen
  case $line in '{"type":"end"'*) exit 0 ;; esac
  read -r reply <&3 && printf '%s\n' "$reply"
done
"#,
        )
    }

    /// What a `replying_brain` was told, in order.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.read("seen").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_in(&self.data(), arguments)
    }

    /// The binary with this bench's folders and none of the caller's settings.
    pub(crate) fn command_in(&self, data: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surehand"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SUREHAND_") {
                command.env_remove(&name);
            }
        }
        command
            .arg("--data")
            .arg(data)
            .args(arguments)
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("RUST_BACKTRACE")
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn start_command(&self, command: Command) -> Running {
        let outputs = self.outputs();
        let stdout = File::create(outputs.join("stdout")).unwrap();
        Running::start(command, stdout.into(), &outputs)
    }

    /// With a stdout that nobody reads any more.
    pub(crate) fn start_unread(&self, arguments: &[&str]) -> Running {
        let outputs = self.outputs();
        std::fs::write(outputs.join("stdout"), "").unwrap();
        let (_, writer) = std::io::pipe().unwrap();
        Running::start(self.command(arguments), writer.into(), &outputs)
    }

    fn outputs(&self) -> PathBuf {
        tempfile::Builder::new().prefix("out-").tempdir_in(self.folder.path()).unwrap().keep()
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        self.start_command(self.command(arguments))
    }

    pub(crate) fn surehand(&self, arguments: &[&str]) -> Ended {
        self.start(arguments).wait()
    }

    /// `surehand run … --json` to its end.
    pub(crate) fn run(&self, url: &str, brain: &str, more: &[&str]) -> Ended {
        self.surehand(&run_arguments(url, brain, more))
    }

    pub(crate) fn start_run(&self, url: &str, brain: &str, more: &[&str]) -> Running {
        self.start(&run_arguments(url, brain, more))
    }

    /// Who owns which browser, by the files in the data folder.
    pub(crate) fn owners(&self) -> Vec<Owner> {
        processes::owners(&self.data().join("owners"))
    }

    /// The rows of `runs ls --json`.
    pub(crate) fn rows(&self) -> Vec<Value> {
        let listed = self.surehand(&["runs", "ls", "--json"]);
        listed.expect(0);
        listed.lines()
    }

    /// Nothing of a run is left: no owner file, and no process that names this bench's folders.
    pub(crate) fn expect_nothing_left(&self) {
        assert_eq!(self.owners(), [], "owner files are left");
        let folder = self.folder.path().display().to_string();
        eventually("processes of this test to end", || processes::naming(&folder).is_empty());
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        for owner in self.owners() {
            processes::signal_group(owner.browser, Signal::KILL);
        }
    }
}

fn run_arguments<'a>(url: &'a str, brain: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["run", "a task in words", "--json", "--url", url, "--brain", brain];
    arguments.extend(more);
    arguments
}

impl Running {
    fn start(mut command: Command, stdout: Stdio, outputs: &Path) -> Running {
        let stderr = outputs.join("stderr");
        command.stdout(stdout).stderr(File::create(&stderr).unwrap());
        Running { child: command.spawn().unwrap(), stdout: outputs.join("stdout"), stderr }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    pub(crate) fn stdout(&self) -> String {
        std::fs::read_to_string(&self.stdout).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap()
    }

    /// Waits until stdout has a line with this text in it.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + HANG;
        while !self.stdout().contains(text) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "ended ({ended:?}) before {text:?}\n{}\n{}", self.stdout(), self.stderr());
            assert!(Instant::now() < end, "never printed {text:?}\n{}\n{}", self.stdout(), self.stderr());
            pause();
        }
    }

    pub(crate) fn wait(self) -> Ended {
        self.wait_at_most(HANG)
    }

    pub(crate) fn wait_at_most(mut self, bound: Duration) -> Ended {
        let end = Instant::now() + bound;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < end,
                "still running after {bound:?}\n{}\n{}",
                tail(&self.stdout()),
                tail(&self.stderr())
            );
            pause();
        };
        Ended { code: status.code(), stdout: self.stdout(), stderr: self.stderr() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The exit code, and no sign of a crash of ours in any output.
    pub(crate) fn expect(&self, code: i32) -> &Ended {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", tail(&self.stdout), tail(&self.stderr));
        for sign in ["panicked", "RUST_BACKTRACE", "stack backtrace"] {
            assert!(!self.stderr.contains(sign) && !self.stdout.contains(sign), "{}{}", self.stdout, self.stderr);
        }
        self
    }

    /// Nothing on stdout, and one sentence on stderr that has `part` in it, with at most a hint below.
    pub(crate) fn expect_sentence(&self, part: &str) -> &Ended {
        assert_eq!(self.stdout, "");
        let lines: Vec<&str> = self.stderr.lines().collect();
        let sentence = lines.first().copied().unwrap_or_default();
        assert!(sentence.starts_with("surehand: ") && sentence.contains(part), "{part:?} in:\n{}", self.stderr);
        assert!(lines[1..].iter().all(|line| line.starts_with("hint: ")), "{}", self.stderr);
        self
    }

    /// Every line of stdout as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The result, which is the last line and the only one of its kind.
    pub(crate) fn result(&self) -> Value {
        let lines = self.lines();
        let last = lines.last().unwrap_or_else(|| panic!("no output; stderr:\n{}", self.stderr));
        assert_eq!(lines.iter().filter(|line| line["type"] == "result").count(), 1);
        assert_eq!(last["type"], "result");
        last["result"].clone()
    }

    /// The exit code together with the reason in the result.
    pub(crate) fn expect_end(&self, code: i32, reason: &str) -> Value {
        self.expect(code);
        let result = self.result();
        assert_eq!(result["termination_reason"], reason, "{result}");
        result
    }

    /// The events of one type.
    pub(crate) fn events(&self, kind: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["type"] == kind).collect()
    }
}

/// Polls until it is so.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        pause();
    }
}

/// Between two polls.
pub(crate) fn pause() {
    std::thread::park_timeout(Duration::from_millis(20));
}

pub(crate) fn exists(path: &str) -> bool {
    Path::new(path).exists()
}

fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(3000);
    let start = (start..text.len()).find(|index| text.is_char_boundary(*index)).unwrap_or(0);
    &text[start..]
}
