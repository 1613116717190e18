//! What is read off pictures: real screenshots with known patterns, drawn ones of every kind of skin, and
//! pictures in which there is nothing to read. No cell may ever be wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]

mod draw;
mod forms;
mod garbage;
mod lines;
mod names;
mod outlines;
mod rims;
mod shots;
mod synthetic;
mod traps;
mod velocities;
