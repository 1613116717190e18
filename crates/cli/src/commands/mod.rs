//! One file per command. Each turns its arguments into a call and prints the outcome.

pub(crate) mod ablate;
pub(crate) mod audit;
pub(crate) mod completions;
pub(crate) mod contract;
pub(crate) mod demo;
pub(crate) mod docs;
pub(crate) mod doctor;
mod doctor_brain;
mod doctor_desktop;
pub(crate) mod eval;
mod eval_memory;
mod export;
mod follow;
pub(crate) mod inspect;
pub(crate) mod judge;
pub(crate) mod lessons;
mod lessons_words;
pub(crate) mod policy;
pub(crate) mod prompt;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod session;
pub(crate) mod sites;
pub(crate) mod tools;
