//! Declared form values: which of them a field asks for, and which are still to be entered. The gate, the
//! form controller and the recovery from loops share this, so that they agree on what "matches" means.

use surehand_types::observation::FocusedElement;

use super::words::words_of_name;

/// Words that say how to use a field, not what it is for.
const NOISE: &[&str] = &[
    "a",
    "an",
    "the",
    "your",
    "my",
    "please",
    "enter",
    "type",
    "insert",
    "fill",
    "provide",
    "choose",
    "here",
    "in",
    "required",
    "optional",
    "mandatory",
    "field",
    "input",
    "textbox",
    "text",
    "txt",
    "box",
    "form",
    "value",
    "of",
];

/// Words that make another field of one with the same noun: a value declared without them is not meant.
const QUALIFIERS: &[&str] = &[
    "first",
    "last",
    "middle",
    "given",
    "family",
    "maiden",
    "nick",
    "new",
    "old",
    "current",
    "previous",
    "billing",
    "shipping",
    "delivery",
    "second",
    "secondary",
    "alternate",
    "alternative",
    "recovery",
    "other",
    "from",
    "to",
    "start",
    "end",
    "min",
    "max",
    "minimum",
    "maximum",
    "company",
    "card",
    "search",
    "filter",
    "recipient",
    "sender",
];

/// Shorter values stand in fields by chance, such as a quantity of 1.
const TELLING_LENGTH: usize = 4;

/// Observations cut what a field holds after this many characters.
const SHOWN: usize = 200;

/// A value that the task declares for a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredValue<'a> {
    pub label: &'a str,
    /// What is typed. For a secret this is its placeholder: the clear text is never looked at here.
    pub value: &'a str,
    pub secret: bool,
    /// It was typed and seen to land; the field may be gone since.
    pub entered: bool,
}

impl<'a> DeclaredValue<'a> {
    pub fn new(label: &'a str, value: &'a str) -> DeclaredValue<'a> {
        DeclaredValue { label, value, secret: false, entered: false }
    }

    pub fn secret(label: &'a str, placeholder: &'a str) -> DeclaredValue<'a> {
        DeclaredValue { secret: true, ..DeclaredValue::new(label, placeholder) }
    }
}

/// How well a label fits a field, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The same words.
    Same,
    /// The field says less: "CRM password" for a field "Password".
    FieldSaysLess,
    /// The field says more: "email" for a field "Email for receipts".
    FieldSaysMore,
}

/// How a label fits a field by any of the field's own names; `None` when it does not.
pub fn fit(label: &str, field: &FocusedElement) -> Option<Fit> {
    let wanted = meaning(label);
    if wanted.is_empty() {
        return None;
    }
    let names = [&field.label, &field.name, &field.placeholder, &field.id];
    names.into_iter().flatten().filter_map(|name| compare(&wanted, &meaning(name))).min()
}

/// Whether a value may be typed into a field. A secret goes only where there is nothing to guess: a field of
/// the same name, or a password field whose name says nothing that the secret's name does not.
pub fn belongs(value: &DeclaredValue<'_>, field: &FocusedElement) -> bool {
    let is_password = field.r#type.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case("password"));
    match fit(value.label, field) {
        Some(Fit::Same) => true,
        Some(Fit::FieldSaysLess) => !value.secret || is_password,
        // What everybody may read goes into no password field by a loose match.
        Some(Fit::FieldSaysMore) => !value.secret && !is_password,
        None => false,
    }
}

/// The one value among the pending ones that a field asks for; `None` when two fit equally well.
pub fn value_for<'v, 'a>(pending: &'v [DeclaredValue<'a>], field: &FocusedElement) -> Option<&'v DeclaredValue<'a>> {
    let fitting = || {
        pending
            .iter()
            .filter(|value| !value.value.is_empty() && !value.entered && belongs(value, field))
            .filter_map(|value| fit(value.label, field).map(|fit| (fit, value)))
    };
    let best = fitting().map(|(fit, _)| fit).min()?;
    let mut candidates = fitting().filter(|(fit, _)| *fit == best).map(|(_, value)| value);
    let first = candidates.next()?;
    candidates.all(|other| other.value == first.value).then_some(first)
}

/// The declared values that are still to be entered, given what the fields hold now.
pub fn pending<'a>(values: &[DeclaredValue<'a>], fields: &[FocusedElement]) -> Vec<DeclaredValue<'a>> {
    let held = |value: &DeclaredValue<'_>| fields.iter().any(|field| holds(field, value));
    values.iter().filter(|value| !value.value.is_empty() && !value.entered && !held(value)).copied().collect()
}

fn holds(field: &FocusedElement, value: &DeclaredValue<'_>) -> bool {
    let text = field.value.as_deref().unwrap_or_default();
    if value.secret {
        // What stands there is masked, so that something stands there is all one can know.
        return belongs(value, field) && field.empty.map_or(!text.is_empty(), |empty| !empty);
    }
    let equal = same_text(text, value.value);
    equal && (belongs(value, field) || value.value.chars().count() >= TELLING_LENGTH)
}

/// Fields reformat what is typed: case, spaces and punctuation do not count unless there is nothing else.
fn same_text(held: &str, value: &str) -> bool {
    let core = |text: &str| -> String {
        text.chars().take(SHOWN).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    match (core(held), core(value)) {
        (held_core, value_core) if held_core.is_empty() || value_core.is_empty() => held.trim() == value.trim(),
        (held_core, value_core) => held_core == value_core,
    }
}

/// The words of a name that say what it is for.
fn meaning(name: &str) -> Vec<String> {
    // Both spellings of one word: without this, "e mail" has the stray word "e".
    let joined = name.to_lowercase().replace("e-mail", "email").replace("e mail", "email");
    let spelled = if joined.contains("email") { joined.as_str() } else { name };
    words_of_name(spelled).into_iter().filter(|word| !NOISE.contains(&word.as_str())).collect()
}

fn compare(wanted: &[String], field: &[String]) -> Option<Fit> {
    if field.is_empty() {
        return None;
    }
    // "user name" and "username" are one name, and so are "name, first" and "first name".
    let mut sorted = (wanted.to_vec(), field.to_vec());
    sorted.0.sort();
    sorted.1.sort();
    if wanted.concat() == field.concat() || sorted.0 == sorted.1 {
        return Some(Fit::Same);
    }
    let extra = |longer: &[String], shorter: &[String]| -> Option<bool> {
        let contained = shorter.iter().all(|word| longer.contains(word));
        let added = || longer.iter().filter(|word| !shorter.contains(word));
        contained.then(|| added().any(|word| QUALIFIERS.contains(&word.as_str())))
    };
    match (extra(wanted, field), extra(field, wanted)) {
        (Some(false), _) => Some(Fit::FieldSaysLess),
        (_, Some(false)) => Some(Fit::FieldSaysMore),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(label: &str) -> FocusedElement {
        FocusedElement { label: Some(label.into()), editable: true, ..FocusedElement::default() }
    }

    fn password(label: &str) -> FocusedElement {
        FocusedElement { r#type: Some("password".into()), ..labelled(label) }
    }

    fn holding(label: &str, text: &str) -> FocusedElement {
        FocusedElement { value: Some(text.into()), empty: Some(text.is_empty()), ..labelled(label) }
    }

    #[test]
    fn labels_fit_by_their_words() {
        let check = |label: &str, field: &str, expected: Option<Fit>| {
            assert_eq!(fit(label, &labelled(field)), expected, "{label} / {field}");
        };
        check("email", "E-Mail", Some(Fit::Same));
        check("email", "Please enter your e-mail *", Some(Fit::Same));
        check("e mail", "EMAIL:", Some(Fit::Same));
        check("user name", "username", Some(Fit::Same));
        check("first_name", "firstName", Some(Fit::Same));
        check("first name", "Name, first", Some(Fit::Same));
        check("CRM password", "Password", Some(Fit::FieldSaysLess));
        check("email", "Email address for receipts", Some(Fit::FieldSaysMore));
        check("first name", "Last name", None);
        check("name", "Last name", None);
        check("password", "New password", None);
        check("mail", "email", None);
        check("id", "identity", None);
        check("", "email", None);
        check("email", "", None);
        check("enter your", "enter your", None);
    }

    #[test]
    fn any_name_of_the_field_will_do() {
        let by = |change: fn(&mut FocusedElement)| {
            let mut field = FocusedElement::default();
            change(&mut field);
            fit("email", &field)
        };
        assert_eq!(by(|f| f.name = Some("email".into())), Some(Fit::Same));
        assert_eq!(by(|f| f.placeholder = Some("Your email".into())), Some(Fit::Same));
        assert_eq!(by(|f| f.id = Some("user_email".into())), Some(Fit::FieldSaysMore));
        assert_eq!(by(|f| f.selector = Some("email".into())), None);
    }

    #[test]
    fn secrets_are_not_typed_on_a_guess() {
        let secret = DeclaredValue::secret("password", "<secret:password>");
        assert!(belongs(&secret, &labelled("Password")));
        assert!(belongs(&secret, &password("Enter password")));
        assert!(!belongs(&secret, &labelled("Password hint")));
        assert!(!belongs(&secret, &password("New password")));
        assert!(!belongs(&secret, &labelled("Search")));
        let long = DeclaredValue::secret("CRM password", "<secret:crm>");
        assert!(belongs(&long, &password("Password")));
        assert!(!belongs(&long, &labelled("Password")));
        assert!(!belongs(&DeclaredValue::new("key", "k"), &password("Key code")));
    }

    #[test]
    fn a_field_gets_the_value_that_fits_best_or_none() {
        let values = [
            DeclaredValue::new("work email", "w@x"),
            DeclaredValue::new("email", "e@x"),
            DeclaredValue::new("home email", "h@x"),
        ];
        let chosen = |label: &str| value_for(&values, &labelled(label)).map(|value| value.value);
        assert_eq!(chosen("Email"), Some("e@x"));
        assert_eq!(chosen("Email (work)"), Some("w@x"));
        assert_eq!(value_for(&[values[0], values[2]], &labelled("Email")), None);
        let done = [DeclaredValue { entered: true, ..values[1] }, DeclaredValue::new("email", "")];
        assert_eq!(value_for(&done, &labelled("Email")), None);
    }

    #[test]
    fn values_are_pending_until_a_field_holds_them() {
        let values = [
            DeclaredValue::new("email", "Ann@Example.org"),
            DeclaredValue::new("phone", "+49 170 1234"),
            DeclaredValue::new("amount", "1"),
            DeclaredValue::secret("password", "<secret:password>"),
            DeclaredValue::new("note", ""),
        ];
        let labels = |fields: &[FocusedElement]| -> Vec<&str> {
            pending(&values, fields).iter().map(|value| value.label).collect()
        };
        assert_eq!(labels(&[]), ["email", "phone", "amount", "password"]);
        let fields = [
            holding("Login", "ann@example.org"),
            holding("Phone", "+491701234"),
            holding("Rows per page", "1"),
            holding("Password", "••••"),
        ];
        assert_eq!(labels(&fields), ["amount"]);
        assert_eq!(labels(&[holding("Password", ""), holding("Amount", "1")]), ["email", "phone", "password"]);
    }

    #[test]
    fn garbage_is_only_text() {
        let texts = ["", " ", "\u{0}", "🙂", "e-mail e mail e-mail", "----", "İ", &"Ab1".repeat(2000)];
        for label in texts {
            for text in texts {
                let field = FocusedElement { name: Some(text.into()), ..holding(text, label) };
                let value = [DeclaredValue::new(label, text), DeclaredValue::secret(text, label)];
                let _ = (fit(label, &field), value_for(&value, &field), pending(&value, std::slice::from_ref(&field)));
            }
        }
    }
}
