//! Where lessons are kept, as far as memory needs to know: a few look-ups by key. What is behind it (a database,
//! a map) is somebody else's business; `MemoryShelf` is the one that comes with the crate.

use crate::error::MemoryError;
use crate::identity::LessonId;
use crate::lesson::Lesson;

/// What a shelf is asked for: the keys under which lessons of interest are filed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    pub origin: String,
    pub task: String,
    pub fingerprints: Vec<String>,
    pub tags: Vec<String>,
    /// Of the situation, compared with the words of rules.
    pub words: Vec<String>,
    /// Whether lessons of other origins are of interest too.
    pub elsewhere: bool,
    /// Lessons that are neither trusted nor promoted are of no use.
    pub trusted_only: bool,
}

pub trait LessonShelf {
    fn get(&self, id: &LessonId) -> Result<Option<Lesson>, MemoryError>;

    /// The lesson with the same rule and triggers, whatever its id is called.
    fn twin(&self, identity: &LessonId) -> Result<Option<Lesson>, MemoryError>;

    /// Lessons that have any of the triggers, the latest first.
    fn triggered_by(&self, triggers: &[String], limit: usize) -> Result<Vec<Lesson>, MemoryError>;

    /// Active lessons that may match, best first by the shelf's own estimate, at most `limit` of each lane.
    fn candidates(&self, query: &Query, limit: usize) -> Result<Vec<Lesson>, MemoryError>;

    fn put(&mut self, lesson: Lesson) -> Result<(), MemoryError>;

    fn remove(&mut self, id: &LessonId) -> Result<(), MemoryError>;

    /// The ids of all lessons, in the order in which they came.
    fn ids(&self) -> Result<Vec<LessonId>, MemoryError>;
}
