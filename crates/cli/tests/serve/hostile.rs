//! Peers that mean no good, or are broken: what they send is refused in the usual shape, what they hold is taken back,
//! and others are served meanwhile. All of them at once, since most of the time is waiting.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::bench::{Bench, HANG};
use crate::service::Service;

fn connected(service: &Service) -> TcpStream {
    let stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    stream
}

/// Everything up to the end.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while let Ok(count) = stream.read(&mut part) {
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(&part[..count]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn said(service: &Service, text: &str) -> String {
    let mut stream = connected(service);
    stream.write_all(text.replace("HOST", &service.address).as_bytes()).unwrap();
    rest(stream)
}

fn expect_error(answer: &str, status: u16, code: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{code}: {answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["error"]["code"], code, "{answer}");
}

#[test]
fn peers_that_mean_no_good_are_refused_and_keep_nobody_else_out() {
    let bench = Bench::new();
    let service = Service::start(&bench, "script:/no/such/file.json", &[]);
    let post = "POST /v1/cua HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\ncontent-type: application/json\r\n";
    std::thread::scope(|scope| {
        // A head that never ends; the connection is taken back.
        let service = &service;
        scope.spawn(|| expect_error(&said(service, "GET /v1/runs HTTP/1.1\r\nhost: "), 408, "too_slow"));
        // Whoever sends everything before looking for an answer finds one, be it 100 MiB.
        for head in ["content-length: 104857600\r\n\r\n", "transfer-encoding: chunked\r\n\r\n"] {
            for forged in ["", "origin: http://evil.example\r\n"] {
                scope.spawn(move || {
                    let mut stream = connected(service);
                    let (part, end): (Vec<u8>, &[u8]) = if head.starts_with("transfer") {
                        ([b"10000\r\n".as_slice(), &[b'x'; 65536], b"\r\n"].concat(), b"0\r\n\r\n")
                    } else {
                        (vec![b'x'; 65536], b"")
                    };
                    let head = format!("{post}{forged}{head}").replace("HOST", &service.address);
                    stream.write_all(head.as_bytes()).unwrap();
                    (0..1600).for_each(|_| stream.write_all(&part).unwrap());
                    stream.write_all(end).unwrap();
                    let (status, code) = if forged.is_empty() { (413, "too_large") } else { (403, "foreign_origin") };
                    expect_error(&rest(stream), status, code);
                });
            }
        }
        // One that never stops is left.
        scope.spawn(move || {
            let mut stream = connected(service);
            let head = format!("{post}content-length: 99999999999\r\n\r\n").replace("HOST", &service.address);
            stream.write_all(head.as_bytes()).unwrap();
            let part = vec![b'x'; 65536];
            assert!((0..16_000).any(|_| stream.write_all(&part).is_err()), "a gigabyte was taken");
        });
        // Sockets that are held and say nothing, more than there are places.
        let held: Vec<TcpStream> = (0..700).map(|_| connected(service)).collect();
        for (request, status, code) in [
            ("GET /v1/runs HTTP/1.1\r\nconnection: close\r\n\r\n", 421, "wrong_host"),
            ("GET /v1/runs HTTP/1.1\r\nhost: HOST\r\nhost: evil\r\nconnection: close\r\n\r\n", 421, "wrong_host"),
            ("GET http://evil.example/v1/runs HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n", 421, "wrong_host"),
            (
                "GET /v1/runs HTTP/1.1\r\nhost: HOST\r\norigin: http://HOST.evil.example\r\nconnection: close\r\n\r\n",
                403,
                "foreign_origin",
            ),
            (
                "GET /v1/runs/x/events HTTP/1.1\r\nhost: HOST\r\nlast-event-id: -1\r\nconnection: close\r\n\r\n",
                404,
                "not_found",
            ),
        ] {
            expect_error(&said(service, request), status, code);
        }
        for garbage in ["\u{16}\u{3}\u{1}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
            expect_error(&said(service, garbage), 400, "invalid_request");
        }
        let many: String = (0..500).map(|number| format!("x{number}: y\r\n")).collect();
        expect_error(&said(service, &format!("GET / HTTP/1.1\r\n{many}\r\n")), 431, "head_too_large");
        let long = format!("GET /{} HTTP/1.1\r\nhost: HOST\r\n\r\n", "x".repeat(66_000));
        expect_error(&said(service, &long), 414, "head_too_large");
        // Also behind a request that was answered.
        let second = said(service, "GET /healthz HTTP/1.1\r\nhost: HOST\r\n\r\n\u{16}\u{3}\r\n\r\n");
        assert!(second.starts_with("HTTP/1.1 200 ") && second.contains("HTTP/1.1 400 "), "{second}");
        // A request within a request is none.
        let inner = format!(
            "{post}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: HOST\r\n\r\n"
        );
        let answer = said(service, &inner);
        assert!(answer.starts_with("HTTP/1.1 400 ") && !answer.contains("\"ok\""), "{answer}");
        service.get("/healthz").expect(200);
        // The first of them made room for others, and were told so.
        let first = held.into_iter().next().unwrap();
        expect_error(&rest(first), 408, "too_slow");
    });
    let run = service.submit(&json!({"instruction": "x"}));
    service.until(&run, &["failed"]);
    assert_eq!(service.get("/v1/runs").expect(200)["runs"].as_array().map(Vec::len), Some(1), "nobody else got a run");
}
