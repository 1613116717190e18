//! Model brains against a local server, without a browser: what is sent from turn to turn, what a dropped question
//! leaves behind, how long anything may take, and what absurd answers do.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the way to say that something is wrong"
)]

mod absurd;
#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod common;
mod deadlines;
mod dropped;
mod eyes;
mod prefixes;
mod seat;
#[path = "../../../cli/tests/models/server.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod server;
#[path = "../../../cli/tests/models/shots.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod shots;
#[path = "../../../cli/tests/models/wire/mod.rs"]
#[allow(dead_code, unused_imports, reason = "shared with other tests, each of which uses a part")]
mod wire;
