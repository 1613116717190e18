//! `surehand session`: login state goes out of a session and into another one, without a single
//! request to the site, and what cannot be used is refused as a whole.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::crm::done;
use crate::pages::{Page, PageServer};
use crate::processes;
use crate::tools_client::Tools;

/// Shows what is stored, stores something, and has two cookies: one that lasts and one that does not.
const PAGE: &str = "<!doctype html><title>-</title><script>\
    document.title = localStorage.getItem('length') || 'empty';\
    localStorage.setItem('length', 'kept \u{1f600}');\
    if (!document.cookie.includes('ending')) document.cookie = 'ending=2';</script>";
const COOKIE: &str = "set-cookie: lasting=1; Max-Age=86400; HttpOnly";

fn site() -> PageServer {
    PageServer::start(&[("/", Page::With(COOKIE, PAGE))])
}

/// Opens the site in a session and says what the page was called.
fn visit(bench: &Bench, server: &PageServer, session: &str) -> String {
    let mut tools = Tools::start(bench, &["--url", &server.url(), "--session", session]);
    let answer = tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    tools.close().expect(0);
    answer["title"].as_str().unwrap().to_string()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o777
}

fn cookie_lines(server: &PageServer) -> Vec<String> {
    let heads = server.requests().into_iter().filter(|head| head.starts_with("GET / "));
    let cookie = |head: String| {
        let line = head.lines().find(|line| line.to_lowercase().starts_with("cookie:")).map(str::to_string);
        line.map(|line| line[7..].trim().to_string()).unwrap_or_default()
    };
    heads.map(cookie).collect()
}

#[test]
fn state_goes_from_one_session_to_another_without_a_request() {
    let (bench, server) = (Bench::new(), site());
    assert_eq!(visit(&bench, &server, "work"), "empty");
    let before = server.requests().len();

    let file = bench.path("state.json");
    let name = file.to_str().unwrap();
    let told = bench.surehand(&["session", "export", "work", "-o", name]);
    assert!(told.expect(0).stdout.contains("2 cookies and 1 origin"), "{}", told.stdout);
    assert_eq!(mode(&file), 0o600);
    let state = read(&file);
    let mut names: Vec<(&str, bool)> = state["cookies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cookie| (cookie["name"].as_str().unwrap(), cookie["expires"] == json!(-1)))
        .collect();
    names.sort_unstable();
    assert_eq!(names, [("ending", true), ("lasting", false)]);
    let origin = server.url().trim_end_matches('/').to_string();
    assert_eq!(
        state["origins"],
        json!([{"origin": origin, "localStorage": [{"name": "length", "value": "kept \u{1f600}"}]}])
    );

    bench.surehand(&["session", "import", "copy", name]).expect(0);
    assert_eq!(server.requests().len(), before, "neither of them asked the site for anything");
    assert_eq!(visit(&bench, &server, "copy"), "kept \u{1f600}");
    let last = cookie_lines(&server).pop().unwrap();
    assert!(last.contains("lasting=1") && last.contains("ending=2"), "{last}");

    let listed: Vec<Value> = bench.surehand(&["session", "ls", "--json"]).expect(0).lines();
    let names: Vec<&Value> = listed.iter().map(|session| &session["name"]).collect();
    assert_eq!(names, ["copy", "work"]);
    assert_eq!((&listed[0]["origins"], &listed[0]["used_by"]), (&json!(1), &Value::Null));
    bench.surehand(&["session", "rm", "work", "copy"]).expect(0);
    assert_eq!(std::fs::read_dir(bench.data().join("sessions")).unwrap().count(), 0);
    bench.expect_nothing_left();
}

#[test]
fn an_import_adds_and_a_session_keeps_cookies_that_end_with_a_browser() {
    let (bench, server) = (Bench::new(), site());
    visit(&bench, &server, "work");
    visit(&bench, &server, "work");
    let second = cookie_lines(&server).pop().unwrap();
    assert!(second.contains("ending=2"), "a login of a session cookie is gone: {second}");

    let host = server.url().split(['/', ':']).nth(3).unwrap().to_string();
    let cookie = |name: &str, value: &str, expires: f64| {
        json!({"name": name, "value": value, "domain": host, "path": "/", "expires": expires,
               "httpOnly": false, "secure": false, "sameSite": "Lax"})
    };
    let state = json!({"cookies": [cookie("lasting", "new", 4e9), cookie("more", "3", -1.0)], "origins": []});
    let file = bench.write("more.json", &state.to_string());
    bench.surehand(&["session", "import", "work", file.to_str().unwrap()]).expect(0);
    visit(&bench, &server, "work");
    let third = cookie_lines(&server).pop().unwrap();
    for part in ["ending=2", "lasting=new", "more=3"] {
        assert!(third.contains(part), "{part} in {third}");
    }
    for path in ["", "lock", "origins.json", "session_cookies.json", "profile"] {
        let path = bench.data().join("sessions/work").join(path);
        assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn a_state_that_cannot_be_used_changes_nothing() {
    let bench = Bench::new();
    let cookie = json!({"name": "a", "value": "1", "domain": "x.test", "path": "/", "expires": 4e9});
    let with = |name: &str, value: Value| {
        let mut cookie = cookie.clone();
        cookie[name] = value;
        json!({"cookies": [{"name": "good", "value": "1", "domain": "x.test"}, cookie]}).to_string()
    };
    let large = json!({"origins": [{"origin": "https://x.test", "localStorage": [{"name": "k", "value": "x".repeat(6_000_000)}]}]});
    let cases = [
        ("garbage".to_string(), "no JSON"),
        ("[]".to_string(), "not an object"),
        (with("sameSite", json!("Sometimes")), "only Strict, Lax and None"),
        (with("value", json!(5)), "cookies[1].value is not a text"),
        (with("name", json!("__Host-a")), "refuses the cookie \"__Host-a\""),
        (with("value", json!("x".repeat(5000))), "refuses the cookie \"a\""),
        (with("domain", json!(".com")), "refuses the cookie"),
        (large.to_string(), "local storage of https://x.test"),
    ];
    for (text, part) in &cases {
        let file = bench.write("state.json", text);
        let ended = bench.surehand(&["session", "import", "fresh", file.to_str().unwrap()]);
        ended.expect(2).expect_sentence(part);
        assert!(!bench.data().join("sessions/fresh").exists(), "{part}: half a session is left");
    }
    for (name, part) in [("../x", "not a session name"), ("a/b", "not a session name"), ("none", "no session")] {
        bench.surehand(&["session", "export", name, "-o", "out.json"]).expect(2).expect_sentence(part);
        bench.surehand(&["session", "rm", name]).expect(2).expect_sentence(part);
    }
    bench.surehand(&["session", "import", "x", "/dev/null"]).expect(2).expect_sentence("regular file");
    bench.surehand(&["session", "import", "x", "missing.json"]).expect(2).expect_sentence("missing.json");
    bench.expect_nothing_left();
}

#[test]
fn an_export_goes_only_to_a_file_of_its_own() {
    let (bench, server) = (Bench::new(), site());
    visit(&bench, &server, "work");
    let other = bench.write("other.json", "other");
    symlink(&other, bench.path("link.json")).unwrap();
    bench.surehand(&["session", "export", "work", "-o", "link.json"]).expect(2).expect_sentence("symbolic link");
    bench.surehand(&["session", "export", "work", "-o", "."]).expect(2).expect_sentence("not a file");
    bench.surehand(&["session", "export", "work", "-o", "no/x.json"]).expect(2).expect_sentence("does not exist");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "other");
    // One that was there, and open to all, is replaced by a private one.
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o666)).unwrap();
    bench.surehand(&["session", "export", "work", "-o", "other.json"]).expect(0);
    assert_eq!(mode(&other), 0o600);
    assert!(read(&other)["cookies"].is_array());
}

#[test]
fn a_session_in_use_is_neither_exported_nor_removed() {
    let (bench, server) = (Bench::new(), site());
    let mut tools = Tools::start(&bench, &["--url", &server.url(), "--session", "work"]);
    tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
    let in_use = format!("the session \"work\" is in use by process {}", tools.pid());
    let listed = bench.surehand(&["session"]);
    assert!(listed.expect(0).stdout.contains(&format!("process {}", tools.pid())), "{}", listed.stdout);
    let file = bench.write("empty.json", "{\"cookies\": []}");
    for arguments in [
        &["session", "rm", "work"][..],
        &["session", "export", "work", "-o", "out.json"],
        &["session", "import", "work", file.to_str().unwrap()],
    ] {
        bench.surehand(arguments).expect(4).expect_sentence(&in_use);
    }
    assert!(!bench.path("out.json").exists());
    tools.ask(json!({"id": 2, "tool": "tab", "action": "refresh"}));
    tools.close().expect(0);
    bench.surehand(&["session", "rm", "work"]).expect(0);
}

/// What a browser left in the temporary folder, also one that was killed, is gone with it.
#[test]
fn the_temporary_folder_is_left_as_it_was() {
    let (bench, server) = (Bench::new(), site());
    let left = || -> Vec<String> {
        let entries = std::fs::read_dir(bench.path("tmp")).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| !name.starts_with("surehand-tools-")).collect()
    };
    bench.run(&server.url(), &bench.script(&[done(true)]), &[]).expect_end(0, "done");
    assert_eq!(left(), Vec::<String>::new());
    for session in [&[][..], &["--session", "work"]] {
        let mut arguments = vec!["--url"];
        let url = server.url();
        arguments.push(&url);
        arguments.extend(session);
        let mut tools = Tools::start(&bench, &arguments);
        tools.ask(json!({"id": 1, "tool": "tab", "action": "view"}));
        assert!(left().iter().all(|name| name.starts_with("surehand-profile-")), "{:?}", left());
        let browser = bench.owners()[0].browser;
        processes::signal_group(browser, Signal::STOP);
        tools.signal(Signal::KILL);
        assert_eq!(tools.ended().code, None);
        assert_eq!(left().len(), 1, "its folder waits for the next start");
        bench.run(&server.url(), &bench.script(&[done(true)]), session).expect_end(0, "done");
        eventually("the folders to be gone", || left().is_empty());
    }
    let last = cookie_lines(&server).pop().unwrap();
    assert!(last.is_empty() || last.contains("lasting"), "the profile of a killed browser still works: {last}");
}
