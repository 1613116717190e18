//! Keys: the text they carry, submits, the order of the focus, chords.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, assert_evidence};

#[test]
fn keys() {
    let mut lab = Lab::start();
    lab.page("enter-submit", |lab| {
        lab.click("word");
        assert_effect(&lab.write("lantern"), "confirmed");
        let answer = lab.press("Enter");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["effect"]["evidence"][0]["kind"], "navigation", "{}", answer["effect"]);
    });
    lab.page("enter-handler", |lab| {
        lab.click("word");
        // A line break in a text is the same key.
        assert_effect(&lab.write("fog\n"), "confirmed");
    });
    lab.page("tab-focus", |lab| {
        lab.click("first");
        assert_eq!(lab.press("tab")["focus"]["id"], "middle");
        assert_eq!(lab.press("TAB")["focus"]["id"], "last");
        let answer = lab.press("shift+tab");
        assert_effect(&answer, "confirmed");
        assert_eq!((&answer["focus"]["id"], &answer["focus"]["editable"]), (&json!("middle"), &json!(true)));
    });
    lab.page("space-toggle", |lab| {
        lab.click("field");
        for key in ["tab", "space", "tab", "space"] {
            assert_effect(&lab.press(key), "confirmed");
        }
    });
    lab.page("keypress-ascii", |lab| {
        lab.click("word");
        let answer = lab.write("Az 9!#~");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["focus"]["value"], "Az 9!#~");
    });
    lab.page("press-shifted", |lab| {
        lab.click("word");
        lab.call(json!({"tool": "keyboard", "action": "press", "key": "3", "modifiers": ["shift"]}));
        lab.press("!");
    });
    lab.page("chord-select-all", |lab| {
        lab.click("word");
        lab.press("ctrl+a");
        let emptied = lab.press("delete");
        assert_effect(&emptied, "confirmed");
        assert_eq!((&emptied["focus"]["value"], &emptied["focus"]["empty"]), (&json!(""), &json!(true)));
        lab.write("tide");
    });
    lab.page("arrow-keys", |lab| {
        lab.click("board");
        for key in ["ArrowRight", "right", "RIGHT", "pagedown", "esc", "f2"] {
            assert_eq!(lab.press(key)["ok"], true, "{key}");
        }
    });
    lab.page("shortcut", |lab| assert_effect(&lab.press("ctrl+k"), "confirmed"));
    lab.page("shortcut", |lab| {
        for (key, near) in [("entr", "enter"), ("ctrll+k", "ctrl"), ("pagedwn", "pagedown")] {
            let answer = lab.press(key);
            assert_error(&answer, "unknown_key");
            let sentence = answer["error"]["message"].as_str().unwrap().to_lowercase();
            assert!(sentence.contains(near), "{near} in: {sentence}");
        }
        assert_eq!(lab.log()["events"].as_array().unwrap().len(), 0, "nothing was pressed");
        lab.call(json!({"tool": "keyboard", "action": "press", "key": "k", "modifiers": ["Control"]}));
    });
    lab.page_unjudged("no-focus", |lab| {
        for action in [json!({"action": "type", "text": "boat"}), json!({"action": "clear"})] {
            let mut call = action;
            call["tool"] = json!("keyboard");
            let answer = lab.call(call);
            assert_error(&answer, "nothing_editable");
            assert_eq!((&answer["focus"], &answer["effect"]["status"]), (&Value::Null, &json!("refused")));
        }
    });
    lab.finish();
}

/// Where the page sends nothing, the evidence is what the key changed.
#[test]
fn keys_leave_evidence() {
    let mut lab = Lab::start();
    for (page, id, presses) in [
        ("tab-focus?quiet=1", "first", vec![("tab", "focus"), ("shift+tab", "focus")]),
        ("space-toggle?quiet=1", "field", vec![("tab", "focus"), ("space", "value")]),
        ("chord-select-all?quiet=1", "word", vec![("ctrl+a", "selection"), ("delete", "value")]),
        ("number-arrows?quiet=1", "field", vec![("up", "value")]),
        ("combobox-keys?quiet=1", "field", vec![("down", "mutation")]),
        ("enter-handler?quiet=1", "word", vec![("enter", "mutation")]),
    ] {
        lab.page_unjudged(page, |lab| {
            lab.click(id);
            for (key, kind) in presses {
                assert_evidence(&lab.press(key), kind);
            }
        });
    }
    lab.page_unjudged("shortcut?quiet=1", |lab| {
        assert_evidence(&lab.press("ctrl+k"), "mutation");
        assert_effect(&lab.press("f8"), "no_effect");
    });
    // The page took the keys for itself and shows nothing: nobody can say whether they did something.
    lab.page_unjudged("arrow-keys?quiet=1", |lab| {
        lab.click("board");
        let answer = lab.press("right");
        assert_effect(&answer, "unverifiable");
        assert_eq!(answer["effect"]["reason"], "key_taken");
    });
    lab.finish();
}
