//! An encrypted site through the proxy: it works as it does without a list, and another one cannot be reached.

use serde_json::{Value, json};

use crate::encrypted_site::{EncryptedSite, trusting};
use crate::world::{Answer, Ask, Attacker, Tools, message};

const PAGE: &str = r#"<!doctype html><title>working</title><link rel=stylesheet href="/style.css"><script src="/script.js"></script>
<img id=picture src="/picture.svg"><iframe src="/frame"></iframe><body><script>
const port = location.port, results = {};
const step = async (name, work) => { try { results[name] = await work(); } catch (error) { results[name] = 'failed'; } };
const socket = (address) => new Promise((done, failed) => {
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send('hello');
  socket.onmessage = (event) => { socket.close(); done(event.data); };
  socket.onerror = () => failed('socket');
});
onload = async () => {
  results.style = getComputedStyle(document.body).color;
  results.script = window.loaded;
  results.picture = document.getElementById('picture').naturalWidth;
  results.secure = isSecureContext;
  await step('get', async () => (await fetch('/get?a=%20b')).text());
  await step('post', async () => (await fetch('/post', { method: 'POST', body: 'x'.repeat(300000) })).text());
  await step('large', async () => (await (await fetch('/large')).text()).length);
  await step('socket', () => socket(`wss://127.0.0.1:${port}/echo`));
  await step('one after the other', async () => { let ok = 0; for (let n = 0; n < 30; n += 1) ok += (await fetch(`/get?one=${n}`)).ok; return ok; });
  await step('at once', async () => (await Promise.all(Array.from({ length: 60 }, (_, n) => fetch(`/get?many=${n}`)))).filter((r) => r.ok).length);
  await step('hosts', async () => (await Promise.all(Array.from({ length: 24 }, (_, n) =>
    fetch(`https://h${n}.localhost:${port}/get`)))).filter((r) => r.ok).length);
  await step('sockets', async () => (await Promise.all(Array.from({ length: 40 }, () => socket(`wss://127.0.0.1:${port}/echo`)))).length);
  await step('denied fetch', async () => (await fetch('https://127.0.0.1:ATTPORT/fetch', { mode: 'no-cors' })).type);
  await step('denied post', async () => (await fetch('https://127.0.0.1:ATTPORT/post', { mode: 'no-cors', method: 'POST', body: 'x' })).type);
  await step('denied name', async () => (await fetch('https://localhost:ATTPORT/name', { mode: 'no-cors' })).type);
  await step('denied socket', () => socket('wss://127.0.0.1:ATTPORT/socket'));
  await step('denied redirect', async () => (await fetch('/away', { mode: 'no-cors' })).type);
  await step('denied picture', () => new Promise((done, failed) => {
    Object.assign(new Image(), { onload: done, onerror: failed, src: 'https://127.0.0.1:ATTPORT/picture' });
  }));
  await step('still', async () => (await fetch('/get?still')).text());
  document.title = 'worked ' + JSON.stringify(results);
};
</script>"#;

fn site(attacker: &Attacker) -> EncryptedSite {
    let port = attacker.port.to_string();
    EncryptedSite::start(move |ask: &Ask| {
        let typed = |kind: &str, text: &str| Answer {
            headers: format!("content-type: {kind}\r\naccess-control-allow-origin: *\r\n"),
            ..Answer::html(text)
        };
        match ask.path.split('?').next().unwrap_or_default() {
            "/" => Answer::html(PAGE.replace("ATTPORT", &port)),
            "/style.css" => typed("text/css", "body { color: rgb(1, 2, 3) }"),
            "/script.js" => typed("text/javascript", "window.loaded = 'script'"),
            "/picture.svg" => typed("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"),
            "/get" => typed("text/plain", &ask.path),
            "/post" => typed("text/plain", &format!("{} {}", ask.method, ask.body.len())),
            "/large" => typed("text/plain", &"y".repeat(3_000_000)),
            "/away" => Answer::redirect("302 Found", &format!("https://127.0.0.1:{port}/away")),
            "/file.bin" => typed("text/plain", "downloaded").with("content-disposition: attachment; filename=file.txt"),
            _ => Answer::html("<title>page</title>inside"),
        }
    })
}

#[test]
fn an_encrypted_site_works_through_the_proxy_and_another_is_not_reached() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let others = format!("*.localhost:{}", site.port);
    for allow in [site.allow(), format!("https://{}", site.allow())] {
        let before = site.connections();
        let mut tools = Tools::start(&[
            "--url",
            &site.url("/"),
            "--allow",
            &allow,
            "--allow",
            &others,
            "--set",
            &trusting(&[&site]),
        ]);
        let (answer, messages) = tools.until_title("worked ");
        let title = answer["title"].as_str().unwrap().trim_start_matches("worked ");
        let results: Value = serde_json::from_str(title).unwrap();
        let expected = json!({
            "style": "rgb(1, 2, 3)", "script": "script", "picture": 7, "secure": true,
            "get": "/get?a=%20b", "post": "POST 300000", "large": 3_000_000, "socket": "hello",
            "one after the other": 30, "at once": 60, "hosts": 24, "sockets": 40,
            "denied fetch": "failed", "denied post": "failed", "denied name": "failed", "denied socket": "failed",
            "denied redirect": "failed", "denied picture": "failed", "still": "/get?still",
        });
        assert_eq!(results, expected, "{allow}");
        let used = site.connections() - before;
        // 24 hosts and 41 WebSockets have each their own; over a hundred requests share the others.
        assert!((65..120).contains(&used), "{used} connections");
        assert!(site.asked_for("/frame"));
        assert!(messages.contains("the allowlist refused 127.0.0.1:"), "{messages}");
        let mut told = message(&tools.open(&site.url("/file.bin"))).to_string();
        for _ in 0..20 {
            if told.contains("downloaded ") {
                break;
            }
            told.push_str(message(&tools.wait(0.1)));
        }
        assert!(told.contains("file.txt (10 bytes)"), "{told}");
        tools.close();
        attacker.assert_untouched("an encrypted page");
    }
}

#[test]
fn a_scheme_that_is_not_listed_is_refused_on_a_host_that_is() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let entry = format!("http://{}", site.allow());
    let mut tools = Tools::start(&["--allow", &entry, "--set", &trusting(&[&site])]);
    let answer = tools.open(&site.url("/"));
    assert_eq!(answer["error"]["code"], "denied", "{answer}");
    assert!(message(&answer).contains("is not listed for https"), "{answer}");
    tools.close();
}

/// The test's own certificate is taken, and no other.
#[test]
fn a_certificate_that_nobody_vouches_for_is_an_error() {
    let attacker = Attacker::start();
    let (known, unknown) = (site(&attacker), site(&attacker));
    let mut tools = Tools::start(&["--allow", "*", "--set", &trusting(&[&known])]);
    let answer = tools.open(&unknown.url("/frame"));
    assert_eq!(answer["error"]["code"], "navigation_failed", "{answer}");
    assert!(message(&answer).contains("ERR_CERT_"), "{answer}");
    assert!(!unknown.asked_for("/frame"));
    tools.close();
}
