//! Whether something came or went, by its text or its selector, from what an environment could see before
//! and after the action.

use surehand_types::{Interactable, ThreeValued};

use super::{Predicate, PredicateKind};

/// The words of the vectors for what nobody measured.
pub(super) const NO_BRIDGE: &str = "no DOM/OCR signal";

/// What an environment with a bridge to the page, or with eyes for its text, saw around an action.
#[derive(Debug, Clone, Copy, Default)]
pub struct ElementFacts<'a> {
    pub before: Option<Visible<'a>>,
    pub after: Option<Visible<'a>>,
    /// What was counted for `selectors_to_measure`.
    pub selectors: &'a [SelectorCount],
}

/// What could be seen at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct Visible<'a> {
    pub interactables: &'a [Interactable],
    pub texts: &'a [String],
    /// False when something may have been left out: then what is not here may still be there.
    pub complete: bool,
}

/// How many visible elements a selector matched; nothing where it could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectorCount {
    pub selector: String,
    pub before: Option<u32>,
    pub after: Option<u32>,
}

/// The arguments that may be selectors: to be counted before the action and after it.
pub fn selectors_to_measure(predicates: &[Predicate]) -> Vec<&str> {
    let about_elements = predicates
        .iter()
        .filter(|predicate| matches!(predicate.kind, PredicateKind::ElementAppears | PredicateKind::ElementDisappears));
    let mut selectors: Vec<&str> = Vec::new();
    for arg in about_elements.filter_map(|predicate| predicate.arg.as_deref()) {
        if may_be_selector(arg) && !selectors.contains(&arg) {
            selectors.push(arg);
        }
    }
    selectors
}

pub(super) fn appears(arg: Option<&str>, facts: Option<&ElementFacts<'_>>) -> ThreeValued {
    compare(arg, facts, |what, before, after| match (before.found, after.found) {
        (_, Some(false)) => ThreeValued::no(format!("{what} is not there")),
        (_, None) => ThreeValued::not_measured(format!("{what} was not found, but not everything was seen")),
        (Some(false), _) => ThreeValued::yes(format!("{what} is there and was not before")),
        (None, _) => ThreeValued::not_measured(format!("{what} is there; whether it was before is not known")),
        (Some(true), _) if after.count > before.count => {
            ThreeValued::yes(format!("{what}: {} before, {} after", before.count, after.count))
        }
        (Some(true), _) => ThreeValued::no(format!("{what} was there already")),
    })
}

pub(super) fn disappears(arg: Option<&str>, facts: Option<&ElementFacts<'_>>) -> ThreeValued {
    compare(arg, facts, |what, before, after| match (before.found, after.found) {
        (Some(false), _) => ThreeValued::no(format!("{what} was not there before")),
        (None, _) => ThreeValued::not_measured(format!("whether {what} was there before is not known")),
        (_, Some(false)) => ThreeValued::yes(format!("{what} was there and is gone")),
        (_, None) => ThreeValued::not_measured(format!("{what} was not found, but not everything was seen")),
        (_, Some(true)) if after.count < before.count => {
            ThreeValued::yes(format!("{what}: {} before, {} after", before.count, after.count))
        }
        (_, Some(true)) => ThreeValued::no(format!("{what} is still there")),
    })
}

/// One side of the comparison.
struct Sight {
    /// Not known when it was not found where not everything was seen.
    found: Option<bool>,
    /// Elements that are exactly what was named, if one can be told from another.
    count: usize,
}

fn compare(
    arg: Option<&str>,
    facts: Option<&ElementFacts<'_>>,
    judge: impl Fn(&str, &Sight, &Sight) -> ThreeValued,
) -> ThreeValued {
    let Some(facts) = facts else { return ThreeValued::not_measured(NO_BRIDGE) };
    let Some(arg) = arg else { return ThreeValued::not_measured("no element was named") };
    let counted = facts.selectors.iter().find(|counted| counted.selector == arg);
    let (matched_before, matched_after) = counted.map_or((None, None), |counted| (counted.before, counted.after));
    let mut before = sight(arg, facts.before, matched_before);
    let mut after = sight(arg, facts.after, matched_after);
    // Numbers compare only where both sides were counted in the same way.
    if matched_before.is_some() != matched_after.is_some() {
        (before.count, after.count) = (0, 0);
    }
    judge(&format!("{arg:?}"), &before, &after)
}

fn sight(arg: &str, visible: Option<Visible<'_>>, matched: Option<u32>) -> Sight {
    let named = words(arg);
    let mut found = false;
    let mut count = matched.map_or(0, |matched| matched as usize);
    for thing in visible.iter().flat_map(|visible| visible.interactables) {
        let (role, name) = (words(&thing.role), words(&thing.name));
        let both = format!("{role} {name}");
        found |= mentions(&name, &named) || role == named || both == named;
        count += usize::from(name == named || role == named || both == named);
    }
    for text in visible.iter().flat_map(|visible| visible.texts) {
        let text = words(text);
        found |= mentions(&text, &named);
        count += usize::from(text == named);
    }
    // A selector that was not counted may match what has no such text.
    let text_decides = visible.is_some_and(|visible| visible.complete) && !is_selector(arg);
    let found = match (found, matched) {
        (true, _) | (_, Some(1..)) => Some(true),
        (false, Some(0)) if is_selector(arg) => Some(false),
        (false, _) => text_decides.then_some(false),
    };
    Sight { found, count }
}

/// Lower case, single spaces, no quotes: `button "Save"` and `Button Save` are the same words.
fn words(text: &str) -> String {
    let plain = text.replace(['"', '“', '”', '\''], "").to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the words stand in the text as whole words: `Save` is not in `Saved`.
fn mentions(text: &str, words: &str) -> bool {
    if words.is_empty() {
        return false;
    }
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
        let glued =
            |outer: Option<char>, inner: Option<char>| outer.is_some_and(makes_words) && inner.is_some_and(makes_words);
        !glued(before, words.chars().next()) && !glued(after, words.chars().next_back())
    })
}

/// Letters of scripts that put spaces between words; others run on without a border.
fn makes_words(letter: char) -> bool {
    letter.is_lowercase() || letter.is_ascii_digit()
}

/// Can hardly be the text of an element.
fn is_selector(arg: &str) -> bool {
    let mut letters = arg.chars();
    let first = letters.next();
    let second = letters.next();
    match first {
        Some('#' | '.') => second.is_some_and(|second| second.is_ascii_alphabetic() || matches!(second, '_' | '-')),
        Some('[') => second.is_some_and(|second| second.is_ascii_alphabetic()) && arg.ends_with(']'),
        _ => false,
    }
}

/// Written like a selector, though it may be a text: `div.modal`, but `example.com` as well.
fn may_be_selector(arg: &str) -> bool {
    let ascii_start = arg.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let compound = arg.contains(['#', '.', '[', '>']) && !arg.contains(". ");
    is_selector(arg) || (ascii_start && compound && !arg.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::GridBox;

    fn thing(role: &str, name: &str) -> Interactable {
        Interactable::new(role, name, GridBox { x0: 0, y0: 0, x1: 1, y1: 1 })
    }

    struct Page {
        things: Vec<Interactable>,
        texts: Vec<String>,
    }

    fn page(things: &[(&str, &str)], texts: &[&str]) -> Page {
        Page {
            things: things.iter().map(|(role, name)| thing(role, name)).collect(),
            texts: texts.iter().map(ToString::to_string).collect(),
        }
    }

    impl Page {
        fn visible(&self, complete: bool) -> Option<Visible<'_>> {
            Some(Visible { interactables: &self.things, texts: &self.texts, complete })
        }
    }

    /// What `element_appears` and `element_disappears` say.
    fn both(arg: &str, before: &Page, after: &Page) -> (Option<bool>, Option<bool>) {
        let facts = ElementFacts { before: before.visible(true), after: after.visible(true), selectors: &[] };
        (appears(Some(arg), Some(&facts)).as_wire(), disappears(Some(arg), Some(&facts)).as_wire())
    }

    #[test]
    fn texts_and_names_come_and_go() {
        let empty = page(&[], &[]);
        let thanks = page(&[("button", "Continue shopping")], &["Thanks  for your\norder"]);
        for arg in ["thanks", "THANKS for your order", "Continue", "button \"Continue shopping\"", "button"] {
            assert_eq!(both(arg, &empty, &thanks), (Some(true), Some(false)), "{arg}");
            assert_eq!(both(arg, &thanks, &empty), (Some(false), Some(true)), "{arg}");
            assert_eq!(both(arg, &thanks, &thanks), (Some(false), Some(false)), "{arg}");
            assert_eq!(both(arg, &empty, &empty), (Some(false), Some(false)), "{arg}");
        }
    }

    #[test]
    fn words_are_whole_where_the_script_has_words() {
        assert_eq!(both("Save", &page(&[("button", "Save")], &[]), &page(&[], &["Saved"])), (Some(false), Some(true)));
        assert_eq!(both("保存", &page(&[], &[]), &page(&[], &["保存しました"])).0, Some(true));
        assert_eq!(both("5 €", &page(&[], &[]), &page(&[], &["Total: 5 €."])).0, Some(true));
        assert_eq!(both("5 €", &page(&[], &[]), &page(&[], &["Total: 15 €."])).0, Some(false));
    }

    #[test]
    fn one_more_of_the_same_has_appeared() {
        let one = page(&[("button", "Remove")], &[]);
        let two = page(&[("button", "Remove"), ("button", "Remove")], &[]);
        assert_eq!(both("Remove", &one, &two), (Some(true), Some(false)));
        assert_eq!(both("Remove", &two, &one), (Some(false), Some(true)));
    }

    #[test]
    fn what_was_not_seen_completely_is_not_called_absent() {
        let (empty, done) = (page(&[], &[]), page(&[], &["Done"]));
        let facts = ElementFacts { before: empty.visible(false), after: done.visible(false), selectors: &[] };
        assert_eq!(appears(Some("Done"), Some(&facts)).as_wire(), None);
        assert_eq!(disappears(Some("Done"), Some(&facts)).as_wire(), None);
        assert_eq!(appears(Some("Other"), Some(&facts)).as_wire(), None);
        let one_sided = ElementFacts { before: None, after: done.visible(true), selectors: &[] };
        assert_eq!(appears(Some("Done"), Some(&one_sided)).as_wire(), None);
        assert_eq!(appears(Some("Other"), Some(&one_sided)).as_wire(), Some(false));
        assert_eq!(appears(None, Some(&one_sided)).as_wire(), None);
        assert_eq!(appears(Some("Done"), None), ThreeValued::not_measured(NO_BRIDGE));
    }

    #[test]
    fn selectors_are_counted_by_the_environment() {
        let page = page(&[], &["about div.modal"]);
        let count = |selector: &str, before, after| SelectorCount { selector: selector.into(), before, after };
        let selectors =
            [count("#spinner", Some(1), Some(0)), count("div.menu", Some(0), Some(2)), count(".bad", None, None)];
        let facts = ElementFacts { before: page.visible(true), after: page.visible(true), selectors: &selectors };
        assert_eq!(disappears(Some("#spinner"), Some(&facts)).as_wire(), Some(true));
        assert_eq!(appears(Some("#spinner"), Some(&facts)).as_wire(), Some(false));
        assert_eq!(appears(Some("div.menu"), Some(&facts)).as_wire(), Some(true));
        assert_eq!(appears(Some(".bad"), Some(&facts)).as_wire(), None);
        assert_eq!(appears(Some("#unmeasured"), Some(&facts)).as_wire(), None);
        assert_eq!(appears(Some("div.modal"), Some(&facts)).as_wire(), Some(false));
    }

    #[test]
    fn only_what_may_be_a_selector_is_asked_for() {
        let predicate = |kind, arg: &str| Predicate { kind, arg: Some(arg.into()) };
        let predicates = [
            predicate(PredicateKind::ElementAppears, "#toast"),
            predicate(PredicateKind::ElementDisappears, "#toast"),
            predicate(PredicateKind::ElementDisappears, "ul > li.open"),
            predicate(PredicateKind::ElementAppears, "Thanks for your order."),
            predicate(PredicateKind::ElementAppears, "#42"),
            predicate(PredicateKind::UrlContains, "#y"),
            Predicate { kind: PredicateKind::ElementAppears, arg: None },
        ];
        assert_eq!(selectors_to_measure(&predicates), ["#toast", "ul > li.open"]);
    }

    #[test]
    fn any_argument_is_survived() {
        let page = page(&[("", ""), ("button", "\"")], &["", "'", "ß [", "#"]);
        let facts = ElementFacts { before: page.visible(true), after: page.visible(false), selectors: &[] };
        for arg in ["", "\"", "'\"'", "#", ".", "[", "[]", "ß", "\0", "> ", "#é", " "] {
            let predicate = Predicate { kind: PredicateKind::ElementAppears, arg: Some(arg.into()) };
            let _ = (appears(Some(arg), Some(&facts)), disappears(Some(arg), Some(&facts)));
            let _ = selectors_to_measure(&[predicate]);
        }
    }
}
