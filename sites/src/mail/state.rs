// The one place that changes the mailbox. Behind a lock that is never held across an await: every
// method takes it, does its work and lets go.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::change::{self, Change, Place};
use super::compose::{ComposeInput, Written};
use super::model::{Attachment, Folder, Kind, LABEL_COLOURS, Label, Mail, Person};
use super::query::{self, MailQuery};
use super::seed;
use crate::parts::SiteState;
use crate::reply::ErrorReply;
use crate::upload::{FileFacts, Upload};

/// Uploads are kept in memory, so there is an end to them.
const MOST_FILES: usize = 80;
const MOST_WRITTEN: usize = 2_000;
const MOST_LABELS: usize = 30;
const MOST_LABEL_CHARACTERS: usize = 24;
/// Enough for every toast that can still be on a screen.
const MOST_UNDOS: usize = 20;

#[derive(Debug)]
pub(crate) struct MailState {
    data: Mutex<Data>,
}

#[derive(Debug)]
struct Data {
    seed: u64,
    mails: BTreeMap<u32, Mail>,
    labels: Vec<Label>,
    files: BTreeMap<u32, (FileFacts, Vec<u8>)>,
    next_id: u32,
    next_file: u32,
    undos: VecDeque<(u32, Vec<Place>)>,
    moves: u32,
    undone: u32,
    /// Ids of mails that were deleted for ever.
    purged: Vec<u32>,
}

impl MailState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { data: Mutex::new(Data::new(seed)) }
    }

    pub(crate) fn boxes(&self) -> Value {
        let data = self.lock();
        query::boxes(data.mails.values(), &data.labels)
    }

    pub(crate) fn query(&self, query: &MailQuery) -> Result<Value, ErrorReply> {
        let data = self.lock();
        query::run(data.mails.values(), &data.labels, query)
    }

    pub(crate) fn mail(&self, id: u32) -> Option<Mail> {
        self.lock().mails.get(&id).cloned()
    }

    /// Changes mails; a move can be undone with the number it gives.
    pub(crate) fn change(&self, change: &Change) -> Result<Option<u32>, ErrorReply> {
        let mut data = self.lock();
        let Data { mails, labels, .. } = &mut *data;
        let Some(places) = change.apply(mails, labels)? else {
            return Ok(None);
        };
        data.moves += 1;
        let number = data.moves;
        if data.undos.len() == MOST_UNDOS {
            data.undos.pop_front();
        }
        data.undos.push_back((number, places));
        Ok(Some(number))
    }

    pub(crate) fn undo(&self, number: u32) -> Result<(), ErrorReply> {
        let mut data = self.lock();
        let place = data.undos.iter().position(|(known, _)| *known == number);
        let (_, places) = place
            .and_then(|place| data.undos.remove(place))
            .ok_or_else(|| ErrorReply::not_found("There is nothing left to undo."))?;
        change::put_back(&mut data.mails, places);
        data.undone += 1;
        Ok(())
    }

    /// Deletes mails for ever; they must lie in the trash.
    pub(crate) fn purge(&self, ids: &[u32]) -> Result<(), ErrorReply> {
        let mut data = self.lock();
        for id in ids {
            let mail = data.mails.get(id).ok_or_else(|| no_such_mail(id))?;
            if mail.folder != Folder::Trash {
                return Err(conflict("not_in_trash", "Only mails in the trash can be deleted for ever."));
            }
        }
        for id in ids {
            data.mails.remove(id);
            data.purged.push(*id);
        }
        Ok(())
    }

    pub(crate) fn create_label(&self, name: &str, colour: &str) -> Result<Label, ErrorReply> {
        let mut data = self.lock();
        let name = name.trim();
        let problem = |field: &str, text: &str| {
            let mut problems = Map::new();
            problems.insert(field.to_owned(), Value::from(text));
            ErrorReply::invalid(problems)
        };
        if name.is_empty() {
            return Err(problem("name", "Enter a name."));
        }
        if name.chars().count() > MOST_LABEL_CHARACTERS || name.chars().any(|c| c.is_control() || c == '/') {
            return Err(problem("name", "Use at most 24 characters, without a slash."));
        }
        if data.labels.iter().any(|label| label.name.to_lowercase() == name.to_lowercase()) {
            return Err(problem("name", "There is already a label of this name."));
        }
        let colour = LABEL_COLOURS
            .iter()
            .copied()
            .find(|known| *known == colour)
            .ok_or_else(|| problem("colour", "Choose one of the colours."))?;
        if data.labels.len() >= MOST_LABELS {
            return Err(problem("name", "There are too many labels."));
        }
        let label = Label { name: name.to_owned(), colour };
        data.labels.push(label.clone());
        Ok(label)
    }

    /// Removes a label from the list and from every mail.
    pub(crate) fn delete_label(&self, name: &str) -> Result<(), ErrorReply> {
        let mut data = self.lock();
        let place = data.labels.iter().position(|label| label.name == name).ok_or_else(|| no_such_label(name))?;
        data.labels.remove(place);
        for mail in data.mails.values_mut() {
            mail.labels.retain(|kept| kept != name);
        }
        Ok(())
    }

    pub(crate) fn add_file(&self, upload: Upload) -> Result<Attachment, ErrorReply> {
        let mut data = self.lock();
        if data.files.len() >= MOST_FILES {
            return Err(conflict("too_many_files", "The mailbox has no room for another file."));
        }
        let id = data.next_file;
        data.next_file += 1;
        data.files.insert(id, (upload.facts.clone(), upload.content));
        Ok(Attachment { id, facts: upload.facts })
    }

    pub(crate) fn file(&self, id: u32) -> Option<(FileFacts, Vec<u8>)> {
        self.lock().files.get(&id).cloned()
    }

    /// Writes a draft: a new one, or over the one that is named.
    pub(crate) fn save_draft(&self, input: &ComposeInput, written: Written) -> Result<Mail, ErrorReply> {
        let mut data = self.lock();
        let attachments = data.attachments(&input.attachments)?;
        let id = match input.draft {
            Some(id) => data.draft_id(id)?,
            None => data.new_id()?,
        };
        let old = data.mails.remove(&id);
        let mut mail = new_mail(id, Kind::Draft, written, attachments);
        // What was marked on a draft stays when its text changes.
        if let Some(old) = old {
            (mail.starred, mail.important, mail.labels) = (old.starred, old.important, old.labels);
        }
        data.mails.insert(id, mail.clone());
        Ok(mail)
    }

    pub(crate) fn discard_draft(&self, id: u32) -> Result<(), ErrorReply> {
        let mut data = self.lock();
        let id = data.draft_id(id)?;
        data.mails.remove(&id);
        Ok(())
    }

    /// Sends what was written; the draft it came from is gone afterwards.
    pub(crate) fn send(&self, input: &ComposeInput, written: Written) -> Result<Mail, ErrorReply> {
        let mut data = self.lock();
        let attachments = data.attachments(&input.attachments)?;
        let draft = input.draft.map(|id| data.draft_id(id)).transpose()?;
        let id = data.new_id()?;
        let mail = new_mail(id, Kind::Sent, written, attachments);
        data.mails.insert(id, mail.clone());
        if let Some(draft) = draft {
            data.mails.remove(&draft);
        }
        Ok(mail)
    }

    fn lock(&self) -> MutexGuard<'_, Data> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteState for MailState {
    fn snapshot(&self) -> Value {
        let data = self.lock();
        let of_kind = |kind: Kind| data.mails.values().filter(|mail| mail.kind == kind).collect::<Vec<_>>();
        json!({
            "seed": data.seed,
            "user": Person::user(),
            "labels": data.labels,
            "mails": of_kind(Kind::Received),
            "sent": of_kind(Kind::Sent),
            "drafts": of_kind(Kind::Draft),
            "purged": data.purged,
            "moves": data.moves,
            "undone": data.undone,
            "files": data.files.len(),
        })
    }

    fn reset(&self, seed: u64) {
        *self.lock() = Data::new(seed);
    }
}

impl Data {
    fn new(seed: u64) -> Self {
        let seeded = seed::mailbox(seed);
        let next = |last: Option<&u32>| last.map_or(1, |id| id + 1);
        Self {
            seed,
            next_id: next(seeded.mails.keys().next_back()),
            next_file: next(seeded.files.keys().next_back()),
            mails: seeded.mails,
            labels: seeded.labels,
            files: seeded.files,
            undos: VecDeque::new(),
            moves: 0,
            undone: 0,
            purged: Vec::new(),
        }
    }

    fn new_id(&mut self) -> Result<u32, ErrorReply> {
        if self.mails.len() >= MOST_WRITTEN {
            return Err(conflict("mailbox_full", "The mailbox has no room for another mail."));
        }
        let id = self.next_id;
        self.next_id += 1;
        Ok(id)
    }

    fn draft_id(&self, id: u32) -> Result<u32, ErrorReply> {
        let is_draft = self.mails.get(&id).is_some_and(|mail| mail.kind == Kind::Draft);
        is_draft.then_some(id).ok_or_else(|| ErrorReply::not_found(format!("There is no draft with the number {id}.")))
    }

    fn attachments(&self, ids: &[u32]) -> Result<Vec<Attachment>, ErrorReply> {
        ids.iter()
            .map(|id| {
                let (facts, _) = self.files.get(id).ok_or_else(|| no_such_file(id))?;
                Ok(Attachment { id: *id, facts: facts.clone() })
            })
            .collect()
    }
}

fn new_mail(id: u32, kind: Kind, written: Written, attachments: Vec<Attachment>) -> Mail {
    Mail {
        id,
        kind,
        folder: if kind == Kind::Draft { Folder::Drafts } else { Folder::Sent },
        from: Person::user(),
        to: written.to,
        cc: written.cc,
        subject: written.subject,
        html: written.body.html,
        text: written.body.text,
        date: None,
        read: true,
        starred: false,
        important: false,
        labels: Vec::new(),
        snoozed_until: None,
        attachments,
    }
}

pub(crate) fn no_such_mail(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no mail with the number {id}."))
}

pub(crate) fn no_such_label(name: &str) -> ErrorReply {
    ErrorReply::not_found(format!("There is no label named {name}."))
}

pub(crate) fn no_such_file(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no file with the number {id}."))
}

fn conflict(code: &'static str, message: &str) -> ErrorReply {
    ErrorReply::new(StatusCode::CONFLICT, code, message)
}
