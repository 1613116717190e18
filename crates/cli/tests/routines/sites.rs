//! The built-in sites: recorded once, replayed with other data and in other windows.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::crm::Crm;
use crate::studio::{FOUR, Studio, at_the_server, contract, sets};
use crate::world::{read, replay};

fn demo(name: &str) -> String {
    format!("{}/demo/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Starts the site's data anew.
fn reset(url: &str, seed: u64) {
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let body = json!({ "seed": seed }).to_string();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "POST /__reset HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn the_crm_run_replays_with_other_data_and_in_a_small_window() {
    let (bench, crm) = (Bench::new(), Crm::start());
    let (brain, judged) = (format!("script:{}", demo("crm.json")), demo("crm.contract.json"));
    bench.run(&crm.url(), &brain, &["--contract", &judged, "--confirm", "none"]).expect(0);
    let file = bench.path("crm.json").display().to_string();
    let phone = "phone=+1 206 555 0199";
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &file, "--parameter", phone]).expect(0);
    let routine = read(&bench, "crm.json");
    let steps = routine["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 15);
    let leads: Vec<&Value> = steps.iter().map(|step| &step["expect"]["url_pattern"]).filter(|p| !p.is_null()).collect();
    assert_eq!(leads, ["/login", "/", "/contacts", "/contacts/{id}"]);

    // Other contacts, another number, and a window in which half of the form is out of view.
    reset(&crm.url(), 77);
    let other = std::fs::read_to_string(&judged).unwrap().replace("555 0199", "555 0177");
    let other = bench.write("other.contract.json", &other).display().to_string();
    let more = ["--contract", &other, "--value", "phone=+1 206 555 0177", "--viewport", "900x500"];
    let result = replay(&bench, &file, &crm.url(), &more).expect_end(0, "done");
    assert_eq!(result["verdict"]["final"], "pass");
}

#[test]
fn the_studio_run_replays_in_another_skin_and_size() {
    let (bench, studio) = (Bench::new(), Studio::start());
    let judged = contract(&bench, &[at_the_server()], json!({}));
    let brain = sets(&bench, "Kick", &FOUR);
    bench.run(&studio.url(), &brain, &["--contract", &judged, "--confirm", "none"]).expect(0);
    let file = bench.path("studio.json").display().to_string();
    bench.surehand(&["runs", "export", "last", "--routine", "-o", &file]).expect(0);
    for (page, viewport) in [("", "1280x720"), ("?skin=light", "1000x700")] {
        reset(&studio.url(), 3);
        let url = format!("{}{page}", studio.url());
        replay(&bench, &file, &url, &["--contract", &judged, "--viewport", viewport]).expect_end(0, "done");
    }
}
