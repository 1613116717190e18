//! A session that an earlier run was allowed more in: what it left behind (service workers, caches) reaches nobody
//! outside the list of a later run.

use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::encrypted_site::OddServer;
use crate::world::{Answer, Ask, Bench, Site, Tools, message, serve};

/// On the site that stays allowed. Whatever its page asks for, the worker also asks the other site.
const WORKER: &str = r"
self.addEventListener('install', (event) => { skipWaiting(); event.waitUntil(caches.open('kept').then((kept) => kept.add('OTHER/kept'))); });
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => {
  const name = new URL(event.request.url).pathname.slice(1);
  const leak = fetch(`OTHER/leak-${name}`).then(() => 'arrived', () => 'failed');
  if (name === 'leak') event.respondWith(leak.then((text) => new Response(text)));
  else if (name === 'cached') event.respondWith(caches.match('OTHER/kept'));
});";

/// On the site that is no longer allowed later: its pages come out of a cache, without the network.
const OTHER_WORKER: &str = r"
self.addEventListener('install', (event) => { skipWaiting(); event.waitUntil(caches.open('pages').then((pages) => pages.addAll(['/', '/kept']))); });
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((page) => page || fetch(event.request))));";

const PAGE: &str = r"<!doctype html><title>starting</title><body><script>
(async () => {
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
  document.title = 'ready';
})();
</script>";

const OTHER_PAGE: &str = r"<!doctype html><title>starting</title><body><script>
parent.postMessage('shown', '*');
(async () => {
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
  document.title = 'other ready';
})();
</script>";

/// Says what can still be had of the other site.
const ASKING: &str = r"<!doctype html><title>asking</title><body><a href='OTHER/' style='position:fixed;inset:0'>go</a><script>
const results = { controlled: !!navigator.serviceWorker.controller, frame: 'empty' };
const step = async (name, work) => { try { results[name] = await work(); } catch { results[name] = 'failed'; } };
addEventListener('message', (event) => { results.frame = event.data; });
onload = async () => {
  await step('leak', async () => (await fetch('/leak')).text());
  await step('cached', async () => (await fetch('/cached')).text());
  await step('fetch', async () => (await fetch('OTHER/fetched')).text());
  await step('http cache', async () => (await fetch('OTHER/kept')).text());
  const frame = document.createElement('iframe');
  frame.src = 'OTHER/';
  await step('loaded', () => new Promise((done) => { frame.onload = () => done(true); document.body.append(frame); }));
  await new Promise((done) => setTimeout(done, 500));
  document.title = 'asked ' + JSON.stringify(results);
};
</script>";

struct World {
    site: Site,
    other: OddServer,
    asked: Arc<Mutex<Vec<String>>>,
    bench: Arc<Bench>,
}

impl World {
    fn new() -> World {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let other = OddServer::start(move |stream| {
            serve(stream, &log, &|ask: &Ask| match ask.path.as_str() {
                "/" => Answer::html(OTHER_PAGE),
                "/worker.js" => Answer::script(OTHER_WORKER),
                "/kept" => {
                    Answer::html("kept").with("cache-control: max-age=86400").with("access-control-allow-origin: *")
                }
                _ => Answer::html("other").with("access-control-allow-origin: *"),
            });
        });
        // Another name, so that it is another site and not only another port.
        let address = format!("http://localhost:{}", other.port);
        let site = Site::start(move |ask: &Ask| {
            let fill = |text: &str| text.replace("OTHER", &address);
            match ask.path.as_str() {
                "/worker.js" => Answer::script(fill(WORKER)),
                "/asking" => Answer::html(fill(ASKING)),
                _ => Answer::html(fill(PAGE)),
            }
        });
        World { site, other, asked, bench: Arc::new(Bench::new()) }
    }

    fn other_url(&self) -> String {
        format!("http://localhost:{}/", self.other.port)
    }

    fn start(&self, path: &str, allow: &[String]) -> Tools {
        let (url, list) = (self.site.url(path), format!("allow={}", allow.join(",")));
        Tools::start_in(Arc::clone(&self.bench), &["--session", "work", "--url", &url, "--set", &list])
    }

    fn entries(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.site.port), format!("localhost:{}", self.other.port)]
    }

    /// A run that may reach both: the workers of both are installed.
    fn earlier_run(&self) {
        let mut tools = self.start("/", &self.entries());
        tools.until_title("ready");
        assert_eq!(tools.open(&self.other_url())["ok"], true);
        tools.until_title("other ready");
        tools.close();
    }

    fn asked(&self, path: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|line| line.contains(path)).count()
    }
}

fn results(tools: &mut Tools) -> (Value, String) {
    let (answer, messages) = tools.until_title("asked ");
    let title = answer["title"].as_str().unwrap().trim_start_matches("asked ");
    (serde_json::from_str(title).unwrap(), messages)
}

#[test]
fn what_an_earlier_run_of_a_session_installed_reaches_nobody() {
    let world = World::new();
    world.earlier_run();
    // The control: with the same list the worker does reach the other site.
    let mut tools = world.start("/asking", &world.entries());
    let (control, _) = results(&mut tools);
    println!("control {control}");
    tools.close();
    assert_eq!((&control["controlled"], control["leak"].as_str()), (&true.into(), Some("arrived")), "{control}");
    assert_eq!(control["frame"], "shown", "{control}");
    assert!(world.asked("/leak-leak") == 1 && world.asked("/leak-asking") == 1, "{:?}", world.asked.lock().unwrap());

    let connections = world.other.connections();
    let mut tools = world.start("/asking", &world.entries()[..1]);
    let (later, messages) = results(&mut tools);
    println!("later {later}");
    assert_eq!((&later["controlled"], later["leak"].as_str()), (&true.into(), Some("failed")), "{later}");
    assert_eq!(later["fetch"], "failed", "{later}");
    assert!(messages.contains("the allowlist refused"), "{messages}");
    // What the browser had kept can be shown inside a page, without anybody being asked; the documents say so.
    assert_eq!((&later["frame"], &later["http cache"]), (&"shown".into(), &"kept".into()), "{later}");
    // As a page of its own it is refused, though the browser has it.
    let opened = tools.open(&world.other_url());
    assert_eq!(opened["error"]["code"], "denied", "{opened}");
    let clicked = tools.click();
    assert!(message(&clicked).contains("the allowlist refused"), "{clicked}");
    assert_eq!(clicked["url"], "about:blank", "{clicked}");
    tools.close();
    assert_eq!(world.other.connections(), connections, "{:?}", world.asked.lock().unwrap());
}
