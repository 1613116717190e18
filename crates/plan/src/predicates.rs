//! Predicates of a plan: the grammar is that of predictions (`checks::after::predicates`), but nothing is
//! dropped silently here, and what they say of elements and dialogs is about the page as it is.

use surehand_checks::after::predicates::{
    ElementFacts, Predicate, PredicateKind, PredicateRules, Seen, SelectorCount, Visible, evaluate, parse_list,
};
use surehand_types::ThreeValued;

use crate::problem::{nearest, quoted};

/// Reads one; what is wrong is a sentence and a hint.
pub fn read(text: &str) -> Result<Predicate, (String, String)> {
    let Some(predicate) = parse_list(&[text], &PredicateRules::default()).pop() else {
        let names: Vec<&str> = PredicateKind::ALL.iter().map(|kind| kind.name()).collect();
        let kind = text.split(':').next().unwrap_or_default().trim().to_lowercase();
        return Err((format!("`{}` is no predicate", quoted(text)), nearest(&kind, &names)));
    };
    let name = predicate.kind.name();
    match (argument(predicate.kind), &predicate.arg) {
        (Argument::Needed(example), None) => {
            Err((format!("`{name}` does not say what"), format!("as in {name}:{example}")))
        }
        (Argument::None, Some(_)) => Err((format!("`{name}` takes nothing after a colon"), format!("write {name}"))),
        _ => Ok(predicate),
    }
}

/// Whether it compares with an earlier moment, which a condition does not have.
pub fn compares(kind: PredicateKind) -> bool {
    use PredicateKind::{FrameChanged, FrameStable, TitleChanged, UrlChanged, UrlUnchanged};
    matches!(kind, UrlChanged | UrlUnchanged | TitleChanged | FrameChanged | FrameStable)
}

/// Whether a predicate of a plan holds. Elements and dialogs are there or not, whatever was before: a step that
/// is tried again may find its work done. The other kinds compare `seen`, whose earlier side is the step's start.
pub fn holds(predicate: &Predicate, seen: &Seen<'_>) -> ThreeValued {
    let rules = PredicateRules::default();
    match predicate.kind {
        PredicateKind::ElementAppears => present(predicate, seen),
        PredicateKind::ElementDisappears => inverted(present(predicate, seen)),
        PredicateKind::ModalOpens | PredicateKind::ModalCloses => match seen.modals_after {
            Some(open) => {
                let wanted = predicate.kind == PredicateKind::ModalOpens;
                let reason = format!("{open} open");
                if (open > 0) == wanted { ThreeValued::yes(reason) } else { ThreeValued::no(reason) }
            }
            None => ThreeValued::not_measured("dialogs were not counted"),
        },
        _ => evaluate(predicate, seen, &rules),
    }
}

enum Argument {
    Needed(&'static str),
    Optional,
    None,
}

fn argument(kind: PredicateKind) -> Argument {
    match kind {
        PredicateKind::UrlContains => Argument::Needed("/checkout"),
        PredicateKind::UrlEquals => Argument::Needed("https://shop.example/cart"),
        PredicateKind::TitleContains => Argument::Needed("Cart"),
        PredicateKind::ElementAppears | PredicateKind::ElementDisappears => Argument::Needed("Saved"),
        PredicateKind::FieldFocused => Argument::Optional,
        _ => Argument::None,
    }
}

/// Compared with a page on which nothing was.
fn present(predicate: &Predicate, seen: &Seen<'_>) -> ThreeValued {
    let Some(facts) = seen.elements else { return ThreeValued::not_measured("elements were not looked at") };
    let selectors: Vec<SelectorCount> = facts
        .selectors
        .iter()
        .map(|counted| SelectorCount { before: counted.after.map(|_| 0), ..counted.clone() })
        .collect();
    // A selector that nobody counted was not counted before either.
    let nothing = Visible { interactables: &[], texts: &[], complete: true };
    let facts = ElementFacts { before: Some(nothing), after: facts.after, selectors: &selectors };
    let appears = Predicate { kind: PredicateKind::ElementAppears, arg: predicate.arg.clone() };
    evaluate(&appears, &Seen { elements: Some(facts), ..*seen }, &PredicateRules::default())
}

fn inverted(answer: ThreeValued) -> ThreeValued {
    match answer {
        ThreeValued::Yes { reason } => ThreeValued::No { reason },
        ThreeValued::No { reason } => ThreeValued::Yes { reason },
        unknown => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_read_or_refused_with_a_hint() {
        for text in ["url_contains:/a:b", "URL_CHANGED", "field_focused", "field_focused:email", "modal_opens"] {
            assert!(read(text).is_ok(), "{text}");
        }
        let check = |text: &str, said: &str, hint: &str| {
            let (sentence, found) = read(text).unwrap_err();
            assert!(sentence.contains(said) && found.contains(hint), "{text}: {sentence} / {found}");
        };
        check("url_contain:/a", "no predicate", "did you mean `url_contains`?");
        check("url_contains", "does not say what", "url_contains:/checkout");
        check("url_changed:yes", "takes nothing", "write url_changed");
        check("", "no predicate", "there are");
    }

    #[test]
    fn elements_are_there_or_not_whatever_was_before() {
        let texts = ["Saved".to_string()];
        let there = Visible { interactables: &[], texts: &texts, complete: true };
        let empty = Visible { interactables: &[], texts: &[], complete: true };
        let partly = Visible { complete: false, ..empty };
        let counts = |after| [SelectorCount { selector: "#ok".into(), before: None, after }];
        let check = |text: &str, after: Visible<'_>, counted: Option<u32>, expected: Option<bool>| {
            let selectors = counts(counted);
            let elements = ElementFacts { before: Some(after), after: Some(after), selectors: &selectors };
            let seen = Seen { elements: Some(elements), ..Seen::default() };
            let found = holds(&read(text).unwrap(), &seen);
            assert_eq!(found.as_wire(), expected, "{text} {counted:?}: {found:?}");
        };
        check("element_appears:Saved", there, None, Some(true));
        check("element_disappears:Saved", there, None, Some(false));
        check("element_appears:Saved", empty, None, Some(false));
        check("element_disappears:Saved", empty, None, Some(true));
        check("element_appears:Saved", partly, None, None);
        check("element_appears:#ok", empty, Some(2), Some(true));
        check("element_disappears:#ok", empty, Some(0), Some(true));
        check("element_appears:#ok", empty, None, None);
        assert_eq!(holds(&read("element_appears:x").unwrap(), &Seen::default()).as_wire(), None);
        let open =
            |text: &str, open| holds(&read(text).unwrap(), &Seen { modals_after: open, ..Seen::default() }).as_wire();
        assert_eq!(
            (open("modal_opens", Some(1)), open("modal_closes", Some(1)), open("modal_opens", None)),
            (Some(true), Some(false), None)
        );
    }
}
