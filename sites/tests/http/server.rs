// The generic server: addresses, stopping, and the endpoints every site has.

use std::net::SocketAddr;

use serde_json::json;
use surehand_sites::{Site, SiteError, SiteServer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::client::{ANY_PORT, Client, exchange};

#[tokio::test]
async fn the_url_carries_the_real_port() {
    let server = SiteServer::start(Site::Crm, ANY_PORT).await.unwrap();
    assert_ne!(server.address().port(), 0);
    assert_eq!(server.url(), format!("http://127.0.0.1:{}/", server.address().port()));
    assert_eq!(server.site(), Site::Crm);
}

#[tokio::test]
async fn stop_frees_the_port_even_with_open_connections() {
    let server = SiteServer::start(Site::Crm, ANY_PORT).await.unwrap();
    let address = server.address();
    let _idle = TcpStream::connect(address).await.unwrap();
    let mut halfway = TcpStream::connect(address).await.unwrap();
    halfway.write_all(b"POST /api/login HTTP/1.1\r\nhost: test\r\ncontent-length: 50\r\n\r\n{").await.unwrap();
    server.stop().await;
    let again = SiteServer::start(Site::Crm, address).await.unwrap();
    assert_eq!(again.address(), address);
}

#[tokio::test]
async fn a_taken_port_is_a_clear_error() {
    let taken = TcpListener::bind(ANY_PORT).await.unwrap();
    let address: SocketAddr = taken.local_addr().unwrap();
    let error = SiteServer::start(Site::Crm, address).await.unwrap_err();
    assert!(matches!(error, SiteError::Listen { .. }));
    assert!(error.to_string().contains(&address.to_string()));
}

#[tokio::test]
async fn reset_restores_the_seed_and_clears_the_log() {
    for site in Site::ALL {
        let mut client = Client::start(*site).await;
        let fresh = client.state().await;
        assert_eq!(fresh["site"], site.name());
        assert_eq!(fresh["seed"], 1);
        client.post("/api/anything", "{}").await;
        assert_eq!(client.get("/__log").await.json()[0]["path"], "/api/anything");

        let answer = client.post("/__reset", r#"{"seed": 7}"#).await;
        assert_eq!(answer.json(), json!({"site": site.name(), "seed": 7}));
        let other = client.state().await;
        assert_ne!(other, fresh);
        assert_eq!(client.get("/__log").await.json(), json!([]));

        client.post("/__reset", "").await;
        assert_eq!(client.state().await, fresh);
        client.post("/__reset", r#"{"seed": 7}"#).await;
        assert_eq!(client.state().await, other);
        assert_eq!(client.post("/__reset", "{}").await.json()["seed"], 1);
    }
}

#[tokio::test]
async fn a_reset_that_cannot_be_read_changes_nothing() {
    let mut client = Client::start(Site::Crm).await;
    for body in ["x", "[]", r#"{"seed": -1}"#, r#"{"seed": "one"}"#] {
        let answer = client.post("/__reset", body).await;
        assert_eq!(answer.status, 400, "{body}");
        assert!(!answer.message().is_empty());
    }
    assert_eq!(client.state().await["seed"], 1);
}

#[tokio::test]
async fn nothing_is_ever_cached() {
    let mut client = Client::start(Site::Crm).await;
    for path in ["/login", "/", "/assets/base.css", "/__state", "/nowhere"] {
        let answer = client.get(path).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
}

#[tokio::test]
async fn unknown_addresses_and_methods_answer_in_json() {
    let mut client = Client::start(Site::Crm).await;
    for path in ["/nowhere", "/api/nowhere", "/assets/nowhere.js"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["error"]["code"], "not_found", "{path}");
    }
    for (method, path) in [("PATCH", "/__reset"), ("DELETE", "/api/login")] {
        let answer = client.send(method, path, &[], b"").await;
        assert_eq!(answer.status, 405, "{path}");
        assert_eq!(answer.json()["error"]["code"], "method_not_allowed");
    }
}

#[tokio::test]
async fn garbage_is_refused_and_the_server_lives_on() {
    let mut client = Client::start(Site::Crm).await;
    let address = client.server.address();
    for garbage in [
        &b"\x00\x01\x02\xff\xfe\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"POST /api/login HTTP/1.1\r\nhost: t\r\ncontent-length: nine\r\n\r\n",
    ] {
        let answer = exchange(address, garbage).await;
        assert!(answer.status == 0 || answer.status == 400);
    }
    for body in [&b"\xff\xfe\x00"[..], b"{", b"null", b"[[[[[[[[", b"{\"email\":5}"] {
        let answer = client.send("POST", "/api/login", &[], body).await;
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["error"]["code"], "bad_request");
    }
    let deep = vec![b'['; 60_000];
    let answer = client.send("POST", "/api/login", &[], &deep).await;
    assert_eq!(answer.status, 400);
    assert_eq!(client.get("/login").await.status, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let mut client = Client::start(Site::Crm).await;
    // Only the length is announced: the answer must not wait for a body that never comes.
    let request = b"POST /api/login HTTP/1.1\r\nhost: test\r\ncontent-length: 70000\r\n\r\n";
    let answer = exchange(client.server.address(), request).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["error"]["code"], "body_too_large");
    assert_eq!(client.get("/login").await.status, 200);
}
