//! Secrets through the whole program: pages that echo them everywhere, pages that try to have them typed
//! elsewhere, and every artefact of a run searched for them in every spelling.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the way to say that something is wrong"
)]

mod everywhere;
mod lessons;
mod needles;
mod pictures;
mod pictures_hard;
mod places;
mod usage;
mod world;
