//! The lessons of a data folder as a run uses them. A folder whose lessons cannot be opened gives a book that says why
//! at the first question, so that the run notes it and goes on.

use std::sync::Arc;

use async_trait::async_trait;
use surehand_memory::growth::Caps;
use surehand_memory::{Closed, Closing, Lesson, LessonRules, Query};
use surehand_run::{LessonBook, Lessons};
use surehand_store::{DataDir, LessonStore};
use surehand_types::Settings;

/// Lessons of each lane that are scored in full. The store's estimate is close to the score, and three are shown.
const CANDIDATES: usize = 32;

/// `None` where lessons are switched off.
pub async fn open_lessons(settings: &Settings, data: &DataDir) -> Option<Lessons> {
    let rules = LessonRules::of(settings);
    if !rules.enabled {
        return None;
    }
    let book: Arc<dyn LessonBook> = match LessonStore::open(data).await {
        Ok(store) => Arc::new(StoredLessons(store)),
        Err(error) => Arc::new(Unreadable(error.to_string())),
    };
    Some(Lessons { book, rules, reflect: settings.is_on("lessons_reflect") })
}

struct StoredLessons(LessonStore);

#[async_trait]
impl LessonBook for StoredLessons {
    async fn candidates(&self, query: &Query) -> Result<Vec<Lesson>, String> {
        self.0.candidates(query, CANDIDATES).await.map_err(|error| error.to_string())
    }

    async fn close_run(&self, closing: &Closing, rules: &LessonRules) -> Result<Closed, String> {
        let closed = self.0.close_run(closing, rules).await.map_err(|error| error.to_string())?;
        if let Err(error) = self.0.tidy_if_due(closing.at, &Caps::default()).await {
            tracing::warn!(%error, "lessons could not be tidied");
        }
        Ok(closed)
    }
}

struct Unreadable(String);

#[async_trait]
impl LessonBook for Unreadable {
    async fn candidates(&self, _: &Query) -> Result<Vec<Lesson>, String> {
        Err(self.0.clone())
    }

    async fn close_run(&self, _: &Closing, _: &LessonRules) -> Result<Closed, String> {
        Err(self.0.clone())
    }
}
