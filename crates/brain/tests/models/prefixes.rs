//! A provider's prompt cache holds as long as a request begins as the last one did. Old turns go in batches, so most
//! requests only add to the one before.

use std::time::Duration;

use serde_json::Value;

use crate::common::reply;
use crate::seat::Seat;
use crate::server::{Answer, Server};
use crate::shots;
use crate::wire::{self, Act, Wire};

/// What a request says, in order, without the marks that tell the provider what to keep.
fn said(request: &Value) -> Vec<Value> {
    let list = ["messages", "input", "contents"].iter().find_map(|name| request[*name].as_array());
    list.unwrap().iter().cloned().map(without_marks).collect()
}

fn without_marks(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            fields.remove("cache_control");
            Value::Object(fields.into_iter().map(|(name, field)| (name, without_marks(field))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_marks).collect()),
        other => other,
    }
}

async fn conversation(wire: Wire, turns: u32) -> Vec<Value> {
    let server = Server::start(move |_, number| {
        Answer::json(&wire.reply(number, "I go on.", &[Act::Click(100, 100 + number as i64)]))
    });
    let mut seat = Seat::new(wire, &server, Duration::from_secs(20));
    for number in 1..=turns {
        let turn = seat.turn(number);
        reply(seat.brain.think(&turn).await);
    }
    server.asked().iter().map(|asked| asked.json()).collect()
}

async fn mostly_adds(wire: Wire) {
    let requests = conversation(wire, 24).await;
    let mut kept = 0;
    for pair in requests.windows(2) {
        let (before, after) = (said(&pair[0]), said(&pair[1]));
        kept += usize::from(after.len() > before.len() && after[..before.len()] == before);
        wire.expect_answered(&pair[1]);
    }
    assert!(kept >= 11, "{:?}: only {kept} of 23 requests begin as the one before", wire.kind);
    for request in &requests {
        assert!(shots::encoded(request).len() <= 3, "{:?}", wire.kind);
        // Tools and system prompt stand before everything else.
        for name in ["system", "instructions", "systemInstruction", "tools"] {
            assert_eq!(request.get(name), requests[0].get(name), "{:?}: {name}", wire.kind);
        }
    }
    let sizes: Vec<usize> = requests.iter().map(|request| request.to_string().len()).collect();
    assert!(sizes[23] < sizes[2] * 3 / 2, "{:?}: {sizes:?}", wire.kind);
}

#[tokio::test]
async fn a_request_mostly_adds_to_the_one_before() {
    for wire in [wire::ANTHROPIC, wire::TOOLSET, wire::OPENAI, wire::PREVIEW, wire::GEMINI, wire::LEGACY] {
        mostly_adds(wire).await;
    }
}

#[tokio::test]
async fn so_it_does_in_every_dialect() {
    for wire in [
        wire::NATIVE,
        wire::QWEN3,
        wire::QWEN25,
        wire::UI_TARS,
        wire::UI_TARS_2,
        wire::OPENCUA,
        wire::HOLO3,
        wire::FARA,
    ] {
        mostly_adds(wire).await;
    }
}
