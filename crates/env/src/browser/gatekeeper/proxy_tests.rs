//! The proxy without a browser: raw bytes in, and servers that write down everything that reaches them.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::browser::site::{Login, SiteSettings};
use surehand_types::Secret;

const DEADLINE: Duration = Duration::from_secs(10);

/// Answers every request in the same way, on connections that stay open.
struct Server {
    port: u16,
    accepted: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    async fn start(answer: &'static str) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (accepted, heads) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let (counter, log) = (Arc::clone(&accepted), Arc::clone(&heads));
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let log = Arc::clone(&log);
                connections.spawn(async move {
                    let mut bytes = vec![0; 64 * 1024];
                    while let Ok(count @ 1..) = stream.read(&mut bytes).await {
                        log.lock().unwrap().push(String::from_utf8_lossy(&bytes[..count]).into_owned());
                        if stream.write_all(answer.as_bytes()).await.is_err() {
                            break;
                        }
                    }
                });
            }
        });
        Server { port, accepted, heads, task }
    }

    fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\nkeep-alive: timeout=9\r\n\r\nok";

async fn proxy(entries: &[String], site: &SiteSettings) -> (Proxy, Arc<RefusalLog>) {
    let refusals = Arc::new(RefusalLog::default());
    let allow = Arc::new(Allowlist::parse(entries).unwrap());
    let proxy = Proxy::start(allow, Route::of(site).unwrap(), Arc::clone(&refusals)).await.unwrap();
    (proxy, refusals)
}

async fn allowing(server: &Server) -> (Proxy, Arc<RefusalLog>) {
    proxy(&[format!("127.0.0.1:{}", server.port)], &SiteSettings::default()).await
}

async fn dial(proxy: &Proxy) -> TcpStream {
    TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap()
}

/// Reads until the text is there or the other side ends.
async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let read = async {
        let mut bytes = [0; 4096];
        while !text.contains(end) {
            match stream.read(&mut bytes).await {
                Ok(count @ 1..) => text.push_str(&String::from_utf8_lossy(&bytes[..count])),
                _ => break,
            }
        }
    };
    tokio::time::timeout(DEADLINE, read).await.expect("an answer in time");
    text
}

async fn ask(stream: &mut TcpStream, request: &str, end: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    read_until(stream, end).await
}

/// One request on a connection of its own.
async fn once(proxy: &Proxy, request: &str) -> String {
    let mut stream = dial(proxy).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    read_until(&mut stream, "\r\n\r\n").await
}

#[tokio::test]
async fn each_request_of_a_connection_is_judged_by_itself() {
    let (server, attacker) = (Server::start(OK).await, Server::start(OK).await);
    let (proxy, refusals) = allowing(&server).await;
    let mut stream = dial(&proxy).await;
    let good = format!(
        "GET http://127.0.0.1:{}/a?b=%20c HTTP/1.1\r\nHost: wrong.test\r\nProxy-Connection: keep-alive\r\n\
         Proxy-Authorization: Basic x\r\nX-Own: 1\r\nConnection: X-Hop\r\nX-Hop: 1\r\nUpgrade: h2c\r\n\r\n",
        server.port
    );
    let bad = format!("GET http://127.0.0.1:{}/ HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", attacker.port, server.port);
    for _ in 0..3 {
        assert!(ask(&mut stream, &good, "ok").await.starts_with("HTTP/1.1 200"));
        let refused = ask(&mut stream, &bad, "</p>").await;
        assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("The allowlist refused"), "{refused}");
    }
    let head = &server.heads()[0];
    assert!(head.starts_with("GET /a?b=%20c HTTP/1.1\r\n"), "{head}");
    assert!(head.to_lowercase().contains(&format!("host: 127.0.0.1:{}\r\n", server.port)), "{head}");
    assert!(head.contains("X-Own: 1"), "{head}");
    for gone in ["proxy-", "x-hop", "upgrade", "wrong.test", "connection"] {
        assert!(!head.to_lowercase().contains(gone), "{gone}: {head}");
    }
    assert_eq!((server.accepted(), attacker.accepted()), (1, 0), "one connection serves all three");
    let refused = refusals.take();
    assert_eq!((refused.len(), refused[0].count), (1, 3));
}

#[tokio::test]
async fn a_request_that_only_looks_allowed_goes_nowhere() {
    let (server, attacker) = (Server::start(OK).await, Server::start(OK).await);
    let (proxy, _) = allowing(&server).await;
    let (good, bad) = (server.port, attacker.port);
    for target in [
        format!("http://127.0.0.1:{good}@127.0.0.1:{bad}/"),
        format!("http://127.0.0.1.:{bad}/"),
        format!("http://localhost:{bad}/"),
        format!("http://localhost:{good}/"),
        format!("http://2130706433:{bad}/"),
        format!("http://0x7f.1:{bad}/"),
        format!("http://[::ffff:127.0.0.1]:{bad}/"),
        format!("https://127.0.0.1:{bad}/"),
        format!("ws://127.0.0.1:{bad}/"),
        format!("ftp://127.0.0.1:{bad}/"),
        format!("//127.0.0.1:{bad}/"),
        "/".to_string(),
        "*".to_string(),
        format!("127.0.0.1:{bad}"),
        format!("http://127.0.0.1:{good}\\@127.0.0.1:{bad}/"),
        format!("http://127.0.0.1:{good}%40127.0.0.1:{bad}/"),
    ] {
        for method in ["GET", "POST", "CONNECT", "OPTIONS"] {
            let host = format!("127.0.0.1:{good}");
            let answer =
                once(&proxy, &format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n")).await;
            assert!(!answer.starts_with("HTTP/1.1 2"), "{method} {target}: {answer}");
        }
    }
    assert_eq!(attacker.accepted(), 0);
    assert_eq!(server.accepted(), 0);
}

#[tokio::test]
async fn every_spelling_of_the_allowed_host_arrives_there() {
    let server = Server::start(OK).await;
    let (proxy, _) = allowing(&server).await;
    for host in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1.", "user:pass@127.0.0.1"] {
        let request = format!("GET http://{host}:{}/ HTTP/1.1\r\nHost: x\r\n\r\n", server.port);
        assert!(once(&proxy, &request).await.starts_with("HTTP/1.1 200"), "{host}");
    }
    assert!(server.heads().iter().all(|head| !head.contains("pass")));
}

#[tokio::test]
async fn a_tunnel_reaches_what_is_listed_and_nothing_else() {
    let (server, attacker) = (Server::start("pong").await, Server::start("pong").await);
    let (proxy, refusals) = allowing(&server).await;
    let mut stream = dial(&proxy).await;
    let open = format!("CONNECT 127.0.0.1:{0} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\n\r\n", server.port);
    assert!(ask(&mut stream, &open, "\r\n\r\n").await.starts_with("HTTP/1.1 200"));
    assert_eq!(ask(&mut stream, "ping", "pong").await, "pong");
    for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "127.0.0.1."] {
        let answer = once(&proxy, &format!("CONNECT {host}:{} HTTP/1.1\r\nHost: x\r\n\r\n", attacker.port)).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
    }
    assert_eq!((server.accepted(), attacker.accepted()), (1, 0));
    assert_eq!(refusals.take().iter().map(|refused| refused.count).sum::<u64>(), 5);
    // Everything ends with the proxy, also what is under way.
    drop(proxy);
    assert_eq!(read_until(&mut stream, "more").await, "");
}

#[tokio::test]
async fn a_bound_scheme_binds_tunnels_too() {
    let server = Server::start("pong").await;
    for (scheme, first, passes) in [
        ("http", "GET / HTTP/1.1", true),
        ("http", "\u{16}\u{3}\u{1}", false),
        ("https", "\u{16}\u{3}\u{1}", true),
        ("https", "GET /", false),
    ] {
        let entry = format!("{scheme}://127.0.0.1:{}", server.port);
        let (proxy, refusals) = proxy(&[entry], &SiteSettings::default()).await;
        let mut stream = dial(&proxy).await;
        let open = format!("CONNECT 127.0.0.1:{} HTTP/1.1\r\nHost: x\r\n\r\n", server.port);
        assert!(ask(&mut stream, &open, "\r\n\r\n").await.starts_with("HTTP/1.1 200"));
        let answer = ask(&mut stream, first, "pong").await;
        assert_eq!(answer == "pong", passes, "{scheme} {first:?}");
        assert_eq!(refusals.take().is_empty(), passes);
    }
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn odd_input_is_answered_or_cut_off() {
    let server = Server::start(OK).await;
    let (proxy, _) = allowing(&server).await;
    let target = format!("http://127.0.0.1:{}/", server.port);
    let long = format!("GET {target} HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "a".repeat(2 * LONGEST_HEAD));
    let many = format!("GET {target} HTTP/1.1\r\n{}\r\n", "X: 1\r\n".repeat(MOST_HEADERS + 1));
    for odd in [long, many, "\u{0}\u{1}\r\n\r\n".into(), "GET\r\n\r\n".into(), format!("GET {target} HTTP/9.9\r\n\r\n")]
    {
        let mut stream = dial(&proxy).await;
        let _ = stream.write_all(odd.as_bytes()).await;
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    assert_eq!(server.accepted(), 0);
    let good = format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(once(&proxy, &good).await.starts_with("HTTP/1.1 200"), "others are still served");
}

#[tokio::test]
async fn a_host_that_is_down_or_closes_early_is_a_bad_gateway() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let (proxy, _) = proxy(&[format!("127.0.0.1:{gone}")], &SiteSettings::default()).await;
    let request = format!("GET http://127.0.0.1:{gone}/ HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(once(&proxy, &request).await.starts_with("HTTP/1.1 502"));
    let request = format!("CONNECT 127.0.0.1:{gone} HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(once(&proxy, &request).await.starts_with("HTTP/1.1 502"));
}

#[tokio::test]
async fn a_login_that_a_site_asks_for_in_the_name_of_the_proxy_is_not_passed_on() {
    let asks = "HTTP/1.1 407 Login\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n";
    let server = Server::start(asks).await;
    let (proxy, _) = allowing(&server).await;
    let answer = once(&proxy, &format!("GET http://127.0.0.1:{}/ HTTP/1.1\r\nHost: x\r\n\r\n", server.port)).await;
    assert!(answer.starts_with("HTTP/1.1 502") && !answer.to_lowercase().contains("proxy-authenticate"), "{answer}");
}

#[tokio::test]
async fn only_the_address_that_proves_its_use_is_answered_by_the_proxy_itself() {
    let upstream = Server::start(OK).await;
    let site = SiteSettings { proxy: Some(format!("http://127.0.0.1:{}", upstream.port)), ..SiteSettings::default() };
    let (proxy, refusals) = proxy(&["a.test".to_string()], &site).await;
    let name = crate::browser::gatekeeper::proof::HOST;
    for other in [format!("http://x.{name}/"), format!("http://a.test/?{name}"), format!("http://{name}.a.test/")] {
        once(&proxy, &format!("GET {other} HTTP/1.1\r\nHost: {name}\r\n\r\n")).await;
        assert!(!proxy.proof().is_given(), "{other}");
    }
    refusals.take();
    let answer = once(&proxy, &format!("GET http://{name}/ HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(proxy.proof().is_given() && refusals.take().is_empty());
    assert_eq!(upstream.heads().len(), 1, "it is asked of nobody else");
}

#[tokio::test]
async fn the_proxy_of_the_user_stands_behind_ours() {
    let upstream = Server::start(OK).await;
    let site = SiteSettings {
        proxy: Some(format!("http://127.0.0.1:{}", upstream.port)),
        proxy_login: Some(Login { name: "ada".into(), password: Secret::new("proxy", "pw") }),
        ..SiteSettings::default()
    };
    let (proxy, _) = proxy(&["*.allowed.test".to_string()], &site).await;
    let plain = once(&proxy, "GET http://a.allowed.test/x?y HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(plain.starts_with("HTTP/1.1 200"), "{plain}");
    let tunnel = once(&proxy, "CONNECT a.allowed.test:443 HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(tunnel.starts_with("HTTP/1.1 200"), "{tunnel}");
    for refused in ["GET http://evil.test/", "CONNECT evil.test:443"] {
        let answer = once(&proxy, &format!("{refused} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let heads = upstream.heads();
    assert_eq!(heads.len(), 2, "{heads:?}");
    assert!(heads[0].starts_with("GET http://a.allowed.test/x?y HTTP/1.1\r\n"), "{heads:?}");
    assert!(heads[1].starts_with("CONNECT a.allowed.test:443 HTTP/1.1\r\n"), "{heads:?}");
    for head in &heads {
        assert!(head.to_lowercase().contains("proxy-authorization: basic ywrhonb3\r\n"), "{head}");
    }
}
