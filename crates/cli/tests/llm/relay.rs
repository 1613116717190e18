//! Stands between Surehand and the model server and passes every byte on, so that a test can see what was asked and
//! what was answered, and when.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Passed {
    asked: Mutex<Vec<u8>>,
    answered: Mutex<Vec<u8>>,
}

pub(crate) struct Relay {
    port: u16,
    passed: Arc<Passed>,
}

impl Relay {
    pub(crate) fn to(server: u16) -> Relay {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let passed = Arc::new(Passed::default());
        let serving = Arc::downgrade(&passed);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Some(passed)) = (client, serving.upgrade()) else {
                    break;
                };
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else {
                    continue;
                };
                let (from_client, from_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let other = Arc::clone(&passed);
                std::thread::spawn(move || pass(from_client, server, &passed.asked));
                std::thread::spawn(move || pass(from_server, client, &other.answered));
            }
        });
        Relay { port, passed }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Everything that was sent to the server, heads and bodies.
    pub(crate) fn asked(&self) -> String {
        text(&self.passed.asked)
    }

    /// Everything that the server answered.
    pub(crate) fn answered(&self) -> String {
        text(&self.passed.answered)
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned()
}

/// Until one side closes, and then the other is told.
fn pass(mut from: TcpStream, mut to: TcpStream, seen: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        seen.lock().unwrap().extend_from_slice(&buffer[..length]);
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
    let _ = from.shutdown(Shutdown::Read);
}
