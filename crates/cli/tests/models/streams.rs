//! Answers that come in pieces: whole ones, ones that break off and are asked for again, and ones that never end.

use serde_json::json;

use crate::server::{Answer, Manner};
use crate::wire::{self, pieces};
use crate::world::{Model, Next, World};

const STREAM: [&str; 2] = ["--set", "stream=on"];

#[test]
fn a_stream_that_breaks_off_is_asked_for_again() {
    let wire = wire::NATIVE;
    let model = Model::new(wire, vec![vec![Next::Square], vec![Next::GiveUp("one was enough")]]);
    let playing = model.clone();
    let world = World::new(wire, move |asked, number| {
        let whole = |number| Answer::events(&pieces(&playing.body(asked, number)));
        match number {
            // Before the end, in the middle of a piece, and before anything.
            0 => {
                let all = pieces(&wire.reply(number, "A long thought that is never finished.", &[]));
                Answer::events(&all[..all.len() / 2])
            }
            1 => {
                let half = Answer::events(&pieces(&wire.reply(number, "Half.", &[])));
                let body = half.body[..half.body.len() / 2 + 3].to_vec();
                Answer { body, ..half }
            }
            number => whole(number),
        }
    });
    let result = world.run(&STREAM).expect_end(1, "done_failed");
    assert_eq!((world.server.count(), world.page.clicks().len()), (4, 1));
    assert!(world.server.asked().iter().all(|asked| asked.json()["stream"] == true));
    assert_eq!(result["brain_summary"]["repeats"], 2, "{}", result["brain_summary"]);
    assert_eq!(result["brain_summary"]["usage"]["input_tokens"], json!(2 * wire::INPUT));
}

#[test]
fn a_stream_that_never_ends_ends_at_the_deadline() {
    let wire = wire::QWEN3;
    let world = World::new(wire, move |_, number| {
        let all = Answer::events(&pieces(&wire.reply(number, "I think and think.", &[])));
        Answer { manner: Manner::StallAfter(all.body.len() / 2), ..all }
    });
    let mut more = STREAM.to_vec();
    more.extend(["--brain-timeout", "2s"]);
    let result = world.run(&more).expect_end(4, "brain_error");
    let error = result["error"].as_str().unwrap();
    assert!(error.contains("did not answer within 2 s") && error.contains("hint: "), "{error}");
    assert_eq!(world.server.count(), 1);
}
