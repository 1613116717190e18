//! Answers that make no sense: sent back with one sentence, twice for a step; then the step is spent, and three spent
//! steps end the run. A model that finds back to sense loses nothing.

use serde_json::json;

use crate::server::Answer;
use crate::shots;
use crate::wire::{self, Wire, is_about_done};
use crate::world::{Model, Next, World};

/// Something unknown, then mere words, then sense, in one turn.
fn recovers(wire: Wire) {
    let model = Model::new(wire, vec![vec![Next::Square], vec![Next::GiveUp("one was enough")]]);
    let sensible = model.clone();
    let world = World::new(wire, move |asked, number| match number {
        0 => Answer::json(&wire.nonsense(number)),
        1 => Answer::json(&wire.words("I would now hit the square.")),
        _ => sensible.answer(asked, number),
    });
    let result = world.run(&[]).expect_end(1, "done_failed");
    assert_eq!(world.page.clicks().len(), 1, "{:?}", wire.kind);
    assert_eq!((&result["brain_summary"]["problems"], &result["steps"]), (&json!(2), &json!(2)), "{:?}", wire.kind);
    let turns = world.turns();
    assert_eq!(turns.len(), 4);
    turns.iter().for_each(|request| wire.expect_answered(request));
    let told = shots::words(&turns[1]);
    assert!(told.contains("levitate") && told.contains("nothing of it was run"), "{told}");
    // The screen has not changed: it is not sent again, but it is still there.
    assert_eq!(shots::encoded(&turns[1]).len(), if wire.kind == wire::Kind::OpenAi { 2 } else { 1 }, "{:?}", wire.kind);
}

/// Nothing but nonsense.
fn ends(wire: Wire, nonsense: &'static str) {
    let world = World::new(wire, move |asked, number| {
        assert!(!is_about_done(&asked.json()));
        Answer::json(&if nonsense.is_empty() { wire.nonsense(number) } else { wire.words(nonsense) })
    });
    let result = world.run(&[]).expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("3 steps in a row") && !error.contains('\n'), "{error}");
    assert_eq!((world.server.count(), &result["steps"]), (9, &json!(3)));
    assert_eq!(result["brain_summary"]["problems"], 9);
    assert_eq!(world.page.clicks(), []);
    world.turns().iter().for_each(|request| wire.expect_answered(request));
    world.bench.expect_nothing_left();
}

#[test]
fn a_model_that_finds_back_to_sense_goes_on() {
    recovers(wire::ANTHROPIC);
    recovers(wire::OPENAI);
}

#[test]
fn so_do_gemini_and_chat() {
    recovers(wire::GEMINI);
    recovers(wire::NATIVE);
    recovers(wire::UI_TARS);
}

#[test]
fn one_that_does_not_comes_to_an_end() {
    ends(wire::GEMINI, "");
    ends(wire::OPENCUA, "## Thought:\nWe need to `import os`.\n\n## Code:\n```python\nimport os\nos.system('x')\n```");
}
