// The one place that changes CRM data. Behind a lock that is never held across an await: every
// method takes it, does its work and lets go.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};

use super::contact::{Activity, ActivityKind, Contact, ContactFields};
use super::query::{self, ContactQuery};
use super::{seed, summary, validate};
use crate::parts::SiteState;
use crate::random::unrepeatable;
use crate::reply::ErrorReply;

/// Old sessions give way, so a script that signs in for ever does not fill the memory.
const MOST_SESSIONS: usize = 200;

/// Somebody who can sign in. The password is public on purpose: everything here is invented.
#[derive(Debug, Serialize)]
pub(crate) struct User {
    pub(crate) email: &'static str,
    pub(crate) name: &'static str,
    pub(crate) role: &'static str,
    #[serde(skip)]
    password: &'static str,
}

pub(crate) const USERS: &[User] = &[User {
    email: "dana@northbeam.example",
    name: "Dana Whitfield",
    role: "Account manager",
    password: "harbor-lights-42",
}];

#[derive(Debug)]
pub(crate) struct CrmState {
    data: Mutex<Data>,
    /// Who is signed in, for the next process that serves this site.
    visitors: Option<PathBuf>,
}

#[derive(Debug)]
struct Data {
    seed: u64,
    /// New with every reset; cookies carry it, so a reset also forgets what browsers remember.
    epoch: String,
    contacts: BTreeMap<u32, Contact>,
    next_id: u32,
    sessions: VecDeque<(String, &'static User)>,
    saves: u64,
    creates: u64,
    deletes: u64,
    logins_succeeded: u64,
    logins_failed: u64,
    consent: Option<&'static str>,
    consent_answers: u64,
}

impl CrmState {
    pub(crate) fn new(seed: u64) -> Self {
        Self { data: Mutex::new(Data::new(seed)), visitors: None }
    }

    /// The same, and browsers that were signed in before still are. A file that cannot be used is one without visitors.
    pub(crate) fn remembering(seed: u64, file: &Path) -> Self {
        let mut data = Data::new(seed);
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut tokens = text.lines().filter(|line| line.len() == 32 && line.bytes().all(|b| b.is_ascii_hexdigit()));
        if let (Some(epoch), Some(user)) = (tokens.next(), USERS.first()) {
            data.epoch = epoch.to_string();
            data.sessions = tokens.take(MOST_SESSIONS).map(|token| (token.to_string(), user)).collect();
        }
        let state = Self { data: Mutex::new(data), visitors: Some(file.to_path_buf()) };
        state.remember(&state.lock());
        state
    }

    fn remember(&self, data: &Data) {
        let Some(file) = &self.visitors else { return };
        let tokens = data.sessions.iter().map(|(token, _)| token);
        let lines: Vec<&str> = std::iter::once(&data.epoch).chain(tokens).map(String::as_str).collect();
        // Whoever cannot be remembered signs in again.
        let _ = std::fs::write(file, lines.join("\n"));
    }

    /// A new session's token, or None when the pair of email and password is wrong.
    pub(crate) fn sign_in(&self, email: &str, password: &str) -> Option<(String, &'static User)> {
        let mut data = self.lock();
        let user = USERS.iter().find(|user| user.email.eq_ignore_ascii_case(email) && user.password == password);
        let Some(user) = user else {
            data.logins_failed += 1;
            return None;
        };
        data.logins_succeeded += 1;
        let token = random_token();
        if data.sessions.len() == MOST_SESSIONS {
            data.sessions.pop_front();
        }
        data.sessions.push_back((token.clone(), user));
        self.remember(&data);
        Some((token, user))
    }

    pub(crate) fn sign_out(&self, token: &str) {
        let mut data = self.lock();
        data.sessions.retain(|(known, _)| known != token);
        self.remember(&data);
    }

    pub(crate) fn user_of_session(&self, token: &str) -> Option<&'static User> {
        let data = self.lock();
        let session = data.sessions.iter().find(|(known, _)| known == token);
        session.map(|(_, user)| *user)
    }

    /// Records the answer to the consent banner and gives the cookie value that remembers it.
    pub(crate) fn answer_consent(&self, choice: &'static str) -> String {
        let mut data = self.lock();
        data.consent = Some(choice);
        data.consent_answers += 1;
        format!("{choice}.{}", data.epoch)
    }

    /// Whether this cookie value was given since the last reset.
    pub(crate) fn consent_is_current(&self, cookie: &str) -> bool {
        cookie.split_once('.').is_some_and(|(_, epoch)| epoch == self.lock().epoch)
    }

    pub(crate) fn query(&self, query: &ContactQuery) -> Result<Value, ErrorReply> {
        query::run(self.lock().contacts.values(), query)
    }

    pub(crate) fn summary(&self) -> Value {
        let data = self.lock();
        let mut summary = summary::summary(data.contacts.values());
        summary["saves"] = json!(data.saves + data.creates);
        summary
    }

    pub(crate) fn contact(&self, id: u32) -> Option<Contact> {
        self.lock().contacts.get(&id).cloned()
    }

    pub(crate) fn create(&self, fields: ContactFields, by: &User) -> Result<Contact, ErrorReply> {
        let mut data = self.lock();
        data.refuse_taken_email(&fields.email, None)?;
        let contact = Contact {
            id: data.next_id,
            fields,
            last_contact: None,
            revision: 0,
            activity: vec![change("Created the contact".to_owned(), by)],
        };
        data.next_id += 1;
        data.creates += 1;
        data.contacts.insert(contact.id, contact.clone());
        Ok(contact)
    }

    pub(crate) fn update(&self, id: u32, fields: ContactFields, by: &User) -> Result<Contact, ErrorReply> {
        let mut data = self.lock();
        if !data.contacts.contains_key(&id) {
            return Err(no_such_contact(id));
        }
        data.refuse_taken_email(&fields.email, Some(id))?;
        data.saves += 1;
        let contact = data.contacts.get_mut(&id).ok_or_else(|| no_such_contact(id))?;
        let changed = contact.fields.changed_labels(&fields);
        if !changed.is_empty() {
            let text = format!("Changed {}", changed.join(", "));
            contact.activity.insert(0, change(text, by));
        }
        contact.fields = fields;
        contact.revision += 1;
        Ok(contact.clone())
    }

    pub(crate) fn delete(&self, id: u32) -> Result<Contact, ErrorReply> {
        let mut data = self.lock();
        let contact = data.contacts.remove(&id).ok_or_else(|| no_such_contact(id))?;
        data.deletes += 1;
        Ok(contact)
    }

    fn lock(&self) -> MutexGuard<'_, Data> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteState for CrmState {
    fn snapshot(&self) -> Value {
        let data = self.lock();
        json!({
            "seed": data.seed,
            "contacts": data.contacts.values().collect::<Vec<_>>(),
            "next_id": data.next_id,
            "users": USERS,
            "sessions": data.sessions.len(),
            "saves": data.saves,
            "creates": data.creates,
            "deletes": data.deletes,
            "logins": { "succeeded": data.logins_succeeded, "failed": data.logins_failed },
            "consent": { "choice": data.consent, "answers": data.consent_answers },
        })
    }

    fn reset(&self, seed: u64) {
        let mut data = self.lock();
        *data = Data::new(seed);
        self.remember(&data);
    }
}

/// The answer to an id that no contact has.
pub(crate) fn no_such_contact(id: impl std::fmt::Display) -> ErrorReply {
    ErrorReply::not_found(format!("There is no contact with the number {id}."))
}

impl Data {
    fn new(seed: u64) -> Self {
        Self {
            seed,
            epoch: random_token(),
            contacts: seed::contacts(seed),
            next_id: seed::FIRST_ID + seed::CONTACT_COUNT,
            sessions: VecDeque::new(),
            saves: 0,
            creates: 0,
            deletes: 0,
            logins_succeeded: 0,
            logins_failed: 0,
            consent: None,
            consent_answers: 0,
        }
    }

    fn refuse_taken_email(&self, email: &str, except: Option<u32>) -> Result<(), ErrorReply> {
        let taken = self
            .contacts
            .values()
            .any(|contact| Some(contact.id) != except && contact.fields.email.eq_ignore_ascii_case(email));
        if taken {
            return Err(validate::email_taken());
        }
        Ok(())
    }
}

fn change(text: String, by: &User) -> Activity {
    Activity { kind: ActivityKind::Change, text, by: by.name.to_owned(), date: None }
}

fn random_token() -> String {
    format!("{:016x}{:016x}", unrepeatable(), unrepeatable())
}
