//! Finding many values in one pass over a text. Long values are found by any part of them that is long
//! enough to be no accident, so that a cut-off copy is found as well; short ones only as a whole.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A text that shares so many characters in a row with a value shows a part of it.
pub(super) const GRAM: usize = 12;

/// A place in the searched characters, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) pattern: usize,
}

/// Patterns that are looked for together.
#[derive(Default)]
pub(super) struct Patterns {
    patterns: Vec<Vec<char>>,
    /// Patterns that are too short for grams, by the low bits of their first character. A table and not
    /// a map: every character of every text is looked up.
    short: Vec<Vec<usize>>,
    /// Where a gram stands: pattern and position.
    grams: HashMap<u64, (u32, u32), BuildHasherDefault<Ready>>,
}

impl Patterns {
    pub(super) fn new(patterns: Vec<Vec<char>>) -> Patterns {
        let mut made = Patterns { patterns, ..Patterns::default() };
        if made.patterns.iter().any(|pattern| pattern.len() < GRAM) {
            made.short = vec![Vec::new(); SLOTS];
        }
        for (index, pattern) in made.patterns.iter().enumerate() {
            match pattern.first() {
                None => {}
                Some(first) if pattern.len() < GRAM => made.short[slot(*first)].push(index),
                Some(_) => {
                    let key = u32::try_from(index).unwrap_or(u32::MAX);
                    for (start, hash) in rolling(pattern) {
                        made.grams.entry(hash).or_insert((key, u32::try_from(start).unwrap_or(u32::MAX)));
                    }
                }
            }
        }
        made
    }

    pub(super) fn pattern(&self, index: usize) -> &[char] {
        &self.patterns[index]
    }

    /// Every place where a short pattern stands, and every stretch that is part of a long one.
    pub(super) fn search(&self, text: &[char], mut found: impl FnMut(Found)) {
        if !self.short.is_empty() {
            for (start, first) in text.iter().enumerate() {
                for &pattern in &self.short[slot(*first)] {
                    let wanted = &self.patterns[pattern];
                    if text[start..].starts_with(wanted) {
                        found(Found { start, end: start + wanted.len(), pattern });
                    }
                }
            }
        }
        if self.grams.is_empty() {
            return;
        }
        let mut stretch: Option<Found> = None;
        for (start, hash) in rolling(text) {
            let Some(&(pattern, position)) = self.grams.get(&hash) else { continue };
            let (pattern, position) = (pattern as usize, position as usize);
            if self.patterns[pattern][position..position + GRAM] != text[start..start + GRAM] {
                continue;
            }
            match &mut stretch {
                Some(stretch) if stretch.pattern == pattern && start < stretch.end => stretch.end = start + GRAM,
                _ => {
                    stretch.take().into_iter().for_each(&mut found);
                    stretch = Some(Found { start, end: start + GRAM, pattern });
                }
            }
        }
        stretch.into_iter().for_each(found);
    }
}

const SLOTS: usize = 256;

fn slot(character: char) -> usize {
    u32::from(character) as usize % SLOTS
}

/// The hash of every stretch of `GRAM` characters, each from the one before it.
fn rolling(text: &[char]) -> impl Iterator<Item = (usize, u64)> + '_ {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let leaving = (1..GRAM).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0u64;
    text.iter().enumerate().filter_map(move |(index, character)| {
        if index >= GRAM {
            hash = hash.wrapping_sub(u64::from(u32::from(text[index - GRAM])).wrapping_mul(leaving));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(u32::from(*character)));
        // The low bits of such a sum say little; the table goes by them.
        (index + 1 >= GRAM).then(|| (index + 1 - GRAM, hash ^ (hash >> 29)))
    })
}

/// For keys that are hashes already.
#[derive(Default)]
pub(super) struct Ready(u64);

impl Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
