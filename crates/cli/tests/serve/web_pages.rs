//! The web pages in a real Chromium, driven by our own run loop: a scripted operator on the command line works the pages
//! of a server whose runs drive another browser. What the operator saw is held to a contract over the page's tree.

use std::os::unix::fs::PermissionsExt as _;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench::{Bench, eventually};
use crate::operator::{Operator, click, one, write};
use crate::pages::{Page, PageServer};
use crate::service::{Service, done, patient_brain, press, site};

/// Both buttons reach far enough that a click into the middle of the picture meets the first one.
const MIDDLE: &str = "<title>Middle</title><style>body{margin:0}button{font-size:30px}\
    #press{position:absolute;left:30%;top:30%;width:40%;height:40%}</style>\
    <button id=press onclick=\"fetch('/pressed');field.value='';field.focus()\">Press</button>\
    <button onclick=\"fetch('/deleted')\">Delete account</button>\
    <input id=field aria-label=Field oninput=\"fetch('/typed?'+encodeURIComponent(this.value))\">";

const ATTACK: &str = "press <img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script>";

fn exactly(text: &str) -> Value {
    json!({"tool": "mouse", "action": "click", "target": {"role": "button", "text": text, "exact": true}})
}

#[test]
fn a_person_starts_a_run_approves_takes_over_and_hands_back_on_the_page() {
    let bench = Bench::new();
    let site = PageServer::start(&[
        ("/", Page::Html(MIDDLE)),
        ("/pressed", Page::Html("")),
        ("/deleted", Page::Html("")),
        ("/typed", Page::Html("")),
    ]);
    // Deletes first, then waits for a file before it says anything else.
    let brain = bench.shell_brain(&format!(
        r#"n=0
while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  n=$((n+1))
  if [ $n = 1 ]; then printf '%s\n' '{delete}'; continue; fi
  while [ ! -e "go$n" ]; do sleep 0.05; done
  printf '%s\n' '{done}'
done
"#,
        delete = one(&[press("Delete account")]),
        done = done(),
    ));
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let operator = Operator {
        bench: &bench,
        name: "operator",
        replies: vec![
            one(&[click("button", "New run")]),
            one(&[click("textbox", "What to do"), write(ATTACK)]),
            one(&[click("textbox", "Where to begin"), write(&site.url())]),
            one(&[click("spinbutton", "Most steps"), write("0")]),
            one(&[click("button", "Start the run")]),
            // Refused, and the field that it is about has the focus.
            one(&[json!({"tool": "keyboard", "action": "clear"}), write("20")]),
            one(&[click("button", "Start the run")]),
            one(&[click("button", "Approve")]),
            one(&[click("button", "Take over")]),
            // Some of these characters come without a key.
            one(&[click("application", "in your hand"), write("wörld € ")]),
            one(&[click("textbox", "Text to type"), write("by hand")]),
            one(&[exactly("Type")]),
            one(&[click("button", "Hand back")]),
            one(&[click("tab", "Log")]),
            one(&[click("tab", "Verdict")]),
            one(&[click("button", "Step 1: click")]),
        ],
        checks: vec![
            json!({"type": "dom", "selector": ".run-task", "text": ATTACK}),
            json!({"type": "dom", "selector": "img[src=x]", "absent": true, "hidden_too": true}),
            json!({"type": "title", "regex": "^press <img src=x .* · Surehand$"}),
            json!({"type": "dom", "selector": ".run-head .chip", "texts": ["■ ended", "– not judged"]}),
            json!({"type": "dom", "selector": ".run-head .ending", "text": "claimed done"}),
            json!({"type": "dom", "selector": ".run-numbers", "text_regex": "^2 of 20 steps, 3 by hand"}),
            json!({"type": "dom", "selector": ".film li", "count": 5}),
            json!({"type": "dom", "selector": ".lanes thead th", "count": 7}),
            json!({"type": "dom", "selector": ".step-head h2", "text_regex": "Delete account"}),
            json!({"type": "dom", "selector": ".marks circle.ring", "hidden_too": true, "count": 1}),
            json!({"type": "dom", "selector": ".parties dd", "hidden_too": true, "count": 4}),
        ],
    };
    let mut operating = operator.start(&format!("http://{}/", service.address));
    operating.wait_for("Take over");
    let run = service.get("/v1/runs").expect(200)["runs"][0]["run_id"].as_str().unwrap().to_string();
    eventually("the approved call", || site.count("/deleted") == 1);
    // The brain was thinking when the page asked for its hand; it is put aside as soon as it has answered.
    operating.wait_for("in your hand");
    bench.write("go2", "");
    eventually("the click into the picture", || site.count("/pressed") == 1);
    eventually("the text", || {
        site.requests().iter().any(|head| head.contains("/typed?w%C3%B6rld%20%E2%82%AC%20by%20hand"))
    });
    bench.write("go3", "");
    let ended = service.until(&run, &["ended"]);
    let ended_there = operating.wait();
    let result = ended_there.result();
    assert_eq!(result["verdict"]["final"], "pass", "{:#}", result["referee"]["checks"]);

    let steps = ended["result"]["trajectory"].as_array().unwrap();
    assert_eq!(steps[0]["policy"]["answer"], "yes");
    let by_hand: Vec<&Value> = steps.iter().filter(|step| step["by"] == "person").collect();
    assert_eq!(by_hand.len(), 3, "{by_hand:#?}");
    assert_eq!(by_hand[0]["hit"]["name"], "Press", "the middle of the picture is the middle of the page");
    assert_eq!(ended["task"], ATTACK);
}

#[test]
fn a_press_that_was_meant_for_one_question_is_no_word_for_the_next() {
    let (bench, site) = (Bench::new(), site());
    let brain = bench.script(&[one(&[press("Delete account"), press("Delete account")]), done()]);
    let service = Service::start(&bench, &brain, &["--set", "confirm_timeout=120s"]);
    let run = service.submit(&json!({"instruction": "delete both", "start_url": site.url()}));
    let twice =
        json!({"tool": "mouse", "action": "click", "count": 2, "target": {"role": "button", "text": "Approve"}});
    let operator = Operator {
        bench: &bench,
        name: "hasty",
        // The second call presses as soon as there is anything to press.
        replies: vec![one(&[twice, click("button", "Approve")]), one(&[click("button", "The end")])],
        checks: vec![json!({"type": "dom", "selector": ".ask", "hidden_too": true, "count": 1})],
    };
    let operating = operator.start(&format!("http://{}/runs/{run}", service.address));
    service.until(&run, &["ended"]);
    let result = operating.wait().result();
    assert_eq!(result["verdict"]["final"], "pass", "{:#}", result["referee"]["checks"]);
    let events = bench.read(&format!("data/runs/{run}/events.jsonl"));
    let asked = events.lines().filter(|line| line.contains("\"type\":\"confirmation\""));
    let asked: Vec<Value> = asked.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(asked.len(), 2, "{asked:?}");
    for question in asked {
        // As long as a person needs to see that there is a question.
        let in_time = question["seconds"].as_f64().unwrap() >= 0.8;
        assert!(question["answer"] == "yes" && in_time, "{question}");
    }
}

/// A stored result with somebody's markup in its texts.
fn stored_result() -> Value {
    json!({
        "id": "01result", "kind": "consistency", "at": "2026-01-02T03:04:05Z", "title": "Buy <b id=owned>tea</b>",
        "headline": "1 of 2 passed", "interrupted": false,
        "result": {
            "contract": "tea", "contract_sha256": "", "task": "Buy tea", "brain": "script:x", "judge": null,
            "max_steps": 30, "wanted_runs": 2, "interrupted": false, "fail_rate": 0.5,
            "summary": {
                "run_count": 2, "pass_count": 1, "fail_count": 1, "uncertain_count": 0, "unjudged_count": 0,
                "pass_rate": 0.5, "pass_interval": [0.0126, 0.9874], "uncertain_rate": 0.0, "disagreement_rate": 0.0,
                "mean_score": 0.5, "mean_steps": 7.5, "mean_tool_errors": 0.0,
            },
            "runs": [
                {"run_id": "01aaa", "verdict": "pass", "score": 1.0, "self_report": true, "steps": 9, "no_effect": 1,
                 "seconds": 12.5, "cost": 0.02, "truth": null},
                {"run_id": "01bbb", "verdict": "fail", "score": 0.0, "self_report": true, "steps": 6, "no_effect": 0,
                 "seconds": 8.0, "cost": 0.01, "truth": null},
            ],
        },
    })
}

#[test]
fn with_tokens_the_page_asks_for_one_and_does_what_it_may() {
    let bench = Bench::new();
    let made = bench.surehand(&["serve", "--new-token", "ada"]);
    made.expect(0);
    let token = made.stderr.lines().find_map(|line| line.strip_prefix("The token, shown this once: ")).unwrap();
    let entry = made.stdout.replace("\"control\"]", "\"control\", \"admin\"]");
    let file = bench.write("tokens.toml", &entry);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::create_dir_all(bench.data().join("eval")).unwrap();
    bench.write("data/eval/01result.json", &stored_result().to_string());
    bench.write("data/eval/01garbage.json", "{\"id\": ");
    let lesson = json!({
        "id": "lsn_00000000000000000001", "status": "candidate", "triggers": ["t"], "tags": ["click"],
        "rule": "Clicking <img src=x onerror=alert(1)> had no effect.", "origin": "shop.example", "task": "",
        "sources": [{"run": "r1", "verdict": "pass"}], "reliability": 0.5, "utility_history": [0.5, 1.0, -0.5],
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    });
    let lessons = bench.write("lessons.jsonl", &format!("{}\n{lesson}", json!({"surehand_lessons": 1})));
    bench.surehand(&["lessons", "import", &lessons.display().to_string(), "--own"]).expect(0);
    let service = Service::start(&bench, "script:x.json", &["--tokens", &file.display().to_string()]);

    // Anybody may load the pages, which hold nothing; the rest is for those who are let in.
    for path in ["/runs", "/runs/01abc", "/toggles", "/lessons", "/eval", "/ui/app.js", "/ui/base.css"] {
        let reply = service.get(path);
        let head = reply.head.to_lowercase();
        assert!(reply.status == 200 && head.contains("require-trusted-types-for 'script'"), "{path}: {head}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_string();
        let again = service.ask("GET", path, &[("if-none-match", &tag)], "");
        assert!(again.status == 304 && again.body.is_empty(), "{again:?}");
    }
    assert_eq!(service.get("/").status, 307);
    service.get("/ui/../Cargo.toml").expect_error(404, "not_found");
    for path in ["/v1/instance", "/v1/evals", "/v1/evals/01result", "/v1/toggles/effects", "/v1/runs/x/changes"] {
        service.get(path).expect_error(401, "unauthorized");
    }

    let operator = Operator {
        bench: &bench,
        name: "signed-in",
        replies: vec![
            one(&[click("textbox", "Token"), write("sh_something-that-is-not-known")]),
            one(&[click("button", "Sign in")]),
            one(&[click("textbox", "Token"), write(token)]),
            one(&[click("button", "Sign in")]),
            one(&[click("link", "Checks")]),
            one(&[click("switch", "noop_probe")]),
            one(&[click("link", "Lessons")]),
            one(&[click("button", "Suppress")]),
            one(&[click("textbox", "Why"), write("it is about another shop")]),
            one(&[click("button", "Suppress it")]),
            one(&[click("link", "Eval")]),
            one(&[click("link", "Buy <b id=owned>tea</b>")]),
        ],
        checks: vec![
            json!({"type": "url", "regex": "/eval/01result$", "not_regex": "sh_"}),
            json!({"type": "dom", "selector": "main h1", "text": "Buy <b id=owned>tea</b>"}),
            json!({"type": "dom", "selector": "#owned", "absent": true, "hidden_too": true}),
            json!({"type": "dom", "selector": ".tile b", "text": "50 %"}),
            json!({"type": "dom", "selector": "main table tbody tr", "count": 2}),
            json!({"type": "dom", "selector": "main svg.plot", "count": 2, "hidden_too": true}),
            json!({"type": "dom", "selector": ".bar .who", "text": "ada"}),
        ],
    };
    let ended = operator.start(&format!("http://{}/runs", service.address)).wait();
    let result = ended.result();
    assert_eq!(result["verdict"]["final"], "pass", "{:#}", result["referee"]["checks"]);
    let bearer = format!("Bearer {token}");
    let ask = |path: &str| service.ask("GET", path, &[("authorization", &bearer)], "");
    let toggles = ask("/v1/toggles").expect(200);
    let probe = toggles["toggles"].as_array().unwrap().iter().find(|toggle| toggle["name"] == "noop_probe").unwrap();
    assert_eq!((&probe["value"], &probe["changed_by"]), (&json!("off"), &json!("ada")));
    assert_eq!(ask("/v1/lessons").expect(200)["lessons"][0]["status"], "suppressed");
    let evals = ask("/v1/evals").expect(200);
    assert_eq!(evals["evals"].as_array().unwrap().len(), 1, "what cannot be read is passed over: {evals}");
    ask("/v1/evals/01garbage").expect_error(404, "not_found");
}

#[test]
fn what_the_run_page_asks_for_is_the_run_in_words_and_small_pictures() {
    let bench = Bench::new();
    let site = site();
    let brain = bench.script(&[one(&[press("Press")]), one(&[press("Press")]), done()]);
    let service = Service::start(&bench, &brain, &[]);
    let run = service.submit(&json!({"instruction": "press it twice", "start_url": site.url()}));
    service.until(&run, &["ended"]);

    let told = |after: Option<u64>| -> Vec<Value> {
        let last = after.map(|number| number.to_string());
        let headers: Vec<(&str, &str)> = last.iter().map(|number| ("last-event-id", number.as_str())).collect();
        let body = service.ask("GET", &format!("/v1/runs/{run}/events?view=steps"), &headers, "").body;
        let lines = body.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|told| !told["seq"].is_null()).collect()
    };
    let all = told(None);
    let numbers: Vec<u64> = all.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let steps: Vec<&Value> = all.iter().filter(|event| event["type"] == "step").map(|event| &event["view"]).collect();
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[0]["words"], "click left on button \"Press\"");
    assert!(steps[0]["markers"].as_array().unwrap().iter().any(|marker| marker["lane"] == "state"));
    let end = &all.last().unwrap()["view"];
    assert_eq!((&end["verdict"], end["parties"].as_array().unwrap().len()), (&json!("unjudged"), 4));
    // Whoever comes again in the middle gets the rest, word for word: markers compare with the step before.
    let middle = all.iter().position(|event| event["type"] == "step").unwrap() as u64 + 1;
    assert_eq!(told(Some(middle)), all[middle as usize..]);

    let frame = |query: &str| service.get(&format!("/v1/runs/{run}/frames/{query}"));
    let (before, after) = (&steps[0]["before"]["sha256"], &steps[0]["after"]["sha256"]);
    let (before, after) = (before.as_str().unwrap(), after.as_str().unwrap());
    let (large, small) = (frame(after), frame(&format!("{after}?width=240")));
    assert!(small.head.contains("image/jpeg") && small.body.len() < large.body.len(), "{}", small.head);
    frame(&format!("{after}?width=0")).expect_error(400, "invalid_request");
    let changes =
        |before: &str, after: &str| service.get(&format!("/v1/runs/{run}/changes?before={before}&after={after}"));
    let found = changes(before, after).expect(200);
    assert!(!found["boxes"].as_array().unwrap().is_empty() && found["share"].as_f64().unwrap() < 0.5, "{found}");
    changes(before, &"0".repeat(64)).expect_error(404, "not_found");
    changes(before, "../../index.db").expect_error(404, "not_found");
    service.get(&format!("/v1/runs/{run}/changes")).expect_error(400, "invalid_request");

    let listed = |query: &str| service.get(&format!("/v1/runs?{query}")).expect(200)["runs"].as_array().unwrap().len();
    assert_eq!((listed("verdict=unjudged&q=TWICE"), listed("verdict=pass"), listed("q=thrice")), (1, 0, 0));
    service.get("/v1/runs?verdict=maybe").expect_error(400, "invalid_request");
    let brief = service.get(&format!("/v1/runs/{run}?result=off")).expect(200);
    assert!(brief["status"] == "ended" && brief["result"].is_null());
    let effects = service.get("/v1/toggles/effects").expect(200);
    let verify = effects["checks"].as_array().unwrap().iter().find(|check| check["name"] == "effect_verify").unwrap();
    assert_eq!((&effects["runs"], &verify["counts"][0]), (&json!(1), &json!({"words": "confirmed", "count": 2})));
}

#[test]
fn a_page_that_is_open_while_the_server_restarts_sees_every_event_once() {
    let (bench, site) = (Bench::new(), site());
    let brain = patient_brain(&bench);
    let service = Service::start(&bench, &brain, &[]);
    let address = service.address.clone();
    let run = service.submit(&json!({"instruction": "press it", "start_url": site.url()}));
    eventually("the first step", || service.run(&run)["steps"] == 1);
    let operator = Operator {
        bench: &bench,
        name: "watcher",
        // The column of the end is there when the page has heard of it.
        replies: vec![one(&[click("tab", "Log")]), one(&[click("button", "The end")]), one(&[click("tab", "Log")])],
        checks: vec![
            json!({"type": "dom", "selector": ".log", "attribute": "data-missed", "value": "0"}),
            json!({"type": "dom", "selector": ".log li", "hidden_too": true, "count": {"min": 10}}),
            json!({"type": "dom", "selector": ".film li", "hidden_too": true, "count": 3}),
            json!({"type": "dom", "selector": ".run-head .chip", "texts": ["■ ended", "– not judged"]}),
        ],
    };
    let mut watching = operator.start(&format!("http://{address}/runs/{run}"));
    watching.wait_for("The end");
    service.running.signal(Signal::TERM);
    assert_eq!(service.running.wait().code, Some(0));
    let running = bench.start(&["serve", "--json", "--bind", &address, "--brain", &brain]);
    eventually("the server to be back", || running.stdout().contains("listening"));
    let service = Service { running, address };
    eventually("the step after the restart", || site.count("/pressed") == 2);
    bench.write("finish", "");
    service.until(&run, &["ended"]);
    let result = watching.wait().result();
    let checks = &result["referee"]["checks"];
    assert_eq!(result["verdict"]["final"], "pass", "{checks:#}");
    let events = service.events(&run, None, usize::MAX).len();
    assert_eq!(checks[1]["observed"]["elements"], events, "one line for each event, of both servers");
}
