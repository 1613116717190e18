//! The binary with a real desktop: tools and runs in an editor, what is refused before anything starts,
//! and that nothing stays when it ends, however it ends.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the way to say that something is wrong")]

#[path = "../cli/bench.rs"]
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod bench;
mod editor;
mod endings;
#[path = "../cli/processes.rs"]
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod processes;
#[path = "../cli/tools_client.rs"]
mod tools_client;
mod usage;
