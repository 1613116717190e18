//! A second page that tries to get out, over encrypted connections only and in ways that pages seldom use. The same
//! page without an allowlist shows which of them this browser knows.

use std::time::{Duration, Instant};

use crate::encrypted_site::{EncryptedSite, trusting};
use crate::world::{Answer, Ask, Tools, a_moment, message};

const PAGE: &str = include_str!("unusual.html");

/// What a browser without an allowlist asks the attacker for on this page. Reports of the network are not here: the
/// browser sends them when it likes.
const MUST_ARRIVE: &[&str] = &[
    "/rules.json",
    "/layered.css",
    "/header-module.js",
    "/header-prefetch",
    "/preload-fetch",
    "/imagesrcset.png",
    "/manifest.json",
    "/dictionary",
    "/body.png",
    "/image-set.png",
    "/mask.svg",
    "/border.png",
    "/list.png",
    "/shape.png",
    "/content.png",
    "/fe-image.png",
    "/svg-script.js",
    "/drawing.css",
    "/drawing.png",
    "/drawing-import.css",
    "/drawing.js",
    "/xml.css",
    "/frame-of-set.html",
    "/base/relative.png",
    "/formaction",
    "/nested-meta",
    "/away-301",
    "/away-303",
    "/source.mp4",
    "/source.webp",
    "/document.pdf",
    "/object.svg",
    "/anonymous.png",
    "/async.js",
    "/module-script.js",
    "/mapped.js",
    "/data.json",
    "/sheet.css",
    "/audio-worklet.js",
    "/paint-worklet.js",
    "/module-worker.js",
    "/later",
    "/stream",
    "/pay",
    "/.well-known/web-identity",
    "/face.woff2",
    "/constructed.png",
    "/made-ping",
    "/away-308",
    "/stream-body",
    "/away-307",
    "/socket",
    "/away-307-beacon",
    "/background-fetch",
    "/cache-add",
    "/from-blank",
    "/from-javascript.png",
];

fn attacker() -> EncryptedSite {
    EncryptedSite::start(|ask: &Ask| {
        let kind = match ask.path.rsplit('.').next() {
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("json") => "application/json",
            Some("svg") => "image/svg+xml",
            _ => "text/html",
        };
        Answer { headers: format!("content-type: {kind}\r\n"), ..Answer::html("") }
            .with("access-control-allow-origin: *")
            .with("cache-control: no-store")
    })
}

fn site(attacker: &EncryptedSite) -> EncryptedSite {
    let (att, port) = (attacker.url(""), attacker.port.to_string());
    EncryptedSite::start(move |ask: &Ask| {
        let fill = |text: &str| text.replace("ATTPORT", &port).replace("ATT", &att);
        let typed = |kind: &str, text: &str| Answer {
            headers: format!("content-type: {kind}\r\n"),
            ..Answer::html(fill(text))
        };
        let elsewhere = [
            "alt-svc: h2=\"127.0.0.1:ATTPORT\"; ma=600, h3=\"127.0.0.1:ATTPORT\"; ma=600, h3=\":ATTPORT\"; ma=600",
            "link: <ATT/header-prefetch>; rel=prefetch, <ATT/header-module.js>; rel=modulepreload",
            "link: <ATT/header-style.css>; rel=stylesheet, <https://127.0.0.1:ATTPORT>; rel=preconnect",
            "speculation-rules: \"ATT/rules.json\"",
            "reporting-endpoints: default=\"ATT/reported\", other=\"ATT/reported-other\"",
            "report-to: {\"group\":\"nel\",\"max_age\":600,\"endpoints\":[{\"url\":\"ATT/nel\"}]}",
            "nel: {\"report_to\":\"nel\",\"max_age\":600,\"success_fraction\":1.0,\"failure_fraction\":1.0}",
            "content-security-policy-report-only: default-src 'none'; report-to other; report-uri ATT/csp",
            "permissions-policy: deferred-fetch=*, join-ad-interest-group=*, run-ad-auction=*, identity-credentials-get=*",
            "sourcemap: ATT/source.map",
            "x-frame-options: SAMEORIGIN",
        ];
        match ask.path.split('?').next().unwrap_or_default() {
            "/" => elsewhere.iter().fold(Answer::html(fill(PAGE)), |answer, header| answer.with(&fill(header))),
            "/moved" => typed("text/plain", "x").with(&fill(elsewhere[0])),
            "/drawing.svg" => typed(
                "image/svg+xml",
                "<?xml-stylesheet href='ATT/drawing.css'?><svg xmlns='http://www.w3.org/2000/svg'><image href='ATT/drawing.png'/>\
                 <style>@import url(ATT/drawing-import.css);</style><script href='ATT/drawing.js'/></svg>",
            ),
            "/styled.xml" => typed(
                "text/xml",
                "<?xml-stylesheet type='text/css' href='ATT/xml.css'?><!DOCTYPE a SYSTEM 'ATT/a.dtd'><a/>",
            ),
            "/transformed.xml" => typed("text/xml", "<?xml-stylesheet type='text/xsl' href='/transform.xsl'?><a/>"),
            "/transform.xsl" => typed(
                "text/xsl",
                "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:import href='ATT/imported.xsl'/>\
                 <xsl:template match='/'><html><img src='ATT/transformed.png'/><xsl:copy-of select=\"document('ATT/document.xml')\"/></html></xsl:template></xsl:stylesheet>",
            ),
            "/frames" => Answer::html(fill("<frameset cols='*'><frame src='ATT/frame-of-set.html'></frameset>")),
            "/background.js" => Answer::script(""),
            "/away" => {
                let status = match ask.path.split('?').nth(1).unwrap_or_default().get(..3) {
                    Some("301") => "301 Moved Permanently",
                    Some("303") => "303 See Other",
                    Some("308") => "308 Permanent Redirect",
                    _ => "307 Temporary Redirect",
                };
                let name = ask.path.replace('?', "-");
                Answer::redirect(status, &fill(&format!("ATT{name}"))).with("access-control-allow-origin: *")
            }
            "/empty" => Answer::html("<title>empty</title>"),
            _ => Answer { status: "404 Not Found", ..Answer::html("nothing") },
        }
    })
}

/// The page does all it can, then its tab is closed, so that it also does what pages do at their end.
fn let_it_try(tools: &mut Tools, site: &EncryptedSite, before_the_end: impl FnOnce()) -> String {
    let (_, messages) = tools.until_title("tried");
    before_the_end();
    tools.open(&site.url("/empty"));
    let closed = tools.ask(serde_json::json!({"tool": "tab", "action": "close", "tab_id": "t1"}));
    assert_eq!(closed["ok"], true, "{closed}");
    messages + message(&tools.wait(1.5))
}

#[test]
fn without_an_allowlist_the_unusual_ways_are_open() {
    let attacker = attacker();
    let site = site(&attacker);
    let mut tools = Tools::start(&["--url", &site.url("/"), "--set", &trusting(&[&site, &attacker])]);
    let missing = || -> Vec<&str> {
        let asked = attacker.asked.lock().unwrap();
        let arrived = |path: &str| asked.iter().any(|line| line.split(' ').nth(1) == Some(path));
        MUST_ARRIVE.iter().copied().filter(|path| !arrived(path)).collect()
    };
    // The browser makes this one when it likes, and not at all once its page is closed.
    let in_the_background = || {
        let end = Instant::now() + Duration::from_secs(15);
        while missing().contains(&"/background-fetch") && Instant::now() < end {
            a_moment();
        }
    };
    let_it_try(&mut tools, &site, in_the_background);
    let end = Instant::now() + Duration::from_secs(20);
    while !missing().is_empty() && Instant::now() < end {
        a_moment();
    }
    assert_eq!(missing(), Vec::<&str>::new(), "these ways are not tried by the page");
    tools.close();
}

#[test]
fn with_an_allowlist_the_unusual_ways_are_closed() {
    let attacker = attacker();
    let site = site(&attacker);
    let trust = trusting(&[&site, &attacker]);
    let mut tools = Tools::start(&["--url", &site.url("/"), "--allow", &site.allow(), "--set", &trust]);
    let messages = let_it_try(&mut tools, &site, || {});
    assert!(messages.contains("the allowlist refused 127.0.0.1:"), "{messages}");
    assert!(site.asked_for("/background.js") && site.asked_for("/moved"), "what is allowed works");
    tools.close();
    assert_eq!(attacker.connections(), 0, "{:?}", attacker.asked.lock().unwrap());
}
