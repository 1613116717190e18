//! Verification in real runs: what the brain is told at its very next turn, which predictions come true,
//! which done is believed, and how a loop ends.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::pages::PageServer;

/// Covers the page and does nothing.
const DEAD: &str =
    "<!doctype html><title>Order</title><button style='position:fixed;inset:0;width:100%'>Place order</button>";
const LIVE: &str = "<!doctype html><title>Order</title>
<button style='position:fixed;inset:0;width:100%' onclick=\"document.title='Placed';history.pushState(0,'','/placed');this.textContent='Placed'\">Place order</button>";
/// Nobody is there to agree to an order.
const SCRIPTED: &[&str] = &["--confirm", "none"];
const CLICK: &str = r#"{"tool":"mouse","action":"click","coordinate":[500,500]}"#;

fn click(thought: &str) -> String {
    format!(r#"{{"thought":"{thought}","calls":[{CLICK}]}}"#)
}

fn done(summary: &str) -> String {
    json!({"calls": [{"tool": "done", "success": true, "summary": summary}]}).to_string()
}

fn feedback(turn: &Value) -> &str {
    turn["feedback"].as_str().unwrap_or_default()
}

#[test]
fn a_dead_high_risk_action_is_told_at_the_very_next_turn() {
    let (bench, server) = (Bench::new(), PageServer::with(DEAD));
    let brain =
        bench.replying_brain(&[&click("submit the order"), &done("ordered"), &done("ordered"), &done("ordered")]);
    let ended = bench.run(&server.url(), &brain, SCRIPTED);
    let result = ended.expect_end(0, "done");
    let seen = bench.seen();
    let warning = "WARNING: high-risk action had no observed effect (global_and_region_stable)";
    assert!(feedback(&seen[1]).contains(warning), "{}", feedback(&seen[1]));
    assert!(feedback(&seen[1]).contains("WARNING: nothing on the page reacted to it"), "{}", feedback(&seen[1]));
    assert_eq!(result["perceptual_summary"], json!({"checked": 1, "no_effect": 1}));
    let step = &result["trajectory"][0];
    assert_eq!((&step["action_effect_observed"], &step["substituted"]), (&json!(false), &json!(false)));
    assert_eq!(step["frame_hash"].as_str().unwrap().len(), 17);
}

#[test]
fn a_check_that_is_off_adds_nothing() {
    let (bench, server) = (Bench::new(), PageServer::with(DEAD));
    let brain = bench.replying_brain(&[
        r#"{"thought":"submit","expected":["url_changed"],"calls":[{"tool":"mouse","action":"click","coordinate":[500,500]}]}"#,
        &done("ordered"),
    ]);
    let off = [
        "--confirm",
        "none",
        "--set",
        "perceptual_verify=off",
        "--set",
        "predicate_verify=off",
        "--set",
        "done_gate=off",
    ];
    let result = bench.run(&server.url(), &brain, &off).expect_end(0, "done");
    assert!(!feedback(&bench.seen()[1]).contains("high-risk"));
    assert_eq!((&result["perceptual_summary"], &result["predicate_summary"]), (&json!({}), &json!({})));
    let step = &result["trajectory"][0];
    assert_eq!(step["predicted_outcome"], json!({"expected": ["url_changed"]}), "recorded all the same");
    assert_eq!((&step["predicate_results"], &step["reward_components"]), (&json!([]), &json!({})));
    assert_eq!(step["action_effect_observed"], Value::Null);
}

#[test]
fn predictions_of_both_forms_are_scored() {
    let (bench, server) = (Bench::new(), PageServer::with(LIVE));
    let brain = bench.replying_brain(&[
        r#"{"expected":["url_contains:/placed","title_changed","url_unchanged"],"calls":[{"tool":"mouse","action":"click","coordinate":[500,500]}]}"#,
        r#"{"thought":"Again.\nPredicted: url_unchanged, frame_stable","calls":[{"tool":"mouse","action":"click","coordinate":[500,500]}]}"#,
        &done("the order is placed"),
    ]);
    let result = bench.run(&server.url(), &brain, SCRIPTED).expect_end(0, "done");
    let results = |step: usize| -> Vec<Value> {
        let results = result["trajectory"][step]["predicate_results"].as_array().unwrap();
        results.iter().map(|one| json!([one["predicate"], one["result"]])).collect()
    };
    assert_eq!(
        results(0),
        [json!(["url_contains:/placed", true]), json!(["title_changed", true]), json!(["url_unchanged", false])]
    );
    assert_eq!(results(1)[0], json!(["url_unchanged", true]));
    let error = result["trajectory"][0]["reward_components"]["world_model_error"].as_f64().unwrap();
    assert!((error + 0.05 / 3.0).abs() < 1e-9, "{error}");
    let summary = &result["predicate_summary"];
    assert_eq!((&summary["total"], &summary["evaluated"]), (&json!(5), &json!(5)), "{summary}");
}

/// Its button shows a text, takes a banner away and opens a dialog of its own.
const SHOWING: &str = "<!doctype html><title>Shop</title><p id=banner>Summer sale</p><p id=shown></p>
<div role=dialog id=box hidden>Thank <b>you</b></div>For help<button id=other>Other</button>
<template id=bold><b>7</b></template>
<button style='position:fixed;left:0;top:200px;width:100%;height:400px'
 onclick=\"banner.remove();shown.innerHTML='Order <b>42</b> placed';other.after('Receipt ',bold.content,' sent');box.hidden=false\">Buy</button>";

#[test]
fn texts_elements_and_dialogs_are_really_measured() {
    let (bench, server) = (Bench::new(), PageServer::with(SHOWING));
    let expected = json!([
        "element_appears:Order 42 placed",
        "element_appears:Receipt 7 sent",
        "element_disappears:For help",
        "element_appears:#banner",
        "element_disappears:#banner",
        "element_disappears:Summer sale",
        "element_appears:Refunded",
        "modal_opens",
        "modal_closes",
    ]);
    let click: Value = serde_json::from_str(CLICK).unwrap();
    let reply = json!({"expected": expected, "calls": [click]}).to_string();
    let result =
        bench.run(&server.url(), &bench.replying_brain(&[&reply, &done("bought")]), SCRIPTED).expect_end(0, "done");
    let results = result["trajectory"][0]["predicate_results"].as_array().unwrap();
    let answers: Vec<&Value> = results.iter().map(|one| &one["result"]).collect();
    assert_eq!(answers, [true, true, false, false, true, true, false, true, false], "{results:?}");
}

const FORM: &str = "<!doctype html><title>Form</title><form onsubmit='return false'>
<label>E-mail <input name=email style='position:fixed;left:0;top:0;width:640px;height:120px'></label>
<label>Town <input name=town style='position:fixed;left:0;top:200px;width:640px;height:120px'></label></form>";

#[test]
fn declared_values_are_filled_in_and_a_done_before_that_is_refused() {
    let (bench, server) = (Bench::new(), PageServer::with(FORM));
    let at = |y: u32| json!({"calls": [{"tool": "mouse", "action": "click", "coordinate": [250, y]}]}).to_string();
    let brain = bench.replying_brain(&[&at(80), &done("the form is filled"), &at(360), &done("the form is filled")]);
    let values = ["--value", "email=ada@example.com", "--value", "town=Port Ellery"];
    let result = bench.run(&server.url(), &brain, &values).expect_end(0, "done");
    let filled: Vec<&Value> = result["trajectory"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["substituted"] == true && step["call"]["tool"] == "keyboard")
        .map(|step| &step["call"]["text"])
        .collect();
    assert_eq!(filled, ["ada@example.com", "Port Ellery"]);
    assert_eq!(result["done_rejections_by_reason"], json!({"pending_form_values": 1}));
    let seen = bench.seen();
    assert!(
        feedback(&seen[1]).contains("the declared value \"email\" was filled in for you"),
        "{}",
        feedback(&seen[1])
    );
    assert!(feedback(&seen[2]).contains("town"), "which value is missing: {}", feedback(&seen[2]));
}

#[test]
fn a_person_is_asked_and_an_absent_one_is_said_to_be_absent() {
    let ask = json!({"calls": [{"tool": "ask_user", "question": "Which code came by mail?"}]}).to_string();
    for (answer, told, ok) in
        [(Some("471 993\n"), "the user answered: \"471 993\"", true), (None, "nobody is there", false)]
    {
        let (bench, server) = (Bench::new(), PageServer::with(LIVE));
        let brain = bench.replying_brain(&[&ask, &done("read the code")]);
        let mut command =
            bench.command(&["run", "a task in words", "--url", &server.url(), "--brain", &brain, "--json"]);
        if let Some(answer) = answer {
            command.stdin(std::fs::File::open(bench.write("answer", answer)).unwrap());
        }
        let ended = bench.start_command(command).wait();
        assert!(ended.stderr.contains("The brain asks: Which code came by mail?"), "{}", ended.stderr);
        let seen = bench.seen();
        assert!(feedback(&seen[1]).contains(told), "{}", feedback(&seen[1]));
        assert_eq!(seen[1]["results"][0]["ok"], ok);
    }
}

#[test]
fn an_empty_done_is_refused_in_words_and_a_good_one_believed() {
    let (bench, server) = (Bench::new(), PageServer::with(LIVE));
    let brain = bench.replying_brain(&[&click("place it"), &done(""), &done("the order is placed")]);
    let result = bench.run(&server.url(), &brain, SCRIPTED).expect_end(0, "done");
    assert_eq!(result["done_rejections_by_reason"], json!({"empty_summary": 1}));
    let step = &result["trajectory"][1];
    assert_eq!((&step["done_rejected_reason"], &step["substituted"]), (&json!("empty_summary"), &json!(true)));
    assert_eq!(step["call"], json!({"tool": "wait", "seconds": 1.0}));
    let told = &bench.seen()[2];
    assert!(feedback(told).contains("done was not accepted"), "{}", feedback(told));
    assert_eq!((&told["results"][0]["ran"], &told["results"][0]["ok"]), (&json!(false), &json!(false)));
}

#[test]
fn a_done_that_its_verifier_never_believes_ends_unverified() {
    let (bench, server) = (Bench::new(), PageServer::with(LIVE));
    let brain = bench.shell_brain(
        r#"printf '{"type":"hello","protocol":1,"verify_done":true}\n'
while read -r line; do
  printf '%s\n' "$line" >>seen
  case $line in
    '{"type":"verify_done"'*) printf '{"valid":false,"reason":"the basket is still full"}\n' ;;
    '{"type":"end"'*) exit 0 ;;
    *) printf '{"calls":[{"tool":"done","success":true,"summary":"all bought"}]}\n' ;;
  esac
done
"#,
    );
    let result = bench.run(&server.url(), &brain, &[]).expect_end(3, "done_unverified");
    assert_eq!(result["done_rejections_by_reason"], json!({"verifier_rejected": 2}));
    assert_eq!(result["success"], false);
    assert!(result["error"].as_str().unwrap().contains("the basket is still full"), "{}", result["error"]);
}

#[test]
fn a_brain_that_repeats_a_dead_click_is_told_then_helped_and_at_last_stopped() {
    let (bench, server) = (Bench::new(), PageServer::with(DEAD));
    let lines: Vec<String> = (0..12).map(|_| click("submit the order")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let brain = bench.replying_brain(&lines);
    let ended = bench.run(&server.url(), &brain, &["--confirm", "none", "--set", "no_effect_patience=0.3"]);
    let result = ended.expect_end(1, "loop");
    let seen = bench.seen();
    assert!(feedback(&seen[2]).contains("Two actions on the same target had no effect"), "{}", feedback(&seen[2]));
    assert!(result["loop_recoveries_by_reason"]["press_return_for_submit"].as_u64().unwrap() > 0, "{result}");
    let helped = result["trajectory"].as_array().unwrap().iter().find(|step| step["substituted"] == true).unwrap();
    assert_eq!(helped["loop_recovery_reason"], "press_return_for_submit");
    assert_eq!(helped["call"]["tool"], "keyboard");
    assert!(result["steps"].as_u64().unwrap() <= 12);
    let last = result["trajectory"].as_array().unwrap().last().unwrap();
    assert_eq!(last["going_in_circles"]["response"], "end", "{last}");
}

#[test]
fn every_further_repeat_of_a_loop_is_told_and_marked() {
    let (bench, server) = (Bench::new(), PageServer::with(DEAD));
    let lines: Vec<String> = (0..12).map(|_| click("once more")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let settings = ["--confirm", "none", "--set", "no_effect_patience=0.3", "--set", "loop_recovery=off"];
    let result = bench.run(&server.url(), &bench.replying_brain(&lines), &settings).expect_end(1, "loop");
    let seen = bench.seen();
    assert!(feedback(&seen[2]).contains("Two actions on the same target had no effect"), "{}", feedback(&seen[2]));
    assert!(seen.len() > 4, "{}", seen.len());
    for turn in seen[3..].iter().filter(|line| line["type"] == "turn") {
        assert!(feedback(turn).contains("This was said before"), "{}", feedback(turn));
    }
    let steps = result["trajectory"].as_array().unwrap();
    let responses: Vec<&Value> = steps.iter().map(|step| &step["going_in_circles"]["response"]).collect();
    assert_eq!((responses[0], responses[1], responses[2]), (&Value::Null, &json!("nudge"), &json!("repeat")));
    assert_eq!(*responses.last().unwrap(), &json!("end"));
    // What the brain is told is not what a reader is told.
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("had no effect") && !error.contains("try another"), "{error}");
    let report = bench.surehand(&["report", "last"]);
    assert!(report.stdout.contains("From step 2 on the run went in circles"), "{}", report.stdout);
    assert!(report.stdout.contains("policy: the run was ended for going in circles"), "{}", report.stdout);
}
