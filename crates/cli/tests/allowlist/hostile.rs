//! One page that tries everything at once. The same page without an allowlist shows that it really tries.

use std::time::{Duration, Instant};

use crate::world::{Answer, Ask, Attacker, Site, Tools, a_moment, message};

const PAGE: &str = include_str!("hostile.html");

/// What a browser without an allowlist asks the attacker for on this page.
const MUST_ARRIVE: &[&str] = &[
    "/prefetch",
    "/preload.png",
    "/modulepreload.js",
    "/style.css",
    "/import.css",
    "/background.png",
    "/image.png",
    "/srcset.png",
    "/picture.png",
    "/video.mp4",
    "/poster.png",
    "/audio.mp3",
    "/object.html",
    "/embed.html",
    "/frame.html",
    "/input.png",
    "/svg.png",
    "/dot",
    "/number",
    "/hexadecimal",
    "/octal",
    "/localhost",
    "/capitals",
    "/below",
    "/mapped",
    "/wide",
    "/302",
    "/307",
    "/308",
    "/chained",
    "/meta",
    "/refresh",
    "/data.png",
    "/javascript",
    "/srcdoc.png",
    "/srcdoc",
    "/sandboxed",
    "/form-get",
    "/form-post",
    "/ping",
    "/download.bin",
    "/script.js",
    "/fetch",
    "/opaque",
    "/keepalive",
    "/xhr",
    "/synchronous",
    "/beacon",
    "/events",
    "/socket",
    "/module.js",
    "/made.png",
    "/worker-fetch",
    "/worker-socket",
    "/worker-xhr",
    "/worker-import.js",
    "/nested-worker",
    "/shared-fetch",
    "/shared-socket",
    "/shared-import.js",
    "/service-fetch",
    "/service-import.js",
    "/blob.png",
    "/nested.png",
    "/opened",
    "/written.png",
    "/located",
    "/blobwindow.png",
    "/link.css",
    "/csp",
    "/leaving-beacon",
    "/leaving-fetch",
];

fn site(attacker: &Attacker) -> Site {
    let (att, port) = (attacker.url(""), attacker.port);
    Site::start(move |ask: &Ask| {
        let own = ask.head.lines().find_map(|line| line.to_lowercase().strip_prefix("host: ").map(str::to_string));
        let site_port = own.as_deref().and_then(|host| host.rsplit(':').next()).unwrap_or_default().to_string();
        let fill = |text: &str| {
            text.replace("ATTPORT", &port.to_string()).replace("SITEPORT", &site_port).replace("ATT", &att)
        };
        let worker = |name: &str| {
            Answer::script(fill(&format!(
                "fetch('ATT/{name}-fetch', {{ mode: 'no-cors' }}).catch(() => {{}});
                 try {{ new WebSocket('ws://127.0.0.1:ATTPORT/{name}-socket') }} catch {{}}
                 try {{ importScripts('ATT/{name}-import.js') }} catch {{}}"
            )))
        };
        match ask.path.as_str() {
            "/" => Answer::html(fill(PAGE))
                .with(&fill("link: <ATT/link.css>; rel=preload; as=style"))
                .with(&fill("content-security-policy-report-only: script-src 'none'; report-uri ATT/csp")),
            "/empty" => Answer::html("<title>empty</title>"),
            "/shared.js" => worker("shared"),
            "/service.js" => worker("service"),
            "/redirect?302" => Answer::redirect("302 Found", &fill("ATT/302")),
            "/redirect?307" => Answer::redirect("307 Temporary Redirect", &fill("ATT/307")),
            "/redirect?308" => Answer::redirect("308 Permanent Redirect", &fill("ATT/308")),
            "/chain" => Answer::redirect("302 Found", "/chain2"),
            "/chain2" => Answer::redirect("301 Moved Permanently", &fill("ATT/chained")),
            "/meta" => Answer::html(fill("<meta http-equiv=refresh content='0; url=ATT/meta'>")),
            "/refresh" => Answer::html("later").with(&fill("refresh: 0; url=ATT/refresh")),
            _ => Answer { status: "404 Not Found", ..Answer::html("nothing") },
        }
    })
}

/// The page does all it can, then is left, so that it also does what pages do at their end.
fn let_it_try(tools: &mut Tools, site: &Site) -> String {
    let (answer, messages) = tools.until_title("tried");
    println!("{}", answer["title"]);
    // Popups may be in front of it.
    let first = tools.ask(serde_json::json!({"tool": "tab", "action": "switch", "tab_id": "t1"}));
    assert_eq!(first["ok"], true, "{first}");
    tools.open(&site.url("/empty"));
    let closed = tools.ask(serde_json::json!({"tool": "tab", "action": "close", "tab_id": "t1"}));
    assert_eq!(closed["ok"], true, "{closed}");
    messages + message(&tools.wait(1.5))
}

#[test]
fn without_an_allowlist_the_page_reaches_the_attacker_in_every_way() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = Tools::start(&["--url", &site.url("/")]);
    let_it_try(&mut tools, &site);
    let missing = |attacker: &Attacker| -> Vec<&str> {
        let asked: Vec<String> = attacker
            .asked()
            .iter()
            .filter_map(|line| Some(line.split(' ').nth(1)?.split('?').next()?.to_string()))
            .collect();
        MUST_ARRIVE.iter().copied().filter(|path| !asked.iter().any(|asked| asked == path)).collect()
    };
    let end = Instant::now() + Duration::from_secs(5);
    while !missing(&attacker).is_empty() && Instant::now() < end {
        a_moment();
    }
    assert_eq!(missing(&attacker), Vec::<&str>::new(), "these ways are not tried by the page");
    assert!(attacker.datagrams() > 0, "WebRTC and WebTransport send datagrams");
    tools.close();
}

#[test]
fn with_an_allowlist_nothing_reaches_the_attacker() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let allow = format!("127.0.0.1:{}", site.port);
    let mut tools = Tools::start(&["--url", &site.url("/"), "--allow", &allow]);
    let messages = let_it_try(&mut tools, &site);
    attacker.assert_untouched("the page");
    assert!(site.asked_for("/shared.js") && site.asked_for("/service.js"), "workers of the site itself run");
    assert!(messages.contains("the allowlist refused http://127.0.0.1"), "{messages}");
    assert!(messages.contains("other requests"), "{messages}");
    tools.close();
    attacker.assert_untouched("the end of the browser");
}
