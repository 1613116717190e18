//! The lines of `surehand tools` that are not calls, or not valid ones: each has one answer, none
//! of them touches the page or ends the session.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::PageServer;
use crate::tools_client::Tools;

const PAGE: &str = "<!doctype html><title>Lines</title><input autofocus oninput=\"fetch('/typed')\">";

/// A schema error has exactly these fields.
fn wrong(answer: &Value, id: Value, code: &str, part: &str) {
    let mut keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["error", "id", "ok"], "{answer}");
    assert_eq!((&answer["id"], &answer["ok"]), (&id, &json!(false)));
    assert_eq!(answer["error"]["code"], code, "{answer}");
    assert_eq!(answer["error"].as_object().unwrap().len(), 2, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(part) && !message.contains('\n'), "{part}: {message}");
}

#[test]
fn wrong_lines_are_answered_and_the_session_goes_on() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);

    for line in ["garbage", "{\"id\":1,", "[1,2]", "\"text\"", "17", "null", "{\"id\":2} trailing"] {
        wrong(&tools.ask_line(line), Value::Null, "invalid_call", "line");
    }
    for (call, code, part) in [
        (json!({"tool": "teleport"}), "unknown_tool", "teleport"),
        (json!({"tool": "clipboard"}), "unknown_tool", "clipboard"),
        (json!({}), "invalid_call", "tool is missing"),
        (json!({"tool": 7}), "invalid_call", "tool"),
        (json!({"tool": "mouse", "action": "click", "place": [1, 1]}), "invalid_call", "place"),
        (json!({"tool": "mouse", "action": "clack"}), "invalid_call", "action"),
        (json!({"tool": "mouse", "action": "click", "coordinate": [1, 1001]}), "invalid_call", "coordinate"),
        (json!({"tool": "mouse", "action": "click", "coordinate": [0.5, 1]}), "invalid_call", "coordinate"),
        (json!({"tool": "mouse", "action": "click", "target": {"text": "x"}}), "invalid_call", "target"),
        (json!({"tool": "wait", "seconds": 61}), "invalid_call", "seconds"),
        (json!({"tool": "keyboard", "action": "type"}), "invalid_call", "text"),
        (json!({"tool": "keyboard", "action": "press", "key": "hyperspace"}), "unknown_key", "hyperspace"),
        (json!({"tool": "done", "success": true}), "invalid_call", "summary"),
    ] {
        let mut call = call;
        call["id"] = json!("mine");
        wrong(&tools.ask(call), json!("mine"), code, part);
    }

    let view = tools.ask(json!({"id": "end", "tool": "tab", "action": "view"}));
    assert_eq!((&view["id"], &view["ok"], &view["title"]), (&json!("end"), &json!(true), &json!("Lines")));
    let ended = tools.close();
    ended.expect(0);
    assert_eq!(ended.stdout, "", "more than one answer per line");
    assert_eq!(server.count("/typed"), 0);
    bench.expect_nothing_left();
}

#[test]
fn any_json_is_an_id_and_blank_lines_are_nothing() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    let ids = [
        json!(1),
        json!(-2.5),
        json!("text"),
        json!(null),
        json!(true),
        json!([1, {"a": []}]),
        json!({"deep": {"er": "ünï"}}),
        json!(18446744073709551615u64),
    ];
    // All at once: answers come in the order of the lines.
    for id in &ids {
        tools.say("");
        tools.say("  \t ");
        tools.say(&json!({"id": id, "tool": "tab", "action": "list"}).to_string());
    }
    tools.say(r#"{"tool":"tab","action":"list"}"#);
    for id in &ids {
        let answer = tools.answer();
        assert_eq!((&answer["id"], &answer["ok"]), (id, &json!(true)), "{answer}");
    }
    let answer = tools.answer();
    assert_eq!((&answer["id"], &answer["ok"]), (&Value::Null, &json!(true)), "a line without an id");
    let ended = tools.close();
    ended.expect(0);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_line_that_is_too_long_is_an_error_and_the_session_goes_on() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let mut tools = Tools::start(&bench, &["--url", &server.url()]);
    let text = "x".repeat(1024 * 1024);
    let long = json!({"id": 1, "tool": "keyboard", "action": "type", "text": text});
    wrong(&tools.ask(long), Value::Null, "invalid_call", "longer than");
    let padded = format!("{}{}", json!({"id": 2, "tool": "tab", "action": "list"}), " ".repeat(1024 * 1024 - 100));
    assert_eq!(tools.ask_line(&padded)["id"], 2, "just below the limit");
    assert_eq!(tools.ask(json!({"id": 3, "tool": "tab", "action": "view"}))["ok"], true);
    assert_eq!(server.count("/typed"), 0);
    tools.close().expect(0);
}

#[test]
fn a_last_line_without_an_end_is_answered_too() {
    let (bench, server) = (Bench::new(), PageServer::with(PAGE));
    let input = bench.write("input", r#"{"id":1,"tool":"tab","action":"list"}"#);
    let mut command = bench.command(&["tools", "--url", &server.url()]);
    command.stdin(std::fs::File::open(input).unwrap());
    let ended = bench.start_command(command).wait();
    ended.expect(0);
    let ids: Vec<Value> = ended.lines().iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, [json!(1)]);
}

#[test]
fn no_input_at_all_is_a_success_without_output() {
    let bench = Bench::new();
    let ended = bench.surehand(&["tools"]);
    ended.expect(0);
    assert_eq!(ended.stdout, "");
    bench.expect_nothing_left();
}
