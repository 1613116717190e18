//! Lessons: what a run learned, whether it may be believed, when it is worth telling, and what telling it brought.
//! Pure and without a clock: times are arguments, and where lessons are kept is behind `LessonShelf`.
//! Start reading at `lesson`, then `birth`, `retrieve` and `settle`.

pub mod birth;
pub mod closing;
pub mod error;
pub mod facts;
pub mod fingerprint;
pub mod growth;
pub mod hint;
pub mod identity;
pub mod journal;
pub mod lesson;
mod memory_shelf;
mod merge;
pub mod opposed;
pub mod outcome;
mod phrase;
mod recording;
pub mod retrieve;
pub mod rules;
pub mod sanitise;
pub mod score;
pub mod select;
pub mod settle;
pub mod shelf;
pub mod tags;
pub mod upsert;
pub mod wire;
pub mod words;

pub use birth::learn;
pub use closing::{Closed, Closing, Need};
pub use error::MemoryError;
pub use facts::RunFacts;
pub use growth::tidy;
pub use hint::hint;
pub use identity::LessonId;
pub use journal::{Happened, LessonEvent};
pub use lesson::{Lesson, Status};
pub use memory_shelf::{MemoryShelf, filed_words};
pub use recording::{Change, RecordingShelf};
pub use retrieve::{rank, retrieve};
pub use rules::LessonRules;
pub use score::{Context, Moment};
pub use select::{Found, Lane, Retrieved};
pub use settle::settle_outcomes;
pub use shelf::{LessonShelf, Query};
pub use upsert::upsert;
