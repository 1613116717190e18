//! Answers as each family of models writes them when all is well.

use super::*;

#[test]
fn native_as_tool_calls_and_as_text() {
    let provider = provider(Dialect::Native);
    let body = called(
        json!("I open the cart.\nPredicted: url_contains:/cart"),
        &[
            ("mouse", json!("{\"action\":\"click\",\"coordinate\":[912,48]}")),
            ("keyboard", json!({"action": "type", "text": "a"})),
        ],
    );
    let reading = provider.read(&body).unwrap();
    let ids: Vec<_> = reading.spoken.gestures.iter().map(|gesture| gesture.id.clone().unwrap()).collect();
    assert_eq!((reading.problem, ids), (None, vec!["c0".to_string(), "c1".to_string()]));
    assert_eq!(
        Value::Object(reading.spoken.gestures[0].call.clone()),
        json!({"tool": "mouse", "action": "click", "coordinate": [912, 48]})
    );
    assert!(reading.spoken.thought.unwrap().contains("Predicted: url_contains:/cart"));
    assert_eq!(reading.asked.len(), 2);
    assert_eq!(reading.spoken.repairs, Vec::<String>::new());
    assert_eq!(reading.replay["tool_calls"][1]["function"]["arguments"], json!("{\"action\":\"type\",\"text\":\"a\"}"));

    let text = r#"{"thought":"Open the cart.","expected":["url_contains:/cart"],"calls":[{"tool":"mouse","action":"click","coordinate":[912,48]},{"tool":"wait","seconds":1}]}"#;
    let reading = provider.read(&said(text)).unwrap();
    assert_eq!(reading.spoken.expected, ["url_contains:/cart"]);
    assert_eq!(reading.spoken.thought.as_deref(), Some("Open the cart."));
    assert_eq!((reading.spoken.gestures.len(), reading.asked.len(), reading.spoken.repairs.len()), (2, 0, 0));
    assert_eq!((reading.tokens.input, reading.tokens.cache_read, reading.tokens.output), (40, 60, 20));
    assert_eq!(reading.replay, json!({"role": "assistant", "content": text}));
    assert_eq!(gestures(Dialect::Native, r#"{"tool":"mouse","action":"click","coordinate":[5,6]}"#), [click(5, 6)]);
}

#[test]
fn qwen_and_fara() {
    let text = "The field is empty.\nPredicted: field_focused:email\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": \
                {\"action\": \"left_click\", \"coordinate\": [512, 300]}}\n</tool_call>";
    for dialect in [Dialect::Qwen3Vl, Dialect::Qwen25Vl, Dialect::Fara] {
        assert_eq!(gestures(dialect, text), [click(512, 300)]);
        let reading = provider(dialect).read(&said(text)).unwrap();
        assert_eq!(reading.spoken.thought.as_deref(), Some("The field is empty.\nPredicted: field_focused:email"));
        assert_eq!(reading.spoken.repairs, Vec::<String>::new());
    }
    let two = "<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"left_click\",\"coordinate\":[1,2]}}</tool_call>\n\
               <tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"type\",\"text\":\"x\"}}</tool_call>";
    assert_eq!(gestures(Dialect::Qwen3Vl, two), [click(1, 2), typed("x")]);
    // The newer template writes functions as XML.
    let xml = "<tool_call>\n<function=computer_use>\n<parameter=action>\nleft_click\n</parameter>\n<parameter=coordinate>\n[1, 2]\n\
               </parameter>\n</function>\n</tool_call>";
    assert_eq!(gestures(Dialect::Qwen3Vl, xml), [click(1, 2)]);
    let keys = "<tool_call>\n<function=computer_use>\n<parameter=action>key</parameter>\n<parameter=keys>[\"ctrl\", \"c\"]</parameter>\
                </function></tool_call>";
    assert_eq!(gestures(Dialect::Qwen3Vl, keys), [json!({"tool": "keyboard", "action": "press", "key": "ctrl+c"})]);
    let end = "All is saved.\n<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"terminate\",\"status\":\"success\"}}</tool_call>";
    assert_eq!(gestures(Dialect::Qwen3Vl, end), [json!({"tool": "done", "success": true, "summary": "All is saved."})]);
    let answered = "<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"answer\",\"text\":\"42\"}}</tool_call>\
                    <tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"terminate\",\"status\":\"success\"}}</tool_call>";
    assert_eq!(
        gestures(Dialect::Qwen3Vl, answered),
        [json!({"tool": "done", "success": true, "summary": "42", "output": "42"})]
    );
    let fact = "<tool_call>{\"name\":\"computer_use\",\"arguments\":{\"action\":\"pause_and_memorize_fact\",\"fact\":\"it is 3\"}}</tool_call>";
    assert_eq!(provider(Dialect::Fara).read(&said(fact)).unwrap().spoken.note.as_deref(), Some("it is 3"));
}

#[test]
fn ui_tars_in_its_versions() {
    for action in [
        "click(start_box='(197,525)')",
        "click(start_box='<|box_start|>(197,525)<|box_end|>')",
        "click(point='<point>197 525</point>')",
        "click(start_box='[195,523,199,527]')",
    ] {
        let text = format!("Thought: I press the button.\nPredicted: modal_opens\nAction: {action}");
        assert_eq!(gestures(Dialect::UiTars, &text), [click(197, 525)], "{action}");
        let reading = provider(Dialect::UiTars).read(&said(&text)).unwrap();
        assert_eq!(reading.spoken.thought.as_deref(), Some("I press the button.\nPredicted: modal_opens"));
        assert_eq!(reading.spoken.repairs, Vec::<String>::new(), "{action}");
    }
    let two = "Thought: x\nAction: click(start_box='(1,2)')\n\ntype(content='ada@example.com\\n')";
    assert_eq!(gestures(Dialect::UiTars, two), [click(1, 2), typed("ada@example.com\n")]);
    let end = "Thought: The answer is on the page.\nAction: finished(content='It\\'s 42')";
    assert_eq!(
        gestures(Dialect::UiTars, end),
        [json!({"tool": "done", "success": true, "summary": "It's 42", "output": "It's 42"})]
    );
    let xml = "<think_never_used_51bce0c785ca2f68081bfa7d91973934>hm</think_never_used_51bce0c785ca2f68081bfa7d91973934>I click.\n\
               <seed:tool_call><function=click><parameter=point><point>500 250</point></parameter></function></seed:tool_call>";
    assert_eq!(gestures(Dialect::UiTars2, xml), [click(500, 250)]);
    let reading = provider(Dialect::UiTars2).read(&said(xml)).unwrap();
    assert_eq!(
        (reading.spoken.reasoning.as_deref(), reading.spoken.thought.as_deref()),
        (Some("hm"), Some("I click."))
    );
    let submit = "<seed:tool_call><function=type><parameter=content>lamp\\n</parameter></function></seed:tool_call>";
    assert_eq!(gestures(Dialect::UiTars2, submit), [typed("lamp\n")]);
    let named = "<seed:tool_call><function name=\"drag\"><parameter name=\"start_point\" string=\"true\"><point>1 2</point></parameter>\
                 <parameter name=\"end_point\"><point>5 6</point></parameter></function></seed:tool_call>";
    assert_eq!(
        gestures(Dialect::UiTars2, named),
        [json!({"tool": "mouse", "action": "drag", "start_coordinate": [1, 2], "end_coordinate": [5, 6]})]
    );
}

#[test]
fn opencua_and_its_code() {
    let text = "## Thought:\nThe box is empty.\nPredicted: field_focused\n\n## Action:\nClick the box.\n\n## Code:\n```python\n\
                pyautogui.click(x=640, y=360)\npyautogui.write('it\\'s \"x\"\\n')\n```";
    assert_eq!(gestures(Dialect::OpenCua, text), [click(640, 360), typed("it's \"x\"\n")]);
    let reading = provider(Dialect::OpenCua).read(&said(text)).unwrap();
    assert!(reading.spoken.thought.unwrap().starts_with("The box is empty.\nPredicted: field_focused"));
    assert_eq!(reading.spoken.repairs, Vec::<String>::new());
    let end = "## Action:\nDone.\n\n## Code:\n```python\ncomputer.terminate(status='failure')\n```";
    assert_eq!(gestures(Dialect::OpenCua, end)[0]["success"], json!(false));
    let code = "## Code:\n```code\npyautogui.hotkey(['ctrl', 'c'])\n```";
    assert_eq!(gestures(Dialect::OpenCua, code), [json!({"tool": "keyboard", "action": "press", "key": "ctrl+c"})]);
}

#[test]
fn holo_as_flat_json_and_as_tool_calls() {
    let text = r#"{"note":"the price is 3","thought":"The cart is at the top.","tool_call":{"tool_name":"click","element":"cart","x":912,"y":48}}"#;
    let reading = provider(Dialect::Holo3).read(&said(text)).unwrap();
    assert_eq!(Value::Object(reading.spoken.gestures[0].call.clone()), click(912, 48));
    assert_eq!(reading.spoken.note.as_deref(), Some("the price is 3"));
    assert_eq!(reading.spoken.thought.as_deref(), Some("The cart is at the top."));
    assert_eq!(reading.spoken.repairs, Vec::<String>::new());
    let write = r#"{"note":null,"thought":"t","tool_call":{"tool_name":"write","content":"cats","press_enter":true}}"#;
    assert_eq!(
        gestures(Dialect::Holo3, write),
        [typed("cats"), json!({"tool": "keyboard", "action": "press", "key": "enter"})]
    );
    let body = called(Value::Null, &[("click", json!("{\"element\":\"x\",\"x\":1,\"y\":2,\"note\":\"n\"}"))]);
    let reading = provider(Dialect::Holo3).read(&body).unwrap();
    assert_eq!(
        (Value::Object(reading.spoken.gestures[0].call.clone()), reading.spoken.note.as_deref()),
        (click(1, 2), Some("n"))
    );
    assert_eq!(gestures(Dialect::Holo3, r#"{"action":"click_absolute","x":3,"y":4}"#), [click(3, 4)]);
    let answer = r#"{"note":null,"thought":"t","tool_call":{"tool_name":"answer","content":"3.90"}}"#;
    assert_eq!(
        gestures(Dialect::Holo3, answer),
        [json!({"tool": "done", "success": true, "summary": "3.90", "output": "3.90"})]
    );
}

#[test]
fn glm_and_yutori_through_the_native_dialect() {
    assert_eq!(
        gestures(Dialect::Native, "Ok.\n<|begin_of_box|>left_click(start_box='[512,300]')<|end_of_box|>"),
        [click(512, 300)]
    );
    let glm = "<tool_call>mouse\n<arg_key>action</arg_key>\n<arg_value>click</arg_value>\n<arg_key>coordinate</arg_key>\n\
               <arg_value>[512, 300]</arg_value>\n</tool_call>";
    assert_eq!(gestures(Dialect::Native, glm), [click(512, 300)]);
    let yutori = called(json!(""), &[("left_click", json!("{\"coordinates\":[512,300]}"))]);
    let reading = provider(Dialect::Native).read(&yutori).unwrap();
    assert_eq!(Value::Object(reading.spoken.gestures[0].call.clone()), click(512, 300));
}

#[test]
fn every_dialect_can_commit_a_preview() {
    let confirm = json!({"tool": "mouse", "action": "confirm"});
    for (dialect, text) in [
        (Dialect::Native, r#"{"calls":[{"tool":"mouse","action":"confirm"}]}"#),
        (
            Dialect::Qwen3Vl,
            r#"<tool_call>{"name":"computer_use","arguments":{"action":"confirm_preview"}}</tool_call>"#,
        ),
        (Dialect::Fara, r#"<tool_call>{"name":"computer_use","arguments":{"action":"confirm_preview"}}</tool_call>"#),
        (Dialect::UiTars, "Thought: right.\nAction: confirm_preview()"),
        (Dialect::UiTars2, "<seed:tool_call><function=confirm_preview></function></seed:tool_call>"),
        (Dialect::OpenCua, "## Code:\n```python\ncomputer.confirm_preview()\n```"),
        (Dialect::Holo3, r#"{"note":null,"thought":"t","tool_call":{"tool_name":"confirm_preview"}}"#),
    ] {
        assert_eq!(gestures(dialect, text), std::slice::from_ref(&confirm), "{}", dialect.name());
    }
}
