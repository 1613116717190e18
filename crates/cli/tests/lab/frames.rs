//! Frames: of the same site, of another one, nested, scaled, scrolled, late and covered.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, assert_evidence, grid, shortened};

/// Uses the button, the field and the select of a frame, whose boxes are moved up by `scrolled`.
fn use_three(lab: &mut Lab, path: &str, scrolled: f64) {
    let at = |lab: &Lab, id: &str| {
        let [left, top, right, bottom] = lab.pixels(&format!("{path}/{id}"));
        grid(f64::midpoint(left, right), f64::midpoint(top, bottom) - scrolled)
    };
    let (go, word, pick) = (at(lab, "go"), at(lab, "word"), at(lab, "pick"));
    let clicked = lab.click_at(go, json!({}));
    assert_effect(&clicked, "confirmed");
    assert_eq!(clicked["hit"]["descriptor"], "button \"Press\"");
    assert!(clicked["hit"]["frame"].is_string(), "{}", clicked["hit"]);
    // The box is in the view of the whole page: it has the point that was clicked in it.
    let side = |index: usize| clicked["hit"]["box"][index].as_i64().unwrap();
    assert!(side(0) < go[0] && go[0] < side(2) && side(1) < go[1] && go[1] < side(3), "{} {go:?}", clicked["hit"]);
    let into = lab.click_at(word, json!({}));
    assert_eq!(
        (&into["focus"]["id"], &into["focus"]["editable"]),
        (&json!("word"), &json!(true)),
        "{}",
        shortened(&into)
    );
    let typed = lab.write("reef");
    assert_effect(&typed, "confirmed");
    assert_eq!(typed["focus"]["value"], "reef");
    let waits = lab.click_at(pick, json!({}));
    assert_eq!(
        (&waits["pending"]["kind"], &waits["dispatched"]),
        (&json!("select"), &Value::Null),
        "{}",
        shortened(&waits)
    );
    assert_eq!(waits["pending"]["options"].as_array().unwrap().len(), 3);
    assert_effect(&lab.call(json!({"tool": "select_option", "values": ["South"]})), "confirmed");
}

#[test]
fn frames() {
    let mut lab = Lab::start();
    for (page, path) in [
        ("frame-same", "inner"),
        ("frame-nested", "inner/deep"),
        ("frame-srcdoc", "inner"),
        ("frame-sandbox", "inner"),
        ("frame-scaled", "inner"),
    ] {
        lab.page(page, |lab| use_three(lab, path, 0.0));
    }
    lab.page("frame-scrolled", scroll_and_use);
    lab.page("frame-two", |lab| assert_effect(&lab.click("right/go"), "confirmed"));
    lab.finish();
}

#[test]
fn frames_of_another_site() {
    let mut lab = Lab::start();
    for (page, path) in [
        ("frame-cross", "inner"),
        ("frame-cross-nested", "inner/deep"),
        ("frame-cross-same", "inner/deep"),
        ("frame-cross-scaled", "inner"),
    ] {
        lab.page(page, |lab| use_three(lab, path, 0.0));
    }
    lab.page("frame-cross-scrolled", scroll_and_use);
    // A click on nothing in the frame takes the focus there, and there is nothing to write in.
    lab.page_unjudged("frame-cross", |lab| {
        lab.click("inner/word");
        assert_effect(&lab.write("reef"), "confirmed");
        assert_effect(&lab.clear(), "confirmed");
        let blank = lab.part("inner", 0.95, 0.9);
        lab.click_at(blank, json!({}));
        assert_error(&lab.write("reef"), "nothing_editable");
        assert_error(&lab.clear(), "nothing_editable");
    });
    lab.page("frame-late", |lab| {
        assert_eq!(lab.click("load")["ok"], true);
        assert_effect(&lab.click("inner/go"), "confirmed");
    });
    lab.page("frame-payment", |lab| {
        lab.click("inner/card");
        assert_effect(&lab.write("4242424242424242"), "confirmed");
        assert_eq!(lab.click("pay")["ok"], true);
    });
    lab.page("frame-covered", |lab| {
        let at = lab.pixels("veil");
        let closed = lab.click_at(grid(at[0] + 30.0, at[1] + 20.0), json!({}));
        assert_eq!(closed["hit"]["id"], "close", "{}", shortened(&closed));
        assert_effect(&lab.click("inner/go"), "confirmed");
    });
    lab.finish();
}

/// Where the page sends nothing, the evidence comes from inside the frame.
#[test]
fn frames_leave_evidence() {
    let mut lab = Lab::start();
    for (page, path) in [
        ("frame-nested?quiet=1", "inner/deep"),
        ("frame-sandbox?quiet=1", "inner"),
        ("frame-cross?quiet=1", "inner"),
        ("frame-cross-nested?quiet=1", "inner/deep"),
    ] {
        lab.page_unjudged(page, |lab| {
            assert_evidence(&lab.click(&format!("{path}/go")), "mutation");
            assert_evidence(&lab.click(&format!("{path}/word")), "focus");
            assert_evidence(&lab.write("reef"), "value");
            let cleared = lab.clear();
            assert_evidence(&cleared, "value");
            assert_eq!((&cleared["focus"]["value"], &cleared["focus"]["id"]), (&json!(""), &json!("word")));
            assert_evidence(&lab.press("shift+tab"), "focus");
        });
    }
    lab.finish();
}

/// 600 pixels down inside the frame, so that its controls come into view.
fn scroll_and_use(lab: &mut Lab) {
    let at = grid(300.0, 220.0);
    let scrolled = lab.call(json!({"tool": "mouse", "action": "scroll", "coordinate": at, "amount": 833}));
    assert_effect(&scrolled, "confirmed");
    use_three(lab, "inner", 600.0);
}
