//! Lessons as JSON lines: a first line that says what this is, then one lesson a line. What comes in is checked, cut
//! to the bounds of our own, and not believed: a file can be written by anybody.

use serde::{Deserialize, Serialize};
use surehand_types::result::FinalVerdict;

use crate::error::MemoryError;
use crate::identity::{LessonId, rule_text, sorted_unique};
use crate::lesson::{HISTORY, Lesson, RELIABILITY_IN_DOUBT, SOURCES, Status};
use crate::sanitise::foreign_rule;

pub const VERSION: u64 = 1;
/// Entries of any list of a lesson, and characters of an entry.
const LIST: usize = 32;
const ENTRY: usize = 200;
/// Lessons of one file.
const LESSONS: usize = 200_000;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    surehand_lessons: u64,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// A backup of our own: taken as it is, within bounds.
    Own,
    /// Anybody's: its lessons start as candidates in doubt, whatever the file says.
    Foreign,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    pub lessons: Vec<Lesson>,
    /// One for each line that was left out.
    pub problems: Vec<MemoryError>,
}

pub fn export<'a>(lessons: impl IntoIterator<Item = &'a Lesson>) -> Result<String, MemoryError> {
    let written = |problem: serde_json::Error| MemoryError::Shelf(problem.to_string());
    let mut text = serde_json::to_string(&Header { surehand_lessons: VERSION }).map_err(written)?;
    text.push('\n');
    for lesson in lessons {
        text.push_str(&serde_json::to_string(lesson).map_err(written)?);
        text.push('\n');
    }
    Ok(text)
}

pub fn import(text: &str, provenance: Provenance) -> Result<Imported, MemoryError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header =
        lines.next().and_then(|(_, line)| serde_json::from_str::<Header>(line).ok()).ok_or(MemoryError::NoExport)?;
    if header.surehand_lessons == 0 || header.surehand_lessons > VERSION {
        return Err(MemoryError::Version { found: header.surehand_lessons, known: VERSION });
    }
    let mut imported = Imported::default();
    for (index, line) in lines.take(LESSONS) {
        let read = serde_json::from_str::<Lesson>(line).map_err(|error| error.to_string());
        match read.and_then(|lesson| checked(lesson, provenance)) {
            Ok(lesson) => imported.lessons.push(lesson),
            Err(problem) => imported.problems.push(MemoryError::Line { line: index + 1, problem }),
        }
    }
    Ok(imported)
}

fn checked(mut lesson: Lesson, provenance: Provenance) -> Result<Lesson, String> {
    lesson.rule = rule_text(&lesson.rule);
    if lesson.rule.is_empty() {
        return Err("the lesson has no rule".into());
    }
    let within = |number: f64, least: f64| number.is_finite() && (least..=1.0).contains(&number);
    if !within(lesson.reliability, 0.0) {
        return Err("reliability must be from 0 to 1".into());
    }
    if !lesson.utility_history.iter().all(|utility| within(*utility, -1.0)) {
        return Err("utility_history must hold numbers from -1 to 1".into());
    }
    if lesson.updated_at < lesson.created_at {
        return Err("updated_at must not be before created_at".into());
    }
    lesson.utility_history.truncate(HISTORY);
    lesson.sources.truncate(SOURCES);
    lesson.conflicts.truncate(LIST);
    for list in [&mut lesson.triggers, &mut lesson.tags] {
        list.iter_mut().for_each(cut);
        *list = sorted_unique(list);
        list.truncate(LIST);
    }
    let delta = &mut lesson.delta;
    for text in [
        &mut lesson.origin,
        &mut lesson.task,
        &mut lesson.learned_in,
        &mut delta.state,
        &mut delta.at,
        &mut delta.action,
        &mut delta.outcome,
        &mut delta.outcome_at,
    ] {
        cut(text);
    }
    if provenance == Provenance::Foreign {
        lesson.rule = foreign_rule(&lesson.rule, &[]).ok_or("the rule is not fit to be shown to a model")?;
        distrust(&mut lesson);
    }
    lesson.id = LessonId::of(&lesson.rule, &lesson.triggers);
    Ok(lesson)
}

/// What others say of a lesson is hearsay here. That they suppressed it is kept: it costs nothing to be careful.
fn distrust(lesson: &mut Lesson) {
    if lesson.status == Status::Promoted {
        lesson.status = Status::Candidate;
    }
    lesson.reliability = RELIABILITY_IN_DOUBT;
    lesson.utility_history.clear();
    lesson.counts = Default::default();
    lesson.conflicts.clear();
    for source in &mut lesson.sources {
        source.verdict = FinalVerdict::Unjudged;
        source.strong = false;
        cut(&mut source.run);
    }
}

fn cut(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(ENTRY) {
        text.truncate(end);
    }
}
