//! A batch ends where something fails: what stands behind it is not run, and every call is told what became of it.

use serde_json::Value;

use crate::server::Answer;
use crate::shots;
use crate::wire::{self, Act, Wire};
use crate::world::World;

/// A click beside everything, words that go nowhere since nothing has the focus, and a click that never comes.
fn stopped(wire: Wire) -> (World, Value) {
    let world = World::new(wire, move |_, number| {
        let at = |x, y| Act::Click(x, y);
        let acts = match number {
            0 => vec![at(600, 400), Act::Type("nowhere".into()), at(610, 410)],
            _ => vec![Act::given_up("it does not work")],
        };
        Answer::json(&wire.reply(number, "All at once.", &acts))
    });
    let result = world.run(&[]).expect_end(1, "done_failed");
    assert_eq!(world.page.clicks().len(), 1, "what stands behind a failure was run");
    let turns = world.turns();
    assert_eq!(turns.len(), 2);
    wire.expect_answered(&turns[1]);
    assert!(result["trajectory"].as_array().unwrap().iter().any(|step| step["ok"] == false));
    (world, turns[1].clone())
}

#[test]
fn each_call_of_anthropic_gets_its_own_result() {
    let (_world, request) = stopped(wire::ANTHROPIC);
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let results = last["content"].as_array().unwrap().iter().filter(|block| block["type"] == "tool_result");
    let told: Vec<(bool, String)> =
        results.map(|result| (result["is_error"] == true, shots::words(&result["content"]))).collect();
    assert_eq!(told.iter().map(|(failed, _)| *failed).collect::<Vec<_>>(), [false, true, true], "{told:?}");
    assert!(told[2].1.contains("not run"), "{told:?}");
}

#[test]
fn a_batch_of_openai_is_told_what_was_not_run() {
    let (_world, request) = stopped(wire::OPENAI);
    let told = shots::words(&request["input"]);
    assert!(told.contains("not run"), "{told}");
}
