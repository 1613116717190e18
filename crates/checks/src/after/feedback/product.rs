//! Which lines a measured effect deserves. Every line is a fact that was measured: a warning needs an
//! effect that was looked for and not found, and what could not be measured is said to be unknown.

use surehand_types::observation::{Focus, FocusedElement};
use surehand_types::{Effect, EffectStatus, Evidence, Hit};

use super::lines::{FeedbackLine, FieldContent};
use crate::after::perceptual::PerceptualCheck;
use crate::after::probe::Manner;

/// Changes that are listed one by one.
const LISTED: usize = 3;

/// Everything that is known about one call after it settled.
#[derive(Debug, Clone, Copy)]
pub struct EffectFacts<'a> {
    /// What the environment says it did; nothing that stands there is said again.
    pub message: &'a str,
    /// `None` for calls that have none, such as waiting.
    pub manner: Option<Manner>,
    /// `None` where effects are not measured.
    pub effect: Option<&'a Effect>,
    pub hit: Option<&'a Hit>,
    pub before: PageState<'a>,
    pub after: PageState<'a>,
    pub check: Option<&'a PerceptualCheck>,
}

/// The page at one moment, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct PageState<'a> {
    pub url: Option<&'a str>,
    pub title: Option<&'a str>,
    pub focus: &'a Focus,
}

pub fn product_feedback(facts: &EffectFacts<'_>) -> Vec<FeedbackLine> {
    let mut lines = page_lines(facts);
    let page_told = !lines.is_empty();
    if let Some(effect) = facts.effect {
        match effect.status {
            EffectStatus::Confirmed => lines.extend(change_lines(effect, facts, page_told)),
            EffectStatus::NoEffect => {
                lines.push(if at_the_end(effect) { FeedbackLine::AtTheEnd } else { FeedbackLine::Dead });
                lines.extend(received_by(facts));
            }
            EffectStatus::Unverifiable => {
                lines.extend(not_known(effect));
                lines.extend(received_by(facts));
            }
            // The message of a call that was not made says why.
            EffectStatus::Refused => {}
        }
        let flashes = of_kind(effect, "flashed").take(LISTED);
        lines.extend(flashes.map(|flash| FeedbackLine::Flashed { text: flash.detail.clone() }));
    }
    if let Some(field) = entered_field(facts).filter(|_| !page_told) {
        lines.push(FeedbackLine::Focused { field: name_of(field), content: content_of(field) });
        lines.push(FeedbackLine::TypeNow);
    } else if let Some(check) = facts.check.filter(|check| check.effect_observed == Some(false))
        && !page_told
        && hash_is_all_there_is(facts.effect)
    {
        lines.push(FeedbackLine::HighRiskDead { reason: check.reason.as_str().into() });
    }
    lines
}

/// Address and title, where both sides are known.
fn page_lines(facts: &EffectFacts<'_>) -> Vec<FeedbackLine> {
    let changed = |before: Option<&str>, after: Option<&str>| {
        let after = after.filter(|after| !after.is_empty())?;
        (before? != after).then(|| after.to_string())
    };
    let url = changed(facts.before.url, facts.after.url).filter(|url| !facts.message.contains(url.as_str()));
    let title = changed(facts.before.title, facts.after.title);
    let url = url.map(|url| FeedbackLine::Navigated { url });
    url.into_iter().chain(title.map(|title| FeedbackLine::Titled { title })).collect()
}

/// What an effect that is confirmed rests on.
fn change_lines(effect: &Effect, facts: &EffectFacts<'_>, page_told: bool) -> Vec<FeedbackLine> {
    let changes: Vec<&Evidence> =
        effect.evidence.iter().filter(|evidence| is_news(evidence, facts, page_told)).collect();
    let mut lines: Vec<FeedbackLine> =
        changes.iter().take(LISTED).map(|evidence| FeedbackLine::Changed { detail: change_words(evidence) }).collect();
    if changes.len() > LISTED {
        lines.push(FeedbackLine::MoreChanges { count: changes.len() - LISTED });
    }
    if let Some(request) = of_kind(effect, "request_only").next()
        && lines.is_empty()
        && !page_told
    {
        lines.push(FeedbackLine::RequestOnly { request: request.detail.clone() });
    }
    lines
}

/// Whether evidence is a change that neither the message nor another line tells.
fn is_news(evidence: &Evidence, facts: &EffectFacts<'_>, page_told: bool) -> bool {
    let told = match evidence.kind.as_str() {
        "url" | "title" | "navigation" => page_told,
        "scroll" => facts.manner == Some(Manner::Scroll),
        "focus" => entered_field(facts).is_some(),
        // No changes by themselves.
        "flashed" | "request" | "request_only" | "hidden_change" => true,
        _ => false,
    };
    // Environments that know the effect of a call by themselves give their message as evidence.
    let rest = facts.message.strip_prefix(evidence.detail.as_str());
    let in_message = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(';'));
    !told && !evidence.detail.is_empty() && !in_message
}

/// Some evidence only names a place; its kind says what happened there.
fn change_words(evidence: &Evidence) -> String {
    let detail = &evidence.detail;
    match evidence.kind.as_str() {
        "value" => format!("field changed: {detail}"),
        "scroll" => format!("scrolled: {detail}"),
        "selection" => format!("text selected: {detail:?}"),
        "caret" => format!("the caret moved in {detail}"),
        "event" => format!("event: {detail}"),
        "url" => format!("the address changed: {detail}"),
        "title" => format!("the title changed: {detail:?}"),
        _ => detail.clone(),
    }
}

/// A click that landed on what lies over a control, and for which nothing else speaks.
fn received_by(facts: &EffectFacts<'_>) -> Option<FeedbackLine> {
    let hit = facts.hit.filter(|_| facts.manner == Some(Manner::Pointer))?;
    let covered = hit.covers.as_ref()?;
    Some(FeedbackLine::ReceivedBy { taker: hit.descriptor.clone(), meant: covered.descriptor.clone() })
}

/// The field that a click was for: it has the focus now, and the click is why.
fn entered_field<'a>(facts: &EffectFacts<'a>) -> Option<&'a FocusedElement> {
    let Focus::Element(field) = facts.after.focus else { return None };
    let by_click = facts.manner == Some(Manner::Pointer) && field.editable;
    let moved = match facts.effect {
        Some(effect) => effect.status == EffectStatus::Confirmed && of_kind(effect, "focus").next().is_some(),
        None => *facts.before.focus != Focus::Unknown && facts.before.focus != facts.after.focus,
    };
    (by_click && moved).then_some(field)
}

fn name_of(field: &FocusedElement) -> String {
    let names = [&field.label, &field.placeholder, &field.name, &field.id, &field.r#type];
    let name = names.into_iter().flatten().find(|name| !name.trim().is_empty());
    name.cloned().unwrap_or_else(|| "input".into())
}

fn content_of(field: &FocusedElement) -> FieldContent {
    match (field.empty, &field.value) {
        (Some(true), _) => FieldContent::Empty,
        (_, Some(value)) if value.is_empty() => FieldContent::Empty,
        (_, Some(value)) => FieldContent::Holds(value.clone()),
        (_, None) => FieldContent::Unknown,
    }
}

/// Equal hashes speak only where the effect does not: it is dead as well, or was not measured at all.
fn hash_is_all_there_is(effect: Option<&Effect>) -> bool {
    let Some(effect) = effect else { return true };
    match effect.status {
        EffectStatus::NoEffect => true,
        EffectStatus::Unverifiable => {
            effect.evidence.is_empty()
                && matches!(effect.reason.as_deref(), None | Some("not_measured" | "probe_unread"))
        }
        EffectStatus::Confirmed | EffectStatus::Refused => false,
    }
}

fn at_the_end(effect: &Effect) -> bool {
    effect.reason.as_deref() == Some("at_end") || of_kind(effect, "at_end").next().is_some()
}

fn not_known(effect: &Effect) -> Option<FeedbackLine> {
    let why = match effect.reason.as_deref()? {
        // Nobody looked, so there is nothing to tell.
        "not_measured" => return None,
        "probe_unread" => "the page could not be read",
        "canvas_changed" => "a drawn surface changed, by it or by itself",
        "key_taken" => "the page took the key and shows nothing of what it did with it",
        other => other,
    };
    Some(FeedbackLine::NotKnown { why: why.into() })
}

fn of_kind<'a>(effect: &'a Effect, kind: &'a str) -> impl Iterator<Item = &'a Evidence> {
    effect.evidence.iter().filter(move |evidence| evidence.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::super::sentence;
    use super::*;
    use crate::after::perceptual::PerceptualReason;

    const NOWHERE: Focus = Focus::Nothing;
    const PAGE: PageState<'_> = PageState { url: Some("https://a/"), title: Some("A"), focus: &NOWHERE };

    fn facts(effect: &Effect) -> EffectFacts<'_> {
        EffectFacts {
            message: "clicked at [5, 5]",
            manner: Some(Manner::Pointer),
            effect: Some(effect),
            hit: None,
            before: PAGE,
            after: PAGE,
            check: None,
        }
    }

    fn check(facts: &EffectFacts<'_>, expected: &str) {
        let told = sentence(facts.message, &product_feedback(facts));
        assert_eq!(told, format!("{}{expected}", facts.message), "{facts:?}");
        assert!(!told.contains("no visible change"));
    }

    fn effect(status: EffectStatus, evidence: &[(&str, &str)], reason: Option<&str>) -> Effect {
        let evidence =
            evidence.iter().map(|(kind, detail)| Evidence { kind: (*kind).into(), detail: (*detail).into() });
        Effect { status, evidence: evidence.collect(), reason: reason.map(Into::into) }
    }

    fn unseen() -> PerceptualCheck {
        let stable = PerceptualCheck::skipped(PerceptualReason::GlobalAndRegionStable);
        PerceptualCheck { effect_observed: Some(false), ..stable }
    }

    fn field(editable: bool) -> Focus {
        Focus::Element(Box::new(FocusedElement {
            label: Some("E-mail".into()),
            empty: Some(true),
            editable,
            ..FocusedElement::default()
        }))
    }

    use EffectStatus::{Confirmed, NoEffect, Refused, Unverifiable};

    #[test]
    fn a_dead_action_is_a_warning_and_says_who_took_the_click() {
        let dead = effect(NoEffect, &[], None);
        check(&facts(&dead), "; WARNING: nothing on the page reacted to it");
        let banner = Hit {
            descriptor: "div.cookie-banner".into(),
            covers: Some(Box::new(Hit { descriptor: "button 'Save'".into(), ..hit() })),
            ..hit()
        };
        check(
            &EffectFacts { hit: Some(&banner), ..facts(&dead) },
            "; WARNING: nothing on the page reacted to it; \
             the click was received by div.cookie-banner, not by button 'Save'",
        );
        let scrolled = EffectFacts { hit: Some(&banner), manner: Some(Manner::Scroll), ..facts(&dead) };
        check(&scrolled, "; WARNING: nothing on the page reacted to it");
        let live = effect(Confirmed, &[("mutation", "the text changed in div#total")], None);
        check(&EffectFacts { hit: Some(&banner), ..facts(&live) }, "; the text changed in div#total");
    }

    fn hit() -> Hit {
        Hit {
            descriptor: String::new(),
            tag: "div".into(),
            role: None,
            name: None,
            id: None,
            classes: Vec::new(),
            r#box: None,
            frame: None,
            covers: None,
        }
    }

    #[test]
    fn a_scroll_that_is_at_its_end_says_so() {
        let end = effect(NoEffect, &[], Some("at_end"));
        check(
            &EffectFacts { manner: Some(Manner::Scroll), ..facts(&end) },
            "; WARNING: nothing moved: it is already at the end",
        );
    }

    #[test]
    fn what_changed_is_listed_up_to_a_point_and_never_twice() {
        let many: Vec<(&str, &str)> =
            ["a", "b", "c", "d", "e"].iter().map(|name| ("mutation", *name)).chain([("request", "GET /x")]).collect();
        let many = effect(Confirmed, &many, None);
        check(&facts(&many), "; a; b; c; 2 more things changed");
        let typed = effect(Confirmed, &[("value", "typed 5 characters")], None);
        check(&EffectFacts { message: "typed 5 characters; all landed", ..facts(&typed) }, "");
        let loaded = effect(Confirmed, &[("navigation", "another document was loaded")], None);
        check(&facts(&loaded), "; another document was loaded");
        let after = PageState { url: Some("https://b/"), title: Some("B ✓"), focus: &NOWHERE };
        check(&EffectFacts { after, ..facts(&loaded) }, "; page navigated to https://b/; page title: \"B ✓\"");
    }

    #[test]
    fn evidence_that_names_a_place_says_what_happened_there() {
        for (kind, detail, expected) in [
            ("value", "checkbox \"Agree\"", "; field changed: checkbox \"Agree\""),
            ("scroll", "div#list", "; scrolled: div#list"),
            ("selection", "some \"words\"", "; text selected: \"some \\\"words\\\"\""),
            ("caret", "textbox", "; the caret moved in textbox"),
            ("event", "copy on div", "; event: copy on div"),
            ("dialog", "a dialog opened", "; a dialog opened"),
        ] {
            let effect = effect(Confirmed, &[(kind, detail)], None);
            check(&facts(&effect), expected);
        }
        let scrolled = effect(Confirmed, &[("scroll", "the offset moved")], None);
        check(&EffectFacts { manner: Some(Manner::Scroll), ..facts(&scrolled) }, "");
    }

    #[test]
    fn a_page_that_was_not_known_before_is_not_a_new_one() {
        let quiet = effect(Confirmed, &[], None);
        let unknown = PageState { url: None, title: None, focus: &NOWHERE };
        check(&EffectFacts { before: unknown, ..facts(&quiet) }, "");
        check(&EffectFacts { after: unknown, ..facts(&quiet) }, "");
    }

    #[test]
    fn a_request_without_a_change_is_said_in_words() {
        let sent = effect(Confirmed, &[("request_only", "POST /api/save")], None);
        check(&facts(&sent), "; a request was sent (POST /api/save), but the page shows nothing of it");
        let after = PageState { title: Some("Saved"), ..PAGE };
        check(&EffectFacts { after, ..facts(&sent) }, "; page title: \"Saved\"");
    }

    #[test]
    fn a_flash_is_told_and_is_no_success() {
        let flashed = effect(NoEffect, &[("flashed", "Name is required")], None);
        check(
            &facts(&flashed),
            "; WARNING: nothing on the page reacted to it; this text appeared and went again: \"Name is required\"",
        );
    }

    #[test]
    fn a_click_into_a_field_is_told_to_type_instead_of_warned() {
        let (entry, button, unseen) = (field(true), field(false), unseen());
        let focused = effect(Confirmed, &[("focus", "focus moved to textbox \"E-mail\"")], None);
        let after = PageState { focus: &entry, ..PAGE };
        let told = "; 'E-mail' field is now focused (empty); \
                    input field focused — type your text now (do not click it again)";
        let entered = EffectFacts { after, check: Some(&unseen), ..facts(&focused) };
        check(&entered, told);
        check(&EffectFacts { effect: None, ..entered }, told);
        let moved = "; focus moved to textbox \"E-mail\"";
        check(&EffectFacts { manner: Some(Manner::Keyboard), ..entered }, moved);
        check(&EffectFacts { after: PageState { focus: &button, ..PAGE }, ..entered }, moved);
        // The focus was there before and the click did something else.
        let elsewhere = effect(Confirmed, &[("mutation", "the text changed in div#total")], None);
        check(&EffectFacts { before: after, effect: Some(&elsewhere), ..entered }, "; the text changed in div#total");
    }

    #[test]
    fn equal_hashes_warn_only_where_the_effect_does_not_know_better() {
        let unseen = unseen();
        let warning = "; WARNING: high-risk action had no observed effect (global_and_region_stable)";
        let dead = format!("; WARNING: nothing on the page reacted to it{warning}");
        let unread = format!("; whether it had an effect is not known: the page could not be read{warning}");
        for (effect, expected) in [
            (effect(NoEffect, &[], None), dead.as_str()),
            (effect(Unverifiable, &[], Some("not_measured")), warning),
            (effect(Unverifiable, &[], Some("probe_unread")), &unread),
            (
                effect(Unverifiable, &[], Some("canvas_changed")),
                "; whether it had an effect is not known: a drawn surface changed, by it or by itself",
            ),
            (effect(Confirmed, &[("mutation", "x")], None), "; x"),
            (effect(Refused, &[], Some("dialog_open")), ""),
        ] {
            check(&EffectFacts { check: Some(&unseen), message: "done", ..facts(&effect) }, expected);
        }
        let unmeasured = effect(Unverifiable, &[], Some("not_measured"));
        check(&EffectFacts { check: Some(&unseen), effect: None, ..facts(&unmeasured) }, warning);
        let seen = PerceptualCheck { effect_observed: Some(true), ..unseen };
        check(&EffectFacts { check: Some(&seen), ..facts(&unmeasured) }, "");
        let after = PageState { url: Some("https://b/"), ..PAGE };
        check(&EffectFacts { check: Some(&unseen), after, ..facts(&unmeasured) }, "; page navigated to https://b/");
    }

    #[test]
    fn any_effect_gives_lines() {
        let odd = ["", "\u{0}\n", "request_only", "focus", "at_end", &"x".repeat(10_000)];
        for status in [Confirmed, NoEffect, Unverifiable, Refused] {
            for (kind, detail) in odd.iter().flat_map(|kind| odd.iter().map(move |detail| (*kind, *detail))) {
                let effect = effect(status, &[(kind, detail)], Some(detail));
                for line in product_feedback(&facts(&effect)) {
                    assert!(line.text().chars().count() <= line.cap());
                }
            }
        }
    }
}
