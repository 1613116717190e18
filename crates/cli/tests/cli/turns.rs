//! What an exec brain is told each turn, field by field, and what becomes of replies with several
//! calls or with wrong ones.

use serde_json::{Value, json};

use crate::bench::{Bench, exists};
use crate::pages::{Page, PageServer};

/// Covers the page, so that any coordinate hits it.
const BUTTON: &str = "<!doctype html><title>Button</title>
<button style='position:fixed;inset:0;width:100%' onclick=\"document.title='Pressed';fetch('/pressed')\">Press</button>";
const LINK: &str = "<!doctype html><title>First</title>
<a href='/second' style='position:fixed;inset:0;background:#eee'>Go on</a>";
const SECOND: &str = "<!doctype html><title>Second</title><input autofocus oninput=\"fetch('/typed')\">";
const CLICK: &str = r#"{"tool":"mouse","action":"click","coordinate":[500,500]}"#;
const DONE: &str = r#"{"calls":[{"tool":"done","success":true,"summary":"fine"}]}"#;

/// The keys of an object with the kinds of their values.
fn shape(value: &Value) -> Value {
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let mut keys: Vec<(&String, &Value)> = value.as_object().unwrap().iter().collect();
    keys.sort_by_key(|(name, _)| name.as_str());
    keys.into_iter().map(|(name, value)| json!([name, kind(value)])).collect()
}

fn check_shape(value: &Value, expected: &[(&str, &str)]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let expected: Value = expected.into_iter().map(|(name, kind)| json!([name, kind])).collect();
    assert_eq!(shape(value), expected, "{value}");
}

const TURN: [(&str, &str); 13] = [
    ("type", "string"),
    ("protocol", "number"),
    ("run", "string"),
    ("turn", "number"),
    ("step", "number"),
    ("task", "string"),
    ("observation", "object"),
    ("results", "array"),
    ("feedback", "string"),
    ("problem", "null"),
    ("hints", "array"),
    ("viewport", "object"),
    ("budget", "object"),
];

/// `called` is the kind of what only a click has.
fn observation(called: &'static str) -> [(&'static str, &'static str); 15] {
    [
        ("message", "string"),
        ("error", "null"),
        ("dispatched", called),
        ("hit", called),
        ("pending", "null"),
        ("candidates", "array"),
        ("frame", "object"),
        ("images", "array"),
        ("url", "string"),
        ("title", "string"),
        ("focus", if called == "null" { "null" } else { "object" }),
        ("tabs", "array"),
        ("opened", "array"),
        ("dialog", "null"),
        ("downloads", "array"),
    ]
}

#[test]
fn turns_have_exactly_the_fields_of_the_wire_contract() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let brain = bench.replying_brain(&[&format!(r#"{{"thought":"press it","calls":[{CLICK}]}}"#), DONE]);
    let ended = bench.run(&server.url(), &brain, &["--max-steps", "9", "--viewport", "800x600"]);
    let result = ended.expect_end(0, "done");
    let seen = bench.seen();
    let (first, second) = (&seen[0], &seen[1]);

    for (turn, called) in [(first, "null"), (second, "object")] {
        check_shape(turn, &TURN);
        let view = &turn["observation"];
        check_shape(view, &observation(called));
        check_shape(
            &view["frame"],
            &[
                ("path", "string"),
                ("width", "number"),
                ("height", "number"),
                ("format", "string"),
                ("sha256", "string"),
                ("stale", "bool"),
            ],
        );
        check_shape(
            &view["tabs"][0],
            &[("id", "string"), ("target", "string"), ("url", "string"), ("title", "string"), ("active", "bool")],
        );
        check_shape(&turn["budget"], &[("steps_left", "number"), ("seconds_left", "number")]);
        assert_eq!(turn["viewport"], json!({"width": 800, "height": 600}));
        assert_eq!((&turn["type"], &turn["protocol"], &turn["hints"]), (&json!("turn"), &json!(1), &json!([])));
        assert_eq!((&turn["run"], &turn["task"]), (&result["run_id"], &json!("a task in words")));
    }
    assert_eq!((&first["turn"], &first["step"], &first["budget"]["steps_left"]), (&json!(1), &json!(1), &json!(9)));
    assert_eq!((&second["turn"], &second["step"], &second["budget"]["steps_left"]), (&json!(2), &json!(2), &json!(8)));
    assert_eq!((&first["results"], &first["feedback"]), (&json!([]), &json!("")));

    let view = &second["observation"];
    assert_eq!(view["dispatched"], json!({"x": 400, "y": 300}));
    check_shape(
        &view["hit"],
        &[
            ("descriptor", "string"),
            ("tag", "string"),
            ("role", "string"),
            ("name", "string"),
            ("id", "null"),
            ("classes", "array"),
            ("box", "array"),
            ("frame", "null"),
            ("covers", "null"),
        ],
    );
    assert_eq!(view["hit"]["descriptor"], "button \"Press\"");
    assert_eq!(view["title"], "Pressed");
    check_shape(
        &view["focus"],
        &[
            ("tag", "string"),
            ("type", "null"),
            ("role", "string"),
            ("name", "string"),
            ("id", "null"),
            ("label", "null"),
            ("placeholder", "null"),
            ("selector", "string"),
            ("value", "null"),
            ("empty", "null"),
            ("editable", "bool"),
        ],
    );
    let message = view["message"].as_str().unwrap();
    let effect = &second["results"][0]["effect"];
    assert_eq!((&effect["status"], &effect["evidence"][0]["kind"]), (&json!("confirmed"), &json!("title")));
    let expected = json!([{"index": 0, "ran": true, "ok": true, "effect": effect, "message": message}]);
    assert_eq!(second["results"], expected);
    assert_eq!(second["feedback"], format!("call 0 done: {message}"));
    assert!(message.contains("button \"Press\""), "{message}");
}

#[test]
fn frames_can_be_opened_while_the_brain_thinks() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let brain = bench.shell_brain(&format!(
        r#"while read -r line; do
  case $line in '{{"type":"end"'*) exit 0 ;; esac
  path=$(printf '%s' "$line" | sed 's/.*"frame":{{"path":"\([^"]*\)".*/\1/')
  printf '%s\n' "$path" >path
  cp "$path" copy.png
  printf '%s\n' '{DONE}'
done"#
    ));
    bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    let copy = std::fs::read(bench.path("copy.png")).unwrap();
    assert!(copy.starts_with(b"\x89PNG"));
    assert!(!exists(bench.read("path").trim()));
}

#[test]
fn a_reply_that_makes_no_sense_is_answered_twice_and_then_costs_a_step() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let brain = bench.replying_brain(&["nonsense", r#"{"calls":[]}"#, "", DONE]);
    let result = bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    let seen = bench.seen();
    let told: Vec<(u64, u64, Option<&str>)> = seen[..seen.len() - 1]
        .iter()
        .map(|turn| (turn["turn"].as_u64().unwrap(), turn["step"].as_u64().unwrap(), turn["problem"].as_str()))
        .collect();
    assert_eq!(told.len(), 4, "{told:?}");
    let places: Vec<(u64, u64)> = told.iter().map(|(turn, step, _)| (*turn, *step)).collect();
    assert_eq!(places, [(1, 1), (1, 1), (1, 1), (2, 2)]);
    assert_eq!(told[0].2, None);
    for (turn, part) in [(1, "not JSON"), (2, "no calls"), (3, "blank line")] {
        assert!(told[turn].2.is_some_and(|problem| problem.contains(part)), "{part}: {told:?}");
    }
    assert_eq!((&result["steps"], &result["turns"]), (&json!(2), &json!(2)));
    let spent = &result["trajectory"][0];
    assert_eq!((&spent["call"], &spent["ok"]), (&Value::Null, &json!(false)));
}

#[test]
fn a_good_reply_after_a_bad_one_costs_nothing() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let brain = bench.replying_brain(&["nonsense", &format!(r#"{{"calls":[{CLICK}]}}"#), DONE]);
    let result = bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    assert_eq!((&result["steps"], &result["turns"]), (&json!(2), &json!(2)));
    assert_eq!(bench.seen()[2]["problem"], Value::Null);
    assert_eq!(server.count("/pressed"), 1);
}

#[test]
fn calls_behind_a_navigation_are_not_run() {
    let bench = Bench::new();
    let server = PageServer::start(&[("/", Page::Html(LINK)), ("/second", Page::Html(SECOND))]);
    let typing = r#"{"tool":"keyboard","action":"type","text":"lost"}"#;
    let brain = bench.replying_brain(&[&format!(r#"{{"calls":[{CLICK},{typing},{typing}]}}"#), DONE]);
    let ended = bench.run(&server.url(), &brain, &[]);
    let result = ended.expect_end(0, "done");
    let turn = &bench.seen()[1];
    let states: Vec<Value> = turn["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| json!([result["index"], result["ran"], result["ok"], result["effect"].is_null()]))
        .collect();
    assert_eq!(states, [json!([0, true, true, false]), json!([1, false, false, true]), json!([2, false, false, true])]);
    let feedback = turn["feedback"].as_str().unwrap();
    assert!(feedback.contains("call 1 not run: ") && feedback.contains("new document"), "{feedback}");
    assert_eq!(turn["observation"]["title"], "Second");
    assert_eq!(turn["observation"]["focus"]["empty"], true, "{}", turn["observation"]["focus"]);
    assert_eq!(server.count("/typed"), 0);
    assert_eq!(result["steps"], 2);
    let not_run = ended.events("not_run");
    assert_eq!(not_run.len(), 1);
    assert_eq!(not_run[0]["calls"].as_array().unwrap().len(), 2);
}

#[test]
fn calls_behind_a_failed_call_are_not_run() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let failing = r#"{"tool":"dialog","dialog_action":"accept"}"#;
    let brain = bench.replying_brain(&[&format!(r#"{{"calls":[{failing},{CLICK}]}}"#), DONE]);
    bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    let turn = &bench.seen()[1];
    assert_eq!(turn["observation"]["error"]["code"], "no_dialog");
    let expected = json!({"status": "refused", "evidence": [], "reason": "no_dialog"});
    assert_eq!(turn["results"][0]["effect"], expected);
    assert_eq!((&turn["results"][0]["ok"], &turn["results"][1]["ran"]), (&json!(false), &json!(false)));
    assert_eq!(server.count("/pressed"), 0);
}

#[test]
fn one_invalid_call_and_none_of_the_reply_runs() {
    let (bench, server) = (Bench::new(), PageServer::with(BUTTON));
    let brain = bench.replying_brain(&[
        &format!(r#"{{"calls":[{CLICK},{{"tool":"mouse","action":"click","coordinate":[1200,5]}}]}}"#),
        &format!(r#"{{"calls":[{CLICK},{{"tool":"teleport"}}]}}"#),
        DONE,
    ]);
    let result = bench.run(&server.url(), &brain, &[]).expect_end(0, "done");
    let seen = bench.seen();
    for (turn, part) in [(1, "coordinate"), (2, "teleport")] {
        let problem = seen[turn]["problem"].as_str().unwrap();
        assert!(problem.contains("call 1") && problem.contains(part), "{problem}");
    }
    assert_eq!(server.count("/pressed"), 0);
    assert_eq!(result["steps"], 1);
}
