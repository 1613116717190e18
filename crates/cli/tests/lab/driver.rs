//! Drives the lab: its server in this process, one `surehand tools` beside it, and one page after
//! the other. What goes wrong on a page is kept, so that a test tells all of it at its end.
//!
//! ```text
//! let mut lab = Lab::start();
//! lab.page("click-single", |lab| {
//!     let answer = lab.click("go");
//!     assert_eq!(answer["effect"]["status"], "confirmed");
//! });
//! lab.finish();
//! ```

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use surehand_sites::{Site, SiteServer};
use tokio::runtime::Runtime;

/// Far longer than any call takes; only a hang reaches it.
const HANG: Duration = Duration::from_secs(40);
/// How long a page may take to notice what was done to it.
const NOTICED: Duration = Duration::from_secs(3);
const WIDTH: f64 = 1280.0;
const HEIGHT: f64 = 720.0;

/// The page's check is part of what is expected, or a test of its own looks at the answers only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judge {
    Page,
    Test,
}

pub(crate) struct Lab {
    server: SiteServer,
    runtime: Runtime,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    folder: tempfile::TempDir,
    calls: u64,
    /// The page being driven.
    page: String,
    last: Value,
    wrong: Vec<String>,
    started: Instant,
}

impl Lab {
    /// With the density gate off.
    pub(crate) fn start() -> Lab {
        Lab::with(&["--set", "density_gate=off"])
    }

    /// With these flags and no others, apart from the viewport.
    pub(crate) fn with(flags: &[&str]) -> Lab {
        Lab::with_folder(|_| flags.iter().map(ToString::to_string).collect())
    }

    /// With flags that name files in the test's own folder.
    pub(crate) fn with_folder(flags: impl FnOnce(&std::path::Path) -> Vec<String>) -> Lab {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let server = runtime.block_on(SiteServer::start(Site::Lab, (Ipv4Addr::LOCALHOST, 0).into())).unwrap();
        let folder = tempfile::Builder::new().prefix("shlab-").tempdir().unwrap();
        for part in ["tmp", "config"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        let flags = flags(folder.path());
        let mut child = command(&folder, &flags).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Lab {
            server,
            runtime,
            child,
            stdin,
            lines,
            folder,
            calls: 0,
            page: String::new(),
            last: Value::Null,
            wrong: Vec::new(),
            started: Instant::now(),
        }
    }

    /// A file or folder in the test's own folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The address of a page, or of anything else the lab serves.
    pub(crate) fn url(&self, rest: &str) -> String {
        format!("{}{rest}", self.server.url())
    }

    /// Opens the page (`name` or `name?query`), acts on it and asks the page whether all was right.
    pub(crate) fn page(&mut self, page: &str, act: impl FnOnce(&mut Lab)) {
        self.drive(page, Judge::Page, act);
    }

    /// The same for a page whose own check does not apply; `act` asserts everything.
    pub(crate) fn page_unjudged(&mut self, page: &str, act: impl FnOnce(&mut Lab)) {
        self.drive(page, Judge::Test, act);
    }

    fn drive(&mut self, page: &str, judge: Judge, act: impl FnOnce(&mut Lab)) {
        let started = Instant::now();
        let driven = catch_unwind(AssertUnwindSafe(|| {
            self.open(page);
            act(self);
            if judge == Judge::Page {
                let log = self.solved();
                assert_eq!(log["check"]["ok"], true, "the page says: {}", log["check"]["why"]);
            }
        }));
        println!("{page}: {:?}", started.elapsed());
        if let Err(panic) = driven {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let failure = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            let (message, error) = (&self.last["message"], &self.last["error"]);
            self.wrong.push(format!("{page}: {failure}\n    last answer: {message} {error}"));
        }
    }

    /// Tells all that went wrong, and that the program ends as it should.
    pub(crate) fn finish(mut self) {
        self.stdin = None;
        let end = Instant::now() + HANG;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if Instant::now() > end => break None,
                None => pause(),
            }
        };
        if status.is_none_or(|status| !status.success()) {
            let line = format!("surehand tools ended with {status:?} after the end of input:\n{}", self.stderr());
            self.wrong.push(line);
        }
        println!("whole test: {:?}", self.started.elapsed());
        assert!(self.wrong.is_empty(), "{} wrong:\n- {}", self.wrong.len(), self.wrong.join("\n- "));
    }

    /// Opens the page in a new tab and closes all others; waits until its boxes are known. A dialog
    /// that opens while the page loads ends this early: the test has to answer it.
    pub(crate) fn open(&mut self, page: &str) -> Value {
        if is_open(&self.last["dialog"]) {
            self.answer_dialog("accept");
        }
        self.page = page.split('?').next().unwrap_or_default().to_string();
        let url = self.url(&format!("p/{page}"));
        let answer = self.call(json!({"tool": "tab", "action": "open", "url": url}));
        assert_eq!(answer["ok"], true, "opening: {answer}");
        if is_open(&answer["dialog"]) {
            return answer;
        }
        for tab in answer["tabs"].as_array().unwrap().iter().filter(|tab| tab["active"] == false) {
            let closed = self.call(json!({"tool": "tab", "action": "close", "tab_id": tab["id"]}));
            // A page may ask whether it may be left; here it may.
            if is_open(&closed["dialog"]) {
                self.answer_dialog("accept");
            }
        }
        self.wait_until("the boxes of the page", |log| log["facts"]["boxes"].is_object());
        answer
    }

    /// The page's entry in the lab's state: `events`, `check`, `facts`.
    pub(crate) fn log(&self) -> Value {
        let url = self.url(&format!("log/{}", self.page));
        let client = surehand_env::local_client(std::time::Duration::from_secs(10)).unwrap();
        self.runtime.block_on(async { client.get(url).send().await.unwrap().json().await.unwrap() })
    }

    /// The log as soon as the page's check is met, or as it is when time is up.
    pub(crate) fn solved(&self) -> Value {
        self.log_when(|log| log["check"]["ok"] == true)
    }

    /// The log as soon as it is so, or as it is when time is up.
    pub(crate) fn log_when(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        self.log_within(NOTICED, is_so)
    }

    /// The log as soon as it is so, or as it is when this time is up.
    pub(crate) fn log_within(&self, bound: Duration, is_so: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + bound;
        loop {
            let log = self.log();
            if is_so(&log) || Instant::now() > end {
                return log;
            }
            pause();
        }
    }

    /// The log, which must come to this.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let log = self.log_within(Duration::from_secs(10), &is_so);
        assert!(is_so(&log), "waited in vain for {what}: {}", log["check"]);
        log
    }

    /// A fact of the page.
    pub(crate) fn fact(&self, name: &str) -> Value {
        self.log()["facts"][name].clone()
    }

    /// The events of a type on a target; in a frame too.
    pub(crate) fn events(&self, kind: &str, target: &str) -> Vec<Value> {
        let log = self.log();
        let events = log["events"].as_array().unwrap();
        events.iter().filter(|event| event["type"] == kind && event["target"] == target).cloned().collect()
    }

    /// The box of a control in view pixels: left, top, right, bottom.
    pub(crate) fn pixels(&self, id: &str) -> [f64; 4] {
        let log = self.wait_until(&format!("a box of {id}"), |log| log["facts"]["boxes"][id].is_array());
        std::array::from_fn(|index| log["facts"]["boxes"][id][index].as_f64().unwrap())
    }

    /// The centre of a control on the grid.
    pub(crate) fn at(&self, id: &str) -> [i64; 2] {
        self.part(id, 0.5, 0.5)
    }

    /// A point of a control on the grid, from 0 (left, top) to 1 (right, bottom).
    pub(crate) fn part(&self, id: &str, across: f64, down: f64) -> [i64; 2] {
        let [left, top, right, bottom] = self.pixels(id);
        grid(left + (right - left) * across, top + (bottom - top) * down)
    }

    pub(crate) fn click(&mut self, id: &str) -> Value {
        self.click_with(id, json!({}))
    }

    /// A click with more fields: button, count, modifiers.
    pub(crate) fn click_with(&mut self, id: &str, more: Value) -> Value {
        let at = self.at(id);
        self.click_at(at, more)
    }

    pub(crate) fn click_at(&mut self, at: [i64; 2], more: Value) -> Value {
        let mut call = json!({"tool": "mouse", "action": "click", "coordinate": at});
        for (name, value) in more.as_object().unwrap() {
            call[name] = value.clone();
        }
        self.call(call)
    }

    pub(crate) fn move_to(&mut self, id: &str) -> Value {
        let at = self.at(id);
        self.call(json!({"tool": "mouse", "coordinate": at}))
    }

    pub(crate) fn drag(&mut self, from: [i64; 2], to: [i64; 2]) -> Value {
        self.call(json!({"tool": "mouse", "action": "drag", "start_coordinate": from, "end_coordinate": to}))
    }

    pub(crate) fn write(&mut self, text: &str) -> Value {
        self.call(json!({"tool": "keyboard", "action": "type", "text": text}))
    }

    pub(crate) fn press(&mut self, key: &str) -> Value {
        self.call(json!({"tool": "keyboard", "action": "press", "key": key}))
    }

    pub(crate) fn clear(&mut self) -> Value {
        self.call(json!({"tool": "keyboard", "action": "clear"}))
    }

    pub(crate) fn answer_dialog(&mut self, action: &str) -> Value {
        self.call(json!({"tool": "dialog", "dialog_action": action}))
    }

    pub(crate) fn wait(&mut self, seconds: f64) -> Value {
        self.call(json!({"tool": "wait", "seconds": seconds}))
    }

    /// Says a call and waits for its answer.
    pub(crate) fn call(&mut self, mut call: Value) -> Value {
        self.calls += 1;
        call["id"] = json!(self.calls);
        let asked = Instant::now();
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{call}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
        let answer: Value = match self.lines.recv_timeout(HANG) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")),
            Err(RecvTimeoutError::Timeout) => panic!("no answer to {call} in {HANG:?}; stderr:\n{}", self.stderr()),
            Err(RecvTimeoutError::Disconnected) => panic!("ended instead of {call}; stderr:\n{}", self.stderr()),
        };
        assert_eq!(answer["id"], call["id"], "the answer to another call: {answer}");
        if std::env::var_os("LAB_SHOW").is_some() {
            println!("  {call}\n    {:?} {}", asked.elapsed(), shortened(&answer));
        }
        self.last = answer.clone();
        answer
    }

    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(self.path("stderr")).unwrap_or_default()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // The end of input ends it with its browser; a kill would leave the browser behind.
        self.stdin = None;
        let end = Instant::now() + Duration::from_secs(10);
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            pause();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The binary with folders of its own and none of the caller's settings.
fn command(folder: &tempfile::TempDir, flags: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surehand"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SUREHAND_") {
            command.env_remove(&name);
        }
    }
    command
        .args(["tools", "--viewport", "1280x720"])
        .args(flags)
        .env("SUREHAND_DATA", folder.path().join("data"))
        .env("TMPDIR", folder.path().join("tmp"))
        .env("XDG_CONFIG_HOME", folder.path().join("config"))
        .env_remove("RUST_BACKTRACE")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(File::create(folder.path().join("stderr")).unwrap());
    command
}

/// A point in view pixels on the grid of 1000 by 1000.
#[expect(clippy::cast_possible_truncation, reason = "a point of the view is between 0 and 1000 here")]
pub(crate) fn grid(x: f64, y: f64) -> [i64; 2] {
    [(x * 1000.0 / WIDTH).round() as i64, (y * 1000.0 / HEIGHT).round() as i64]
}

/// The call was refused or failed with this code, and nothing was dispatched.
#[track_caller]
pub(crate) fn assert_error(answer: &Value, code: &str) {
    assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!(code)), "{}", shortened(answer));
    assert!(answer["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{}", shortened(answer));
}

/// The call was done, and the effect is this.
#[track_caller]
pub(crate) fn assert_effect(answer: &Value, status: &str) {
    assert_eq!((&answer["ok"], &answer["effect"]["status"]), (&json!(true), &json!(status)), "{}", shortened(answer));
}

/// The call had an effect, and this kind of evidence says so; a request alone does not.
#[track_caller]
pub(crate) fn assert_evidence(answer: &Value, kind: &str) {
    assert_effect(answer, "confirmed");
    let evidence = answer["effect"]["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|one| one["kind"] == kind), "no {kind} in {}", shortened(answer));
}

/// The answer without what is long and says little: frame, tabs, address.
pub(crate) fn shortened(answer: &Value) -> Value {
    let mut short = answer.clone();
    if let Some(fields) = short.as_object_mut() {
        fields.retain(|name, value| {
            !["frame", "tabs", "title", "url"].contains(&name.as_str())
                && !value.is_null()
                && value.as_array().is_none_or(|list| !list.is_empty())
        });
    }
    short
}

/// Whether a dialog of an answer still waits for somebody to answer it.
fn is_open(dialog: &Value) -> bool {
    dialog.is_object() && dialog["handled"].is_null()
}

/// Between two polls.
fn pause() {
    std::thread::park_timeout(Duration::from_millis(20));
}
