//! One file per command. Each turns its arguments into a call and prints the outcome.

pub(crate) mod ablate;
pub(crate) mod audit;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod docs;
pub(crate) mod doctor;
mod doctor_brain;
pub(crate) mod policy;
pub(crate) mod prompt;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod session;
pub(crate) mod sites;
pub(crate) mod tools;
