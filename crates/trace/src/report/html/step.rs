//! One step as a card: the two frames with marks, and under them everything that is known.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use surehand_types::StepRecord;
use surehand_types::result::Timing;

use super::frames::{Embedded, Shown};
use super::{lanes, pictures};
use crate::lanes::LaneMarker;
use crate::report::changes::Changes;
use crate::report::escape::html;
use crate::report::facts::{effect_in_words, focus_in_words, happening_in_words, milliseconds_in_words};
use crate::report::outcome::Tone;
use crate::report::policy::{by_in_words, policy_label};
use crate::report::spent::{SpentOn, capital, spent_on, step_in_words};
use crate::report::words::{call_in_words, clip_to};
use crate::timeline::{Completion, Happening, HappeningKind, NotRun, StepView};

/// Everything around a step that its card needs.
pub(super) struct Around<'a> {
    pub(super) frames: &'a Embedded,
    pub(super) changes: Option<&'a Changes>,
    pub(super) markers: &'a [LaneMarker],
}

pub(super) fn render(page: &mut String, entry: &StepView, around: &Around<'_>) {
    let record = &entry.record;
    let step = record.step;
    let _ = write!(
        page,
        "<article class=\"step\" id=\"step-{step}\" tabindex=\"-1\" aria-labelledby=\"title-{step}\">\n\
         <header>\n<a class=\"number\" href=\"#step-{step}\" aria-label=\"Step {step}\">{step}</a>\n\
         <h2 id=\"title-{step}\">{}</h2>\n{}</header>\n",
        html(&headline(entry)),
        chips(entry),
    );
    happenings(page, &entry.happenings);
    if entry.before.is_some() || entry.after.is_some() {
        pictures::render(page, entry, around.frames, around.changes);
    }
    page.push_str("<div class=\"about\">\n<div class=\"story\">\n");
    thought(page, record);
    message(page, record);
    hit(page, record);
    evidence(page, record);
    predictions(page, record);
    markers(page, around.markers);
    not_run(page, &entry.not_run);
    page.push_str("</div>\n<div class=\"side\">\n");
    if entry.completion == Completion::Finished {
        observed(page, record);
        timing(page, &record.timing_ms);
    }
    details(page, record);
    page.push_str("</div>\n</div>\n</article>\n");
}

/// One picture of the film strip; a plain link, so it works without scripts.
pub(super) fn thumbnail(page: &mut String, entry: &StepView, frames: &Embedded) {
    let step = entry.record.step;
    let frame = entry.after.as_ref().or(entry.before.as_ref());
    let class = match frame.map(|frame| frames.show(&frame.sha256)) {
        Some(Shown::Class(class)) => class,
        _ => "nothing".into(),
    };
    let (tone, label) = state(entry);
    let _ = writeln!(
        page,
        "<li><a href=\"#step-{step}\" title=\"{}\"><span class=\"thumb {class}\"></span>\
         <span class=\"label\"><b>{step}</b> <span class=\"{}\"><i aria-hidden=\"true\">{}</i>\
         <span class=\"sr\">{label}</span></span></span></a></li>",
        html(&headline(entry)),
        tone_class(tone),
        mark(tone),
    );
}

pub(super) fn not_run(page: &mut String, all: &[NotRun]) {
    for group in all {
        let _ = write!(
            page,
            "<div class=\"notrun\"><p>Not run, because {}:</p><ul>",
            html(clip_to(&group.reason, 300).trim_end_matches('.'))
        );
        for call in &group.calls {
            let _ = write!(page, "<li>{}</li>", html(&call_in_words(call, None)));
        }
        page.push_str("</ul></div>\n");
    }
}

pub(super) fn happenings(page: &mut String, all: &[Happening]) {
    if all.is_empty() {
        return;
    }
    page.push_str("<ul class=\"happenings\">\n");
    for happening in all {
        let kind = match &happening.what {
            HappeningKind::Environment(_) => "Environment",
            HappeningKind::Confirmation(_) => "Confirmation",
            HappeningKind::Person(_) => "Person",
            HappeningKind::Plan(_) => "Plan",
            HappeningKind::Note { .. } => "Note",
            HappeningKind::UnusableReply { .. } => "Brain",
        };
        let _ = writeln!(page, "<li><b>{kind}</b> {}</li>", html(&happening_in_words(happening)));
    }
    page.push_str("</ul>\n");
}

pub(super) fn mark(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✓",
        Tone::Bad => "✕",
        Tone::Unsure => "?",
        Tone::Neutral => "–",
    }
}

pub(super) fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Unsure => "unsure",
        Tone::Neutral => "neutral",
    }
}

pub(super) fn headline(entry: &StepView) -> String {
    capital(&step_in_words(&entry.record))
}

/// The one sign a step has in the film strip.
pub(super) fn state(entry: &StepView) -> (Tone, &'static str) {
    if entry.completion == Completion::CutOff {
        (Tone::Bad, "cut off")
    } else if let Some(spent) = spent_on(&entry.record) {
        (Tone::Bad, spent_label(spent))
    } else if !entry.record.ok {
        (Tone::Bad, "failed")
    } else {
        match effect_in_words(&entry.record) {
            Some(effect) => (effect.tone, effect.label),
            None => (Tone::Neutral, "nothing to measure"),
        }
    }
}

fn spent_label(spent: SpentOn) -> &'static str {
    match spent {
        SpentOn::UnusableReplies => "no usable reply",
        SpentOn::MissingTarget => "not found",
        SpentOn::LookingAgain => "not done",
    }
}

fn chips(entry: &StepView) -> String {
    let record = &entry.record;
    let mut out = String::from("<p class=\"chips\">");
    let mut chip = |tone: Tone, label: &str| {
        let _ = write!(
            out,
            "<span class=\"chip {}\"><i aria-hidden=\"true\">{}</i> {}</span>",
            tone_class(tone),
            mark(tone),
            html(label)
        );
    };
    if entry.completion == Completion::CutOff {
        chip(Tone::Bad, "cut off");
    } else {
        match spent_on(record) {
            Some(spent) => chip(Tone::Bad, spent_label(spent)),
            None if !record.ok => chip(Tone::Bad, "failed"),
            None => {}
        }
        if let Some(effect) = effect_in_words(record) {
            chip(effect.tone, effect.label);
        }
    }
    if record.done_rejected_reason.is_some() {
        chip(Tone::Bad, "done was not accepted");
    }
    if record.loop_recovery_reason.is_some() || record.going_in_circles.is_some() {
        chip(Tone::Unsure, "going in circles");
    }
    if let Some((policy, (tone, label))) = record.policy.as_ref().and_then(|it| Some((it, policy_label(it)?))) {
        chip(tone, &format!("{label}{}", by_in_words(policy)));
    }
    out.push_str("</p>\n");
    out
}

fn thought(page: &mut String, record: &StepRecord) {
    if let Some(thought) = record.thought.as_ref().filter(|text| !text.trim().is_empty()) {
        let _ = writeln!(page, "<blockquote><b>Thought</b> {}</blockquote>", html(thought));
    }
}

fn message(page: &mut String, record: &StepRecord) {
    if !record.message.is_empty() {
        let _ = writeln!(page, "<p class=\"message\">{}</p>", html(&record.message));
    }
    if let Some(error) = &record.error
        && error.message != record.message
    {
        let _ = writeln!(page, "<p class=\"message bad\">{}</p>", html(&error.message));
    }
}

fn hit(page: &mut String, record: &StepRecord) {
    let Some(hit) = &record.hit else { return };
    let mut words = format!("<b>Hit</b> <code>{}</code>", html(&hit.descriptor));
    if let Some(frame) = &hit.frame {
        let _ = write!(words, " inside the frame <code>{}</code>", html(&clip_to(frame, 120)));
    }
    let _ = writeln!(page, "<p>{words}</p>");
    if let Some(covered) = &hit.covers {
        let _ = writeln!(
            page,
            "<p class=\"warning\"><b>Covered</b> <code>{}</code> lies underneath and is covered by <code>{}</code>, so it was not hit.</p>",
            html(&covered.descriptor),
            html(&hit.descriptor)
        );
    }
}

fn evidence(page: &mut String, record: &StepRecord) {
    if let Some(effect) = effect_in_words(record)
        && let Some(detail) = effect.detail
    {
        let _ = writeln!(page, "<p><b>{}</b> {}</p>", html(&capital(effect.label)), html(&detail));
    }
}

fn predictions(page: &mut String, record: &StepRecord) {
    if record.predicate_results.is_empty() {
        return;
    }
    page.push_str("<div class=\"predictions\"><b>What the brain expected</b><ul>");
    for result in &record.predicate_results {
        let (tone, words) = match result.result {
            Some(true) => (Tone::Good, "held"),
            Some(false) => (Tone::Bad, "did not hold"),
            None => (Tone::Unsure, "not measured"),
        };
        let _ = write!(
            page,
            "<li><span class=\"chip {}\"><i aria-hidden=\"true\">{}</i> {words}</span> <code>{}</code> <small>{}</small></li>",
            tone_class(tone),
            mark(tone),
            html(&result.predicate),
            html(&clip_to(&result.reason, 300))
        );
    }
    page.push_str("</ul></div>\n");
}

/// What the lanes say about the step beyond what stands above.
fn markers(page: &mut String, markers: &[LaneMarker]) {
    let rest: Vec<&LaneMarker> = markers.iter().filter(|marker| !marker.kind.is_told_by_the_step()).collect();
    if rest.is_empty() {
        return;
    }
    page.push_str("<ul class=\"lane-notes\">");
    for marker in rest {
        let _ = write!(
            page,
            "<li class=\"{}\"><b>{}</b> <i aria-hidden=\"true\">{}</i> {}</li>",
            tone_class(marker.tone),
            capital(marker.lane.as_str()),
            lanes::sign(marker),
            html(&marker.words)
        );
    }
    page.push_str("</ul>\n");
}

fn observed(page: &mut String, record: &StepRecord) {
    page.push_str("<dl class=\"observed\">");
    let rows = [
        ("Address", record.observed.url.clone()),
        ("Title", record.observed.title.clone()),
        ("Focus", Some(focus_in_words(&record.observed.focus))),
        ("Policy", record.policy.as_ref().map(|policy| format!("{}, rule {}", policy.decision, policy.rule))),
    ];
    for (name, value) in rows {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = write!(page, "<dt>{name}</dt><dd>{}</dd>", html(&clip_to(&value, 300)));
        }
    }
    page.push_str("</dl>\n");
}

fn timing(page: &mut String, timing: &Timing) {
    let parts = [
        ("observe", timing.observe),
        ("think", timing.think),
        ("act", timing.act),
        ("settle", timing.settle),
        ("verify", timing.verify),
    ];
    let sum: f64 = parts.iter().map(|(_, ms)| ms.max(0.0)).sum();
    if sum <= 0.0 {
        return;
    }
    let _ = write!(
        page,
        "<div class=\"timing\"><b>{}</b><div class=\"bar\" aria-hidden=\"true\">",
        milliseconds_in_words(timing.total.max(sum))
    );
    for (name, ms) in parts.iter().filter(|(_, ms)| *ms > 0.0) {
        let _ = write!(page, "<span class=\"t-{name}\" style=\"flex-grow:{:.0}\"></span>", ms.max(1.0));
    }
    page.push_str("</div><ul>");
    for (name, ms) in parts.iter().filter(|(_, ms)| *ms > 0.0) {
        let _ = write!(page, "<li><span class=\"key t-{name}\"></span>{name} {}</li>", milliseconds_in_words(*ms));
    }
    page.push_str("</ul></div>\n");
}

fn details(page: &mut String, record: &StepRecord) {
    if let Some(call) = &record.call {
        let _ =
            writeln!(page, "<details><summary>The call as JSON</summary><pre>{}</pre></details>", html(&pretty(call)));
    }
    if !record.feedback.is_empty() {
        let _ = writeln!(
            page,
            "<details><summary>What the brain was told</summary><pre>{}</pre></details>",
            html(&record.feedback)
        );
    }
}

fn pretty(call: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(call).unwrap_or_default()
}
