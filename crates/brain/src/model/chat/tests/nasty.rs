//! Answers with a slip in them, answers in another dialect's form, and answers of which nothing can be done.

use super::*;

#[test]
fn calls_in_every_kind_of_prose() {
    for text in [
        "```json\n{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}\n```",
        "Sure! Here it is:\n\n{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}\n\nLet me know.",
        "好的，我将点击按钮：{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}。",
        "｛“tool”：“mouse”，“action”：“click”，“coordinate”：［5，6］｝",
        "{'tool': 'mouse', 'action': 'click', 'coordinate': (5, 6),}",
        "{tool: mouse, action: click, coordinate: [5, 6]}",
        "{\"thought\":\"It's the \"Save\" button\",\"calls\":[{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6],}]}",
        "{\"thought\":\"one\ntwo\",\"calls\":[{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}",
        "<think>{\"tool\":\"wait\"} or better the click</think>{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}",
        "<tool_call>{\"name\":\"mouse\",\"arguments\":{\"action\":\"click\",\"coordinate\":[5,6]}}",
        "{\"name\":\"mouse\",\"arguments\":\"{\\\"action\\\":\\\"click\\\",\\\"coordinate\\\":[5,6]}\"}",
        "Action: mouse({\"action\":\"click\",\"coordinate\":[5,6]})",
        "Thought: x\nAction: click(start_box='(5,6)')",
        "Ich klicke.\nclick(start_box=‘(5,6)’)",
        "## Code\npyautogui.click(5, 6)",
        "{\"action\":\"left_click\",\"coordinate\":{\"x\":\"5\",\"y\":6}}",
        "{\"type\":\"click\",\"x\":5,\"y\":6}",
        "[{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]}]",
        "Action: click(start_box='(5,6)'",
        "{\"mouse\":{\"action\":\"click\",\"coordinate\":[5,6]}}",
    ] {
        for dialect in [Dialect::Native, Dialect::Qwen3Vl, Dialect::UiTars, Dialect::OpenCua, Dialect::Holo3] {
            let got = gestures(dialect, text);
            assert_eq!(got, [click(5, 6)], "{}: {text}", dialect.name());
        }
    }
}

#[test]
fn what_was_forgiven_is_written_down() {
    for (text, phrase) in [
        ("{\"tool\":\"wait\",}", "trailing comma"),
        ("{'tool':'wait'}", "other quotes"),
        ("```json\n{\"tool\":\"wait\"}\n```", "code block"),
        ("ok {\"tool\":\"wait\"}", "out of prose"),
        ("{\"tool\":\"wait\"", "left open"),
        ("Action: wait()", "another form"),
        ("｛\"tool\":\"wait\"｝", "wide punctuation"),
    ] {
        let reading = provider(Dialect::Native).read(&said(text)).unwrap();
        assert_eq!(reading.spoken.gestures.len(), 1, "{text}: {:?}", reading.problem);
        assert!(
            reading.spoken.repairs.iter().any(|repair| repair.contains(phrase)),
            "{text}: {:?}",
            reading.spoken.repairs
        );
    }
    let reading = provider(Dialect::UiTars).read(&said("Action: type(content='It's me')\nI hope so.")).unwrap();
    assert_eq!(reading.spoken.repairs.len(), 2, "{:?}", reading.spoken.repairs);
}

#[test]
fn half_an_answer_is_never_guessed_at() {
    for (dialect, text) in [
        (Dialect::Native, "{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[51"),
        (Dialect::Native, "{\"thought\":\"t\",\"calls\":[{\"tool\":\"mouse\",\"action\":\"cl"),
        (Dialect::Qwen3Vl, "<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"type\",\"text\":\"hel"),
        (Dialect::Holo3, "{\"note\":null,\"thought\":\"t\",\"tool_call\":{\"tool_name\":\"click\",\"x\":91"),
        (Dialect::UiTars, "Thought: x\nAction: click(start_box='(51"),
        (Dialect::UiTars2, "<seed:tool_call><function=click><parameter=point><point>51"),
        (Dialect::OpenCua, "## Code:\n```python\npyautogui.write('hel"),
    ] {
        problem(dialect, text);
        let body = finished(text, "length");
        let reading = provider(dialect).read(&body).unwrap();
        assert!(reading.problem.is_some() && reading.spoken.gestures.is_empty(), "{text}");
    }
    let open = finished("Action: click(start_box='(5,6)'", "length");
    assert!(provider(Dialect::UiTars).read(&open).unwrap().problem.is_some());
    // With the limit reached, nothing that lacks its end is whole; what is whole counts.
    let unclosed = finished("{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]", "length");
    assert!(provider(Dialect::Native).read(&unclosed).unwrap().problem.is_some());
    let whole = finished("{\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[5,6]} and then I", "length");
    assert_eq!(provider(Dialect::Native).read(&whole).unwrap().problem, None);
    let batch = "{\"calls\":[{\"tool\":\"wait\",\"seconds\":1},{\"tool\":\"mouse\",\"action\":\"cl";
    assert_eq!(gestures(Dialect::Native, batch), [json!({"tool": "wait", "seconds": 1.0})]);
}

#[test]
fn broken_arguments_of_tool_calls() {
    let provider = provider(Dialect::Native);
    for good in [
        json!("{\"action\":\"click\",\"coordinate\":[5,6],}"),
        json!("{'action':'click','coordinate':[5,6]}"),
        json!("{\"action\":\"click\",\"coordinate\":[5,6]"),
        json!("\"{\\\"action\\\":\\\"click\\\",\\\"coordinate\\\":[5,6]}\""),
        json!("```json\n{\"action\":\"click\",\"coordinate\":[5,6]}\n```"),
    ] {
        let reading = provider.read(&called(Value::Null, &[("mouse", good.clone())])).unwrap();
        assert_eq!((reading.problem, reading.asked.len()), (None, 1), "{good}");
        assert!(!reading.spoken.repairs.is_empty() || good.as_str().unwrap().starts_with('`'), "{good}");
        // What is sent back is good JSON whatever was written.
        let sent = reading.replay["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(sent).unwrap()["coordinate"], json!([5, 6]));
    }
    for bad in [json!("{\"action\":\"click\",\"coordinate\":[5"), json!("click there"), json!([1])] {
        let reading = provider.read(&called(Value::Null, &[("mouse", bad.clone()), ("wait", json!("{}"))])).unwrap();
        assert!(reading.problem.unwrap().contains("mouse") && reading.spoken.gestures.is_empty(), "{bad}");
        assert_eq!(reading.asked.len(), 2);
        assert_eq!(reading.replay["tool_calls"][0]["function"]["arguments"], json!("{}"));
    }
    let unknown = provider.read(&called(Value::Null, &[("fly", json!("{}"))])).unwrap();
    assert!(unknown.problem.unwrap().contains("known are mouse"));
    let twice = json!({"choices": [{"message": {"tool_calls": [
        {"id": "", "function": {"name": "wait", "arguments": "{}"}}, {"function": {"name": "wait", "arguments": ""}},
    ]}}]});
    let ids: Vec<String> = provider.read(&twice).unwrap().asked.into_iter().map(|asked| asked.id).collect();
    assert_eq!(ids, ["call_0", "call_1"]);
}

#[test]
fn words_without_a_call() {
    for dialect in Dialect::ALL {
        assert!(problem(dialect, "I'm sorry, but I can't help with that.").contains("declines"), "{}", dialect.name());
        assert!(problem(dialect, "").contains("empty"));
        assert!(problem(dialect, "I will now look for the button.").contains("form"));
        assert!(problem(dialect, "对不起，我不能完成。").contains("declines"));
        let thought = provider(dialect).read(&said("Just words.\nPredicted: url_changed")).unwrap().spoken.thought;
        assert_eq!(thought.as_deref(), Some("Just words.\nPredicted: url_changed"));
        let cut = provider(dialect).read(&finished("So many words", "length")).unwrap().problem.unwrap();
        assert!(cut.contains("cut off"), "{cut}");
    }
}

#[test]
fn code_that_is_more_than_calls_is_not_run() {
    for code in [
        "import os\nos.system('rm -rf /')",
        "for i in range(3):\n    pyautogui.click(1, 2)",
        "x, y = 1, 2\npyautogui.click(x, y)",
        "pyautogui.write(f'{secret}')",
        "pyautogui.click(pyautogui.locateOnScreen('a.png'))",
        "pyautogui.click(1, 2)\nopen('/etc/passwd').read()",
        "with pyautogui.hold('shift'):\n    pyautogui.press('a')",
        "exec('pyautogui.click(1, 2)')",
        "pyautogui.PAUSE = 1\npyautogui.click(1, 2)",
    ] {
        let sentence = problem(Dialect::OpenCua, &format!("## Code:\n```python\n{code}\n```"));
        assert!(sentence.contains("nothing of the code was run"), "{sentence}");
    }
    let nested = "## Code:\n```python\npyautogui.write(\"He said \\\"it's\\\" \\\\ \\x41\\u00e9 'x'\")\n```";
    assert_eq!(gestures(Dialect::OpenCua, nested), [typed("He said \"it's\" \\ Aé 'x'")]);
    let triple = "```python\npyautogui.write('''one's\n\"two\"''')\n```";
    assert_eq!(gestures(Dialect::OpenCua, triple), [typed("one's\n\"two\"")]);
    let injected = "```python\npyautogui.write('pyautogui.click(1, 2)')\n```";
    assert_eq!(gestures(Dialect::OpenCua, injected), [typed("pyautogui.click(1, 2)")]);
}

#[test]
fn bare_words_end_a_run() {
    for (text, success) in
        [("DONE", true), ("```\nDONE\n```", true), ("The form is sent.\nDONE", true), ("FAIL", false)]
    {
        for dialect in [Dialect::OpenCua, Dialect::Native, Dialect::UiTars] {
            assert_eq!(gestures(dialect, text)[0]["success"], json!(success), "{text}");
        }
    }
    assert_eq!(gestures(Dialect::OpenCua, "WAIT"), [json!({"tool": "wait"})]);
}

#[test]
fn many_calls_are_bounded() {
    let many = "click(start_box='(1,2)')\n".repeat(500);
    let reading = provider(Dialect::UiTars).read(&said(&format!("Action: {many}"))).unwrap();
    assert_eq!(reading.spoken.gestures.len(), 64);
    let many = format!("{{\"calls\":[{}]}}", ["{\"tool\":\"wait\"}"; 500].join(","));
    assert_eq!(gestures(Dialect::Native, &many).len(), 64);
    let long = format!("{{\"tool\":\"keyboard\",\"action\":\"type\",\"text\":\"{}\"}}", "ä".repeat(300_000));
    let reading = provider(Dialect::Native).read(&said(&long)).unwrap();
    assert!(reading.replay.to_string().chars().count() < 20_000);
}

#[test]
fn long_garbage_comes_to_an_end() {
    for piece in [
        "Action: ",
        "Action: click(",
        "click(",
        "click()\n",
        "pyautogui.",
        "\n## Code",
        "type(content='",
        "<point>",
        "DONE\n",
        "{\"tool\":\"wait\"}",
        "' ",
        "')",
        "\\",
        "<tool_call>{\"name\":\"a\"",
        "Action: type(content='a\n",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        for dialect in [Dialect::Native, Dialect::UiTars, Dialect::OpenCua] {
            let _ = provider(dialect).read(&said(&text));
        }
    }
}
