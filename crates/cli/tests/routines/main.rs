//! Recorded runs through the whole program: made of a run that passed, replayed on the same site with other data, another
//! window and another layout, stopped where the page really changed, and repaired by a second brain.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

#[path = "../cli/bench.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod bench;
mod changed;
#[path = "../cli/crm.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod crm;
mod layouts;
#[path = "../cli/pages.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod pages;
mod plain;
#[path = "../cli/processes.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod processes;
mod refusals;
mod rows;
mod sites;
#[path = "../referee/studio.rs"]
#[allow(dead_code, reason = "shared with other tests, each of which uses a part")]
mod studio;
mod world;
