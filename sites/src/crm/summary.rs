// The numbers of the dashboard, derived from the contacts each time they are asked for, so they
// can never disagree with the list.

use serde_json::{Map, Value, json};

use super::contact::{Contact, Status};
use crate::calendar::days_ago;

/// One bar per month, a full year.
const CHART_MONTHS: usize = 12;
const FOLLOW_UPS: usize = 6;
/// A customer nobody spoke to for this long should get a call.
const QUIET_DAYS: u64 = 90;

/// Counts by status, contacts per month, and the customers to call next.
pub(crate) fn summary<'a>(contacts: impl Iterator<Item = &'a Contact> + Clone) -> Value {
    let total = contacts.clone().count();
    let mut by_status = Map::new();
    for status in Status::ALL {
        let count = contacts.clone().filter(|c| c.fields.status == status).count();
        by_status.insert(status.name().to_owned(), json!(count));
    }
    let quiet_since = days_ago(QUIET_DAYS);
    let mut quiet: Vec<&Contact> = contacts
        .clone()
        .filter(|c| c.fields.status == Status::Customer)
        .filter(|c| c.last_contact.as_ref().is_some_and(|date| *date < quiet_since))
        .collect();
    quiet.sort_by(|a, b| a.last_contact.cmp(&b.last_contact).then(a.id.cmp(&b.id)));
    let follow_ups: Vec<Value> = quiet
        .iter()
        .take(FOLLOW_UPS)
        .map(|c| {
            json!({
                "id": c.id,
                "name": c.fields.full_name(),
                "company": c.fields.company,
                "owner": c.fields.owner,
                "last_contact": c.last_contact,
            })
        })
        .collect();
    json!({
        "total": total,
        "by_status": by_status,
        "newsletter": contacts.clone().filter(|c| c.fields.newsletter).count(),
        "quiet_customers": quiet.len(),
        "by_month": by_month(contacts),
        "follow_ups": follow_ups,
    })
}

/// `[{"month": "YYYY-MM", "count": n}]`, oldest first, empty months included.
fn by_month<'a>(contacts: impl Iterator<Item = &'a Contact> + Clone) -> Vec<Value> {
    let mut months: Vec<String> = Vec::new();
    for days in 0..366 {
        let month = days_ago(days)[..7].to_owned();
        if months.last() != Some(&month) {
            months.push(month);
        }
    }
    months.truncate(CHART_MONTHS);
    months
        .iter()
        .rev()
        .map(|month| {
            let count = contacts
                .clone()
                .filter(|c| c.last_contact.as_ref().is_some_and(|date| date.starts_with(month)))
                .count();
            json!({ "month": month, "count": count })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::seed;

    #[test]
    fn the_parts_add_up() {
        let contacts = seed::contacts(1);
        let summary = summary(contacts.values());
        let statuses: u64 =
            summary["by_status"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(statuses, 240);
        let months = summary["by_month"].as_array().unwrap();
        assert_eq!(months.len(), 12);
        assert_eq!(months[11]["month"], "2026-10");
        assert_eq!(months[0]["month"], "2025-11");
    }
}
