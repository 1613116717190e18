//! The proxy of the user's behind ours, with a real browser: everything that is listed goes through it, and what is
//! not listed is not even asked of it. Only that proxy knows where the names of these tests are.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::encrypted_site::{EncryptedSite, OddServer, trusting};
use crate::world::{Answer, Ask, Attacker, Bench, Site, Tools, message};

/// What a proxy does with somebody who wants a tunnel.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Connects,
    Refuses,
    Closes,
    SaysNothing,
    TalksNonsense,
}

/// A small proxy: every name is this machine.
struct UserProxy {
    server: OddServer,
    heads: Arc<Mutex<Vec<String>>>,
}

impl UserProxy {
    fn start(manner: Manner, login: Option<&'static str>) -> UserProxy {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heads);
        let server = OddServer::start(move |browser| {
            let _ = serve(browser, manner, login, &log);
        });
        UserProxy { server, heads }
    }

    fn setting(&self, login: &str) -> String {
        format!("proxy=http://{login}127.0.0.1:{}", self.server.port)
    }

    fn asked_for(&self, text: &str) -> bool {
        self.heads.lock().unwrap().iter().any(|head| head.contains(text))
    }
}

fn serve(mut browser: TcpStream, manner: Manner, login: Option<&str>, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    browser.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        browser.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    log.lock().unwrap().push(head.clone());
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if let Some(login) = login
        && !head.contains(&format!("roxy-Authorization: Basic {login}\r\n"))
        && !head.contains(&format!("roxy-authorization: Basic {login}\r\n"))
    {
        let answer = "HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n";
        return browser.write_all(answer.as_bytes());
    }
    if method != "CONNECT" {
        let rest = target.trim_start_matches("http://");
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        let mut host = TcpStream::connect(("127.0.0.1", port_of(place)))?;
        let rest = head.split_once("\r\n").map_or("", |(_, rest)| rest);
        host.write_all(format!("{method} /{path} HTTP/1.1\r\nConnection: close\r\n{rest}").as_bytes())?;
        return std::io::copy(&mut host, &mut browser).map(drop);
    }
    match manner {
        Manner::Connects => {
            let host = TcpStream::connect(("127.0.0.1", port_of(target)))?;
            browser.write_all(b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")?;
            carry(browser, host)
        }
        Manner::Refuses => browser.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"),
        Manner::Closes => Ok(()),
        Manner::SaysNothing => browser.read(&mut [0; 16]).map(drop),
        Manner::TalksNonsense => browser.write_all(b"220 ready\r\n\r\n"),
    }
}

fn port_of(place: &str) -> u16 {
    place.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(80)
}

fn carry(browser: TcpStream, host: TcpStream) -> std::io::Result<()> {
    let (mut from_browser, mut to_host) = (browser.try_clone()?, host.try_clone()?);
    let there = std::thread::spawn(move || {
        let _ = std::io::copy(&mut from_browser, &mut to_host);
        let _ = to_host.shutdown(Shutdown::Write);
    });
    let (mut from_host, mut to_browser) = (host, browser);
    let _ = std::io::copy(&mut from_host, &mut to_browser);
    let _ = to_browser.shutdown(Shutdown::Both);
    let _ = there.join();
    Ok(())
}

const PAGE: &str = r#"<!doctype html><title>working</title><body><script>
const results = {};
const step = async (name, work) => { try { results[name] = await work(); } catch { results[name] = 'failed'; } };
const socket = (address) => new Promise((done, failed) => {
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send('hello');
  socket.onmessage = (event) => { socket.close(); done(event.data); };
  socket.onerror = () => failed('socket');
});
(async () => {
  await step('secure', async () => (await fetch('https://api.shop.test:SECURE/get')).text());
  await step('plain', async () => (await fetch('http://plain.shop.test:PLAIN/get')).text());
  await step('secure socket', () => socket('wss://api.shop.test:SECURE/echo'));
  await step('plain socket', () => socket('ws://plain.shop.test:PLAIN/echo'));
  await step('many', async () => (await Promise.all(Array.from({ length: 40 }, (_, n) =>
    fetch(`https://h${n % 20}.shop.test:SECURE/get?${n}`)))).filter((r) => r.ok).length);
  await step('denied', async () => (await fetch('https://evil.test:ATTPORT/x', { mode: 'no-cors' })).type);
  await step('denied plain', async () => (await fetch('http://evil.test:ATTPORT/x')).type);
  await step('denied socket', () => socket('wss://evil.test:ATTPORT/x'));
  document.title = 'worked ' + JSON.stringify(results);
})();
</script>"#;

fn answer(ask: &Ask) -> Answer {
    Answer {
        headers: "content-type: text/plain\r\naccess-control-allow-origin: *\r\n".into(),
        ..Answer::html(ask.path.clone())
    }
}

#[test]
fn what_is_listed_goes_through_the_proxy_of_the_user() {
    let attacker = Attacker::start();
    let (secure, plain) = (EncryptedSite::start(answer), Site::start(answer));
    let (ports, bad) = ([secure.port, plain.port].map(|port| port.to_string()), attacker.port.to_string());
    let page = PAGE.replace("SECURE", &ports[0]).replace("PLAIN", &ports[1]).replace("ATTPORT", &bad);
    // Not encrypted, so that it may ask for both kinds.
    let site = Site::start(move |_: &Ask| Answer::html(page.clone()));
    for (login, proxy) in [
        ("", UserProxy::start(Manner::Connects, None)),
        ("ada:pw@", UserProxy::start(Manner::Connects, Some("YWRhOnB3"))),
    ] {
        let start = format!("http://shop.test:{}/", site.port);
        let list = format!("allow=shop.test:{},*.shop.test:{},*.shop.test:{}", site.port, secure.port, plain.port);
        let (trust, setting) = (trusting(&[&secure]), proxy.setting(login));
        let mut tools = Tools::start(&["--url", &start, "--set", &list, "--set", &trust, "--set", &setting]);
        let (shown, messages) = tools.until_title("worked ");
        let results = shown["title"].as_str().unwrap().trim_start_matches("worked ");
        let expected = json!({
            "secure": "/get", "plain": "/get", "secure socket": "hello", "plain socket": "hello", "many": 40,
            "denied": "failed", "denied plain": "failed", "denied socket": "failed",
        });
        assert_eq!(serde_json::from_str::<Value>(results).unwrap(), expected);
        assert!(messages.contains("the allowlist refused"), "{messages}");
        tools.close();
        assert!(proxy.asked_for(&format!("CONNECT api.shop.test:{} ", secure.port)));
        assert!(proxy.asked_for(&format!("GET http://plain.shop.test:{}/get ", plain.port)));
        assert!(!proxy.asked_for("evil.test"), "what is refused is not asked for: {:?}", proxy.heads.lock().unwrap());
        attacker.assert_untouched("a page behind two proxies");
    }
}

#[test]
fn a_proxy_of_the_user_that_does_not_connect_is_an_error_of_the_page() {
    let secure = EncryptedSite::start(answer);
    let site = Site::start(|_: &Ask| Answer::html("<title>inside</title>"));
    for manner in [Manner::Refuses, Manner::Closes, Manner::TalksNonsense, Manner::SaysNothing] {
        let proxy = UserProxy::start(manner, None);
        let list = format!("allow=shop.test:{},shop.test:{}", site.port, secure.port);
        let (start, setting) = (format!("http://shop.test:{}/", site.port), proxy.setting(""));
        let mut tools = Tools::start(&["--url", &start, "--set", &list, "--set", &setting]);
        let began = Instant::now();
        let failed = tools.open(&format!("https://shop.test:{}/get", secure.port));
        assert_eq!(failed["error"]["code"], "navigation_failed", "{failed}");
        assert!(!message(&failed).contains("allowlist"), "nothing was refused: {failed}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        let refreshed = tools.tab("refresh");
        assert_eq!((&refreshed["ok"], &refreshed["title"]), (&json!(true), &json!("inside")), "{refreshed}");
        tools.close();
        assert_eq!(secure.connections(), 0);
    }
}

#[test]
fn a_proxy_of_the_user_that_is_down_is_said_to_be() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let bench = Bench::new();
    let proxy = format!("proxy=http://127.0.0.1:{gone}");
    for url in ["https://shop.test/", "https://shop.test:8443/"] {
        let arguments = ["tools", "--url", url, "--set", "allow=shop.test,shop.test:8443", "--set", &proxy];
        let (code, _, stderr) = bench.ended(bench.command(&arguments));
        assert_eq!(code, 4, "{stderr}");
        assert!(!stderr.contains("allowlist"), "{stderr}");
    }
}
