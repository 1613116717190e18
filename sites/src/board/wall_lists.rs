// What is done to whole columns and to the list of launch steps. Separate from what is done to a
// single card, to keep both readable.

use super::card::{Item, column_title};
use super::wall::Wall;
use crate::reply::ErrorReply;

/// What a column can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SortBy {
    Title,
    /// Cards without a due date last.
    Due,
}

impl SortBy {
    pub(crate) fn from_name(name: &str) -> Result<SortBy, ErrorReply> {
        match name {
            "title" => Ok(SortBy::Title),
            "due" => Ok(SortBy::Due),
            _ => Err(ErrorReply::wrong_field("by", "Sort by title or due.")),
        }
    }
}

impl Wall {
    pub(crate) fn sort_column(&mut self, column: &'static str, by: SortBy) {
        let cards = self.cards_of(column);
        match by {
            SortBy::Title => cards.sort_by_key(|card| card.title.to_lowercase()),
            SortBy::Due => cards.sort_by_key(|card| (card.due.is_none(), card.due.clone())),
        }
        let what = if by == SortBy::Title { "title" } else { "due date" };
        self.log("sort", None, format!("Sorted {} by {what}", column_title(column)));
    }

    /// Gives how many cards went.
    pub(crate) fn archive_column(&mut self, column: &'static str) -> usize {
        let ids: Vec<u32> = self.cards_of(column).iter().map(|card| card.id).collect();
        // One by one, so that each card has its own line in the log and can be restored alone.
        ids.into_iter().filter(|id| self.archive(*id).is_ok()).count()
    }

    /// Puts all cards below those of another column; gives how many went.
    pub(crate) fn empty_column_into(&mut self, from: &'static str, to: &'static str) -> Result<usize, ErrorReply> {
        if from == to {
            return Err(ErrorReply::wrong_field("to", "Choose another column."));
        }
        let cards = std::mem::take(self.cards_of(from));
        let count = cards.len();
        self.cards_of(to).extend(cards);
        if count > 0 {
            let text = format!("Moved all {count} cards from {} to {}", column_title(from), column_title(to));
            self.log("move_all", None, text);
        }
        Ok(count)
    }

    /// Puts a step where `to_index` of the other steps are above it.
    pub(crate) fn move_step(&mut self, id: u32, to_index: usize) -> Result<Item, ErrorReply> {
        let index = self.step_index(id)?;
        if to_index >= self.steps.len() {
            return Err(ErrorReply::wrong_field("index", "The list has fewer steps than that."));
        }
        let step = self.steps.remove(index);
        self.steps.insert(to_index, step.clone());
        if index != to_index {
            self.log("step", None, format!("Moved step “{}” to place {}", step.text, to_index + 1));
        }
        Ok(step)
    }

    pub(crate) fn tick_step(&mut self, id: u32, done: bool) -> Result<Item, ErrorReply> {
        let index = self.step_index(id)?;
        let was_done = std::mem::replace(&mut self.steps[index].done, done);
        let step = self.steps[index].clone();
        if was_done != done {
            self.log("step", None, format!("{} step “{}”", if done { "Ticked" } else { "Unticked" }, step.text));
        }
        Ok(step)
    }

    fn step_index(&self, id: u32) -> Result<usize, ErrorReply> {
        self.steps.iter().position(|step| step.id == id).ok_or_else(|| no_such_step(id))
    }
}

/// The answer to an id that no launch step has.
pub(crate) fn no_such_step(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no launch step {id}."))
}
