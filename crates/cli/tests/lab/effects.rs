//! Pages whose clicks do something that is hard to see, or nothing at all: the answer must tell them
//! apart. The pages hold their logs back, because a request would be an effect itself.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, grid, shortened};

/// Drives a page that holds its log back, and asks for its verdict when it was closed.
pub(crate) fn quiet_page(lab: &mut Lab, page: &str, act: impl FnOnce(&mut Lab)) {
    lab.page(page, |lab| {
        act(lab);
        leave(lab);
    });
}

/// Closes the page, which then tells what it held back.
pub(crate) fn leave(lab: &mut Lab) {
    let view = lab.call(json!({"tool": "tab", "action": "list"}));
    let tabs = view["tabs"].as_array().unwrap();
    let page = tabs.iter().find(|tab| tab["active"] == true).unwrap()["id"].clone();
    lab.call(json!({"tool": "tab", "action": "open", "url": "about:blank"}));
    let closed = lab.call(json!({"tool": "tab", "action": "close", "tab_id": page}));
    assert_eq!(closed["ok"], true, "{}", shortened(&closed));
}

/// The answer says that the click did nothing, and says it to the brain.
#[track_caller]
pub(crate) fn assert_dead(answer: &Value) {
    assert_effect(answer, "no_effect");
    assert!(message(answer).contains("WARNING: nothing on the page reacted"), "{}", shortened(answer));
    assert!(!answer["dispatched"].is_null());
}

/// The click did something, and this kind of evidence says what.
#[track_caller]
pub(crate) fn assert_live(answer: &Value, kind: &str) {
    assert_effect(answer, "confirmed");
    assert!(kinds(answer).contains(&kind), "no {kind} in {}", shortened(answer));
    assert!(!message(answer).contains("WARNING"), "{}", shortened(answer));
    assert_eq!(answer["candidates"], json!([]));
}

pub(crate) fn kinds(answer: &Value) -> Vec<&str> {
    let evidence = answer["effect"]["evidence"].as_array().map(Vec::as_slice).unwrap_or_default();
    evidence.iter().filter_map(|piece| piece["kind"].as_str()).collect()
}

pub(crate) fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or_default()
}

/// Everything that the evidence says, in one text.
fn details(answer: &Value) -> String {
    answer["effect"]["evidence"].to_string()
}

/// Each click is called dead, without evidence and without anything near to offer.
fn check_dead(pages: &[(&str, &str)]) {
    let mut lab = Lab::start();
    for (page, id) in pages {
        quiet_page(&mut lab, page, |lab| {
            let answer = lab.click(id);
            assert_dead(&answer);
            assert_eq!((&answer["effect"]["evidence"], &answer["candidates"]), (&json!([]), &json!([])));
        });
    }
    lab.finish();
}

#[test]
fn controls_that_nobody_listens_to_are_called_dead() {
    check_dead(&[
        ("disabled-button", "go"),
        ("dead-area", "panel"),
        ("dead-button", "go"),
        ("dead-active", "go"),
        ("touch-only", "go"),
    ]);
}

#[test]
fn handlers_that_change_nothing_are_called_dead() {
    check_dead(&[("dead-handler", "go"), ("dead-repaint", "go"), ("prevented", "link"), ("stopped", "go")]);
}

#[test]
fn what_appears_and_goes_again_is_no_effect() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "dead-ripple", |lab| assert_dead(&lab.click("go")));
    quiet_page(&mut lab, "dead-flash", |lab| {
        let answer = lab.click("go");
        assert_dead(&answer);
        assert_eq!(kinds(&answer), ["flashed"]);
        assert!(details(&answer).contains("A name is needed."), "{}", shortened(&answer));
    });
    lab.finish();
}

#[test]
fn what_nobody_can_see_is_no_effect() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "dead-hidden", |lab| {
        let answer = lab.click("go");
        assert_dead(&answer);
        assert_eq!(kinds(&answer), ["hidden_change"]);
    });
    lab.finish();
}

#[test]
fn what_is_painted_is_seen_in_the_pixels() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "live-canvas", |lab| assert_live(&lab.click("go"), "pixels"));
    quiet_page(&mut lab, "live-canvas-self", |lab| {
        let answer = lab.click_at(grid(350.0, 220.0), json!({}));
        assert_live(&answer, "pixels");
        assert_eq!(answer["hit"]["tag"], "canvas");
    });
    lab.finish();
}

#[test]
fn what_is_only_copied_is_found_in_the_clipboard() {
    let mut lab = Lab::start();
    // The second time it is the text that is there already.
    for _ in 0..2 {
        quiet_page(&mut lab, "live-copy", |lab| {
            let answer = lab.click("go");
            assert_live(&answer, "event");
            assert!(details(&answer).contains("clipboardchange"), "{}", shortened(&answer));
        });
    }
    lab.page_unjudged("live-copy", |lab| assert_dead(&lab.click_at(grid(160.0, 220.0), json!({}))));
    lab.finish();
}

#[test]
fn a_skeleton_is_waited_for_until_its_content_is_there() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "live-skeleton", |lab| {
        assert_live(&lab.click("go"), "mutation");
        let answer = lab.click_at(grid(160.0, 220.0), json!({}));
        assert_live(&answer, "mutation");
        assert_eq!(answer["hit"]["name"], "Moor", "{}", shortened(&answer));
    });
    lab.finish();
}

#[test]
fn live_controls_are_confirmed_by_what_they_did() {
    let mut lab = Lab::start();
    for (page, kind, detail) in [
        ("disabled-look", "mutation", "Saved."),
        ("live-button", "mutation", "Saved."),
        ("live-elsewhere", "mutation", "elsewhere"),
        ("live-closed", "mutation", "elsewhere"),
        ("live-popover", "event", "toggle"),
        ("live-subtle", "mutation", "dot"),
        ("live-pointerdown", "mutation", "Pressed by mouse."),
        ("toggle-twice", "mutation", "On"),
        ("live-value", "value", ""),
        ("live-checked", "value", "checkbox"),
        ("live-scroll", "scroll", "list"),
        ("live-title", "title", "Renamed"),
        ("live-clipboard", "event", "copy"),
        ("live-late", "mutation", "s later"),
    ] {
        quiet_page(&mut lab, page, |lab| {
            let answer = lab.click("go");
            assert_live(&answer, kind);
            assert!(details(&answer).contains(detail), "no {detail:?} in {}", shortened(&answer));
        });
    }
    lab.finish();
}

#[test]
fn requests_alone_are_effects_and_stored_values_are_not() {
    let mut lab = Lab::start();
    for page in ["live-network", "live-beacon"] {
        quiet_page(&mut lab, page, |lab| {
            let answer = lab.click("go");
            assert_live(&answer, "request_only");
            assert!(details(&answer).contains(&format!("/ping/{page}")), "{}", shortened(&answer));
            assert_eq!(lab.fact("pings"), 1);
        });
    }
    // Nothing that a person could see.
    quiet_page(&mut lab, "live-storage", |lab| assert_dead(&lab.click("go")));
    lab.finish();
}

#[test]
fn a_click_that_only_moves_the_focus_into_a_field_is_an_effect() {
    let mut lab = Lab::start();
    for (page, id) in [("live-value", "field"), ("live-clipboard", "source"), ("nav-post", "bird")] {
        lab.page_unjudged(page, |lab| {
            let answer = lab.click(id);
            assert_live(&answer, "focus");
            assert_eq!(answer["focus"]["id"], id);
            assert_live(&lab.click(id), "focus");
        });
    }
    // Onto a button it is not.
    lab.page_unjudged("dead-button", |lab| {
        let answer = lab.click("go");
        assert_eq!(answer["focus"]["id"], "go", "{}", shortened(&answer));
        assert_dead(&answer);
    });
    // Cells are places to be; what looks like a button is not, whatever it is made of.
    quiet_page(&mut lab, "focus-places", |lab| {
        assert_live(&lab.click("cell"), "focus");
        // Nothing says what a plain box takes the focus for, so nothing is claimed.
        let answer = lab.click("pane");
        assert_effect(&answer, "unverifiable");
        assert_eq!(answer["effect"]["reason"], "focus_only");
        for id in ["push", "tag"] {
            let answer = lab.click(id);
            assert_eq!(answer["focus"]["id"], id, "{}", shortened(&answer));
            assert_dead(&answer);
        }
        assert_error(&lab.write("a"), "nothing_editable");
    });
    lab.finish();
}

#[test]
fn what_a_page_does_by_itself_is_not_the_doing_of_a_click() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "ambient-clock", |lab| {
        assert_dead(&lab.click("dead"));
        let answer = lab.click("live");
        assert_live(&answer, "mutation");
        assert!(details(&answer).contains("Live."), "{}", shortened(&answer));
    });
    // Requests of its own are only known to be its own after some were seen: see the next test.
    quiet_page(&mut lab, "ambient-spinner", |lab| assert_dead(&lab.click("dead")));
    lab.finish();
}

#[test]
fn a_page_that_was_watched_for_a_while_is_known_better() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "ambient-clock", |lab| {
        lab.wait(2.5);
        let dead = lab.click("dead");
        assert_dead(&dead);
        assert_eq!(kinds(&dead), Vec::<&str>::new());
        let live = lab.click("live");
        assert_live(&live, "mutation");
        assert!(!details(&live).contains("clock") && !details(&live).contains("slides"), "{}", shortened(&live));
    });
    quiet_page(&mut lab, "ambient-requests", |lab| {
        lab.wait(1.5);
        assert_dead(&lab.click("dead"));
    });
    lab.finish();
}

#[test]
fn big_pages_are_measured_too() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "crowd", |lab| {
        let answer = lab.click("go");
        assert_live(&answer, "mutation");
        assert!(details(&answer).contains("Found"), "{}", shortened(&answer));
    });
    quiet_page(&mut lab, "big-table", |lab| {
        let answer = lab.click("book");
        assert_live(&answer, "mutation");
        assert!(details(&answer).contains("booked"), "{}", shortened(&answer));
    });
    // One of ten thousand elements that nobody listens to.
    lab.page_unjudged("crowd", |lab| assert_dead(&lab.click_at(grid(200.0, 200.0), json!({}))));
    lab.finish();
}

#[test]
fn a_dead_click_names_the_controls_near_it() {
    let mut lab = Lab::start();
    quiet_page(&mut lab, "twins", |lab| {
        let answer = lab.click("remove-rope");
        assert_dead(&answer);
        let others = [lab.at("remove-sail"), lab.at("remove-oar")];
        let candidates = answer["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 2, "{}", shortened(&answer));
        for (candidate, centre) in candidates.iter().zip(others) {
            assert_eq!((&candidate["descriptor"], &candidate["center"]), (&json!("button \"Remove\""), &json!(centre)));
            assert!((candidate["distance_px"].as_f64().unwrap() - 50.0).abs() <= 1.5, "{candidate}");
        }
        let [x, y] = others[0];
        assert!(
            message(&answer).contains(&format!("near it: button \"Remove\" at [{x}, {y}]")),
            "{}",
            message(&answer)
        );
    });
    lab.finish();
}
