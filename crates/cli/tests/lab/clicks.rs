//! Clicks: press and release pairs, their counts, the three buttons, held keys; and coordinates
//! that are turned away before anything happens.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_evidence, grid};

#[test]
fn clicks() {
    let mut lab = Lab::start();
    lab.page("click-single", |lab| {
        let answer = lab.click("go");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["dispatched"], json!({"x": 160, "y": 140}));
        assert_eq!(answer["hit"]["descriptor"], "button \"Press me\"");
        assert_eq!((&answer["hit"]["id"], &answer["hit"]["frame"]), (&json!("go"), &Value::Null));
        assert_eq!(answer["hit"]["box"], json!([63, 167, 188, 222]), "the box on the grid");
        assert_eq!((&answer["focus"]["id"], &answer["focus"]["editable"]), (&json!("go"), &json!(false)));
    });
    lab.page("click-double", |lab| assert_effect(&lab.click_with("go", json!({"count": 2})), "confirmed"));
    lab.page("click-triple", |lab| {
        let at = lab.part("line", 0.2, 0.5);
        assert_effect(&lab.click_at(at, json!({"count": 3})), "confirmed");
    });
    lab.page("click-right", |lab| {
        assert_effect(&lab.click_with("panel", json!({"button": "right"})), "confirmed");
        let rename = lab.click_at(grid(450.0, 142.0), json!({}));
        assert_eq!(rename["hit"]["id"], "rename");
    });
    lab.page("click-middle", |lab| {
        let answer = lab.click_with("panel", json!({"button": "middle"}));
        assert_eq!((&answer["ok"], &answer["dispatched"]["x"]), (&json!(true), &json!(230)));
    });
    lab.page("click-mods", |lab| {
        for (id, modifiers) in [
            ("ctrl", json!(["ctrl"])),
            ("shift", json!(["SHIFT"])),
            ("alt", json!(["alt"])),
            ("meta", json!(["cmd"])),
            ("both", json!(["Control", "shift"])),
        ] {
            assert_effect(&lab.click_with(id, json!({"modifiers": modifiers})), "confirmed");
        }
    });
    lab.page("click-ctrl-list", |lab| {
        lab.click("row2");
        lab.click_with("row4", json!({"modifiers": ["shift"]}));
        assert_effect(&lab.click_with("row6", json!({"modifiers": ["ctrl"]})), "confirmed");
    });
    lab.page("click-hold", |lab| {
        let (from, to) = (lab.at("from"), lab.at("to"));
        let answer = lab.drag(from, to);
        assert_eq!(answer["dispatched"], json!({"x": 740, "y": 200, "from": {"x": 140, "y": 200}}));
    });
    lab.page("click-slow-pair", |lab| {
        for id in ["count", "other", "count"] {
            assert_eq!(lab.click(id)["ok"], true);
        }
    });
    // The same where the page sends nothing: the evidence is what changed.
    for (page, id, more, kind) in [
        ("click-triple?quiet=1", "line", json!({"count": 3}), "selection"),
        ("click-right?quiet=1", "panel", json!({"button": "right"}), "mutation"),
        ("click-ctrl-list?quiet=1", "row2", json!({"modifiers": ["ctrl"]}), "mutation"),
        ("click-slow-pair?quiet=1", "count", json!({}), "mutation"),
    ] {
        lab.page_unjudged(page, |lab| {
            let at = lab.part(id, 0.2, 0.5);
            assert_evidence(&lab.click_at(at, more), kind);
        });
    }
    lab.finish();
}

#[test]
fn coordinates_off_the_grid_change_nothing() {
    let mut lab = Lab::start();
    lab.page("click-single", |lab| {
        let at = lab.at("go");
        // Without an action it is a move.
        let moved = lab.call(json!({"tool": "mouse", "coordinate": at}));
        assert_eq!((&moved["ok"], &moved["error"]), (&json!(true), &Value::Null), "{moved}");
        assert_eq!(moved["dispatched"], json!({"x": 160, "y": 140}));
        let before = lab.log()["events"].as_array().unwrap().len();
        for bad in [json!([1]), json!([1, 2, 3]), json!([-5, 100]), json!([1, 1500]), json!([true, 1]), json!("1,2")] {
            for action in ["move", "click"] {
                let answer = lab.call(json!({"tool": "mouse", "action": action, "coordinate": bad}));
                let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
                assert_eq!(keys, ["id", "ok", "error"], "{bad}");
                assert_eq!(answer["error"]["code"], "invalid_call", "{bad}");
                let sentence = answer["error"]["message"].as_str().unwrap();
                assert!(
                    sentence.starts_with("mouse.coordinate must be") && sentence.lines().count() == 1,
                    "{sentence}"
                );
            }
        }
        assert_eq!(lab.log()["events"].as_array().unwrap().len(), before, "the page noticed nothing");
        // The cursor is where it was: a click in place hits the button.
        let clicked = lab.call(json!({"tool": "mouse", "action": "click"}));
        assert_effect(&clicked, "confirmed");
        assert_eq!(clicked["dispatched"], json!({"x": 160, "y": 140}));
    });
    // Whole floats and numbers in words are taken.
    lab.page("click-single", |lab| {
        let [x, y] = lab.at("go");
        assert_effect(
            &lab.call(json!({"tool": "mouse", "action": "click", "coordinate": [x as f64, y.to_string()]})),
            "confirmed",
        );
    });
    lab.finish();
}
