//! `surehand plan` as its users meet it: the example plans on the practice sites in real Chromium, plans that are killed and
//! gone on with, plans that fail as they should.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
mod examples;
#[path = "../cli/pages.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod pages;
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
mod refused;
mod stopped;
mod world;
