//! What can be wrong with a plan or its inputs: one sentence each, with the place and a hint.

use std::fmt;

use serde::{Deserialize, Serialize};

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
        if self.0.len() < limits::PROBLEMS {
            self.0.push(Problem::new(place, sentence, hint));
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
    const SHOWN: usize = 80;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    shown
}

/// `did you mean …`, or the whole list where nothing is near.
pub(crate) fn nearest(given: &str, known: &[&str]) -> String {
    let near = known.iter().map(|name| (distance(given, name), name)).min();
    match near {
        Some((edits, name)) if edits <= 2 && edits < name.chars().count() => format!("did you mean `{name}`?"),
        _ if known.is_empty() => "there is none".into(),
        _ => format!("there are {}", known.join(", ")),
    }
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
    fn near_names_are_offered() {
        assert_eq!(nearest("done_wen", &["done_when", "gates"]), "did you mean `done_when`?");
        assert_eq!(nearest("zzzzz", &["a", "b"]), "there are a, b");
        assert_eq!(nearest("", &["id"]), "there are id");
        assert_eq!((distance("kitten", "sitting"), distance("", "ab"), distance("ab", "")), (3, 2, 2));
    }
}
