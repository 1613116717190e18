//! The real model server for one test: llama.cpp with a very small model, on a free port, ended with the test.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::eventually;

const SCRIPT: &str = include_str!("serve.py");
/// What the model was trained for.
pub(crate) const CONTEXT: u32 = 8192;
/// Far longer than any answer here takes.
const ANSWER_DEADLINE: Duration = Duration::from_secs(120);

pub(crate) struct ModelServer {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl ModelServer {
    /// A server that answers.
    pub(crate) fn ready() -> ModelServer {
        ModelServer::ready_with_context(CONTEXT)
    }

    pub(crate) fn ready_with_context(context: u32) -> ModelServer {
        let server = ModelServer::start(context, None);
        server.wait_until_ready();
        server
    }

    /// A server that says "loading" until `finish_loading`.
    pub(crate) fn loading() -> ModelServer {
        let server = ModelServer::start(CONTEXT, Some("hold"));
        eventually("the model server to say that it loads", || server.health() == Some(503));
        server
    }

    pub(crate) fn finish_loading(&self) {
        let pipe = self.folder.path().join("hold");
        // Without waiting: opening it fails until the server has come to the point where it reads the pipe.
        let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap();
        let release = || OpenOptions::new().write(true).custom_flags(flags).open(&pipe).is_ok();
        eventually("the model server to wait for its file", release);
        self.wait_until_ready();
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Status and body of one question.
    pub(crate) fn ask(&self, body: &Value) -> (u16, String) {
        self.request("POST /v1/chat/completions", &body.to_string()).unwrap()
    }

    /// Killed as by the system, in the middle of whatever it does.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn start(context: u32, hold: Option<&str>) -> ModelServer {
        let folder = tempfile::Builder::new().prefix("shllm-").tempdir().unwrap();
        std::fs::write(folder.path().join("serve.py"), SCRIPT).unwrap();
        // Free at this moment; nobody else on this machine takes ports by number.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut command = Command::new(variable("SUREHAND_TEST_LLM_PYTHON"));
        command.arg("serve.py").arg(variable("SUREHAND_TEST_LLM_MODEL")).args([port.to_string(), context.to_string()]);
        command.args(hold).current_dir(folder.path());
        let log = File::create(folder.path().join("log")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(log);
        ModelServer { child: command.spawn().unwrap(), port, folder }
    }

    fn wait_until_ready(&self) {
        eventually("the model server to be ready", || self.health() == Some(200));
    }

    fn health(&self) -> Option<u16> {
        self.request("GET /health", "").map(|(status, _)| status)
    }

    fn request(&self, line: &str, body: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.set_read_timeout(Some(ANSWER_DEADLINE)).unwrap();
        let length = body.len();
        let head = "host: test\r\nconnection: close\r\ncontent-type: application/json";
        write!(stream, "{line} HTTP/1.1\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, body.to_string()))
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A question of one user message.
pub(crate) fn question(text: &str, more: &Value) -> Value {
    let mut body = json!({"messages": [{"role": "user", "content": text}], "max_tokens": 60, "temperature": 0});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn variable(name: &str) -> PathBuf {
    let value = std::env::var_os(name);
    PathBuf::from(value.unwrap_or_else(|| panic!("{name} is not set; run `cargo xtask test --only-llm`")))
}
