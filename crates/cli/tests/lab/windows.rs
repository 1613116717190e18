//! New windows and tabs: they are reported, never become active by themselves, and can be driven.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, assert_error, shortened};
use crate::effects::{assert_live, message};

fn tab_ids(answer: &Value) -> Vec<String> {
    answer["tabs"].as_array().unwrap().iter().map(|tab| tab["id"].as_str().unwrap().to_string()).collect()
}

fn active(answer: &Value) -> String {
    let tabs = answer["tabs"].as_array().unwrap();
    tabs.iter().find(|tab| tab["active"] == true).unwrap()["id"].as_str().unwrap().to_string()
}

fn close(lab: &mut Lab, id: &str) -> Value {
    lab.call(json!({"tool": "tab", "action": "close", "tab_id": id}))
}

/// One new tab that the answer names, while the page stays the active one.
#[track_caller]
fn assert_opened(lab: &mut Lab, page: &str, answer: &Value) -> String {
    assert_live(answer, "tab");
    let opened = answer["opened"].as_array().unwrap();
    assert_eq!(opened.len(), 1, "{}", shortened(answer));
    let id = opened[0].as_str().unwrap().to_string();
    assert!(tab_ids(answer).contains(&id) && active(answer) != id);
    assert!(message(answer).contains(&format!("new tab {id}")), "{}", message(answer));
    assert!(answer["url"].as_str().unwrap().ends_with(&format!("/p/{page}")), "{}", answer["url"]);
    lab.wait_until("the window to load", |log| log["facts"]["arrivals"].as_array().is_some_and(|all| !all.is_empty()));
    id
}

#[test]
fn windows_and_tabs_of_every_kind_are_reported() {
    let mut lab = Lab::start();
    for (page, id, more) in [
        ("open-click", "go", json!({})),
        ("link-blank", "link", json!({})),
        ("link-ctrl", "link", json!({"modifiers": ["ctrl"]})),
        ("link-middle", "link", json!({"button": "middle"})),
        ("link-shift", "link", json!({"modifiers": ["shift"]})),
        ("form-blank", "send", json!({})),
        ("popup-sized", "go", json!({})),
        ("popup-blank", "go", json!({})),
    ] {
        lab.page(page, |lab| {
            let answer = lab.click_with(id, more);
            let opened = assert_opened(lab, page, &answer);
            assert_eq!(close(lab, &opened)["ok"], true);
        });
    }
    lab.finish();
}

#[test]
fn a_new_tab_can_be_driven_and_has_our_viewport() {
    let mut lab = Lab::start();
    lab.page("popup-sized", |lab| {
        let answer = lab.click("go");
        let page = active(&answer);
        let popup = assert_opened(lab, "popup-sized", &answer);
        let switched = lab.call(json!({"tool": "tab", "action": "switch", "tab_id": popup}));
        assert_eq!((switched["ok"].clone(), active(&switched)), (json!(true), popup.clone()));
        assert!(switched["url"].as_str().unwrap().contains("/arrived/popup-sized"), "{}", switched["url"]);
        let frame = &switched["frame"];
        assert_eq!(
            (&frame["width"], &frame["height"]),
            (&json!(1280), &json!(720)),
            "the viewport holds for every tab"
        );
        let closed = close(lab, &popup);
        assert_eq!(active(&closed), page, "the last used tab is active again");
        assert_error(&close(lab, &popup), "unknown_tab");
    });
    lab.finish();
}

#[test]
fn a_window_that_closes_itself_leaves_the_page_usable() {
    let mut lab = Lab::start();
    lab.page("popup-closes", |lab| {
        assert_live(&lab.click("go"), "tab");
        lab.wait_until("the window to close", |log| log["facts"]["closed"] == true);
        let answer = lab.click("next");
        assert_eq!((&answer["ok"], tab_ids(&answer).len()), (&json!(true), 1), "{}", shortened(&answer));
    });
    lab.page("popup-opener", |lab| {
        let answer = lab.click("go");
        assert_live(&answer, "tab");
        lab.wait_until("the page to be moved", |log| log["facts"]["landed"] == "by-popup");
        let view = lab.call(json!({"tool": "tab", "action": "view"}));
        assert!(view["url"].as_str().unwrap().ends_with("landed=by-popup"), "{}", view["url"]);
        let popup = answer["opened"][0].as_str().unwrap().to_string();
        assert_eq!(close(lab, &popup)["ok"], true);
    });
    lab.finish();
}

#[test]
fn a_late_window_is_reported_by_the_call_that_sees_it() {
    let mut lab = Lab::start();
    lab.page("open-late", |lab| {
        let clicked = lab.click("go");
        assert_eq!((&clicked["ok"], &clicked["opened"]), (&json!(true), &json!([])));
        lab.wait_until("the late window", |log| log["facts"]["arrivals"].as_array().is_some_and(|all| all.len() == 1));
        let seen = lab.call(json!({"tool": "tab", "action": "list"}));
        assert_eq!(seen["opened"].as_array().map(Vec::len), Some(1), "{}", shortened(&seen));
        assert_ne!(active(&seen), seen["opened"][0].as_str().unwrap());
        let late = seen["opened"][0].as_str().unwrap().to_string();
        close(lab, &late);
    });
    lab.finish();
}

#[test]
fn a_storm_of_windows_is_survived() {
    let mut lab = Lab::start();
    lab.page("open-storm", |lab| {
        let answer = lab.click("go");
        assert_effect(&answer, "confirmed");
        lab.wait_until("twelve windows", |log| log["facts"]["arrivals"].as_array().is_some_and(|all| all.len() >= 12));
        let list = lab.call(json!({"tool": "tab", "action": "list"}));
        assert_eq!(tab_ids(&list).len(), 13, "{}", message(&list));
        let opened = answer["opened"].as_array().unwrap().len() + list["opened"].as_array().unwrap().len();
        assert_eq!(opened, 12, "each is reported once");
        let page = active(&list);
        for id in tab_ids(&list).iter().filter(|id| **id != page) {
            assert_eq!(close(lab, id)["ok"], true);
        }
        let view = lab.call(json!({"tool": "tab", "action": "view"}));
        assert_eq!((tab_ids(&view).len(), active(&view)), (1, page));
    });
    lab.finish();
}
