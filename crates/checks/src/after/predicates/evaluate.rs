//! One predicate against what was seen before and after the action. The answer is yes, no or not measured,
//! with the facts as its reason.

use surehand_types::observation::{FocusedElement, descriptor};
use surehand_types::result::PredicateResult;
use surehand_types::{Focus, ThreeValued};

use super::elements::{self, ElementFacts, NO_BRIDGE};
use super::{FocusRules, Predicate, PredicateKind, PredicateRules, cut};

/// Code points of a reason that are kept; addresses can be huge.
const REASON_KEPT: usize = 2000;

static UNKNOWN_FOCUS: Focus = Focus::Unknown;

/// What was seen around one action. An address or title that is empty counts as not known.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub url: Option<&'a str>,
    pub previous_url: Option<&'a str>,
    pub title: Option<&'a str>,
    pub previous_title: Option<&'a str>,
    /// After the action.
    pub focus: &'a Focus,
    pub frame: FrameFacts<'a>,
    /// Nothing where the environment cannot look at elements.
    pub elements: Option<ElementFacts<'a>>,
    /// How many modal dialogs were open, those of the page and those of the browser.
    pub modals_before: Option<u32>,
    pub modals_after: Option<u32>,
}

/// How the frames before and after compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFacts<'a> {
    Unknown,
    /// By the pixels that do not change by themselves.
    Pixels {
        changed: bool,
    },
    /// By perceptual hash; an empty one is no signal.
    Hashes {
        before: &'a str,
        after: &'a str,
    },
}

impl Default for Seen<'_> {
    fn default() -> Self {
        Seen {
            url: None,
            previous_url: None,
            title: None,
            previous_title: None,
            focus: &UNKNOWN_FOCUS,
            frame: FrameFacts::Unknown,
            elements: None,
            modals_before: None,
            modals_after: None,
        }
    }
}

impl FrameFacts<'_> {
    pub fn of_pixels(changed: Option<bool>) -> FrameFacts<'static> {
        changed.map_or(FrameFacts::Unknown, |changed| FrameFacts::Pixels { changed })
    }
}

/// Every predicate in order, as the step records them.
pub fn evaluate_all(predicates: &[Predicate], seen: &Seen<'_>, rules: &PredicateRules) -> Vec<PredicateResult> {
    predicates.iter().map(|predicate| record(predicate, &evaluate(predicate, seen, rules))).collect()
}

/// Predictions that cannot be held against the brain, or that nobody checks: all not measured.
pub fn unscored(predicates: &[Predicate], reason: &str) -> Vec<PredicateResult> {
    let answer = ThreeValued::not_measured(reason);
    predicates.iter().map(|predicate| record(predicate, &answer)).collect()
}

pub fn evaluate(predicate: &Predicate, seen: &Seen<'_>, rules: &PredicateRules) -> ThreeValued {
    let arg = predicate.arg.as_deref().filter(|arg| !arg.is_empty());
    let three_valued = rules.focus_rules == FocusRules::ThreeValued;
    match predicate.kind {
        PredicateKind::UrlContains => about("url", predicate.kind, arg, seen.url, |url, arg| url.contains(arg)),
        PredicateKind::UrlEquals => about("url", predicate.kind, arg, seen.url, |url, arg| url == arg),
        PredicateKind::TitleContains => {
            about("title", predicate.kind, arg, seen.title, |title, arg| title.contains(arg))
        }
        PredicateKind::UrlChanged => change("url", seen.previous_url, seen.url, true, three_valued),
        PredicateKind::UrlUnchanged => change("url", seen.previous_url, seen.url, false, three_valued),
        PredicateKind::TitleChanged => change("title", seen.previous_title, seen.title, true, three_valued),
        PredicateKind::FieldFocused => field_focused(arg, seen.focus, three_valued),
        PredicateKind::FieldUnfocused => field_unfocused(seen.focus, three_valued),
        PredicateKind::FrameChanged => frame(seen.frame, true),
        PredicateKind::FrameStable => frame(seen.frame, false),
        PredicateKind::ElementAppears => elements::appears(arg, seen.elements.as_ref()),
        PredicateKind::ElementDisappears => elements::disappears(arg, seen.elements.as_ref()),
        PredicateKind::ModalOpens => modals(seen, |before, after| after > before),
        PredicateKind::ModalCloses => modals(seen, |before, after| after < before),
    }
}

/// The same for a kind by its name, which may be none of ours: traces of others hold what they like.
pub fn evaluate_named(kind: &str, arg: Option<&str>, seen: &Seen<'_>, rules: &PredicateRules) -> ThreeValued {
    match PredicateKind::named(kind) {
        Some(kind) => evaluate(&Predicate { kind, arg: arg.map(str::to_string) }, seen, rules),
        None => ThreeValued::not_measured(format!("unknown predicate kind: {kind}")),
    }
}

fn record(predicate: &Predicate, answer: &ThreeValued) -> PredicateResult {
    PredicateResult {
        predicate: predicate.to_string(),
        result: answer.as_wire(),
        reason: cut(answer.reason(), REASON_KEPT).to_string(),
    }
}

fn answer(right: bool, reason: impl Into<String>) -> ThreeValued {
    if right { ThreeValued::yes(reason) } else { ThreeValued::no(reason) }
}

/// A question about what is there now.
fn about(
    what: &str,
    kind: PredicateKind,
    arg: Option<&str>,
    now: Option<&str>,
    holds: impl Fn(&str, &str) -> bool,
) -> ThreeValued {
    // A prediction that names nothing says nothing that could come true.
    let Some(arg) = arg else { return ThreeValued::no(format!("{} requires arg", kind.name())) };
    match known(now) {
        Some(now) => answer(holds(now, arg), now),
        None => ThreeValued::not_measured(format!("no {what} in observation")),
    }
}

fn change(what: &str, before: Option<&str>, after: Option<&str>, wanted: bool, three_valued: bool) -> ThreeValued {
    match (known(before), known(after)) {
        (None, None) => ThreeValued::not_measured(format!("no {what} before/after")),
        (None, Some(_)) if three_valued => ThreeValued::not_measured(format!("no {what} before")),
        (Some(_), None) if three_valued => ThreeValued::not_measured(format!("no {what} after")),
        (before, after) => {
            let arrow = format!("{} -> {}", before.unwrap_or_default(), after.unwrap_or_default());
            answer((before != after) == wanted, arrow)
        }
    }
}

fn known(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn frame(frame: FrameFacts<'_>, wanted: bool) -> ThreeValued {
    match frame {
        FrameFacts::Pixels { changed: true } => answer(wanted, "pixels changed that do not change by themselves"),
        FrameFacts::Pixels { changed: false } => answer(!wanted, "no pixel changed that does not change by itself"),
        FrameFacts::Hashes { before, after } if !before.is_empty() && !after.is_empty() => {
            answer((before != after) == wanted, format!("{before} -> {after}"))
        }
        _ => ThreeValued::not_measured("no frame hash before/after"),
    }
}

fn modals(seen: &Seen<'_>, holds: impl Fn(u32, u32) -> bool) -> ThreeValued {
    match (seen.modals_before, seen.modals_after) {
        (Some(before), Some(after)) => answer(holds(before, after), format!("{before} open before, {after} after")),
        _ => ThreeValued::not_measured(NO_BRIDGE),
    }
}

fn field_focused(arg: Option<&str>, focus: &Focus, three_valued: bool) -> ThreeValued {
    let element = match focus {
        Focus::Unknown if three_valued => return ThreeValued::not_measured("focus unknown"),
        Focus::Unknown | Focus::Nothing => return ThreeValued::no("no field focused"),
        Focus::Element(element) => element,
    };
    let shown = format!("focused: {}", shown(element));
    match arg {
        Some(arg) => answer(is_called(element, arg), shown),
        None => answer(!three_valued || is_field(element), shown),
    }
}

fn field_unfocused(focus: &Focus, three_valued: bool) -> ThreeValued {
    match focus {
        Focus::Unknown if three_valued => ThreeValued::not_measured("focus unknown"),
        Focus::Unknown | Focus::Nothing => ThreeValued::yes("no field focused"),
        Focus::Element(element) => answer(three_valued && !is_field(element), format!("focused: {}", shown(element))),
    }
}

/// Whether one of the names that an element goes by contains the word. A hash before it is the habit of
/// those who think in selectors.
fn is_called(element: &FocusedElement, arg: &str) -> bool {
    let word = arg.to_lowercase();
    let word = word.trim_start_matches('#');
    let FocusedElement { id, name, label, selector, placeholder, .. } = element;
    let mut names = [id, name, label, selector, placeholder].into_iter().flatten();
    word.is_empty() || names.any(|name| name.to_lowercase().contains(word))
}

/// Something that takes a value: a focused button or link is no field.
fn is_field(element: &FocusedElement) -> bool {
    const VALUE_ROLES: [&str; 9] =
        ["textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "radio", "switch"];
    const BUTTON_TYPES: [&str; 4] = ["button", "submit", "reset", "image"];
    let kind = element.r#type.as_deref().unwrap_or_default();
    let nothing_known = element.tag.is_empty() && element.role.is_none();
    element.editable
        || nothing_known
        || matches!(element.tag.as_str(), "select" | "textarea")
        || (element.tag == "input" && !BUTTON_TYPES.contains(&kind))
        || element.role.as_deref().is_some_and(|role| VALUE_ROLES.contains(&role))
}

fn shown(element: &FocusedElement) -> String {
    let kinds = [element.role.as_deref(), Some(element.tag.as_str()), Some("field")];
    let kind = kinds.into_iter().flatten().find(|kind| !kind.is_empty()).unwrap_or("field");
    let FocusedElement { label, name, id, placeholder, .. } = element;
    let name = [label, name, id, placeholder].into_iter().flatten().find(|name| !name.is_empty());
    descriptor(kind, cut(name.map_or("", String::as_str), 80))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, seen: &Seen<'_>, wanted: Option<bool>, reason: &str) {
        let rules = PredicateRules::default();
        let (kind, arg) = text.split_once(':').map_or((text, None), |(kind, arg)| (kind, Some(arg)));
        let answer = evaluate_named(kind, arg, seen, &rules);
        assert_eq!((answer.as_wire(), answer.reason()), (wanted, reason), "{text}");
    }

    #[test]
    fn dev_04_one_side_is_not_a_change() {
        let gone = Seen { url: Some(""), previous_url: Some("https://a/"), ..Seen::default() };
        check("url_changed", &gone, None, "no url after");
        check("url_unchanged", &gone, None, "no url after");
        let came = Seen { url: Some("https://a/"), previous_url: Some(""), title: Some("A"), ..Seen::default() };
        check("url_changed", &came, None, "no url before");
        check("title_changed", &came, None, "no title before");
        check("url_contains:/a", &came, Some(true), "https://a/");
        let source = evaluate_named("url_changed", None, &came, &PredicateRules::VECTORS);
        assert_eq!((source.as_wire(), source.reason()), (Some(true), " -> https://a/"));
    }

    #[test]
    fn dev_05_unknown_focus_is_neither_focus_nor_none() {
        check("field_focused", &Seen::default(), None, "focus unknown");
        check("field_focused:email", &Seen::default(), None, "focus unknown");
        check("field_unfocused", &Seen::default(), None, "focus unknown");
        let nowhere = Seen { focus: &Focus::Nothing, ..Seen::default() };
        check("field_focused", &nowhere, Some(false), "no field focused");
        check("field_unfocused", &nowhere, Some(true), "no field focused");
        let source = |kind| evaluate_named(kind, None, &Seen::default(), &PredicateRules::VECTORS).as_wire();
        assert_eq!((source("field_focused"), source("field_unfocused")), (Some(false), Some(true)));
    }

    #[test]
    fn a_focused_button_is_no_focused_field_unless_it_was_named() {
        let element = FocusedElement {
            tag: "button".into(),
            role: Some("button".into()),
            label: Some("Save".into()),
            ..FocusedElement::default()
        };
        let focus = Focus::Element(Box::new(element));
        let seen = Seen { focus: &focus, ..Seen::default() };
        check("field_focused", &seen, Some(false), "focused: button \"Save\"");
        check("field_focused:save", &seen, Some(true), "focused: button \"Save\"");
        check("field_unfocused", &seen, Some(true), "focused: button \"Save\"");
        let element = FocusedElement { tag: "input".into(), id: Some("q".into()), ..FocusedElement::default() };
        let focus = Focus::Element(Box::new(element));
        let seen = Seen { focus: &focus, ..Seen::default() };
        check("field_focused", &seen, Some(true), "focused: input \"q\"");
        check("field_focused:#q", &seen, Some(true), "focused: input \"q\"");
        check("field_unfocused", &seen, Some(false), "focused: input \"q\"");
    }

    #[test]
    fn frames_are_compared_by_what_was_measured() {
        let seen = |frame| Seen { frame, ..Seen::default() };
        let changed = seen(FrameFacts::of_pixels(Some(true)));
        check("frame_changed", &changed, Some(true), "pixels changed that do not change by themselves");
        check("frame_stable", &changed, Some(false), "pixels changed that do not change by themselves");
        let quiet = seen(FrameFacts::of_pixels(Some(false)));
        check("frame_stable", &quiet, Some(true), "no pixel changed that does not change by itself");
        check("frame_changed", &seen(FrameFacts::of_pixels(None)), None, "no frame hash before/after");
        check(
            "frame_changed",
            &seen(FrameFacts::Hashes { before: "a", after: "" }),
            None,
            "no frame hash before/after",
        );
        check("frame_stable", &seen(FrameFacts::Hashes { before: "a", after: "a" }), Some(true), "a -> a");
    }

    #[test]
    fn modals_are_counted() {
        let seen = |modals_before, modals_after| Seen { modals_before, modals_after, ..Seen::default() };
        check("modal_opens", &seen(Some(0), Some(1)), Some(true), "0 open before, 1 after");
        check("modal_closes", &seen(Some(0), Some(1)), Some(false), "0 open before, 1 after");
        check("modal_closes", &seen(Some(2), Some(1)), Some(true), "2 open before, 1 after");
        check("modal_opens", &seen(None, Some(1)), None, "no DOM/OCR signal");
    }

    #[test]
    fn a_substituted_action_leaves_its_predictions_unscored() {
        let predicates = [Predicate { kind: PredicateKind::UrlContains, arg: Some("/a".into()) }];
        let results = unscored(&predicates, super::super::ACTION_SUBSTITUTED);
        assert_eq!(results[0].predicate, "url_contains:/a");
        assert_eq!((results[0].result, results[0].reason.as_str()), (None, "action substituted"));
    }

    #[test]
    fn reasons_are_bounded() {
        let url = "ü".repeat(100_000);
        let seen = Seen { url: Some(&url), ..Seen::default() };
        let predicates = [Predicate { kind: PredicateKind::UrlContains, arg: Some("x".into()) }];
        let results = evaluate_all(&predicates, &seen, &PredicateRules::default());
        assert_eq!((results[0].result, results[0].reason.chars().count()), (Some(false), REASON_KEPT));
    }
}
