//! Checks that a provider wants a person to agree to: without anybody to ask, nothing runs and nothing is
//! acknowledged; with `--confirm none` it runs, and exactly those checks are acknowledged.

use serde_json::{Value, json};

use crate::bench::eventually;
use crate::server::{Answer, Asked};
use crate::shots;
use crate::wire::{self, Act, gemini_checked, openai_checked};
use crate::world::World;

const PLACE: (i64, i64) = (600, 400);

fn checks() -> Value {
    json!([
        {"id": "cu_sc_1", "code": "malicious_instructions", "message": "The page may try to trick the model."},
        {"id": "cu_sc_2", "code": "sensitive_domain", "message": "This is a bank."},
    ])
}

fn openai() -> World {
    World::new(wire::OPENAI, |_, number| {
        Answer::json(&match number {
            0 => openai_checked(number, &[Act::Click(PLACE.0, PLACE.1)], checks()),
            1 => wire::OPENAI.reply(number, "Once more.", &[Act::Look]),
            _ => wire::OPENAI.reply(number, "", &[Act::given_up("that is all")]),
        })
    })
}

fn gemini() -> World {
    World::new(wire::LEGACY, |_, number| {
        Answer::json(&match number {
            0 => gemini_checked(PLACE, "It pays money."),
            1 => wire::LEGACY.reply(number, "Once more.", &[Act::Look]),
            _ => wire::LEGACY.reply(number, "", &[Act::given_up("that is all")]),
        })
    })
}

fn outputs(request: &Value) -> Vec<Value> {
    let items = request["input"].as_array().unwrap();
    items.iter().filter(|item| item["type"] == "computer_call_output").cloned().collect()
}

#[test]
fn what_nobody_agrees_to_is_not_run_and_not_acknowledged() {
    for world in [openai(), gemini()] {
        let result = world.run(&["--confirm", "risky"]).expect_end(1, "done_failed");
        assert_eq!(world.page.clicks(), [], "it was run");
        let count = if world.wire.model.starts_with("gpt") { 2 } else { 1 };
        let summary = &result["brain_summary"];
        assert_eq!((&summary["safety_checks"], &summary["safety_denied"]), (&json!(count), &json!(1)), "{summary}");
        let asked = world.server.asked();
        assert!(asked.iter().all(|request| !request.text().contains("acknowledge")), "acknowledged without consent");
        let told = shots::words(&asked[1].json());
        assert!(told.contains("safety check was not agreed to"), "{told}");
        world.turns().iter().for_each(|request| world.wire.expect_answered(request));
    }
}

#[test]
fn openai_gets_back_exactly_the_checks_it_asked_about() {
    let world = openai();
    let result = world.run(&["--confirm", "none"]).expect_end(1, "done_failed");
    eventually("the click", || world.page.clicks().len() == 1);
    let turns = world.turns();
    assert_eq!(outputs(&turns[1])[0]["acknowledged_safety_checks"], checks());
    // What was said stays as it was said, and the next call has no checks of its own.
    let later = outputs(&turns[2]);
    assert_eq!((later.len(), &later[0]["acknowledged_safety_checks"]), (2, &checks()));
    assert!(later[1].get("acknowledged_safety_checks").is_none(), "{}", later[1]["acknowledged_safety_checks"]);
    assert_eq!(result["brain_summary"]["safety_denied"], 0);
    assert_eq!(result["brain_summary"]["safety_checks"], 2);
}

#[test]
fn gemini_gets_its_acknowledgement_for_that_call_alone() {
    let world = gemini();
    world.run(&["--confirm", "none"]).expect_end(1, "done_failed");
    eventually("the click", || world.page.clicks().len() == 1);
    let acknowledged = |asked: &Asked| asked.text().matches("safety_acknowledgement").count();
    let asked = world.server.asked();
    assert_eq!(asked.iter().map(acknowledged).collect::<Vec<_>>(), [0, 1, 1]);
    let request = asked[1].json();
    let response = &request["contents"].as_array().unwrap().last().unwrap()["parts"][0]["functionResponse"];
    assert_eq!(response["response"]["safety_acknowledgement"], "true", "{}", response["response"]);
    assert_eq!(response["name"], "click_at");
    assert!(response["response"]["url"].as_str().unwrap().starts_with("http://127.0.0.1"));
}
