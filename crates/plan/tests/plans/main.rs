//! Plans as files: what is refused and in which words, what survives garbage, and that the examples and the
//! documentation hold.

#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod examples;
mod garbage;
mod large;
mod refused;
