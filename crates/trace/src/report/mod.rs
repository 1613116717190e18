//! Views of a run for people: words shared by all of them, a text report, a web page, one JSON object.

pub mod changes;
pub mod document;
pub mod escape;
pub mod facts;
pub mod html;
pub mod judged;
pub mod outcome;
pub mod plan;
pub mod policy;
pub mod spent;
pub mod terminal;
pub mod trouble;
pub mod words;
