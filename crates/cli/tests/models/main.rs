//! Model brains through the whole program: the real binary and a real browser against local servers that speak each
//! provider's wire format. What was sent is read, pictures are decoded, and the page says where it was clicked.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the way to say that something is wrong"
)]

mod batches;
#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
mod claims;
mod conversations;
mod costs;
mod doctor;
mod keys;
mod long_runs;
mod misunderstandings;
#[path = "../secrets/needles.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod needles;
mod page;
mod pointing;
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
mod reflections;
mod refusals;
mod safety;
mod server;
mod shots;
mod streams;
mod transport;
mod troubles;
mod wire;
mod world;
