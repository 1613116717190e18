// Decides whether what a form sent is an acceptable contact. Separate because the rules are the
// server's half of a contract; the page's script has the same rules for quick feedback.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::contact::{ContactFields, OWNERS, Status};
use crate::reply::ErrorReply;

const MOST_NAME_CHARACTERS: usize = 60;
const MOST_LINE_CHARACTERS: usize = 120;
const MOST_NOTES_CHARACTERS: usize = 4_000;
const FEWEST_PHONE_DIGITS: usize = 6;

/// A contact as the form sends it, before any check. Missing fields count as empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ContactInput {
    first_name: String,
    last_name: String,
    company: String,
    email: String,
    phone: String,
    city: String,
    status: String,
    owner: String,
    newsletter: bool,
    notes: String,
}

/// The checked fields, or an error that names every field that is wrong.
pub(crate) fn check(input: ContactInput) -> Result<ContactFields, ErrorReply> {
    let mut problems = Map::new();
    let mut report = |field: &str, problem: Option<&str>| {
        if let Some(problem) = problem {
            problems.insert(field.to_owned(), Value::from(problem));
        }
    };
    let line = |text: String| text.trim().to_owned();
    let first_name = line(input.first_name);
    let last_name = line(input.last_name);
    let company = line(input.company);
    let email = line(input.email);
    let phone = line(input.phone);
    let city = line(input.city);
    let notes = input.notes.trim_end().to_owned();
    let status = Status::from_name(&input.status);
    let owner_is_known = OWNERS.contains(&input.owner.as_str());

    report("first_name", name_problem(&first_name, "Enter a first name."));
    report("last_name", name_problem(&last_name, "Enter a last name."));
    report("company", line_problem(&company, MOST_LINE_CHARACTERS));
    report("email", email_problem(&email));
    report("phone", phone_problem(&phone));
    report("city", line_problem(&city, MOST_LINE_CHARACTERS));
    report("status", status.is_none().then_some("Choose a status."));
    report("owner", (!owner_is_known).then_some("Choose an owner from the list."));
    report("notes", (notes.chars().count() > MOST_NOTES_CHARACTERS).then_some("Use at most 4000 characters."));

    match status {
        Some(status) if problems.is_empty() => Ok(ContactFields {
            first_name,
            last_name,
            company,
            email,
            phone,
            city,
            status,
            owner: input.owner,
            newsletter: input.newsletter,
            notes,
        }),
        _ => Err(ErrorReply::invalid(problems)),
    }
}

/// The error for an address that another contact already has.
pub(crate) fn email_taken() -> ErrorReply {
    ErrorReply::wrong_field("email", "Another contact already uses this email address.")
}

fn name_problem(name: &str, when_empty: &'static str) -> Option<&'static str> {
    if name.is_empty() {
        return Some(when_empty);
    }
    line_problem(name, MOST_NAME_CHARACTERS)
}

fn line_problem(text: &str, most_characters: usize) -> Option<&'static str> {
    if text.chars().count() > most_characters {
        Some("This is too long.")
    } else if text.chars().any(char::is_control) {
        Some("Use plain text on one line.")
    } else {
        None
    }
}

fn email_problem(email: &str) -> Option<&'static str> {
    const FORMAT: &str = "Enter an email address like name@company.com.";
    if email.is_empty() {
        return Some("Enter an email address.");
    }
    let Some((mailbox, domain)) = email.split_once('@') else {
        return Some(FORMAT);
    };
    let mailbox_is_fine =
        !mailbox.is_empty() && mailbox.chars().all(|c| c.is_ascii_alphanumeric() || "._%+-'".contains(c));
    let domain_is_fine = domain.contains('.')
        && domain
            .split('.')
            .all(|label| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    if mailbox_is_fine && domain_is_fine { line_problem(email, MOST_LINE_CHARACTERS) } else { Some(FORMAT) }
}

fn phone_problem(phone: &str) -> Option<&'static str> {
    if phone.is_empty() {
        return None;
    }
    let allowed = phone.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    let digits = phone.chars().filter(char::is_ascii_digit).count();
    if !allowed {
        Some("Use digits, spaces and + - ( ) . only.")
    } else if digits < FEWEST_PHONE_DIGITS {
        Some("Enter at least 6 digits.")
    } else {
        line_problem(phone, MOST_NAME_CHARACTERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails() {
        for good in ["a@b.co", "jo.o'neil+x@mail.company.example"] {
            assert_eq!(email_problem(good), None, "{good}");
        }
        for bad in ["", "a", "a@b", "@b.co", "a@b..co", "a b@c.de", "a@b@c.de", "ä@b.co"] {
            assert!(email_problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn phones() {
        for good in ["", "+1 (206) 555-0199", "030.23125.000"] {
            assert_eq!(phone_problem(good), None, "{good}");
        }
        for bad in ["12345", "call me", "+1 206 555 01x9"] {
            assert!(phone_problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn an_empty_form_names_every_required_field() {
        let reply = check(ContactInput::default()).unwrap_err();
        let fields: Vec<_> = reply.fields.keys().map(String::as_str).collect();
        assert_eq!(fields, ["first_name", "last_name", "email", "status", "owner"]);
    }
}
