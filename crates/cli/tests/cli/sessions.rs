//! Named profiles: what a site stored is there in the next run, and one profile is never used by
//! two at a time.

use serde_json::json;

use crate::bench::Bench;
use crate::crm::done;
use crate::pages::{Page, PageServer};
use crate::tools_client::Tools;

const PAGE: &str = "<!doctype html><title>Cookies</title>";
const COOKIE: &str = "set-cookie: visitor=known; Max-Age=86400; Path=/";

/// Whether each request for the page came with the cookie.
fn known(server: &PageServer) -> Vec<bool> {
    let pages = server.requests().into_iter().filter(|head| head.starts_with("GET / "));
    pages.map(|head| head.contains("visitor=known")).collect()
}

#[test]
fn a_session_keeps_its_cookies_and_others_do_not() {
    let bench = Bench::new();
    let server = PageServer::start(&[("/", Page::With(COOKIE, PAGE))]);
    let script = bench.script(&[done(true)]);
    for more in [&["--session", "work"][..], &["--session", "work"], &[], &["--session", "other"]] {
        bench.run(&server.url(), &script, more).expect_end(0, "done");
    }
    assert_eq!(known(&server), [false, true, false, false]);
    bench.expect_nothing_left();
}

#[test]
fn a_session_in_use_is_refused_and_left_alone() {
    let bench = Bench::new();
    let server = PageServer::start(&[("/", Page::With(COOKIE, PAGE))]);
    let mut tools = Tools::start(&bench, &["--url", &server.url(), "--session", "work"]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    let owners = bench.owners();
    let lock = bench.data().join("sessions/work/lock");
    let holder = std::fs::read_to_string(&lock).unwrap();
    assert_eq!(holder, tools.pid().to_string());

    let script = bench.script(&[done(true)]);
    let refused = bench.run(&server.url(), &script, &["--session", "work"]);
    refused.expect(4).expect_sentence(&format!("the session \"work\" is in use by process {holder}"));
    assert_eq!(std::fs::read_to_string(&lock).unwrap(), holder);
    assert_eq!(bench.owners(), owners);
    assert_eq!(bench.rows(), Vec::<serde_json::Value>::new());
    assert_eq!(known(&server), [false], "the second one never got to the page");

    let again = tools.ask(json!({"id": 2, "tool": "tab", "action": "refresh"}));
    assert_eq!((&again["ok"], &again["title"]), (&json!(true), &json!("Cookies")));
    tools.close().expect(0);
    bench.run(&server.url(), &script, &["--session", "work"]).expect_end(0, "done");
    assert_eq!(known(&server), [false, true, true]);
}

#[test]
fn a_session_of_a_killed_process_is_free_again() {
    let bench = Bench::new();
    let server = PageServer::start(&[("/", Page::With(COOKIE, PAGE))]);
    let mut tools = Tools::start(&bench, &["--url", &server.url(), "--session", "work"]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    let browser = bench.owners()[0].browser;
    crate::processes::signal_group(browser, rustix::process::Signal::STOP);
    tools.signal(rustix::process::Signal::KILL);
    assert_eq!(tools.ended().code, None);
    bench.run(&server.url(), &bench.script(&[done(true)]), &["--session", "work"]).expect_end(0, "done");
    assert!(crate::processes::group(browser).is_empty(), "the old browser still has the profile");
    bench.expect_nothing_left();
}
