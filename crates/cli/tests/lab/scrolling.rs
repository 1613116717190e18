//! Scrolling: the container under the pointer moves, to its end and no further, and the answer says
//! which of the two it was.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, grid, shortened};
use crate::effects::{assert_live, kinds, message, quiet_page};

/// Turns the wheel over a point; 1000 units are one view.
fn scroll(lab: &mut Lab, at: [i64; 2], direction: &str, amount: u32) -> Value {
    lab.call(json!({"tool": "mouse", "action": "scroll", "coordinate": at, "direction": direction, "amount": amount}))
}

#[track_caller]
fn assert_at_end(answer: &Value) {
    assert_effect(answer, "no_effect");
    assert!(message(answer).contains("already at the end"), "{}", message(answer));
}

#[test]
fn a_page_scrolls_by_views_and_back() {
    let mut lab = Lab::start();
    lab.page("scroll-page", |lab| {
        let answer = scroll(lab, [500, 600], "down", 1000);
        assert_live(&answer, "scroll");
        assert!(
            (lab.log_when(|log| log["facts"]["now"].is_number())["facts"]["now"].as_f64().unwrap() - 720.0).abs()
                <= 1.0
        );
        assert_live(&scroll(lab, [500, 600], "up", 1250), "scroll");
    });
    // Without a coordinate it scrolls where the cursor is.
    lab.page_unjudged("scroll-page", |lab| {
        assert_live(&lab.call(json!({"tool": "mouse", "action": "scroll"})), "scroll");
        lab.wait_until("the scroll", |log| log["facts"]["now"] == 216);
    });
    lab.finish();
}

#[test]
fn the_end_is_said_to_be_the_end() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "scroll-end?quiet=1", |lab| {
        assert_live(&scroll(lab, [500, 600], "down", 2000), "scroll");
        assert_at_end(&scroll(lab, [500, 600], "down", 300));
    });
    lab.page_unjudged("scroll-end?quiet=1", |lab| assert_at_end(&scroll(lab, [500, 600], "up", 300)));
    lab.finish();
}

#[test]
fn the_innermost_list_under_the_pointer_moves() {
    let mut lab = Lab::start();
    lab.page("scroll-nested", |lab| {
        let at = lab.at("inner");
        assert_live(&scroll(lab, at, "down", 2000), "scroll");
    });
    quiet_page(&mut lab, "scroll-contained?quiet=1", |lab| {
        let at = lab.at("list");
        assert_live(&scroll(lab, at, "down", 2000), "scroll");
        assert_at_end(&scroll(lab, at, "down", 2000));
    });
    lab.page("scroll-sideways", |lab| {
        let at = lab.at("list");
        assert_live(&scroll(lab, at, "right", 860), "scroll");
        let answer = lab.click("c9");
        assert_eq!((&answer["ok"], &answer["hit"]["id"]), (&json!(true), &json!("c9")), "{}", shortened(&answer));
    });
    lab.finish();
}

#[test]
fn the_answer_comes_when_the_scroll_is_over() {
    let mut lab = Lab::start();
    lab.page("scroll-snap", |lab| {
        let at = lab.at("list");
        for page in [2, 3] {
            assert_live(&scroll(lab, at, "down", 420), "scroll");
            assert_eq!(lab.log_when(|log| log["facts"]["page"] == page)["facts"]["page"], page);
        }
    });
    lab.page("scroll-smooth", |lab| {
        let answer = lab.click("go");
        assert_live(&answer, "scroll");
        lab.wait_until("the end of the scroll", |log| log["facts"]["now"] == 1300);
        assert_eq!(lab.click("arrived")["hit"]["id"], "arrived");
    });
    lab.finish();
}

#[test]
fn lists_that_grow_while_they_scroll_can_be_worked_through() {
    let mut lab = Lab::start();
    lab.page("virtual-list", |lab| {
        let at = lab.at("list");
        // 999 rows of 28 pixels, a little less than the height of the list.
        let mut left = 27_700.0_f64;
        while left > 0.0 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 2000")]
            let amount = (left / 0.72).clamp(1.0, 2000.0) as u32;
            assert_live(&scroll(lab, at, "down", amount), "scroll");
            left -= f64::from(amount) * 0.72;
            if left < 1.0 {
                break;
            }
        }
        let answer = lab.click("row1000");
        assert_eq!(answer["hit"]["id"], "row1000", "{}", shortened(&answer));
    });
    lab.page("scroll-endless", |lab| {
        let at = lab.at("list");
        for entries in [40, 60, 80] {
            assert_live(&scroll(lab, at, "down", 2000), "scroll");
            lab.wait_until("more entries", |log| log["facts"]["entries"].as_i64() >= Some(entries));
        }
        // The list shows entries 47 to 60 when its scroll stopped at the end of the first sixty.
        let answer = lab.call(json!({"tool": "mouse", "coordinate": at}));
        assert_eq!(answer["ok"], true);
        let mut hit = String::new();
        for y in (110..650).step_by(20) {
            let answer = lab.call(json!({"tool": "mouse", "coordinate": grid(200.0, f64::from(y))}));
            hit = answer["hit"]["id"].as_str().unwrap_or_default().to_string();
            if hit == "e60" {
                break;
            }
        }
        assert_eq!(hit, "e60", "entry 60 is in view");
        assert_eq!(lab.call(json!({"tool": "mouse", "action": "click"}))["hit"]["id"], "e60");
    });
    lab.finish();
}

#[test]
fn a_wheel_that_the_page_takes_is_an_effect_without_a_scroll() {
    let mut lab = Lab::start();
    lab.page("wheel-taken", |lab| {
        let at = lab.at("map");
        let answer = scroll(lab, at, "down", 300);
        assert_live(&answer, "mutation");
        assert!(!kinds(&answer).contains(&"scroll"), "{}", shortened(&answer));
    });
    lab.page("scroll-sticky", |lab| {
        assert_live(&scroll(lab, [500, 600], "down", 1000), "scroll");
        let answer = lab.click_at(grid(160.0, 1220.0 - 720.0), json!({}));
        assert_eq!(answer["hit"]["id"], "lower", "{}", shortened(&answer));
    });
    lab.finish();
}
