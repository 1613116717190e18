//! Ways of a tab to another host: each is refused, told in one sentence, and leaves a tab that can be used.

use std::collections::HashSet;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::world::{Answer, Ask, Attacker, Site, Tools, message, nobody_calls_for};

const BUTTON: &str = "style='position:fixed;inset:0;width:100%;height:100%'";

fn site(attacker: &Attacker) -> Site {
    let (att, port) = (attacker.url(""), attacker.port);
    let seen = Mutex::new(HashSet::new());
    Site::start(move |ask: &Ask| {
        let fill = |text: &str| text.replace("ATTPORT", &port.to_string()).replace("ATT", &att).replace("BIG", BUTTON);
        let page = |body: &str| Answer::html(fill(&format!("<!doctype html><title>page</title>{body}")));
        match ask.path.as_str() {
            "/301" => Answer::redirect("301 Moved Permanently", &fill("ATT/x")),
            "/302" => Answer::redirect("302 Found", &fill("ATT/x")),
            "/303" => Answer::redirect("303 See Other", &fill("ATT/x")),
            "/307" => Answer::redirect("307 Temporary Redirect", &fill("ATT/x")),
            "/308" => Answer::redirect("308 Permanent Redirect", &fill("ATT/x")),
            "/chain" => Answer::redirect("302 Found", "/chain2"),
            "/chain2" => Answer::redirect("307 Temporary Redirect", "/301"),
            "/encrypted" => Answer::redirect("302 Found", &fill("https://127.0.0.1:ATTPORT/x")),
            "/meta" => page("<meta http-equiv=refresh content='0; url=ATT/x'>"),
            "/refresh" => page("").with(&fill("refresh: 0; url=ATT/x")),
            "/location" => page("<script>location = 'ATT/x'</script>"),
            "/replace" => page("<script>location.replace('ATT/x')</script>"),
            "/pushed" => page("<script>history.pushState(0, '', '/two'); location.assign('ATT/x')</script>"),
            "/form-get" => {
                page("<form action='ATT/x'><input name=q value=1></form><script>document.forms[0].submit()</script>")
            }
            "/form-post" => page(
                "<form method=post action='ATT/x'><input name=q value=1></form><script>document.forms[0].submit()</script>",
            ),
            "/link" => page("<a href='ATT/x' BIG>go</a>"),
            "/link-blank" => page("<a target=_blank href='ATT/x' BIG>go</a>"),
            "/link-userinfo" => page("<a href='http://127.0.0.1:80@127.0.0.1:ATTPORT/x' BIG>go</a>"),
            "/link-dot" => page("<a href='http://127.0.0.1.:ATTPORT/x' BIG>go</a>"),
            "/link-number" => page("<a href='http://2130706433:ATTPORT/x' BIG>go</a>"),
            "/link-localhost" => page("<a href='http://localhost:ATTPORT/x' BIG>go</a>"),
            "/link-secure" => page("<a href='https://127.0.0.1:ATTPORT/x' BIG>go</a>"),
            "/form-click" => page("<form method=post action='ATT/x'><button BIG>go</button></form>"),
            "/form-blank" => page("<form method=post target=_blank action='ATT/x'><button BIG>go</button></form>"),
            "/window" => page("<button BIG onclick=\"window.open('ATT/x')\">go</button>"),
            "/window-features" => {
                page("<button BIG onclick=\"window.open('ATT/x', 'w', 'width=300,height=300,noopener')\">go</button>")
            }
            "/blob-window" => page(
                "<button BIG onclick=\"window.open(window.URL.createObjectURL(new Blob(['<title>blob</title><img src=ATT/x>'], {type: 'text/html'})))\">go</button>",
            ),
            "/blob-here" => page(
                "<button BIG onclick=\"location = window.URL.createObjectURL(new Blob(['<title>blob</title><img src=ATT/x>'], {type: 'text/html'}))\">go</button>",
            ),
            "/later" => page("<button BIG onclick=\"setTimeout(() => location = 'ATT/x', 1500)\">go</button>"),
            "/inside" => Answer::redirect("302 Found", "/"),
            "/two" => Answer::html("<title>inside</title>"),
            "/next" => page("<a href='/once?forward' BIG>go</a>"),
            path if path.starts_with("/once") => {
                let outside = if path.contains("encrypted") { "https://127.0.0.1:ATTPORT/x" } else { "ATT/x" };
                if path.contains("slow") {
                    nobody_calls_for(std::time::Duration::from_millis(900));
                }
                match seen.lock().unwrap().insert(path.to_string()) {
                    true => page("<a href='/two' BIG>go</a>").with("cache-control: no-store"),
                    false => Answer::redirect("302 Found", &fill(outside)),
                }
            }
            _ => page("<h1>inside</h1>"),
        }
    })
}

fn start(site: &Site) -> Tools {
    let allow = format!("127.0.0.1:{}", site.port);
    Tools::start(&["--url", &site.url("/"), "--allow", &allow, "--allow", "page.test"])
}

fn tabs(answer: &Value) -> usize {
    answer["tabs"].as_array().map_or(0, Vec::len)
}

#[test]
fn addresses_outside_are_not_opened() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = start(&site);
    let (good, bad) = (site.port, attacker.port);
    for url in [
        attacker.url("/"),
        format!("http://127.0.0.1:{good}@127.0.0.1:{bad}/"),
        format!("http://127.0.0.1.:{bad}/"),
        format!("http://localhost:{good}/"),
        format!("http://[::1]:{good}/"),
        format!("https://127.0.0.1:{bad}/"),
        format!("http://0x7f.1:{bad}/"),
        format!("http://2130706433:{bad}/"),
        format!("http://0x7f000001:{bad}/"),
        format!("http://017700000001:{bad}/"),
        format!("http://[::ffff:7f00:1]:{bad}/"),
        format!("http://[::ffff:127.0.0.1]:{good}/"),
        format!("http://[::]:{good}/"),
        format!("http://0:{good}/"),
        format!("http://127.0.0.1%2e:{bad}/"),
        format!("http://127。0。0。1:{bad}/"),
        format!("http:\\\\127.0.0.1:{bad}/"),
        format!("http:127.0.0.1:{bad}/"),
        format!(" \thttp://127.0.0.1:{good}\t@127.0.0.1:{bad}/"),
        format!("ws://127.0.0.1:{bad}/"),
        "https://xn--bcher-kva.example/".into(),
        // Looks like a listed name, with a letter of another alphabet.
        "https://\u{440}age.test/".into(),
        "data:text/html,<h1>hello</h1>".into(),
        "javascript:alert(1)".into(),
        "file:///etc/passwd".into(),
        "chrome://settings/".into(),
        "chrome://version".into(),
        "devtools://devtools/bundled/inspector.html".into(),
        format!("view-source:{}", site.url("/")),
        format!("blob:{}", site.url("/1234")),
        format!("filesystem:{}", site.url("/temporary/x")),
        "ftp://127.0.0.1/".into(),
        "about:version".into(),
    ] {
        let answer = tools.open(&url);
        assert_eq!(answer["error"]["code"], "denied", "{url}: {answer}");
        assert!(message(&answer).starts_with("the allowlist refused "), "{url}: {answer}");
        assert_eq!(tabs(&answer), 1, "{url}: {answer}");
    }
    for url in
        [site.url("/"), format!("http://127.1:{good}/"), format!("http://2130706433:{good}/"), "about:blank".into()]
    {
        let answer = tools.open(&url);
        assert_eq!(answer["ok"], true, "{url}: {answer}");
    }
    attacker.assert_untouched("tab open");
    tools.close();
}

#[test]
fn pages_that_lead_outside_by_themselves() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = start(&site);
    for path in [
        "/301",
        "/302",
        "/303",
        "/307",
        "/308",
        "/chain",
        "/encrypted",
        "/meta",
        "/refresh",
        "/location",
        "/replace",
        "/pushed",
        "/form-get",
        "/form-post",
    ] {
        let first = tools.open(&site.url(path));
        // A page that goes on by itself may do so a moment later.
        let mut told = message(&first).to_string();
        let mut last = first;
        for _ in 0..20 {
            if told.contains("the allowlist refused") {
                break;
            }
            last = tools.wait(0.1);
            told.push_str(message(&last));
        }
        assert!(told.contains("the allowlist refused"), "{path}: {told}");
        let url = last["url"].as_str().unwrap();
        assert!(url == "about:blank" || url == site.url("/"), "{path}: {last}");
        assert!(!last.to_string().contains(&format!("\"url\":\"{}", attacker.url("/"))), "{path}: {last}");
        attacker.assert_untouched(path);
    }
    tools.close();
}

/// A page that was asked for and turns out to be outside is no page: the call has failed, and says where it led.
#[test]
fn calls_that_were_to_load_a_page_outside_have_failed() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let allow = format!("127.0.0.1:{}", site.port);
    // A page that is only put aside comes back without asking its host.
    let put_nothing_aside = "chromium_args=--disable-back-forward-cache";
    let mut tools = Tools::start(&["--url", &site.url("/"), "--allow", &allow, "--set", put_nothing_aside]);
    let refused = |answer: &Value, outside: &str, left: &str, what: &str| {
        assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!("denied")), "{what}: {answer}");
        let reason = format!("port {} of host 127.0.0.1 is not listed", attacker.port);
        assert_eq!(message(answer), format!("the allowlist refused {outside} ({reason}){left}"), "{what}");
        assert_eq!(answer["effect"]["status"], "refused", "{what}: {answer}");
        attacker.assert_untouched(what);
    };
    let outside = attacker.url("/x");
    for path in ["/301", "/302", "/303", "/307", "/308", "/chain", "/location", "/replace", "/meta", "/refresh"] {
        let answer = tools.open(&site.url(path));
        refused(&answer, &outside, "; the new tab was closed", path);
        assert_eq!((tabs(&answer), &answer["opened"]), (1, &json!([])), "{path}: {answer}");
        assert_eq!(answer["url"], site.url("/"), "{path}: {answer}");
    }
    let encrypted = format!("https://127.0.0.1:{}/x", attacker.port);
    let answer = tools.open(&site.url("/encrypted"));
    refused(&answer, &encrypted, "", "an encrypted one");
    assert_eq!((tabs(&answer), &answer["opened"]), (1, &json!([])), "{answer}");

    // Pages that are fine once and lead outside from then on.
    for (path, outside) in [("/once", &outside), ("/once-encrypted", &encrypted), ("/once-slow", &outside)] {
        let opened = tools.open(&site.url(&format!("{path}?refresh")));
        assert_eq!(opened["ok"], true, "{opened}");
        let answer = tools.tab("refresh");
        refused(&answer, outside, "; the tab is empty now", "refresh");
        assert_eq!(answer["url"], "about:blank", "{answer}");
        tools.tab("close");

        tools.open(&site.url(&format!("{path}?back")));
        tools.click();
        let (there, _) = tools.until_title("inside");
        assert_eq!(there["url"], site.url("/two"), "{there}");
        let answer = tools.tab("back");
        refused(&answer, outside, "; the tab is empty now", "back");
        assert_eq!(answer["url"], "about:blank", "{answer}");
        tools.tab("close");
    }
    tools.open(&site.url("/next"));
    tools.click();
    let went_back = tools.tab("back");
    assert_eq!(went_back["url"], site.url("/next"), "{went_back}");
    refused(&tools.tab("forward"), &outside, "; the tab is empty now", "forward");
    tools.tab("close");
    assert_eq!(tools.open(&site.url("/"))["ok"], true);
    tools.close();
}

#[test]
fn links_and_forms_that_lead_outside() {
    clicks_lead_nowhere(&[
        "/link",
        "/link-userinfo",
        "/link-dot",
        "/link-number",
        "/link-localhost",
        "/link-secure",
        "/form-click",
        "/blob-here",
    ]);
}

#[test]
fn windows_that_lead_outside() {
    clicks_lead_nowhere(&["/link-blank", "/form-blank", "/window", "/window-features", "/blob-window"]);
}

fn clicks_lead_nowhere(paths: &[&str]) {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = start(&site);
    for &path in paths {
        let opened = tools.open(&site.url(path));
        assert_eq!(opened["title"], "page", "{path}: {opened}");
        let before = tabs(&opened);
        let mut answer = tools.click();
        let mut told = message(&answer).to_string();
        for _ in 0..20 {
            if told.contains("the allowlist refused") {
                break;
            }
            answer = tools.wait(0.1);
            told.push_str(message(&answer));
        }
        assert!(told.contains("the allowlist refused"), "{path}: {told}");
        assert!(told.contains("is not listed)") || told.contains("blob: addresses are not allowed)"), "{path}: {told}");
        assert_eq!(tabs(&answer), before, "popups are closed; {path}: {answer}");
        if answer["url"] == "about:blank" {
            let back = tools.tab("back");
            assert_eq!(back["ok"], true, "{path}: {back}");
            assert_eq!(back["url"], site.url(path), "{path}: {back}");
        } else {
            assert_eq!(answer["url"], site.url(path), "{path}: {answer}");
        }
        let closed = tools.tab("close");
        assert_eq!(closed["ok"], true, "{path}: {closed}");
        attacker.assert_untouched(path);
    }
    tools.close();
}

/// Where a tab goes while nobody calls is found before the next action.
#[test]
fn nothing_is_done_in_a_tab_that_went_outside_meanwhile() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = start(&site);
    tools.open(&site.url("/later"));
    let clicked = tools.click();
    assert_eq!(clicked["ok"], true, "{clicked}");
    if !message(&clicked).contains("refused") {
        nobody_calls_for(std::time::Duration::from_secs(2));
        let typed = tools.ask(json!({"tool": "keyboard", "action": "type", "text": "hello"}));
        assert_eq!(typed["error"]["code"], "denied", "{typed}");
        assert!(message(&typed).contains("the allowlist refused"), "{typed}");
        assert_eq!(typed["url"], "about:blank", "{typed}");
    }
    attacker.assert_untouched("a page that goes later");
    tools.close();
}

#[test]
fn ways_within_the_list_are_open() {
    let attacker = Attacker::start();
    let site = site(&attacker);
    let mut tools = start(&site);
    let answer = tools.open(&site.url("/inside"));
    assert_eq!((&answer["ok"], &answer["url"]), (&json!(true), &json!(site.url("/"))), "{answer}");
    assert!(!message(&answer).contains("allowlist"), "{answer}");
    tools.close();
}
