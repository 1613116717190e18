// Decides whether what the checkout form sent makes an order. Separate because the rules are the
// server's half of a contract; the page's script has the same rules for quick feedback.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::countries::COUNTRIES;
use super::order::{Address, Details};
use crate::upload::Upload;

/// Fixed days, because days counted from the real today would make tests depend on the calendar.
pub(crate) const FIRST_DELIVERY: &str = "2026-11-02";
pub(crate) const LAST_DELIVERY: &str = "2027-01-30";
pub(crate) const FIRST_TIME: &str = "08:00";
pub(crate) const LAST_TIME: &str = "20:00";
const MOST_LINE_CHARACTERS: usize = 120;
const MOST_NOTES_CHARACTERS: usize = 1_000;
const MOST_DOCUMENTS: usize = 3;

/// The form before any check. Missing fields count as empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CheckoutInput {
    name: String,
    email: String,
    street: String,
    city: String,
    postcode: String,
    country: String,
    delivery_date: String,
    delivery_time: String,
    gift_wrap: bool,
    gift_colour: String,
    notes: String,
    newsletter: bool,
    pub(crate) payment_token: String,
}

/// The checked details, or what is wrong by field.
pub(crate) fn check(input: &CheckoutInput) -> Result<Details, Map<String, Value>> {
    let mut problems = Map::new();
    let mut report = |field: &str, problem: Option<&str>| {
        if let Some(problem) = problem {
            problems.insert(field.to_owned(), Value::from(problem));
        }
    };
    let line = |text: &str| text.trim().to_owned();
    let name = line(&input.name);
    let email = line(&input.email);
    let street = line(&input.street);
    let city = line(&input.city);
    let postcode = line(&input.postcode);
    let notes = input.notes.trim_end().to_owned();
    let country = COUNTRIES.iter().find(|(code, _)| *code == input.country);
    report("name", line_problem(&name, "Enter the name of the person who receives the parcel."));
    report("email", email_problem(&email));
    report("street", line_problem(&street, "Enter street and house number."));
    report("city", line_problem(&city, "Enter a city."));
    report("postcode", line_problem(&postcode, "Enter a postcode."));
    report("country", country.is_none().then_some("Choose a country."));
    report("delivery_date", date_problem(&input.delivery_date));
    report("delivery_time", time_problem(&input.delivery_time));
    report("gift_colour", if input.gift_wrap { colour_problem(&input.gift_colour) } else { None });
    report("notes", (notes.chars().count() > MOST_NOTES_CHARACTERS).then_some("Use at most 1000 characters."));
    match country {
        Some(&(country_code, country)) if problems.is_empty() => Ok(Details {
            name,
            email,
            address: Address { street, city, postcode, country, country_code },
            delivery_date: input.delivery_date.clone(),
            delivery_time: input.delivery_time.clone(),
            gift_wrap: input.gift_wrap.then(|| input.gift_colour.to_ascii_lowercase()),
            notes,
            newsletter: input.newsletter,
        }),
        _ => Err(problems),
    }
}

/// What is wrong with the files, by field.
pub(crate) fn file_problems(purchase_orders: &[Upload], documents: &[Upload]) -> Map<String, Value> {
    let mut problems = Map::new();
    if purchase_orders.len() > 1 {
        problems.insert("purchase_order".to_owned(), Value::from("Attach one purchase order only."));
    } else if purchase_orders.iter().any(|file| !file.content.starts_with(b"%PDF-")) {
        problems.insert("purchase_order".to_owned(), Value::from("The purchase order must be a PDF file."));
    }
    if documents.len() > MOST_DOCUMENTS {
        problems.insert("documents".to_owned(), Value::from("Attach at most 3 documents."));
    } else if documents.iter().any(|file| file.content.is_empty()) {
        problems.insert("documents".to_owned(), Value::from("One of the documents is empty."));
    }
    problems
}

fn line_problem(text: &str, when_empty: &'static str) -> Option<&'static str> {
    if text.is_empty() {
        Some(when_empty)
    } else if text.chars().count() > MOST_LINE_CHARACTERS {
        Some("This is too long.")
    } else if text.chars().any(char::is_control) {
        Some("Use plain text on one line.")
    } else {
        None
    }
}

fn email_problem(email: &str) -> Option<&'static str> {
    let is_like_an_address = email.split_once('@').is_some_and(|(mailbox, domain)| {
        !mailbox.is_empty()
            && domain.contains('.')
            && domain.split('.').all(|label| !label.is_empty())
            && !email.chars().any(char::is_whitespace)
            && !domain.contains('@')
    });
    line_problem(email, "Enter an email address.")
        .or((!is_like_an_address).then_some("Enter an email address like name@company.com."))
}

fn date_problem(date: &str) -> Option<&'static str> {
    let Some(day) = weekday(date) else {
        return Some("Choose a delivery date.");
    };
    // Dates in this form have the same order as their text.
    if date < FIRST_DELIVERY {
        Some("The earliest delivery is Monday 2 November 2026.")
    } else if date > LAST_DELIVERY {
        Some("The latest delivery is Saturday 30 January 2027.")
    } else if day == 0 {
        Some("There is no delivery on Sundays.")
    } else {
        None
    }
}

/// The day of the week of a real `YYYY-MM-DD`, 0 for Sunday (Sakamoto's rule).
fn weekday(date: &str) -> Option<i32> {
    const SHIFTS: [i32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let number = |range: std::ops::Range<usize>| {
        let text = date.get(range)?;
        if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse::<i32>().ok() } else { None }
    };
    let dashes = date.get(4..5) == Some("-") && date.get(7..8) == Some("-") && date.len() == 10;
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i32::from(is_leap),
        1..=12 => 31,
        _ => return None,
    };
    if !dashes || !(1..=days).contains(&day) {
        return None;
    }
    let year = if month < 3 { year - 1 } else { year };
    let shift = SHIFTS.get(usize::try_from(month - 1).ok()?)?;
    Some((year + year / 4 - year / 100 + year / 400 + shift + day).rem_euclid(7))
}

fn time_problem(time: &str) -> Option<&'static str> {
    let is_clock = time.len() == 5 && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let minutes = match time.split_once(':') {
        Some((hour, minute)) if is_clock => hour.parse::<u8>().ok().zip(minute.parse::<u8>().ok()),
        _ => None,
    };
    match minutes {
        Some((hour, minute)) if hour < 24 && minute < 60 => {
            if !(FIRST_TIME..=LAST_TIME).contains(&time) {
                Some("Deliveries arrive between 08:00 and 20:00.")
            } else if minute % 15 != 0 {
                Some("Choose a full quarter of an hour.")
            } else {
                None
            }
        }
        _ => Some("Choose a time."),
    }
}

fn colour_problem(colour: &str) -> Option<&'static str> {
    let digits = colour.strip_prefix('#').unwrap_or_default();
    let is_colour = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!is_colour).then_some("Choose a colour.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(weekday("2026-10-30"), Some(5));
        assert_eq!(weekday("2028-02-29"), Some(2));
        for good in [FIRST_DELIVERY, "2026-12-24", LAST_DELIVERY] {
            assert_eq!(date_problem(good), None, "{good}");
        }
        for bad in ["", "2026-11-01", "2027-01-31", "2026-11-08", "2027-02-29", "2026-11-31", "12/24/2026", "2026-1-1é"]
        {
            assert!(date_problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn times_and_colours() {
        for good in ["08:00", "13:45", "20:00"] {
            assert_eq!(time_problem(good), None, "{good}");
        }
        for bad in ["", "7:30", "07:45", "20:15", "12:10", "25:00", "12:+0", "noon!"] {
            assert!(time_problem(bad).is_some(), "{bad}");
        }
        assert_eq!(colour_problem("#A1b2c3"), None);
        assert!(colour_problem("red").is_some());
    }

    #[test]
    fn an_empty_form_names_every_required_field() {
        let problems = check(&CheckoutInput::default()).unwrap_err();
        let fields: Vec<_> = problems.keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["name", "email", "street", "city", "postcode", "country", "delivery_date", "delivery_time"]
        );
    }
}
