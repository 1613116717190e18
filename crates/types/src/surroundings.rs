//! What stands around an element: the texts of the row, card, dialog or group that it belongs to, and the heading above
//! it. By these one of several that are called the same is known again, whatever order they are in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::folded;
use crate::routine::{pattern_of_title, title_matches};
use crate::ui::OnOff;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Surroundings {
    /// The texts of its row, in the order of the page and without its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<String>,
    /// Texts of its row that are not shown, as columns in a small window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// Those of the row that no other element of the same name has in its row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<String>,
    /// What stands nearest to it where it is there once, row or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The heading within the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// The heading above it, or that of its dialog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Which of those with the same role and name on the whole page it is, from 0, and how many there are.
    pub index: usize,
    pub of: usize,
    /// Whether it is switched on, where it is a switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<OnOff>,
    /// How it looks in the markup, where it has no name: the same for the same icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<String>,
    /// The month that a day belongs to, where its name is a number among others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// The rows of its list have another name at its place each, so its own says which one it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tells_itself: bool,
    /// By what it can be asked for, where no markup makes it a control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain: Option<PlainName>,
    /// By what it can be picked up, where it shows that it can be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<PlainName>,
    /// What can be chosen from at that moment, for what has the focus.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// The role and the whole text of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlainName {
    /// One of `PlainName::ROLES` where no markup makes it a control.
    pub role: String,
    /// Empty for an icon.
    pub text: String,
}

impl PlainName {
    /// What has a hand cursor, and any other text.
    pub const ROLES: [&str; 2] = ["clickable", "text"];
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    At(crate::coords::ViewPoint),
    Focus,
}

/// What has to stand around an element for it to be the one that is meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Texts that have to be in its row, each as a whole.
    pub row: Vec<String>,
    /// The heading above it; numbers in it are data.
    pub heading: Option<String>,
    /// The month that a day belongs to, as it is written.
    pub caption: Option<String>,
    pub options: Vec<String>,
}

impl Surroundings {
    /// Whether a text stands as a whole in the row or near, or is that of a plain element.
    pub fn has(&self, text: &str) -> bool {
        let wanted = folded(text);
        let own = self.plain.iter().map(|plain| &plain.text);
        self.row.iter().chain(&self.unseen).chain(&self.near).chain(own).any(|piece| folded(piece) == wanted)
    }
}

impl Wanted {
    pub fn is_empty(&self) -> bool {
        self.row.is_empty() && self.heading.is_none() && self.caption.is_none() && self.options.is_empty()
    }

    /// What is different there, in words; `None` where it fits.
    pub fn differs(&self, seen: Option<&Surroundings>) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let Some(seen) = seen else { return Some("what stands around it cannot be told".into()) };
        if let Some(missing) = self.row.iter().find(|text| !seen.has(text)) {
            let beside = if seen.row.is_empty() { &seen.near } else { &seen.row };
            return Some(format!("beside it stands {} and not {missing:?}", listed(beside)));
        }
        if let Some(heading) = &self.heading {
            let above = seen.heading.as_deref().unwrap_or_default();
            if !title_matches(&folded(&pattern_of_title(heading)), &folded(above)) {
                return Some(format!("the heading above it is {above:?} and not {heading:?}"));
            }
        }
        if let Some(caption) = &self.caption {
            let month = seen.caption.as_deref().unwrap_or_default();
            if folded(caption) != folded(month) {
                return Some(format!("it is a day of {month:?} and not of {caption:?}"));
            }
        }
        let same = |one: &[String], other: &[String]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| folded(one) == folded(other))
        };
        if !self.options.is_empty() && !same(&self.options, &seen.options) {
            return Some(format!(
                "what can be chosen from is not what it was: {} and not {}",
                listed(&seen.options),
                listed(&self.options)
            ));
        }
        None
    }
}

/// The first few of them, in quotes.
fn listed(texts: &[String]) -> String {
    let few: Vec<String> = texts.iter().take(4).map(|text| format!("{text:?}")).collect();
    if few.is_empty() { "nothing".into() } else { few.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_by_whole_texts_and_a_heading_without_its_numbers() {
        let seen = Surroundings {
            row: vec!["1002".into(), "Bob  Stone".into()],
            heading: Some("Customers (17)".into()),
            ..Surroundings::default()
        };
        let wanted = |row: &[&str], heading: Option<&str>| Wanted {
            row: row.iter().map(|text| text.to_string()).collect(),
            heading: heading.map(str::to_string),
            ..Wanted::default()
        };
        assert_eq!(wanted(&["bob stone"], Some("Customers (9)")).differs(Some(&seen)), None);
        let other = wanted(&["Bob"], None).differs(Some(&seen)).unwrap();
        assert_eq!(other, "beside it stands \"1002\", \"Bob  Stone\" and not \"Bob\"");
        let heading = wanted(&[], Some("Orders")).differs(Some(&seen)).unwrap();
        assert!(heading.contains("is \"Customers (17)\" and not \"Orders\""), "{heading}");
        assert!(wanted(&["Bob Stone"], None).differs(None).is_some());
        assert_eq!(Wanted::default().differs(None), None);
    }
}
