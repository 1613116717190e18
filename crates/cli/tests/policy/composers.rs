//! Enter in a field that no form sends: scripts send by it, and the button beside the field tells what. Every page counts
//! what its own script would have sent.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::tools_client::Tools;

/// What is on the page, and which rule asks about Enter in it; "" for none.
const PAGES: &[(&str, &str)] = &[
    ("<textarea autofocus></textarea><button>Send</button>", "send"),
    ("<div style='display:flex'><div contenteditable id=field style='width:400px;height:60px'></div><button>Post</button></div>", "send"),
    // A composer with a bar of icons between the field and its button.
    (
        "<div><div><div contenteditable role=textbox id=field style='height:40px'></div></div>
<div><button aria-label='Attach'>+</button><button aria-label='Emoji'>:)</button></div>
<div><button aria-label='Send now'><svg width=20 height=20></svg></button></div></div>",
        "send",
    ),
    ("<input autofocus placeholder='Amount'><button>Pay $5</button>", "pay"),
    ("<input autofocus><button><i class='fa fa-paper-plane'></i></button>", "send"),
    // A chat in a form, with a field of one line.
    ("<form action=/sent><textarea autofocus rows=1></textarea><button>Send</button></form>", "send"),
    ("<form action=/sent onsubmit='return false'><input autofocus name=a><button type=button>Publish</button></form>", "send"),
    (
        "<send-box></send-box><textarea autofocus></textarea><script>customElements.define('send-box', class extends HTMLElement {
connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>Send</button>' } })</script>",
        "send",
    ),
    // A dialog that is about one thing.
    (
        "<div role=dialog aria-label='Delete repository'><p>Type its name</p><input autofocus>
<button>Delete this repository</button><button>Cancel</button></div>",
        "delete",
    ),
    // And nobody is asked about these.
    ("<textarea autofocus rows=10 cols=80></textarea>", ""),
    ("<textarea autofocus rows=10></textarea><button>Save</button><button>Cancel</button>", ""),
    ("<form action=/sent><textarea autofocus rows=8 cols=60></textarea><button>Send</button></form>", ""),
    ("<textarea autofocus></textarea><div style='height:600px'></div><button>Send</button>", ""),
    ("<input type=search autofocus><button>Search</button><button>Send</button>", ""),
    ("<input role=combobox autofocus aria-label=To><button>Send</button>", ""),
    ("<input autofocus placeholder=Code><button>Send code</button>", ""),
    ("<input autofocus placeholder=Filter><button>Delete selected</button>", ""),
    ("<input autofocus placeholder='To do'><ul><li>a <button>Delete</button></li><li>b <button>Send</button></li></ul>", ""),
    ("<div role=dialog aria-label=Edit><input autofocus><button>Save</button><button>Cancel</button><button>Delete</button></div>", ""),
];

const SCRIPT: &str = "<script>if (window.field) field.focus();
addEventListener('keydown', (e) => { if (e.key === 'Enter' && !e.shiftKey) fetch('/enter') })</script>";

fn asked(answer: &Value) -> String {
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    message.split_once("rule ").and_then(|(_, rest)| rest.split(':').next()).unwrap_or_default().to_string()
}

#[test]
fn enter_in_a_field_stands_for_the_button_beside_it() {
    check(|rule| !rule.is_empty());
}

#[test]
fn enter_is_a_line_break_or_a_search_elsewhere() {
    check(str::is_empty);
}

fn check(wanted: fn(&str) -> bool) {
    let fields: Vec<&(&str, &str)> = PAGES.iter().filter(|(_, rule)| wanted(rule)).collect();
    let pages: Vec<(&'static str, Page)> = fields
        .iter()
        .enumerate()
        .map(|(index, (body, _))| {
            let html = format!("<!doctype html><meta charset=utf-8><title>Field {index}</title>{body}{SCRIPT}");
            let path: &'static str = Box::leak(format!("/{index}").into_boxed_str());
            (path, Page::Html(Box::leak(html.into_boxed_str())))
        })
        .chain([("/", Page::Html("<!doctype html><title>Start</title>"))])
        .collect();
    let (bench, server) = (Bench::new(), PageServer::start(&pages));
    let url = server.url();
    let mut tools = Tools::start(&bench, &["--url", &url, "--confirm", "risky", "--set", "no_effect_patience=0"]);
    let mut wrong = Vec::new();
    let mut entered = 0;
    for (index, (body, rule)) in fields.iter().enumerate() {
        let calls = [
            (json!({"tool": "keyboard", "action": "press", "key": "enter"}), *rule),
            (json!({"tool": "keyboard", "action": "type", "text": "hello\n"}), *rule),
            // With shift it breaks the line, or does what the form's own field does with Enter.
            (json!({"tool": "keyboard", "action": "press", "key": "shift+enter"}), ""),
        ];
        let open = tools.ask(json!({"tool": "tab", "action": "open", "url": server.at(&format!("/{index}"))}));
        assert_eq!(open["ok"], true, "{open}");
        for (call, rule) in calls {
            let answer = tools.ask(call.clone());
            if asked(&answer) != rule || (answer["ok"] == false) == rule.is_empty() {
                wrong.push(format!("{body} {call}: {:?}, not {rule:?}: {answer}", asked(&answer)));
            }
            entered += usize::from(rule.is_empty() && call["key"] != "shift+enter");
        }
        tools.ask(json!({"tool": "tab", "action": "close"}));
    }
    tools.close().expect(0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(server.count("/enter"), entered, "Enter came through where nobody was asked, and nowhere else");
}
