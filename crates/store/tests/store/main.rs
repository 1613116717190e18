//! Tests through the public door: real folders, real SQLite, real child processes.

mod index;
mod lessons;
mod runs;
mod support;
