//! Pages that are left by an action: the document may be gone before the action is over, and that
//! is an effect, never an error.

use serde_json::{Value, json};

use crate::driver::{Lab, assert_effect, shortened};
use crate::effects::{assert_live, kinds, message};

fn tab(lab: &mut Lab, action: &str) -> Value {
    lab.call(json!({"tool": "tab", "action": action}))
}

#[test]
fn a_click_that_leaves_the_page_is_confirmed_by_it() {
    let mut lab = Lab::start();
    for (page, id, landed) in [
        ("nav-link", "link", "link"),
        ("nav-mousedown", "go", "press"),
        ("nav-slow", "link", "slow"),
        // Its log would be evidence enough to end the wait before it leaves.
        ("nav-late?quiet=1", "go", "late"),
        ("nav-reload", "go", "again"),
        ("redirect", "link", "redirect"),
    ] {
        lab.page(page, |lab| {
            let answer = lab.click(id);
            assert_live(&answer, "navigation");
            // The answer shows the page that was come to.
            let url = answer["url"].as_str().unwrap();
            assert!(url.contains(&format!("landed={landed}")) || url.contains("/slow/"), "{url}");
            assert_eq!(lab.fact("landed"), landed);
        });
    }
    lab.finish();
}

#[test]
fn a_form_is_sent_by_a_click_and_by_enter() {
    let mut lab = Lab::start();
    lab.page("nav-post", |lab| {
        lab.click("bird");
        lab.write("gull");
        assert_live(&lab.click("send"), "navigation");
        assert_eq!(lab.fact("posted"), "bird=gull");
    });
    lab.page_unjudged("nav-post", |lab| {
        lab.click("bird");
        lab.write("tern");
        assert_live(&lab.press("Enter"), "navigation");
        assert_eq!(lab.fact("posted"), "bird=tern");
    });
    lab.finish();
}

#[test]
fn an_address_can_change_without_a_navigation() {
    let mut lab = Lab::start();
    lab.page("nav-push", |lab| {
        let answer = lab.click("go");
        assert_live(&answer, "url");
        assert!(answer["url"].as_str().unwrap().ends_with("/p/nav-push?chapter=2"), "{}", answer["url"]);
        assert!(!kinds(&answer).contains(&"navigation"), "{}", shortened(&answer));
    });
    lab.page("nav-push-back", |lab| {
        assert_live(&lab.click("go"), "url");
        let back = tab(lab, "back");
        assert_effect(&back, "confirmed");
        assert!(back["url"].as_str().unwrap().ends_with("/p/nav-push-back"), "{}", back["url"]);
    });
    lab.page("nav-hash", |lab| {
        let answer = lab.click("link");
        assert_live(&answer, "url");
        assert!(kinds(&answer).contains(&"scroll"), "{}", shortened(&answer));
        assert!(answer["url"].as_str().unwrap().ends_with("#lower"));
    });
    lab.finish();
}

#[test]
fn back_forward_and_refresh_lead_where_they_say() {
    let mut lab = Lab::start();
    lab.page_unjudged("nav-link", |lab| {
        assert_live(&lab.click("link"), "navigation");
        let back = tab(lab, "back");
        assert_eq!(back["ok"], true, "{}", shortened(&back));
        assert!(back["url"].as_str().unwrap().ends_with("/p/nav-link"), "{}", back["url"]);
        let forward = tab(lab, "forward");
        assert!(forward["url"].as_str().unwrap().ends_with("?landed=link"), "{}", forward["url"]);
        let loads = lab.log()["loads"].clone();
        tab(lab, "back");
        let refreshed = tab(lab, "refresh");
        assert_eq!(refreshed["ok"], true);
        assert!(refreshed["url"].as_str().unwrap().ends_with("/p/nav-link"));
        assert!(lab.log()["loads"].as_u64() > loads.as_u64(), "the page was loaded again");
    });
    lab.finish();
}

#[test]
fn a_link_that_leads_nowhere_shows_the_error_page() {
    let mut lab = Lab::start();
    lab.page_unjudged("nav-refused", |lab| {
        let answer = lab.click("link");
        assert_effect(&answer, "confirmed");
        assert!(!message(&answer).contains("WARNING"), "{}", message(&answer));
        assert_eq!(lab.solved()["check"]["ok"], true);
        // The page that came instead can be left again.
        let back = tab(lab, "back");
        assert_eq!(back["ok"], true, "{}", shortened(&back));
    });
    lab.finish();
}

#[test]
fn slow_and_endless_answers_are_not_waited_for_for_ever() {
    let mut lab = Lab::start();
    lab.page("slow-fetch", |lab| {
        let answer = lab.click("go");
        assert_effect(&answer, "confirmed");
        assert!(kinds(&answer).iter().any(|kind| kind.starts_with("request")), "{}", shortened(&answer));
    });
    lab.page("never-loads", |lab| {
        let answer = lab.click("go");
        assert_eq!(answer["ok"], true);
    });
    lab.page("never-fetch", |lab| assert_live(&lab.click("go"), "mutation"));
    lab.finish();
}

#[test]
fn downloads_are_kept_and_reported() {
    let mut lab = Lab::start();
    for (page, id, name, content) in [
        ("download-plain", "link", "tide-table.csv", "hour,metres\n03:10,4.2\n09:25,1.1\n"),
        ("download-named", "link", "Gézeiten 潮.txt", "high water 03:10\n"),
        ("download-page", "link", "saved.html", "<!DOCTYPE html><title>Saved</title><p>A page."),
        ("download-blob", "go", "log.txt", "three boats\n"),
    ] {
        lab.page(page, |lab| {
            let answer = lab.click(id);
            assert_live(&answer, "download");
            let downloads = answer["downloads"].as_array().unwrap();
            assert_eq!(downloads.len(), 1, "{}", shortened(&answer));
            let path = downloads[0]["path"].as_str().unwrap();
            assert!(path.ends_with(name), "{path}");
            assert_eq!(std::fs::read_to_string(path).unwrap(), content);
            assert_eq!(downloads[0]["bytes"], content.len());
            assert!(
                answer["url"].as_str().unwrap().ends_with(&format!("/p/{page}")),
                "the page stays: {}",
                answer["url"]
            );
        });
    }
    lab.finish();
}
