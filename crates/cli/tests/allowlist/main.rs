//! The allowlist against pages that try everything to reach another host: a second server on this machine stands
//! for the attacker, and not even a connection may arrive there.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the way to say that something is wrong"
)]

mod attached;
mod hostile;
mod inside;
mod navigation;
mod usage;
mod world;
