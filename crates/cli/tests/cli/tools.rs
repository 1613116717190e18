//! Answers of `surehand tools` to calls that are understood: their fields, the calls that are not
//! available, and the frame files.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::bench::{Bench, exists};
use crate::pages::PageServer;
use crate::tools_client::Tools;

const PAGE: &str = "<!doctype html><title>Tools</title><style>body{margin:0}</style>
<button style='position:absolute;left:0;top:0;width:640px;height:360px' onclick=\"this.style.background='red';fetch('/pressed')\">Press</button>
<input style='position:absolute;left:700px;top:400px;width:300px;height:60px' oninput=\"fetch('/typed/' + this.value.length)\">";
const FIELDS: [&str; 18] = [
    "id",
    "ok",
    "message",
    "error",
    "effect",
    "dispatched",
    "hit",
    "pending",
    "candidates",
    "frame",
    "images",
    "url",
    "title",
    "focus",
    "tabs",
    "opened",
    "dialog",
    "downloads",
];

fn whole(answer: &Value) {
    let mut keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = FIELDS;
    keys.sort_unstable();
    expected.sort_unstable();
    assert_eq!(keys, expected, "{answer}");
}

#[test]
fn an_answer_tells_where_what_and_what_now() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);

    let click = tools.ask(json!({"id": 1, "tool": "mouse", "action": "click", "coordinate": [250, 250]}));
    whole(&click);
    assert_eq!((&click["ok"], &click["error"], &click["pending"]), (&json!(true), &Value::Null, &Value::Null));
    let evidence: Vec<&str> =
        click["effect"]["evidence"].as_array().unwrap().iter().filter_map(|fact| fact["kind"].as_str()).collect();
    assert_eq!((&click["effect"]["status"], evidence), (&json!("confirmed"), vec!["mutation", "request"]));
    assert_eq!(click["dispatched"], json!({"x": 320, "y": 180}));
    assert_eq!(click["hit"]["descriptor"], "button \"Press\"");
    assert_eq!(click["hit"]["box"], json!([0, 0, 500, 500]));
    assert_eq!((&click["url"], &click["title"]), (&json!(server.url()), &json!("Tools")));
    assert_eq!(click["tabs"].as_array().unwrap().len(), 1);
    assert_eq!((&click["tabs"][0]["id"], &click["tabs"][0]["active"]), (&json!("t1"), &json!(true)));
    assert_eq!(server.count("/pressed"), 1);

    let nothing = tools.ask(json!({"id": 2, "tool": "mouse", "action": "click", "coordinate": [700, 100]}));
    assert_eq!((&nothing["ok"], &nothing["focus"]), (&json!(true), &Value::Null));
    let typing = tools.ask(json!({"id": 3, "tool": "keyboard", "action": "type", "text": "abc"}));
    whole(&typing);
    assert_eq!((&typing["ok"], &typing["error"]["code"]), (&json!(false), &json!("nothing_editable")));

    tools.ask(json!({"id": 4, "tool": "mouse", "action": "click", "coordinate": [660, 597]}));
    let typing = tools.ask(json!({"id": 5, "tool": "keyboard", "action": "type", "text": "abc"}));
    assert_eq!((&typing["ok"], &typing["focus"]["value"]), (&json!(true), &json!("abc")), "{typing}");
    assert_eq!(server.count("/typed/3"), 1);

    for call in [
        json!({"id": 6, "tool": "wait", "seconds": 0}),
        json!({"id": 7, "tool": "tab", "action": "view"}),
        json!({"id": 8, "tool": "tab", "action": "list"}),
        json!({"id": 9, "tool": "mouse", "action": "reset"}),
        json!({"id": 10, "tool": "zoom", "region": [0, 0, 500, 500]}),
    ] {
        let answer = tools.ask(call.clone());
        assert_eq!((&answer["ok"], &answer["effect"]), (&json!(true), &Value::Null), "{call}");
        assert_eq!(answer["images"].as_array().unwrap().len(), usize::from(call["tool"] == "zoom"));
    }
    tools.close().expect(0);
}

#[test]
fn calls_that_are_not_there_say_so_and_change_nothing() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    for call in [
        json!({"tool": "done", "success": true, "summary": "x"}),
        json!({"tool": "ask_user", "question": "which?"}),
        json!({"tool": "window", "action": "list"}),
    ] {
        let answer = tools.ask(call.clone());
        whole(&answer);
        assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!("not_available")), "{call}");
        assert_eq!((&answer["dispatched"], &answer["effect"]["status"]), (&Value::Null, &json!("refused")), "{call}");
        assert!(answer["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
    for (call, code) in [
        (json!({"tool": "dialog", "dialog_action": "accept"}), "no_dialog"),
        (json!({"tool": "select_option", "values": ["a"]}), "no_pending_select"),
        (json!({"tool": "upload_file", "paths": ["a"]}), "no_pending_file_input"),
        (json!({"tool": "mouse", "action": "confirm"}), "nothing_pending"),
        (json!({"tool": "tab", "action": "switch", "tab_id": "t99"}), "unknown_tab"),
        (json!({"tool": "tab", "action": "open", "url": crate::pages::closed_port()}), "navigation_failed"),
    ] {
        let answer = tools.ask(call.clone());
        assert_eq!((&answer["ok"], &answer["error"]["code"]), (&json!(false), &json!(code)), "{call}");
    }
    assert_eq!(tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}))["ok"], true);
    tools.close().expect(0);
    assert_eq!(server.count("/pressed"), 0);
}

/// The file is what the answer says about it.
fn check_file(frame: &Value) {
    let path = frame["path"].as_str().unwrap();
    let bytes = std::fs::read(path).unwrap();
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(frame["sha256"], hash);
    assert_eq!(frame["format"], "png");
    // Width and height are the first fields behind the signature and the head of the first chunk.
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((&frame["width"], &frame["height"]), (&json!(number(16)), &json!(number(20))));
}

#[test]
fn frames_are_files_while_the_program_runs() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url(), "--viewport", "900x500"]);
    let first = tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    let second = tools.ask(json!({"id": 2, "tool": "mouse", "action": "click", "coordinate": [200, 200]}));
    let zoomed = tools.ask(json!({"id": 3, "tool": "zoom", "region": [0, 0, 100, 100]}));
    assert_eq!((&first["frame"]["width"], &first["frame"]["height"]), (&json!(900), &json!(500)));
    assert_eq!(zoomed["images"][0]["kind"], "zoom");
    assert_ne!(first["frame"]["sha256"], second["frame"]["sha256"], "the button turned red");
    let files = [&first["frame"], &second["frame"], &zoomed["frame"], &zoomed["images"][0]];
    // All of them at the end: an old frame stays valid.
    for frame in files {
        check_file(frame);
        assert_eq!(frame["stale"], false);
    }
    let paths: Vec<String> = files.iter().map(|frame| frame["path"].as_str().unwrap().to_string()).collect();
    tools.close().expect(0);
    for path in paths {
        assert!(!exists(&path), "{path} is still there");
    }
    assert_eq!(std::fs::read_dir(bench.path("tmp")).unwrap().count(), 0, "temporary files were left");
}
