//! Selects: a click is kept from the popup, the answer lists the options, `select_option` chooses
//! all that was wanted or nothing.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, shortened};

fn choose(lab: &mut Lab, values: &[&str]) -> Value {
    lab.call(json!({"tool": "select_option", "values": values}))
}

/// The click was kept from the popup, the select has the focus and waits; gives the options.
#[track_caller]
fn assert_waits(answer: &Value, multiple: bool) -> Vec<Value> {
    let short = shortened(answer);
    assert_effect(answer, "refused");
    assert_eq!(
        (&answer["effect"]["reason"], &answer["dispatched"]),
        (&json!("native_control"), &Value::Null),
        "{short}"
    );
    let pending = &answer["pending"];
    assert_eq!((&pending["kind"], &pending["follow_up"]), (&json!("select"), &json!("select_option")), "{short}");
    assert_eq!(pending["multiple"], multiple, "{short}");
    assert!(answer["message"].as_str().unwrap().contains("select_option"), "{short}");
    pending["options"].as_array().unwrap().clone()
}

#[track_caller]
fn assert_chosen(answer: &Value) {
    assert_effect(answer, "confirmed");
    assert_eq!(answer["pending"], Value::Null, "{}", shortened(answer));
}

#[test]
fn selects_are_chosen_by_value_label_or_part() {
    let mut lab = Lab::start();
    lab.page("select-popup", |lab| {
        let answer = lab.click("pick");
        let option = |value: &str, label: &str, selected: bool| json!({"value": value, "label": label, "selected": selected, "disabled": false});
        let options = assert_waits(&answer, false);
        let all = [("", "None", true), ("a", "Anchor", false), ("b", "Buoy", false), ("c", "Compass", false)];
        assert_eq!(options, all.map(|(value, label, selected)| option(value, label, selected)));
        assert_eq!((&answer["focus"]["tag"], &answer["focus"]["id"]), (&json!("select"), &json!("pick")));
        assert_eq!(answer["pending"]["hit"]["id"], "pick");
        assert_eq!(lab.events("mousedown", "pick").len(), 0, "no press reached the select");
        let chosen = choose(lab, &["Compass"]);
        assert_chosen(&chosen);
        assert!(chosen["message"].as_str().unwrap().contains("Compass"), "{}", chosen["message"]);
    });
    // (page, what to click, what to choose)
    let plain = [
        ("select-list", "pick", "c"),
        ("select-groups", "pick", "spring"),
        ("select-value-first", "pick", "Two"),
        ("select-label", "label", "Buoy"),
        ("select-shadow", "pick", "b"),
        ("select-closed", "pick", "b"),
        ("select-frame", "inner/pick", "Buoy"),
        ("select-cross", "inner/pick", "buo"),
        ("select-controlled", "pick", "Compass"),
    ];
    for (page, id, value) in plain {
        lab.page(page, |lab| {
            assert_waits(&lab.click(id), false);
            assert_chosen(&choose(lab, &[value]));
        });
    }
    lab.page("select-multiple", |lab| {
        let answer = lab.click("pick");
        assert_waits(&answer, true);
        assert!(answer["message"].as_str().unwrap().contains("several"), "{}", answer["message"]);
        assert_chosen(&choose(lab, &["a", "Davit"]));
    });
    lab.page("select-dialog", |lab| {
        lab.click("open");
        assert_waits(&lab.click("pick"), false);
        assert_chosen(&choose(lab, &["Buoy"]));
        assert_effect(&lab.click("done"), "confirmed");
    });
    lab.page("select-changes-page", |lab| {
        assert_waits(&lab.click("coast"), false);
        assert_chosen(&choose(lab, &["South"]));
        let options = assert_waits(&lab.click("place"), false);
        assert_eq!(options.len(), 2);
        assert_chosen(&choose(lab, &["cape"]));
    });
    lab.finish();
}

#[test]
fn selects_that_refuse_change_nothing() {
    let mut lab = Lab::start();
    // What a key does in the browser's own list cannot be seen, so it is not called dead.
    lab.page_unjudged("select-300?quiet=1", |lab| {
        lab.click("pick");
        assert_effect(&lab.press("space"), "unverifiable");
        lab.press("escape");
    });
    lab.page("select-300", |lab| {
        let answer = lab.click("pick");
        assert_eq!(assert_waits(&answer, false).len(), 200);
        assert!(answer["message"].as_str().unwrap().contains("300 options"), "{}", answer["message"]);
        let missing = choose(lab, &["Berth 301"]);
        assert_error(&missing, "option_not_found");
        let sentence = missing["error"]["message"].as_str().unwrap();
        assert!(sentence.contains("Berth 301") && sentence.contains("Berth 30\""), "{sentence}");
        assert!(!sentence.contains("Berth 31\""), "thirty at most: {sentence}");
        assert_chosen(&choose(lab, &["Berth 237"]));
    });
    lab.page("select-option-off", |lab| {
        let options = assert_waits(&lab.click("pick"), false);
        assert_eq!((&options[1]["value"], &options[1]["disabled"]), (&json!("b"), &json!(true)));
        let answer = choose(lab, &["Buoy"]);
        assert_error(&answer, "option_disabled");
        assert_eq!(
            (&answer["effect"]["status"], &answer["effect"]["reason"]),
            (&json!("refused"), &json!("option_disabled"))
        );
        assert_eq!(answer["pending"]["kind"], "select", "a failed follow-up keeps it");
        assert_chosen(&choose(lab, &["Compass"]));
    });
    lab.page("select-ambiguous", |lab| {
        assert_waits(&lab.click("pick"), false);
        let answer = choose(lab, &["port"]);
        assert_error(&answer, "option_ambiguous");
        for label in ["Port (left)", "Port (right)", "Portsmouth"] {
            assert!(answer["error"]["message"].as_str().unwrap().contains(label), "{}", answer["error"]);
        }
        assert_chosen(&choose(lab, &["Port (left)"]));
    });
    lab.page("select-groups", |lab| {
        assert_waits(&lab.click("pick"), false);
        // Its group is disabled.
        assert_error(&choose(lab, &["Winter"]), "option_disabled");
        assert_error(&choose(lab, &["s1", "n1"]), "not_multiple");
        assert_chosen(&choose(lab, &["n1"]));
    });
    lab.page("select-multiple", |lab| {
        assert_waits(&lab.click("pick"), true);
        assert_error(&choose(lab, &["Anchor", "Dinghy"]), "option_not_found");
        assert_eq!(lab.events("change", "pick").len(), 0, "nothing was chosen");
        assert_chosen(&choose(lab, &["Anchor", "d"]));
    });
    lab.page("select-disabled", |lab| {
        let answer = lab.click("pick");
        assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &Value::Null), "{}", shortened(&answer));
        assert_error(&choose(lab, &["b"]), "no_pending_select");
        assert_effect(&lab.click("next"), "confirmed");
    });
    lab.page("select-widget", |lab| {
        let answer = lab.click("face");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["pending"], Value::Null);
        assert_effect(&lab.click("buoy"), "confirmed");
    });
    lab.page("select-popup", |lab| {
        assert_error(&choose(lab, &["c"]), "no_pending_select");
        // Looking and a call that is turned away keep it.
        let at = lab.at("pick");
        for keeps in [
            json!({"tool": "wait", "seconds": 0}),
            json!({"tool": "zoom", "region": [0, 0, 200, 200]}),
            json!({"tool": "tab", "action": "view"}),
            json!({"tool": "tab", "action": "list"}),
            json!({"tool": "mouse", "action": "click", "coordinate": [1]}),
        ] {
            lab.click_at(at, json!({}));
            lab.call(keeps.clone());
            assert_error(&choose(lab, &["none of these"]), "option_not_found");
        }
        // Any other call of the hand ends it.
        for ends in [
            json!({"tool": "mouse", "coordinate": [700, 700]}),
            json!({"tool": "keyboard", "action": "press", "key": "escape"}),
        ] {
            lab.click_at(at, json!({}));
            let answer = lab.call(ends.clone());
            assert_eq!(answer["pending"], Value::Null, "{ends}");
            assert_error(&choose(lab, &["c"]), "no_pending_select");
        }
        lab.click_at(at, json!({}));
        assert_chosen(&choose(lab, &["c"]));
    });
    // It ends with its document.
    lab.page_unjudged("select-popup", |lab| {
        lab.click("pick");
        assert_eq!(lab.call(json!({"tool": "tab", "action": "refresh"}))["pending"], Value::Null);
        assert_error(&choose(lab, &["c"]), "no_pending_select");
    });
    lab.finish();
}
