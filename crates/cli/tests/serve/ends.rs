//! How a server ends: asked to, killed, or abandoned by whoever waited.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, done, patient_brain, site};

#[test]
fn a_killed_server_is_followed_by_one_that_knows_what_was_lost_and_goes_on_with_the_rest() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let (first, second) = (service.submit(&request), service.submit(&request));
    eventually("the first step", || service.run(&first)["steps"] == 1);
    let seen = service.events(&first, None, 5);
    service.running.signal(Signal::KILL);
    service.running.wait();

    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &["--slots", "1"]);
    assert_eq!(service.run(&first)["status"], "interrupted");
    assert_eq!(service.events(&first, None, 5), seen, "nothing that was told before is gone");
    assert_eq!(service.until(&second, &["ended"])["success"], true);
    let result = json!({"action": "result", "run_id": first});
    service.post("/v1/predict", &result).expect_error(409, "not_ended");
    // What is changed on the instance meanwhile is for runs that begin later.
    let off = json!({"toggles": {"loop_recovery": "off"}}).to_string();
    service.ask("PUT", "/v1/toggles", &[("content-type", "application/json")], &off).expect(200);
    service.steer(&first, "resume", &json!({})).expect(200);
    let ended = service.until(&first, &["ended"]);
    assert_eq!(ended["result"]["toggles"], service.run(&second)["result"]["toggles"], "it keeps what it began with");
    let third = service.submit(&request);
    assert_eq!(service.until(&third, &["ended"])["result"]["toggles"]["loop_recovery"], "off");
    assert_eq!(ended["success"], true);
    let steps: Vec<&Value> =
        ended["result"]["trajectory"].as_array().unwrap().iter().map(|step| &step["step"]).collect();
    assert_eq!(steps, [&json!(1), &json!(2)], "its numbers go on");
    let numbers: Vec<u64> = service.events(&first, None, usize::MAX).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    service.steer(&first, "resume", &json!({})).expect_error(409, "not_running");
    eventually("the browser of the killed server to end", || bench.owners().is_empty());
    let refused = bench.surehand(&["serve", "--bind", "127.0.0.1:0", "--brain", &brain]);
    refused.expect(2).expect_sentence("another server works on");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
}

/// A page that knows its visitor by a cookie and by its storage, and tells both when its field changes.
const NOTEBOOK: &str = "<title>Notebook</title><body style='height:3000px'><button style='font-size:30px'>Press</button>\
    <input id=note><script>const note = document.getElementById('note');\
    document.querySelector('button').onclick = () => { fetch('/pressed'); document.cookie = 'who=ada';\
    localStorage.local = 'kept'; sessionStorage.session = 'kept'; note.value = 'half a sentence'; };\
    note.oninput = () => fetch('/note?' + encodeURIComponent([note.value, document.cookie, localStorage.local,\
    sessionStorage.session].join('|')));</script>";

#[test]
fn a_server_that_is_asked_to_stop_puts_its_runs_away_and_the_next_one_goes_on() {
    let bench = Bench::new();
    let site =
        PageServer::start(&[("/", Page::Html(NOTEBOOK)), ("/pressed", Page::Html("")), ("/note", Page::Html(""))]);
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let request = json!({"instruction": "press it", "start_url": site.url(), "max_time_minutes": 9});
    let run = service.submit(&request);
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["paused"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.expect_nothing_left();
    // The operator lets runs have less by now, which is no reason to end this one.
    let service = Service::start(&bench, &brain, &["--set", "timeout=5m"]);
    service.post("/v1/cua", &request).expect_error(400, "invalid_request");
    let view = service.until(&run, &["paused"]);
    assert_eq!(view["steps"], 1, "what it did before counts");
    for of_an_end in ["duration_s", "success", "termination_reason", "words"] {
        assert_eq!(view[of_an_end], Value::Null, "{of_an_end}: it goes on");
    }
    let said = "/note?half%20a%20sentence%7Cwho%3Dada%7Ckept%7Ckept";
    eventually("the page to be as it was", || site.requests().iter().any(|request| request.contains(said)));
    bench.write("finish", "");
    service.steer(&run, "resume", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["result"]["trajectory"].as_array().unwrap().len(), 2);
    assert_eq!(ended["success"], true);
    assert_eq!(service.get(&format!("/v1/runs/{run}/report")).status, 200);
    let events = service.events(&run, None, usize::MAX);
    let numbers: Vec<u64> = events.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let ends = events.iter().filter(|(_, kind)| kind == "run_ended").count();
    assert_eq!((ends, events.last().unwrap().1.as_str()), (2, "run_ended"), "the stream goes on behind the first end");
}

#[test]
fn a_page_is_not_put_back_to_where_it_stood_before_the_run_went_on() {
    let bench = Bench::new();
    let site =
        PageServer::start(&[("/", Page::Html(NOTEBOOK)), ("/pressed", Page::Html("")), ("/note", Page::Html(""))]);
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the first press", || site.count("/pressed") == 1);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    let restored = || site.requests().iter().filter(|request| request.contains("/note?half")).count();

    bench.write("go2", "");
    let service = Service::start(&bench, &brain, &[]);
    eventually("the second press", || site.count("/pressed") == 2);
    let before = restored();
    assert!(before > 0, "it went on from what it left");
    service.running.signal(Signal::KILL);
    service.running.wait();

    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &[]);
    service.until(&run, &["interrupted"]);
    service.steer(&run, "resume", &json!({})).expect(200);
    assert_eq!(service.until(&run, &["ended"])["success"], true);
    assert_eq!(restored(), before, "the page was not put back to where it stood two steps earlier");
}

/// A page that lets in whoever has its cookie, and counts them.
const LOGIN: &str = "<title>Desk</title><button style='font-size:30px'>Press</button><script>\
    if (document.cookie.includes('who=ada')) fetch('/inside?' + encodeURIComponent(localStorage.desk || ''));\
    document.querySelector('button').onclick = () => { document.cookie = 'who=ada'; localStorage.desk = 'third floor';\
    fetch('/pressed'); };</script>";

#[test]
fn a_run_whose_server_was_killed_is_still_signed_in() {
    let bench = Bench::new();
    let site =
        PageServer::start(&[("/", Page::Html(LOGIN)), ("/pressed", Page::Html("")), ("/inside", Page::Html(""))]);
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the sign-in to be kept", || {
        let kept = std::fs::read(bench.path("data/jobs.db-wal")).unwrap_or_default();
        site.count("/pressed") == 1 && kept.windows(11).any(|part| part == b"third floor")
    });
    service.running.signal(Signal::KILL);
    service.running.wait();
    assert_eq!(site.count("/inside"), 0);

    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &[]);
    service.steer(&run, "resume", &json!({})).expect(200);
    assert_eq!(service.until(&run, &["ended"])["success"], true);
    assert!(site.requests().iter().any(|request| request.contains("/inside?third%20floor")), "it was signed out");
    assert_eq!(site.count("/pressed"), 1);
}

#[test]
fn a_run_that_is_killed_while_it_is_paused_is_still_signed_in() {
    let bench = Bench::new();
    let site =
        PageServer::start(&[("/", Page::Html(LOGIN)), ("/pressed", Page::Html("")), ("/inside", Page::Html(""))]);
    let inside = || site.requests().iter().filter(|request| request.contains("/inside?third%20floor")).count();
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["paused"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));

    let service = Service::start(&bench, &brain, &[]);
    service.until(&run, &["paused"]);
    eventually("the page to be as it was", || inside() == 1);
    service.running.signal(Signal::KILL);
    service.running.wait();

    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &[]);
    service.until(&run, &["interrupted"]);
    service.steer(&run, "resume", &json!({})).expect(200);
    assert_eq!(service.until(&run, &["ended"])["success"], true);
    assert_eq!(inside(), 2, "it was signed out");
}

#[test]
fn what_a_person_signed_in_to_outlives_the_server() {
    let bench = Bench::new();
    let site =
        PageServer::start(&[("/", Page::Html(LOGIN)), ("/pressed", Page::Html("")), ("/inside", Page::Html(""))]);
    let ask = json!({"calls": [{"tool": "ask_user", "question": "Are you signed in?"}]});
    let brain = bench.script(&[ask, done()]);
    let service = Service::start(&bench, &brain, &["--set", "done_gate=off"]);
    let run = service.submit(&json!({"instruction": "look", "start_url": site.url()}));
    service.until(&run, &["waiting"]);
    service.steer(&run, "takeover", &json!({})).expect(200);
    service.until(&run, &["taken_over"]);
    service.steer(&run, "call", &json!({"tool": "mouse", "action": "click", "coordinate": [40, 40]})).expect(200);
    assert_eq!(site.count("/pressed"), 1);
    eventually("the sign-in to be kept", || {
        let kept = std::fs::read(bench.path("data/jobs.db-wal")).unwrap_or_default();
        kept.windows(11).any(|part| part == b"third floor")
    });
    service.running.signal(Signal::KILL);
    service.running.wait();

    let service = Service::start(&bench, &brain, &["--set", "done_gate=off"]);
    service.steer(&run, "resume", &json!({})).expect(200);
    service.until(&run, &["waiting"]);
    assert!(site.requests().iter().any(|request| request.contains("/inside?third%20floor")), "it was signed out");
    service.steer(&run, "answer", &json!({"text": "yes"})).expect(200);
    assert_eq!(service.until(&run, &["ended"])["success"], true);
}

#[test]
fn a_run_that_nobody_waits_for_any_more_is_not_carried_on() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let body = json!({"instruction": "press it", "start_url": site.url()}).to_string();
    let waiting = service.send("POST", "/v1/cua", &[("content-type", "application/json")], &body);
    eventually("the first press", || site.count("/pressed") == 1);
    drop(waiting);
    let run = service.get("/v1/runs").expect(200)["runs"][0]["run_id"].as_str().unwrap().to_string();
    assert_eq!(service.until(&run, &["ended"])["termination_reason"], "cancelled");
}
