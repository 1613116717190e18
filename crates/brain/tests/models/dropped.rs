//! A question that is dropped half-way leaves no trace: the next one is as if it had never been asked.

use std::time::Duration;

use crate::common::reply;
use crate::seat::Seat;
use crate::server::{Answer, Server};
use crate::wire::{Act, VENDORS};

#[tokio::test]
async fn the_next_question_does_not_know_of_it() {
    for wire in VENDORS {
        let server = Server::start(move |_, number| match number {
            1 => Answer::silent(),
            number => Answer::json(&wire.reply(number, "I go on.", &[Act::Click(10, 10)])),
        });
        let mut seat = Seat::new(wire, &server, Duration::from_secs(20));
        let first = seat.turn(1);
        reply(seat.brain.think(&first).await);
        let second = seat.turn(2);
        let dropped = tokio::time::timeout(Duration::from_millis(500), seat.brain.think(&second)).await;
        assert!(dropped.is_err());
        reply(seat.brain.think(&second).await);
        let asked = server.asked();
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[1].json(), asked[2].json(), "{:?}", wire.kind);
    }
}
