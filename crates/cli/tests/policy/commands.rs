//! `surehand policy`, and what a policy file that is wrong does to a run.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::closed_port;

const CLICK: &str = r#"{"tool":"mouse","action":"click","coordinate":[500,500]}"#;

#[test]
fn the_built_in_policy_can_be_copied_checked_and_changed() {
    let bench = Bench::new();
    let shown = bench.surehand(&["policy", "show"]);
    shown.expect(0);
    let file = bench.write("policy.toml", &shown.stdout);
    let checked = bench.surehand(&["policy", "check", file.to_str().unwrap()]);
    checked.expect(0);
    assert!(checked.stdout.starts_with("ok: "), "{}", checked.stdout);

    let wrong = bench.write("wrong.toml", "default = 3\n[[rule]]\nid = \"a\"\ntargt = \"x\"\n");
    let wrong = wrong.to_str().unwrap();
    let checked = bench.surehand(&["policy", "check", wrong]);
    checked.expect(2);
    let lines: Vec<&str> = checked.stderr.lines().collect();
    assert_eq!(lines.len(), 4, "one sentence for each problem: {lines:?}");
    assert!(lines[0].contains("line 1: default must be"), "{lines:?}");
    assert!(checked.stderr.contains("line 4: rule a has the unknown field \"targt\"; the nearest is \"target\""));
    let checked = bench.surehand(&["policy", "check", wrong, "--json"]);
    checked.expect(2);
    let value: Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!((&value["ok"], value["problems"].as_array().unwrap().len()), (&json!(false), 4));
    bench.surehand(&["policy", "check", "nowhere.toml"]).expect(2).expect_sentence("nowhere.toml cannot be used");
}

#[test]
fn a_decision_is_explained_with_the_rules_that_were_looked_at() {
    let bench = Bench::new();
    let explain = |more: &[&str]| {
        let ended = bench.surehand(&[&["policy", "explain"][..], more].concat());
        ended.expect(0);
        serde_json::from_str::<Value>(&ended.stdout).unwrap()
    };
    let url = ["--url", "https://shop.test/", "--json"];
    let pay = explain(&[&[CLICK, "--target", "button \"Pay now\""][..], &url].concat());
    assert_eq!((&pay["decision"], &pay["rule"]), (&json!("confirm"), &json!("pay")), "{pay}");
    let looked = pay["looked_at"].as_array().unwrap();
    assert!(looked.len() > 3 && looked.last().unwrap()["failed"].is_null(), "{pay}");
    let link = explain(&[&[CLICK, "--target", "link \"Payments\"", "--navigates"][..], &url].concat());
    assert_eq!((&link["decision"], &link["rule"]), (&json!("allow"), &json!("default")));
    let form = explain(
        &[&[CLICK, "--target", "button \"Go\"", "--submits", "--start-url", "https://else.test/"][..], &url].concat(),
    );
    assert_eq!(form["rule"], "submit_elsewhere");
    let dialog = r#"{"tool":"dialog","dialog_action":"accept"}"#;
    let dialog = explain(&[&[dialog, "--dialog", "Really delete it?"][..], &url].concat());
    assert_eq!(dialog["rule"], "dialog");
    let paste = r#"{"tool":"keyboard","action":"press","key":"ctrl+v"}"#;
    assert_eq!(explain(&[&[paste, "--pastes-secret"][..], &url].concat())["rule"], "secret_paste");
    assert_eq!(explain(&[&[paste][..], &url].concat())["rule"], "default");
    let file = bench
        .write("p.toml", "[[rule]]\nid = \"mine\"\ndecision = \"deny\"\nreason = \"no\"\norigin = \"shop.test\"\n");
    let own = explain(&[&[CLICK, "--policy", file.to_str().unwrap()][..], &url].concat());
    assert_eq!((&own["decision"], &own["rule"]), (&json!("deny"), &json!("mine")));

    let words =
        bench.surehand(&["policy", "explain", CLICK, "--url", "https://shop.test/", "--target", "button \"Pay\""]);
    assert!(words.expect(0).stdout.starts_with("confirm: a person has to agree"), "{}", words.stdout);
    bench.surehand(&["policy", "explain", "{", "--url", "https://x.test/"]).expect(2).expect_sentence("not JSON");
    bench.surehand(&["policy", "explain", "{}", "--url", "https://x.test/"]).expect(2);
}

#[test]
fn a_policy_that_is_wrong_starts_nothing() {
    let bench = Bench::new();
    let file = bench.write("policy.toml", "[[rule]]\nid = \"a\"\n");
    let file = file.to_str().unwrap();
    let url = closed_port();
    let brain = bench.script(&[json!({"calls": [{"tool": "tab", "action": "view"}]})]);
    let brain = brain.as_str();
    let ended = bench.surehand(&["run", "x", "--url", &url, "--brain", brain, "--policy", file]);
    ended.expect(2).expect_sentence("policy.toml cannot be used: line 1: rule a has no decision");
    let ended = bench.surehand(&["tools", "--url", &url, "--policy", file]);
    ended.expect(2).expect_sentence("policy.toml cannot be used");
    let ended = bench.surehand(&["run", "x", "--url", &url, "--brain", brain, "--confirm", "maybe"]);
    ended.expect(2).expect_sentence("confirm must be one of risky, all, none");
    assert!(!bench.data().join("audit").exists(), "nothing was started");
}
