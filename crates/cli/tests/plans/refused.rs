//! What must not be believed: steps that are not done, gates that nobody opens, data that breaks its schema or was seen nowhere,
//! and files that are no plans.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::{Page, PageServer};
use crate::world::{click, done, outcomes, plan_command, read, step};

const SHOP: &str = "<title>Shop</title><style>button{font-size:30px;margin:20px}</style>\
    <button onclick=\"fetch('/paid');document.body.append('Paid.')\">Pay</button>\
    <button onclick=\"document.body.append('Looked.')\">Look</button><p id=price>20 dollars</p>";

fn why(events: &[Value], id: &str) -> String {
    let ended = events.iter().rev().find(|event| event["kind"] == "step_ended" && event["step"]["id"] == id);
    ended.and_then(|event| event["why"].as_str()).unwrap_or_default().to_string()
}

#[test]
fn nothing_counts_that_the_facts_do_not_show() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(SHOP)), ("/paid", Page::Html(""))]);
    let price = |id: &str| {
        json!({"id": id, "type": "extract", "what": "The price.", "save_as": id, "on_failure": "skip", "output_schema":
            {"type": "object", "required": ["price"], "properties": {"price": {"type": "integer"}}}})
    };
    let plan = json!({
        "name": "doubtful", "start_url": site.url(), "output": {"values": {"price": "{{good.price}}"}},
        "steps": [
            {"id": "never", "type": "act", "intent": "Press \"Look\".", "on_failure": "skip", "done_when": ["element_appears:Thank you"]},
            {"id": "look", "type": "act", "intent": "Press \"Look\".", "on_failure": "retry 1", "done_when": ["element_appears:Looked."]},
            {"id": "pay", "type": "act", "intent": "Press \"Pay\".", "on_failure": "skip", "gates": [{"approval": "Pay 20 dollars?"}]},
            {"id": "who", "type": "ask", "question": "Who are you?", "on_failure": "skip"},
            price("broken"), price("unseen"), price("elsewhere"), price("earlier"), price("other"), price("mended"), price("good"),
            {"id": "sure", "type": "verify", "done_when": ["title_contains:Shop"]},
            {"id": "unsure", "type": "verify", "on_failure": "skip", "done_when": ["title_contains:Bank"]},
            {"id": "away", "type": "navigate", "url": "http://127.0.0.1:1/", "on_failure": "skip"}
        ]
    });
    let file = bench.write("plan.json", &plan.to_string()).display().to_string();
    let seen = json!([{"field": "price", "selector": "#price"}]);
    let give = |id: &str, value: Value, evidence: Value| step(id, read(json!({"price": value}), evidence));
    let brain = bench.script(&[
        step("never", json!([click("button", "Look")])),
        step("never", json!([done()])),
        step("never", json!([done()])),
        // The first attempt gives up, the second is told why and does it.
        json!({"step": "look", "attempt": 1, "calls": [{"tool": "done", "success": false, "summary": "no idea"}]}),
        json!({"step": "look", "attempt": 2, "calls": [click("button", "Look")]}),
        json!({"step": "look", "attempt": 2, "calls": [done()]}),
        step("pay", json!([click("button", "Pay")])),
        step("pay", json!([done()])),
        give("broken", json!("twenty"), seen.clone()),
        give("unseen", json!(20), json!([])),
        give("elsewhere", json!(20), json!([{"field": "price", "selector": "#nowhere"}])),
        give("earlier", json!(20), json!([{"field": "price", "frame": 1, "selector": "#price"}])),
        give("other", json!(25), seen.clone()),
        give("mended", json!("20"), seen.clone()),
        give("mended", json!(20), seen.clone()),
        give("good", json!(20), seen),
    ]);
    let settings = ["--set", "target_wait=600ms"];
    let arguments = [&[file.as_str(), "--brain", &brain], &settings[..]].concat();
    let ended = bench.start_command(plan_command(&bench, &arguments)).wait();
    let result = ended.expect_end(0, "done");
    let events = ended.lines();
    let told = outcomes(&events);
    let expected = [
        "start_url done",
        "never skipped",
        "look retried",
        "look done",
        "pay skipped",
        "who skipped",
        "broken skipped",
        "unseen skipped",
        "elsewhere skipped",
        "earlier skipped",
        "other skipped",
        "mended done",
        "good done",
        "sure done",
        "unsure skipped",
        "away skipped",
    ];
    assert_eq!(told, expected);
    assert_eq!(site.count("/paid"), 0, "nobody gave leave, so nothing was paid");
    for (id, part) in [
        ("never", "element_appears:Thank you does not hold"),
        ("pay", "a person has to agree"),
        ("who", "nobody is there to answer"),
        ("broken", "price: \"twenty\" is not of type \"integer\""),
        ("unseen", "there is no evidence for `price`"),
        ("elsewhere", "matches nothing on this page"),
        ("earlier", "only on the page as it is now"),
        ("other", "what stands there is `20 dollars`, and not 25"),
        ("unsure", "does not hold"),
        ("away", "127.0.0.1:1"),
    ] {
        assert!(why(&events, id).contains(part), "{id}: {}", why(&events, id));
    }
    assert_eq!(result["output"]["price"], 20);
    assert_eq!((&result["plan"]["skipped"], &result["plan"]["failures"]), (&json!(10), &json!(11)));
    let asked = events.iter().find(|event| event["type"] == "confirmation").unwrap();
    assert_eq!((&asked["rule"], &asked["answer"]), (&json!("plan-gate"), &json!("no_terminal")));
    let audit = bench.surehand(&["audit", "show", "--run", "last", "--json"]);
    assert!(audit.stdout.contains("plan-gate"), "{}", audit.stdout);
    bench.expect_nothing_left();
}

#[test]
fn what_was_given_up_without_an_answer_is_said_wherever_the_plan_is_called_done() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(SHOP))]);
    let plan = json!({
        "name": "half", "start_url": site.url(), "values": {"names": {"type": "list", "default": ["Look", "Buy"]}},
        "recovery": {"on_failure": "ask"}, "steps": [
            {"id": "each", "type": "loop", "over": "{{names}}", "on_failure": "skip", "steps": [
                {"id": "press", "type": "act", "intent": "Press {{row}}.", "done_when": ["element_appears:Looked."]}]}]
    });
    let file = bench.write("plan.json", &plan.to_string()).display().to_string();
    let gives_up =
        json!({"step": "press", "pass": 2, "calls": [{"tool": "done", "success": false, "summary": "no such button"}]});
    let looks = [click("button", "Look"), done()].map(|call| json!({"step": "press", "pass": 1, "calls": [call]}));
    let brain = bench.script(&[&looks[..], &[gives_up]].concat());
    let ended = bench.start_command(plan_command(&bench, &[&file, "--brain", &brain])).wait();
    let result = ended.expect_end(0, "done");
    assert_eq!((&result["success"], &result["plan"]["skipped"]), (&json!(true), &json!(1)));
    let except = "done, except for one step or pass that was given up";
    assert_eq!(result["summary"], format!("The plan is {except}"));
    let events = ended.lines();
    let told = outcomes(&events);
    assert_eq!(told, ["start_url done", "press done", "press failed", "press failed", "each skipped", "each done"]);
    assert!(
        why(&events, "press").contains("what to do was asked, but nobody is there to answer"),
        "{}",
        why(&events, "press")
    );
    assert!(ended.stderr.contains("Without an answer: stop: this pass of `each` is given up"), "{}", ended.stderr);
    let over = events.iter().find(|event| event["kind"] == "ended").unwrap();
    assert_eq!(over["skipped"], 1);

    let report = bench.path("report.html").display().to_string();
    bench.surehand(&["report", "last", "-o", &report]).expect(0);
    let (page, text) = (bench.read("report.html"), bench.surehand(&["report", "last"]).stdout);
    for words in [&page, &text] {
        assert!(words.contains("came to its end, except for one step or pass"), "{words}");
        assert!(!words.contains("its steps hold by their own"), "{words}");
    }
    assert!(!page.contains("not finished") && !page.contains("The brain's own words"), "{page}");
    assert!(page.contains("The plan's own summary") && page.contains("The plan itself"), "{page}");
    assert!(text.contains("the plan's summary") && text.contains(except), "{text}");
}

#[test]
fn a_plan_that_fails_says_where_and_keeps_what_it_has() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(SHOP))]);
    let plan = json!({
        "name": "failing", "start_url": site.url(), "output": {"tables": {"prices": {}}}, "budget": {"max_steps": 20},
        "steps": [
            {"id": "price", "type": "extract", "what": "The price.", "collect": "prices", "output_schema": {"type": "object"}},
            {"id": "pay", "type": "act", "intent": "Press \"Buy\"."},
            {"id": "after", "type": "act", "intent": "Press \"Look\"."}
        ]
    });
    let file = bench.write("plan.json", &plan.to_string()).display().to_string();
    let brain = bench.script(&[
        step("price", read(json!({"price": 20}), json!([{"field": "price", "box": [0, 300, 500, 400]}]))),
        step("pay", json!([click("button", "Buy")])),
    ]);
    let csv = bench.path("prices.csv").display().to_string();
    let arguments = [&file, "--brain", &brain, "-o", &csv, "--set", "target_wait=200ms"];
    let ended = bench.start_command(plan_command(&bench, &arguments)).wait();
    let result = ended.expect_end(1, "done_failed");
    assert_eq!((&result["plan"]["status"], &result["plan"]["step"]), (&json!("failed"), &json!("pay")));
    assert!(result["error"].as_str().unwrap().contains("Buy"), "{}", result["error"]);
    assert_eq!(bench.read("prices.csv"), "price\r\n20\r\n");
    assert_eq!(outcomes(&ended.lines()), ["start_url done", "price done", "pay failed"]);
}

#[test]
fn a_time_limit_holds_for_the_plan_also_where_it_only_looks() {
    let bench = Bench::new();
    let site = PageServer::start(&[("/", Page::Html(SHOP))]);
    let there = "title_contains:Shop";
    let sure = json!({"id": "sure", "type": "verify", "done_when": [there]});
    let inner = json!({"id": "inner", "type": "loop", "while": there, "max_times": 10_000, "steps": [sure]});
    let plan = json!({"name": "looking", "start_url": site.url(), "steps": [
        {"id": "outer", "type": "loop", "while": there, "max_times": 10_000, "steps": [inner]}]});
    let file = bench.write("plan.json", &plan.to_string()).display().to_string();
    let brain = bench.script(&[]);
    let arguments = [&file, "--brain", &brain, "--timeout", "3s"];
    let ended = bench.start_command(plan_command(&bench, &arguments)).wait();
    let result = ended.expect_end(1, "budget");
    assert_eq!(result["plan"]["status"], "out_of_budget");
    assert!(result["error"].as_str().unwrap().contains("time is used up"), "{}", result["error"]);
}

#[test]
fn what_is_wrong_is_said_before_anything_starts() {
    let bench = Bench::new();
    let act = json!({"id": "a", "type": "act", "intent": "look"});
    let write = |name: &str, plan: Value| bench.write(name, &plan.to_string()).display().to_string();
    let good = write("good.json", json!({"name": "p", "values": {"who": {}}, "steps": [act]}));
    let bad =
        write("bad.json", json!({"name": "p", "steps": [{"id": "a", "type": "act"}, {"id": "a", "type": "jump"}]}));
    let secret = write(
        "secret.json",
        json!({"name": "p", "start_url": "http://127.0.0.1:1/", "values": {"pw": {"type": "secret"}}, "steps": [act]}),
    );
    let rows = json!({"name": "p", "values": {"rows": {"type": "rows", "file": "../outside.csv"}}, "steps": [act]});
    let outside = write("outside.json", rows);
    let garbage = bench.write("garbage.yaml", "\u{0}: [").display().to_string();

    bench.surehand(&["plan", "check", &good]).expect(0);
    let checked = bench.surehand(&["plan", "check", &bad]);
    checked.expect(2);
    assert!(checked.stderr.contains("steps[0]") && checked.stderr.contains("steps[1]"), "{}", checked.stderr);
    let as_json = bench.surehand(&["plan", "check", &bad, "--json"]);
    as_json.expect(2);
    assert_eq!(as_json.lines()[0]["ok"], false);
    for (arguments, part) in [
        (vec![garbage.as_str()], "cannot be run"),
        (vec!["/no/such/plan.yaml"], "cannot be read"),
        (vec![good.as_str()], "nothing is given for this value"),
        (vec![good.as_str(), "--value", "whom=x"], "did you mean `who`?"),
        (vec![good.as_str(), "--value", "who"], "NAME=TEXT"),
        (vec![good.as_str(), "--value", "who=x"], "no brain was named"),
        (vec![good.as_str(), "--value", "who=x", "-o", "x.txt"], "neither a .csv nor a .json"),
        (vec![good.as_str(), "--value", "who=x", "-o", "x.csv"], "collects no table"),
        (vec![good.as_str(), "--value", "who=x", "--brain", "script:none.json"], "cannot be read"),
        (vec![secret.as_str(), "--brain", "script:none.json"], "needs the secret \"pw\""),
        (vec![outside.as_str(), "--brain", "script:none.json"], "leads away from the plan"),
        (vec!["--resume", "last"], "no run"),
    ] {
        let ended = bench.surehand(&[&["plan", "run"], &arguments[..]].concat());
        ended.expect(2);
        assert!(ended.stdout.is_empty() && ended.stderr.contains(part), "{arguments:?}: {}", ended.stderr);
    }
    let runs = bench.data().join("runs");
    let left = std::fs::read_dir(&runs).map(|entries| entries.count()).unwrap_or_default();
    assert_eq!(left, 0, "nothing ran, so nothing is kept");
}
