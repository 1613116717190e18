//! The practice sites for one test, the example plans, and replies of brains for their steps.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use surehand_sites::{Site, SiteServer};

use crate::bench::Bench;

pub(crate) const PASSWORD: &str = "harbor-lights-42";

pub(crate) struct Served {
    // Before the runtime, so that the server is dropped inside its life.
    server: SiteServer,
    _runtime: tokio::runtime::Runtime,
}

impl Served {
    pub(crate) fn start(site: Site) -> Served {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = runtime.block_on(SiteServer::start(site, address)).unwrap();
        Served { server, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url().trim_end_matches('/').to_string()
    }

    /// What the site itself says about its data.
    pub(crate) fn state(&self) -> Value {
        let mut stream = TcpStream::connect(self.server.address()).unwrap();
        stream.write_all(b"GET /__state HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// The contacts with this address.
    pub(crate) fn contacts_with(&self, email: &str) -> Vec<Value> {
        let contacts = self.state()["contacts"].as_array().unwrap().clone();
        contacts.into_iter().filter(|contact| contact["email"] == email).collect()
    }
}

pub(crate) fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans").join(name).display().to_string()
}

/// `surehand plan run … --json` with the password of the CRM.
pub(crate) fn plan_command(bench: &Bench, arguments: &[&str]) -> Command {
    // High enough for the longest list: scripts do not scroll.
    let mut all = vec!["plan", "run", "--json", "--confirm", "none", "--viewport", "1280x1700"];
    all.extend(arguments);
    let mut command = bench.command(&all);
    command.env("CRM_PASSWORD", PASSWORD);
    command
}

pub(crate) fn step(id: &str, calls: Value) -> Value {
    json!({"step": id, "calls": calls})
}

pub(crate) fn in_pass(id: &str, pass: usize, calls: Value) -> Value {
    json!({"step": id, "pass": pass, "calls": calls})
}

pub(crate) fn click(role: &str, text: &str) -> Value {
    json!({"tool": "mouse", "action": "click", "target": {"role": role, "text": text}})
}

pub(crate) fn done() -> Value {
    json!({"tool": "done", "success": true, "summary": "the step is done and the page shows it"})
}

pub(crate) fn read(value: Value, evidence: Value) -> Value {
    let output = json!({"value": value, "evidence": evidence});
    json!([{"tool": "done", "success": true, "summary": "read off the page", "output": output}])
}

/// A click and the word that it is done.
pub(crate) fn press(id: &str, role: &str, text: &str) -> [Value; 2] {
    [step(id, json!([click(role, text)])), step(id, json!([done()]))]
}

/// From the login page into the CRM.
pub(crate) fn into_the_crm() -> Vec<Value> {
    [press("refuse-cookies", "button", "Only necessary"), press("sign-in", "button", "Sign in")].concat()
}

/// The contact that a pass creates.
pub(crate) fn new_contact(pass: usize, name: &str, email: &str, status: &str) -> Vec<Value> {
    let evidence = json!([{"field": "name", "selector": "#heading"}, {"field": "status", "selector": "#heading-badge"},
        {"field": "address", "selector": "#email"}]);
    // The input itself is hidden below its label.
    let choose = json!({"tool": "mouse", "action": "click", "target": {"text": status, "exact": true}});
    vec![
        in_pass("choose-status", pass, json!([choose])),
        in_pass("choose-status", pass, json!([done()])),
        in_pass("save", pass, json!([click("button", "Create contact")])),
        in_pass("save", pass, json!([done()])),
        in_pass("read-back", pass, read(json!({"name": name, "status": status, "address": email}), evidence)),
    ]
}

pub(crate) fn people() -> [(&'static str, &'static str, &'static str); 3] {
    [
        ("Ilse Marten", "ilse.marten@harborworks.example", "Lead"),
        ("Kofi Asante", "kofi@asante-tools.example", "Prospect"),
        ("Mei Tanaka", "mei.tanaka@fernleaf.example", "Lead"),
    ]
}

pub(crate) fn last_run_folder(bench: &Bench) -> PathBuf {
    let run = bench.rows()[0]["run_id"].as_str().unwrap().to_string();
    bench.data().join("runs").join(run)
}

/// The steps that the plan's events tell of, as `id outcome`.
pub(crate) fn outcomes(events: &[Value]) -> Vec<String> {
    let ended = events.iter().filter(|event| event["type"] == "plan" && event["kind"] == "step_ended");
    ended
        .map(|event| format!("{} {}", event["step"]["id"].as_str().unwrap(), event["outcome"].as_str().unwrap()))
        .collect()
}
