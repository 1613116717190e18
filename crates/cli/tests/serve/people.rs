//! People in the loop: asked, answering, pausing, taking over and handing back, all of it in the trace.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::service::{Service, done, patient_brain, press, site};
use crate::tokens::Tokens;

#[test]
fn a_risky_action_waits_for_a_word_and_silence_is_a_no() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=60s"]);
    let request = json!({"instruction": "delete it", "start_url": site.url()});

    let run = service.submit(&request);
    let waiting = service.until(&run, &["waiting"]);
    let question = &waiting["question"];
    assert_eq!(question["kind"], "approval");
    assert!(question["target"].as_str().unwrap().contains("Delete account"), "{question}");
    let frame = question["frame"].as_str().unwrap();
    assert_eq!(frame.len(), 64);
    let picture = service.get(&format!("/v1/runs/{run}/frames/{frame}"));
    assert!(picture.status == 200 && picture.head.contains("image/png"), "{}", picture.head);
    service.steer(&run, "answer", &json!({"text": "yes"})).expect_error(409, "other_kind");
    service.steer(&run, "approve", &json!({"question": "another"})).expect_error(409, "other_question");
    assert_eq!(site.count("/deleted"), 0);
    service.steer(&run, "approve", &json!({"question": question["id"]})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(site.count("/deleted"), 1);
    let policy = &ended["result"]["trajectory"][0]["policy"];
    assert_eq!((&policy["answer"], &policy["by"]), (&json!("yes"), &json!("local")));
    assert!(service.get(&format!("/v1/runs/{run}/report")).body.contains("confirmed by a person (local)"));
    let audit = bench.surehand(&["audit", "show", "--json"]).stdout;
    let line = |kind: &str| {
        let lines = audit.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.into_iter().find(|line| line["kind"] == kind).unwrap_or_else(|| panic!("{kind}: {audit}"))
    };
    assert_eq!(line("approval")["by"], "local");
    assert_eq!((&line("run_start")["door"], &line("run_start")["owner"]), (&json!("serve"), &json!("local")));
    bench.surehand(&["audit", "verify"]).expect(0);

    let run = service.submit(&request);
    service.until(&run, &["waiting"]);
    service.steer(&run, "deny", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!(ended["result"]["trajectory"][0]["policy"]["answer"], "no");
    let events = service.events(&run, None, usize::MAX);
    assert!(events.iter().any(|(_, kind)| kind == "confirmation"));
    service.steer(&run, "approve", &json!({})).expect_error(409, "not_running");

    let request = json!({"instruction": "delete it", "start_url": site.url(), "toggles": {"confirm_timeout": "1s"}});
    service.post("/v1/cua", &request).expect_error(400, "invalid_request");
    assert_eq!(site.count("/deleted"), 1);
}

/// Waits for a question of this kind.
fn asked(service: &Service, run: &str, kind: &str) -> Value {
    loop {
        let waiting = service.until(run, &["waiting"]);
        if waiting["question"]["kind"] == kind {
            return waiting;
        }
    }
}

#[test]
fn nobody_who_answers_in_time_is_a_no() {
    let (bench, site) = (Bench::new(), site());
    let ask = json!({"calls": [{"tool": "ask_user", "question": "Which one?"}]});
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), ask, done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=1s"]);
    let run = service.submit(&json!({"instruction": "delete it", "start_url": site.url()}));
    let waiting = asked(&service, &run, "answer");
    assert_eq!(waiting["question"]["text"], "Which one?");
    service.steer(&run, "answer", &json!({"question": waiting["question"]["id"], "text": "the left one"})).expect(200);
    let ended = service.until(&run, &["ended"]);
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    assert_eq!(steps[0]["policy"]["answer"], "timeout");
    assert!(steps[1]["message"].as_str().unwrap().contains("the left one"), "{}", steps[1]["message"]);
    assert_eq!(people(&bench, &run), [json!({"kind": "answered", "by": "local"})]);
    assert_eq!(site.count("/deleted"), 0);
}

#[test]
fn no_limit_goes_on_while_a_person_is_asked() {
    let (bench, site) = (Bench::new(), site());
    let ask = json!({"calls": [{"tool": "ask_user", "question": "Which one?"}]});
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), ask, done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=60s"]);
    let limit = 0.15;
    let request = json!({"instruction": "delete it", "start_url": site.url(), "max_time_minutes": limit});
    let run = service.submit(&request);
    let began = std::time::Instant::now();
    for (kind, word, body) in [("approval", "approve", json!({})), ("answer", "answer", json!({"text": "left"}))] {
        let asked = asked(&service, &run, kind);
        // As long as the run may take in all.
        let end = began.elapsed().as_secs_f64() + limit * 60.0;
        eventually("a person to think", || began.elapsed().as_secs_f64() > end);
        assert_eq!(service.run(&run)["question"]["id"], asked["question"]["id"], "it still waits");
        service.steer(&run, word, &body).expect(200);
    }
    let ended = service.until(&run, &["ended"]);
    assert_eq!((&ended["termination_reason"], site.count("/deleted")), (&json!("done"), 1), "{ended}");
    assert!(ended["duration_s"].as_f64().unwrap() < limit * 60.0, "{ended}");
}

#[test]
fn the_picture_of_a_question_stays_for_as_long_as_the_question() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Delete account")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let run = service.submit(&json!({"instruction": "delete it", "start_url": site.url()}));
    let frame = service.until(&run, &["waiting"])["question"]["frame"].as_str().unwrap().to_string();
    let picture = format!("/v1/runs/{run}/frames/{frame}");
    assert_eq!(service.get(&picture).status, 200);
    make_old(&bench.path("data"));
    // A run of the command line begins with removing what nobody needs.
    let other = bench.write("other.jsonl", &done().to_string());
    bench.surehand(&["run", "look", "--url", &site.url(), "--brain", &format!("script:{}", other.display())]);
    assert_eq!(service.get(&picture).status, 200);
    service.get(&format!("/v1/runs/{run}/frames/{}", "0".repeat(64))).expect_error(404, "not_found");
    service.steer(&run, "deny", &json!({})).expect(200);
    service.until(&run, &["ended"]);
}

fn make_old(folder: &std::path::Path) {
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            make_old(&path);
        } else if path.extension().is_some_and(|extension| extension == "png") {
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        }
    }
}

/// What people did, by the trace.
fn people(bench: &Bench, run: &str) -> Vec<Value> {
    let text = bench.read(&format!("data/runs/{run}/events.jsonl"));
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter(|event| event["type"] == "person")
        .map(|event| json!({"kind": event["kind"], "by": event["by"]}))
        .collect()
}

#[test]
fn a_run_can_be_cancelled_at_any_moment_and_its_trace_says_by_whom() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &["--slots", "3"]);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let begun = service.submit(&request);
    eventually("the first press", || site.count("/pressed") == 1);
    service.steer(&begun, "cancel", &json!({})).expect(200);
    assert_eq!(service.until(&begun, &["ended"])["termination_reason"], "cancelled");
    assert_eq!(people(&bench, &begun), [json!({"kind": "cancelled", "by": "local"})]);
    assert!(service.get(&format!("/v1/runs/{begun}/report")).body.contains("cancelled the run (local)"));
    // Just when they leave the queue, or shortly before or after.
    for wish in ["cancel", "pause", "cancel", "takeover", "cancel", "pause"] {
        let run = service.submit(&request);
        let reply = service.steer(&run, wish, &json!({}));
        let waits = reply.status == 409 && service.run(&run)["status"] == "queued";
        assert!(reply.status == 200 || (wish != "cancel" && waits), "{wish}: {reply:?}");
        if wish == "cancel" {
            let over = service.until(&run, &["cancelled", "ended"]);
            assert!(over["status"] == "cancelled" || over["termination_reason"] == "cancelled", "{over}");
        } else {
            service.steer(&run, "cancel", &json!({})).expect(200);
            service.until(&run, &["cancelled", "ended"]);
        }
    }
}

#[test]
fn a_run_that_was_paused_and_forgotten_makes_room_and_can_still_go_on() {
    let (bench, site) = (Bench::new(), site());
    let flags = ["--slots", "1", "--set", "hold_limit=1s"];
    let service = Service::start(&bench, &patient_brain(&bench), &flags);
    let request = json!({"instruction": "press it", "start_url": site.url()});
    let forgotten = service.submit(&request);
    eventually("the first press", || site.count("/pressed") == 1);
    let other = service.submit(&request);
    service.steer(&forgotten, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    let away = service.until(&forgotten, &["put_away"]);
    assert!(away["words"].as_str().is_none_or(|words| words.contains("stood still")), "{away}");
    eventually("the other one to begin", || service.run(&other)["status"] == "running");
    bench.write("finish", "");
    assert_eq!(service.until(&other, &["ended"])["success"], true);
    service.steer(&forgotten, "resume", &json!({})).expect(200);
    let ended = service.until(&forgotten, &["ended"]);
    assert_eq!((&ended["success"], &ended["termination_reason"]), (&json!(true), &json!("done")), "{ended}");
}

#[test]
fn a_question_is_withdrawn_when_people_want_the_page_or_the_server_stops() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[json!({"calls": [press("Press"), press("Delete account"), press("Press")]}), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let run = service.submit(&json!({"instruction": "delete it", "start_url": site.url()}));
    let first = service.until(&run, &["waiting"])["question"]["id"].clone();
    service.steer(&run, "takeover", &json!({})).expect(200);
    service.until(&run, &["taken_over"]);
    service.steer(&run, "approve", &json!({"question": first})).expect_error(409, "nothing_asked");
    service.steer(&run, "call", &json!({"tool": "mouse", "action": "click", "coordinate": [60, 60]})).expect(200);
    service.steer(&run, "release", &json!({})).expect(200);

    assert_ne!(service.until(&run, &["waiting"])["question"]["id"], first, "the script offers the rest again");
    service.steer(&run, "pause", &json!({})).expect(200);
    service.until(&run, &["paused"]);
    service.steer(&run, "resume", &json!({})).expect(200);
    service.until(&run, &["waiting"]);
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));

    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    service.until(&run, &["waiting"]);
    assert_eq!((site.count("/deleted"), site.count("/pressed")), (0, 2));
    service.steer(&run, "approve", &json!({})).expect(200);
    let ended = service.until(&run, &["ended"]);
    assert_eq!((site.count("/deleted"), site.count("/pressed")), (1, 3), "{}", ended["result"]);
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    let answers: Vec<&str> = steps.iter().filter_map(|step| step["policy"]["answer"].as_str()).collect();
    assert_eq!(answers, ["withdrawn", "withdrawn", "withdrawn", "yes"]);
    assert!(steps[1]["message"].as_str().unwrap().contains("not decided"), "{}", steps[1]["message"]);
}

#[test]
fn a_person_pauses_takes_over_and_hands_back() {
    let (bench, site) = (Bench::new(), site());
    let service = Service::start(&bench, &patient_brain(&bench), &[]);
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the first press", || site.count("/pressed") == 1);
    eventually("the second turn", || bench.read("seen").lines().count() == 2);
    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go2", "");
    service.until(&run, &["paused"]);
    assert_eq!(site.count("/pressed"), 1, "the call that came after the wish was not made");
    service.steer(&run, "resume", &json!({})).expect(200);
    eventually("the call that waited", || site.count("/pressed") == 2);
    eventually("the third turn", || bench.read("seen").lines().count() == 3);
    let told: Value = serde_json::from_str(bench.read("seen").lines().nth(2).unwrap()).unwrap();
    assert_eq!((&told["results"][0]["ran"], &told["problem"]), (&json!(true), &Value::Null), "{told}");
    assert!(told["feedback"].as_str().unwrap().contains("A person paused the run and let it go on"), "{told}");

    service.steer(&run, "pause", &json!({})).expect(200);
    bench.write("go3", "");
    service.until(&run, &["paused"]);
    let call = |call: Value| service.steer(&run, "call", &call);
    call(press("Press")).expect_error(409, "not_taken_over");

    service.steer(&run, "takeover", &json!({})).expect(200);
    service.until(&run, &["taken_over"]);
    call(json!({"tool": "done", "success": true, "summary": "x"})).expect_error(400, "invalid_request");
    call(json!({"tool": "mouse", "action": "jump"})).expect_error(400, "invalid_request");
    let view = service.run(&run);
    assert_eq!(view["steps"], 2);
    // Where the button is, by eye: its middle in grid units.
    let pressed = call(json!({"tool": "mouse", "action": "click", "coordinate": [60, 60]})).expect(200);
    assert_eq!(pressed["ok"], true, "{pressed}");
    eventually("the person's press", || site.count("/pressed") == 3);
    // A person's wait is not waited for when the page is handed back.
    let wait = std::thread::scope(|scope| {
        let wait = scope.spawn(|| call(json!({"tool": "wait", "seconds": 50})));
        eventually("the wait", || bench.read(&format!("data/runs/{run}/events.jsonl")).contains("\"tool\":\"wait\""));
        service.steer(&run, "release", &json!({})).expect(200);
        eventually("the brain to be asked again", || bench.read("seen").lines().count() == 4);
        wait.join().unwrap()
    });
    assert!(wait.status == 200 || wait.status == 400, "{wait:?}");
    service.steer(&run, "release", &json!({})).expect_error(409, "not_taken_over");
    eventually("the brain to be asked again", || bench.read("seen").lines().count() == 4);
    bench.write("finish", "");
    let ended = service.until(&run, &["ended"]);
    let told: Value = serde_json::from_str(bench.read("seen").lines().nth(3).unwrap()).unwrap();
    assert!(told["feedback"].as_str().unwrap().contains("A person took over, made 2 calls"), "{told}");
    assert_eq!(told["results"][0]["ran"], false, "the rest of the reply is dropped, and said to be: {told}");
    assert!(told["problem"].as_str().unwrap().contains("a person took over and worked on the page"), "{told}");
    let steps = ended["result"]["trajectory"].as_array().unwrap();
    let by: Vec<&Value> = steps.iter().map(|step| &step["by"]).collect();
    assert_eq!(by, [&Value::Null, &Value::Null, &json!("person"), &json!("person"), &Value::Null]);
    let report = service.get(&format!("/v1/runs/{run}/report")).body;
    for words in ["a person paused the run", "a person took over", "a person handed back after 2 calls"] {
        assert!(report.contains(words), "{words}");
    }
}

#[test]
fn what_a_person_broke_off_lets_nothing_through_that_the_brain_does_next() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.shell_brain(&format!(
        r#"n=0
while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  printf '%s\n' "$line" >>seen
  n=$((n+1))
  if [ $n = 1 ]; then printf '%s\n' '{press}'; continue; fi
  while [ ! -e go ]; do sleep 0.05; done
  printf '%s\n' '{delete}'
done
"#,
        press = json!({"calls": [press("Press")]}),
        delete = json!({"calls": [press("Delete account")]}),
    ));
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "delete it", "start_url": site.url()}));
    eventually("the second turn", || bench.path("seen").exists() && bench.read("seen").lines().count() == 2);
    service.steer(&run, "takeover", &json!({})).expect(200);
    bench.write("go", "");
    service.until(&run, &["taken_over"]);
    std::thread::scope(|scope| {
        let wait = scope.spawn(|| service.steer(&run, "call", &json!({"tool": "wait", "seconds": 50})));
        eventually("the wait", || bench.read(&format!("data/runs/{run}/events.jsonl")).contains("\"tool\":\"wait\""));
        service.steer(&run, "release", &json!({})).expect(200);
        wait.join().unwrap();
    });
    let waiting = service.until(&run, &["waiting"]);
    assert_eq!((&waiting["question"]["kind"], site.count("/deleted")), (&json!("approval"), 0));
    service.steer(&run, "cancel", &json!({})).expect(200);
    service.until(&run, &["ended"]);
    assert_eq!(site.count("/deleted"), 0);
}

#[test]
fn every_call_of_a_person_has_its_name_and_a_risky_one_its_approval() {
    let (bench, site) = (Bench::new(), site());
    let tokens =
        Tokens::new(&bench, &[("ada", "\"read\", \"run\", \"control\"", ""), ("eve", "\"read\", \"control\"", "")]);
    let service = Service::start(&bench, &patient_brain(&bench), &["--tokens", &tokens.file]);
    let ask = |who: &str, path: &str, body: Value| tokens.ask(&service, who, "POST", path, &body.to_string());
    let request = json!({"instruction": "press it", "start_url": site.url(), "detached": true});
    let run = ask("ada", "/v1/cua", request).expect(202)["run_id"].as_str().unwrap().to_string();
    let steer = |who: &str, wish: &str, body: Value| ask(who, &format!("/v1/runs/{run}/{wish}"), body).expect(200);
    eventually("the first press", || site.count("/pressed") == 1);
    bench.write("go2", "");
    steer("ada", "takeover", json!({}));
    let click = |x: u64| json!({"tool": "mouse", "action": "click", "coordinate": [x, 60]});
    assert_eq!(steer("eve", "call", click(60))["ok"], true);
    // The second button deletes.
    assert_eq!(steer("eve", "call", click(220))["ok"], true);
    eventually("what the risky call did", || site.count("/deleted") == 1);
    steer("eve", "takeover", json!({}));
    steer("eve", "call", click(60));
    steer("eve", "release", json!({}));
    eventually("the brain to be asked again", || bench.read("seen").lines().count() == 3);
    steer("ada", "cancel", json!({}));
    let events = || {
        let text = bench.read(&format!("data/runs/{run}/events.jsonl"));
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).collect::<Vec<_>>()
    };
    eventually("the end", || events().iter().any(|event| event["type"] == "run_ended"));
    let who = |event: &Value| format!("{} {}", event["kind"].as_str().unwrap(), event["by"].as_str().unwrap());
    let people: Vec<String> = events().iter().filter(|event| event["type"] == "person").map(who).collect();
    let expected =
        ["took_over ada", "handed_back ada", "took_over eve", "handed_back eve", "resumed eve", "cancelled ada"];
    assert_eq!(people, expected);
    let steps = events().into_iter().filter(|event| event["type"] == "step" && event["by"] == "person");
    let named: Vec<Value> = steps.map(|step| step["policy"]["by"].clone()).collect();
    assert_eq!(named, ["eve", "eve", "eve"]);
    let told: Vec<Value> = events().into_iter().filter(|event| event["type"] == "confirmation").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["by"], &told[0]["answer"]), (&json!("eve"), &json!("yes")));
    let audit = bench.surehand(&["audit", "show", "--json"]).stdout;
    let lines: Vec<Value> = audit.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let approvals: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "approval").collect();
    assert_eq!(approvals.len(), 1, "{audit}");
    assert_eq!((&approvals[0]["by"], &approvals[0]["answer"]), (&json!("eve"), &json!("yes")));
}
