//! Secrets that were typed into a form and not sent yet. No checkpoint keeps what is in such a field, so it is remembered that
//! there is one, and whoever goes on with the plan fills it in once more: until its form is sent off, or its page is left.

use surehand_plan::machine::{BudgetLeft, FieldValue};
use surehand_run::{Course, Halt};
use surehand_types::secret::names_in;

use crate::checkpoint::SecretField;
use crate::plan_run::PlanRun;

impl PlanRun {
    /// These fields were filled in.
    pub(crate) async fn note_unsent(
        &mut self,
        course: &mut Course<'_>,
        fields: &[FieldValue],
        form: Option<&str>,
    ) -> Result<(), Halt> {
        let secret: Vec<&FieldValue> = fields.iter().filter(|field| !names_in(&field.value).is_empty()).collect();
        if secret.is_empty() {
            return Ok(());
        }
        let page = page(course).await?;
        for FieldValue { label, value } in secret {
            self.unsent.retain(|known| known.label != *label);
            let (label, value, form) = (label.clone(), value.clone(), form.map(str::to_owned));
            self.unsent.push(SecretField { label, value, form, page: page.clone() });
        }
        Ok(())
    }

    /// An act is done: it may have sent a form off, by its own word, or have led to another page.
    pub(crate) async fn were_sent(&mut self, course: &mut Course<'_>, submitted: Option<&str>) -> Result<(), Halt> {
        if self.unsent.is_empty() {
            return Ok(());
        }
        let now = page(course).await?;
        self.unsent.retain(|field| is_unsent(field, submitted, now.as_deref()));
        Ok(())
    }

    /// Once more, where the page is still the one that they belong to.
    pub(crate) async fn fill_again(&mut self, course: &mut Course<'_>) -> Result<(), Halt> {
        self.were_sent(course, None).await?;
        let fields: Vec<FieldValue> = self
            .unsent
            .iter()
            .map(|field| FieldValue { label: field.label.clone(), value: field.value.clone() })
            .collect();
        let Some(step) = self.machine.next().step().cloned().filter(|_| !fields.is_empty()) else { return Ok(()) };
        let left = self.fill_by_label(course, &step, &fields, &BudgetLeft::default()).await?;
        for field in left {
            tracing::warn!(label = field.label, "a field that held a secret could not be filled in again");
        }
        Ok(())
    }
}

fn is_unsent(field: &SecretField, submitted: Option<&str>, page: Option<&str>) -> bool {
    // A form without a name is sent by whatever act submits.
    let was_submitted = submitted.is_some_and(|form| field.form.as_deref().is_none_or(|own| own == form));
    // Where an address is not known nothing follows from it.
    let was_left = field.page.as_deref().zip(page).is_some_and(|(then, now)| then != now);
    !was_submitted && !was_left
}

/// The address of the page; what stands behind `#` leads to a place in it.
async fn page(course: &mut Course<'_>) -> Result<Option<String>, Halt> {
    let url = course.look(&[]).await?.observation.url;
    Ok(url.map(|url| url.split('#').next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_unsent_until_its_form_goes_off_or_its_page_is_left() {
        let field = |form: Option<&str>, page: Option<&str>| SecretField {
            label: "Password".into(),
            value: "<secret:pw>".into(),
            form: form.map(str::to_owned),
            page: page.map(str::to_owned),
        };
        let login = field(Some("login"), Some("http://x/in"));
        assert!(is_unsent(&login, None, Some("http://x/in")), "an act that only chooses something sends nothing");
        assert!(is_unsent(&login, Some("search"), Some("http://x/in")));
        assert!(!is_unsent(&login, Some("login"), Some("http://x/in")));
        assert!(!is_unsent(&login, None, Some("http://x/home")));
        assert!(is_unsent(&login, None, None) && is_unsent(&field(None, None), None, Some("http://x/home")));
        assert!(!is_unsent(&field(None, None), Some("login"), None));
    }
}
