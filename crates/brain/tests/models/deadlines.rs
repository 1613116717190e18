//! Every question has an end, whatever the server does, and a wait that would go beyond it is not begun.

use std::time::{Duration, Instant};

use surehand_brain::{BrainError, BrainErrorClass};

use crate::common::reply;
use crate::seat::Seat;
use crate::server::{Answer, Manner, Server};
use crate::wire::{self, Act, VENDORS, Wire};

const LIMIT: Duration = Duration::from_secs(1);
/// A busy machine may be late, but not by this much.
const SLACK: Duration = Duration::from_secs(4);

async fn fails(wire: Wire, answers: Vec<Answer>) -> (BrainError, Duration, usize) {
    let server = Server::list(answers);
    let mut seat = Seat::new(wire, &server, LIMIT);
    let turn = seat.turn(1);
    let began = Instant::now();
    let error = seat.brain.think(&turn).await.expect_err("there is no answer");
    (error, began.elapsed(), server.count())
}

#[tokio::test]
async fn silence_and_half_an_answer_end_at_the_deadline() {
    for wire in VENDORS {
        let half = Answer::json(&wire.words("a long story")).manner(Manner::StallAfter(30));
        for answer in [Answer::silent(), half] {
            let (error, taken, count) = fails(wire, vec![answer]).await;
            assert_eq!(error.class(), BrainErrorClass::Deadline, "{error}");
            assert!(taken >= LIMIT && taken < LIMIT + SLACK, "{taken:?}");
            assert_eq!(count, 1);
        }
    }
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_begun() {
    let wire = wire::GEMINI;
    let limited = || Answer::status(429, &wire.error(429, "RESOURCE_EXHAUSTED", "slow down"));
    let details = serde_json::json!({"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "40s"}]}});
    let answers = [
        limited().with("retry-after", "30"),
        limited().with("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT"),
        Answer::status(429, &details),
        Answer::status(503, &wire.error(503, "UNAVAILABLE", "slow down")).with("retry-after", "60"),
    ];
    for answer in answers {
        let (error, taken, count) = fails(wire, vec![answer]).await;
        let error = error.to_string();
        assert!(error.contains("slow down") && error.contains("hint: --brain-timeout"), "{error}");
        assert!(taken < LIMIT, "{taken:?}");
        assert_eq!(count, 1);
    }
}

#[tokio::test]
async fn repeated_trouble_is_named_when_the_time_is_up() {
    let wire = wire::NATIVE;
    let broken = Answer::status(502, &wire.error(502, "bad_gateway", "the proxy is tired"));
    let (error, taken, count) = fails(wire, vec![broken]).await;
    assert!(error.to_string().contains("the proxy is tired"), "{error}");
    assert!(taken < LIMIT + SLACK && count >= 2, "{taken:?} {count}");
    let (error, _, count) = fails(wire, vec![Answer::status(503, &wire.error(503, "x", "Loading model"))]).await;
    assert!(error.to_string().contains("Loading model"), "{error}");
    assert!(count <= 2, "{count}");
}

#[tokio::test]
async fn nonsense_of_a_clock_is_no_wait() {
    let wire = wire::OPENAI;
    for odd in ["-5", "soon", "NaN", "1e400", "", "Mon, 01 Jan 1990 00:00:00 GMT"] {
        let limited = Answer::status(429, &wire.error(429, "rate_limit", "slow down")).with("retry-after", odd);
        let good = Answer::json(&wire.reply(0, "Good.", &[Act::Look]));
        let server = Server::list(vec![limited, good]);
        let mut seat = Seat::new(wire, &server, Duration::from_secs(20));
        let turn = seat.turn(1);
        let began = Instant::now();
        reply(seat.brain.think(&turn).await);
        assert!(began.elapsed() < Duration::from_secs(6), "{odd:?}: {:?}", began.elapsed());
    }
}
