//! All places for connections are taken: those at which nothing is under way make room, and the others stay.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::bench::{Bench, HANG, eventually};
use crate::service::{Service, patient_brain, site};
use crate::tokens::{Tokens, token};

/// Sends a request on a connection that is kept, and reads the head of the answer.
fn ask_and_stay(service: &Service, path: &str, token: Option<&str>) -> Option<BufReader<TcpStream>> {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: {}\r\n{token}\r\n", service.address).as_bytes()).ok()?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|count| *count > 0)?;
    Some(reader)
}

#[test]
fn who_rests_without_a_token_keeps_nobody_out_and_what_is_under_way_is_not_cut() {
    let (bench, site) = (Bench::new(), site());
    let tokens = Tokens::new(&bench, &[("ci", "\"read\", \"run\", \"control\"", "")]);
    let service = Service::start(&bench, &patient_brain(&bench), &["--tokens", &tokens.file]);
    let request = json!({"instruction": "press it", "start_url": site.url(), "detached": true});
    let run = tokens.ask(&service, "ci", "POST", "/v1/cua", &request.to_string()).expect(202)["run_id"].clone();
    let run = run.as_str().unwrap();
    eventually("the first press", || site.count("/pressed") == 1);
    let own = token("ci");
    let mut followed = ask_and_stay(&service, &format!("/v1/runs/{run}/events"), Some(&own)).unwrap();
    // More than there are places, of both kinds.
    let strangers: Vec<_> = (0..600)
        .filter_map(|number| ask_and_stay(&service, if number % 2 == 0 { "/healthz" } else { "/v1/runs" }, None))
        .collect();
    assert_eq!(strangers.len(), 600, "each of them found a place");
    tokens.ask(&service, "ci", "GET", &format!("/v1/runs/{run}"), "").expect(200);
    let resting: Vec<_> = (0..600).filter_map(|_| ask_and_stay(&service, "/v1/queue", Some(&own))).collect();
    assert_eq!(resting.len(), 600, "who rests makes room for others, with a token as well");
    tokens.ask(&service, "ci", "POST", &format!("/v1/runs/{run}/cancel"), "").expect(200);
    let mut told = String::new();
    followed.read_to_string(&mut told).ok();
    assert!(told.contains("run_ended"), "the stream went on to its end: {told}");
}

/// The head of a request whose body never comes.
fn begin(service: &Service, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{{",
        service.address
    );
    // One that is turned away closes at once.
    let _ = stream.write_all(head.as_bytes());
    stream
}

#[test]
fn bodies_that_never_come_keep_nobody_out() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    let held: Vec<TcpStream> = (0..1200).map(|_| begin(&service, "/v1/cua")).collect();
    for path in ["/healthz", "/v1/runs"] {
        service.get(path).expect(200);
    }
    let mut told = String::new();
    BufReader::new(&held[0]).read_line(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 408 "), "the first one made room: {told}");
    drop(held);
    // Nobody waits for a body that nobody wants.
    let mut told = String::new();
    BufReader::new(begin(&service, "/healthz")).read_line(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 405 "), "{told}");
}

#[test]
fn one_caller_has_so_many_requests_under_way_and_others_are_served_meanwhile() {
    let (bench, site) = (Bench::new(), site());
    let scopes = "\"read\", \"run\", \"control\"";
    let tokens = Tokens::new(&bench, &[("ci", scopes, ""), ("ada", scopes, "")]);
    let service = Service::start(&bench, &patient_brain(&bench), &["--tokens", &tokens.file]);
    let request = json!({"instruction": "press it", "start_url": site.url(), "detached": true});
    let run = tokens.ask(&service, "ci", "POST", "/v1/cua", &request.to_string()).expect(202)["run_id"].clone();
    let run = run.as_str().unwrap();
    eventually("the second turn", || bench.path("seen").exists() && bench.read("seen").lines().count() == 2);
    // The brain thinks, so each of these waits until the page is handed over.
    tokens.ask(&service, "ci", "POST", &format!("/v1/runs/{run}/takeover"), "{}").expect(200);
    let (call, own) = (json!({"tool": "mouse", "action": "click", "coordinate": [60, 60]}).to_string(), token("ci"));
    let bearer = format!("Bearer {own}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let calls: Vec<TcpStream> =
        (0..330).map(|_| service.send("POST", &format!("/v1/runs/{run}/call"), &headers, &call)).collect();
    eventually("all places of one caller to be taken", || {
        tokens.ask(&service, "ci", "GET", "/v1/queue", "").status == 429
    });
    tokens.ask(&service, "ada", "GET", "/v1/queue", "").expect(200);
    tokens.ask(&service, "ada", "POST", &format!("/v1/runs/{run}/cancel"), "{}").expect(200);
    drop(calls);
    eventually("the places to be free again", || tokens.ask(&service, "ci", "GET", "/v1/queue", "").status == 200);
}
