//! Tunnels to hosts that are listed and do not behave: each ends in an error of the page within a bounded time, and
//! the run goes on.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::encrypted_site::{EncryptedSite, OddServer, trusting};
use crate::world::{Answer, Ask, HANG, Tools, message};

/// Asks everybody at once and writes down what became of it, and after how many seconds.
const PAGE: &str = r#"<!doctype html><title>working</title><body><script>
const results = {}, places = PLACES;
const ask = async (name, address) => {
  const began = performance.now();
  const end = (what) => { results[name] = [what, Math.round((performance.now() - began) / 1000)]; };
  try {
    if (address.startsWith('wss:')) {
      await new Promise((done, failed) => { const socket = new WebSocket(address); socket.onopen = done; socket.onerror = failed; });
    } else {
      await (await fetch(address)).text();
    }
    end('arrived');
  } catch { end('failed'); }
};
Promise.all(Object.entries(places).map(([name, address]) => ask(name, address))).then(() => { document.title = 'asked ' + JSON.stringify(results); });
</script>"#;

/// Seconds until the page hears of a host that says nothing: the browser gives up a greeting after 30.
const BOUND: u64 = 45;

fn begins_and(what_then: impl Fn() + Send + Sync + 'static) -> EncryptedSite {
    EncryptedSite::speaking(&[], move |mut stream| {
        let _ = stream.read(&mut [0; 4096]);
        let head = "HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 1000000\r\n\r\nbegun";
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.flush());
        what_then();
    })
}

#[test]
fn hosts_that_do_not_behave_are_errors_of_the_page() {
    let silent = OddServer::silent();
    let closes = OddServer::start(|mut stream| {
        let _ = stream.read(&mut [0; 4096]);
    });
    let closes_at_once = OddServer::start(drop);
    let plain = OddServer::start(|mut stream| {
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    let talks_first = OddServer::start(|mut stream| {
        let _ = stream.write_all(b"220 another protocol\r\n");
        while stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
    });
    let half = begins_and(|| ());
    // Nobody listens here any more.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let places = serde_json::json!({
        "silent": silent.url("/"), "silent socket": format!("wss://127.0.0.1:{}/", silent.port),
        "closes": closes.url("/"), "closes at once": closes_at_once.url("/"), "plain": plain.url("/"),
        "talks first": talks_first.url("/"), "half": half.url("/"), "gone": format!("https://127.0.0.1:{gone}/"),
    });
    let count = places.as_object().unwrap().len();
    let page = PAGE.replace("PLACES", &places.to_string());
    let site = EncryptedSite::start(move |_: &Ask| Answer::html(page.clone()));
    let ports = [silent.port, closes.port, closes_at_once.port, plain.port, talks_first.port, half.port, gone];
    let mut allow = vec![site.allow()];
    allow.extend(ports.iter().map(|port| format!("127.0.0.1:{port}")));
    let (trust, start, list) = (trusting(&[&site, &half]), site.url("/"), allow.join(","));
    let mut tools = Tools::start(&["--url", &start, "--set", &trust, "--set", &format!("allow={list}")]);
    let (answer, messages) = tools.until_title("asked ");
    let results: Value = serde_json::from_str(answer["title"].as_str().unwrap().trim_start_matches("asked ")).unwrap();
    println!("{results}");
    let results = results.as_object().unwrap();
    assert_eq!(results.len(), count);
    for (name, result) in results {
        assert_eq!(result[0], "failed", "{name}: {result}");
        assert!(result[1].as_u64().unwrap() <= BOUND, "{name}: {result}");
    }
    assert!(!messages.contains("allowlist"), "nothing was refused: {messages}");
    assert!(silent.connections() > 0 && closes.connections() > 0 && plain.connections() > 0);
    // As pages of their own: an error within the time for a navigation, and the tab before is there again.
    for (name, url) in [
        ("silent", silent.url("/")),
        ("closes", closes.url("/")),
        ("closes at once", closes_at_once.url("/")),
        ("plain", plain.url("/")),
        ("talks first", talks_first.url("/")),
        ("gone", format!("https://127.0.0.1:{gone}/")),
    ] {
        let began = Instant::now();
        let answer = tools.open(&url);
        assert_eq!(answer["error"]["code"], "navigation_failed", "{name}: {answer}");
        assert!(!message(&answer).contains("allowlist"), "{name}: {answer}");
        assert!(began.elapsed() < Duration::from_secs(20), "{name}: {:?}", began.elapsed());
        assert_eq!(answer["url"], site.url("/"), "{name}: {answer}");
    }
    tools.close();
}

/// An answer that stops in the middle and a tunnel that stays open hold nothing up, not even the end.
#[test]
fn a_tunnel_that_stalls_holds_nothing_up() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = std::sync::Mutex::new(receiver);
    let stalls = begins_and(move || {
        let _ = receiver.lock().unwrap().recv_timeout(HANG);
    });
    let page = format!(
        "<title>page</title><img src='{0}'><script>fetch('{0}').then((answer) => answer.text()); \
         document.title = 'asked'</script>",
        stalls.url("/")
    );
    let site = EncryptedSite::start(move |_: &Ask| Answer::html(page.clone()));
    let (allow, trust) = (format!("allow={},{}", site.allow(), stalls.allow()), trusting(&[&site, &stalls]));
    let mut tools = Tools::start(&["--set", &trust, "--set", &allow]);
    let answer = tools.open(&site.url("/"));
    assert_eq!(answer["ok"], true, "{answer}");
    tools.until_title("asked");
    assert_eq!(tools.click()["ok"], true);
    let began = Instant::now();
    tools.close();
    assert!(began.elapsed() < Duration::from_secs(20), "the end took {:?}", began.elapsed());
    drop(sender);
}
