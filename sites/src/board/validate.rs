// Decides whether what a page sent is acceptable for a card, a checklist or a place. Separate
// because the rules are the server's half of a contract, and one answer names every wrong field.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::card::{COLORS, COLUMNS, LABELS, PEOPLE};
use crate::reply::ErrorReply;

pub(crate) const MOST_TITLE_CHARACTERS: usize = 120;
const MOST_DESCRIPTION_CHARACTERS: usize = 4_000;
/// Typing a year into a date field passes through the years 2, 20 and 202.
const YEARS: std::ops::RangeInclusive<u32> = 2000..=2099;

/// The fields of a card as the page sends them. A field that is left out stays as it is; an empty
/// due date or assignee takes it away.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CardInput {
    title: Option<String>,
    description: Option<String>,
    due: Option<String>,
    assignee: Option<String>,
    labels: Option<Vec<String>>,
    color: Option<String>,
}

/// A checked change of a card.
#[derive(Debug, PartialEq)]
pub(crate) struct CardChange {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) due: Option<Option<String>>,
    pub(crate) assignee: Option<Option<&'static str>>,
    pub(crate) labels: Option<Vec<&'static str>>,
    pub(crate) color: Option<&'static str>,
}

/// The checked change, or an error that names every field that is wrong.
pub(crate) fn card(input: CardInput) -> Result<CardChange, ErrorReply> {
    let mut problems = Map::new();
    let title = input.title.and_then(|title| noted(&mut problems, "title", line(&title)));
    let description = input.description.and_then(|text| noted(&mut problems, "description", paragraph(&text)));
    let due = input.due.and_then(|due| noted(&mut problems, "due", date(&due)));
    let assignee = input.assignee.and_then(|name| noted(&mut problems, "assignee", person(&name)));
    let labels = input.labels.and_then(|names| noted(&mut problems, "labels", known_labels(&names)));
    let color = input.color.and_then(|name| noted(&mut problems, "color", known_color(&name)));
    if problems.is_empty() {
        Ok(CardChange { title, description, due, assignee, labels, color })
    } else {
        Err(ErrorReply::invalid(problems))
    }
}

/// Text on one line that is not empty, for titles and checklist items.
pub(crate) fn line_named(field: &str, text: &str) -> Result<String, ErrorReply> {
    line(text).map_err(|problem| ErrorReply::wrong_field(field, problem))
}

/// The id of the column with that id.
pub(crate) fn column(field: &str, id: &str) -> Result<&'static str, ErrorReply> {
    let known = COLUMNS.iter().find(|(known, _)| *known == id);
    known.map(|(id, _)| *id).ok_or_else(|| ErrorReply::wrong_field(field, "There is no such column."))
}

fn noted<T>(problems: &mut Map<String, Value>, field: &str, checked: Result<T, &'static str>) -> Option<T> {
    match checked {
        Ok(value) => Some(value),
        Err(problem) => {
            problems.insert(field.to_owned(), Value::from(problem));
            None
        }
    }
}

fn line(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        Err("Enter a text.")
    } else if text.chars().count() > MOST_TITLE_CHARACTERS {
        Err("Use at most 120 characters.")
    } else if text.chars().any(char::is_control) {
        Err("Use plain text on one line.")
    } else {
        Ok(text.to_owned())
    }
}

fn paragraph(text: &str) -> Result<String, &'static str> {
    let text = text.trim_end();
    if text.chars().count() > MOST_DESCRIPTION_CHARACTERS {
        return Err("Use at most 4000 characters.");
    }
    Ok(text.to_owned())
}

fn date(text: &str) -> Result<Option<String>, &'static str> {
    match text {
        "" => Ok(None),
        text if is_date(text) => Ok(Some(text.to_owned())),
        _ => Err("Enter a date between 2000 and 2099."),
    }
}

/// Whether it is a day of the calendar as `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let is_shaped = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if !is_shaped {
        return false;
    }
    let mut numbers = text.split('-').filter_map(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (numbers.next(), numbers.next(), numbers.next()) else {
        return false;
    };
    let is_leap_year = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap_year),
        1..=12 => 31,
        _ => 0,
    };
    YEARS.contains(&year) && (1..=days).contains(&day)
}

fn person(name: &str) -> Result<Option<&'static str>, &'static str> {
    if name.is_empty() {
        return Ok(None);
    }
    PEOPLE.iter().copied().find(|known| *known == name).map(Some).ok_or("Choose a person from the list.")
}

fn known_labels(names: &[String]) -> Result<Vec<&'static str>, &'static str> {
    if names.iter().any(|name| !LABELS.contains(&name.as_str())) {
        return Err("Choose labels from the list.");
    }
    Ok(LABELS.iter().copied().filter(|label| names.iter().any(|name| name == label)).collect())
}

fn known_color(name: &str) -> Result<&'static str, &'static str> {
    COLORS.iter().copied().find(|known| *known == name).ok_or("Choose a colour from the list.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for good in ["2026-11-03", "2024-02-29", "2000-02-29", "2099-12-31"] {
            assert!(is_date(good), "{good}");
        }
        for bad in [
            "",
            "2026-11-3",
            "2026-13-01",
            "2026-02-29",
            "2026-04-31",
            "2026-00-10",
            "2026-01-00",
            "0202-01-01",
            "2026/01/01",
            "+026-01-01",
            "２026-1-1",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn one_answer_names_every_wrong_field_and_labels_come_in_their_own_order() {
        let input = CardInput {
            title: Some(" ".to_owned()),
            due: Some("soon".to_owned()),
            assignee: Some("Nobody".to_owned()),
            labels: Some(vec!["loud".to_owned()]),
            color: Some("pink".to_owned()),
            ..CardInput::default()
        };
        let reply = card(input).unwrap_err();
        let fields: Vec<_> = reply.fields.keys().map(String::as_str).collect();
        assert_eq!(fields, ["title", "due", "assignee", "labels", "color"]);
        let labels = known_labels(&["urgent".to_owned(), "bug".to_owned(), "urgent".to_owned()]);
        assert_eq!(labels, Ok(vec!["bug", "urgent"]));
    }
}
