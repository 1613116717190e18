//! Whether a replayed step did what it did when it was recorded. From what was expected and what was seen; the first
//! thing that differs is the reason, in words that a person can act on.

use std::time::Duration;

use surehand_types::observation::{Dialog, Pending};
use surehand_types::reply::{CallResult, ObservationView, cut};
use surehand_types::routine::{Expect, Named, complaint_in, pattern_of_url, title_matches, url_matches};
use surehand_types::{Effect, EffectStatus};

/// Evidence that is the point of a step when it is there: without it something else happened.
const TELLING: [&str; 5] = ["navigation", "dialog", "download", "file_chooser", "tab"];
const QUOTED: usize = 120;

/// A step that was replayed, beside what was there.
#[derive(Debug, Clone, Copy)]
pub struct Replayed<'a> {
    pub expect: &'a Expect,
    pub kind: StepKind,
    pub result: &'a CallResult,
    pub after: &'a ObservationView,
    pub url_before: Option<&'a str>,
    /// Where the replay started; addresses there are compared without their host.
    pub start_origin: Option<&'a str>,
    /// How long the effect was waited for.
    pub waited: Duration,
    pub look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    First,
    /// The page was given its time.
    AfterWaiting,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Only the view or the pointer is moved: what that brings depends on the size of the window.
    Moves,
    /// A dialog is answered, and shown once more as answered.
    AnswersDialog,
    Acts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    Verified,
    /// It may still come: pages change their address and their title when they like.
    NotYet(String),
    Differs(String),
}

pub fn judge(step: Replayed<'_>) -> Replay {
    match differs(step) {
        // Where something besides the probe tells, a slow page is given its time.
        Some(reason) if seems_to_do_nothing(step) => Replay::NotYet(reason),
        Some(reason) => Replay::Differs(reason),
        None => late(step).map_or(Replay::Verified, Replay::NotYet),
    }
}

fn seems_to_do_nothing(step: Replayed<'_>) -> bool {
    let Replayed { expect, result, after, .. } = step;
    let nothing = result.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::NoEffect);
    let awaited = expect.url_pattern.is_some() || expect.title_pattern.is_some() || expect.opens_dialog.is_some();
    result.ran && result.ok && nothing && awaited && after.dialog.is_none()
}

/// What no waiting changes.
fn differs(step: Replayed<'_>) -> Option<String> {
    let Replayed { expect, result, after, .. } = step;
    if !result.ran {
        return Some(format!("it was not run: {}", quoted(&result.message)));
    }
    if !result.ok {
        return Some(format!("it failed: {}", quoted(&result.message)));
    }
    let answered = |dialog: &&Dialog| step.kind == StepKind::AnswersDialog && dialog.handled.is_some();
    let dialog = after.dialog.as_ref().filter(|dialog| !answered(dialog));
    if let Some(reason) = other_dialog(expect, dialog) {
        return Some(reason);
    }
    if let Some(reason) = other_pending(expect, after.pending.as_ref()) {
        return Some(reason);
    }
    if let (Some(wanted), Some(hit)) = (&expect.hit, &after.hit)
        && *wanted != hit.descriptor
    {
        return Some(format!("it met {} where {} was", quoted(&hit.descriptor), quoted(wanted)));
    }
    if step.kind == StepKind::Moves {
        return None;
    }
    let failed = result.predicates.iter().find(|predicate| predicate.result == Some(false));
    if let Some(failed) = failed {
        return Some(format!("{:?} did not come true: {}", quoted(&failed.predicate), quoted(&failed.reason)));
    }
    let said = result.effect.as_ref().and_then(complaint_in).filter(|_| !expect.complains);
    if let Some(said) = said {
        return Some(format!("the page says {:?}, and before it did not complain", quoted(said)));
    }
    other_effect(step)
}

fn other_dialog(expect: &Expect, seen: Option<&Dialog>) -> Option<String> {
    match (expect.opens_dialog, seen) {
        (None, None) => None,
        (Some(kind), Some(dialog)) if dialog.r#type == kind => {
            let text = expect.dialog_text.as_deref()?;
            let other = !title_matches(text, &dialog.message);
            other.then(|| format!("the dialog says {:?} and not {:?}", quoted(&dialog.message), quoted(text)))
        }
        (_, Some(dialog)) => Some(format!("a dialog opened that was not there before: {:?}", quoted(&dialog.message))),
        (Some(kind), None) => Some(format!("the {kind:?} dialog did not open").to_lowercase()),
    }
}

/// It may come later than anybody waited.
fn unseen(waited: Duration, after: &ObservationView) -> String {
    let seen = format!("no effect was seen within {:.1} s", waited.as_secs_f64());
    let covered = after.hit.as_ref().and_then(|hit| Some((hit, hit.covers.as_ref()?)));
    match covered {
        Some((hit, below)) => format!("{seen}; {} lies over {}", quoted(&hit.descriptor), quoted(&below.descriptor)),
        None => seen,
    }
}

fn other_pending(expect: &Expect, seen: Option<&Pending>) -> Option<String> {
    let expected = expect.pending?;
    let kind = seen.map(|pending| pending.kind);
    (kind != Some(expected)).then(|| format!("the {expected:?} control did not open").to_lowercase())
}

fn other_effect(step: Replayed<'_>) -> Option<String> {
    let Replayed { expect, result, after, .. } = step;
    // The point of a click on a field is that the field has the focus, moved or not.
    let has_focus = expect.focus.as_ref().zip(Named::of_focus(&after.focus)).is_some_and(|(a, b)| a.is_same_as(&b));
    if expect.effect != Some(EffectStatus::Confirmed) {
        return None;
    }
    let effect = result.effect.as_ref();
    match effect.map(|effect| effect.status) {
        Some(EffectStatus::Confirmed) => lacks_evidence(expect, effect)
            .map(|kind| format!("it had another effect than before: no {kind} this time, but {}", kinds_of(effect))),
        _ if has_focus => None,
        // It came while it was waited for, and its address or its dialog tells: they are looked at as well.
        Some(EffectStatus::NoEffect) if step.look == Look::AfterWaiting && step.came_late() => None,
        Some(EffectStatus::Unverifiable) | None if proves_itself(expect) => None,
        Some(EffectStatus::NoEffect) => Some(unseen(step.waited, after)),
        Some(EffectStatus::Refused) => Some(format!("it was refused: {}", quoted(&result.message))),
        Some(EffectStatus::Unverifiable) | None => {
            let reason = effect.and_then(|effect| effect.reason.as_deref()).unwrap_or("not measured");
            Some(format!("whether it had an effect cannot be told ({}), and before it could", quoted(reason)))
        }
    }
}

impl Replayed<'_> {
    /// What the probe did not see is there by now.
    fn came_late(&self) -> bool {
        let Replayed { expect, after, start_origin, url_before, .. } = *self;
        let (url, title) = (after.url.as_deref(), after.title.as_deref());
        // A page that was there before proves nothing.
        let was_there = |wanted: &str| url_before.is_some_and(|before| url_matches(wanted, before, start_origin));
        let arrived = |wanted: &str, url: &str| url_matches(wanted, url, start_origin) && !was_there(wanted);
        let there = expect.url_pattern.as_deref().zip(url).map(|(wanted, url)| arrived(wanted, url));
        let called = expect.title_pattern.as_deref().zip(title).map(|(wanted, title)| title_matches(wanted, title));
        let asked = expect.opens_dialog.map(|kind| after.dialog.as_ref().is_some_and(|dialog| dialog.r#type == kind));
        let told: Vec<bool> = [there, called, asked].into_iter().flatten().collect();
        !told.is_empty() && told.into_iter().all(|told| told)
    }
}

/// Something besides the probe says whether the step worked.
fn proves_itself(expect: &Expect) -> bool {
    expect.url_pattern.is_some()
        || expect.title_pattern.is_some()
        || expect.opens_dialog.is_some()
        || expect.pending.is_some()
        || !expect.predicates.is_empty()
}

fn lacks_evidence(expect: &Expect, effect: Option<&Effect>) -> Option<String> {
    let seen = |kind: &str| effect.is_some_and(|effect| effect.evidence.iter().any(|fact| fact.kind == kind));
    let wanted: Vec<&str> =
        TELLING.into_iter().filter(|kind| expect.evidence_kinds.iter().any(|k| k == kind)).collect();
    // Where the address is expected to change, it tells more than how the browser came there.
    if expect.url_pattern.is_some() || wanted.is_empty() || wanted.iter().any(|kind| seen(kind)) {
        return None;
    }
    wanted.first().map(|kind| kind.to_string())
}

fn kinds_of(effect: Option<&Effect>) -> String {
    let mut kinds: Vec<&str> =
        effect.into_iter().flat_map(|effect| &effect.evidence).map(|e| e.kind.as_str()).collect();
    kinds.dedup();
    if kinds.is_empty() { "nothing that was measured".into() } else { kinds.join(", ") }
}

/// Where the page is, and what it is called.
fn late(step: Replayed<'_>) -> Option<String> {
    let Replayed { expect, after, url_before, start_origin, .. } = step;
    let url = after.url.as_deref().unwrap_or_default();
    match (&expect.url_pattern, url_before) {
        (Some(pattern), _) if after.url.is_some() && !url_matches(pattern, url, start_origin) => {
            let here = pattern_of_url(url, start_origin);
            return Some(format!("the page is at {:?} and not at {:?}", quoted(&here), quoted(pattern)));
        }
        (None, Some(before)) if after.url.is_some() => {
            let (was, is) = (pattern_of_url(before, start_origin), pattern_of_url(url, start_origin));
            if was != is {
                return Some(format!("it led to {:?}, and before it stayed on the page", quoted(&is)));
            }
        }
        _ => {}
    }
    let (pattern, title) = (expect.title_pattern.as_deref()?, after.title.as_deref()?);
    let other = !title_matches(pattern, title);
    other.then(|| format!("the page is called {:?} and not {:?}", quoted(title), quoted(pattern)))
}

/// Pages choose these words, and may choose many.
fn quoted(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&mut text, QUOTED);
    text
}

#[cfg(test)]
mod tests {
    use surehand_types::observation::{DialogHandled, DialogKind, Focus, FocusedElement};
    use surehand_types::result::PredicateResult;

    use super::*;

    fn view() -> ObservationView {
        ObservationView {
            message: String::new(),
            error: None,
            dispatched: None,
            hit: None,
            pending: None,
            candidates: Vec::new(),
            frame: None,
            images: Vec::new(),
            url: Some("http://x/a/7".into()),
            title: Some("A 7".into()),
            focus: Focus::Unknown,
            tabs: Vec::new(),
            opened: Vec::new(),
            dialog: None,
            downloads: Vec::new(),
        }
    }

    fn result(effect: Option<Effect>) -> CallResult {
        CallResult { index: 0, ran: true, ok: true, effect, message: "words".into(), predicates: Vec::new() }
    }

    fn confirmed() -> Expect {
        Expect { effect: Some(EffectStatus::Confirmed), ..Expect::default() }
    }

    fn check(expect: &Expect, result: &CallResult, after: &ObservationView, part: &str) {
        let (url_before, start_origin) = (Some("http://x/a/1"), Some("http://x"));
        let (kind, waited, look) = (StepKind::Acts, Duration::from_millis(1500), Look::First);
        let got = judge(Replayed { expect, kind, result, after, url_before, start_origin, waited, look });
        match got {
            Replay::Verified => assert_eq!(part, "", "{expect:?}"),
            Replay::Differs(reason) | Replay::NotYet(reason) => {
                assert!(!part.is_empty() && reason.contains(part), "{reason}");
            }
        }
    }

    #[test]
    fn the_same_again_is_verified() {
        check(&confirmed(), &result(Some(Effect::confirmed("text", "x"))), &view(), "");
        check(&Expect::default(), &result(None), &view(), "");
        let leads = Expect { url_pattern: Some("/a/{id}".into()), title_pattern: Some("A {id}".into()), ..confirmed() };
        check(&leads, &result(Some(Effect::unverifiable("x"))), &view(), "");
        let field =
            FocusedElement { tag: "input".into(), label: Some("Email".into()), editable: true, ..Default::default() };
        let focused = ObservationView { focus: Focus::Element(Box::new(field)), ..view() };
        let expects = Expect { focus: Some(Named { role: None, text: Some("email".into()) }), ..confirmed() };
        check(&expects, &result(Some(Effect::by(EffectStatus::NoEffect, "x", ""))), &focused, "");
    }

    #[test]
    fn what_comes_late_counts_after_waiting_and_only_where_it_is_new() {
        let result = result(Some(Effect::by(EffectStatus::NoEffect, "x", "")));
        let leads = Expect { url_pattern: Some("/a/{id}".into()), ..confirmed() };
        let after = view();
        let judged = |look: Look, url_before: &str| {
            let (kind, waited) = (StepKind::Acts, Duration::from_secs(2));
            let (url_before, start_origin) = (Some(url_before), Some("http://x"));
            let (expect, result, after) = (&leads, &result, &after);
            judge(Replayed { expect, kind, result, after, url_before, start_origin, waited, look })
        };
        assert!(matches!(judged(Look::First, "http://x/list"), Replay::NotYet(_)));
        assert_eq!(judged(Look::AfterWaiting, "http://x/list"), Replay::Verified);
        assert_ne!(judged(Look::AfterWaiting, "http://x/a/1"), Replay::Verified);
    }

    #[test]
    fn every_difference_has_its_reason() {
        let good = || result(Some(Effect::confirmed("text", "x")));
        check(&confirmed(), &CallResult { ran: false, ..good() }, &view(), "not run: words");
        check(&confirmed(), &CallResult { ok: false, ..good() }, &view(), "it failed: words");
        check(
            &confirmed(),
            &result(Some(Effect::by(EffectStatus::NoEffect, "x", ""))),
            &view(),
            "no effect was seen within 1.5 s",
        );
        check(&confirmed(), &result(Some(Effect::unverifiable("noise"))), &view(), "cannot be told (noise)");
        let complains = result(Some(Effect::confirmed("mutation", "the text changed in p \"Could not save\"")));
        check(&confirmed(), &complains, &view(), "the page says \"Could not save\"");
        check(&Expect { complains: true, ..confirmed() }, &complains, &view(), "");
        let kinds = Expect { evidence_kinds: vec!["download".into(), "text".into()], ..confirmed() };
        check(&kinds, &good(), &view(), "no download this time, but text");
        let leads = Expect { url_pattern: Some("/b".into()), ..confirmed() };
        check(&leads, &good(), &view(), "at \"/a/{id}\" and not at \"/b\"");
        let away = ObservationView { url: Some("http://x/login".into()), ..view() };
        check(&confirmed(), &good(), &away, "led to \"/login\"");
        let title = Expect { title_pattern: Some("B".into()), ..confirmed() };
        check(&title, &good(), &view(), "called \"A 7\"");
        let dialog = Dialog {
            r#type: DialogKind::Alert,
            message: "Error!".into(),
            default: None,
            handled: Some(DialogHandled::Accepted),
        };
        let alerted = ObservationView { dialog: Some(dialog), ..view() };
        check(&confirmed(), &good(), &alerted, "\"Error!\"");
        let says = Expect {
            opens_dialog: Some(DialogKind::Alert),
            dialog_text: Some("Deleted {id} drafts".into()),
            ..confirmed()
        };
        check(&says, &good(), &alerted, "says \"Error!\" and not \"Deleted {id} drafts\"");
        let asks = Expect { opens_dialog: Some(DialogKind::Confirm), ..confirmed() };
        check(&asks, &good(), &view(), "the confirm dialog did not open");
        let predicate = PredicateResult { predicate: "url_changed".into(), result: Some(false), reason: "same".into() };
        check(&confirmed(), &CallResult { predicates: vec![predicate], ..good() }, &view(), "did not come true");
    }
}
