//! Dialogs of the browser: an alert is accepted and told, everything else waits for an answer.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error};

/// The dialog of an answer; `handled` is null while it is open.
#[track_caller]
fn assert_dialog(answer: &Value, kind: &str, message: &str, handled: Value) {
    assert_eq!(answer["ok"], true, "{answer}");
    let dialog = &answer["dialog"];
    assert_eq!((&dialog["type"], &dialog["message"]), (&json!(kind), &json!(message)), "{}", answer["message"]);
    assert_eq!(dialog["handled"], handled, "{dialog}");
    // Nothing can be captured while a dialog is open.
    assert_eq!(answer["frame"]["stale"], dialog["handled"].is_null());
}

#[test]
fn dialogs_of_clicks() {
    let mut lab = Lab::start();
    lab.page("alert-click", |lab| {
        let answer = lab.click("go");
        assert_dialog(&answer, "alert", "The tide is turning.", json!("accepted"));
        assert_effect(&answer, "confirmed");
        assert!(answer["message"].as_str().unwrap().contains("The tide is turning."), "{}", answer["message"]);
        assert_eq!(lab.wait(0.0)["dialog"], Value::Null, "it is told once");
        assert_error(&lab.answer_dialog("accept"), "no_dialog");
    });
    lab.page("confirm-click", |lab| {
        assert_dialog(&lab.click("go"), "confirm", "Delete the chart?", Value::Null);
        for call in [
            json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]}),
            json!({"tool": "mouse", "coordinate": [500, 500]}),
            json!({"tool": "keyboard", "action": "press", "key": "enter"}),
            json!({"tool": "tab", "action": "refresh"}),
        ] {
            let answer = lab.call(call);
            assert_error(&answer, "dialog_open");
            assert_eq!(answer["dialog"]["message"], "Delete the chart?", "it is still told");
        }
        let answer = lab.answer_dialog("accept");
        assert_dialog(&answer, "confirm", "Delete the chart?", json!("accepted"));
    });
    lab.page("confirm-dismiss", |lab| {
        assert_dialog(&lab.click("go"), "confirm", "Overwrite the only copy?", Value::Null);
        let answer = lab.answer_dialog("dismiss");
        assert_dialog(&answer, "confirm", "Overwrite the only copy?", json!("dismissed"));
    });
    lab.page("prompt-click", |lab| {
        let answer = lab.click("go");
        assert_dialog(&answer, "prompt", "What is its name?", Value::Null);
        assert_eq!(answer["dialog"]["default"], "Nameless");
        lab.call(json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "Marlow"}));
    });
    lab.page("prompt-default", |lab| {
        lab.click("go");
        lab.answer_dialog("accept");
    });
    lab.page_unjudged("prompt-default", |lab| {
        lab.click("go");
        assert_dialog(&lab.answer_dialog("dismiss"), "prompt", "What is its name?", json!("dismissed"));
        let log = lab.wait_until("the answer", |log| log["events"].to_string().contains("dialog-answered"));
        let answered = log["events"].as_array().unwrap().iter().find(|event| event["type"] == "dialog-answered");
        assert_eq!(answered.unwrap()["answer"], Value::Null);
    });
    lab.page("dialog-cascade", |lab| {
        assert_dialog(&lab.click("go"), "confirm", "First: continue?", Value::Null);
        let second = lab.answer_dialog("accept");
        assert_dialog(&second, "prompt", "Second: how many?", Value::Null);
        assert_eq!(second["dialog"]["default"], "1");
        assert_eq!(second["message"].as_str().unwrap().matches("dialog opened").count(), 1, "{}", second["message"]);
        let third = lab.call(json!({"tool": "dialog", "dialog_action": "accept", "prompt_text": "7"}));
        assert_dialog(&third, "confirm", "Third: publish?", Value::Null);
        assert_dialog(&lab.answer_dialog("dismiss"), "confirm", "Third: publish?", json!("dismissed"));
    });
    lab.page("alert-storm", |lab| {
        assert_dialog(&lab.click("go"), "alert", "Gust 6 of 8", Value::Null);
        assert_dialog(&lab.answer_dialog("accept"), "alert", "Gust 8 of 8", json!("accepted"));
    });
    lab.page("dialog-mousedown", |lab| {
        assert_dialog(&lab.click("go"), "confirm", "Pressed: go on?", Value::Null);
        assert_dialog(&lab.answer_dialog("accept"), "confirm", "Pressed: go on?", json!("accepted"));
        // The button of the mouse is up again: a move afterwards holds nothing.
        let moved = lab.call(json!({"tool": "mouse", "coordinate": [700, 700]}));
        assert_eq!(moved["ok"], true);
    });
    lab.page("dialog-frame", |lab| {
        assert_dialog(&lab.click("inner/go"), "confirm", "The frame asks: go on?", Value::Null);
        lab.answer_dialog("accept");
    });
    lab.finish();
}

#[test]
fn dialogs_of_keys_timers_and_leaving() {
    let mut lab = Lab::start();
    lab.page("dialog-keydown", |lab| {
        lab.click("field");
        assert_dialog(&lab.press("d"), "confirm", "Discard the entry?", Value::Null);
        lab.answer_dialog("accept");
    });
    // Typing stops at the dialog; the letters behind it are not sent.
    lab.page("dialog-keydown", |lab| {
        lab.click("field");
        assert_dialog(&lab.write("odd"), "confirm", "Discard the entry?", Value::Null);
        lab.answer_dialog("accept");
    });
    lab.page("dialog-hover", |lab| {
        let answer = lab.click("go");
        assert_dialog(&answer, "confirm", "Already here?", Value::Null);
        assert_eq!((&answer["effect"]["status"], &answer["dispatched"]), (&json!("refused"), &Value::Null));
        lab.answer_dialog("accept");
        lab.click("go");
    });
    lab.page("dialog-focus", |lab| {
        let answer = lab.click("tide");
        assert_dialog(&answer, "confirm", "May the list have the focus?", Value::Null);
        assert_eq!(answer["pending"], Value::Null);
        lab.answer_dialog("accept");
        let answer = lab.click("tide");
        assert_eq!(answer["pending"]["kind"], "select", "{}", answer["message"]);
        assert_effect(&lab.call(json!({"tool": "select_option", "values": ["Ebb"]})), "confirmed");
    });
    lab.page("dialog-input", |lab| {
        lab.click("field");
        assert_dialog(&lab.clear(), "confirm", "Forget the entry?", Value::Null);
        lab.answer_dialog("accept");
    });
    lab.page("dialog-timer", |lab| {
        let clicked = lab.click("go");
        let answer = if clicked["dialog"].is_null() { lab.wait(2.0) } else { clicked };
        assert_dialog(&answer, "confirm", "Time is up. Continue?", Value::Null);
        lab.answer_dialog("accept");
    });
    for (page, action) in
        [("beforeunload", "accept"), ("beforeunload-confirm", "accept"), ("beforeunload-stay", "dismiss")]
    {
        lab.page(page, |lab| {
            lab.click("field");
            lab.write("x");
            let answer = lab.click("leave");
            assert_eq!((&answer["ok"], &answer["dialog"]["type"]), (&json!(true), &json!("beforeunload")), "{answer}");
            assert_eq!((&answer["dialog"]["handled"], &answer["frame"]["stale"]), (&Value::Null, &json!(true)));
            let message = answer["message"].as_str().unwrap();
            assert!(message.contains("beforeunload") || message.contains("leave it"), "what it asks: {message}");
            let after = lab.answer_dialog(action);
            assert_eq!(after["ok"], true, "{after}");
            let is_left = after["url"].as_str().unwrap().contains("landed=left");
            assert_eq!(is_left, action == "accept", "{after}");
            if action == "dismiss" {
                assert_effect(&lab.click("save"), "confirmed");
            }
        });
    }
    lab.page("dialog-onload", |lab| {
        assert_eq!(lab.answer_dialog("accept")["ok"], true);
        assert_effect(&lab.click("go"), "confirmed");
    });
    lab.finish();
}
