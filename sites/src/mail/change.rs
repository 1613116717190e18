// Changes to many mails at once: marks, labels, moves and their undoing. Separate from the state
// because every toolbar button is one such change, and a change is applied wholly or not at all.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde::Deserialize;

use super::model::{Folder, Label, Mail};
use super::state::{no_such_label, no_such_mail};
use crate::reply::ErrorReply;

const MOST_IDS: usize = 500;

/// What to change; what is not named stays as it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) ids: Vec<u32>,
    read: Option<bool>,
    starred: Option<bool>,
    important: Option<bool>,
    folder: Option<Folder>,
    snooze: Option<Snooze>,
    add_label: Option<String>,
    remove_label: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Snooze {
    Today,
    Tomorrow,
    NextWeek,
}

impl Snooze {
    /// Counted from the fixed day all seed data lives on.
    fn until(self) -> &'static str {
        match self {
            Snooze::Today => "2026-10-30 18:00",
            Snooze::Tomorrow => "2026-10-31 08:00",
            Snooze::NextWeek => "2026-11-06 08:00",
        }
    }
}

/// Where a mail was before it moved.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    id: u32,
    folder: Folder,
    snoozed_until: Option<String>,
}

impl Change {
    /// Applies the change and tells where the mails were, when it moved them.
    pub(crate) fn apply(
        &self,
        mails: &mut BTreeMap<u32, Mail>,
        labels: &[Label],
    ) -> Result<Option<Vec<Place>>, ErrorReply> {
        self.check(mails, labels)?;
        let target = if self.snooze.is_some() { Some(Folder::Snoozed) } else { self.folder };
        let mut places = Vec::new();
        for id in &self.ids {
            let Some(mail) = mails.get_mut(id) else {
                continue;
            };
            mail.read = self.read.unwrap_or(mail.read);
            mail.starred = self.starred.unwrap_or(mail.starred);
            mail.important = self.important.unwrap_or(mail.important);
            if let Some(label) = &self.add_label
                && !mail.labels.contains(label)
            {
                mail.labels.push(label.clone());
            }
            if let Some(label) = &self.remove_label {
                mail.labels.retain(|kept| kept != label);
            }
            if let Some(target) = target {
                places.push(Place { id: *id, folder: mail.folder, snoozed_until: mail.snoozed_until.take() });
                mail.folder = target;
                mail.snoozed_until = self.snooze.map(|snooze| snooze.until().to_owned());
            }
        }
        Ok(target.map(|_| places))
    }

    fn check(&self, mails: &BTreeMap<u32, Mail>, labels: &[Label]) -> Result<(), ErrorReply> {
        if self.ids.is_empty() || self.ids.len() > MOST_IDS {
            return Err(ErrorReply::bad_request(format!("Name from 1 to {MOST_IDS} mails.")));
        }
        if self.folder == Some(Folder::Snoozed) || (self.folder.is_some() && self.snooze.is_some()) {
            return Err(ErrorReply::bad_request("Snooze with snooze, and move with folder, not both."));
        }
        for label in self.add_label.iter().chain(&self.remove_label) {
            if !labels.iter().any(|known| known.name == *label) {
                return Err(no_such_label(label));
            }
        }
        let target = if self.snooze.is_some() { Some(Folder::Snoozed) } else { self.folder };
        for id in &self.ids {
            let mail = mails.get(id).ok_or_else(|| no_such_mail(id))?;
            if let Some(target) = target
                && !target.takes(mail.kind)
            {
                return Err(wrong_folder(mail, target));
            }
        }
        Ok(())
    }
}

/// Puts mails back; those that are gone for ever stay gone.
pub(crate) fn put_back(mails: &mut BTreeMap<u32, Mail>, places: Vec<Place>) {
    for place in places {
        if let Some(mail) = mails.get_mut(&place.id) {
            mail.folder = place.folder;
            mail.snoozed_until = place.snoozed_until;
        }
    }
}

fn wrong_folder(mail: &Mail, target: Folder) -> ErrorReply {
    ErrorReply::new(
        StatusCode::CONFLICT,
        "wrong_folder",
        format!("Mail {} cannot be moved to the folder {}.", mail.id, target.name()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::seed;

    #[test]
    fn moves_can_be_put_back_and_a_wrong_one_moves_nothing() {
        let mut seeded = seed::mailbox(1);
        let before = seeded.mails.clone();
        let change = Change { ids: vec![3004, 3006], snooze: Some(Snooze::Tomorrow), ..Default::default() };
        let places = change.apply(&mut seeded.mails, &seeded.labels).unwrap().unwrap();
        assert_eq!(seeded.mails[&3004].folder, Folder::Snoozed);
        assert_eq!(seeded.mails[&3004].snoozed_until.as_deref(), Some("2026-10-31 08:00"));
        put_back(&mut seeded.mails, places);
        assert_eq!(seeded.mails, before);
        // 3140 is a draft, which cannot become spam.
        let change = Change { ids: vec![3004, 3140], folder: Some(Folder::Spam), ..Default::default() };
        assert_eq!(change.apply(&mut seeded.mails, &seeded.labels).unwrap_err().code, "wrong_folder");
        assert_eq!(seeded.mails, before);
    }
}
