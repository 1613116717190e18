//! Views of a run for people: words shared by all of them, a text report, a web page.

pub mod escape;
pub mod facts;
pub mod html;
pub mod outcome;
pub mod policy;
pub mod terminal;
pub mod words;
