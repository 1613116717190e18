//! A tiny web server for pages that no decent site would have: they loop, never finish, open
//! dialogs for ever. It remembers every request, so that a test can tell what a page has done.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a path is answered.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Page {
    Html(&'static str),
    /// The beginning of a page, and then nothing for ever.
    Unfinished(&'static str),
    /// Not even a status line.
    Silent,
    /// A page with one more header line.
    With(&'static str, &'static str),
}

pub(crate) struct PageServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    pages: Vec<(&'static str, Page)>,
    requests: Mutex<Vec<String>>,
    /// Connections that stay open until the server goes.
    held: Mutex<Vec<TcpStream>>,
}

impl PageServer {
    pub(crate) fn start(pages: &[(&'static str, Page)]) -> PageServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { pages: pages.to_vec(), requests: Mutex::default(), held: Mutex::default() });
        let serving = Arc::downgrade(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (Ok(stream), Some(shared)) = (stream, serving.upgrade()) else {
                    break;
                };
                std::thread::spawn(move || shared.answer(stream));
            }
        });
        PageServer { address, shared }
    }

    /// One page at `/`.
    pub(crate) fn with(html: &'static str) -> PageServer {
        PageServer::start(&[("/", Page::Html(html))])
    }

    pub(crate) fn url(&self) -> String {
        self.at("/")
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The heads of all requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// How often a path was asked for.
    pub(crate) fn count(&self, path: &str) -> usize {
        self.requests().iter().filter(|head| head.split(' ').nth(1) == Some(path)).count()
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        for stream in self.shared.held.lock().unwrap().drain(..) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        // The listener looks whether it is still wanted when somebody knocks.
        self.shared = Arc::new(Shared { pages: Vec::new(), requests: Mutex::default(), held: Mutex::default() });
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream) {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
        let Some(head) = read_head(&mut stream) else {
            return;
        };
        let path = head.split(' ').nth(1).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default();
        let page = self.pages.iter().find(|(at, _)| *at == path).map(|(_, page)| *page);
        self.requests.lock().unwrap().push(head.clone());
        match page {
            None => send(&mut stream, "404 Not Found", "", "nothing here"),
            Some(Page::Html(html)) => send(&mut stream, "200 OK", "", html),
            Some(Page::With(header, html)) => send(&mut stream, "200 OK", &format!("{header}\r\n"), html),
            Some(Page::Unfinished(html)) => {
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 1000000\r\n\r\n";
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.write_all(html.as_bytes());
                self.held.lock().unwrap().push(stream);
            }
            Some(Page::Silent) => self.held.lock().unwrap().push(stream),
        }
    }
}

fn send(stream: &mut TcpStream, status: &str, header: &str, html: &str) {
    let length = html.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n{header}connection: close\r\n\r\n{html}"
    );
    let _ = stream.write_all(answer.as_bytes());
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// An address where nobody listens.
pub(crate) fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/", listener.local_addr().unwrap())
}
