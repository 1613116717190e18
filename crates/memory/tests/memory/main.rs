//! Memory through its public door.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod birth;
mod cause;
mod gate;
mod growth;
mod month;
mod properties;
mod settle;
mod support;
mod wire;
