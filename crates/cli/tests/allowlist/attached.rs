//! In a browser that somebody else started there is no proxy: requests are held back one by one, and what that
//! leaves open is said.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::world::{Answer, Ask, Attacker, Bench, HANG, Site, Tools, message};

/// A Chromium of the user's.
struct Browser {
    child: Child,
    address: String,
    _bench: Bench,
}

impl Browser {
    fn start() -> Browser {
        let bench = Bench::new();
        let program = surehand_env::browser::find_browser(None).unwrap();
        let mut child = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--disable-quic", "--disable-popup-blocking"])
            .arg("--remote-debugging-port=0")
            .arg(format!("--user-data-dir={}", bench.folder.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_string)).unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        Browser { child, address, _bench: bench }
    }

    /// As a person would, beside us.
    fn open_tab(&self, url: &str) {
        let place = self.address.trim_start_matches("ws://").split('/').next().unwrap();
        let mut stream = TcpStream::connect(place).unwrap();
        write!(stream, "PUT /json/new?{url} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PAGE: &str = r#"<!doctype html><title>trying</title><img src="ATT/image.png"><link rel=stylesheet href="ATT/style.css">
<script src="ATT/script.js"></script><iframe src="ATT/frame.html"></iframe><iframe src="/redirect"></iframe>
<iframe srcdoc="<img src=ATT/srcdoc.png>"></iframe><iframe src="http://localhost:SITEPORT/other"></iframe><script>
const quiet = (work) => { try { const tried = work(); if (tried && tried.catch) tried.catch(() => {}); } catch {} };
quiet(() => fetch('ATT/fetch'));
quiet(() => fetch('ATT/keepalive', { keepalive: true }));
quiet(() => fetch('/redirect'));
quiet(() => navigator.sendBeacon('ATT/beacon', 'x'));
quiet(() => new EventSource('ATT/events'));
quiet(() => { const request = new XMLHttpRequest(); request.open('GET', 'ATT/xhr'); request.send(); });
quiet(() => new Worker('/worker.js'));
quiet(() => navigator.serviceWorker.register('/service.js'));
setTimeout(() => { window.open('ATT/opened'); window.open('ATT/noopener', '_blank', 'noopener'); }, 300);
setTimeout(() => { window.open('').location = 'ATT/located'; }, 600);
setTimeout(() => { document.title = 'tried'; }, 2500);
</script>"#;

#[test]
fn requests_of_an_attached_tab_are_held_back() {
    let attacker = Attacker::start();
    let att = attacker.url("");
    let site = Site::start(move |ask: &Ask| {
        let port = ask
            .head
            .to_lowercase()
            .lines()
            .find_map(|line| line.strip_prefix("host: ")?.rsplit(':').next().map(str::to_string));
        let fill = |text: &str| text.replace("ATT", &att).replace("SITEPORT", port.as_deref().unwrap_or("1"));
        match ask.path.as_str() {
            "/" => Answer::html(fill(PAGE)),
            "/redirect" => Answer::redirect("302 Found", &fill("ATT/redirected")),
            "/location" => Answer::html(fill("<title>page</title><script>location = 'ATT/located'</script>")),
            "/other" => Answer::html(fill(
                "<title>other</title><img src='ATT/other.png'><script>fetch('ATT/other').catch(() => {})</script>",
            )),
            "/worker.js" | "/service.js" => {
                Answer::script(fill(&format!("fetch('ATT{}', {{ mode: 'no-cors' }}).catch(() => {{}})", ask.path)))
            }
            _ => Answer::html("<title>inside</title>"),
        }
    });
    let browser = Browser::start();
    let list = [format!("127.0.0.1:{}", site.port), format!("localhost:{}", site.port)];
    let mut tools = Tools::start(&[
        "-v",
        "--cdp",
        &browser.address,
        "--url",
        &site.url("/"),
        "--allow",
        &list[0],
        "--allow",
        &list[1],
    ]);
    let (_, messages) = tools.until_title("tried");
    assert!(messages.contains("the allowlist refused"), "{messages}");
    assert!(site.asked_for("/worker.js") && site.asked_for("/other"), "what is allowed arrives");
    assert_eq!(attacker.asked(), Vec::<String>::new());
    let refused = tools.open(&attacker.url("/"));
    assert_eq!(refused["error"]["code"], "denied", "{refused}");
    let mut told = message(&tools.open(&site.url("/location"))).to_string();
    for _ in 0..20 {
        if told.contains("the allowlist refused") {
            break;
        }
        told.push_str(message(&tools.wait(0.1)));
    }
    assert!(told.contains("/located (port"), "{told}");
    let view = tools.tab("view");
    assert_ne!(view["url"], attacker.url("/located"), "{view}");
    // Connections that the browser makes ahead of requests are among what is not covered.
    assert_eq!(attacker.asked(), Vec::<String>::new());
    // A tab of the user's is none of our business.
    browser.open_tab(&attacker.url("/user"));
    let end = Instant::now() + HANG;
    while attacker.asked().is_empty() && Instant::now() < end {
        tools.wait(0.1);
    }
    assert!(attacker.asked().contains(&"GET /user".to_string()), "{:?}", attacker.asked());
    let stderr = tools.close();
    for path in ["/opened", "/noopener", "/located", "/worker.js", "/service.js", "/other.png", "/keepalive", "/beacon"]
    {
        assert!(stderr.contains(&attacker.url(path)), "{path} was not tried: {stderr}");
    }
    assert!(stderr.contains("the allowlist is weaker in an attached browser"), "{stderr}");
}
