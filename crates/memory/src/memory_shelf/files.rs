//! The inverted files behind the shelf: from fingerprints, tags and words to lessons, for all and by origin.

use std::collections::HashMap;

use crate::lesson::Lesson;
use crate::shelf::Query;

use super::filed_words;

/// A fingerprint, tag or word by its number; the kind is in the upper bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fingerprint,
    Tag,
    Word,
}

const KIND_SHIFT: u32 = 30;

impl Term {
    fn kind(self) -> Kind {
        match self.0 >> KIND_SHIFT {
            0 => Kind::Fingerprint,
            1 => Kind::Tag,
            _ => Kind::Word,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Files {
    numbers: [HashMap<String, u32>; 3],
    everywhere: HashMap<Term, Vec<u32>>,
    by_origin: HashMap<String, OriginFile>,
}

#[derive(Debug, Default)]
struct OriginFile {
    slots: Vec<u32>,
    terms: HashMap<Term, Vec<u32>>,
}

impl Files {
    /// Sorted: fingerprints, tags, words.
    pub(super) fn terms_of(&mut self, lesson: &Lesson) -> Vec<Term> {
        let words = filed_words(lesson);
        let mut terms: Vec<Term> = Vec::with_capacity(lesson.triggers.len() + lesson.tags.len() + words.len());
        terms.extend(lesson.triggers.iter().map(|text| self.number(Kind::Fingerprint, text)));
        terms.extend(lesson.tags.iter().map(|text| self.number(Kind::Tag, text)));
        terms.extend(words.iter().map(|text| self.number(Kind::Word, text)));
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The terms of a query that any lesson has, sorted.
    pub(super) fn asked(&self, query: &Query) -> Vec<Term> {
        let known = |kind: Kind, texts: &[String]| -> Vec<Term> {
            texts.iter().filter_map(|text| self.known(kind, text)).collect()
        };
        let mut asked = known(Kind::Fingerprint, &query.fingerprints);
        asked.extend(known(Kind::Tag, &query.tags));
        asked.extend(known(Kind::Word, &query.words));
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    pub(super) fn add(&mut self, slot: usize, terms: &[Term], origin: &str) {
        let slot = slot as u32;
        let file = self.by_origin.entry(origin.to_string()).or_default();
        insert(&mut file.slots, slot);
        for term in terms {
            insert(file.terms.entry(*term).or_default(), slot);
            insert(self.everywhere.entry(*term).or_default(), slot);
        }
    }

    pub(super) fn remove(&mut self, slot: usize, terms: &[Term], origin: &str) {
        let slot = slot as u32;
        let mut file = self.by_origin.get_mut(origin);
        if let Some(file) = &mut file {
            take(&mut file.slots, slot);
        }
        for term in terms {
            if let Some(file) = &mut file
                && let Some(list) = file.terms.get_mut(term)
            {
                take(list, slot);
            }
            if let Some(list) = self.everywhere.get_mut(term) {
                take(list, slot);
            }
        }
        if file.is_some_and(|file| file.slots.is_empty()) {
            self.by_origin.remove(origin);
        }
    }

    /// The latest first.
    pub(super) fn triggered_by(&self, triggers: &[String], limit: usize) -> Vec<usize> {
        let lists = triggers
            .iter()
            .filter_map(|trigger| self.known(Kind::Fingerprint, trigger))
            .filter_map(|term| self.everywhere.get(&term));
        let mut slots: Vec<u32> = lists.flat_map(|list| list.iter().rev().take(limit)).copied().collect();
        slots.sort_unstable_by(|left, right| right.cmp(left));
        slots.dedup();
        slots.truncate(limit);
        slots.into_iter().map(|slot| slot as usize).collect()
    }

    /// Every lesson of the origin where they are few, else those with the rarest terms.
    pub(super) fn of_origin(&self, origin: &str, asked: &[Term], most: usize) -> Vec<usize> {
        let Some(file) = self.by_origin.get(origin) else { return Vec::new() };
        if file.slots.len() <= most {
            return file.slots.iter().map(|slot| *slot as usize).collect();
        }
        rarest_first(&file.terms, asked, most)
    }

    pub(super) fn anywhere(&self, asked: &[Term], most: usize) -> Vec<usize> {
        rarest_first(&self.everywhere, asked, most)
    }

    /// The score as it will be, without age and near matches.
    pub(super) fn estimate(&self, terms: &[Term], asked: &[Term], lesson: &Lesson, query: &Query) -> f64 {
        let mut common = [0_usize; 3];
        let (mut left, mut right) = (terms.iter().peekable(), asked.iter().peekable());
        while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
            match one.cmp(other) {
                std::cmp::Ordering::Less => drop(left.next()),
                std::cmp::Ordering::Greater => drop(right.next()),
                std::cmp::Ordering::Equal => {
                    common[one.kind() as usize] += 1;
                    left.next();
                    right.next();
                }
            }
        }
        let share = |common: usize, own: usize, asked: usize| common as f64 / (own + asked - common).max(1) as f64;
        let words = terms.len() - lesson.triggers.len().min(terms.len()) - lesson.tags.len().min(terms.len());
        let same_task = !query.task.is_empty() && (query.task == lesson.task || query.task == lesson.learned_in);
        let fingerprint = if common[0] > 0 || same_task { 0.40 } else { 0.0 };
        fingerprint
            + 0.25 * share(common[1], lesson.tags.len(), query.tags.len())
            + 0.20 * share(common[2], words, query.words.len())
            + 0.10 * lesson.reliability
    }

    fn number(&mut self, kind: Kind, text: &str) -> Term {
        let numbers = &mut self.numbers[kind as usize];
        let next = numbers.len() as u32;
        let number = match numbers.get(text) {
            Some(number) => *number,
            None => {
                numbers.insert(text.to_string(), next);
                next
            }
        };
        Term((kind as u32) << KIND_SHIFT | number)
    }

    fn known(&self, kind: Kind, text: &str) -> Option<Term> {
        self.numbers[kind as usize].get(text).map(|number| Term((kind as u32) << KIND_SHIFT | number))
    }
}

/// Up to `most` slots, from the shortest lists on; of a list that is too long, the latest.
fn rarest_first(lists: &HashMap<Term, Vec<u32>>, asked: &[Term], most: usize) -> Vec<usize> {
    let mut found: Vec<(Term, &Vec<u32>)> = asked.iter().filter_map(|term| Some((*term, lists.get(term)?))).collect();
    found.sort_by_key(|(term, list)| (term.kind() != Kind::Fingerprint, list.len()));
    let mut slots: Vec<u32> = Vec::with_capacity(most);
    for (_, list) in found {
        let left = most.saturating_sub(slots.len());
        slots.extend(list.iter().rev().take(left));
        if slots.len() >= most {
            break;
        }
    }
    slots.sort_unstable();
    slots.dedup();
    slots.into_iter().map(|slot| slot as usize).collect()
}

// Slots grow, so nearly every insertion is at the end.
fn insert(list: &mut Vec<u32>, slot: u32) {
    if let Err(at) = list.binary_search(&slot) {
        list.insert(at, slot);
    }
}

fn take(list: &mut Vec<u32>, slot: u32) {
    if let Ok(at) = list.binary_search(&slot) {
        list.remove(at);
    }
}
