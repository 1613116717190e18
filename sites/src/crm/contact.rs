// The records of the CRM and the fixed lists their fields choose from. Separate because every
// other file of the site speaks in these types.

use serde::Serialize;

/// The people a contact can belong to; the first is the user who signs in.
pub(crate) const OWNERS: &[&str] =
    &["Dana Whitfield", "Marcus Oyelaran", "Ingrid Solheim", "Tomas Varga", "Lucia Ferrant"];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Contact {
    pub(crate) id: u32,
    #[serde(flatten)]
    pub(crate) fields: ContactFields,
    /// `YYYY-MM-DD`; null for a contact nobody has spoken to yet.
    pub(crate) last_contact: Option<String>,
    /// How often the record was saved since the reset.
    pub(crate) revision: u32,
    /// Newest first.
    pub(crate) activity: Vec<Activity>,
}

/// What the form edits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ContactFields {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) company: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) city: String,
    pub(crate) status: Status,
    pub(crate) owner: String,
    pub(crate) newsletter: bool,
    pub(crate) notes: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Activity {
    pub(crate) kind: ActivityKind,
    pub(crate) text: String,
    pub(crate) by: String,
    /// `YYYY-MM-DD`; null for what happened since the reset, so that the state after the same
    /// actions is the same on every day.
    pub(crate) date: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ActivityKind {
    Call,
    Email,
    Meeting,
    Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum Status {
    Lead,
    Prospect,
    Customer,
    Churned,
}

impl Status {
    pub(crate) const ALL: [Status; 4] = [Status::Lead, Status::Prospect, Status::Customer, Status::Churned];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Lead => "Lead",
            Status::Prospect => "Prospect",
            Status::Customer => "Customer",
            Status::Churned => "Churned",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl ContactFields {
    pub(crate) fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }

    /// The labels of the fields in which `self` and `other` differ, as the form shows them.
    pub(crate) fn changed_labels(&self, other: &ContactFields) -> Vec<&'static str> {
        [
            ("first name", self.first_name != other.first_name),
            ("last name", self.last_name != other.last_name),
            ("company", self.company != other.company),
            ("email", self.email != other.email),
            ("phone", self.phone != other.phone),
            ("city", self.city != other.city),
            ("status", self.status != other.status),
            ("owner", self.owner != other.owner),
            ("newsletter", self.newsletter != other.newsletter),
            ("notes", self.notes != other.notes),
        ]
        .into_iter()
        .filter_map(|(label, differs)| differs.then_some(label))
        .collect()
    }
}
