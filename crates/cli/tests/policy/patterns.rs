//! Ways in which real pages ask for what cannot be taken back: a bare "Confirm" under a heading, a slider, a bin, a
//! button that acts on the press, a page that was the answer to a form.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::tools_client::Tools;

fn asked(answer: &Value) -> String {
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    message.split_once("rule ").and_then(|(_, rest)| rest.split(':').next()).unwrap_or_default().to_string()
}

fn pages(bodies: &[(&str, &str)]) -> PageServer {
    let pages: Vec<(&'static str, Page)> = bodies
        .iter()
        .enumerate()
        .map(|(index, (body, _))| {
            let html = format!(
                "<!doctype html><meta charset=utf-8><title>Page {index}</title>
<style>button.big{{display:block;width:100%;height:600px}}.end{{position:fixed;top:40%;width:60px;height:60px}}</style>{body}"
            );
            let path: &'static str = Box::leak(format!("/{index}").into_boxed_str());
            (path, Page::Html(Box::leak(html.into_boxed_str())))
        })
        .chain([("/", Page::Html("<!doctype html><title>Start</title>"))])
        .collect();
    PageServer::start(&pages)
}

/// Makes the call on each of the pages, and compares which rule asks about it.
fn check(bodies: &[(&str, &str)], call: &Value) {
    let (bench, server) = (Bench::new(), pages(bodies));
    let url = server.url();
    let more = ["--confirm", "risky", "--set", "density_gate=off", "--set", "no_effect_patience=0"];
    let mut tools = Tools::start(&bench, &[&["--url", &url], &more[..]].concat());
    let mut wrong = Vec::new();
    for (index, (body, rule)) in bodies.iter().enumerate() {
        let open = tools.ask(json!({"tool": "tab", "action": "open", "url": server.at(&format!("/{index}"))}));
        assert_eq!(open["ok"], true, "{open}");
        let answer = tools.ask(call.clone());
        if asked(&answer) != *rule || (answer["ok"] == false) == rule.is_empty() {
            wrong.push(format!("{body}: {:?}, not {rule:?}: {answer}", asked(&answer)));
        }
    }
    tools.close().expect(0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_yes_counts_by_what_stands_above_it() {
    check(
        &[
            ("<h2>Transfer $500 to Ben</h2><button class=big>Confirm</button>", "affirm"),
            ("<div role=dialog aria-label='Delete this repository?'><button class=big>Yes</button></div>", "affirm"),
            (
                "<div role=dialog aria-labelledby=t><h2 id=t>Refund $20 to Dana</h2><button class=big>Confirm</button></div>",
                "affirm",
            ),
            (
                "<div role=dialog aria-labelledby=t><h2 id=t>Terminate instance?</h2><button class=big>Terminate</button></div>",
                "delete",
            ),
            ("<form action=/pay method=post><h1>Pay Acme</h1><button class=big>Pay €20.00</button></form>", "pay"),
            ("<h1>Lamp</h1><button class=big>Buy now</button>", "pay"),
            ("<div role=dialog><h2>Delete?</h2><button class=big>Cancel</button></div>", ""),
            (
                "<h1>Buy tickets</h1><div style='position:fixed;inset:0'>We use cookies<button class=big>OK</button></div>",
                "",
            ),
            ("<h1>Order history</h1><button class=big>OK</button>", ""),
            ("<h1>Your profile</h1><button class=big>Confirm</button>", ""),
        ],
        &json!({"tool": "mouse", "action": "click", "coordinate": [500, 400]}),
    );
}

#[test]
fn a_drag_counts_by_both_of_its_ends() {
    const TRACK: &str = "<div style='position:fixed;left:0;top:40%;width:100%;height:60px'>";
    let track = |words: &str, handle: &str| {
        format!(
            "{TRACK}<span style='position:absolute;left:40%;top:20px'>{words}</span><div style='width:60px;height:60px' {handle}></div></div>"
        )
    };
    let (pay, confirm) = (track("Slide to pay", "class=handle"), track("Swipe to confirm", "id=knob"));
    let reorder = track("Drag to reorder", "class=grip");
    check(
        &[
            (&pay, "pay"),
            (&confirm, "slide"),
            (
                "<input type=range aria-label='Slide to delete' style='position:fixed;left:0;top:40%;width:100%;height:60px'>",
                "delete",
            ),
            ("<div draggable=true class=end style='left:0'>a</div><div class=end style='right:0'>🗑</div>", "delete"),
            (&reorder, ""),
            (
                "<label style='position:fixed;left:0;top:40%;width:100%'>Volume<input type=range style='width:100%;height:60px'></label>",
                "",
            ),
            ("<div draggable=true class=end style='left:0'>a</div><div class=end style='right:0'>Done</div>", ""),
        ],
        &json!({"tool": "mouse", "action": "drag", "start_coordinate": [15, 430], "end_coordinate": [980, 430]}),
    );
}

#[test]
fn every_mouse_button_presses() {
    const PAGE: &str = "<!doctype html><title>Buttons</title><style>button{position:fixed;left:0;width:100%;height:45%}</style>
<button style='top:0' onmousedown=\"fetch('/deleted')\">Delete all</button><button style='top:50%' onmousedown=\"fetch('/saved')\">Save</button>";
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let url = server.url();
    let mut tools = Tools::start(&bench, &["--url", &url, "--confirm", "risky"]);
    for button in ["left", "right", "middle"] {
        let click = |y: u32| json!({"tool": "mouse", "action": "click", "coordinate": [500, y], "button": button});
        assert_eq!(asked(&tools.ask(click(200))), "delete", "{button}");
        assert_eq!(tools.ask(click(700))["ok"], true, "{button}");
    }
    tools.close().expect(0);
    assert_eq!((server.count("/deleted"), server.count("/saved")), (0, 3));
}

/// Answers a form at `/sent` with a page, and one at `/kept` with a redirect to a page. Tells every request line.
fn form_server() -> (String, mpsc::Receiver<String>) {
    const FORMS: &str = "<!doctype html><title>Forms</title><style>button{position:fixed;left:0;width:100%;height:30%}</style>
<form method=post action=/sent><button style='top:0'>Go</button></form><form method=post action=/kept><button style='top:35%'>Go</button></form>
<form method=post action=/sent target=_blank><button style='top:70%'>Go</button></form>";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (told, requests) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut head = [0; 8192];
            let length = stream.read(&mut head).unwrap_or_default();
            let line = String::from_utf8_lossy(&head[..length]).lines().next().unwrap_or_default().to_string();
            let answer = match line.starts_with("POST /kept") {
                true => {
                    "HTTP/1.1 303 See Other\r\nlocation: /done\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into()
                }
                false => format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncache-control: no-store\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{FORMS}",
                    FORMS.len()
                ),
            };
            let _ = stream.write_all(answer.as_bytes());
            // The thread ends with the test, when nobody listens any more.
            if told.send(line).is_err() {
                return;
            }
        }
    });
    (url, requests)
}

#[test]
fn a_form_is_not_sent_again_by_loading_its_answer_again() {
    let (bench, (url, requests)) = (Bench::new(), form_server());
    let mut tools = Tools::start(&bench, &["--url", &url, "--confirm", "risky"]);
    let click = |y: u32| json!({"tool": "mouse", "action": "click", "coordinate": [500, y]});
    let refresh = json!({"tool": "tab", "action": "refresh"});
    let posts = |expected: usize| {
        let found: Vec<String> = requests.try_iter().filter(|line| line.starts_with("POST")).collect();
        assert_eq!(found.len(), expected, "{found:?}");
    };
    assert_eq!(tools.ask(refresh.clone())["ok"], true, "a page that was asked for plainly");
    assert_eq!(tools.ask(click(100))["ok"], true);
    posts(1);
    assert_eq!(asked(&tools.ask(refresh.clone())), "resend");
    posts(0);
    // The answer of this one is a plain page, which a redirect led to.
    assert_eq!(tools.ask(click(500))["ok"], true);
    posts(1);
    assert_eq!(tools.ask(refresh.clone())["ok"], true);
    posts(0);
    // Back to the answer that may not be kept: the browser does not send the form by itself, and loading it would.
    assert_eq!(tools.ask(json!({"tool": "tab", "action": "back"}))["error"]["code"], "navigation_failed");
    posts(0);
    assert_eq!(asked(&tools.ask(refresh.clone())), "resend");
    assert_eq!(tools.ask(json!({"tool": "tab", "action": "forward"}))["ok"], true);
    assert_eq!(tools.ask(refresh.clone())["ok"], true);
    posts(0);
    // An answer in a new tab.
    assert_eq!(tools.ask(click(850))["ok"], true);
    posts(1);
    assert_eq!(asked(&tools.ask(json!({"tool": "tab", "action": "refresh", "tab_id": "t2"}))), "resend");
    assert_eq!(tools.ask(refresh)["ok"], true);
    tools.close().expect(0);
    posts(0);
}
