//! Text fields that resist, editors and composed fields: what arrives, and what is said about it.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, grid, shortened};

#[track_caller]
fn says(answer: &Value, part: &str) {
    assert!(answer["message"].as_str().unwrap().contains(part), "{part:?} in {}", shortened(answer));
}

#[test]
fn fields_that_resist() {
    let mut lab = Lab::start();
    lab.page("textarea", |lab| {
        lab.click("field");
        assert_effect(&lab.write("ebb\nflood"), "confirmed");
    });
    lab.page("clear-plain", |lab| {
        lab.click("field");
        let cleared = lab.clear();
        assert_effect(&cleared, "confirmed");
        assert_eq!((&cleared["focus"]["value"], &cleared["focus"]["empty"]), (&json!(""), &json!(true)));
        assert_effect(&lab.write("new"), "confirmed");
    });
    lab.page("clear-refused", |lab| {
        lab.click("field");
        let answer = lab.clear();
        assert_error(&answer, "not_cleared");
        assert!(answer["error"]["message"].as_str().unwrap().contains("permanent"), "{}", answer["error"]);
        assert_eq!((&answer["focus"]["id"], &answer["focus"]["value"]), (&json!("field"), &json!("permanent")));
        lab.click("next");
    });
    lab.page("clear-late", |lab| {
        lab.click("field");
        lab.write("one");
        let emptied = lab.wait(1.0);
        assert_eq!(emptied["focus"]["value"], "", "{}", shortened(&emptied));
        assert_effect(&lab.write("two"), "confirmed");
    });
    lab.page("clear-reset-late", |lab| {
        lab.click("field");
        lab.clear();
        let back = lab.wait(0.8);
        assert_eq!(back["focus"]["value"], "stubborn", "{}", shortened(&back));
        assert_effect(&lab.clear(), "confirmed");
        assert_effect(&lab.write("done"), "confirmed");
    });
    lab.page("focus-steal", |lab| {
        lab.click("upper");
        assert_eq!(lab.wait(0.6)["focus"]["id"], "lower", "the focus is told as it is");
        assert_eq!(lab.click("upper")["focus"]["id"], "upper");
        lab.write("hull");
    });
    lab.page("autofocus", |lab| assert_effect(&lab.write("keel"), "confirmed"));
    lab.page("one-time-code", |lab| {
        lab.click("d1");
        let answer = lab.write("482913");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["focus"]["id"], "d6");
        says(&answer, "focus is now on");
    });
    lab.page("controlled", |lab| {
        lab.click("field");
        assert_effect(&lab.clear(), "confirmed");
        let answer = lab.write("ketch");
        assert_effect(&answer, "confirmed");
        says(&answer, "the field has it");
    });
    lab.page("controlled-upper", |lab| {
        lab.click("field");
        says(&lab.write("brig"), "BRIG");
    });
    lab.page("graphemes", |lab| {
        lab.click("field");
        let answer = lab.write("👩‍🚒 naïve 漢字 שלום");
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["focus"]["value"], "👩‍🚒 naïve 漢字 שלום");
        assert_eq!(lab.fact("graphemes"), 15);
    });
    for (page, text) in [("type-slow", "schooner"), ("paste-blocked", "anchor7")] {
        lab.page(page, |lab| {
            lab.click("field");
            let answer = lab.write(text);
            assert_effect(&answer, "confirmed");
            says(&answer, "the field has it");
        });
    }
    lab.page("no-focus", |lab| {
        let answer = lab.write("boat");
        assert_error(&answer, "nothing_editable");
        says(&answer, "nothing editable has focus");
        assert_error(&lab.clear(), "nothing_editable");
        lab.click("next");
    });
    lab.finish();
}

#[test]
fn editors_and_composed_fields() {
    let mut lab = Lab::start();
    lab.page("editable", |lab| {
        lab.click("field");
        assert_effect(&lab.clear(), "confirmed");
        let answer = lab.write("low tide");
        assert_effect(&answer, "confirmed");
        says(&answer, "the field has it");
        assert_eq!(answer["focus"]["editable"], true);
    });
    lab.page("editable-nested", |lab| {
        lab.click("slant");
        lab.press("end");
        assert_effect(&lab.write("!"), "confirmed");
    });
    lab.page("editable-rich", |lab| {
        // The editor stores the selection late; the next call comes after that.
        assert_effect(&lab.click_with("word", json!({"count": 2})), "confirmed");
        assert_effect(&lab.click("bold"), "confirmed");
    });
    lab.page("textbox-role", |lab| {
        assert_eq!(lab.click("field")["focus"]["editable"], true);
        assert_effect(&lab.write("tar"), "confirmed");
    });
    lab.page("design-mode", |lab| {
        lab.click_at(grid(150.0, 150.0), json!({}));
        lab.press("ctrl+a");
        assert_effect(&lab.write("Fresh start"), "confirmed");
    });
    for page in ["shadow-input", "shadow-closed"] {
        lab.page(page, |lab| {
            assert_eq!(lab.click("field")["focus"]["editable"], true);
            let answer = lab.write("mast");
            assert_effect(&answer, "confirmed");
            assert_eq!(answer["focus"]["value"], "mast", "{}", shortened(&answer));
            assert_effect(&lab.clear(), "confirmed");
            lab.write("mast");
        });
    }
    lab.page("shadow-button?quiet=0", |lab| assert_effect(&lab.click("go"), "confirmed"));
    lab.page("combobox", |lab| {
        lab.click("field");
        lab.write("ca");
        assert_effect(&lab.click("calais"), "confirmed");
    });
    lab.page("combobox-keys", |lab| {
        lab.click("field");
        lab.write("ca");
        for key in ["down", "down", "enter"] {
            assert_effect(&lab.press(key), "confirmed");
        }
    });
    lab.page("tags-field", |lab| {
        lab.click("field");
        says(&lab.write("port\n"), "the field is empty now");
        says(&lab.write("lee\n"), "the field is empty now");
    });
    lab.finish();
}
