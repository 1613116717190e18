//! A model behind an HTTP API as a brain. `provider` says what differs from one API to the next, `spoken` is the
//! one shape every answer is read into, `conversation` what a model is shown of the run so far.

mod all;
mod anthropic;
mod asking;
mod brain;
mod chat;
mod computer_prompt;
mod conversation;
mod gemini;
mod gestures;
mod heard;
mod hints;
mod history;
mod insisting;
mod judge;
mod key_names;
mod knowledge;
mod lenient;
mod lines;
mod open;
mod openai;
mod opinion;
mod options;
mod own_tools;
mod picture;
mod probe;
mod provider;
mod reflection;
mod sender;
mod space;
mod spoken;
mod tolerant;
mod trouble;
#[cfg(test)]
mod vendor_tests;
mod words;

pub use knowledge::models_page;
pub use open::ModelSpec;
pub use options::{ModelOptions, key_variables};
pub use probe::{Probe, probe};

pub(crate) use all::{assembles, read_as_all};
pub(crate) use knowledge::Vendor;
pub(crate) use open::brain;
pub use open::eyes;
