//! Inputs with a format of their own: dates, times and colours are set whole, all others are typed.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, shortened};

#[test]
fn dates_times_and_colours() {
    let mut lab = Lab::start();
    // (page, kind, type of the field, form that is told, what is typed)
    for (page, kind, of, form, text) in [
        ("date", "date", "date", "YYYY-MM-DD", "2027-10-03"),
        ("date-limits", "date", "date", "YYYY-MM-DD", "2027-06-30"),
        ("time", "date", "time", "HH:MM", "14:45"),
        ("datetime", "date", "datetime-local", "YYYY-MM-DDTHH:MM", "2027-10-03T14:45"),
        ("month", "date", "month", "YYYY-MM", "2027-10"),
        ("week", "date", "week", "YYYY-Www", "2027-W40"),
        ("color", "color", "color", "#rrggbb", "#336699"),
        ("date-controlled", "date", "date", "YYYY-MM-DD", "2027-10-03"),
    ] {
        lab.page(page, |lab| {
            let answer = lab.click("field");
            let short = shortened(&answer);
            assert_effect(&answer, "refused");
            assert_eq!(
                (&answer["effect"]["reason"], &answer["dispatched"]),
                (&json!("native_control"), &Value::Null),
                "{short}"
            );
            assert_eq!(
                (&answer["pending"]["kind"], &answer["pending"]["follow_up"]),
                (&json!(kind), &json!("keyboard type")),
                "{short}"
            );
            assert_eq!(answer["focus"]["type"], of, "{short}");
            assert!(answer["message"].as_str().unwrap().contains(form), "{short}");
            // What is no value of the field is turned away, and the field still waits.
            let wrong = match page {
                "color" => Some("sea green"),
                "date" => Some("3 October 2027"),
                "date-controlled" => Some("2027-02-31"),
                _ => None,
            };
            if let Some(wrong) = wrong {
                let answer = lab.write(wrong);
                assert_error(&answer, "invalid_call");
                assert!(answer["message"].as_str().unwrap().contains(form), "{}", shortened(&answer));
                assert_eq!(answer["pending"]["kind"], kind);
                assert_eq!(lab.events("keydown", "field").len(), 0, "no key was sent");
            }
            if page == "date-limits" {
                let late = lab.write("2027-08-30");
                assert!(late["message"].as_str().unwrap().contains("objects"), "{}", shortened(&late));
            }
            let typed = lab.write(text);
            assert_effect(&typed, "confirmed");
            assert_eq!(
                (&typed["pending"], &typed["focus"]["value"]),
                (&Value::Null, &json!(text)),
                "{}",
                shortened(&typed)
            );
        });
    }
    lab.finish();
}

#[test]
fn fields_with_a_format() {
    let mut lab = Lab::start();
    // (page, what is typed, what the field then holds, what the message says)
    for (page, text, holds, says) in [
        ("number-step", "7.5", "7.5", "the field has it"),
        ("search", "kelp", "kelp", "the field has it"),
        ("maxlength", "breakwater", "breakwat", "now holds \"breakwat\""),
        ("tel-mask", "5550142", "555-0142", "now holds \"555-0142\""),
    ] {
        lab.page(page, |lab| {
            assert_eq!(lab.click("field")["pending"], Value::Null);
            let typed = lab.write(text);
            assert_effect(&typed, "confirmed");
            assert_eq!(typed["focus"]["value"], holds);
            assert!(typed["message"].as_str().unwrap().contains(says), "{}", typed["message"]);
        });
    }
    lab.page("password", |lab| {
        lab.click("field");
        let typed = lab.write("Reef-42!");
        assert_effect(&typed, "confirmed");
        assert_eq!((&typed["focus"]["type"], &typed["focus"]["empty"]), (&json!("password"), &json!(false)));
        assert!(!typed.to_string().contains("Reef-42!"), "{}", shortened(&typed));
        let cleared = lab.clear();
        assert_effect(&cleared, "confirmed");
        assert_eq!(cleared["focus"]["empty"], true);
        lab.write("Reef-42!");
    });
    lab.page("range", |lab| {
        let at = lab.part("field", 0.79, 0.5);
        let answer = lab.click_at(at, json!({}));
        assert_effect(&answer, "confirmed");
        assert_eq!(answer["pending"], Value::Null);
    });
    lab.page("number-arrows", |lab| {
        lab.click("field");
        for _ in 0..3 {
            assert_effect(&lab.press("up"), "confirmed");
        }
    });
    for page in ["readonly", "disabled-field"] {
        lab.page(page, |lab| {
            lab.click("field");
            assert_error(&lab.write("x"), "nothing_editable");
            assert_error(&lab.clear(), "nothing_editable");
            assert_effect(&lab.click("next"), "confirmed");
        });
    }
    lab.page("required", |lab| {
        assert_eq!(lab.click("send")["focus"]["id"], "field", "the browser shows which field is meant");
        lab.click("field");
        lab.write("oar");
        assert_effect(&lab.click("send"), "confirmed");
    });
    lab.page("checkbox-radio", |lab| {
        for id in ["fog", "rain-label", "east"] {
            assert_effect(&lab.click(id), "confirmed");
        }
    });
    lab.finish();
}
