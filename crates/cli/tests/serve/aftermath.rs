//! What a run that goes on knows of what was done before: by an earlier process, or by a person.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::pages::{Page, PageServer};
use crate::service::{Service, done, patient_brain, press, site};

#[test]
fn what_was_done_before_a_restart_is_done() {
    for signal in [Signal::TERM, Signal::KILL] {
        let (bench, site) = (Bench::new(), site());
        let brain = patient_brain(&bench);
        let service = Service::start(&bench, &brain, &[]);
        let run = service.submit(&json!({"instruction": "Archive the account.", "start_url": site.url()}));
        eventually("the second turn", || bench.read("seen").lines().count() == 2);
        service.running.signal(signal);
        service.running.wait();
        bench.write("finish", "");
        let service = Service::start(&bench, &brain, &[]);
        if signal == Signal::KILL {
            service.steer(&run, "resume", &json!({})).expect(200);
        }
        let ended = service.until(&run, &["ended"]);
        assert_eq!(ended["termination_reason"], "done", "{signal:?}: {ended}");
        assert_eq!(ended["result"]["done_rejections_by_reason"], json!({}));
    }
}

#[test]
fn what_was_done_of_a_step_before_a_restart_is_done() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let plan = json!({"name": "archive", "start_url": site.url(),
        "steps": [{"id": "archive", "type": "act", "intent": "Archive the account."}]});
    let request = json!({"plan": plan, "detached": true});
    let run = service.post("/v1/predict", &request).expect(202)["run_id"].as_str().unwrap().to_string();
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &[]);
    let ended = service.until(&run, &["ended"]);
    assert_eq!((&ended["success"], site.count("/pressed")), (&json!(true), 1), "{ended}");
    assert_eq!(ended["result"]["done_rejections_by_reason"], json!({}), "{}", ended["result"]["trajectory"]);
}

#[test]
fn what_a_person_did_is_done() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.shell_brain(&format!(
        "n=0\nwhile read -r line; do\n  case $line in '{{\"type\":\"end\"'*) exit 0 ;; esac\n  n=$((n+1))\n  \
         if [ $n = 1 ]; then printf '%s\\n' '{}'; else printf '%s\\n' '{}'; fi\ndone\n",
        json!({"calls": [press("Delete account")]}),
        done(),
    ));
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let run = service.submit(&json!({"instruction": "Archive the account.", "start_url": site.url()}));
    service.until(&run, &["waiting"]);
    service.steer(&run, "takeover", &json!({})).expect(200);
    service.until(&run, &["taken_over"]);
    let told = service.steer(&run, "call", &json!({"tool": "mouse", "action": "click", "coordinate": [60, 60]}));
    assert_eq!((told.status, site.count("/pressed")), (200, 1), "{told:?}");
    service.steer(&run, "release", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["termination_reason"], "done", "{ended}");
    assert_eq!((&ended["result"]["done_rejections_by_reason"], site.count("/deleted")), (&json!({}), 0));
}

#[test]
fn what_a_person_had_agreed_to_is_said_when_the_server_was_killed_over_it() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(RESTLESS)), ("/pressed", Page::Html(""))]);
    let brain = patient_brain(&bench);
    let flags = ["--set", "settle_cap=20s", "--set", "confirm=all", "--set", "confirm_timeout=120s"];
    let service = Service::start(&bench, &brain, &flags);
    let run = service.submit(&json!({"instruction": "Archive the account.", "start_url": site.url()}));
    service.until(&run, &["waiting"]);
    service.steer(&run, "approve", &json!({})).expect(200);
    eventually("the press", || site.count("/pressed") == 1);
    service.running.signal(Signal::KILL);
    service.running.wait();
    bench.write("finish", "");
    let service = Service::start(&bench, &brain, &flags);
    service.steer(&run, "resume", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    let step = &ended["result"]["trajectory"][0];
    assert_eq!((&step["cut_off"], &step["policy"]["answer"]), (&json!(true), &json!("yes")), "{step}");
    assert!(step["message"].as_str().unwrap().contains("A person had agreed to it"), "{step}");
}

/// A page that goes on changing after it was pressed, so that the press is not over for a while.
const RESTLESS: &str = "<title>Restless</title><button style='font-size:30px' onclick='fetch(\"/pressed\");\
    let n = 0; setInterval(() => p.append(document.createTextNode(\" \" + n++)), 30)'>Press</button><p id=p></p>";

#[test]
fn nobody_is_told_that_a_call_which_was_cut_off_had_failed() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(RESTLESS)), ("/pressed", Page::Html(""))]);
    let brain = patient_brain(&bench);
    let flags = ["--set", "settle_cap=20s"];
    let service = Service::start(&bench, &brain, &flags);
    let run = service.submit(&json!({"instruction": "Archive the account.", "start_url": site.url()}));
    eventually("the press", || site.count("/pressed") == 1);
    service.running.signal(Signal::KILL);
    service.running.wait();
    bench.write("finish", "");
    bench.write("seen", "");
    let service = Service::start(&bench, &brain, &flags);
    service.steer(&run, "resume", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["success"], true, "it may have been done: {ended}");
    let seen = bench.read("seen");
    let turn: Value = serde_json::from_str(seen.lines().next().unwrap()).unwrap();
    let hint = turn["hints"][0]["text"].as_str().unwrap();
    assert!(hint.contains("nobody knows whether it took effect") && !hint.contains("failed"), "{hint}");
    let trajectory = ended["result"]["trajectory"].as_array().unwrap();
    let steps: Vec<(&Value, &Value)> = trajectory.iter().map(|step| (&step["step"], &step["cut_off"])).collect();
    assert_eq!(steps, [(&json!(1), &json!(true)), (&json!(2), &Value::Null)]);
    assert!(trajectory[0]["message"].as_str().unwrap().contains("is not known"));
    let report = service.get(&format!("/v1/runs/{run}/report")).body;
    assert!(report.contains("whether it took effect is not known"));
}

/// A page that lets in whoever has its cookie.
const LOGIN: &str = "<title>Desk</title><button style='font-size:30px'>Press</button><button>Delete account</button><script>\
    if (document.cookie.includes('who=ada')) fetch('/inside');\
    document.querySelector('button').onclick = () => { document.cookie = 'who=ada'; localStorage.desk = 'third floor';\
    fetch('/pressed'); };</script>";

#[test]
fn a_brain_that_answers_at_once_is_still_signed_in_when_its_question_outlives_the_server() {
    for question in [json!({"tool": "ask_user", "question": "Which one?"}), press("Delete account")] {
        let bench = Bench::new();
        let pages = [("/", Page::Html(LOGIN)), ("/pressed", Page::Html("")), ("/inside", Page::Html(""))];
        let site = PageServer::start(&pages);
        let brain = bench.script(&[json!({"calls": [press("Press")]}), json!({"calls": [question]}), done()]);
        let flags = ["--set", "confirm_timeout=120s"];
        let service = Service::start(&bench, &brain, &flags);
        let run = service.submit(&json!({"instruction": "look", "start_url": site.url()}));
        service.until(&run, &["waiting"]);
        eventually("the sign-in to be kept", || {
            let kept = std::fs::read(bench.path("data/jobs.db-wal")).unwrap_or_default();
            kept.windows(11).any(|part| part == b"third floor")
        });
        service.running.signal(Signal::KILL);
        service.running.wait();
        assert_eq!((site.count("/pressed"), site.count("/inside")), (1, 0));

        let service = Service::start(&bench, &brain, &flags);
        service.steer(&run, "resume", &json!({})).expect(200);
        let asked = service.until(&run, &["waiting", "ended"]);
        assert!(asked["status"] == "waiting" && site.count("/inside") > 0, "it was signed out: {asked}");
        let told = bench.read(&format!("data/runs/{run}/events.jsonl"));
        let hint = told.lines().find(|line| line.contains("of the earlier run")).unwrap_or(&told);
        assert!(hint.contains("not made, as nobody had answered yet"), "{hint}");
        assert!(told.contains("stopped while a person was asked; the call was not made"), "{told}");
    }
}
