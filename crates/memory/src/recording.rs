//! A shelf that remembers what was changed on it, for a store that cannot be called from here: it loads what is
//! needed, lets memory work, and writes the changes in one go.

use std::collections::BTreeMap;

use crate::error::MemoryError;
use crate::identity::LessonId;
use crate::lesson::Lesson;
use crate::memory_shelf::MemoryShelf;
use crate::shelf::{LessonShelf, Query};

/// What became of a lesson. The last word on each counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    Put(Box<Lesson>),
    Remove(LessonId),
}

#[derive(Debug, Default)]
pub struct RecordingShelf {
    shelf: MemoryShelf,
    changes: BTreeMap<LessonId, Change>,
}

impl RecordingShelf {
    /// What is loaded is no change.
    pub fn of(lessons: impl IntoIterator<Item = Lesson>) -> Self {
        RecordingShelf { shelf: MemoryShelf::of(lessons), changes: BTreeMap::new() }
    }

    /// In the order of their ids.
    pub fn into_changes(self) -> Vec<Change> {
        self.changes.into_values().collect()
    }
}

impl LessonShelf for RecordingShelf {
    fn get(&self, id: &LessonId) -> Result<Option<Lesson>, MemoryError> {
        self.shelf.get(id)
    }

    fn twin(&self, identity: &LessonId) -> Result<Option<Lesson>, MemoryError> {
        self.shelf.twin(identity)
    }

    fn triggered_by(&self, triggers: &[String], limit: usize) -> Result<Vec<Lesson>, MemoryError> {
        self.shelf.triggered_by(triggers, limit)
    }

    fn candidates(&self, query: &Query, limit: usize) -> Result<Vec<Lesson>, MemoryError> {
        self.shelf.candidates(query, limit)
    }

    fn put(&mut self, lesson: Lesson) -> Result<(), MemoryError> {
        let known = self.shelf.get(&lesson.id)?;
        if known.as_ref() != Some(&lesson) {
            self.changes.insert(lesson.id.clone(), Change::Put(Box::new(lesson.clone())));
            self.shelf.put(lesson)?;
        }
        Ok(())
    }

    fn remove(&mut self, id: &LessonId) -> Result<(), MemoryError> {
        self.changes.insert(id.clone(), Change::Remove(id.clone()));
        self.shelf.remove(id)
    }

    fn ids(&self) -> Result<Vec<LessonId>, MemoryError> {
        self.shelf.ids()
    }
}
