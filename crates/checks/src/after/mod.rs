//! Judgements about what a call left behind.

pub mod batch;
pub mod probe;
pub mod stable;
