// Generates the mails of a seed. Separate from the state so that "same seed, same data" can be
// tested without a server.

use std::collections::BTreeMap;

use super::fixed_mails::{FixedMail, fixed_mail};
use super::markup;
use super::model::{Attachment, Folder, Kind, Label, Mail, Person};
use super::words;
use crate::calendar::days_ago;
use crate::random::Random;
use crate::upload::FileFacts;

pub(crate) const FIRST_ID: u32 = 3001;
const RECEIVED_COUNT: u32 = 130;
const SENT_COUNT: u32 = 9;
const FIRST_FILE_ID: u32 = 501;
const DAY_MINUTES: i64 = 24 * 60;
/// The newest mail arrives a little before this time of the fixed today.
const NEWEST_MINUTE: i64 = 17 * 60 + 40;

/// Everything a mailbox starts with.
pub(crate) struct Seeded {
    pub(crate) mails: BTreeMap<u32, Mail>,
    pub(crate) labels: Vec<Label>,
    pub(crate) files: BTreeMap<u32, (FileFacts, Vec<u8>)>,
}

pub(crate) fn labels() -> Vec<Label> {
    [("Work", "blue"), ("Family", "rust"), ("Travel", "green"), ("Receipts", "violet")]
        .into_iter()
        .map(|(name, colour)| Label { name: name.to_owned(), colour })
        .collect()
}

/// The mailbox of a seed. The lowest id is the newest mail.
pub(crate) fn mailbox(seed: u64) -> Seeded {
    let mut random = Random::new(seed);
    let mut seeded = Seeded { mails: BTreeMap::new(), labels: labels(), files: BTreeMap::new() };
    let mut minutes_back = 0;
    for id in FIRST_ID..FIRST_ID + RECEIVED_COUNT {
        minutes_back += 12 + random.below(900) as i64;
        let mut mail = generated(&mut random, id, Kind::Received, date_text(minutes_back));
        let mut file = random.chance(14).then(|| generated_file(&mut random, id));
        if let Some(fixed) = fixed_mail(id) {
            put_fixed(&mut mail, &fixed);
            file = fixed.file.map(|(name, content)| (name.to_owned(), content.to_owned()));
        }
        if let Some((name, content)) = file {
            attach(&mut seeded, &mut mail, name, content);
        }
        seeded.mails.insert(id, mail);
    }
    let first_sent = FIRST_ID + RECEIVED_COUNT;
    let mut minutes_back = 200;
    for id in first_sent..first_sent + SENT_COUNT {
        minutes_back += 300 + random.below(4_000) as i64;
        let mail = generated(&mut random, id, Kind::Sent, date_text(minutes_back));
        seeded.mails.insert(id, mail);
    }
    let draft = draft(first_sent + SENT_COUNT, date_text(minutes_back / 2));
    seeded.mails.insert(draft.id, draft);
    seeded
}

fn generated(random: &mut Random, id: u32, kind: Kind, date: String) -> Mail {
    let (name, email) = *random.pick(words::PEOPLE);
    let (subject, text) = *random.pick(words::TOPICS);
    let number = (10 + random.below(989)).to_string();
    let (day, month, place) = (*random.pick(words::DAYS), *random.pick(words::MONTHS), *random.pick(words::PLACES));
    let filled = |text: &str| {
        text.replace("{n}", &number).replace("{day}", day).replace("{month}", month).replace("{place}", place)
    };
    let other = Person::new(name, email);
    let folder = match random.below(100) {
        0..=75 => Folder::Inbox,
        76..=87 => Folder::Archive,
        88..=91 => Folder::Snoozed,
        92..=95 => Folder::Spam,
        _ => Folder::Trash,
    };
    let labels = if random.chance(30) { vec![random.pick(&labels()).name.clone()] } else { Vec::new() };
    let (read, starred, important) = (random.chance(64), random.chance(11), random.chance(17));
    let (folder, from, to, read) = match kind {
        Kind::Received => (folder, other.clone(), vec![Person::user()], read),
        _ => (Folder::Sent, Person::user(), vec![other.clone()], true),
    };
    let greeting = to.first().and_then(|person| person.name.split(' ').next()).unwrap_or_default().to_owned();
    let sender = from.name.split(' ').next().unwrap_or_default().to_owned();
    let body = markup::from_text(&format!("Hello {greeting},\n\n{}\n\n{sender}", filled(text)));
    Mail {
        id,
        kind,
        folder,
        from,
        to,
        cc: Vec::new(),
        subject: filled(subject),
        html: body.html,
        text: body.text,
        date: Some(date),
        read,
        starred,
        important,
        labels,
        // Days after the fixed today, so that a snoozed mail is never overdue.
        snoozed_until: (folder == Folder::Snoozed).then(|| "2026-11-06 08:00".to_owned()),
        attachments: Vec::new(),
    }
}

fn put_fixed(mail: &mut Mail, fixed: &FixedMail) {
    let body = markup::from_text(fixed.text);
    let (name, email) = fixed.from;
    mail.from = Person::new(name, email);
    mail.subject = fixed.subject.to_owned();
    mail.html = body.html;
    mail.text = body.text;
    mail.folder = fixed.folder;
    mail.labels = fixed.labels.iter().map(|label| (*label).to_owned()).collect();
    mail.snoozed_until = None;
    (mail.read, mail.starred, mail.important) = (false, false, false);
}

fn draft(id: u32, date: String) -> Mail {
    let body = markup::from_text("Dear Hector,\n\nthe route you sent looks wonderful, but I am not sure about");
    Mail {
        id,
        kind: Kind::Draft,
        folder: Folder::Drafts,
        from: Person::user(),
        to: vec![Person::new("Hector Ruiz", "hector.ruiz@trailhead.example")],
        cc: Vec::new(),
        subject: "The northern route".to_owned(),
        html: body.html,
        text: body.text,
        date: Some(date),
        read: true,
        starred: false,
        important: false,
        labels: Vec::new(),
        snoozed_until: None,
        attachments: Vec::new(),
    }
}

fn generated_file(random: &mut Random, id: u32) -> (String, String) {
    let (name, beginning) = *random.pick(words::FILES);
    (name.to_owned(), format!("{beginning}\nFile of mail {id}, number {}\n", random.below(10_000)))
}

fn attach(seeded: &mut Seeded, mail: &mut Mail, name: String, content: String) {
    let id = FIRST_FILE_ID + seeded.files.len() as u32;
    let facts = FileFacts::of(name, "text/plain", content.as_bytes());
    mail.attachments.push(Attachment { id, facts: facts.clone() });
    seeded.files.insert(id, (facts, content.into_bytes()));
}

/// The date and time so many minutes before the newest mail could arrive.
fn date_text(minutes_back: i64) -> String {
    let minute = NEWEST_MINUTE - minutes_back;
    let days = u64::try_from(-minute.div_euclid(DAY_MINUTES)).unwrap_or(0);
    let of_day = minute.rem_euclid(DAY_MINUTES);
    format!("{} {:02}:{:02}", days_ago(days), of_day / 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_mails_and_another_seed_gives_others() {
        assert_eq!(mailbox(1).mails, mailbox(1).mails);
        assert_ne!(mailbox(1).mails, mailbox(2).mails);
        assert_eq!(mailbox(1).mails.len(), 140);
    }

    #[test]
    fn fixed_mails_stay_and_the_inbox_has_several_pages_in_every_seed() {
        for seed in 1..=20 {
            let mails = mailbox(seed).mails;
            assert_eq!(mails[&3004].subject, "Venue contract for the spring meetup");
            assert_eq!(mails[&3004].attachments[0].facts.name, "boathouse-contract.txt");
            assert_eq!(mails[&3091].folder, Folder::Spam);
            let inbox = mails.values().filter(|mail| mail.folder == Folder::Inbox).count();
            assert!(inbox > 80, "{inbox} in seed {seed}");
            let lighthouse = mails.values().filter(|mail| mail.text.contains("lighthouse")).count();
            assert_eq!(lighthouse, 1);
            assert!(mails.values().all(|mail| mail.folder.takes(mail.kind)));
        }
    }

    #[test]
    fn dates_fall_with_the_ids() {
        let mails = mailbox(1).mails;
        let dates: Vec<_> = mails.values().filter(|mail| mail.kind == Kind::Received).map(|mail| &mail.date).collect();
        assert!(dates.is_sorted_by(|newer, older| newer > older));
        assert_eq!(date_text(0), "2026-10-30 17:40");
        assert_eq!(date_text(17 * 60 + 41), "2026-10-29 23:59");
    }
}
