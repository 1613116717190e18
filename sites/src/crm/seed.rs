// Generates the contacts of a seed. Separate from the state so that "same seed, same data" can be
// tested without a server.

use std::collections::{BTreeMap, BTreeSet};

use super::contact::{Activity, ActivityKind, Contact, ContactFields, OWNERS, Status};
use super::fixed_contacts::fixed_contact;
use super::words;
use crate::calendar::days_ago;
use crate::random::Random;

pub(crate) const FIRST_ID: u32 = 1001;
pub(crate) const CONTACT_COUNT: u32 = 240;

/// The contacts of a seed by id.
pub(crate) fn contacts(seed: u64) -> BTreeMap<u32, Contact> {
    let mut random = Random::new(seed);
    let mut names_taken = BTreeSet::new();
    (FIRST_ID..FIRST_ID + CONTACT_COUNT)
        .map(|id| {
            // Generated even where a fixed contact takes the place, so that a fixed contact does
            // not shift the numbers of all contacts after it.
            let generated = generated_fields(&mut random, &mut names_taken);
            let fields = fixed_contact(id).unwrap_or(generated);
            let last_contact_days = last_contact_days(&mut random, fields.status);
            let activity = activity(&mut random, &fields, last_contact_days);
            let contact =
                Contact { id, fields, last_contact: Some(days_ago(last_contact_days)), revision: 0, activity };
            (id, contact)
        })
        .collect()
}

fn generated_fields(random: &mut Random, names_taken: &mut BTreeSet<(&'static str, &'static str)>) -> ContactFields {
    // No two contacts share a name: a task that names a person must mean one record.
    let (first_name, last_name) = loop {
        let name = (*random.pick(words::FIRST_NAMES), *random.pick(words::LAST_NAMES));
        if names_taken.insert(name) {
            break name;
        }
    };
    let (company, domain) = *random.pick(words::COMPANIES);
    let (city, phone_pattern) = *random.pick(words::CITIES);
    let status = match random.below(100) {
        0..=29 => Status::Lead,
        30..=54 => Status::Prospect,
        55..=87 => Status::Customer,
        _ => Status::Churned,
    };
    ContactFields {
        first_name: first_name.to_owned(),
        last_name: last_name.to_owned(),
        company: company.to_owned(),
        email: format!("{}.{}@{domain}", first_name.to_lowercase(), last_name.to_lowercase()),
        phone: phone(random, phone_pattern),
        city: city.to_owned(),
        status,
        owner: (*random.pick(OWNERS)).to_owned(),
        newsletter: random.chance(40),
        notes: if random.chance(55) { (*random.pick(words::NOTES)).to_owned() } else { String::new() },
    }
}

fn phone(random: &mut Random, pattern: &str) -> String {
    pattern
        .chars()
        .map(|character| match character {
            '#' => char::from(b'0' + random.below(10) as u8),
            other => other,
        })
        .collect()
}

/// Customers were spoken to recently, churned contacts long ago, as in a real database.
fn last_contact_days(random: &mut Random, status: Status) -> u64 {
    match status {
        Status::Lead => random.below(120),
        Status::Prospect => random.below(75),
        Status::Customer => random.below(200),
        Status::Churned => 150 + random.below(215),
    }
}

fn activity(random: &mut Random, fields: &ContactFields, newest_days: u64) -> Vec<Activity> {
    let mut days = newest_days;
    let mut last_text = "";
    (0..2 + random.below(4))
        .map(|_| {
            // The same line twice in a row would look like a mistake of the page.
            let (kind, text) = loop {
                let (kind, texts) = *random.pick(&[
                    (ActivityKind::Call, words::CALL_TEXTS),
                    (ActivityKind::Email, words::EMAIL_TEXTS),
                    (ActivityKind::Meeting, words::MEETING_TEXTS),
                ]);
                let text = *random.pick(texts);
                if text != last_text {
                    break (kind, text);
                }
            };
            last_text = text;
            let entry = Activity { kind, text: text.to_owned(), by: fields.owner.clone(), date: Some(days_ago(days)) };
            days += 3 + random.below(45);
            entry
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_contacts_and_another_seed_gives_others() {
        assert_eq!(contacts(1), contacts(1));
        assert_ne!(contacts(1), contacts(2));
        assert_eq!(contacts(1).len(), 240);
    }

    #[test]
    fn names_and_addresses_are_unique_and_fixed_contacts_stay_in_every_seed() {
        for seed in 1..=20 {
            let contacts = contacts(seed);
            let names: BTreeSet<_> = contacts.values().map(|c| c.fields.full_name()).collect();
            let emails: BTreeSet<_> = contacts.values().map(|c| &c.fields.email).collect();
            assert_eq!(names.len(), contacts.len(), "seed {seed}");
            assert_eq!(emails.len(), contacts.len(), "seed {seed}");
            assert_eq!(contacts[&1087].fields.full_name(), "Priya Raman");
            assert_eq!(contacts[&1134].fields.full_name(), "Priya Nair");
        }
    }
}
