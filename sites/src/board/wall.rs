// The board itself and what can be done to a card: the one place where cards change or move.
// Whole columns and the launch steps are in `wall_lists`.

use std::collections::VecDeque;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::card::{ArchivedCard, Card, Column, Entry, Item, column_title};
use super::seed;
use super::validate::{CardChange, MOST_TITLE_CHARACTERS};
use crate::reply::ErrorReply;

/// Far above what a test makes; a script that adds for ever does not fill the memory.
const MOST_CARDS: usize = 500;
const MOST_ITEMS: usize = 50;
const MOST_ENTRIES: usize = 500;
const COPY_MARK: &str = " (copy)";

#[derive(Debug)]
pub(crate) struct Wall {
    pub(crate) seed: u64,
    pub(crate) columns: Vec<Column>,
    /// Newest first.
    pub(crate) archive: Vec<ArchivedCard>,
    pub(crate) steps: Vec<Item>,
    /// Newest first.
    activity: VecDeque<Entry>,
    changes: u64,
    next_card: u32,
    next_item: u32,
}

impl Wall {
    pub(crate) fn new(seed: u64) -> Self {
        let seeded = seed::board(seed);
        Self {
            seed,
            columns: seeded.columns,
            archive: seeded.archive,
            steps: seeded.steps,
            activity: VecDeque::new(),
            changes: 0,
            next_card: seeded.next_card,
            next_item: seeded.next_item,
        }
    }

    pub(crate) fn snapshot(&self) -> Value {
        json!({
            "seed": self.seed,
            "columns": self.columns,
            "archive": self.archive,
            "steps": self.steps,
            "activity": self.activity,
            "changes": self.changes,
            "next_id": self.next_card,
        })
    }

    pub(crate) fn card(&self, id: u32) -> Result<&Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        Ok(&self.columns[column].cards[index])
    }

    /// A new card at the bottom of a column that exists.
    pub(crate) fn add(&mut self, column: &'static str, title: String) -> Result<Card, ErrorReply> {
        self.refuse_when_full()?;
        let card = Card {
            id: self.take_card_id(),
            title,
            description: String::new(),
            due: None,
            assignee: None,
            labels: Vec::new(),
            color: "none",
            checklist: Vec::new(),
            revision: 0,
        };
        self.cards_of(column).push(card.clone());
        self.log("add", Some(card.id), format!("Added “{}” to {}", card.title, column_title(column)));
        Ok(card)
    }

    pub(crate) fn change(&mut self, id: u32, change: CardChange) -> Result<Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        let card = &mut self.columns[column].cards[index];
        let mut changed = Vec::new();
        apply(&mut card.title, change.title, "title", &mut changed);
        apply(&mut card.description, change.description, "description", &mut changed);
        apply(&mut card.due, change.due, "due date", &mut changed);
        apply(&mut card.assignee, change.assignee, "assignee", &mut changed);
        apply(&mut card.labels, change.labels, "labels", &mut changed);
        apply(&mut card.color, change.color, "colour", &mut changed);
        if !changed.is_empty() {
            card.revision += 1;
            let text = format!("Changed {} of “{}”", changed.join(", "), card.title);
            self.log("change", Some(id), text);
        }
        Ok(self.columns[column].cards[index].clone())
    }

    /// Puts a card where `to_index` cards of the column are above it, itself not counted.
    pub(crate) fn move_card(&mut self, id: u32, to: &'static str, to_index: usize) -> Result<Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        let from = self.columns[column].id;
        let others = self.cards_of(to).len() - usize::from(from == to);
        if to_index > others {
            return Err(ErrorReply::wrong_field("index", "The column has fewer cards than that."));
        }
        let card = self.columns[column].cards.remove(index);
        self.cards_of(to).insert(to_index, card.clone());
        if from != to {
            let text = format!("Moved “{}” from {} to {}", card.title, column_title(from), column_title(to));
            self.log("move", Some(id), text);
        } else if index != to_index {
            self.log("move", Some(id), format!("Moved “{}” within {}", card.title, column_title(to)));
        }
        Ok(card)
    }

    /// A copy directly below the card.
    pub(crate) fn duplicate(&mut self, id: u32) -> Result<Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        self.refuse_when_full()?;
        let mut copy = self.columns[column].cards[index].clone();
        let kept = MOST_TITLE_CHARACTERS - COPY_MARK.chars().count();
        copy.title = copy.title.chars().take(kept).chain(COPY_MARK.chars()).collect();
        copy.id = self.take_card_id();
        copy.revision = 0;
        for item in &mut copy.checklist {
            item.id = self.take_item_id();
        }
        self.columns[column].cards.insert(index + 1, copy.clone());
        self.log("duplicate", Some(id), format!("Duplicated card {id} as “{}”", copy.title));
        Ok(copy)
    }

    pub(crate) fn archive(&mut self, id: u32) -> Result<Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        let card = self.columns[column].cards.remove(index);
        let column = self.columns[column].id;
        self.log("archive", Some(id), format!("Archived “{}” from {}", card.title, column_title(column)));
        self.archive.insert(0, ArchivedCard { card: card.clone(), column });
        Ok(card)
    }

    /// Back to the bottom of the column it came from.
    pub(crate) fn restore(&mut self, id: u32) -> Result<Card, ErrorReply> {
        let index = self.archive.iter().position(|archived| archived.card.id == id);
        let index = index.ok_or_else(|| ErrorReply::not_found(format!("Card {id} is not in the archive.")))?;
        let ArchivedCard { card, column } = self.archive.remove(index);
        self.cards_of(column).push(card.clone());
        self.log("restore", Some(id), format!("Restored “{}” to {}", card.title, column_title(column)));
        Ok(card)
    }

    pub(crate) fn add_item(&mut self, id: u32, text: String) -> Result<Card, ErrorReply> {
        let (column, index) = self.place_of(id)?;
        if self.columns[column].cards[index].checklist.len() == MOST_ITEMS {
            return Err(full("The checklist is full."));
        }
        let item = Item { id: self.take_item_id(), text, done: false };
        let card = &mut self.columns[column].cards[index];
        let line = format!("Added “{}” to the checklist of “{}”", item.text, card.title);
        card.checklist.push(item);
        card.revision += 1;
        let card = card.clone();
        self.log("checklist", Some(id), line);
        Ok(card)
    }

    pub(crate) fn tick_item(&mut self, id: u32, item: u32, done: bool) -> Result<Card, ErrorReply> {
        let (card, item_index) = self.item_of(id, item)?;
        let item = &mut card.checklist[item_index];
        let mut line = None;
        if item.done != done {
            item.done = done;
            line = Some(format!("{} “{}” of “{}”", if done { "Ticked" } else { "Unticked" }, item.text, card.title));
            card.revision += 1;
        }
        let card = card.clone();
        if let Some(line) = line {
            self.log("checklist", Some(id), line);
        }
        Ok(card)
    }

    pub(crate) fn remove_item(&mut self, id: u32, item: u32) -> Result<Card, ErrorReply> {
        let (card, item_index) = self.item_of(id, item)?;
        let item = card.checklist.remove(item_index);
        card.revision += 1;
        let card = card.clone();
        self.log("checklist", Some(id), format!("Removed “{}” from “{}”", item.text, card.title));
        Ok(card)
    }

    /// The cards of a column that was checked to exist.
    pub(crate) fn cards_of(&mut self, column: &'static str) -> &mut Vec<Card> {
        // Ids come from the same fixed list as the columns, so the first is never meant.
        let index = self.columns.iter().position(|known| known.id == column).unwrap_or(0);
        &mut self.columns[index].cards
    }

    pub(crate) fn log(&mut self, action: &'static str, card: Option<u32>, text: String) {
        self.changes += 1;
        self.activity.push_front(Entry { number: self.changes, action, card, text });
        self.activity.truncate(MOST_ENTRIES);
    }

    fn place_of(&self, id: u32) -> Result<(usize, usize), ErrorReply> {
        let place = self.columns.iter().enumerate().find_map(|(column, of_column)| {
            of_column.cards.iter().position(|card| card.id == id).map(|index| (column, index))
        });
        place.ok_or_else(|| no_such_card(id))
    }

    fn item_of(&mut self, id: u32, item: u32) -> Result<(&mut Card, usize), ErrorReply> {
        let (column, index) = self.place_of(id)?;
        let card = &mut self.columns[column].cards[index];
        let item_index = card.checklist.iter().position(|known| known.id == item);
        let item_index = item_index.ok_or_else(|| ErrorReply::not_found("The checklist has no such item."))?;
        Ok((card, item_index))
    }

    fn refuse_when_full(&self) -> Result<(), ErrorReply> {
        let count: usize = self.archive.len() + self.columns.iter().map(|column| column.cards.len()).sum::<usize>();
        if count < MOST_CARDS { Ok(()) } else { Err(full("The board is full.")) }
    }

    /// Ids are never used twice, so an old address cannot show another card.
    fn take_card_id(&mut self) -> u32 {
        self.next_card += 1;
        self.next_card - 1
    }

    fn take_item_id(&mut self) -> u32 {
        self.next_item += 1;
        self.next_item - 1
    }
}

/// The answer to an id that no card on the board has.
pub(crate) fn no_such_card(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no card {id} on the board."))
}

fn full(message: &str) -> ErrorReply {
    ErrorReply::new(StatusCode::CONFLICT, "full", message)
}

fn apply<T: PartialEq>(field: &mut T, wanted: Option<T>, label: &'static str, changed: &mut Vec<&'static str>) {
    if let Some(wanted) = wanted.filter(|wanted| wanted != field) {
        *field = wanted;
        changed.push(label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(wall: &mut Wall, column: &'static str) -> Vec<u32> {
        wall.cards_of(column).iter().map(|card| card.id).collect()
    }

    #[test]
    fn a_place_is_counted_without_the_card_that_moves() {
        let mut wall = Wall::new(1);
        assert_eq!(ids(&mut wall, "doing"), [114, 115, 116, 117, 118]);
        wall.move_card(114, "doing", 1).unwrap();
        assert_eq!(ids(&mut wall, "doing"), [115, 114, 116, 117, 118]);
        wall.move_card(115, "doing", 4).unwrap();
        assert_eq!(ids(&mut wall, "doing"), [114, 116, 117, 118, 115]);
        assert!(wall.move_card(115, "doing", 5).is_err());
        wall.move_card(109, "doing", 5).unwrap();
        assert_eq!(ids(&mut wall, "doing"), [114, 116, 117, 118, 115, 109]);
        assert!(wall.move_card(109, "next", 6).is_err());
    }

    #[test]
    fn a_move_to_the_same_place_is_no_activity() {
        let mut wall = Wall::new(1);
        wall.move_card(115, "doing", 1).unwrap();
        assert_eq!(wall.changes, 0);
        wall.move_card(115, "doing", 0).unwrap();
        assert_eq!(wall.activity[0].text, "Moved “Replace the checkout banner” within In progress");
    }

    #[test]
    fn the_board_and_its_log_cannot_grow_for_ever() {
        let mut wall = Wall::new(1);
        let mut added = 0;
        while wall.add("ideas", "One more".to_owned()).is_ok() {
            added += 1;
        }
        assert_eq!(added + 24 + 3, MOST_CARDS);
        assert!(wall.duplicate(109).is_err());
        for _ in 0..MOST_ENTRIES {
            wall.archive(109).unwrap();
            wall.restore(109).unwrap();
        }
        assert_eq!(wall.activity.len(), MOST_ENTRIES);
    }

    #[test]
    fn a_copy_of_a_long_title_stays_within_the_limit() {
        let mut wall = Wall::new(1);
        let card = wall.add("ideas", "ä".repeat(MOST_TITLE_CHARACTERS)).unwrap();
        let copy = wall.duplicate(card.id).unwrap();
        assert_eq!(copy.title.chars().count(), MOST_TITLE_CHARACTERS);
        assert!(copy.title.ends_with(COPY_MARK));
    }
}
