// Generates the board of a seed. Separate from its rules so that "same seed, same data" can be
// tested without a server.

use super::card::{ArchivedCard, COLORS, COLUMNS, Card, Column, Item, LABELS, PEOPLE};
use super::words;
use crate::random::Random;

const FIRST_CARD: u32 = 101;
const FIRST_ITEM: u32 = 501;
const FIRST_STEP: u32 = 1;
/// How many cards each column starts with, in the order of `COLUMNS`.
const COLUMN_SIZES: [usize; 4] = [7, 6, 5, 6];
const ARCHIVE_SIZE: usize = 3;

/// What a reset gives.
#[derive(Debug, PartialEq)]
pub(crate) struct Seeded {
    pub(crate) columns: Vec<Column>,
    pub(crate) archive: Vec<ArchivedCard>,
    pub(crate) steps: Vec<Item>,
    pub(crate) next_card: u32,
    pub(crate) next_item: u32,
}

pub(crate) fn board(seed: u64) -> Seeded {
    let mut maker = Maker {
        random: Random::new(seed),
        titles: words::TITLES.to_vec(),
        next_card: FIRST_CARD,
        next_item: FIRST_ITEM,
    };
    let columns = COLUMNS
        .iter()
        .zip(COLUMN_SIZES)
        .map(|((id, title), size)| Column { id, title, cards: (0..size).map(|_| maker.card()).collect() })
        .collect();
    let archive = (0..ARCHIVE_SIZE)
        .map(|_| {
            let (column, _) = *maker.random.pick(COLUMNS);
            ArchivedCard { card: maker.card(), column }
        })
        .collect();
    let steps = maker.steps();
    Seeded { columns, archive, steps, next_card: maker.next_card, next_item: maker.next_item }
}

/// Cards that have the same id, title and place in every seed, because scripts and tests name
/// them. "redirect" occurs once on the board, "checkout" twice: one search that is unique and
/// one that has to be told apart.
fn fixed_title(id: u32) -> Option<&'static str> {
    match id {
        109 => Some("Fix the sign-in redirect loop"),
        111 => Some("Replace the checkout button"),
        115 => Some("Replace the checkout banner"),
        _ => None,
    }
}

struct Maker {
    random: Random,
    /// What is left; a title is used once, so that a task that names a card means one card.
    titles: Vec<&'static str>,
    next_card: u32,
    next_item: u32,
}

impl Maker {
    fn card(&mut self) -> Card {
        let id = self.next_card;
        self.next_card += 1;
        // Drawn even where a fixed title takes the place, so that it shifts nothing after it.
        let drawn = self.take_title();
        let title = fixed_title(id).unwrap_or(drawn).to_owned();
        let random = &mut self.random;
        let description =
            if random.chance(60) { (*random.pick(words::DESCRIPTIONS)).to_owned() } else { String::new() };
        let due = random.chance(45).then(|| format!("2026-11-{:02}", 2 + random.below(27)));
        let assignee = random.chance(75).then(|| *random.pick(PEOPLE));
        let labels = LABELS.iter().copied().filter(|_| random.chance(22)).collect();
        let color = if random.chance(35) { *random.pick(&COLORS[1..]) } else { COLORS[0] };
        let checklist = self.checklist();
        Card { id, title, description, due, assignee, labels, color, checklist, revision: 0 }
    }

    fn take_title(&mut self) -> &'static str {
        let index = self.random.below(self.titles.len() as u64) as usize;
        self.titles.swap_remove(index)
    }

    fn checklist(&mut self) -> Vec<Item> {
        if !self.random.chance(40) {
            return Vec::new();
        }
        let from = self.random.below(3) as usize;
        let count = 2 + self.random.below(3) as usize;
        words::ITEMS[from..from + count]
            .iter()
            .map(|text| {
                let item = Item { id: self.next_item, text: (*text).to_owned(), done: self.random.chance(40) };
                self.next_item += 1;
                item
            })
            .collect()
    }

    fn steps(&mut self) -> Vec<Item> {
        let mut texts = words::STEPS.to_vec();
        let mut id = FIRST_STEP;
        let mut steps = Vec::with_capacity(texts.len());
        while !texts.is_empty() {
            let text = texts.swap_remove(self.random.below(texts.len() as u64) as usize);
            steps.push(Item { id, text: text.to_owned(), done: steps.len() < 2 });
            id += 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_board_and_another_seed_gives_another() {
        assert_eq!(board(1), board(1));
        assert_ne!(board(1), board(2));
    }

    #[test]
    fn titles_are_unique_and_fixed_cards_stay_in_every_seed() {
        for seed in 1..=20 {
            let board = board(seed);
            let cards: Vec<_> = board.columns.iter().flat_map(|column| &column.cards).collect();
            assert_eq!(cards.len(), 24);
            let titles: BTreeSet<_> =
                cards.iter().copied().chain(board.archive.iter().map(|a| &a.card)).map(|card| &card.title).collect();
            assert_eq!(titles.len(), 24 + ARCHIVE_SIZE, "seed {seed}");
            assert_eq!(board.columns[1].cards[1].title, "Fix the sign-in redirect loop");
            assert_eq!(board.columns[2].cards[1].title, "Replace the checkout banner");
            assert_eq!(board.next_card, 128);
        }
    }
}
