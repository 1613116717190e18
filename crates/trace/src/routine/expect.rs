//! What has to come of a step for a replay to go on: what came of it when it was recorded, without that day's data.

use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Dialog, PendingKind};
use surehand_types::routine::{Anchor, Expect, Named, complaint_in, pattern_of_title, pattern_of_url};
use surehand_types::{EffectStatus, StepRecord};

use super::keep::Kept;
use crate::timeline::{HappeningKind, Moment};

pub(super) fn of(
    step: &Kept<'_>,
    next: Option<&Kept<'_>>,
    anchor: Option<&Anchor>,
    origin: Option<&str>,
    start_url: Option<&str>,
) -> Expect {
    let record = step.record();
    let mut kinds: Vec<String> = Vec::new();
    for fact in record.effect.iter().flat_map(|effect| &effect.evidence) {
        if !kinds.contains(&fact.kind) {
            kinds.push(fact.kind.clone());
        }
    }
    let is_click = step.word("tool") == "mouse" && matches!(step.word("action"), "" | "click");
    let by_look = is_click && anchor.is_none_or(|anchor| !anchor.is_named());
    let status = record.effect.as_ref().map(|effect| effect.status);
    let leads = leads_to(step, origin, start_url);
    Expect {
        // What came late was seen by nobody; what is waited for behind it tells.
        effect: status.filter(|status| !matches!(status, EffectStatus::Refused | EffectStatus::NoEffect)),
        evidence_kinds: kinds,
        title_pattern: called(step, leads.is_some()),
        url_pattern: leads,
        opens_dialog: dialog(step).map(|dialog| dialog.r#type),
        dialog_text: dialog(step).map(|dialog| pattern_of_title(&dialog.message)).filter(|text| !text.is_empty()),
        complains: record.effect.as_ref().is_some_and(|effect| complaint_in(effect).is_some()),
        took_seconds: took(record),
        pending: next.and_then(waits_for),
        focus: Named::of_focus(&record.observed.focus).filter(|field| is_click && field.text.is_some()),
        hit: record
            .hit
            .as_ref()
            .filter(|_| by_look)
            .map(|hit| hit.descriptor.clone())
            .filter(|words| !has_digit(words)),
        predicates: predicates(record, step.alone),
    }
}

/// Where the step leads, if it does not stay.
fn leads_to(step: &Kept<'_>, origin: Option<&str>, start_url: Option<&str>) -> Option<String> {
    let after = pattern_of_url(step.record().observed.url.as_deref()?, origin);
    let before = match step.previous {
        Some(previous) => previous.observed.url.as_deref(),
        // Nobody looked before the first step; a start page that leads on by itself is the same every time.
        None => start_url,
    };
    let before = pattern_of_url(before?, origin);
    (before != after).then_some(after)
}

/// What the page is called that the step leads to. Before the first step nobody looked.
fn called(step: &Kept<'_>, leads: bool) -> Option<String> {
    let after = pattern_of_title(step.record().observed.title.as_deref()?);
    let before = step.previous.and_then(|record| record.observed.title.as_deref()).map(pattern_of_title);
    let other = before.map_or(leads, |before| before != after);
    (other && !after.is_empty()).then_some(after)
}

/// How long the effect took, where that is longer than a page usually takes.
fn took(record: &StepRecord) -> Option<f64> {
    const USUAL_MS: f64 = 1000.0;
    let took = record.timing_ms.act + record.timing_ms.settle;
    (took.is_finite() && took > USUAL_MS).then(|| (took / 100.0).ceil() / 10.0)
}

fn dialog<'a>(step: &'a Kept<'_>) -> Option<&'a Dialog> {
    step.view.happenings.iter().rev().find_map(|happening| match &happening.what {
        HappeningKind::Environment(EnvironmentEvent::DialogOpened { dialog, .. })
            if happening.moment == Moment::DuringCall =>
        {
            Some(dialog)
        }
        _ => None,
    })
}

/// What the step has to open for the next one.
fn waits_for(next: &Kept<'_>) -> Option<PendingKind> {
    match next.word("tool") {
        "select_option" => Some(PendingKind::Select),
        "upload_file" => Some(PendingKind::File),
        _ => None,
    }
}

/// Predictions that came true and do not speak of numbers, which are data.
fn predicates(record: &StepRecord, alone: bool) -> Vec<String> {
    let of_the_end = |predicate: &str| predicate.starts_with("url_contains") || predicate.starts_with("title_contains");
    let true_ones = record.predicate_results.iter().filter(|scored| scored.result == Some(true));
    let words = true_ones.map(|scored| scored.predicate.clone());
    words.filter(|predicate| !has_digit(predicate) && (alone || of_the_end(predicate))).collect()
}

fn has_digit(words: &str) -> bool {
    words.chars().any(|character| character.is_ascii_digit())
}
