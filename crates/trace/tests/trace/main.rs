//! Tests through the public door: write a run, read it back, look at every view of it.

mod reports;
mod sample;
mod writing;
