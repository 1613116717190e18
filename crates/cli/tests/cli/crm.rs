//! The built-in CRM for one test: served on a free port, its state read over plain HTTP, and the
//! replies that every script about it begins with.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use serde_json::{Value, json};
use surehand_sites::{Site, SiteServer};

pub(crate) struct Crm {
    // Before the runtime, so that the server is dropped inside its life.
    server: SiteServer,
    _runtime: tokio::runtime::Runtime,
}

impl Crm {
    pub(crate) fn start() -> Crm {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = runtime.block_on(SiteServer::start(Site::Crm, address)).unwrap();
        Crm { server, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.server.url())
    }

    /// What the site itself says about its data.
    pub(crate) fn state(&self) -> Value {
        let mut stream = TcpStream::connect(self.server.address()).unwrap();
        stream.write_all(b"GET /__state HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    pub(crate) fn has_contact(&self, id: u64) -> bool {
        self.state()["contacts"].as_array().unwrap().iter().any(|contact| contact["id"] == id)
    }
}

/// From the start page to the dashboard.
pub(crate) fn sign_in() -> Vec<Value> {
    vec![
        reply(json!([click("button", "Only necessary")])),
        reply(json!([click("textbox", "Email"), type_text("dana@northbeam.example")])),
        reply(json!([click("textbox", "Password"), type_text("harbor-lights-42")])),
        reply(json!([click("button", "Sign in")])),
        // The dashboard is there before anything else is opened.
        reply(json!([{"tool": "mouse", "target": {"role": "link", "text": "Contacts"}}])),
    ]
}

pub(crate) fn reply(calls: Value) -> Value {
    json!({ "calls": calls })
}

pub(crate) fn click(role: &str, text: &str) -> Value {
    json!({"tool": "mouse", "action": "click", "target": {"role": role, "text": text}})
}

pub(crate) fn type_text(text: &str) -> Value {
    json!({"tool": "keyboard", "action": "type", "text": text})
}

pub(crate) fn wait(seconds: u32) -> Value {
    reply(json!([{"tool": "wait", "seconds": seconds}]))
}

pub(crate) fn done(success: bool) -> Value {
    reply(json!([{"tool": "done", "success": success, "summary": "that is all"}]))
}
