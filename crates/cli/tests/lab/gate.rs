//! The density gate: a click or drag where controls stand close together is shown before it is done,
//! and `mouse confirm` does what was shown or nothing. With it: overlays, and targets that move.

use serde_json::{Value, json};
use surehand_checks::picture::decode_png;
use surehand_types::Pixels;

use crate::driver::{Lab, assert_effect, assert_error, grid, shortened};
use crate::effects::{assert_dead, assert_live, message, quiet_page};

const YELLOW: [u8; 3] = [255, 212, 0];
const ORANGE: [u8; 3] = [255, 140, 0];
/// Nothing here waits for late effects, which other tests do.
const HASTY: [&str; 2] = ["--set", "no_effect_patience=0.2"];

fn lab(mode: &str) -> Lab {
    Lab::with(&["--set", &format!("density_gate={mode}"), HASTY[0], HASTY[1]])
}

fn confirm(lab: &mut Lab) -> Value {
    lab.call(json!({"tool": "mouse", "action": "confirm"}))
}

/// A click near the left edge of the seventh icon: in doubt whatever the mode.
fn doubtful(lab: &mut Lab) -> Value {
    let at = lab.part("i7", 0.15, 0.5);
    lab.click_at(at, json!({}))
}

/// Nothing was done, and the answer shows what would be.
#[track_caller]
fn assert_preview(answer: &Value, kind: &str) {
    assert_effect(answer, "refused");
    assert_eq!((&answer["effect"]["reason"], &answer["dispatched"]), (&json!("preview"), &Value::Null));
    let pending = &answer["pending"];
    assert_eq!((&pending["kind"], &pending["follow_up"]), (&json!(kind), &json!("mouse confirm")), "{pending}");
    assert_eq!(pending["hit"], answer["hit"]);
    assert!(message(answer).contains("previewed") && message(answer).contains("mouse confirm"), "{}", message(answer));
    let kinds: Vec<&str> = images(answer).iter().filter_map(|image| image["kind"].as_str()).collect();
    assert_eq!(kinds, ["preview", "preview_crop"]);
}

fn images(answer: &Value) -> &[Value] {
    answer["images"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn picture(image: &Value) -> Pixels {
    let pixels = decode_png(&std::fs::read(image["path"].as_str().unwrap()).unwrap()).unwrap();
    assert_eq!((&image["width"], &image["height"]), (&json!(pixels.width), &json!(pixels.height)));
    pixels
}

/// The smallest box around all pixels of a colour.
fn extent(pixels: &Pixels, colour: [u8; 3]) -> Option<[u32; 4]> {
    let places = (0..pixels.height).flat_map(|y| (0..pixels.width).map(move |x| (x, y)));
    let found = places.filter(|(x, y)| pixels.at(*x, *y) == Some(colour));
    found.fold(None, |extent: Option<[u32; 4]>, (x, y)| {
        let [x0, y0, x1, y1] = extent.unwrap_or([x, y, x, y]);
        Some([x0.min(x), y0.min(y), x1.max(x), y1.max(y)])
    })
}

/// Where a click is previewed, by mode: page, control, part of it across and down, always, smart.
const SPOTS: &[(&str, &str, f64, f64, bool, bool)] = &[
    ("toolbar", "i7", 0.5, 0.5, true, false),
    ("toolbar", "i7", 0.15, 0.5, true, true),
    ("dense-list", "r9", 0.5, 0.5, true, false),
    // On the text of a wide row, far from its centre and yet clearly in it; then at its lower edge.
    ("dense-list", "r9", 0.1, 0.5, true, false),
    ("dense-list", "r9", 0.5, 0.9, true, true),
    ("tiny-box", "box", 0.5, 0.5, true, false),
    ("tiny-box", "box", 0.2, 0.5, true, true),
    ("twins", "remove-rope", 0.5, 0.5, true, false),
    ("twins", "remove-rope", 0.5, 0.1, true, true),
    ("overlap", "upper", 0.3, 0.3, true, true),
    ("moves-later", "open", 0.5, 0.5, false, false),
    ("moves-later", "open", 0.5, 0.1, true, true),
    ("live-button", "go", 0.5, 0.5, false, false),
    ("dead-area", "panel", 0.5, 0.5, false, false),
];

fn presses_in(log: &Value) -> usize {
    log["events"].as_array().unwrap().iter().filter(|event| event["type"] == "mousedown").count()
}

fn check_mode(mode: &str, expects: impl Fn(bool, bool) -> bool) {
    let mut lab = lab(mode);
    for (page, id, across, down, always, smart) in SPOTS {
        lab.page_unjudged(&format!("{page}?quiet=0"), |lab| {
            let at = lab.part(id, *across, *down);
            let answer = lab.click_at(at, json!({}));
            if expects(*always, *smart) {
                assert_preview(&answer, "click");
                assert_eq!(answer["hit"]["id"], *id);
            } else {
                assert_eq!((&answer["ok"], &answer["pending"], images(&answer)), (&json!(true), &Value::Null, &[][..]));
                assert!(!answer["dispatched"].is_null(), "{}", shortened(&answer));
            }
            let presses = usize::from(!expects(*always, *smart));
            let log = lab.log_when(|log| presses_in(log) == presses);
            assert_eq!(presses_in(&log), presses, "presses at {across} {down}");
        });
    }
    lab.finish();
}

#[test]
fn always_previews_wherever_it_is_dense() {
    check_mode("always", |always, _| always);
}

#[test]
fn smart_lets_deliberate_clicks_pass() {
    check_mode("smart", |_, smart| smart);
}

#[test]
fn off_previews_nothing() {
    check_mode("off", |_, _| false);
}

#[test]
fn a_preview_shows_the_hit_and_its_neighbours() {
    let mut lab = lab("smart");
    lab.page_unjudged("toolbar", |lab| {
        let answer = doubtful(lab);
        assert_preview(&answer, "click");
        assert_eq!(answer["hit"]["descriptor"], "button \"7\"");
        let candidates = answer["candidates"].as_array().unwrap();
        let names: Vec<&str> = candidates.iter().filter_map(|candidate| candidate["descriptor"].as_str()).collect();
        let nearest = ["button \"6\"", "button \"8\"", "button \"5\"", "button \"9\"", "button \"4\""];
        assert_eq!(names, nearest, "the five nearest, nearest first");
        for (candidate, id) in candidates.iter().zip(["i6", "i8", "i5", "i9", "i4"]) {
            assert_eq!(candidate["center"], json!(lab.at(id)), "{id}");
        }

        let (preview, crop) = (picture(&images(&answer)[0]), picture(&images(&answer)[1]));
        assert_eq!((preview.width, preview.height, crop.width, crop.height), (1280, 720, 960, 540));
        let drawn = extent(&preview, YELLOW).unwrap();
        for (drawn, edge) in drawn.iter().zip(lab.pixels("i7")) {
            assert!((f64::from(*drawn) - edge).abs() <= 4.0, "yellow is at {drawn} and the hit's edge at {edge}");
        }
        let (left, right) = (lab.pixels("i4")[0], lab.pixels("i9")[2]);
        let [x0, _, x1, _] = extent(&preview, ORANGE).unwrap();
        assert!((f64::from(x0) - left).abs() <= 4.0 && (f64::from(x1) - right).abs() <= 4.0, "{x0} to {x1}");
        // The crop is enlarged three times, with the point in its middle as far as the view lets it.
        let [x0, y0, x1, y1] = extent(&crop, YELLOW).unwrap();
        assert!(x1 - x0 >= 36 && y1 - y0 >= 36, "yellow of {} by {}", x1 - x0, y1 - y0);
        assert!(extent(&crop, ORANGE).is_some());
        // The boxes are drawn into these pictures only.
        let frame = picture(&answer["frame"]);
        assert_eq!((extent(&frame, YELLOW), extent(&frame, ORANGE)), (None, None));
        let after = lab.call(json!({"tool": "tab", "action": "view"}));
        assert_eq!((extent(&picture(&after["frame"]), YELLOW), images(&after)), (None, &[][..]));
    });
    lab.finish();
}

#[test]
fn confirm_commits_exactly_one_click_on_what_was_shown() {
    let mut lab = lab("always");
    for (page, id) in [("toolbar", "i7"), ("dense-list", "r9"), ("tiny-box", "box"), ("twins", "remove-rope")] {
        quiet_page(&mut lab, page, |lab| {
            assert_preview(&lab.click(id), "click");
            let answer = confirm(lab);
            assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &Value::Null), "{}", shortened(&answer));
            assert!(!answer["dispatched"].is_null());
            assert_eq!(answer["hit"]["id"], id);
            assert_error(&confirm(lab), "nothing_pending");
        });
    }
    quiet_page(&mut lab, "overlap", |lab| {
        let at = lab.part("upper", 0.3, 0.3);
        let answer = lab.click_at(at, json!({}));
        assert_preview(&answer, "click");
        assert_eq!((&answer["hit"]["id"], &answer["hit"]["covers"]["id"]), (&json!("upper"), &json!("under")));
        assert_eq!(confirm(lab)["ok"], true);
    });
    lab.finish();
}

#[test]
fn confirm_without_a_preview_is_an_error() {
    let mut lab = lab("smart");
    lab.page_unjudged("toolbar", |lab| {
        let answer = confirm(lab);
        assert_error(&answer, "nothing_pending");
        assert_eq!((&answer["effect"]["status"], &answer["dispatched"]), (&json!("refused"), &Value::Null));
    });
    // Neither does a preview outlive its document.
    lab.page_unjudged("toolbar", |lab| {
        assert_preview(&doubtful(lab), "click");
        let refreshed = lab.call(json!({"tool": "tab", "action": "refresh"}));
        assert_eq!(refreshed["pending"], Value::Null);
        assert_error(&confirm(lab), "nothing_pending");
    });
    lab.page_unjudged("toolbar", |lab| {
        assert_preview(&doubtful(lab), "click");
        lab.call(json!({"tool": "tab", "action": "open", "url": lab.url("p/twins")}));
        assert_error(&confirm(lab), "nothing_pending");
        assert_eq!(lab.events("mousedown", "i7"), Vec::<Value>::new());
    });
    lab.finish();
}

#[test]
fn a_target_that_moved_is_not_clicked() {
    let mut lab = lab("smart");
    lab.page("moves-later?quiet=0", |lab| {
        let before = lab.pixels("open");
        let at = lab.part("open", 0.5, 0.1);
        let shown = lab.click_at(at, json!({}));
        assert_preview(&shown, "click");
        lab.wait_until("the buttons to move", |log| log["facts"]["boxes"]["open"][1].as_f64() > Some(before[1]));
        for _ in 0..2 {
            let answer = confirm(lab);
            assert_error(&answer, "target_changed");
            assert_eq!(answer["dispatched"], Value::Null);
            assert_eq!(
                (&answer["pending"]["kind"], &answer["pending"]["hit"]["id"]),
                (&json!("click"), &json!("open"))
            );
            assert!(message(&answer).contains("Delete"), "what is there now: {}", message(&answer));
        }
        assert_eq!(lab.events("mousedown", "delete"), Vec::<Value>::new());
        // Aimed again, it is where it is.
        let answer = lab.click("open");
        assert_eq!(
            (&answer["pending"], &answer["hit"]["id"]),
            (&Value::Null, &json!("open")),
            "{}",
            shortened(&answer)
        );
    });
    lab.finish();
}

#[test]
fn looking_and_mistakes_keep_a_preview() {
    let mut lab = lab("smart");
    quiet_page(&mut lab, "toolbar", |lab| {
        let shown = doubtful(lab);
        assert_preview(&shown, "click");
        for call in [
            json!({"tool": "wait", "seconds": 0.1}),
            json!({"tool": "zoom", "region": [100, 100, 300, 300]}),
            json!({"tool": "tab", "action": "view"}),
            json!({"tool": "tab", "action": "list"}),
        ] {
            let answer = lab.call(call.clone());
            assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &shown["pending"]), "{call}");
            assert!(!message(&answer).contains("dropped"), "{}", message(&answer));
        }
        for call in [
            json!({"tool": "mouse", "action": "click", "coordinate": [1, 2, 3]}),
            json!({"tool": "mouse", "action": "hop"}),
            json!({"tool": "keyboard", "action": "press"}),
        ] {
            assert_error(&lab.call(call), "invalid_call");
        }
        let view = lab.call(json!({"tool": "tab", "action": "view"}));
        assert_eq!(view["pending"], shown["pending"]);
        assert_eq!(confirm(lab)["ok"], true);
    });
    lab.finish();
}

#[test]
fn another_action_drops_a_preview_and_names_what_was_near() {
    let mut lab = lab("smart");
    for other in [
        json!({"tool": "mouse", "coordinate": [500, 500]}),
        json!({"tool": "mouse", "action": "click", "coordinate": [500, 500]}),
        json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 500]}),
        json!({"tool": "mouse", "action": "reset"}),
        json!({"tool": "keyboard", "action": "press", "key": "Escape"}),
    ] {
        lab.page_unjudged("toolbar", |lab| {
            let shown = doubtful(lab);
            assert_preview(&shown, "click");
            let answer = lab.call(other.clone());
            assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &Value::Null), "{other}");
            let [x, y] = lab.at("i6");
            let dropped = format!("the previewed action was dropped, near it were button \"6\" at [{x}, {y}]");
            assert!(message(&answer).contains(&dropped), "{other}: {}", message(&answer));
            for candidate in shown["candidates"].as_array().unwrap() {
                assert!(answer["candidates"].as_array().unwrap().contains(candidate), "{other}: no {candidate}");
            }
            assert_error(&confirm(lab), "nothing_pending");
        });
    }
    // A click in doubt elsewhere takes its place.
    quiet_page(&mut lab, "toolbar", |lab| {
        let at = lab.part("i3", 0.15, 0.5);
        assert_preview(&lab.click_at(at, json!({})), "click");
        let answer = doubtful(lab);
        assert_preview(&answer, "click");
        assert_eq!(answer["pending"]["hit"]["id"], "i7");
        assert!(message(&answer).contains("the previewed action was dropped"), "{}", message(&answer));
        assert_eq!(confirm(lab)["ok"], true);
    });
    lab.finish();
}

#[test]
fn drags_are_gated_at_both_ends() {
    let mut lab = lab("smart");
    for crowded_start in [true, false] {
        lab.page_unjudged("dense-list?quiet=0", |lab| {
            let (row, free) = (lab.part("r3", 0.2, 0.9), [700, 700]);
            let (from, to) = if crowded_start { (row, free) } else { (free, row) };
            let answer = lab.drag(from, to);
            assert_preview(&answer, "drag");
            assert!(message(&answer).contains("link \"Entry 3\""), "{}", message(&answer));
            let crop = picture(&images(&answer)[1]);
            assert!(extent(&crop, YELLOW).is_some() && extent(&crop, ORANGE).is_some(), "the crop shows the crowd");
            assert_eq!(lab.log()["events"], json!([]), "nothing was pressed");
            let answer = confirm(lab);
            assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &Value::Null), "{}", shortened(&answer));
            assert!(answer["dispatched"]["from"].is_object());
            let released = |log: &Value| log.to_string().contains("mouseup") || log.to_string().contains("dragend");
            assert_eq!(presses_in(&lab.wait_until("the release", released)), 1);
        });
    }
    lab.page_unjudged("dead-area", |lab| {
        let answer = lab.drag(lab.part("panel", 0.2, 0.5), lab.part("panel", 0.8, 0.5));
        assert_eq!((&answer["ok"], &answer["pending"]), (&json!(true), &Value::Null), "{}", shortened(&answer));
    });
    lab.finish();
}

#[test]
fn a_button_that_runs_away_is_missed_and_said_to_be_missed() {
    let mut lab = Lab::with(&HASTY);
    lab.page("runs-away?quiet=0", |lab| {
        for jumps in 1..=3 {
            let answer = lab.click("go");
            assert_ne!(answer["hit"]["id"], "go", "it had gone when the pointer came: {}", shortened(&answer));
            lab.wait_until("a jump", |log| log["facts"]["jumps"] == jumps);
        }
        assert_eq!(lab.click("go")["hit"]["id"], "go");
    });
    lab.finish();
}

#[test]
fn an_overlay_is_named_with_what_it_covers() {
    let mut lab = lab("smart");
    quiet_page(&mut lab, "overlay", |lab| {
        let answer = lab.click("go");
        assert_dead(&answer);
        let hit = &answer["hit"];
        assert_eq!((&hit["id"], &hit["covers"]["descriptor"]), (&json!("layer"), &json!("button \"Save\"")));
        let [left, top, right, bottom] = lab.pixels("go");
        let ([x0, y0], [x1, y1]) = (grid(left, top), grid(right, bottom));
        assert_eq!(hit["covers"]["box"], json!([x0, y0, x1, y1]));
        assert!(message(&answer).contains("received by div#layer, not by button \"Save\""), "{}", message(&answer));
    });
    quiet_page(&mut lab, "overlay-banner", |lab| {
        let answer = lab.click("save");
        assert_dead(&answer);
        assert!(message(&answer).contains("not by button \"Save\""), "{}", message(&answer));
        assert_live(&lab.click("ok"), "mutation");
        let answer = lab.click("save");
        assert_eq!((&answer["hit"]["id"], &answer["hit"]["covers"]), (&json!("save"), &Value::Null));
    });
    // A layer that lets clicks through covers nothing.
    quiet_page(&mut lab, "through-layer", |lab| {
        let answer = lab.click("go");
        assert_live(&answer, "mutation");
        assert_eq!((&answer["hit"]["id"], &answer["hit"]["covers"]), (&json!("go"), &Value::Null));
    });
    lab.finish();
}

#[test]
fn hover_comes_before_the_press() {
    let mut lab = lab("smart");
    quiet_page(&mut lab, "hover-swap", |lab| {
        let answer = lab.click("spot");
        assert_eq!(answer["hit"]["id"], "full", "the hit is read after the hover: {}", shortened(&answer));
    });
    lab.page("hover-menu?quiet=0", |lab| {
        let answer = lab.move_to("bar");
        assert_eq!(answer["hit"]["id"], "file");
        assert_live(&answer, "hover");
        let at = lab.at("export");
        let answer = lab.click_at(at, json!({}));
        assert_eq!(answer["hit"]["id"], "export", "{}", shortened(&answer));
        if !answer["pending"].is_null() {
            assert_eq!(confirm(lab)["ok"], true);
        }
    });
    quiet_page(&mut lab, "hover-row", |lab| {
        let answer = lab.click("archive-b");
        assert_eq!(answer["hit"]["id"], "archive-b", "{}", shortened(&answer));
        if !answer["pending"].is_null() {
            assert_eq!(confirm(lab)["ok"], true);
        }
    });
    lab.finish();
}

#[test]
fn targets_that_come_late_or_are_rebuilt_are_hit() {
    let mut lab = Lab::with(&HASTY);
    lab.page("appears-late?quiet=0", |lab| {
        lab.wait_until("the late button", |log| log["facts"]["boxes"]["late"].is_array());
        assert_eq!(lab.click("late")["hit"]["id"], "late");
    });
    quiet_page(&mut lab, "replaced", |lab| {
        let answer = lab.click("place");
        assert_eq!((&answer["ok"], &answer["hit"]["id"]), (&json!(true), &json!("go")), "{}", shortened(&answer));
    });
    lab.finish();
}
