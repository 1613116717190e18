//! The checks of a contract, one file for each kind of fact. Each takes a rule and what was read or answered,
//! and returns a finding; asking and waiting is in `examine.rs`.

pub(crate) mod answer;
pub(crate) mod database;
pub(crate) mod dom;
pub(crate) mod file;
pub(crate) mod grid;
pub(crate) mod group;
pub(crate) mod names;
mod near;
pub(crate) mod page;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod toggle;
pub(crate) mod unread;

/// Below this, what was read off a picture does not count as read.
pub(crate) const READ_FLOOR: f64 = 0.6;
/// Below this, the state of a cell or a switch does not count as seen.
pub(crate) const STATE_FLOOR: f64 = 0.5;
