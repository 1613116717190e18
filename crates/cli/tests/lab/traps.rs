//! Traps of the protocol and of the browser itself: hidden tabs, frame ticks, scrolled captures, busy
//! pages, the viewport, focus, fresh frames, security policies, and traces left in a page.

use serde_json::{Value, json};
use surehand_checks::picture::decode_png;
use surehand_types::Pixels;

use crate::driver::{Lab, assert_effect, grid, shortened};
use crate::effects::{assert_dead, assert_live, message};

fn picture(image: &Value) -> Pixels {
    assert_eq!(image["stale"], false);
    decode_png(&std::fs::read(image["path"].as_str().unwrap()).unwrap()).unwrap()
}

#[test]
fn frame_ticks_come_and_are_waited_for() {
    let mut lab = Lab::start();
    lab.page("raf-button", |lab| {
        lab.wait_until("thirty frame ticks", |log| log["facts"]["ticks"] == 30);
        assert_eq!(lab.click("go")["hit"]["descriptor"], "button \"Ready\"");
    });
    lab.page("raf-effect", |lab| assert_live(&lab.click("go"), "mutation"));
    lab.finish();
}

#[test]
fn a_tab_in_the_background_still_ticks() {
    let mut lab = Lab::start();
    lab.page("background-tab", |lab| {
        let opened = lab.click("link");
        assert_live(&opened, "tab");
        lab.wait_until("the second tab", |log| log["facts"]["arrivals"].as_array().is_some_and(|all| all.len() == 1));
        let first = opened["tabs"].as_array().unwrap().iter().find(|tab| tab["active"] == true).unwrap()["id"].clone();
        // There and back again, so that the first one was hidden if tabs can be.
        for id in [&opened["opened"][0], &first] {
            let switched = lab.call(json!({"tool": "tab", "action": "switch", "tab_id": id}));
            assert_eq!(switched["ok"], true, "{}", shortened(&switched));
        }
        assert_eq!(lab.click("go")["ok"], true);
        assert_eq!(lab.log_when(|log| log["check"]["ok"] == true)["facts"]["hidden_at_click"], false);
        lab.call(json!({"tool": "tab", "action": "close", "tab_id": opened["opened"][0]}));
    });
    lab.finish();
}

/// The frame and a zoom both show the button's colour where it is now.
fn check_shown(lab: &mut Lab, x: f64, y: f64) {
    let [gx, gy] = grid(x, y);
    let zoomed = lab.call(json!({"tool": "zoom", "region": [gx - 20, gy - 20, gx + 20, gy + 20]}));
    let (frame, zoom) = (picture(&zoomed["frame"]), picture(&zoomed["images"][0]));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a point of the view")]
    let (px, py) = (x as u32, y as u32);
    // Not in the middle, where the text is and the cursor may be.
    let (shown, enlarged) = (frame.at(px - 10, py - 10), zoom.at(zoom.width * 30 / 100, zoom.height * 15 / 100));
    let plain = Some([233, 238, 243]);
    assert_eq!((shown, enlarged), (plain, plain), "frame and zoom at {x} {y}");
}

#[test]
fn captures_of_scrolled_pages_show_the_view() {
    let mut lab = Lab::start();
    lab.page("clip-scrolled", |lab| {
        let scroll =
            json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 600], "direction": "down", "amount": 1667});
        assert_live(&lab.call(scroll), "scroll");
        check_shown(lab, 160.0, 1520.0 - 1200.0);
        let answer = lab.click_at(grid(160.0, 1520.0 - 1200.0), json!({}));
        assert_eq!(answer["hit"]["id"], "go", "{}", shortened(&answer));
    });
    lab.page("clip-wide", |lab| {
        let scroll =
            json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 600], "direction": "right", "amount": 800});
        assert_live(&lab.call(scroll), "scroll");
        check_shown(lab, 1980.0 - 1024.0, 320.0);
        let answer = lab.click_at(grid(1980.0 - 1024.0, 320.0), json!({}));
        assert_eq!(answer["hit"]["id"], "go", "{}", shortened(&answer));
    });
    lab.finish();
}

#[test]
fn a_busy_page_gets_every_click_once() {
    let mut lab = Lab::start();
    lab.page("busy", |lab| {
        assert_live(&lab.click("work"), "mutation");
        assert_eq!(lab.click("next")["ok"], true);
    });
    lab.page("busy-load", |lab| assert_eq!(lab.click("go")["ok"], true));
    lab.finish();
}

#[test]
fn the_viewport_is_the_one_asked_for() {
    let mut lab = Lab::start();
    lab.page("viewport", |lab| {
        let facts = lab.log()["facts"].clone();
        assert_eq!(facts["view"], json!({"width": 1280, "height": 720, "ratio": 1}));
        assert_eq!((&facts["wide"], &facts["hover"], &facts["fine"]), (&json!(true), &json!(true), &json!(true)));
        let view = lab.call(json!({"tool": "tab", "action": "view"}));
        let frame = picture(&view["frame"]);
        assert_eq!((frame.width, frame.height), (1280, 720));
        assert_eq!((frame.at(1279, 719), frame.at(1269, 709)), (Some([179, 38, 30]), Some([255, 255, 255])));
    });
    lab.finish();
}

#[test]
fn the_document_keeps_focus_and_visibility() {
    let mut lab = Lab::start();
    lab.page("focus-probe", |lab| {
        lab.click("field");
        lab.write("x");
        lab.wait(0.5);
        let first = lab.call(json!({"tool": "tab", "action": "view"}));
        let id = first["tabs"][0]["id"].clone();
        let second = lab.call(json!({"tool": "tab", "action": "open", "url": "about:blank"}));
        assert_eq!(second["ok"], true);
        let back = lab.call(json!({"tool": "tab", "action": "switch", "tab_id": id}));
        assert_eq!((&back["ok"], &back["focus"]["id"]), (&json!(true), &json!("field")), "{}", shortened(&back));
        let blank = second["tabs"].as_array().unwrap().iter().find(|tab| tab["active"] == true).unwrap()["id"].clone();
        lab.call(json!({"tool": "tab", "action": "close", "tab_id": blank}));
    });
    lab.finish();
}

#[test]
fn every_frame_shows_the_time_after_its_action() {
    let mut lab = Lab::start();
    lab.page("colour-pulse", |lab| {
        for colour in [[255, 0, 0], [0, 128, 0], [0, 0, 255], [255, 255, 0]] {
            let answer = lab.click("panel");
            assert_live(&answer, "mutation");
            assert_eq!(picture(&answer["frame"]).at(300, 150), Some(colour), "the frame is an old one");
        }
    });
    lab.finish();
}

#[test]
fn security_policies_are_no_obstacle_and_not_broken() {
    let mut lab = Lab::with(&["--set", "density_gate=always"]);
    for page in ["trusted-types", "csp-strict"] {
        lab.page(page, |lab| {
            lab.call(json!({"tool": "mouse", "coordinate": [500, 500]}));
            assert_live(&lab.click("go"), "mutation");
            lab.press("Tab");
        });
    }
    lab.finish();
}

#[test]
fn nothing_is_left_in_a_page_that_watches_itself() {
    let mut lab = Lab::start();
    lab.page("markers?quiet=1", |lab| {
        lab.call(json!({"tool": "mouse", "coordinate": [500, 500]}));
        lab.call(json!({"tool": "zoom", "region": [0, 0, 200, 200]}));
        assert_dead(&lab.click("go"));
        lab.call(json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 500]}));
        crate::effects::leave(lab);
    });
    lab.finish();
}

/// A page of a select, a file input and a crowd, whose title tells what was changed in it by anybody,
/// and its new globals after each press of a key.
const WATCHED: &str = "data:text/html,<!doctype html><title>untouched</title><body style='margin:40px'>\
    <select id=s><option>one<option>two</select> <input id=f type=file> <input id=d type=date>\
    <p><button id=a>A</button><button id=b>B</button><script>\
    const known=new Set(Object.getOwnPropertyNames(window));let count=0;\
    const watch=new MutationObserver((all)=>{count+=all.length;const one=all[0];\
    document.title='changed '+count+' '+one.type+' '+(one.attributeName||'')+' '+one.target.nodeName});\
    watch.observe(document.body,{subtree:true,childList:true,attributes:true,characterData:true});\
    watch.observe(document.documentElement,{childList:true,attributes:true});\
    addEventListener('keydown',()=>{const more=Object.getOwnPropertyNames(window).filter((name)=>!known.has(name)%26%26name!=='event');\
    if(more.length)document.title='globals '+more})</script>";

#[test]
fn interception_preview_and_probe_leave_no_marker() {
    let mut lab = Lab::with(&["--set", "density_gate=always", "--set", "no_effect_patience=0.2"]);
    lab.page_unjudged("markers", |lab| {
        let opened = lab.call(json!({"tool": "tab", "action": "open", "url": WATCHED}));
        assert_eq!((&opened["ok"], &opened["title"]), (&json!(true), &json!("untouched")));
        // Found by pointing at one place after the other along the line.
        let mut found = std::collections::BTreeMap::new();
        for y in [52.0, 95.0, 105.0] {
            for x in (44..600).step_by(12) {
                let answer = lab.call(json!({"tool": "mouse", "coordinate": grid(f64::from(x), y)}));
                if let Some(id) = answer["hit"]["id"].as_str() {
                    found.entry(id.to_string()).or_insert(grid(f64::from(x + 6), y));
                }
            }
        }
        let expect = |answer: &Value, kind: &str| {
            assert_eq!(
                (&answer["ok"], &answer["pending"]["kind"]),
                (&json!(true), &json!(kind)),
                "{}",
                shortened(answer)
            );
            assert_eq!(answer["title"], "untouched", "after {kind}");
        };
        for (id, kind) in [("s", "select"), ("f", "file"), ("d", "date"), ("a", "click")] {
            let mut answer = lab.click_at(found[id], json!({}));
            // In a crowd, the preview comes first.
            if answer["pending"]["kind"] == "click" && kind != "click" {
                assert_eq!(answer["title"], "untouched");
                answer = lab.call(json!({"tool": "mouse", "action": "confirm"}));
            }
            expect(&answer, kind);
        }
        let confirmed = lab.call(json!({"tool": "mouse", "action": "confirm"}));
        assert_effect(&confirmed, "no_effect");
        let pressed = lab.press("Escape");
        assert_eq!(pressed["title"], "untouched", "{}", shortened(&pressed));
    });
    lab.finish();
}

#[test]
fn a_dead_key_is_called_dead() {
    let mut lab = Lab::start();
    lab.page_unjudged("dead-button", |lab| {
        let answer = lab.press("F9");
        assert_effect(&answer, "no_effect");
        assert!(message(&answer).contains("WARNING"), "{}", shortened(&answer));
    });
    lab.finish();
}
