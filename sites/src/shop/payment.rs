// The card side of the checkout: which origin the payment frame is served from, and the facts about
// a card it hands over. Separate because it plays a second company with a second address.

use axum::http::{HeaderMap, header};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::order::CardFacts;
use crate::reply::ErrorReply;

const BRANDS: &[&str] = &["Visa", "Mastercard", "Amex", "Card"];
/// The month all seed data lives in, so that a card's validity does not depend on the real day.
const SEED_MONTH: u32 = 26 * 12 + 10;

/// The origins of the page and of its payment frame: the same server under the other of its two
/// names, which a browser treats as another site and gives another process.
pub(crate) struct Origins {
    pub(crate) page: String,
    pub(crate) frame: String,
}

impl Origins {
    pub(crate) fn of(headers: &HeaderMap) -> Origins {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let other = if let Some(port) = host.strip_prefix("127.0.0.1") {
            format!("localhost{port}")
        } else if let Some(port) = host.strip_prefix("localhost") {
            format!("127.0.0.1{port}")
        } else {
            // Behind any other name there is no second one to fall back on.
            host.to_owned()
        };
        Origins { page: format!("http://{host}"), frame: format!("http://{other}") }
    }
}

/// What the frame sends after it has checked the number; the number itself never leaves it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CardInput {
    brand: String,
    last_four: String,
    expiry: String,
}

pub(crate) fn check(input: CardInput) -> Result<CardFacts, ErrorReply> {
    let mut problems = Map::new();
    if !BRANDS.contains(&input.brand.as_str()) {
        problems.insert("brand".to_owned(), Value::from("This kind of card is not accepted."));
    }
    if input.last_four.len() != 4 || !input.last_four.bytes().all(|byte| byte.is_ascii_digit()) {
        problems.insert("last_four".to_owned(), Value::from("Send the last four digits."));
    }
    match month_number(&input.expiry) {
        None => drop(problems.insert("expiry".to_owned(), Value::from("Enter the expiry as MM/YY."))),
        Some(month) if month < SEED_MONTH => {
            problems.insert("expiry".to_owned(), Value::from("This card has expired."));
        }
        Some(_) => {}
    }
    if !problems.is_empty() {
        return Err(ErrorReply::invalid(problems));
    }
    Ok(CardFacts { brand: input.brand, last_four: input.last_four, expiry: input.expiry })
}

/// Months since the year 2000 of `MM/YY`.
fn month_number(expiry: &str) -> Option<u32> {
    let (month, year) = expiry.split_once('/')?;
    // Digits only: parsing a number would also take a sign.
    let number = |text: &str| {
        let is_two_digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_two_digits { text.parse::<u32>().ok() } else { None }
    };
    let (month, year) = (number(month)?, number(year)?);
    (1..=12).contains(&month).then_some(year * 12 + month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_lives_under_the_other_name() {
        for (host, frame) in [
            ("127.0.0.1:4311", "http://localhost:4311"),
            ("localhost:4311", "http://127.0.0.1:4311"),
            ("shop.example", "http://shop.example"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            let origins = Origins::of(&headers);
            assert_eq!(origins.page, format!("http://{host}"));
            assert_eq!(origins.frame, frame);
        }
    }

    #[test]
    fn expiries() {
        for (text, month) in
            [("10/26", Some(322)), ("01/30", Some(361)), ("13/26", None), ("1/26", None), ("+1/26", None)]
        {
            let found = month_number(text);
            assert_eq!(found, month, "{text}");
        }
        let card = |expiry: &str| CardInput { brand: "Visa".into(), last_four: "4242".into(), expiry: expiry.into() };
        assert!(check(card("10/26")).is_ok());
        assert!(check(card("09/26")).is_err());
    }
}
