//! Targets of an odd shape: the answer's hit is what really receives the click.

use serde_json::{Value, json};

use crate::driver::{Lab, grid, shortened};
use crate::effects::{assert_live, kinds, quiet_page};

#[track_caller]
fn assert_hit(answer: &Value, id: &str) {
    assert_eq!((&answer["ok"], &answer["hit"]["id"]), (&json!(true), &json!(id)), "{}", shortened(answer));
}

#[test]
fn the_hit_is_what_receives_the_click() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "through", |lab| assert_hit(&lab.click("go"), "go"));
    quiet_page(&mut lab, "through-layer", |lab| {
        let answer = lab.click("go");
        assert_hit(&answer, "go");
        assert_live(&answer, "mutation");
    });
    quiet_page(&mut lab, "image-map", |lab| {
        let answer = lab.click("right");
        assert_hit(&answer, "right");
        assert_live(&answer, "url");
        assert_eq!(answer["hit"]["descriptor"], "link \"Land\"");
    });
    quiet_page(&mut lab, "svg-shape", |lab| {
        let answer = lab.click_at(grid(110.0, 220.0), json!({}));
        assert_hit(&answer, "ring");
        assert_live(&answer, "mutation");
    });
    lab.page_unjudged("svg-shape", |lab| assert_hit(&lab.click_at(grid(180.0, 220.0), json!({})), "drawing"));
    lab.finish();
}

#[test]
fn turned_enlarged_and_broken_boxes_are_hit() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "rotated", |lab| assert_hit(&lab.click("go"), "go"));
    // A corner of its box is not the button.
    lab.page_unjudged("rotated", |lab| {
        let answer = lab.click_at(lab.part("go", 0.95, 0.05), json!({}));
        assert_ne!(answer["hit"]["id"], "go", "{}", shortened(&answer));
    });
    quiet_page(&mut lab, "zoomed", |lab| {
        let answer = lab.click("two");
        assert_hit(&answer, "two");
        let [left, top, right, bottom] = lab.pixels("two");
        let ([x0, y0], [x1, y1]) = (grid(left, top), grid(right, bottom));
        for (index, edge) in [x0, y0, x1, y1].iter().enumerate() {
            let given = answer["hit"]["box"][index].as_i64().unwrap();
            assert!((given - edge).abs() <= 1, "{} instead of {:?}", answer["hit"]["box"], [x0, y0, x1, y1]);
        }
    });
    quiet_page(&mut lab, "two-lines", |lab| {
        let line: Vec<f64> = lab.fact("lines")[1].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let answer = lab.click_at(grid((line[0] + line[2]) / 2.0, (line[1] + line[3]) / 2.0), json!({}));
        assert_hit(&answer, "link");
        assert_live(&answer, "url");
    });
    lab.page("edge", |lab| {
        for id in ["left", "right"] {
            assert_hit(&lab.click(id), id);
        }
    });
    // The last grid unit is still inside the view; a pixel further in than the button's round corner is the button.
    lab.page_unjudged("edge", |lab| {
        let answer = lab.click_at([1000, 1000], json!({}));
        assert_eq!((&answer["dispatched"], &answer["hit"]["tag"]), (&json!({"x": 1279, "y": 719}), &json!("html")));
        assert_hit(&lab.click_at([998, 997], json!({})), "right");
    });
    lab.finish();
}

#[test]
fn parts_that_unfold_are_followed() {
    let mut lab = Lab::start();
    lab.page("details", |lab| {
        let answer = lab.click("head");
        assert_live(&answer, "mutation");
        assert_hit(&lab.click("go"), "go");
    });
    lab.page("label-box", |lab| {
        let answer = lab.click_at(lab.part("label", 0.6, 0.5), json!({}));
        assert_live(&answer, "value");
    });
    lab.page("modal", |lab| {
        assert_live(&lab.click("open"), "mutation");
        // What is behind it is dead, and is not what was hit.
        let behind = lab.click("open");
        assert_ne!(behind["hit"]["id"], "open", "{}", shortened(&behind));
        let answer = lab.click("agree");
        assert_hit(&answer, "agree");
        assert!(!kinds(&answer).is_empty());
    });
    lab.page("popover", |lab| {
        assert_eq!(lab.click("open")["effect"]["status"], "confirmed");
        let answer = lab.click("pick");
        assert_hit(&answer, "pick");
        assert_eq!(answer["effect"]["status"], "confirmed", "{}", shortened(&answer));
    });
    lab.finish();
}
