//! Somebody who is told things over HTTP: it answers as it was told to, and remembers heads and bodies.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

/// A receiver that answers with these status lines, the last one for ever, and remembers heads and bodies.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Vec<(String, String)>>>,
}

impl Receiver {
    pub(crate) fn start(address: &str, answers: &[&str]) -> Receiver {
        let listener = TcpListener::bind(address).unwrap();
        let heard: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
        let receiver = Receiver { address: listener.local_addr().unwrap(), heard: Arc::clone(&heard) };
        let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut bytes = Vec::new();
                let mut part = [0; 4096];
                let (head, body) = loop {
                    let count = stream.read(&mut part).unwrap_or(0);
                    bytes.extend_from_slice(&part[..count]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                    if count == 0 || body.len() >= length.unwrap_or("0").parse::<usize>().unwrap() {
                        break (head.to_string(), body.to_string());
                    }
                };
                let mut heard = heard.lock().unwrap();
                let answer = answers.get(heard.len()).or(answers.last()).unwrap();
                heard.push((head, body));
                let _ = write!(stream, "HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            }
        });
        receiver
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?key=hidden", self.address)
    }

    pub(crate) fn heard(&self) -> Vec<(String, String)> {
        self.heard.lock().unwrap().clone()
    }
}
