//! Tests through the public door: write a run, read it back, look at every view of it.

mod exports;
mod lanes;
mod reports;
mod routines;
mod sample;
mod troubles;
mod writing;
