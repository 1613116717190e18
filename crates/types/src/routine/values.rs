//! `<value:NAME>` in a routine: what differs from one replay to the next. Replaced in typed texts, in the names of
//! targets and in what is expected; never in what kind of call it is.

use std::collections::BTreeMap;

use serde_json::Value;

use super::pattern::as_in_addresses;
use super::{Anchor, Expect, Routine, RoutineStep};

const OPEN: &str = "<value:";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueProblem {
    /// A name that the routine does not have.
    Unknown {
        name: String,
        known: Vec<String>,
    },
    /// A text that occurs nowhere in the routine, so nothing can be replaced.
    NotFound {
        name: String,
        used: Vec<String>,
    },
    /// A text that is only spoken of: no step would do anything else with another one.
    Unused {
        name: String,
        used: Vec<String>,
    },
    BadName {
        name: String,
    },
}

pub fn placeholder(name: &str) -> String {
    format!("{OPEN}{name}>")
}

pub fn is_value_name(name: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    (1..=40).contains(&name.len()) && name.chars().all(plain) && name != "then"
}

impl Routine {
    /// The routine with texts in the place of its placeholders: those given, or those of the recording.
    pub fn filled(&self, given: &BTreeMap<String, String>) -> Result<Routine, ValueProblem> {
        if let Some(name) = given.keys().find(|name| !self.values.contains_key(*name)) {
            return Err(ValueProblem::Unknown { name: name.clone(), known: self.values.keys().cloned().collect() });
        }
        let mut filled = self.clone();
        for (name, text) in given {
            let placeholder = placeholder(name);
            let mut used = false;
            let mut look = |words: &mut String| used |= words.contains(&placeholder);
            filled.steps.iter_mut().for_each(|step| step.each_deciding_text(&mut look));
            // A recording may name a value that its steps do not depend on; another text would be a lie.
            if !used && self.values.get(name) != Some(text) {
                return Err(ValueProblem::Unused { name: name.clone(), used: filled.deciding_texts() });
            }
        }
        let mut values = self.values.clone();
        values.extend(given.clone());
        filled.each_text(&mut |text| *text = with_values(text, &values));
        filled.values = values;
        Ok(filled)
    }

    /// Puts a placeholder in the place of a text, wherever it stands.
    pub fn parametrise(&mut self, name: &str, text: &str) -> Result<(), ValueProblem> {
        if !is_value_name(name) || text.is_empty() {
            return Err(ValueProblem::BadName { name: name.into() });
        }
        let placeholder = placeholder(name);
        let mut found = false;
        let mut look = |words: &mut String| found |= replaced_outside(words, text, &placeholder) != *words;
        self.steps.iter_mut().for_each(|step| step.each_deciding_text(&mut look));
        if !found {
            // Filling it in would change what is said and nothing that is done.
            let spoken_of = [&self.task, &self.claim].into_iter().any(|words| words.contains(text));
            let spoken_of = spoken_of || self.steps.iter_mut().any(|step| step.speaks_of(text));
            let used = self.deciding_texts();
            return Err(if spoken_of {
                ValueProblem::Unused { name: name.into(), used }
            } else {
                ValueProblem::NotFound { name: name.into(), used }
            });
        }
        self.each_text(&mut |words| *words = replaced_outside(words, text, &placeholder));
        self.steps.iter_mut().for_each(|step| step.put_other_spellings(text, &placeholder));
        self.values.insert(name.into(), text.into());
        Ok(())
    }

    /// Some of the texts that decide what is done, for a hint.
    fn deciding_texts(&mut self) -> Vec<String> {
        const SHOWN: usize = 8;
        let mut texts: Vec<String> = Vec::new();
        let mut look = |words: &mut String| {
            if texts.len() < SHOWN && !words.trim().is_empty() && !texts.contains(words) {
                texts.push(words.chars().take(60).collect());
            }
        };
        self.steps.iter_mut().for_each(|step| step.each_deciding_text(&mut look));
        texts
    }

    /// Names of values that stand in the routine.
    pub fn used_values(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut copy = self.clone();
        copy.each_text(&mut |text| {
            let used = plain_pieces(text).into_iter().filter_map(Result::err);
            names.extend(used.filter_map(|piece| Some(piece.strip_prefix(OPEN)?.strip_suffix('>')?.to_string())));
        });
        names.sort();
        names.dedup();
        names
    }

    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.task);
        change(&mut self.claim);
        self.steps.iter_mut().for_each(|step| step.each_text(change));
    }
}

impl RoutineStep {
    fn speaks_of(&mut self, text: &str) -> bool {
        let mut found = false;
        self.each_text(&mut |words| found |= words.contains(text));
        found
    }

    fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.about);
        self.each_deciding_text(change);
        let Expect { url_pattern, title_pattern, dialog_text, hit, predicates, focus, .. } = &mut self.expect;
        [url_pattern, title_pattern, dialog_text, hit].into_iter().flatten().for_each(&mut *change);
        predicates.iter_mut().for_each(&mut *change);
        focus.iter_mut().filter_map(|focus| focus.text.as_mut()).for_each(&mut *change);
    }

    /// Addresses, titles and headings write a name in their own way.
    fn put_other_spellings(&mut self, text: &str, placeholder: &str) {
        const SHORTEST: usize = 2;
        let name = as_in_addresses(text);
        if name.chars().count() < SHORTEST {
            return;
        }
        if let Some(pattern) = &mut self.expect.url_pattern {
            let parts = pattern.split('/').map(|part| if as_in_addresses(part) == name { placeholder } else { part });
            *pattern = parts.collect::<Vec<_>>().join("/");
        }
        let heading = self.anchor.as_mut().and_then(|anchor| anchor.heading.as_mut());
        for words in heading.into_iter().chain(&mut self.expect.title_pattern) {
            if !words.contains(placeholder) {
                *words = replaced_in_any_case(words, text, placeholder);
            }
        }
    }

    /// Texts that decide what is done, and to what.
    fn each_deciding_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        for (name, value) in &mut self.call {
            if !matches!(name.as_str(), "tool" | "action" | "dialog_action" | "key" | "button" | "direction") {
                each_string(value, change);
            }
        }
        for anchor in [&mut self.anchor, &mut self.end_anchor].into_iter().flatten() {
            let Anchor { text, beside, heading, caption, row, options, .. } = anchor;
            [text, beside, heading, caption].into_iter().flatten().for_each(&mut *change);
            row.iter_mut().chain(options).for_each(&mut *change);
        }
    }
}

fn each_string(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_string(item, change)),
        _ => {}
    }
}

/// A text cut at its placeholders: `Ok` is plain text, `Err` a whole placeholder.
pub(super) fn plain_pieces(text: &str) -> Vec<Result<&str, &str>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        let (before, from) = rest.split_at(start);
        let name = from.get(OPEN.len()..).and_then(|inner| inner.split_once('>')).map(|(name, _)| name);
        let Some(name) = name.filter(|name| is_value_name(name)) else {
            // Words that only begin like one are plain.
            let (plain, after) = rest.split_at(start + OPEN.len());
            pieces.push(Ok(plain));
            rest = after;
            continue;
        };
        pieces.push(Ok(before));
        let (placeholder, after) = from.split_at(OPEN.len() + name.len() + 1);
        pieces.push(Err(placeholder));
        rest = after;
    }
    pieces.push(Ok(rest));
    pieces.retain(|piece| *piece != Ok(""));
    pieces
}

fn with_values(text: &str, values: &BTreeMap<String, String>) -> String {
    let pieces = plain_pieces(text).into_iter().map(|piece| match piece {
        Ok(plain) => plain,
        Err(placeholder) => {
            let name = placeholder.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
            values.get(name).map_or(placeholder, String::as_str)
        }
    });
    pieces.collect()
}

fn replaced_outside(text: &str, wanted: &str, by: &str) -> String {
    let pieces = plain_pieces(text).into_iter().map(|piece| match piece {
        Ok(plain) => plain.replace(wanted, by),
        Err(placeholder) => placeholder.to_string(),
    });
    pieces.collect()
}

/// Whole words only: `acme` in `Acme Ltd` and not in `Pacmen`.
fn replaced_in_any_case(words: &str, wanted: &str, by: &str) -> String {
    let (lower, sought) = (words.to_lowercase(), wanted.to_lowercase());
    // Where letters change their length with their case, places in one are none in the other.
    let found = lower.find(&sought).filter(|_| lower.len() == words.len() && !sought.is_empty());
    let cut = found.and_then(|at| Some((words.get(..at)?, words.get(at + sought.len()..)?)));
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    match cut {
        Some((before, after)) if !is_letter(before.chars().last()) && !is_letter(after.chars().next()) => {
            format!("{before}{by}{after}")
        }
        _ => words.to_string(),
    }
}

fn texts_of(used: &[String]) -> String {
    if used.is_empty() {
        return String::new();
    }
    format!("; its steps use {}", used.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "))
}

impl std::fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let short = |name: &str| name.chars().take(60).collect::<String>();
        match self {
            ValueProblem::Unknown { name, known } if known.is_empty() => {
                write!(f, "the routine has no value {:?}; it has none at all", short(name))
            }
            ValueProblem::Unknown { name, known } => {
                write!(f, "the routine has no value {:?}; it has {}", short(name), known.join(", "))
            }
            ValueProblem::NotFound { name, used } => {
                write!(f, "the text of the value {:?} stands nowhere in the run{}", short(name), texts_of(used))
            }
            ValueProblem::Unused { name, used } => write!(
                f,
                "no step uses the value {:?}: another text would change nothing that is done{}",
                short(name),
                texts_of(used)
            ),
            ValueProblem::BadName { name } => {
                write!(
                    f,
                    "{:?} cannot be a value: its name has letters, digits, - and _, and its text is not empty",
                    short(name)
                )
            }
        }
    }
}
