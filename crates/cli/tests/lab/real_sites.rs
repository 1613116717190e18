//! Settings that people need on real sites: language, time zone, user agent, sign-in of HTTP, a
//! proxy, and certificates that nobody vouches for. A setting that cannot be had is a usage error.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, shortened};
use crate::effects::message;

fn set(settings: &[&str]) -> Vec<String> {
    settings.iter().flat_map(|setting| ["--set".to_string(), (*setting).to_string()]).collect()
}

fn lab(settings: &[&str]) -> Lab {
    let flags = set(settings);
    Lab::with_folder(move |_| flags)
}

fn told(lab: &Lab) -> (Value, Value) {
    let log = lab.wait_until("the headers", |log| log["facts"]["headers"].is_object());
    (log["facts"]["headers"].clone(), log["facts"]["locale"].clone())
}

#[test]
fn language_zone_and_agent_are_told_to_servers_and_scripts() {
    let mut lab = lab(&["locale=de-DE", "timezone=Asia/Tokyo", "user_agent=Lighthouse/7 (test)"]);
    // The page itself checks that requests and scripts tell the same; the second tab must as well.
    for _ in 0..2 {
        lab.page("headers", |lab| {
            let (headers, locale) = told(lab);
            assert_eq!((&locale["language"], &locale["zone"]), (&json!("de-DE"), &json!("Asia/Tokyo")));
            assert_eq!((&locale["agent"], &headers["user-agent"]), (&json!("Lighthouse/7 (test)"), &locale["agent"]));
            assert!(headers["accept-language"].as_str().unwrap().starts_with("de-DE"), "{headers}");
        });
    }
    lab.finish();
}

#[test]
fn accept_language_can_be_given_by_itself() {
    let mut lab = lab(&["accept_language=fr-CH,fr;q=0.8"]);
    lab.page("headers", |lab| {
        let (headers, locale) = told(lab);
        let accepted = headers["accept-language"].as_str().unwrap();
        assert!(accepted.starts_with("fr-CH,fr;q=0."), "{accepted}");
        assert!(accepted.split(',').all(|entry| entry.matches(";q=").count() <= 1), "{accepted}");
        assert_eq!(locale["language"], "fr-CH");
        assert!(headers["user-agent"].as_str().unwrap().contains("Chrome/"), "the agent is the browser's own");
    });
    lab.finish();
}

#[test]
fn http_sign_in_is_answered_once() {
    let mut lab = lab(&["http_auth=lab:trap"]);
    lab.page("auth", |lab| {
        let answer = lab.click("link");
        assert_effect(&answer, "confirmed");
        assert_eq!((lab.fact("asked"), lab.fact("signed_in")), (json!(1), json!(1)));
        assert!(!answer.to_string().contains("trap"), "the password is nowhere in the answer");
    });
    // Requests of other pages are not held up.
    lab.page("headers", |lab| assert!(told(lab).0["host"].is_string()));
    lab.finish();
}

#[test]
fn a_wrong_or_missing_sign_in_shows_the_refusal() {
    for settings in [&["http_auth=lab:wrong"][..], &[]] {
        let mut lab = lab(settings);
        lab.page_unjudged("auth", |lab| {
            let answer = lab.click("link");
            assert_eq!(answer["ok"], true, "{}", shortened(&answer));
            assert_eq!(lab.fact("signed_in"), Value::Null);
            let asked = lab.fact("asked").as_u64().unwrap();
            assert!((1..=2).contains(&asked), "asked {asked} times");
            let view = lab.call(json!({"tool": "tab", "action": "view"}));
            assert_eq!(view["ok"], true, "{}", shortened(&view));
        });
        lab.finish();
    }
}

/// A forward proxy for plain HTTP that notes the request lines, and asks for credentials if told to.
struct Proxy {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// `credentials` as HTTP encodes them.
    fn start(credentials: Option<&'static str>) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let seen = Arc::clone(&shared);
                std::thread::spawn(move || {
                    // A broken connection is the browser's business.
                    let _ = serve(client, credentials, &seen);
                });
            }
        });
        Proxy { address, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// One request per connection, as `Connection: close` says to both sides.
fn serve(mut client: TcpStream, credentials: Option<&str>, seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        head.push(line.trim_end().to_string());
    }
    let Some(request) = head.first().cloned() else { return Ok(()) };
    let field = |name: &str| {
        let found = head[1..].iter().filter_map(|line| line.split_once(": "));
        found.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_string()).next()
    };
    let is_let = credentials.is_none_or(|wanted| field("proxy-authorization").as_deref() == Some(wanted));
    seen.lock().unwrap().push(format!("{} {request}", if is_let { "let" } else { "asked" }));
    if !is_let {
        let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"tide\"\r\n\
                       Content-Length: 0\r\nConnection: close\r\n\r\n";
        return client.write_all(refusal.as_bytes());
    }
    let (method, rest) = request.split_once(' ').unwrap_or_default();
    let Some((host, path)) = rest.strip_prefix("http://").and_then(|rest| rest.split_once('/')) else {
        return client.write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let mut body = vec![0; field("content-length").and_then(|length| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let mut server = TcpStream::connect(host)?;
    let mut forward = format!("{method} /{path}\r\n");
    for line in &head[1..] {
        let lower = line.to_ascii_lowercase();
        if !lower.starts_with("proxy-") && !lower.starts_with("connection:") {
            forward.push_str(&format!("{line}\r\n"));
        }
    }
    forward.push_str("Via: 1.1 tide\r\nConnection: close\r\n\r\n");
    server.write_all(forward.as_bytes())?;
    server.write_all(&body)?;
    std::io::copy(&mut server, &mut client)?;
    Ok(())
}

#[test]
fn everything_goes_through_the_proxy() {
    let proxy = Proxy::start(None);
    let mut lab = lab(&[&format!("proxy=http://{}", proxy.address)]);
    lab.page("headers", |lab| assert_eq!(told(lab).0["via"], "1.1 tide"));
    let seen = proxy.seen();
    assert!(seen.iter().any(|line| line.contains("GET http://127.0.0.1:") && line.contains("/p/headers")), "{seen:?}");
    lab.finish();
}

#[test]
fn a_proxy_gets_the_credentials_it_asks_for() {
    // wanda:oar
    let proxy = Proxy::start(Some("Basic d2FuZGE6b2Fy"));
    let mut lab = lab(&[&format!("proxy=http://wanda:oar@{}", proxy.address)]);
    lab.page("headers", |lab| {
        let (headers, _) = told(lab);
        assert_eq!((&headers["via"], &headers["proxy-authorization"]), (&json!("1.1 tide"), &Value::Null));
    });
    let seen = proxy.seen();
    assert!(seen[0].starts_with("asked") && seen.iter().any(|line| line.starts_with("let")), "{seen:?}");
    // Proxy and site may both ask.
    lab.finish();
    let mut lab = self::lab(&[&format!("proxy=http://wanda:oar@{}", proxy.address), "http_auth=lab:trap"]);
    lab.page("auth", |lab| assert_effect(&lab.click("link"), "confirmed"));
    lab.finish();
}

#[test]
fn wrong_credentials_for_a_proxy_do_not_hang() {
    let proxy = Proxy::start(Some("Basic d2FuZGE6b2Fy"));
    let started = Instant::now();
    let ended = run(&["--url", "http://127.0.0.1:9/"], &set(&[&format!("proxy=http://wanda:rock@{}", proxy.address)]));
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(!ended.stderr.contains("rock"), "the password is told: {}", ended.stderr);
    assert!(started.elapsed() < Duration::from_secs(30));
    let asked = proxy.seen().iter().filter(|line| line.starts_with("asked")).count();
    assert!((1..10).contains(&asked), "asked {asked} times");
}

/// A server of openssl with a certificate that nobody vouches for.
struct TlsServer {
    child: Child,
    url: String,
}

impl TlsServer {
    fn start(folder: &Path) -> TlsServer {
        let (key, certificate) = (folder.join("key.pem"), folder.join("certificate.pem"));
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-keyout"])
            .args([&key, Path::new("-out"), &certificate])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success());
        let mut child = Command::new("openssl")
            .args(["s_server", "-www", "-accept", "127.0.0.1:0", "-key"])
            .args([&key, Path::new("-cert"), &certificate])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let accepting = lines.find_map(|line| line.ok()?.strip_prefix("ACCEPT ").map(ToString::to_string)).unwrap();
        std::thread::spawn(move || lines.count());
        let port = accepting.rsplit(':').next().unwrap().to_string();
        TlsServer { child, url: format!("https://127.0.0.1:{port}/") }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn invalid_certificates_are_accepted_only_where_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = TlsServer::start(folder.path());
    let mut lab = lab(&["ignore_tls_errors=on"]);
    lab.page_unjudged("headers", |lab| {
        let answer = lab.call(json!({"tool": "tab", "action": "open", "url": server.url}));
        assert_eq!((&answer["ok"], &answer["url"]), (&json!(true), &json!(server.url)), "{}", shortened(&answer));
    });
    lab.finish();
    let mut lab = self::lab(&[]);
    lab.page_unjudged("headers", |lab| {
        let answer = lab.call(json!({"tool": "tab", "action": "open", "url": server.url}));
        assert_error(&answer, "navigation_failed");
        assert!(message(&answer).to_lowercase().contains("cert"), "{}", message(&answer));
    });
    lab.finish();
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// `surehand tools` with these flags and no input, to its end.
fn run(arguments: &[&str], more: &[String]) -> Ended {
    let folder = tempfile::Builder::new().prefix("shlab-").tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_surehand"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SUREHAND_") {
            command.env_remove(&name);
        }
    }
    let output = command
        .arg("tools")
        .args(arguments)
        .args(more)
        .env("SUREHAND_DATA", folder.path().join("data"))
        .env("XDG_CONFIG_HOME", folder.path())
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_setting_that_cannot_be_had_is_one_sentence() {
    for (setting, words) in [
        ("timezone=Mars/Olympus", &["timezone", "Mars/Olympus"][..]),
        ("locale=not a locale", &["locale", "not a locale"]),
        ("http_auth=nobody", &["http_auth", "name:password"]),
        ("proxy=http://wanda@127.0.0.1:1", &["proxy", "name:password"]),
        ("density_gate=maybe", &["density_gate", "always, smart, off"]),
        ("ignore_tls_errors=perhaps", &["ignore_tls_errors"]),
    ] {
        let ended = run(&[], &set(&[setting]));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{setting}: {}", ended.stderr);
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert!(lines[0].starts_with("surehand: "), "{setting}: {}", ended.stderr);
        assert!(lines[1..].iter().all(|line| line.starts_with("hint: ")), "{setting}: {}", ended.stderr);
        for word in words {
            assert!(lines[0].contains(word), "{setting}: no {word} in {}", lines[0]);
        }
    }
}
