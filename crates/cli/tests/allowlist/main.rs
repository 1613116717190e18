//! The allowlist against pages that try everything to reach another host: a second server on this machine stands
//! for the attacker, and not even a connection may arrive there.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the way to say that something is wrong"
)]

mod attached;
mod broken_tunnels;
mod encrypted;
mod encrypted_site;
mod hostile;
mod inside;
mod navigation;
mod second_protocol;
mod sessions;
mod start_pages;
mod unusual;
mod upstream;
mod usage;
mod world;
