//! Plain words for what was measured around a step: effect, focus, dialogs, tabs, durations.

use serde_json::Value;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{DialogHandled, DialogKind, FocusedElement};
use surehand_types::person::PersonEvent;
use surehand_types::{Dialog, EffectStatus, Evidence, Focus, StepRecord};

use super::outcome::Tone;
use super::plan::plan_in_words;
use super::words::clip_to;
use crate::timeline::{Happening, HappeningKind};

pub fn steps_in_words(steps: u32) -> String {
    if steps == 1 { "1 step".into() } else { format!("{steps} steps") }
}

/// `0.4 s`, `12 s`, `2 min 05 s`, `1 h 02 min`.
pub fn duration_in_words(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "unknown".into();
    }
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    // Finite and not negative; runs of more than 2^64 seconds do not occur.
    let whole = seconds.round() as u64;
    match whole {
        0..=59 => format!("{whole} s"),
        60..=3599 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `340 ms` or `1.2 s`.
pub fn milliseconds_in_words(ms: f64) -> String {
    if ms < 1000.0 { format!("{ms:.0} ms") } else { duration_in_words(ms / 1000.0) }
}

/// An effect for people: a short label and, where there is one, the evidence or reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectWords {
    pub tone: Tone,
    pub label: &'static str,
    pub detail: Option<String>,
}

/// `None` for steps that have nothing to measure: unusable replies, `done`, a question.
pub fn effect_in_words(record: &StepRecord) -> Option<EffectWords> {
    let Some(effect) = &record.effect else {
        return without_effect(record);
    };
    let (tone, label) = match effect.status {
        EffectStatus::Confirmed => (Tone::Good, "effect confirmed"),
        EffectStatus::NoEffect => (Tone::Bad, "no effect"),
        EffectStatus::Unverifiable => (Tone::Unsure, "effect not verified"),
        EffectStatus::Refused => (Tone::Neutral, "nothing was sent"),
    };
    let mut parts: Vec<String> = effect.evidence.iter().take(4).map(evidence_in_words).collect();
    match effect.reason.as_deref() {
        Some("not_measured") => parts.push("nothing measured it".into()),
        Some("preview") => parts.push("shown first, waits for a confirmation".into()),
        Some("native_control") => parts.push("a native control, waits for the choice".into()),
        Some(reason) => parts.push(clip_to(&reason.replace('_', " "), 200)),
        None => {}
    }
    Some(EffectWords { tone, label, detail: (!parts.is_empty()).then(|| parts.join("; ")) })
}

/// A step without an effect: calls that only look have none, anything else was not measured.
fn without_effect(record: &StepRecord) -> Option<EffectWords> {
    let call = record.call.as_ref()?;
    let field = |name| call.get(name).and_then(Value::as_str);
    let (tone, label) = match (field("tool")?, field("action")) {
        ("done" | "ask_user", _) => return None,
        _ if !record.ok => return None,
        ("wait" | "zoom" | "inspect", _) | ("tab" | "window", Some("view" | "list")) => (Tone::Neutral, "only looked"),
        ("mouse", None | Some("move" | "reset")) => (Tone::Neutral, "only moved"),
        _ => (Tone::Unsure, "effect not measured"),
    };
    Some(EffectWords { tone, label, detail: None })
}

fn evidence_in_words(evidence: &Evidence) -> String {
    let kind = clip_to(&evidence.kind.replace('_', " "), 60);
    match evidence.detail.as_str() {
        "" => kind,
        detail => format!("{kind}: {}", clip_to(detail, 160)),
    }
}

pub fn focus_in_words(focus: &Focus) -> String {
    match focus {
        Focus::Nothing => "nothing".into(),
        Focus::Unknown => "not known".into(),
        Focus::Element(element) => element_in_words(element),
    }
}

fn element_in_words(element: &FocusedElement) -> String {
    let kind = element.role.as_deref().unwrap_or(&element.tag);
    let name = [&element.label, &element.name, &element.placeholder, &element.id]
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty());
    let mut words = match name {
        Some(name) => format!("{} {:?}", clip(kind), clip(name)),
        None => clip(kind),
    };
    match (&element.value, element.empty) {
        (Some(value), _) if !value.is_empty() => {
            words.push_str(&format!(" holding {:?}", clip(value)));
        }
        (_, Some(true)) => words.push_str(", empty"),
        _ => {}
    }
    words
}

/// Something that happened around a step.
pub fn happening_in_words(happening: &Happening) -> String {
    match &happening.what {
        HappeningKind::Environment(event) => environment_in_words(event),
        HappeningKind::Confirmation(asked) if asked.by_doing => format!(
            "a person did by hand what a person has to agree to (rule {}): {}",
            clip_to(&asked.rule, 64),
            clip_to(&asked.what, 160)
        ),
        HappeningKind::Confirmation(asked) => format!(
            "a person was asked about {} (rule {}); the answer after {:.1} s: {}",
            clip_to(&asked.what, 160),
            clip_to(&asked.rule, 64),
            asked.seconds,
            asked.answer.as_str().replace('_', " ")
        ),
        HappeningKind::Person(event) => person_in_words(event),
        HappeningKind::Plan(event) => plan_in_words(event),
        HappeningKind::Note { message, .. } => clip_to(message, 400),
        HappeningKind::UnusableReply { problem } => {
            format!("the brain's reply could not be used: {}", clip_to(problem, 300))
        }
    }
}

pub fn person_in_words(event: &PersonEvent) -> String {
    let by = |by: &str| if by.is_empty() { String::new() } else { format!(" ({})", clip(by)) };
    match event {
        PersonEvent::Paused { by: who } => format!("a person paused the run{}", by(who)),
        PersonEvent::Resumed { by: who } => format!("a person let the run go on{}", by(who)),
        PersonEvent::TookOver { by: who } => format!("a person took over{}", by(who)),
        PersonEvent::HandedBack { by: who, calls } => {
            format!("a person handed back after {calls} call{}{}", if *calls == 1 { "" } else { "s" }, by(who))
        }
        PersonEvent::Answered { by: who } => format!("a person answered the question{}", by(who)),
        PersonEvent::Cancelled { by: who } => format!("a person cancelled the run{}", by(who)),
    }
}

pub fn environment_in_words(event: &EnvironmentEvent) -> String {
    match event {
        EnvironmentEvent::TabOpened { tab, url } => {
            format!("tab {} opened: {}", clip(tab), clip_to(url, 120))
        }
        EnvironmentEvent::TabClosed { tab } => format!("tab {} closed", clip(tab)),
        EnvironmentEvent::TabCrashed { tab } => format!("tab {} crashed", clip(tab)),
        EnvironmentEvent::DialogOpened { dialog, .. } => dialog_in_words(dialog),
        EnvironmentEvent::Download { path, bytes } => {
            format!("downloaded {} ({bytes} bytes)", clip_to(path, 120))
        }
        EnvironmentEvent::Refused { url, reason, count } => {
            let times = if *count > 1 { format!(", {count} times") } else { String::new() };
            format!("the allowlist refused {} ({}{times})", clip_to(url, 120), clip_to(reason, 200))
        }
        EnvironmentEvent::DownloadRefused { name, reason } => {
            format!("the download {} was stopped: {}", clip_to(name, 120), clip_to(reason, 200))
        }
        EnvironmentEvent::WindowOpened { window, title } => format!("window {} opened: {}", clip(window), clip(title)),
        EnvironmentEvent::WindowClosed { window, title } => format!("window {} closed: {}", clip(window), clip(title)),
        EnvironmentEvent::AppEnded { reason } => clip_to(reason, 300),
        EnvironmentEvent::Lost { reason } => {
            format!("the browser or desktop was lost: {}", clip_to(reason, 200))
        }
    }
}

fn dialog_in_words(dialog: &Dialog) -> String {
    let kind = match dialog.r#type {
        DialogKind::Alert => "an alert",
        DialogKind::Confirm => "a confirmation",
        DialogKind::Prompt => "a prompt",
        DialogKind::Beforeunload => "a leave-page question",
    };
    let handled = match dialog.handled {
        Some(DialogHandled::Accepted) => ", accepted",
        Some(DialogHandled::Dismissed) => ", dismissed",
        None => "",
    };
    format!("{kind} opened: {:?}{handled}", clip_to(&dialog.message, 200))
}

fn clip(text: &str) -> String {
    clip_to(text, 60)
}
