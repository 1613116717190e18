// The records of the mail client: mails, people, labels and where a mail can lie. Separate because
// every other file of the site speaks in these types.

use serde::{Deserialize, Serialize};

use crate::upload::FileFacts;

/// The one person who uses the client.
pub(crate) const USER_NAME: &str = "Robin Ashdown";
pub(crate) const USER_EMAIL: &str = "robin@pinemail.example";

/// The colours a label can have, in the order the dialog shows them.
pub(crate) const LABEL_COLOURS: &[&str] = &["blue", "green", "amber", "rust", "violet", "slate"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Mail {
    pub(crate) id: u32,
    pub(crate) kind: Kind,
    pub(crate) folder: Folder,
    pub(crate) from: Person,
    pub(crate) to: Vec<Person>,
    pub(crate) cc: Vec<Person>,
    pub(crate) subject: String,
    pub(crate) html: String,
    /// The same body without any markup.
    pub(crate) text: String,
    /// `YYYY-MM-DD HH:MM`; null for what was written since the reset, so that the state after the
    /// same actions is the same on every day.
    pub(crate) date: Option<String>,
    pub(crate) read: bool,
    pub(crate) starred: bool,
    pub(crate) important: bool,
    /// Names of labels, in the order they were put on.
    pub(crate) labels: Vec<String>,
    /// `YYYY-MM-DD HH:MM`; only for mails in the folder of snoozed mails.
    pub(crate) snoozed_until: Option<String>,
    pub(crate) attachments: Vec<Attachment>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) email: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Attachment {
    pub(crate) id: u32,
    #[serde(flatten)]
    pub(crate) facts: FileFacts,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) colour: &'static str,
}

/// What a mail is, which never changes, unlike the folder it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Received,
    Sent,
    Draft,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Folder {
    Inbox,
    Snoozed,
    Sent,
    Drafts,
    Archive,
    Spam,
    Trash,
}

impl Folder {
    pub(crate) const ALL: [Folder; 7] =
        [Folder::Inbox, Folder::Snoozed, Folder::Sent, Folder::Drafts, Folder::Archive, Folder::Spam, Folder::Trash];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Folder::Inbox => "inbox",
            Folder::Snoozed => "snoozed",
            Folder::Sent => "sent",
            Folder::Drafts => "drafts",
            Folder::Archive => "archive",
            Folder::Spam => "spam",
            Folder::Trash => "trash",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Folder> {
        Folder::ALL.into_iter().find(|folder| folder.name() == name)
    }

    /// Whether a mail of this kind can lie here: a draft was never received, a received mail never sent.
    pub(crate) fn takes(self, kind: Kind) -> bool {
        match self {
            Folder::Trash => true,
            Folder::Drafts => kind == Kind::Draft,
            Folder::Sent => kind == Kind::Sent,
            Folder::Archive => kind != Kind::Draft,
            Folder::Inbox | Folder::Snoozed | Folder::Spam => kind == Kind::Received,
        }
    }

    /// Searches, stars and labels leave these out, as people expect of rubbish.
    pub(crate) fn is_rubbish(self) -> bool {
        matches!(self, Folder::Spam | Folder::Trash)
    }
}

impl Person {
    pub(crate) fn new(name: &str, email: &str) -> Person {
        Person { name: name.to_owned(), email: email.to_owned() }
    }

    pub(crate) fn user() -> Person {
        Person::new(USER_NAME, USER_EMAIL)
    }
}
