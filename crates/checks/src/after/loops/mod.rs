//! Loops: noticing them (`detector`), deciding what to do about them (`response`), and the way out
//! (`recovery`).

pub mod detector;
pub mod recovery;
pub mod response;
mod same;
