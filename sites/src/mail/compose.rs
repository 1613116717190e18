// Decides whether what the compose window sent can be sent or kept. Separate because a draft may be
// anything and a mail may not, and both come in the same shape.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::markup::{self, Body};
use super::model::Person;
use super::words::PEOPLE;
use crate::reply::ErrorReply;

const MOST_RECEIVERS: usize = 50;
const MOST_LINE_CHARACTERS: usize = 250;
const MOST_BODY_CHARACTERS: usize = 200_000;

/// The window before any check. Missing fields count as empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ComposeInput {
    /// The draft it was opened from, if any.
    pub(crate) draft: Option<u32>,
    to: Vec<String>,
    cc: Vec<String>,
    subject: String,
    html: String,
    /// Ids of files that were uploaded before.
    pub(crate) attachments: Vec<u32>,
}

/// What was written, without the files.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) to: Vec<Person>,
    pub(crate) cc: Vec<Person>,
    pub(crate) subject: String,
    pub(crate) body: Body,
}

/// What a draft keeps: everything that is not too long, even addresses that are not finished.
pub(crate) fn for_draft(input: &ComposeInput) -> Result<Written, ErrorReply> {
    let problems = length_problems(input);
    if problems.is_empty() { Ok(written(input)) } else { Err(ErrorReply::invalid(problems)) }
}

/// What can be sent, or an error that names every field that is wrong.
pub(crate) fn for_sending(input: &ComposeInput) -> Result<Written, ErrorReply> {
    let mut problems = length_problems(input);
    if input.to.is_empty() {
        problems.insert("to".to_owned(), Value::from("Enter at least one address."));
    }
    for (field, addresses) in [("to", &input.to), ("cc", &input.cc)] {
        if let Some(wrong) = addresses.iter().find(|address| !is_address(address.trim())) {
            problems.insert(field.to_owned(), Value::from(format!("\u{201c}{wrong}\u{201d} is not an email address.")));
        }
    }
    if problems.is_empty() { Ok(written(input)) } else { Err(ErrorReply::invalid(problems)) }
}

fn length_problems(input: &ComposeInput) -> Map<String, Value> {
    let mut problems = Map::new();
    for (field, addresses) in [("to", &input.to), ("cc", &input.cc)] {
        let too_long = addresses.iter().any(|address| address.chars().count() > MOST_LINE_CHARACTERS);
        if addresses.len() > MOST_RECEIVERS || too_long {
            problems.insert(field.to_owned(), Value::from("These are too many or too long addresses."));
        }
    }
    let subject = &input.subject;
    if subject.chars().count() > MOST_LINE_CHARACTERS || subject.chars().any(char::is_control) {
        problems.insert("subject".to_owned(), Value::from("Use at most 250 characters on one line."));
    }
    if input.html.chars().count() > MOST_BODY_CHARACTERS {
        problems.insert("html".to_owned(), Value::from("The text is too long."));
    }
    problems
}

fn written(input: &ComposeInput) -> Written {
    let people = |addresses: &[String]| addresses.iter().map(|address| person(address.trim())).collect();
    Written {
        to: people(&input.to),
        cc: people(&input.cc),
        subject: input.subject.trim().to_owned(),
        body: markup::clean(&input.html),
    }
}

/// The person behind an address; strangers are called by their address.
fn person(address: &str) -> Person {
    let known = PEOPLE.iter().find(|(_, email)| email.eq_ignore_ascii_case(address));
    known.map_or_else(|| Person::new(address, address), |(name, email)| Person::new(name, email))
}

pub(crate) fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(mailbox, domain)| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._%+-'".contains(c);
        !mailbox.is_empty()
            && mailbox.chars().all(is_plain)
            && domain.contains('.')
            && domain.split('.').all(|part| {
                !part.is_empty() && part.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in ["a@b.co", "jo.o'neil+x@mail.company.example"] {
            assert!(is_address(good), "{good}");
        }
        for bad in ["", "a", "a@b", "@b.co", "a@b..co", "a b@c.de", "a@b@c.de", "Ada <a@b.co>"] {
            assert!(!is_address(bad), "{bad}");
        }
    }

    #[test]
    fn a_draft_keeps_what_a_mail_may_not_have() {
        let input = ComposeInput { to: vec!["half@".to_owned()], ..Default::default() };
        assert_eq!(for_draft(&input).unwrap().to[0].email, "half@");
        assert_eq!(for_sending(&input).unwrap_err().fields.keys().collect::<Vec<_>>(), ["to"]);
        assert_eq!(for_sending(&ComposeInput::default()).unwrap_err().fields.len(), 1);
        let known = ComposeInput { to: vec!["IVY@castellan.example".to_owned()], ..Default::default() };
        assert_eq!(for_sending(&known).unwrap().to[0].name, "Ivy Castellan");
    }
}
