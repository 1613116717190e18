// The records of the board and the fixed lists their fields choose from. Separate because every
// other file of the site speaks in these types.

use serde::Serialize;

/// Id and title of each column, from left to right.
pub(crate) const COLUMNS: &[(&str, &str)] =
    &[("ideas", "Ideas"), ("next", "Next up"), ("doing", "In progress"), ("done", "Done")];

pub(crate) const PEOPLE: &[&str] = &["Nora Lindgren", "Amir Haddad", "Sofie Brandt", "Kofi Mensah", "Yuki Arai"];

/// In the order chips and cards show them.
pub(crate) const LABELS: &[&str] = &["bug", "design", "docs", "research", "urgent"];

/// "none" first, as it is what a new card has.
pub(crate) const COLORS: &[&str] = &["none", "red", "amber", "green", "blue", "violet"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Card {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) description: String,
    /// `YYYY-MM-DD`.
    pub(crate) due: Option<String>,
    pub(crate) assignee: Option<&'static str>,
    /// Always in the order of `LABELS`, whichever was switched on first.
    pub(crate) labels: Vec<&'static str>,
    pub(crate) color: &'static str,
    pub(crate) checklist: Vec<Item>,
    /// How often its fields or its checklist changed since the reset; moves do not count.
    pub(crate) revision: u32,
}

/// A line to tick off: in the checklist of a card, or a launch step beside the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Item {
    pub(crate) id: u32,
    pub(crate) text: String,
    pub(crate) done: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Column {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// From top to bottom.
    pub(crate) cards: Vec<Card>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ArchivedCard {
    #[serde(flatten)]
    pub(crate) card: Card,
    /// Where it was, and where a restore puts it.
    pub(crate) column: &'static str,
}

/// One line of the activity log. Without a time, so that the same actions give the same state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    /// Counts up from 1 at the reset.
    pub(crate) number: u64,
    pub(crate) action: &'static str,
    /// The card it is about; null for what happens to a column or a launch step.
    pub(crate) card: Option<u32>,
    pub(crate) text: String,
}

/// The title of a column that is known to exist.
pub(crate) fn column_title(id: &str) -> &'static str {
    COLUMNS.iter().find(|(known, _)| *known == id).map_or("", |(_, title)| title)
}
