//! A claimed success is put to the model once more, with the last picture and nothing of the conversation. Only a
//! clear yes lets the run end as done.

use serde_json::{Value, json};

use crate::shots;
use crate::wire::{self, Wire, is_about_done};
use crate::world::{Model, Next, World};

fn hits_and_claims(claims: usize) -> Vec<Vec<Next>> {
    let mut replies = vec![vec![Next::Square]; 4];
    for _ in 0..claims {
        replies.push(vec![Next::Done("all four squares were hit")]);
        // Something has to happen between two claims.
        replies.push(vec![Next::Type("again ")]);
    }
    replies
}

fn questions(world: &World) -> Vec<Value> {
    world.server.asked().iter().map(|asked| asked.json()).filter(is_about_done).collect()
}

fn a_no_keeps_the_run_from_ending(wire: Wire) {
    let no = json!({"valid": false, "reason": "the picture shows three hits, not four"});
    let world = World::of(&Model::new(wire, hits_and_claims(2)).thinks(vec![no]));
    let result = world.run(&[]).expect_end(0, "done");
    let questions = questions(&world);
    assert_eq!(questions.len(), 2, "{:?}", wire.kind);
    for question in &questions {
        assert_eq!(shots::encoded(question).len(), 1, "the last picture alone");
        let words = shots::words(question);
        assert!(words.contains("Hit every square") && words.contains("all four squares were hit"), "{words}");
        assert!(!words.contains("I go on with it."), "the conversation is no evidence");
    }
    let told = world.turns().iter().map(shots::words).find(|words| words.contains("three hits, not four"));
    assert!(told.is_some(), "the model was not told why");
    assert_eq!(result["done_rejections_by_reason"].as_object().unwrap().len(), 1);
}

#[test]
fn a_done_that_the_picture_does_not_bear_out_is_not_done() {
    a_no_keeps_the_run_from_ending(wire::ANTHROPIC);
    a_no_keeps_the_run_from_ending(wire::LEGACY);
}

#[test]
fn so_it_is_with_openai_and_chat() {
    a_no_keeps_the_run_from_ending(wire::OPENAI);
    a_no_keeps_the_run_from_ending(wire::QWEN25);
}

#[test]
fn a_model_that_never_agrees_with_itself_is_not_believed() {
    let no = json!({"valid": false, "reason": "no"});
    let unclear = json!({"valid": "maybe"});
    let mut replies = vec![vec![Next::Square]; 4];
    replies.extend(vec![vec![Next::Done("all four squares were hit")]; 4]);
    let model = Model::new(wire::NATIVE, replies).thinks(vec![no.clone(), unclear, no.clone(), no]);
    let result = World::of(&model).run(&[]).expect_end(3, "done_unverified");
    assert_eq!(result["success"], false);
}
