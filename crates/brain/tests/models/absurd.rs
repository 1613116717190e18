//! Answers that no model would give: counts beyond all bounds, trees without end, thousands of calls, the wrong kind
//! of everything. Each is a problem or an error in words, never a crash.

use std::time::Duration;

use serde_json::{Value, json};

use surehand_brain::{Answer as Thoughts, ModelOptions};

use crate::seat::Seat;
use crate::server::{Answer, Server};
use crate::wire::{self, Act, VENDORS, Wire};

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn counts_beyond_all_bounds_are_bounded() {
    let most = u64::MAX;
    for wire in VENDORS {
        let mut body = wire.reply(0, "I go on.", &[Act::Look]);
        body["usage"] = json!({"input_tokens": most, "output_tokens": most, "cache_read_input_tokens": most,
            "cache_creation_input_tokens": most, "prompt_tokens": most, "completion_tokens": most,
            "input_tokens_details": {"cached_tokens": most}, "prompt_tokens_details": {"cached_tokens": most}});
        body["usageMetadata"] = json!({"promptTokenCount": most, "cachedContentTokenCount": most,
            "candidatesTokenCount": most, "thoughtsTokenCount": most, "toolUsePromptTokenCount": most});
        let server = Server::list(vec![Answer::json(&body)]);
        let mut seat =
            Seat::with(wire, &server, LIMIT, ModelOptions { price: "3/15".into(), ..ModelOptions::default() });
        for number in 1..=3 {
            let turn = seat.turn(number);
            assert!(seat.brain.think(&turn).await.is_ok(), "{:?}", wire.kind);
        }
        let spent = seat.brain.spent().unwrap();
        assert!(spent.output_tokens > 1_000_000 && spent.cost_usd.is_finite() && spent.cost_usd > 0.0, "{spent:?}");
        // Negative and fractional counts, or words, count as nothing.
        body["usage"] = json!({"input_tokens": -1, "output_tokens": "many", "prompt_tokens": 1.5});
        body["usageMetadata"] = json!({"promptTokenCount": null});
        let server = Server::list(vec![Answer::json(&body)]);
        let mut seat = Seat::new(wire, &server, LIMIT);
        let turn = seat.turn(1);
        assert!(seat.brain.think(&turn).await.is_ok(), "{:?}", wire.kind);
    }
}

/// Every part of a good answer replaced, one after the other, by something else.
fn mutants(body: &Value, path: &str, all: &mut Vec<Value>, whole: &Value) {
    for other in [Value::Null, json!(-1e308), json!("ünïcode \u{0}\u{202e}"), json!([[[{}]]])] {
        let mut mutant = whole.clone();
        if let Some(place) = mutant.pointer_mut(path) {
            *place = other;
            all.push(mutant);
        }
    }
    match body {
        Value::Object(fields) => {
            for (name, field) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                mutants(field, &format!("{path}/{name}"), all, whole);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                mutants(item, &format!("{path}/{index}"), all, whole);
            }
        }
        _ => {}
    }
}

/// Takes every mutant of a good answer, whatever comes of it.
async fn survives(wire: Wire) {
    let acts = [Act::Look, Act::Click(3, 4), Act::Type("x".into()), Act::done("d")];
    let whole = wire.reply(0, "I go on.", &acts);
    let mut all = Vec::new();
    mutants(&whole, "", &mut all, &whole);
    let count = all.len();
    assert!(count > 80, "{count}");
    let answers: Vec<Answer> = all.iter().map(Answer::json).collect();
    let server = Server::start(move |_, number| answers[number % count].clone());
    let mut seat = Seat::new(wire, &server, LIMIT);
    let mut number = 0;
    while server.count() < count {
        number += 1;
        let mut turn = crate::common::turn();
        (turn.turn, turn.step) = (number, number);
        match seat.brain.think(&turn).await {
            Ok(thought) => {
                if let Thoughts::Problem(problem) = thought.answer {
                    let bounded = !problem.0.is_empty() && problem.0.len() < 2000 && !problem.0.contains('\n');
                    assert!(bounded, "{problem:?}");
                }
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}

#[tokio::test]
async fn the_wrong_kind_of_anything_is_no_crash() {
    for wire in [wire::ANTHROPIC, wire::OPENAI, wire::GEMINI, wire::NATIVE] {
        survives(wire).await;
    }
}

#[tokio::test]
async fn nor_is_it_with_the_other_tools() {
    for wire in [wire::TOOLSET, wire::PREVIEW, wire::LEGACY] {
        survives(wire).await;
    }
}

#[tokio::test]
async fn trees_without_end_and_thousands_of_calls_are_bounded() {
    let deep = format!("{{\"choices\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let server = Server::list(vec![Answer::text(200, "application/json", deep)]);
    let mut seat = Seat::new(wire::NATIVE, &server, LIMIT);
    let turn = seat.turn(1);
    let error = seat.brain.think(&turn).await.expect_err("no answer").to_string();
    assert!(error.len() < 1000 && !error.contains('\n'), "{error}");
    for wire in VENDORS {
        let acts: Vec<Act> = (0..3000).map(|at| Act::Click(at % 600, 5)).collect();
        let body = wire.reply(0, &"long ".repeat(100_000), &acts);
        let server = Server::list(vec![Answer::json(&body)]);
        let mut seat = Seat::new(wire, &server, LIMIT);
        for number in 1..=2 {
            let turn = seat.turn(number);
            match seat.brain.think(&turn).await.expect("an answer").answer {
                Thoughts::Reply(reply) => assert!(reply.calls.len() <= 64, "{}", reply.calls.len()),
                Thoughts::Problem(problem) => assert!(problem.0.len() < 2000),
            }
        }
    }
}
