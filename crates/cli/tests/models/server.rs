//! An HTTP server that writes down every request and answers as a test tells it to, rudely where that is wanted:
//! late, half, never, far too much, or with a promise it does not keep.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Only a client that hangs reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

impl Asked {
    /// A header by its name in lower case; several of one name are joined.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let all: Vec<&str> =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What is sent back, and how.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) manner: Manner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Whole,
    /// The whole length is promised, so many bytes come, then the connection is closed.
    CutAfter(usize),
    /// So many bytes come, then nothing, and the connection stays open.
    StallAfter(usize),
    /// Without a length: the end of the connection is the end of the body.
    Unmeasured,
    /// Not even a status line.
    Silent,
    /// The connection is closed before a status line.
    Closed,
}

impl Answer {
    pub(crate) fn json(body: &Value) -> Answer {
        Answer::status(200, body)
    }

    pub(crate) fn status(status: u16, body: &Value) -> Answer {
        Answer::text(status, "application/json", body.to_string())
    }

    pub(crate) fn text(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Answer {
        let headers = vec![("content-type".to_string(), kind.to_string())];
        Answer { status, headers, body: body.into(), manner: Manner::Whole }
    }

    /// A stream of events, one for each piece.
    pub(crate) fn events(pieces: &[String]) -> Answer {
        let body: String = pieces.iter().map(|piece| format!("data: {piece}\n\n")).collect();
        Answer { manner: Manner::Unmeasured, ..Answer::text(200, "text/event-stream", body) }
    }

    pub(crate) fn silent() -> Answer {
        Answer { manner: Manner::Silent, ..Answer::text(200, "text/plain", "") }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.to_string(), value.to_string()));
        self
    }

    pub(crate) fn manner(self, manner: Manner) -> Answer {
        Answer { manner, ..self }
    }
}

type Play = Box<dyn FnMut(&Asked, usize) -> Answer + Send>;

struct Shared {
    play: Mutex<Play>,
    asked: Mutex<Vec<Asked>>,
    stop: AtomicBool,
}

/// Serves until it is dropped.
pub(crate) struct Server {
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// `play` is given every request with its number, from 0 on.
    pub(crate) fn start(play: impl FnMut(&Asked, usize) -> Answer + Send + 'static) -> Server {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            play: Mutex::new(Box::new(play)),
            asked: Mutex::new(Vec::new()),
            stop: AtomicBool::new(false),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if serving.stop.load(Ordering::SeqCst) {
                    break;
                }
                let serving = Arc::clone(&serving);
                std::thread::spawn(move || serve(stream, &serving));
            }
        });
        Server { port, shared }
    }

    /// These answers in order; the last one again and again.
    pub(crate) fn list(answers: Vec<Answer>) -> Server {
        Server::start(move |_, number| answers[number.min(answers.len() - 1)].clone())
    }

    /// From now on it plays this, with numbers from 0 on.
    pub(crate) fn play(&self, mut play: impl FnMut(&Asked, usize) -> Answer + Send + 'static) {
        let before = self.count();
        *self.shared.play.lock().unwrap() = Box::new(move |asked, number| play(asked, number - before));
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.shared.asked.lock().unwrap().len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let Some(asked) = read(&mut stream) else { return };
    let number = {
        let mut all = shared.asked.lock().unwrap();
        all.push(asked.clone());
        all.len() - 1
    };
    // Outside the lock of what was asked: a play may look at it.
    let answer = (shared.play.lock().unwrap())(&asked, number);
    send(&mut stream, &answer);
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 256 * 1024]);
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut body = bytes.split_off(end + 4);
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_string(), first.next()?.to_string());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_string()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or_default();
    while body.len() < length {
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => body.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
    Some(Asked { method, path, headers, body, at: Instant::now() })
}

fn send(stream: &mut TcpStream, answer: &Answer) {
    let promised = match answer.manner {
        Manner::Silent => return until_closed(stream),
        Manner::Closed => return,
        Manner::Unmeasured => String::new(),
        Manner::Whole | Manner::CutAfter(_) | Manner::StallAfter(_) => {
            format!("content-length: {}\r\n", answer.body.len())
        }
    };
    let headers: String = answer.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {} Status\r\n{headers}{promised}connection: close\r\n\r\n", answer.status);
    let body = match answer.manner {
        Manner::CutAfter(count) | Manner::StallAfter(count) => &answer.body[..count.min(answer.body.len())],
        _ => &answer.body[..],
    };
    // A client that has had enough closes: that is its right.
    let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    if sent.is_ok() && matches!(answer.manner, Manner::StallAfter(_)) {
        until_closed(stream);
    }
}

fn until_closed(stream: &mut TcpStream) {
    let mut byte = [0];
    while let Ok(1..) = stream.read(&mut byte) {}
}
