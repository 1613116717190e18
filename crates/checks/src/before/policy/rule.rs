//! One rule: what it decides, and the conditions that must all hold for it.

use surehand_types::observation::DialogKind;

use super::Verdict;
use super::facts::Facts;
use super::origin::OriginPattern;
use super::words::{Phrase, Words};

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) decision: Verdict,
    pub(crate) reason: String,
    pub(crate) when: Conditions,
}

/// Empty lists and `None` ask for nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) tool: Vec<String>,
    pub(crate) action: Vec<String>,
    pub(crate) url: Vec<Glob>,
    pub(crate) origin: Vec<OriginPattern>,
    pub(crate) opens: Vec<Glob>,
    pub(crate) target: Vec<Phrase>,
    pub(crate) except: Vec<Phrase>,
    pub(crate) role: Vec<String>,
    pub(crate) text: Vec<Phrase>,
    pub(crate) context: Vec<Phrase>,
    pub(crate) dialog: Vec<Phrase>,
    pub(crate) dialog_kind: Vec<DialogKind>,
    pub(crate) key: Vec<String>,
    pub(crate) secret: Option<SecretNamed>,
    pub(crate) presses: Option<bool>,
    pub(crate) submits: Option<bool>,
    pub(crate) beside: Option<bool>,
    pub(crate) resends: Option<bool>,
    pub(crate) navigates: Option<bool>,
    pub(crate) uploads: Option<bool>,
    pub(crate) unknown_origin: Option<bool>,
    pub(crate) unseen: Option<bool>,
    pub(crate) pastes_secret: Option<bool>,
}

#[derive(Debug, Clone)]
pub(crate) enum SecretNamed {
    Any,
    None,
    OneOf(Vec<String>),
}

/// A text with `*` for any run of characters, compared without regard to case.
#[derive(Debug, Clone)]
pub(crate) struct Glob(Vec<String>);

impl Glob {
    pub(crate) fn parse(text: &str) -> Glob {
        Glob(text.trim().to_lowercase().split('*').map(str::to_string).collect())
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let Some((first, rest)) = self.0.split_first() else { return false };
        let Some(mut left) = text.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = rest.split_last() else { return left.is_empty() };
        for part in middle {
            match left.find(part.as_str()) {
                Some(at) => left = &left[at + part.len()..],
                None => return false,
            }
        }
        left.ends_with(last.as_str())
    }
}

impl Rule {
    /// The first condition that does not hold, by its name; `None` where the rule applies.
    pub(crate) fn fails_by(&self, facts: &Facts) -> Option<&'static str> {
        let when = &self.when;
        let listed = |list: &[String], value: &str| list.is_empty() || list.iter().any(|entry| entry == value);
        let flag = |wanted: Option<bool>, is: bool| wanted.is_none_or(|wanted| wanted == is);
        let words = |phrases: &[Phrase], texts: &[Words]| phrases.is_empty() || any_of(phrases, texts);
        let (dialog_kind, dialog_words) = match &facts.dialog {
            Some((kind, words)) => (Some(*kind), std::slice::from_ref(words)),
            None => (None, &[][..]),
        };
        let checks = [
            ("tool", listed(&when.tool, facts.tool)),
            ("action", listed(&when.action, facts.action)),
            ("uploads", flag(when.uploads, facts.uploads)),
            ("presses", flag(when.presses, facts.presses)),
            ("submits", flag(when.submits, facts.submits)),
            ("beside", flag(when.beside, facts.beside)),
            ("resends", flag(when.resends, facts.resends)),
            ("unseen", flag(when.unseen, facts.unseen)),
            ("pastes_secret", flag(when.pastes_secret, facts.pastes_secret)),
            ("navigates", flag(when.navigates, facts.navigates)),
            ("unknown_origin", flag(when.unknown_origin, facts.unknown_origin)),
            ("role", when.role.is_empty() || facts.role.as_ref().is_some_and(|role| when.role.contains(role))),
            ("secret", when.secret.as_ref().is_none_or(|secret| secret.matches(&facts.secrets))),
            ("key", when.key.is_empty() || facts.keys.iter().any(|key| when.key.contains(key))),
            (
                "dialog_kind",
                when.dialog_kind.is_empty() || dialog_kind.is_some_and(|kind| when.dialog_kind.contains(&kind)),
            ),
        ];
        if let Some((name, _)) = checks.into_iter().find(|(_, holds)| !holds) {
            return Some(name);
        }
        // What takes longer to compare comes last.
        let opens = |globs: &[Glob]| {
            globs.is_empty() || facts.opens.as_ref().is_some_and(|url| globs.iter().any(|glob| glob.matches(url)))
        };
        // What takes a rule back belongs to the words that tell what is at stake: those of the heading, of the control,
        // or of the choice.
        let heading = std::slice::from_ref(&facts.context);
        let at_stake = match (when.context.is_empty(), when.target.is_empty(), when.text.is_empty()) {
            (false, _, _) => (&when.context, heading),
            (true, true, false) => (&when.text, facts.texts.as_slice()),
            _ => (&when.target, facts.targets.as_slice()),
        };
        let checks: [(&'static str, &dyn Fn() -> bool); 8] = [
            ("opens", &|| opens(&when.opens)),
            ("url", &|| when.url.is_empty() || when.url.iter().any(|glob| glob.matches(&facts.url))),
            ("origin", &|| {
                let own = facts.origin.as_ref();
                when.origin.is_empty() || own.is_some_and(|own| when.origin.iter().any(|pattern| pattern.matches(own)))
            }),
            ("target", &|| words(&when.target, &facts.targets)),
            ("text", &|| words(&when.text, &facts.texts)),
            ("context", &|| words(&when.context, heading)),
            ("except", &|| !is_taken_back(at_stake.0, &when.except, at_stake.1)),
            ("dialog", &|| words(&when.dialog, dialog_words)),
        ];
        checks.into_iter().find(|(_, holds)| !holds()).map(|(name, _)| name)
    }
}

impl SecretNamed {
    fn matches(&self, typed: &[String]) -> bool {
        match self {
            SecretNamed::Any => !typed.is_empty(),
            SecretNamed::None => typed.is_empty(),
            SecretNamed::OneOf(names) => typed.iter().any(|name| names.contains(name)),
        }
    }
}

/// Whether `except` speaks of every text that the rule is about. Another text does not excuse it, or a page could
/// call its button "Remove filter" and write "Delete all" on it; unless it only says the same in more words.
fn is_taken_back(wanted: &[Phrase], except: &[Phrase], texts: &[Words]) -> bool {
    let (excused, others): (Vec<&Words>, Vec<&Words>) = texts.iter().partition(|text| text.first_of(except).is_some());
    let stands = |text: &Words| text.first_of(wanted).is_some() && !excused.iter().any(|longer| longer.holds(text));
    !excused.is_empty() && !others.into_iter().any(stands)
}

fn any_of(phrases: &[Phrase], texts: &[Words]) -> bool {
    texts.iter().any(|text| text.first_of(phrases).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, expected) in [
            ("file:*", "FILE:///etc/passwd", true),
            ("file:*", "http://x/file:", false),
            ("https://shop.test/*/pay", "https://shop.test/a/b/pay", true),
            ("https://shop.test/*/pay", "https://shop.test/pay", false),
            ("about:blank", "about:blank", true),
            ("about:blank", "about:blank#x", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("*b*", "abc", true),
        ] {
            assert_eq!(Glob::parse(glob).matches(text), expected, "{glob} {text}");
        }
    }
}
