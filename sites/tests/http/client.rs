// The smallest HTTP client the tests need: one request per connection, cookies kept by hand.
// Our own, because it must also be able to send requests no decent client would send.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::Value;
use surehand_sites::{Site, SiteServer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }

    /// The message of an error answer, with the check that it has one.
    pub(crate) fn message(&self) -> String {
        let message = self.json()["error"]["message"].clone();
        message.as_str().expect("an error message").to_owned()
    }
}

pub(crate) struct Client {
    pub(crate) server: SiteServer,
    pub(crate) cookies: Vec<String>,
}

impl Client {
    pub(crate) async fn start(site: Site) -> Client {
        let server = SiteServer::start(site, ANY_PORT).await.expect("a server");
        Client { server, cookies: Vec::new() }
    }

    pub(crate) async fn signed_in() -> Client {
        let mut client = Client::start(Site::Crm).await;
        let answer =
            client.post("/api/login", r#"{"email":"dana@northbeam.example","password":"harbor-lights-42"}"#).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        client
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"").await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &str) -> Answer {
        self.send("POST", path, &[], body.as_bytes()).await
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n");
        for header in headers {
            head.push_str(&format!("{header}\r\n"));
        }
        if !self.cookies.is_empty() {
            head.push_str(&format!("cookie: {}\r\n", self.cookies.join("; ")));
        }
        if !body.is_empty() {
            head.push_str("content-type: application/json\r\n");
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let answer = exchange(self.server.address(), &[head.as_bytes(), body].concat()).await;
        self.keep_cookie(&answer);
        answer
    }

    pub(crate) async fn state(&mut self) -> Value {
        self.get("/__state").await.json()
    }

    fn keep_cookie(&mut self, answer: &Answer) {
        let Some(cookie) = answer.header("set-cookie") else {
            return;
        };
        let pair = cookie.split(';').next().unwrap_or_default();
        let (name, value) = pair.split_once('=').expect("a cookie pair");
        self.cookies.retain(|kept| !kept.starts_with(&format!("{name}=")));
        if !value.is_empty() {
            self.cookies.push(pair.to_owned());
        }
    }
}

/// Sends the bytes as they are and reads until the server closes.
pub(crate) async fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    // A server that refuses a request early may close before it read everything.
    let _ = stream.write_all(request).await;
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received).await;
    let text = String::from_utf8_lossy(&received).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}
