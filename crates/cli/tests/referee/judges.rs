//! The visual judge: behind a real HTTP server in the format of OpenAI-compatible servers, honest, lying, muddled or
//! silent. Only one that says pass, surely and twice, beside a contract that passes, makes a pass.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::server::{Answer, Asked, Server};
use crate::studio::{FOUR, Studio, at_the_server, contract, on_the_screen, sets};

/// A server whose model says this about every picture. `None` never answers.
fn judge_saying(reply: Option<&'static str>) -> Server {
    Server::start(move |_, _| match reply {
        Some(text) => Answer::json(&completion(text)),
        None => Answer::silent(),
    })
}

fn completion(text: &str) -> Value {
    json!({"id": "c", "object": "chat.completion", "model": "eyes", "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5}})
}

fn run_with(server: &Server, steps: &[u32], checks: &[Value], more: &[&str]) -> (Option<i32>, Value) {
    let (bench, studio) = (Bench::new(), Studio::start());
    let brain = sets(&bench, "Kick", steps);
    let spec = format!("chat:eyes@{}/v1", server.url());
    let mut arguments = vec!["--judge", &spec, "--confirm", "none", "--set", "judge_timeout=4s"];
    let file;
    if !checks.is_empty() {
        file = contract(&bench, checks, json!({}));
        arguments.extend(["--contract", &file]);
    }
    arguments.extend(more);
    let ended = bench.run(&studio.url(), &brain, &arguments);
    (ended.code, ended.result())
}

const PASS: &str = r#"{"passed": true, "score": 0.95, "confidence": 0.9, "reasons": ["steps 1, 5, 9, 13 are lit"], "observed_active_steps": [1, 5, 9, 13]}"#;
const FAIL: &str = r#"{"passed": false, "score": 0.1, "confidence": 0.9, "reasons": ["step 9 is dark"]}"#;

#[test]
fn contract_and_judge_that_agree_decide() {
    let (code, result) = run_with(&judge_saying(Some(PASS)), &FOUR, &[on_the_screen()], &[]);
    assert_eq!(
        (code, &result["verdict"]["judge"], &result["verdict"]["final"]),
        (Some(0), &json!("pass"), &json!("pass")),
        "{}",
        result["verdict"]
    );
    let (code, result) = run_with(&judge_saying(Some(FAIL)), &[1, 5, 13], &[on_the_screen(), at_the_server()], &[]);
    assert_eq!((code, &result["verdict"]["final"]), (Some(1), &json!("fail")));
}

#[test]
fn disagreement_is_never_a_pass() {
    for (reply, steps) in [(FAIL, &FOUR[..]), (PASS, &[1, 5, 13][..])] {
        let (code, result) = run_with(&judge_saying(Some(reply)), steps, &[on_the_screen(), at_the_server()], &[]);
        let verdict = &result["verdict"];
        assert_eq!(
            (code, &verdict["final"], &verdict["disagreement"]),
            (Some(3), &json!("uncertain"), &json!(true)),
            "{verdict}"
        );
        assert_eq!(verdict["reasons"][0], "judge_disagreement");
    }
}

#[test]
fn no_muddled_silent_or_self_contradicting_judge_yields_a_pass() {
    for reply in [
        Some(r#"{"passed": "false", "score": 1, "confidence": 1, "reasons": []}"#),
        Some(r#"{"passed": "true", "score": 1, "confidence": 1, "reasons": []}"#),
        Some("The pattern looks right to me."),
        Some(r#"{"passed": true, "score": 0.9, "confidence": 0.3, "reasons": ["not sure"]}"#),
        Some(
            r#"{"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["fine"], "observed_active_steps": [1, 5, 13]}"#,
        ),
        Some(""),
        None,
    ] {
        let (code, result) = run_with(&judge_saying(reply), &FOUR, &[on_the_screen(), at_the_server()], &[]);
        assert_eq!(
            (code, &result["verdict"]["final"]),
            (Some(3), &json!("uncertain")),
            "{reply:?}: {}",
            result["verdict"]
        );
        assert_ne!(result["verdict"]["judge"], json!("pass"), "{reply:?}");
    }
}

/// The contract holds, so nothing but the judge's own words stands between the frame and a pass.
#[test]
fn no_reply_that_is_not_plainly_a_pass_is_taken_for_one() {
    let bench = Bench::new();
    bench.write("fine.txt", "fine");
    let file = contract(&bench, &[json!({"type": "file", "path_glob": "fine.txt"})], json!({}));
    let judged = |answer: Answer| {
        let server = Server::start(move |_, _| answer.clone());
        let spec = format!("chat:eyes@{}/v1", server.url());
        let frame = crate::commands::shot();
        let arguments = ["judge", "--contract", &file, "--frame", &frame, "--judge", &spec, "--json"];
        let ended = bench.surehand(&[&arguments[..], &["--set", "judge_timeout=5s", "--task", "kick"]].concat());
        let wire: Value = serde_json::from_str(&ended.stdout).unwrap();
        (ended.code, wire)
    };
    let honest = r#"{"passed": true, "score": 0.95, "confidence": 0.9, "reasons": ["all steps are lit"]}"#;
    let (code, wire) = judged(Answer::json(&completion(honest)));
    assert_eq!((code, &wire["final"]), (Some(0), &json!("pass")), "{wire}");
    let long =
        format!(r#"{{"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["{}"]"#, "lit ".repeat(400_000));
    let replies: Vec<(String, Answer)> = [
        r#"{"passed": 1, "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"passed": "yes", "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"passed": [true], "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"passed": {"value": true}, "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"passed": null, "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"Passed": true, "score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"score": 1, "confidence": 1, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": NaN, "confidence": 0.9, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": "high", "confidence": "high", "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": 0.9, "confidence": 95, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": 0.9, "confidence": -1, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": 0.9, "confidence": 1e400, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": 0.9, "reasons": ["lit"]}"#,
        r#"{"passed": true, "score": 0.05, "confidence": 0.95, "reasons": ["step 9 is dark"]}"#,
        r#"{"passed": true, "passed": false, "score": 0.9, "confidence": 0.9, "reasons": ["lit"]}"#,
        r#"[{"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["lit"]}]"#,
        r#"{"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["lit"]} {"passed": false, "score": 0.1, "confidence": 0.9, "reasons": ["dark"]}"#,
        r#"{"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["lit"#,
        r#"{"result": {"passed": true, "score": 0.9, "confidence": 0.9, "reasons": ["lit"]}}"#,
        "PASS",
        "true",
        "<html><body>{\"passed\": false}</body></html>",
        "I think it passed: true",
        "   ",
        long.as_str(),
    ]
    .into_iter()
    .map(|text| (text.chars().take(120).collect(), Answer::json(&completion(text))))
    .chain([
        ("HTTP 500".into(), Answer::text(500, "text/plain", "oops")),
        ("HTTP 200, empty".into(), Answer::text(200, "application/json", "")),
        ("HTTP 200, a page".into(), Answer::text(200, "text/html", "<html>{\"passed\": true}</html>")),
        ("HTTP 200, the bare judgement".into(), Answer::text(200, "application/json", honest)),
        ("no choices".into(), Answer::json(&json!({"choices": []}))),
        ("no content".into(), Answer::json(&json!({"choices": [{"message": {"content": null}, "finish_reason": "stop"}]}))),
    ])
    .collect();
    for (shown, answer) in replies {
        let (code, wire) = judged(answer);
        assert_eq!(wire["contract_result"], "pass", "{shown}: {wire}");
        assert_ne!(wire["judge_result"], "pass", "{shown}: {wire}");
        assert_eq!((code, &wire["final"]), (Some(3), &json!("uncertain")), "{shown}: {wire}");
    }
}

#[test]
fn a_judge_that_changes_its_mind_has_none() {
    let server = Server::start(|_, number| Answer::json(&completion(if number % 2 == 0 { PASS } else { FAIL })));
    let (code, result) = run_with(&server, &FOUR, &[on_the_screen(), at_the_server()], &[]);
    assert_eq!((code, &result["verdict"]["judge"]), (Some(3), &json!("unavailable")), "{}", result["verdict"]);
}

#[test]
fn without_a_contract_a_judge_decides_only_where_it_is_accepted() {
    let (code, result) = run_with(&judge_saying(Some(PASS)), &FOUR, &[], &[]);
    assert_eq!((code, &result["verdict"]["reasons"][0]), (Some(3), &json!("judge_only")), "{}", result["verdict"]);
    let (code, result) = run_with(&judge_saying(Some(PASS)), &FOUR, &[], &["--accept", "judge"]);
    assert_eq!((code, &result["verdict"]["final"]), (Some(0), &json!("pass")));
}

#[test]
fn the_judge_sees_task_rubric_and_picture_and_nothing_of_the_run() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&asked);
    let server = Server::start(move |asked: &Asked, _| {
        kept.lock().unwrap().push(asked.text());
        Answer::json(&completion(PASS))
    });
    run_with(&server, &FOUR, &[on_the_screen(), at_the_server()], &[]);
    let asked = asked.lock().unwrap();
    assert!(!asked.is_empty());
    for request in asked.iter() {
        assert!(request.contains("exactly steps 1, 5, 9, 13 are lit"), "the rubric is missing");
        for secret in ["pattern is saved", "Kick step 9", "active_steps\\\":[1", "script:"] {
            assert!(!request.contains(secret), "{secret:?} was told to the judge");
        }
    }
}
