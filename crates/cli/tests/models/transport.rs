//! Servers that misbehave on the wire, in the middle of a run: late, silent, half, elsewhere.

use std::time::Duration;

use crate::server::{Answer, Manner, Server};
use crate::wire::{self, VENDORS};
use crate::world::{KEY, Model, Next, World};

#[test]
fn a_socket_that_hangs_is_given_up_at_the_deadline() {
    let world = World::new(wire::OPENAI, |_, _| Answer::silent());
    let result = world.run(&["--brain-timeout", "3s"]).expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("did not answer within 3 s") && error.contains("hint: --brain-timeout"), "{error}");
    assert_eq!(world.server.count(), 1);
    let taken = result["duration_s"].as_f64().unwrap();
    assert!((3.0..8.0).contains(&taken), "{taken}");
    world.bench.expect_nothing_left();
}

#[test]
fn half_an_answer_is_asked_for_again() {
    let wire = wire::ANTHROPIC;
    let model = Model::new(wire, vec![vec![Next::Square], vec![Next::GiveUp("one was enough")]]);
    let playing = model.clone();
    let world = World::new(wire, move |asked, number| match number {
        // The rest is promised and does not come.
        0 => Answer::json(&wire.words("half of this")).manner(Manner::CutAfter(40)),
        // The rest is not even promised.
        1 => {
            let whole = Answer::json(&wire.words("half of this"));
            Answer { body: whole.body[..60].to_vec(), ..whole }
        }
        2 => Answer::json(&wire.words("nothing of this")).manner(Manner::Closed),
        3 => Answer::status(500, &wire.error(500, "api_error", "Internal server error")),
        number => playing.answer(asked, number),
    });
    let result = world.run(&[]).expect_end(1, "done_failed");
    assert_eq!((world.server.count(), world.page.clicks().len()), (6, 1));
    assert_eq!(result["brain_summary"]["repeats"], 4, "{}", result["brain_summary"]);
    assert_eq!(result["brain_summary"]["usage"]["requests"], 6);
}

#[test]
fn a_redirect_does_not_take_the_key_elsewhere() {
    for wire in VENDORS {
        let other = Server::list(vec![Answer::json(&wire.words("you should not be here"))]);
        let target = other.url();
        let world = World::new(wire, move |asked, _| {
            Answer::text(307, "text/plain", "").with("location", &format!("{target}{}", asked.path))
        });
        let ended = world.command(&["doctor", "--brain", &wire.brain(&world.server)]).wait();
        ended.expect(4);
        assert!(ended.stdout.contains("redirect") && ended.stdout.contains("fix: "), "{}", ended.stdout);
        assert_eq!((world.server.count(), other.count()), (1, 0), "{:?}", wire.kind);
        assert!(!ended.stdout.contains(KEY) && !ended.stderr.contains(KEY));
    }
}

#[test]
fn a_body_that_is_far_too_large_is_not_taken_in() {
    let size = 40 * 1024 * 1024;
    let world = World::new(wire::GEMINI, move |_, _| Answer::text(200, "application/json", vec![b' '; size]));
    let running = world.command(&["doctor", "--brain", &wire::GEMINI.brain(&world.server)]);
    let ended = running.wait_at_most(Duration::from_secs(60));
    ended.expect(4);
    assert!(ended.stdout.contains("larger than 32 MB"), "{}", ended.stdout);
    assert_eq!(world.server.count(), 1);
}
