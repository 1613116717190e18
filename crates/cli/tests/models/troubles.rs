//! What a provider says when it does not answer, in the middle of a run: waited for where that helps, bounded where it
//! does not, and resumable afterwards.

use std::time::{Duration, Instant};

use crate::bench::eventually;
use crate::server::Answer;
use crate::shots;
use crate::wire::{self, Wire};
use crate::world::{Model, Next, World};

fn limited(wire: Wire) -> Answer {
    Answer::status(429, &wire.error(429, "rate_limit_error", "Too many requests, slow down."))
}

#[test]
fn the_time_that_a_provider_asks_for_is_given() {
    let wire = wire::ANTHROPIC;
    let model = Model::new(wire, vec![vec![Next::Square], vec![Next::GiveUp("one was enough")]]);
    let playing = model.clone();
    let world = World::new(wire, move |asked, number| match number {
        0 => limited(wire).with("retry-after", "2"),
        number => playing.answer(asked, number),
    });
    let result = world.run(&[]).expect_end(1, "done_failed");
    let asked = world.server.asked();
    let pause = asked[1].at - asked[0].at;
    assert!(pause >= Duration::from_secs(2) && pause < Duration::from_secs(8), "{pause:?}");
    assert_eq!(asked[0].body, asked[1].body, "the same request again");
    assert_eq!((world.page.clicks().len(), &result["brain_summary"]["repeats"]), (1, &1.into()));
}

#[test]
fn a_storm_of_429_is_bounded_and_the_run_can_be_gone_on_with() {
    let wire = wire::OPENAI;
    let model = Model::new(wire, vec![vec![Next::Square]]);
    let playing = model.clone();
    let world = World::new(wire, move |asked, number| match number {
        0 => playing.answer(asked, number),
        _ => limited(wire).with("retry-after-ms", "20"),
    });
    let began = Instant::now();
    let result = world.run(&[]).expect_end(4, "brain_error");
    assert!(began.elapsed() < Duration::from_secs(60));
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("429") && error.contains("5 times in a row") && error.contains("hint: "), "{error}");
    assert!(!error.contains('\n'), "{error}");
    assert_eq!((world.server.count(), world.page.clicks().len()), (6, 1));

    let friendly = Model::new(wire, vec![vec![Next::Square], vec![Next::GiveUp("enough of it")]]);
    let playing = friendly.clone();
    world.server.play(move |asked, number| playing.answer(asked, number));
    let id = result["run_id"].as_str().unwrap();
    let again = world.command(&["run", "--resume", id, "--json"]).wait().expect_end(1, "done_failed");
    assert_eq!((&again["task"], &again["brain"]), (&result["task"], &result["brain"]));
    assert_ne!(again["run_id"], result["run_id"]);
    eventually("the second click", || world.page.clicks().len() == 2);
    let told = shots::words(&world.server.asked()[6].json());
    assert!(told.contains("Hit every square") && told.contains("Step 1 of the earlier run"), "{told}");
}

#[test]
fn a_key_that_is_not_taken_stops_the_run_at_once() {
    let wire = wire::GEMINI;
    let error = wire.error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    let world = World::new(wire, move |_, _| Answer::status(401, &error));
    let result = world.run(&[]).expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("GEMINI_API_KEY") && error.contains("hint: ") && !error.contains('\n'), "{error}");
    assert_eq!((world.server.count(), world.page.clicks().len()), (1, 0));
    world.bench.expect_nothing_left();
}
