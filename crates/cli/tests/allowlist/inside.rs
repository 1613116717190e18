//! What is allowed works as it does without a list: requests of every kind, streams, large bodies, downloads.

use crate::world::{Answer, Ask, Site, Tools, message};

const PAGE: &str = r#"<!doctype html><title>working</title><body><script>
const port = location.port, results = {};
const step = async (name, work) => { try { results[name] = await work(); } catch (error) { results[name] = `failed: ${error}`; } };
(async () => {
  await step('get', async () => (await fetch('/get?a=%20b')).text());
  await step('post', async () => (await fetch('/post', { method: 'POST', body: 'x'.repeat(300000) })).text());
  await step('large', async () => (await (await fetch('/large')).text()).length);
  await step('status', async () => (await fetch('/missing')).status);
  await step('head', async () => (await fetch('/get', { method: 'HEAD' })).status);
  await step('redirect', async () => (await fetch('/redirect')).text());
  await step('socket', () => new Promise((done, failed) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`);
    socket.onopen = () => socket.send('hello');
    socket.onmessage = (event) => done(event.data);
    socket.onerror = () => failed('socket');
  }));
  await step('events', () => new Promise((done, failed) => {
    const events = new EventSource('/events');
    events.onmessage = (event) => { events.close(); done(event.data); };
    events.onerror = () => failed('events');
  }));
  await step('worker', () => new Promise((done) => {
    const worker = new Worker('/worker.js');
    worker.onmessage = (event) => done(event.data);
  }));
  await step('cookie', async () => { document.cookie = 'a=b'; return (await fetch('/cookie')).text(); });
  await step('many', async () => (await Promise.all(Array.from({ length: 60 }, (_, n) => fetch(`/get?${n}`)))).filter((r) => r.ok).length);
  document.title = 'worked ' + JSON.stringify(results);
})();
</script>"#;

fn site() -> Site {
    Site::start(|ask: &Ask| {
        let plain = |text: String| Answer { headers: "content-type: text/plain\r\n".into(), ..Answer::html(text) };
        match ask.path.split('?').next().unwrap_or_default() {
            "/" => Answer::html(PAGE),
            "/get" => plain(ask.path.clone()),
            "/post" => plain(format!("{} {}", ask.method, ask.body.len())),
            "/large" => plain("y".repeat(3_000_000)),
            "/redirect" => Answer::redirect("307 Temporary Redirect", "/get?redirected"),
            "/events" => {
                Answer { headers: "content-type: text/event-stream\r\n".into(), ..Answer::html("data: event\n\n") }
            }
            "/worker.js" => Answer::script("fetch('/get?worker').then((r) => r.text()).then(postMessage)"),
            "/cookie" => plain(if ask.head.contains("a=b") { "sent" } else { "lost" }.into()),
            "/file.bin" => plain("downloaded".into()).with("content-disposition: attachment; filename=file.txt"),
            _ => Answer { status: "404 Not Found", ..Answer::html("nothing") },
        }
    })
}

#[test]
fn an_allowed_site_works_through_the_proxy() {
    let site = site();
    for allow in [format!("127.0.0.1:{}", site.port), format!("http://127.0.0.1:{}", site.port), "*".to_string()] {
        let mut tools = Tools::start(&["--url", &site.url("/"), "--allow", &allow]);
        let (answer, messages) = tools.until_title("worked ");
        let title = answer["title"].as_str().unwrap().trim_start_matches("worked ");
        let results: serde_json::Value = serde_json::from_str(title).unwrap();
        let expected = serde_json::json!({
            "get": "/get?a=%20b", "post": "POST 300000", "large": 3_000_000, "status": 404, "head": 200,
            "redirect": "/get?redirected", "socket": "hello", "events": "event", "worker": "/get?worker",
            "cookie": "sent", "many": 60,
        });
        assert_eq!(results, expected, "{allow}");
        assert!(!messages.contains("allowlist"), "{messages}");
        let answer = tools.open(&site.url("/file.bin"));
        let mut all = message(&answer).to_string();
        for _ in 0..20 {
            if all.contains("downloaded ") {
                break;
            }
            all.push_str(message(&tools.wait(0.1)));
        }
        assert!(all.contains("file.txt (10 bytes)"), "{all}");
        tools.close();
    }
}

#[test]
fn a_name_of_this_machine_is_reached_where_it_is_listed() {
    let site = site();
    let allow = format!("*.localhost:{}", site.port);
    let mut tools = Tools::start(&["--url", &format!("http://app.localhost:{}/get", site.port), "--allow", &allow]);
    let answer = tools.tab("view");
    assert_eq!(answer["url"], format!("http://app.localhost:{}/get", site.port), "{answer}");
    let refused = tools.open(&site.url("/"));
    assert_eq!(refused["error"]["code"], "denied", "{refused}");
    tools.close();
}
