// Which mails a list shows: a folder, the starred ones, a label or a search, in pages. Separate
// from the routes so that the rules can be tested without HTTP.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::model::{Folder, Kind, Label, Mail};
use crate::reply::ErrorReply;
use crate::request::page_number;

pub(crate) const PAGE_SIZE: usize = 40;
const STARRED: &str = "starred";
const SNIPPET_CHARACTERS: usize = 110;

/// The query of `GET /api/mails`: one of folder, label and q, and the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MailQuery {
    folder: String,
    label: String,
    q: String,
    page: String,
}

/// A row of the list: enough to draw it, without the body.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: u32,
    kind: Kind,
    folder: Folder,
    /// Who wrote it, or for what the user wrote, whom it is for.
    who: String,
    subject: &'a str,
    snippet: String,
    date: Option<&'a str>,
    read: bool,
    starred: bool,
    important: bool,
    labels: &'a [String],
    has_attachments: bool,
}

pub(crate) fn run<'a>(
    mails: impl Iterator<Item = &'a Mail>,
    labels: &[Label],
    query: &MailQuery,
) -> Result<Value, ErrorReply> {
    let folder = match query.folder.as_str() {
        "" | STARRED => None,
        name => {
            Some(Folder::from_name(name).ok_or_else(|| ErrorReply::bad_request("There is no folder of this name."))?)
        }
    };
    if !query.label.is_empty() && !labels.iter().any(|label| label.name == query.label) {
        return Err(super::state::no_such_label(&query.label));
    }
    let page = page_number(&query.page)?;
    let terms: Vec<String> = query.q.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let mut found: Vec<&Mail> = mails
        .filter(|mail| match folder {
            Some(folder) => mail.folder == folder,
            None => !mail.folder.is_rubbish(),
        })
        .filter(|mail| query.folder != STARRED || mail.starred)
        .filter(|mail| query.label.is_empty() || mail.labels.contains(&query.label))
        .filter(|mail| terms.iter().all(|term| matches(mail, term)))
        .collect();
    // What was written since the reset has no date and is newer than everything that has one.
    found.sort_by_key(|mail| {
        let undated_first = mail.date.is_some();
        (undated_first, std::cmp::Reverse(mail.date.clone()), std::cmp::Reverse(mail.id))
    });
    let pages = found.len().div_ceil(PAGE_SIZE).max(1);
    // A page past the end happens when mails were moved; showing the last page beats an error.
    let page = page.min(pages);
    let rows: Vec<Row<'_>> = found.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE).map(|mail| row(mail)).collect();
    Ok(json!({ "total": found.len(), "page": page, "pages": pages, "page_size": PAGE_SIZE, "mails": rows }))
}

/// Plain words match anywhere; `from:`, `is:` and `has:` look at one thing.
fn matches(mail: &Mail, term: &str) -> bool {
    match term.split_once(':') {
        Some(("from", who)) => format!("{} {}", mail.from.name, mail.from.email).to_lowercase().contains(who),
        Some(("is", "unread")) => !mail.read,
        Some(("is", "starred")) => mail.starred,
        Some(("is", "important")) => mail.important,
        Some(("has", "attachment")) => !mail.attachments.is_empty(),
        _ => {
            let people = mail.to.iter().chain(&mail.cc).chain([&mail.from]);
            let people: String = people.map(|person| format!("{} {}\n", person.name, person.email)).collect();
            format!("{people}{}\n{}", mail.subject, mail.text).to_lowercase().contains(term)
        }
    }
}

fn row(mail: &Mail) -> Row<'_> {
    let who = match mail.kind {
        Kind::Received => mail.from.name.clone(),
        Kind::Sent | Kind::Draft => {
            let names: Vec<&str> = mail.to.iter().map(|person| person.name.as_str()).collect();
            if names.is_empty() { "(nobody yet)".to_owned() } else { format!("To: {}", names.join(", ")) }
        }
    };
    let snippet: String = mail.text.split_whitespace().collect::<Vec<_>>().join(" ");
    Row {
        id: mail.id,
        kind: mail.kind,
        folder: mail.folder,
        who,
        subject: &mail.subject,
        snippet: snippet.chars().take(SNIPPET_CHARACTERS).collect(),
        date: mail.date.as_deref(),
        read: mail.read,
        starred: mail.starred,
        important: mail.important,
        labels: &mail.labels,
        has_attachments: !mail.attachments.is_empty(),
    }
}

/// How many mails wait in each folder and under each label, for the rail.
pub(crate) fn boxes<'a>(mails: impl Iterator<Item = &'a Mail> + Clone, labels: &[Label]) -> Value {
    let folders: Vec<Value> = Folder::ALL
        .into_iter()
        .map(|folder| {
            let inside = mails.clone().filter(|mail| mail.folder == folder);
            let unread = inside.clone().filter(|mail| !mail.read).count();
            json!({ "name": folder.name(), "total": inside.count(), "unread": unread })
        })
        .collect();
    let labels: Vec<Value> = labels
        .iter()
        .map(|label| {
            let inside = mails.clone().filter(|mail| !mail.folder.is_rubbish() && mail.labels.contains(&label.name));
            let unread = inside.clone().filter(|mail| !mail.read).count();
            json!({ "name": label.name, "colour": label.colour, "total": inside.count(), "unread": unread })
        })
        .collect();
    json!({ "folders": folders, "labels": labels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::seed;

    fn find(folder: &str, q: &str) -> Value {
        let seeded = seed::mailbox(1);
        let query = MailQuery { folder: folder.to_owned(), q: q.to_owned(), ..Default::default() };
        run(seeded.mails.values(), &seeded.labels, &query).unwrap()
    }

    #[test]
    fn searches() {
        assert_eq!(find("", "LIGHTHOUSE")["total"], 1);
        assert_eq!(find("", "golden cruise")["total"], 0, "spam stays out");
        assert_eq!(find("spam", "golden cruise")["total"], 1);
        assert_eq!(find("", "from:vance fittings")["mails"][0]["id"], 3006);
        let unread = find("inbox", "is:unread");
        assert!(unread["mails"].as_array().unwrap().iter().all(|mail| mail["read"] == false));
        assert!(find("", "has:attachment")["total"].as_u64().unwrap() > 3);
        let starred = find("starred", "");
        assert!(starred["mails"].as_array().unwrap().iter().all(|mail| mail["starred"] == true));
    }

    #[test]
    fn the_inbox_is_newest_first_and_rows_of_sent_mails_tell_the_receiver() {
        let inbox = find("inbox", "");
        let dates: Vec<_> = inbox["mails"].as_array().unwrap().iter().map(|m| m["date"].as_str().unwrap()).collect();
        assert_eq!(dates.len(), PAGE_SIZE);
        assert!(dates.is_sorted_by(|a, b| a >= b));
        assert!(find("sent", "")["mails"][0]["who"].as_str().unwrap().starts_with("To: "));
    }
}
