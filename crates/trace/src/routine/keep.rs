//! Which steps of a run are worth repeating: those that were done, had an effect, and were not taken back.

use serde_json::{Map, Value, json};
use surehand_types::call::{KeyboardCall, MouseCall};
use surehand_types::reply::{CallForm, CallRequest, put_place};
use surehand_types::routine::LOOKING;
use surehand_types::{Call, EffectStatus, Focus, GridPoint, StepRecord, Surroundings, ViewPoint};

use crate::timeline::{Completion, StepView, Timeline};

/// A step with the native call that repeats it.
pub(super) struct Kept<'a> {
    pub(super) view: &'a StepView,
    /// What was there before: the step before it, whether that is kept or not.
    pub(super) previous: Option<&'a StepRecord>,
    pub(super) call: Map<String, Value>,
    /// The target that the call named, where it did.
    pub(super) target: Option<Value>,
    /// What stood around the places that it acts on.
    pub(super) around: &'a [Surroundings],
    /// The only call of its reply, so that predictions speak of it alone.
    pub(super) alone: bool,
}

impl Kept<'_> {
    pub(super) fn record(&self) -> &StepRecord {
        &self.view.record
    }

    pub(super) fn thought(&self) -> Option<&str> {
        self.record().thought.as_deref()
    }

    pub(super) fn word(&self, name: &str) -> &str {
        self.call.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn url_before(&self) -> Option<&str> {
        self.previous.and_then(|record| record.observed.url.as_deref())
    }
}

pub(super) fn steps(timeline: &Timeline) -> Vec<Kept<'_>> {
    let mut kept: Vec<Kept<'_>> = Vec::new();
    let mut shown: Option<(&Map<String, Value>, &[Surroundings])> = None;
    // A click whose effect came later than anybody looked; kept if something came while it was waited for.
    let mut late: Option<Kept<'_>> = None;
    let mut previous: Option<&StepRecord> = None;
    for view in &timeline.entries {
        let record = &view.record;
        let before = previous.replace(record);
        let Some((given, call)) = call_of(view) else { continue };
        if is_preview(record) {
            shown = Some((given, &record.around));
            continue;
        }
        // A click that was shown first is one click.
        let (given, around) = match (&call, shown.take()) {
            (Call::Mouse(MouseCall::Confirm), Some(shown)) => shown,
            _ => (given, record.around.as_slice()),
        };
        let worth = is_worth_repeating(view, &call);
        if !worth && !is_without_effect(record, &call) {
            continue;
        }
        let mut native = given.clone();
        let target = native.shift_remove("target");
        native.shift_remove("end_target");
        put_coordinate(&mut native, view);
        let same_turn = timeline.entries.iter().filter(|other| other.record.turn == record.turn).count();
        let step = Kept { view, previous: before, call: native, target, around, alone: same_turn == 1 };
        if !worth {
            late = Some(step);
            continue;
        }
        if let Some(late) = late.take().filter(|_| matches!(call, Call::Wait { .. })) {
            kept.push(late);
        }
        kept.push(step);
        without_detour(&mut kept);
    }
    kept
}

fn call_of(view: &StepView) -> Option<(&Map<String, Value>, Call)> {
    let given = view.record.call.as_ref().filter(|_| view.completion == Completion::Finished && view.record.ok)?;
    let request = CallRequest::parse(&Value::Object(given.clone())).ok()?;
    let call = match request.form {
        CallForm::Ready(call) => call,
        CallForm::NeedsTarget { query, end, mut call } => {
            put_place(&mut call, query.place, GridPoint::new(0, 0));
            if end.is_some() {
                call.insert("end_coordinate".into(), json!([0, 0]));
            }
            Call::parse(&Value::Object(call)).ok()?.call
        }
    };
    Some((given, call))
}

fn is_preview(record: &StepRecord) -> bool {
    record
        .effect
        .as_ref()
        .is_some_and(|effect| effect.status == EffectStatus::Refused && effect.reason.as_deref() == Some("preview"))
}

/// A click that seemed to do nothing; what a replay tries while it looks for its targets is none.
fn is_without_effect(record: &StepRecord, call: &Call) -> bool {
    let looks_for = record.thought.as_deref().is_some_and(|thought| thought.starts_with(LOOKING));
    let status = record.effect.as_ref().map(|effect| effect.status);
    matches!(call, Call::Mouse(MouseCall::Click { .. })) && status == Some(EffectStatus::NoEffect) && !looks_for
}

fn is_worth_repeating(view: &StepView, call: &Call) -> bool {
    let record = &view.record;
    let status = record.effect.as_ref().map(|effect| effect.status);
    let reason = record.effect.as_ref().and_then(|effect| effect.reason.as_deref());
    let refused = status == Some(EffectStatus::Refused) && reason != Some("native_control");
    // What a replay does to find its targets is done again if it has to be.
    let looks_for = record.thought.as_deref().is_some_and(|thought| thought.starts_with(LOOKING));
    if refused || looks_for || status == Some(EffectStatus::NoEffect) {
        return false;
    }
    match call {
        Call::Done { .. } | Call::AskUser { .. } => false,
        // A wait was needed where something came meanwhile.
        Call::Wait { .. } => !record.substituted && record.frames.before != record.frames.after,
        Call::Mouse(MouseCall::Move { .. }) => status == Some(EffectStatus::Confirmed),
        // Nothing was typed where the runtime had filled the field already.
        Call::Keyboard(KeyboardCall::Type { .. }) => status.is_some(),
        call => !call.only_looks(),
    }
}

/// Calls that aim get the place that was really used.
fn put_coordinate(call: &mut Map<String, Value>, view: &StepView) {
    if let (Some("drag"), Some(at), Some(size)) = (
        call.get("action").and_then(Value::as_str),
        view.record.dispatched,
        view.before.as_ref().map(|frame| frame.view),
    ) && let Some(from) = at.from
    {
        // Ends that were looked for by name.
        let [start, end] = [from, ViewPoint { x: at.x, y: at.y }].map(|point| point.to_grid(size));
        for (field, point) in [("start_coordinate", start), ("end_coordinate", end)] {
            if !call.contains_key(field) {
                call.insert(field.into(), json!([point.x, point.y]));
            }
        }
    }
    let aims = call.get("tool") == Some(&json!("mouse"))
        && matches!(call.get("action").and_then(Value::as_str), None | Some("click" | "move" | "scroll"));
    if !aims {
        return;
    }
    let record = &view.record;
    let size = view.before.as_ref().map(|frame| frame.view);
    let sent = record.dispatched.zip(size).map(|(at, size)| ViewPoint { x: at.x, y: at.y }.to_grid(size));
    let bounds = record.aimed.as_ref().map(|aimed| aimed.bounds).or_else(|| record.hit.as_ref()?.r#box);
    if let Some(point) = sent.or_else(|| bounds.map(|bounds| bounds.centre())) {
        call.insert("coordinate".into(), json!([point.x, point.y]));
    }
}

/// Takes out what the last step took back.
fn without_detour(kept: &mut Vec<Kept<'_>>) {
    let Some((last, earlier)) = kept.split_last() else { return };
    let taken_back = match (last.word("tool"), last.word("action")) {
        ("tab", "back") => led_away_and_back(last, earlier),
        ("keyboard", "clear") => typed_before_clearing(last, earlier),
        _ => None,
    };
    match taken_back {
        Some(Detour::WithLast(from)) => kept.truncate(from),
        Some(Detour::OnlyBefore(index)) => {
            kept.remove(index);
        }
        None => {}
    }
}

enum Detour {
    /// Everything from here on, the last step included.
    WithLast(usize),
    OnlyBefore(usize),
}

/// Only where nothing but looking around happened on the other page: what was done there may have been meant.
fn led_away_and_back(back: &Kept<'_>, earlier: &[Kept<'_>]) -> Option<Detour> {
    let here = back.record().observed.url.as_deref()?;
    let moves = |step: &&Kept<'_>| matches!(step.word("action"), "scroll" | "move") || step.word("tool") == "wait";
    let looked_around = earlier.iter().rev().take_while(moves).count();
    let from = earlier.len().checked_sub(looked_around + 1)?;
    let led_away = earlier.get(from)?;
    let is_click = led_away.word("tool") == "mouse" && led_away.word("action") == "click";
    let there = led_away.record().observed.url.as_deref();
    (is_click && led_away.url_before() == Some(here) && there != Some(here)).then_some(Detour::WithLast(from))
}

fn typed_before_clearing(clear: &Kept<'_>, earlier: &[Kept<'_>]) -> Option<Detour> {
    let typed = earlier.last().filter(|step| step.word("tool") == "keyboard" && step.word("action") == "type")?;
    let same = match (&typed.record().observed.focus, &clear.record().observed.focus) {
        (Focus::Element(one), Focus::Element(other)) => one.selector == other.selector && one.id == other.id,
        _ => false,
    };
    let stayed = typed.record().observed.url == clear.record().observed.url;
    (same && stayed).then_some(Detour::OnlyBefore(earlier.len() - 1))
}
