//! A shelf in memory, filed by origin, fingerprint, tag and word, so that a look-up costs what it finds and not
//! what there is.

mod files;

use std::collections::{BTreeSet, HashMap};

use crate::error::MemoryError;
use crate::identity::LessonId;
use crate::lesson::{Lesson, Status};
use crate::shelf::{LessonShelf, Query};
use crate::words::word_set;

use files::{Files, Term};

/// Lessons of a lane whose fit is estimated; beyond that, rare terms decide which ones.
const ESTIMATED: usize = 4_000;
/// Gaps that removals leave before the shelf is filed anew.
const GAPS: usize = 1_024;

#[derive(Debug, Default)]
pub struct MemoryShelf {
    /// In the order in which they came. `None`: removed.
    entries: Vec<Option<Entry>>,
    gaps: usize,
    by_id: HashMap<LessonId, usize>,
    by_identity: HashMap<LessonId, usize>,
    files: Files,
}

#[derive(Debug)]
struct Entry {
    lesson: Lesson,
    identity: LessonId,
    /// Sorted, for counting what is common.
    terms: Vec<Term>,
    origin: String,
}

impl MemoryShelf {
    pub fn new() -> Self {
        MemoryShelf::default()
    }

    pub fn of(lessons: impl IntoIterator<Item = Lesson>) -> Self {
        let mut shelf = MemoryShelf::new();
        lessons.into_iter().for_each(|lesson| shelf.file(lesson));
        shelf
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// In the order in which they came.
    pub fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.entries.iter().flatten().map(|entry| &entry.lesson)
    }

    fn file(&mut self, lesson: Lesson) {
        let terms = self.files.terms_of(&lesson);
        let origin = lesson.origin.to_lowercase();
        let identity = LessonId::of(&lesson.rule, &lesson.triggers);
        if let Some(&slot) = self.by_id.get(&lesson.id)
            && let Some(entry) = self.entries[slot].as_mut()
        {
            if entry.terms != terms || entry.origin != origin {
                self.files.remove(slot, &entry.terms, &entry.origin);
                self.files.add(slot, &terms, &origin);
            }
            if entry.identity != identity {
                self.by_identity.remove(&entry.identity);
                self.by_identity.insert(identity.clone(), slot);
            }
            *entry = Entry { lesson, identity, terms, origin };
            return;
        }
        let slot = self.entries.len();
        self.files.add(slot, &terms, &origin);
        self.by_id.insert(lesson.id.clone(), slot);
        self.by_identity.insert(identity.clone(), slot);
        self.entries.push(Some(Entry { lesson, identity, terms, origin }));
    }

    fn take(&mut self, id: &LessonId) {
        let Some(slot) = self.by_id.remove(id) else { return };
        if let Some(entry) = self.entries[slot].take() {
            self.files.remove(slot, &entry.terms, &entry.origin);
            self.by_identity.remove(&entry.identity);
            self.gaps += 1;
        }
        if self.gaps > GAPS && self.gaps * 2 > self.entries.len() {
            let kept = std::mem::take(self).entries.into_iter().flatten().map(|entry| entry.lesson);
            *self = MemoryShelf::of(kept);
        }
    }

    fn entry(&self, slot: usize) -> Option<&Entry> {
        self.entries.get(slot).and_then(Option::as_ref)
    }

    /// The slots of the best `limit` by estimate.
    fn best(&self, slots: Vec<usize>, query: &Query, asked: &[Term], limit: usize, own_origin: bool) -> Vec<usize> {
        let mut estimated: Vec<(f64, usize)> = slots
            .into_iter()
            .filter_map(|slot| {
                let entry = self.entry(slot)?;
                let lesson = &entry.lesson;
                let trusted = lesson.status == Status::Promoted || lesson.is_decided();
                let scoped = (entry.origin == query.origin) == own_origin && !entry.origin.is_empty();
                let other_task =
                    own_origin && !lesson.task.is_empty() && !query.task.is_empty() && lesson.task != query.task;
                (lesson.status.is_active() && scoped && !other_task && (trusted || !query.trusted_only))
                    .then(|| (self.files.estimate(&entry.terms, asked, lesson, query), slot))
            })
            .collect();
        if estimated.len() > limit {
            // Equal estimates: the later one, which is the one more likely to hold still.
            estimated
                .select_nth_unstable_by(limit, |left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
            estimated.truncate(limit);
        }
        estimated.into_iter().map(|(_, slot)| slot).collect()
    }

    fn all_slots(&self) -> Vec<usize> {
        (0..self.entries.len()).collect()
    }
}

impl LessonShelf for MemoryShelf {
    fn get(&self, id: &LessonId) -> Result<Option<Lesson>, MemoryError> {
        let slot = self.by_id.get(id);
        Ok(slot.and_then(|slot| self.entry(*slot)).map(|entry| entry.lesson.clone()))
    }

    fn twin(&self, identity: &LessonId) -> Result<Option<Lesson>, MemoryError> {
        let slot = self.by_identity.get(identity);
        Ok(slot.and_then(|slot| self.entry(*slot)).map(|entry| entry.lesson.clone()))
    }

    fn triggered_by(&self, triggers: &[String], limit: usize) -> Result<Vec<Lesson>, MemoryError> {
        let slots = self.files.triggered_by(triggers, limit);
        Ok(slots.into_iter().filter_map(|slot| self.entry(slot)).map(|entry| entry.lesson.clone()).collect())
    }

    fn candidates(&self, query: &Query, limit: usize) -> Result<Vec<Lesson>, MemoryError> {
        let asked = self.files.asked(query);
        let own = self.files.of_origin(&query.origin, &asked, ESTIMATED);
        let mut slots: BTreeSet<usize> = self.best(own, query, &asked, limit, true).into_iter().collect();
        if query.elsewhere {
            let all =
                if self.entries.len() <= ESTIMATED { self.all_slots() } else { self.files.anywhere(&asked, ESTIMATED) };
            slots.extend(self.best(all, query, &asked, limit, false));
        }
        Ok(slots.into_iter().filter_map(|slot| self.entry(slot)).map(|entry| entry.lesson.clone()).collect())
    }

    fn put(&mut self, lesson: Lesson) -> Result<(), MemoryError> {
        self.file(lesson);
        Ok(())
    }

    fn remove(&mut self, id: &LessonId) -> Result<(), MemoryError> {
        self.take(id);
        Ok(())
    }

    fn ids(&self) -> Result<Vec<LessonId>, MemoryError> {
        Ok(self.lessons().map(|lesson| lesson.id.clone()).collect())
    }
}

/// The words under which a lesson is filed: those of its rule, and of the task that it was learned in.
pub fn filed_words(lesson: &Lesson) -> BTreeSet<String> {
    let mut words = word_set(&lesson.rule);
    words.extend(word_set(&lesson.task));
    words.extend(word_set(&lesson.learned_in));
    words
}
