//! Tests through the public door: real folders, real SQLite, real child processes.

mod index;
mod runs;
mod support;
