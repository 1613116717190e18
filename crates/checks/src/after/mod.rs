//! Judgements about what a call left behind.

pub mod batch;
pub mod stable;
