//! Two servers and a client of `surehand tools`: a site that is allowed, an attacker that writes down every
//! connection and every datagram, and a browser between them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Far longer than any call takes; only a hang reaches it.
pub(crate) const HANG: Duration = Duration::from_secs(60);

/// A request as a site sees it.
pub(crate) struct Ask {
    pub(crate) method: String,
    /// With its query.
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) struct Answer {
    pub(crate) status: &'static str,
    /// Lines with their ends.
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn html(body: impl Into<String>) -> Answer {
        Answer { status: "200 OK", headers: "content-type: text/html; charset=utf-8\r\n".into(), body: body.into() }
    }

    pub(crate) fn script(body: impl Into<String>) -> Answer {
        Answer { headers: "content-type: text/javascript\r\n".into(), ..Answer::html(body) }
    }

    pub(crate) fn redirect(status: &'static str, to: &str) -> Answer {
        Answer { status, headers: format!("location: {to}\r\n"), body: String::new() }
    }

    pub(crate) fn with(mut self, header: &str) -> Answer {
        self.headers.push_str(header);
        self.headers.push_str("\r\n");
        self
    }
}

/// A web server on 127.0.0.1; also speaks WebSocket, as an echo.
pub(crate) struct Site {
    pub(crate) port: u16,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Site {
    pub(crate) fn start(answer: impl Fn(&Ask) -> Answer + Send + Sync + 'static) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, stopped, answer) = (Arc::clone(&asked), Arc::clone(&stop), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &log, answer.as_ref()));
            }
        });
        Site { port, asked, stop }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn asked_for(&self, path: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|line| line.contains(path))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Answers one request, or echoes for as long as a WebSocket is open.
pub(crate) fn serve(mut stream: TcpStream, log: &Mutex<Vec<String>>, answer: &dyn Fn(&Ask) -> Answer) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
    let mut start = [0; 1];
    // An encrypted greeting is not understood here, and nobody should wait for an answer to it.
    if stream.peek(&mut start).is_ok_and(|count| count == 1) && start[0].is_ascii_alphabetic() {
        answer_next(&mut stream, log, answer, "close");
    }
}

/// Answers the next request of a connection, whatever it is carried by. False when there was none, or no other
/// can follow.
pub(crate) fn answer_next(
    stream: &mut (impl Read + Write),
    log: &Mutex<Vec<String>>,
    answer: &dyn Fn(&Ask) -> Answer,
    connection: &str,
) -> bool {
    let Some(ask) = read_request(stream) else { return false };
    log.lock().unwrap().push(format!("{} {}", ask.method, ask.path));
    if ask.head.to_lowercase().contains("upgrade: websocket") {
        echo(Replayed { start: ask.head.into_bytes(), stream });
        return false;
    }
    let Answer { status, headers, body } = answer(&ask);
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: {connection}\r\n\r\n");
    let body = if ask.method == "HEAD" { "" } else { body.as_str() };
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).is_ok()
}

/// A stream whose beginning was read already.
struct Replayed<S> {
    start: Vec<u8>,
    stream: S,
}

impl<S: Read> Read for Replayed<S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.start.is_empty() {
            return self.stream.read(buffer);
        }
        let count = self.start.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.start[..count]);
        self.start.drain(..count);
        Ok(count)
    }
}

impl<S: Write> Write for Replayed<S> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

fn echo(stream: impl Read + Write) {
    let Ok(mut socket) = tokio_tungstenite::tungstenite::accept(stream) else { return };
    while let Ok(message) = socket.read() {
        if message.is_close() || socket.send(message).is_err() {
            break;
        }
    }
}

fn read_request(stream: &mut impl Read) -> Option<Ask> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let end = loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    while bytes.len() < end + length.unwrap_or(0) {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
    }
    let mut words = head.split(' ');
    let (method, path) = (words.next()?.to_string(), words.next()?.to_string());
    Some(Ask { method, path, body: String::from_utf8_lossy(&bytes[end..]).into_owned(), head })
}

/// Whoever must not be reached. Counts connections and datagrams, whatever is in them.
pub(crate) struct Attacker {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
    datagrams: Arc<AtomicUsize>,
    asked: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Attacker {
    pub(crate) fn start() -> Attacker {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).unwrap();
        let (connections, datagrams) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (asked, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (counter, log, stopped) = (Arc::clone(&connections), Arc::clone(&asked), Arc::clone(&stop));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                counter.fetch_add(1, Ordering::SeqCst);
                let log = Arc::clone(&log);
                std::thread::spawn(move || {
                    serve(stream, &log, &|ask: &Ask| {
                        let kind = match ask.path.rsplit('.').next() {
                            Some("js") => "text/javascript",
                            Some("css") => "text/css",
                            Some("svg") => "image/svg+xml",
                            Some("html") => "text/html",
                            _ => "application/octet-stream",
                        };
                        Answer::html("").with("access-control-allow-origin: *").with(&format!("x-kind: {kind}"))
                    })
                });
            }
        });
        let (counter, stopped) = (Arc::clone(&datagrams), Arc::clone(&stop));
        std::thread::spawn(move || {
            let mut buffer = [0; 2048];
            while udp.recv(&mut buffer).is_ok() && !stopped.load(Ordering::SeqCst) {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        Attacker { port, connections, datagrams, asked, stop }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn datagrams(&self) -> usize {
        self.datagrams.load(Ordering::SeqCst)
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn assert_untouched(&self, what: &str) {
        let connections = self.connections.load(Ordering::SeqCst);
        assert_eq!((connections, self.datagrams()), (0, 0), "{what} reached the attacker: {:?}", self.asked());
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Ok(udp) = UdpSocket::bind("127.0.0.1:0") {
            let _ = udp.send_to(b"end", ("127.0.0.1", self.port));
        }
    }
}

/// The binary in a folder of its own, with none of the caller's settings.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let folder = tempfile::Builder::new().prefix("shallow-").tempdir().unwrap();
        for part in ["tmp", "config"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        Bench { folder }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surehand"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SUREHAND_") {
                command.env_remove(&name);
            }
        }
        command
            .arg("--data")
            .arg(self.folder.path().join("data"))
            .args(arguments)
            .env("TMPDIR", self.folder.path().join("tmp"))
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end: exit code, stdout, stderr.
    pub(crate) fn ended(&self, mut command: Command) -> (i32, String, String) {
        let files = ["stdout", "stderr"].map(|name| self.folder.path().join(name));
        let [stdout, stderr] = files.clone().map(|file| File::create(file).unwrap());
        let mut child = command.stdout(stdout).stderr(stderr).spawn().unwrap();
        let status = wait_for_end(&mut child);
        let [stdout, stderr] = files.map(|file| std::fs::read_to_string(file).unwrap());
        (status.expect("it ended in time"), stdout, stderr)
    }
}

fn wait_for_end(child: &mut Child) -> Option<i32> {
    let end = Instant::now() + HANG;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        a_moment();
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// A client of `surehand tools`.
pub(crate) struct Tools {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: PathBuf,
    _bench: Arc<Bench>,
}

impl Tools {
    pub(crate) fn start(arguments: &[&str]) -> Tools {
        Tools::start_in(Arc::new(Bench::new()), arguments)
    }

    /// In a folder that another run used before, so that its sessions are there.
    pub(crate) fn start_in(bench: Arc<Bench>, arguments: &[&str]) -> Tools {
        let stderr = bench.folder.path().join("stderr");
        let mut all = vec!["tools", "--set", "density_gate=off", "--set", "navigation_timeout=6s"];
        all.extend(arguments);
        let mut child = bench
            .command(&all)
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
        Tools { child, stdin, lines, stderr, _bench: bench }
    }

    pub(crate) fn ask(&mut self, call: Value) -> Value {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{call}").unwrap();
        stdin.flush().unwrap();
        match self.lines.recv_timeout(HANG) {
            Ok(line) => serde_json::from_str(&line).unwrap(),
            Err(error) => panic!("no answer to {call}: {error}; stderr:\n{}", self.stderr()),
        }
    }

    pub(crate) fn open(&mut self, url: &str) -> Value {
        self.ask(json!({"tool": "tab", "action": "open", "url": url}))
    }

    pub(crate) fn tab(&mut self, action: &str) -> Value {
        self.ask(json!({"tool": "tab", "action": action}))
    }

    pub(crate) fn wait(&mut self, seconds: f64) -> Value {
        self.ask(json!({"tool": "wait", "seconds": seconds}))
    }

    /// In the middle of the page, where the pages of these tests have their button.
    pub(crate) fn click(&mut self) -> Value {
        self.ask(json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]}))
    }

    /// Waits until the page's title begins so; the answer that said it, and all messages on the way.
    pub(crate) fn until_title(&mut self, beginning: &str) -> (Value, String) {
        let end = Instant::now() + HANG;
        let mut messages = String::new();
        loop {
            let answer = self.wait(0.2);
            messages.push_str(answer["message"].as_str().unwrap_or_default());
            messages.push('\n');
            if answer["title"].as_str().unwrap_or_default().starts_with(beginning) {
                return (answer, messages);
            }
            assert!(Instant::now() < end, "no title {beginning:?}: {answer}");
        }
    }

    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(&self.stderr).unwrap_or_default()
    }

    pub(crate) fn close(mut self) -> String {
        self.stdin = None;
        assert_eq!(wait_for_end(&mut self.child), Some(0), "{}", self.stderr());
        self.stderr()
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        self.stdin = None;
        let end = Instant::now() + Duration::from_secs(10);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < end {
            a_moment();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Between two looks at something that has no event of its own.
pub(crate) fn a_moment() {
    std::thread::park_timeout(Duration::from_millis(20));
}

/// Nobody calls for this long.
pub(crate) fn nobody_calls_for(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        a_moment();
    }
}

pub(crate) fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or_default()
}
