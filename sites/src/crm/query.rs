// Search, filter, sort and page over the contacts. Separate from the routes so that the rules can
// be tested without HTTP.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::contact::{Contact, Status};
use crate::reply::ErrorReply;
use crate::request::page_number;

pub(crate) const PAGE_SIZE: usize = 25;

/// The query of `GET /api/contacts`; everything is optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ContactQuery {
    q: String,
    status: String,
    owner: String,
    sort: String,
    direction: String,
    page: String,
}

/// A row of the list: enough to draw it, without notes and activity.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: u32,
    name: String,
    company: &'a str,
    email: &'a str,
    phone: &'a str,
    city: &'a str,
    status: Status,
    owner: &'a str,
    last_contact: Option<&'a str>,
}

/// The page of results the query asks for.
pub(crate) fn run<'a>(contacts: impl Iterator<Item = &'a Contact>, query: &ContactQuery) -> Result<Value, ErrorReply> {
    let status = match query.status.as_str() {
        "" => None,
        name => Some(
            Status::from_name(name)
                .ok_or_else(|| ErrorReply::bad_request("The status must be Lead, Prospect, Customer or Churned."))?,
        ),
    };
    let compare = comparison(&query.sort)?;
    let descending = match query.direction.as_str() {
        "" | "ascending" => false,
        "descending" => true,
        _ => {
            return Err(ErrorReply::bad_request("The direction must be ascending or descending."));
        }
    };
    let page = page_number(&query.page)?;

    let words = search_words(&query.q);
    let found: Vec<&Contact> = contacts
        .filter(|contact| query.owner.is_empty() || contact.fields.owner == query.owner)
        .filter(|contact| matches_all(contact, &words))
        .collect();
    // Counted before the status filter, so the chips tell what choosing them would show.
    let mut counts = Map::new();
    counts.insert("All".to_owned(), json!(found.len()));
    for status in Status::ALL {
        let count = found.iter().filter(|c| c.fields.status == status).count();
        counts.insert(status.name().to_owned(), json!(count));
    }
    let mut found: Vec<&Contact> =
        found.into_iter().filter(|contact| status.is_none_or(|status| contact.fields.status == status)).collect();
    found.sort_by(|left, right| {
        let order = compare(left, right);
        let order = if descending { order.reverse() } else { order };
        order.then(left.id.cmp(&right.id))
    });

    let pages = found.len().div_ceil(PAGE_SIZE).max(1);
    // A page past the end happens when a record was deleted; showing the last page beats an error.
    let page = page.min(pages);
    let rows: Vec<Row<'_>> =
        found.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE).map(|contact| row(contact)).collect();
    Ok(json!({
        "total": found.len(),
        "page": page,
        "pages": pages,
        "page_size": PAGE_SIZE,
        "counts": counts,
        "contacts": rows,
    }))
}

type Comparison = fn(&Contact, &Contact) -> Ordering;

fn comparison(sort: &str) -> Result<Comparison, ErrorReply> {
    Ok(match sort {
        "" | "name" => |a, b| {
            let key = |c: &Contact| (c.fields.last_name.to_lowercase(), c.fields.first_name.to_lowercase());
            key(a).cmp(&key(b))
        },
        "company" => |a, b| by_text(&a.fields.company, &b.fields.company),
        "email" => |a, b| by_text(&a.fields.email, &b.fields.email),
        "city" => |a, b| by_text(&a.fields.city, &b.fields.city),
        "owner" => |a, b| by_text(&a.fields.owner, &b.fields.owner),
        "status" => |a, b| a.fields.status.cmp(&b.fields.status),
        "last_contact" => |a, b| a.last_contact.cmp(&b.last_contact),
        _ => {
            return Err(ErrorReply::bad_request("Sort by name, company, email, city, status, owner or last_contact."));
        }
    })
}

fn by_text(left: &str, right: &str) -> Ordering {
    left.to_lowercase().cmp(&right.to_lowercase())
}

fn search_words(text: &str) -> Vec<String> {
    text.to_lowercase().split_whitespace().map(str::to_owned).collect()
}

/// Every word must occur somewhere, so that "priya seattle" narrows instead of widening.
fn matches_all(contact: &Contact, words: &[String]) -> bool {
    let fields = &contact.fields;
    let text = [
        fields.full_name().as_str(),
        fields.company.as_str(),
        fields.email.as_str(),
        fields.phone.as_str(),
        fields.city.as_str(),
    ]
    .join("\n")
    .to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn row(contact: &Contact) -> Row<'_> {
    let fields = &contact.fields;
    Row {
        id: contact.id,
        name: fields.full_name(),
        company: &fields.company,
        email: &fields.email,
        phone: &fields.phone,
        city: &fields.city,
        status: fields.status,
        owner: &fields.owner,
        last_contact: contact.last_contact.as_deref(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::seed;

    fn run_on_seed(query: ContactQuery) -> Value {
        run(seed::contacts(1).values(), &query).unwrap()
    }

    #[test]
    fn the_demo_searches_find_what_they_promise_in_many_seeds() {
        for seed in 1..=20 {
            let contacts = seed::contacts(seed);
            for (text, expected) in [("raman", 1), ("PRIYA", 2), ("priya halden", 1)] {
                let query = ContactQuery { q: text.to_owned(), ..Default::default() };
                let result = run(contacts.values(), &query).unwrap();
                assert_eq!(result["total"], expected, "{text} in seed {seed}");
            }
        }
    }

    #[test]
    fn pages_cover_every_contact_once_and_a_page_past_the_end_is_the_last() {
        let mut ids = std::collections::BTreeSet::new();
        for page in 1..=10 {
            let result = run_on_seed(ContactQuery { page: page.to_string(), ..Default::default() });
            assert_eq!(result["pages"], 10);
            for contact in result["contacts"].as_array().unwrap() {
                assert!(ids.insert(contact["id"].as_u64().unwrap()));
            }
        }
        assert_eq!(ids.len(), 240);
        let past = run_on_seed(ContactQuery { page: "99".to_owned(), ..Default::default() });
        assert_eq!(past["page"], 10);
    }

    #[test]
    fn sorting_descending_reverses_and_filtering_keeps_the_counts_of_the_others() {
        let result = run_on_seed(ContactQuery {
            status: "Customer".to_owned(),
            sort: "last_contact".to_owned(),
            direction: "descending".to_owned(),
            ..Default::default()
        });
        let rows = result["contacts"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["status"] == "Customer"));
        assert!(rows.is_sorted_by(|a, b| a["last_contact"].as_str() >= b["last_contact"].as_str()));
        assert_eq!(result["counts"]["All"], 240);
        assert_eq!(result["counts"]["Customer"], result["total"]);
    }

    #[test]
    fn bad_parameters_are_refused() {
        for query in [
            ContactQuery { sort: "age".to_owned(), ..Default::default() },
            ContactQuery { status: "lead".to_owned(), ..Default::default() },
            ContactQuery { page: "0".to_owned(), ..Default::default() },
            ContactQuery { direction: "up".to_owned(), ..Default::default() },
        ] {
            assert!(run(std::iter::empty(), &query).is_err(), "{query:?}");
        }
    }
}
