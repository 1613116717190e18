//! Tabs, popups, history, and pages that do not load.

use std::time::Duration;

use serde_json::json;
use surehand_env::browser::{BrowserOptions, Timing};
use surehand_types::ErrorCode;

use crate::support::Driver;

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        r#"<!doctype html><title>one</title><a href="/two">Two</a> <button onclick="window.open('/two')">Popup</button> <button onclick="window.open('/closer')">Closer</button> <a href="/never">Never</a>"#,
    ),
    ("/two", "<!doctype html><title>two</title><button>Second</button>"),
    ("/closer", "<!doctype html><title>closer</title><button onclick='window.close()'>Bye</button>"),
];

fn active(outcome: &crate::support::Outcome) -> (String, usize) {
    let tabs = &outcome.observation.tabs;
    (tabs.iter().find(|tab| tab.active).unwrap().id.clone(), tabs.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_link_settles_on_the_new_page_and_history_moves() {
    let mut driver = Driver::open_with(PAGES, BrowserOptions::default()).await;
    let outcome = driver.click_on("Two").await;
    assert_eq!(outcome.observation.title.as_deref(), Some("two"));
    assert!(outcome.happenings.page_changed.new_document);
    let back = driver.call(json!({"tool": "tab", "action": "back"})).await;
    assert_eq!(back.observation.title.as_deref(), Some("one"));
    let forward = driver.call(json!({"tool": "tab", "action": "forward"})).await;
    assert_eq!(forward.observation.title.as_deref(), Some("two"));
    let failure = driver.try_call(json!({"tool": "tab", "action": "forward"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NavigationFailed);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn popups_are_attached_and_reported_but_never_become_active_by_themselves() {
    let mut driver = Driver::open_with(PAGES, BrowserOptions::default()).await;
    let mut outcome = driver.click_on("Popup").await;
    for _ in 0..20 {
        if !outcome.happenings.opened.is_empty() {
            break;
        }
        outcome = driver.call(json!({"tool": "wait", "seconds": 0.1})).await;
    }
    assert_eq!(
        (outcome.happenings.opened.as_slice(), active(&outcome)),
        (["t2".to_string()].as_slice(), ("t1".into(), 2))
    );
    let switched = driver.call(json!({"tool": "tab", "action": "switch", "tab_id": "t2"})).await;
    assert_eq!(switched.observation.title.as_deref(), Some("two"));
    assert_eq!((switched.observation.view.width, switched.observation.view.height), (1280, 720));
    driver.click_on("Second").await;
    let closed = driver.call(json!({"tool": "tab", "action": "close"})).await;
    assert_eq!((active(&closed), closed.observation.title.as_deref()), (("t1".into(), 1), Some("one")));
    let refused = driver.try_call(json!({"tool": "tab", "action": "close"})).await.err().unwrap();
    assert_eq!(refused.code, ErrorCode::Denied);
    let unknown = driver.try_call(json!({"tool": "tab", "action": "switch", "tab_id": "t9"})).await.err().unwrap();
    assert_eq!(unknown.code, ErrorCode::UnknownTab);
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_closes_itself_gives_way_to_the_last_used_one() {
    let mut driver = Driver::open_with(PAGES, BrowserOptions::default()).await;
    driver.click_on("Closer").await;
    let url = driver.pages.url("/two");
    let opened = driver.call(json!({"tool": "tab", "action": "open", "url": url})).await;
    assert_eq!((active(&opened).1, opened.observation.title.as_deref()), (3, Some("two")));
    driver.call(json!({"tool": "tab", "action": "switch", "tab_id": "t2"})).await;
    let mut outcome = driver.click_on("Bye").await;
    for _ in 0..50 {
        if outcome.observation.tabs.len() == 2 {
            break;
        }
        outcome = driver.call(json!({"tool": "wait", "seconds": 0.1})).await;
    }
    assert_eq!((active(&outcome), outcome.observation.title.as_deref()), (("t3".into(), 2), Some("two")));
    driver.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_do_not_load_cost_their_deadline_and_nothing_else() {
    let timing = Timing { navigation: Duration::from_secs(2), settle_cap: Duration::from_secs(1), ..Timing::default() };
    let mut driver = Driver::open_with(PAGES, BrowserOptions { timing, ..BrowserOptions::default() }).await;
    let failure =
        driver.try_call(json!({"tool": "tab", "action": "open", "url": "http://127.0.0.1:9/"})).await.err().unwrap();
    assert_eq!(failure.code, ErrorCode::NavigationFailed);
    let listed = driver.call(json!({"tool": "tab", "action": "list"})).await;
    assert_eq!(active(&listed), ("t1".into(), 1), "a failed open changes nothing");
    let outcome = driver.click_on("Never").await;
    assert_eq!(outcome.observation.title.as_deref(), Some("half"));
    assert!(outcome.observation.interactables.iter().any(|item| item.name == "Half"));
    driver.close().await;
}
