//! A model that declines ends the run: with its own words, after one request, with nothing done.

use crate::server::Answer;
use crate::wire::{VENDORS, Wire};
use crate::world::World;

fn declines(wire: Wire) {
    let words = "I can't help with breaking into this account.";
    let world = World::new(wire, move |_, _| Answer::json(&wire.refusal(words)));
    let result = world.run(&[]).expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("declined") && error.contains(words) && !error.contains('\n'), "{error}");
    assert_eq!((world.server.count(), world.page.clicks().len()), (1, 0));
    world.bench.expect_nothing_left();
}

#[test]
fn the_words_of_a_refusal_are_the_end() {
    VENDORS.into_iter().for_each(declines);
}
