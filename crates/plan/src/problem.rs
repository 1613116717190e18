//! What can be wrong with a plan or its inputs: one sentence each, with the place and a hint.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits;

/// One thing that is wrong, shown as `place: sentence. hint: …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// As in `steps[2].done_when[0]`; empty when it is about the whole.
    pub place: String,
    pub sentence: String,
    /// Empty where there is nothing to advise.
    pub hint: String,
}

/// Everything that is wrong, in the order of the file. Never empty as an error.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problems(Vec<Problem>, #[serde(skip)] Whole);

/// Whether everything that was written could be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Whole {
    #[default]
    Yes,
    /// A step was left out, and with it the names that it may give.
    No,
}

impl Problem {
    pub fn new(place: impl Into<String>, sentence: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { place: place.into(), sentence: sentence.into(), hint: hint.into() }
    }
}

impl Problems {
    pub fn all(&self) -> &[Problem] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add(&mut self, place: impl Into<String>, sentence: impl Into<String>, hint: impl Into<String>) {
        if !self.is_full() {
            self.0.push(Problem::new(place, sentence, hint));
        }
    }

    /// Nothing more is told, so nothing more needs to be looked for.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= limits::PROBLEMS
    }

    /// Those of others that are at places of this kind, and whether something was left out there.
    pub(crate) fn take_from(&mut self, others: Problems, is_wanted: impl Fn(&str) -> bool) {
        if others.left_out() {
            self.leave_out();
        }
        for problem in others.0.into_iter().filter(|problem| is_wanted(&problem.place)) {
            self.add(problem.place, problem.sentence, problem.hint);
        }
    }

    /// A step could not be read at all.
    pub(crate) fn leave_out(&mut self) {
        self.1 = Whole::No;
    }

    pub(crate) fn left_out(&self) -> bool {
        self.1 == Whole::No
    }

    pub(crate) fn one(place: impl Into<String>, sentence: impl Into<String>, hint: impl Into<String>) -> Problems {
        Problems(vec![Problem::new(place, sentence, hint)], Whole::Yes)
    }

    pub(crate) fn or<T>(self, value: T) -> Result<T, Problems> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(formatter, "{}: ", self.place)?;
        }
        formatter.write_str(&self.sentence)?;
        if !self.hint.is_empty() {
            write!(formatter, ". hint: {}", self.hint)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.0.iter().enumerate() {
            if at > 0 {
                formatter.write_str("\n")?;
            }
            problem.fmt(formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// A piece of outside text as it can stand in a sentence.
pub(crate) fn quoted(text: &str) -> String {
    quoted_to(text, 80)
}

/// The same of a whole sentence.
pub(crate) fn quoted_sentence(text: &str) -> String {
    quoted_to(text, 300)
}

fn quoted_to(text: &str, shown: usize) -> String {
    let mut kept: String = text.chars().take(shown).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > shown {
        kept.push('…');
    }
    kept
}

/// The same of a value as JSON. Only as much of it is written as is shown: it may be all rows of a file.
pub(crate) fn quoted_value(value: &Value) -> String {
    /// More than is shown, also where each sign takes four bytes.
    const BYTES: usize = 1000;
    struct Start(Vec<u8>);
    impl std::io::Write for Start {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let room = BYTES.saturating_sub(self.0.len()).min(bytes.len());
            self.0.extend(bytes.iter().take(room));
            // Nothing written ends it.
            Ok(room)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut start = Start(Vec::new());
    // That the rest was not written is what is wanted.
    let _ = serde_json::to_writer(&mut start, value);
    quoted(&String::from_utf8_lossy(&start.0))
}

/// `did you mean …`, or a list where nothing is near. A file that nobody wrote may have very many names: only so many
/// are compared and listed.
pub(crate) fn nearest(given: &str, known: &[&str]) -> String {
    const LISTED: usize = 30;
    match near(given, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there is none".into(),
        None => {
            let listed = known.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
            let more = if known.len() > LISTED { format!(" and {} more", known.len() - LISTED) } else { String::new() };
            format!("there are {listed}{more}")
        }
    }
}

/// The name that somebody may have meant.
pub(crate) fn near<'n>(given: &str, known: &[&'n str]) -> Option<&'n str> {
    const COMPARED: usize = 300;
    const FAR: usize = 3;
    let length = given.chars().count();
    let close = known.iter().filter(|name| name.chars().count().abs_diff(length) < FAR).take(COMPARED);
    let (edits, name) = close.map(|name| (distance(given, name), *name)).min()?;
    (edits < FAR && edits < name.chars().count()).then_some(name)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(limits::NAME).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, letter) in a.chars().take(limits::NAME).enumerate() {
        let mut above_left = line;
        let mut left = line + 1;
        for (column, other) in b.iter().enumerate() {
            let above = row.get(column + 1).copied().unwrap_or_default();
            let here = (above_left + usize::from(letter != *other)).min(above + 1).min(left + 1);
            if let Some(cell) = row.get_mut(column) {
                *cell = left;
            }
            (above_left, left) = (above, here);
        }
        if let Some(cell) = row.last_mut() {
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_one_line_each() {
        let mut problems = Problems::one("steps[0].url", "there is none", "give one");
        problems.add("", "no name", "");
        assert_eq!(problems.to_string(), "steps[0].url: there is none. hint: give one\nno name");
        (0..1000).for_each(|_| problems.add("", "again", ""));
        assert_eq!(problems.all().len(), limits::PROBLEMS);
    }

    #[test]
    fn of_a_large_value_only_the_start_is_written() {
        assert_eq!(quoted_value(&serde_json::json!({"a": [1, "x"]})), r#"{"a":[1,"x"]}"#);
        let shown = quoted_value(&serde_json::json!("ä".repeat(5000)));
        assert_eq!(shown, format!("\"{}…", "ä".repeat(79)));
    }

    #[test]
    fn near_names_are_offered() {
        assert_eq!(nearest("done_wen", &["done_when", "gates"]), "did you mean `done_when`?");
        assert_eq!(nearest("zzzzz", &["a", "b"]), "there are a, b");
        assert_eq!(nearest("", &["id"]), "there are id");
        assert_eq!((distance("kitten", "sitting"), distance("", "ab"), distance("ab", "")), (3, 2, 2));
    }
}
