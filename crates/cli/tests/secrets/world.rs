//! A folder, a small web server and the binary between them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far longer than anything here takes; only a hang reaches it.
const HANG: Duration = Duration::from_secs(120);

/// Pages by their path; every request is written down.
pub(crate) struct Site {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Site {
    pub(crate) fn start(pages: Vec<(&'static str, String)>) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, stopped, pages) = (Arc::clone(&asked), Arc::clone(&stop), Arc::new(pages));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (log, pages) = (Arc::clone(&log), Arc::clone(&pages));
                std::thread::spawn(move || serve(stream, &log, &pages));
            }
        });
        Site { port, asked, stop }
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin())
    }

    pub(crate) fn asked(&self) -> String {
        self.asked.lock().unwrap().join("\n")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<String>>, pages: &[(&str, String)]) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
    let (mut bytes, mut buffer) = (Vec::new(), [0; 65536]);
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_string();
    log.lock().unwrap().push(target.clone());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let page = pages.iter().find(|(known, _)| *known == path);
    let (status, body) = page.map_or(("404 Not Found", ""), |(_, body)| ("200 OK", body.as_str()));
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    let _ = stream.write_all(answer.as_bytes());
}

pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Home {
        let folder = tempfile::Builder::new().prefix("shsec-").tempdir().unwrap();
        for part in ["tmp", "config"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        Home { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The binary with folders of its own and none of the caller's settings.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surehand"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SUREHAND_") {
                command.env_remove(&name);
            }
        }
        command
            .arg("--data")
            .arg(self.path("data"))
            .args(arguments)
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("RUST_BACKTRACE")
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, command: &mut Command) -> Output {
        let out = |name: &str| File::create(self.path(name)).unwrap();
        let mut child = command.stdout(out("stdout")).stderr(out("stderr")).spawn().unwrap();
        let end = Instant::now() + HANG;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > end {
                let _ = child.kill();
                let _ = child.wait();
                panic!("still running\n{}", std::fs::read_to_string(self.path("stderr")).unwrap_or_default());
            }
            pause();
        };
        let read = |name: &str| std::fs::read(self.path(name)).unwrap();
        Output { status, stdout: read("stdout"), stderr: read("stderr") }
    }

    /// Every file of the data folder, with its content.
    pub(crate) fn artefacts(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.path("data")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), std::fs::read(&path).unwrap()));
                }
            }
        }
        files
    }
}

/// A client of `surehand tools`.
pub(crate) struct Tools {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything it said, as it was said.
    pub(crate) said: String,
    stderr: PathBuf,
}

impl Tools {
    pub(crate) fn start(home: &Home, arguments: &[&str], variables: &[(&str, &str)]) -> Tools {
        let stderr = home.path("tools-stderr");
        let mut all = vec!["tools", "--set", "density_gate=off"];
        all.extend(arguments);
        let mut command = home.command(&all);
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(&stderr).unwrap());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Tools { child, stdin, lines, said: String::new(), stderr }
    }

    pub(crate) fn ask(&mut self, call: Value) -> Value {
        self.ask_line(&call.to_string())
    }

    pub(crate) fn ask_line(&mut self, line: &str) -> Value {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
        let line = self.lines.recv_timeout(HANG).unwrap_or_else(|_| panic!("no answer\n{}", self.stderr()));
        self.said.push_str(&line);
        self.said.push('\n');
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) fn click(&mut self, x: u32, y: u32) -> Value {
        self.ask(json!({"tool": "mouse", "action": "click", "coordinate": grid(x, y)}))
    }

    pub(crate) fn write(&mut self, text: &str) -> Value {
        self.ask(json!({"tool": "keyboard", "action": "type", "text": text}))
    }

    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap_or_default()
    }

    /// Ends the input and waits for the program.
    pub(crate) fn close(mut self) -> String {
        self.stdin = None;
        let end = Instant::now() + HANG;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "tools did not end\n{}", self.stderr());
            pause();
        }
        self.stderr()
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        self.stdin = None;
        let end = Instant::now() + Duration::from_secs(20);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < end {
            pause();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Between two looks whether a process has ended; every wait has its own deadline.
fn pause() {
    std::thread::park_timeout(Duration::from_millis(20));
}

/// View pixels of 1280x720 in grid units.
pub(crate) fn grid(x: u32, y: u32) -> [u32; 2] {
    [x * 1000 / 1280, y * 1000 / 720]
}

/// The error's code, or "ok".
pub(crate) fn code(answer: &Value) -> &str {
    if answer["ok"] == true { "ok" } else { answer["error"]["code"].as_str().unwrap_or("?") }
}

pub(crate) fn picture_of(answer: &Value) -> PathBuf {
    Path::new(answer["frame"]["path"].as_str().unwrap()).to_path_buf()
}
