//! Valid texts with something cut, put in, doubled or exchanged.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

use super::{LARGEST, any_bytes, odd_text, place};

#[derive(Debug, Clone)]
pub(super) enum TextChange {
    CutEnd(u16),
    CutOut(u16, u16),
    PutIn(u16, String),
    Double(u16, u16),
    Exchange(u16, char),
    Repeat(u8),
}

pub(super) fn text_change() -> BoxedStrategy<TextChange> {
    prop_oneof![
        1 => any::<u16>().prop_map(TextChange::CutEnd),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(from, to)| TextChange::CutOut(from, to)),
        3 => (any::<u16>(), odd_text()).prop_map(|(at, text)| TextChange::PutIn(at, text)),
        1 => (any::<u16>(), any::<u16>()).prop_map(|(from, to)| TextChange::Double(from, to)),
        2 => (any::<u16>(), any::<char>()).prop_map(|(at, c)| TextChange::Exchange(at, c)),
        1 => any::<u8>().prop_map(TextChange::Repeat),
    ]
    .boxed()
}

impl TextChange {
    pub(super) fn apply(&self, text: String) -> String {
        let chars: Vec<char> = text.chars().collect();
        let at = |index: u16| place(index, chars.len());
        let part = |from: u16, to: u16| {
            let (from, to) = (at(from), at(to));
            (from.min(to), from.max(to))
        };
        let glued = |parts: &[&[char]]| parts.concat().into_iter().collect::<String>();
        match self {
            TextChange::CutEnd(end) => glued(&[&chars[..at(*end)]]),
            TextChange::CutOut(from, to) => {
                let (from, to) = part(*from, *to);
                glued(&[&chars[..from], &chars[to..]])
            }
            TextChange::PutIn(index, new) => {
                let new: Vec<char> = new.chars().collect();
                glued(&[&chars[..at(*index)], &new, &chars[at(*index)..]])
            }
            TextChange::Double(from, to) => {
                let (from, to) = part(*from, *to);
                glued(&[&chars[..to], &chars[from..]])
            }
            TextChange::Exchange(index, c) => {
                let mut chars = chars.clone();
                if let Some(place) = chars.get_mut(at(*index)) {
                    *place = *c;
                }
                chars.into_iter().collect()
            }
            TextChange::Repeat(times) => text.repeat(usize::from(*times).min(LARGEST / text.len().max(1))),
        }
    }
}

/// One of the examples with a few changes.
pub fn mutated_text(examples: &'static [&'static str]) -> BoxedStrategy<Vec<u8>> {
    let changed = (proptest::sample::select(examples), proptest::collection::vec(text_change(), 0..4)).prop_map(
        |(text, changes)| {
            let mut text = text.to_string();
            for change in &changes {
                text = change.apply(text);
                let end = (0..=LARGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
                text.truncate(end);
            }
            text.into_bytes()
        },
    );
    prop_oneof![8 => changed, 1 => any_bytes()].boxed()
}
