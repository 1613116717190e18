//! Outcomes judged through the whole program: contracts, a visual judge behind a real HTTP server, their verdict,
//! exit codes and reports; and the commands that judge pictures and stored runs.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
mod commands;
mod judges;
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
mod runs;
#[path = "../models/server.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod server;
mod studio;
