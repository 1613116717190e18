//! From a run to a routine: what is kept of it, and what is asked of a replay.

#![expect(clippy::unwrap_used, reason = "a helper of tests, where a panic is the report")]

use serde_json::{Value, json};
use surehand_trace::routine::{Judged, NotRecorded, Recording, record};
use surehand_trace::{MemoryFrames, Timeline};
use surehand_types::event::{Envelope, Event, TRACE_VERSION};
use surehand_types::observation::FocusedElement;
use surehand_types::result::{AimedElement, FinalVerdict, PredicateResult, StepFrames};
use surehand_types::routine::{LOOKING, Routine, step_mark};
use surehand_types::{Effect, EffectStatus, Focus, StepRecord, Termination};

use crate::sample;

const HERE: &str = "http://127.0.0.1:4310/crm/contacts";
const THERE: &str = "http://127.0.0.1:4310/crm/contacts/3";

fn step(number: u32, call: Value, status: Option<EffectStatus>, url: &str) -> StepRecord {
    let mut record = sample::record(number, call.as_object().unwrap().clone());
    record.effect = status.map(|status| Effect::by(status, "mutation", "x"));
    record.observed.url = Some(url.into());
    record.observed.title = Some("Contacts".into());
    record.observed.focus = Focus::Nothing;
    record.frames = StepFrames { before: Some("a".into()), after: Some("a".into()), ..StepFrames::default() };
    record
}

fn click(number: u32, name: &str, status: EffectStatus, url: &str) -> StepRecord {
    let call = json!({"tool": "mouse", "action": "click", "coordinate": [100, 100]});
    let mut record = step(number, call, Some(status), url);
    record.aimed = Some(AimedElement {
        role: "button".into(),
        name: name.into(),
        bounds: [90, 90, 110, 110].into(),
        index: 0,
        of: 1,
        beside: None,
    });
    record
}

fn timeline(records: Vec<StepRecord>, verdict: FinalVerdict) -> Timeline {
    let mut result = sample::result("r9", Termination::Done);
    (result.verdict.r#final, result.success) = (verdict, true);
    result.summary = Some("It was changed.".into());
    let mut events = vec![Event::RunStarted(sample::started())];
    events.extend(records.into_iter().map(|record| Event::Step(Box::new(record))));
    events.push(Event::RunEnded { result: Box::new(result) });
    let envelopes: Vec<Envelope> = (1..)
        .zip(events)
        .map(|(seq, event)| Envelope {
            v: TRACE_VERSION,
            seq,
            at: "2026-01-01T00:00:00Z".into(),
            run_id: "r9".into(),
            event,
        })
        .collect();
    Timeline::from_events(&envelopes)
}

fn recorded(records: Vec<StepRecord>) -> Routine {
    let how = Recording { name: "test".into(), ..Recording::default() };
    record(&timeline(records, FinalVerdict::Pass), &MemoryFrames::default(), &how).unwrap()
}

/// The names of the targets and the texts, in order.
fn told(routine: &Routine) -> Vec<String> {
    let words = |step: &surehand_types::routine::RoutineStep| {
        let name = step.anchor.as_ref().and_then(|anchor| anchor.text.clone());
        let text = step.call.get("text").and_then(Value::as_str).map(str::to_string);
        text.or(name).unwrap_or_else(|| step.call["tool"].as_str().unwrap().to_string())
    };
    routine.steps.iter().map(words).collect()
}

#[test]
fn looks_failures_and_dead_clicks_are_left_out() {
    use EffectStatus::{Confirmed, NoEffect, Refused, Unverifiable};
    let failed = StepRecord { ok: false, ..click(3, "Failed", Confirmed, HERE) };
    let mut wait = step(8, json!({"tool": "wait", "seconds": 2}), None, HERE);
    let idle = wait.clone();
    wait.frames.after = Some("b".into());
    let mut searched = click(9, "Searched", Confirmed, HERE);
    searched.thought = Some(format!("{LOOKING}x"));
    let filled_already = step(10, json!({"tool": "keyboard", "action": "type", "text": "twice"}), None, HERE);
    let routine = recorded(vec![
        click(1, "First", Confirmed, HERE),
        click(2, "Dead", NoEffect, HERE),
        failed,
        click(4, "Denied", Refused, HERE),
        step(5, json!({"tool": "zoom", "region": [0, 0, 10, 10]}), None, HERE),
        step(6, json!({"tool": "tab", "action": "view"}), None, HERE),
        click(7, "Unsure", Unverifiable, HERE),
        idle,
        wait,
        searched,
        filled_already,
        step(11, json!({"tool": "done", "success": true, "summary": "x"}), None, HERE),
    ]);
    assert_eq!(told(&routine), ["First", "Unsure", "wait"]);
    assert_eq!((routine.claim.as_str(), routine.version), ("It was changed.", 1));
    assert_eq!(Routine::parse(&routine.to_text()), Ok(routine));
}

#[test]
fn a_click_that_was_shown_first_is_one_click() {
    let mut shown = click(1, "Small", EffectStatus::Refused, HERE);
    shown.effect = Some(Effect::refused("preview"));
    let mut confirm = click(2, "Small", EffectStatus::Confirmed, HERE);
    confirm.call = json!({"tool": "mouse", "action": "confirm"}).as_object().cloned();
    let mut list = click(3, "Country", EffectStatus::Refused, HERE);
    list.effect = Some(Effect::refused("native_control"));
    let choice = json!({"tool": "select_option", "values": ["NO"]});
    let routine = recorded(vec![shown, confirm, list, step(4, choice, Some(EffectStatus::Confirmed), HERE)]);
    assert_eq!(told(&routine), ["Small", "Country", "select_option"]);
    assert_eq!(routine.steps[0].call["action"], "click");
    assert_eq!(routine.steps[1].expect.pending, Some(surehand_types::observation::PendingKind::Select));
}

#[test]
fn detours_that_were_taken_back_are_left_out() {
    let field =
        FocusedElement { tag: "input".into(), label: Some("Name".into()), editable: true, ..Default::default() };
    let typing = |number, call| {
        let mut record = step(number, call, Some(EffectStatus::Confirmed), HERE);
        record.observed.focus = Focus::Element(Box::new(field.clone()));
        record
    };
    let back = json!({"tool": "tab", "action": "back"});
    let scroll = json!({"tool": "mouse", "action": "scroll", "coordinate": [1, 1]});
    let routine = recorded(vec![
        click(1, "Right", EffectStatus::Confirmed, HERE),
        click(2, "Wrong", EffectStatus::Confirmed, THERE),
        step(3, scroll, Some(EffectStatus::Confirmed), THERE),
        step(4, back.clone(), Some(EffectStatus::Confirmed), HERE),
        typing(5, json!({"tool": "keyboard", "action": "type", "text": "Adda"})),
        typing(6, json!({"tool": "keyboard", "action": "clear"})),
        typing(7, json!({"tool": "keyboard", "action": "type", "text": "Ada"})),
        // What was done on the other page may have been meant.
        click(8, "Away", EffectStatus::Confirmed, THERE),
        click(9, "Delete", EffectStatus::Confirmed, THERE),
        step(10, back, Some(EffectStatus::Confirmed), HERE),
    ]);
    assert_eq!(told(&routine), ["Right", "Name", "Ada", "Away", "Delete", "tab"]);
    assert_eq!(routine.steps[2].anchor.as_ref().unwrap().text.as_deref(), Some("Name"));
}

#[test]
fn what_is_expected_has_no_data_of_that_day_in_it() {
    let mut leads = click(1, "Marta", EffectStatus::Confirmed, THERE);
    let predicate =
        |words: &str, result| PredicateResult { predicate: words.into(), result: Some(result), reason: String::new() };
    leads.predicate_results =
        vec![predicate("url_changed", true), predicate("url_contains:/3", true), predicate("title_changed", false)];
    let mut stays = click(2, "Marta", EffectStatus::Confirmed, THERE);
    stays.observed.title = Some("Marta 7 of 9".into());
    let routine = recorded(vec![leads, stays]);
    let [first, second] = routine.steps.as_slice() else { panic!() };
    assert_eq!(first.expect.url_pattern.as_deref(), Some("/crm/contacts/{id}"));
    assert_eq!(first.expect.predicates, ["url_changed"]);
    assert_eq!(second.expect.url_pattern, None);
    assert_eq!(second.expect.title_pattern.as_deref(), Some("Marta {id} of {id}"));
}

#[test]
fn a_repair_keeps_what_verified_and_names_values_again() {
    let mut old = recorded(vec![
        click(1, "First", EffectStatus::Confirmed, HERE),
        step(2, json!({"tool": "keyboard", "action": "type", "text": "Ada"}), Some(EffectStatus::Confirmed), HERE),
        click(3, "Gone", EffectStatus::Confirmed, HERE),
    ]);
    old.parametrise("who", "Ada").unwrap();
    old.steps[0].about = "edited by a person".into();
    let marked = |number: usize, mut record: StepRecord| {
        record.thought = Some(step_mark(number, 3));
        record
    };
    let typed = |text: &str| json!({"tool": "keyboard", "action": "type", "text": text});
    let again = timeline(
        vec![
            marked(1, click(1, "First", EffectStatus::Confirmed, HERE)),
            marked(2, step(2, typed("Grace"), Some(EffectStatus::Confirmed), HERE)),
            click(3, "New", EffectStatus::Confirmed, HERE),
            step(4, typed("for Grace"), Some(EffectStatus::Confirmed), HERE),
        ],
        FinalVerdict::Pass,
    );
    let given = [("who".to_string(), "Grace".to_string())].into();
    let how = Recording { earlier: Some((old.clone(), given)), ..Recording::default() };
    let new = record(&again, &MemoryFrames::default(), &how).unwrap();
    assert_eq!((new.version, new.name.as_str(), &new.values), (2, "test", &old.values));
    assert_eq!(told(&new), ["First", "<value:who>", "New", "for <value:who>"]);
    assert_eq!(new.steps[0].about, "edited by a person");
}

#[test]
fn only_runs_that_passed_are_recorded() {
    let records = || vec![click(1, "First", EffectStatus::Confirmed, HERE)];
    let try_it = |records, verdict, judged| {
        let how = Recording { judged, ..Recording::default() };
        record(&timeline(records, verdict), &MemoryFrames::default(), &how).map(|routine| routine.steps.len())
    };
    assert_eq!(try_it(records(), FinalVerdict::Unjudged, Judged::Passed), Err(NotRecorded::Unjudged));
    assert_eq!(try_it(records(), FinalVerdict::Unjudged, Judged::EvenUnjudged), Ok(1));
    for verdict in [FinalVerdict::Fail, FinalVerdict::Uncertain] {
        assert!(matches!(try_it(records(), verdict, Judged::EvenUnjudged), Err(NotRecorded::NotPassed(_))));
    }
    assert_eq!(try_it(Vec::new(), FinalVerdict::Pass, Judged::Passed), Err(NotRecorded::Empty));
}
