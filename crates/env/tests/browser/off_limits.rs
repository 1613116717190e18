//! Places that are off limits are reached by no way that a page has, in a browser without an allowlist; what stands
//! beside them at another port is.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::json;
use surehand_checks::before::allowlist::OffLimits;
use surehand_env::EnvError;
use surehand_env::browser::{BrowserEnv, BrowserOptions, SiteSettings, check_start_url};
use surehand_types::ErrorCode;

use crate::support::{Driver, Pages};

/// Writes down who asked for what, and answers everybody with the same page.
struct Recorder {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Recorder {
    fn start(html: &str) -> Recorder {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = first.local_addr().unwrap().port();
        // A machine without IPv6 has one way less to be tried.
        let second = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
        for listener in [Some(first), second].into_iter().flatten() {
            let (heads, html) = (Arc::clone(&heads), html.to_string());
            std::thread::spawn(move || {
                for stream in listener.incoming() {
                    let Ok(stream) = stream else { break };
                    let (heads, html) = (Arc::clone(&heads), html.clone());
                    // One for each: browsers also connect before they have anything to ask.
                    std::thread::spawn(move || answer(stream, &heads, &html));
                }
            });
        }
        Recorder { port, heads }
    }

    fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    fn names(&self) -> OffLimits {
        let port = self.port;
        OffLimits::of(&[format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")])
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, heads: &Mutex<Vec<String>>, html: &str) {
    let mut head = [0; 4096];
    let count = stream.read(&mut head).unwrap_or(0);
    if count == 0 {
        return;
    }
    heads.lock().unwrap().push(String::from_utf8_lossy(&head[..count]).into_owned());
    let length = html.len();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{html}"
    );
    let _ = stream.write_all(answer.as_bytes());
}

/// Tries the ways that a page has, and says so in its title when each of them has come to an end.
const TRYING: &str = "<title>trying</title><a href='http://127.0.0.1:OWN/link' style='font-size:40px'>Link</a><script>
const ways = (port) => [
  fetch(`http://127.0.0.1:${port}/fetch`, { mode: 'no-cors' }),
  fetch(`http://localhost:${port}/fetch`, { mode: 'no-cors' }),
  fetch(`http://[::1]:${port}/fetch`, { mode: 'no-cors' }),
  new Promise((done) => { const tried = new Image(); tried.onload = tried.onerror = done; tried.src = `http://127.1:${port}/image`; }),
  new Promise((done) => { const tried = new WebSocket(`ws://127.0.0.1:${port}/socket`); tried.onopen = tried.onerror = done; }),
  new Promise((done) => { const tried = document.createElement('iframe'); tried.onload = done; tried.src = `http://localhost:${port}/frame`; document.body.append(tried); }),
  new Promise((done) => {
    const tried = new Worker(URL.createObjectURL(new Blob([`fetch('http://127.0.0.1:${port}/worker', { mode: 'no-cors' }).catch(() => {}).finally(() => postMessage(1))`])));
    tried.onmessage = done;
  }),
];
onload = () => Promise.allSettled([...ways(OWN), ...ways(OTHER)]).then(() => { document.title = 'tried'; });
</script>";

async fn denied(driver: &mut Driver, url: &str) {
    let Err(failure) = driver.try_call(json!({"tool": "tab", "action": "open", "url": url})).await else {
        panic!("{url} was opened");
    };
    assert_eq!(failure.code, ErrorCode::Denied, "{failure:?}");
    assert!(failure.message.contains("is the server that conducts this run"), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_of_a_page_leads_to_what_is_off_limits() {
    let (own, other) = (Recorder::start("own"), Recorder::start("other"));
    let page = TRYING.replace("OWN", &own.port.to_string()).replace("OTHER", &other.port.to_string());
    let options = BrowserOptions { off_limits: own.names(), ..BrowserOptions::default() };
    let mut driver = Driver::open_with(&[("/", &page)], options).await;
    let end = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    while driver.told().await != "tried" {
        assert!(tokio::time::Instant::now() < end, "{:?}", other.heads());
    }
    for way in ["/fetch", "/image", "/socket", "/frame", "/worker"] {
        assert!(other.heads().iter().any(|head| head.contains(way)), "{way} was not tried: {:?}", other.heads());
    }
    driver.click_on("Link").await;
    for place in ["127.0.0.1", "localhost", "[::1]", "127.1", "LOCALHOST"] {
        denied(&mut driver, &format!("http://{place}:{}/", own.port)).await;
    }
    assert_eq!(own.heads(), [] as [&str; 0]);
    driver.call(json!({"tool": "tab", "action": "open", "url": format!("http://{}/", other.address())})).await;
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_not_asked_for_what_is_off_limits() {
    let own = Recorder::start("own");
    let link =
        format!("<title>site</title><a href='http://127.0.0.1:{}/link' style='font-size:40px'>Link</a>", own.port);
    let proxy = Recorder::start(&link);
    let site = SiteSettings { proxy: Some(format!("http://{}", proxy.address())), ..SiteSettings::default() };
    let options = BrowserOptions { off_limits: own.names(), site, ..BrowserOptions::default() };
    let mut env = BrowserEnv::launch(&options).await.unwrap();
    env.open_start_url("http://site.test/").await.unwrap();
    let mut driver = Driver { env, pages: Pages::serve(&[]).await };
    driver.click_on("Link").await;
    denied(&mut driver, &format!("http://localhost:{}/", own.port)).await;
    assert_eq!(own.heads(), [] as [&str; 0]);
    assert!(proxy.heads().iter().any(|head| head.starts_with("GET http://site.test/ ")), "{:?}", proxy.heads());
    assert!(!proxy.heads().iter().any(|head| head.contains("/link")), "{:?}", proxy.heads());
    driver.close().await;
}

#[tokio::test]
async fn what_would_stand_in_the_place_of_the_rules_is_refused_and_so_is_a_start_there() {
    let off_limits = OffLimits::of(&["127.0.0.1:7777".into()]);
    let options = BrowserOptions { off_limits, ..BrowserOptions::default() };
    for flag in ["--host-resolver-rules=EXCLUDE *", "-proxy-server=127.0.0.1:1", "--proxy-bypass-list=a.test"] {
        let extra_flags = vec![flag.to_string()];
        let refused = BrowserEnv::launch(&BrowserOptions { extra_flags, ..options.clone() }).await.unwrap_err();
        assert!(matches!(&refused, EnvError::Setting(words) if words.contains(flag)), "{refused}");
    }
    let refused = check_start_url(&options, "http://127.1:7777/runs").unwrap_err();
    assert!(refused.is_usage() && refused.to_string().contains("conducts this run"), "{refused}");
    assert!(check_start_url(&options, "http://127.0.0.1:7778/").is_ok());
}
