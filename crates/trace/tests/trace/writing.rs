//! Writing and reading a trace: sequence, redaction, masks, damage, reduction.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use surehand_checks::picture;
use surehand_trace::read::ProblemKind;
use surehand_trace::timeline::{Completion, HappeningKind, Moment};
use surehand_trace::{FrameLibrary, MemoryEvents, MemoryFrames, Timeline, TraceWriter, read_trace};
use surehand_types::event::{Envelope, Event, NoteLevel};
use surehand_types::{Redactor, Secret};

use crate::sample::{self, Screen, object};

#[test]
fn a_run_reads_back_as_it_was_written() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    let result = sample::write_run(&mut writer);
    let read = read_trace(sample.events.text().as_bytes());
    assert_eq!(read.problems, []);
    let numbers: Vec<u64> = read.events.iter().map(|event| event.seq).collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, expected);
    assert!(read.events.iter().all(|event| event.at.ends_with('Z')));

    let timeline = Timeline::from_read(read);
    assert_eq!(timeline.entries.len(), 7);
    assert!(!timeline.interrupted);
    let ended = timeline.ended.as_ref().unwrap();
    assert_eq!(ended.termination_reason, result.termination_reason);
    assert_eq!(ended.trajectory.len(), 7, "taken from the steps");
    for pair in timeline.entries.windows(2) {
        assert_eq!(pair[0].after.as_ref().unwrap().sha256, pair[1].before.as_ref().unwrap().sha256);
    }
    let dialog = &timeline.entries[5].happenings;
    assert!(matches!(dialog[0].what, HappeningKind::Environment(_)));
    assert_eq!(dialog[0].moment, Moment::DuringCall);
    assert_eq!(timeline.entries[3].not_run[0].reason, "the call before it had no effect");
}

#[test]
fn the_same_frame_is_stored_and_recorded_once() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    let observation = sample::observation(1, Screen::List);
    let first = writer.frame(&observation).unwrap();
    assert_eq!(writer.frame(&observation).unwrap(), first);
    assert_eq!(sample.events.lines().len(), 1);
    let again = writer.frame(&sample::observation(2, Screen::List)).unwrap();
    assert_eq!(again, first, "a new id, the same picture");
    assert_eq!(sample.events.lines().len(), 2);
    assert_eq!(sample.frames.len(), 1);
    writer.frame(&sample::observation(3, Screen::Card)).unwrap();
    assert_eq!(sample.frames.len(), 2);
}

#[test]
fn masked_pixels_never_reach_a_stored_frame() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    let observation = sample::observation(1, Screen::List);
    assert_eq!(observation.frame.pixels.at(1100, 30), Some([255, 0, 0]));
    let hash = writer.frame(&observation).unwrap();
    let stored = picture::decode_png(&sample.frames.get(&hash).unwrap()).unwrap();
    for y in 16..44 {
        for x in 1060..1240 {
            assert_ne!(stored.at(x, y), Some([255, 0, 0]));
        }
    }
    assert_eq!(stored.at(100, 300), observation.frame.pixels.at(100, 300));
    assert_eq!(observation.frame.pixels.at(1100, 30), Some([255, 0, 0]), "masks are drawn on a copy");
}

#[test]
fn no_secret_is_written_or_told_to_a_listener() {
    let secret = "hunter2 & \"co\"";
    let redactor = Redactor::new(&[Secret::new("password", secret)]);
    let events = MemoryEvents::default();
    let heard: Arc<Mutex<Vec<Envelope>>> = Arc::default();
    let hear = heard.clone();
    let mut writer = TraceWriter::new(
        "r1",
        Box::new(events.clone()),
        Arc::new(MemoryFrames::default()),
        redactor,
        vec![Box::new(move |envelope| hear.lock().unwrap().push(envelope.clone()))],
    );
    let mut started = sample::started();
    started.task = format!("log in with {secret}");
    started.start_url = Some("http://x/?p=hunter2+%26+%22co%22".into());
    writer.record(Event::RunStarted(started)).unwrap();
    let call = object(json!({"tool": "keyboard", "action": "type", "text": secret}));
    let mut record = sample::record(1, call.clone());
    record.message = format!("typed {secret}");
    record.predicted_outcome = Some(json!({secret: [secret]}));
    writer.record(Event::CallStarted { step: 1, call, by: None }).unwrap();
    writer.record(Event::Step(Box::new(record))).unwrap();

    let written = events.text();
    assert!(!written.contains("hunter2"), "{written}");
    assert!(written.contains("<secret:password>"));
    let told = serde_json::to_string(&*heard.lock().unwrap()).unwrap();
    assert!(!told.contains("hunter2"), "{told}");
    assert_eq!(heard.lock().unwrap().len(), 3);
    assert_eq!(read_trace(written.as_bytes()).problems, []);
}

#[test]
fn a_secret_that_is_a_word_of_the_format_costs_nothing() {
    let (mut writer, sample) = sample::writer(Redactor::new(&[Secret::new("odd", "step")]));
    let call = object(json!({"tool": "wait"}));
    writer.record(Event::CallStarted { step: 1, call, by: None }).unwrap();
    let read = read_trace(sample.events.text().as_bytes());
    assert_eq!(read.problems, []);
    assert!(matches!(&read.events[0].event, Event::CallStarted { step: 1, .. }));
}

#[test]
fn damage_is_reported_and_everything_else_is_read() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    let mut lines = sample.events.lines();
    let whole = lines.len();
    lines[4] = "not json".into();
    lines.remove(9);
    lines.insert(2, String::new());
    let mut newer: Value = serde_json::from_str(&lines[1]).unwrap();
    newer["v"] = json!(2);
    lines[1] = newer.to_string();
    let mut unknown: Value = serde_json::from_str(&lines[7]).unwrap();
    unknown["type"] = json!("telepathy");
    lines[7] = unknown.to_string();
    let read = read_trace(lines.join("\n").as_bytes());
    assert_eq!(read.events.len(), whole - 3);
    let kinds: Vec<&ProblemKind> = read.problems.iter().map(|problem| &problem.kind).collect();
    assert!(matches!(kinds[0], ProblemKind::NewerVersion { version: 2 }));
    assert!(matches!(kinds[1], ProblemKind::Garbage { .. }));
    assert!(matches!(kinds[2], ProblemKind::SequenceGap { expected: 5, found: 6 }));
    assert!(matches!(kinds[3], ProblemKind::UnknownEvent { name } if name == "telepathy"));
    assert!(matches!(kinds[4], ProblemKind::SequenceGap { expected: 10, found: 11 }));
    assert_eq!(kinds.len(), 5);
    assert!(read.problems[3].to_string().contains("unknown type \"telepathy\""));
}

#[test]
fn a_trace_may_be_cut_at_any_byte() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    let text = sample.events.text();
    let lines = sample.events.lines();
    for cut in (0..text.len()).step_by(397) {
        let part = &text.as_bytes()[..cut];
        let read = read_trace(part);
        let whole = part.iter().filter(|byte| **byte == b'\n').count();
        let torn = cut > 0 && part[cut - 1] != b'\n';
        let last_is_whole = torn && part.ends_with(lines[whole].as_bytes());
        assert_eq!(read.events.len(), whole + usize::from(last_is_whole), "cut at {cut}");
        let expected: &[ProblemKind] = if torn && !last_is_whole { &[ProblemKind::TornLastLine] } else { &[] };
        let kinds: Vec<ProblemKind> = read.problems.iter().map(|problem| problem.kind.clone()).collect();
        assert_eq!(kinds, expected, "cut at {cut}");
        Timeline::from_read(read);
    }
}

#[test]
fn an_endless_line_is_skipped() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    writer.record(Event::RunStarted(sample::started())).unwrap();
    let text = format!("{}\n{}", "x".repeat(17 * 1024 * 1024), sample.events.text());
    let read = read_trace(text.as_bytes());
    assert_eq!(read.events.len(), 1);
    assert!(matches!(read.problems[0].kind, ProblemKind::LineTooLong { .. }));
    let endless = read_trace(&text.as_bytes()[..17 * 1024 * 1024]);
    assert_eq!(endless.problems.len(), 1);
}

#[test]
fn an_over_long_end_keeps_its_outcome() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    let mut result = sample::write_run(&mut writer);
    let mut huge = sample::record(1, object(json!({"tool": "wait"})));
    huge.feedback = "x".repeat(17 * 1024 * 1024);
    result.trajectory = vec![huge];
    writer.record(Event::RunEnded { result: Box::new(result) }).unwrap();
    writer.record(Event::Note { level: NoteLevel::Info, message: "y".repeat(17 * 1024 * 1024) }).unwrap();
    let read = read_trace(sample.events.text().as_bytes());
    assert_eq!(read.problems, []);
    let timeline = Timeline::from_read(read);
    assert_eq!(timeline.ended.unwrap().trajectory.len(), 7);
}

#[test]
fn a_killed_run_shows_the_call_it_died_in() {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_unfinished(&mut writer);
    let call = object(json!({"tool": "mouse", "action": "click", "coordinate": [1, 2]}));
    writer.record(Event::CallStarted { step: 8, call, by: None }).unwrap();
    let mut timeline = Timeline::from_read(read_trace(sample.events.text().as_bytes()));
    assert!(timeline.interrupted);
    let last = timeline.entries.last().unwrap();
    assert_eq!(last.completion, Completion::CutOff);
    assert_eq!(last.record.step, 8);
    assert!(last.before.is_some() && last.after.is_none());
    timeline.mark_running();
    assert!(!timeline.interrupted && timeline.still_running);
}

#[test]
fn a_failed_append_does_not_use_up_a_number() {
    struct Flaky {
        inner: MemoryEvents,
        fail: bool,
    }
    impl surehand_trace::EventSink for Flaky {
        fn append_line(&mut self, line: &str) -> std::io::Result<()> {
            self.fail = !self.fail;
            if self.fail {
                return Err(std::io::Error::other("disk full"));
            }
            self.inner.append_line(line)
        }
    }
    let events = MemoryEvents::default();
    let sink = Flaky { inner: events.clone(), fail: false };
    let mut writer =
        TraceWriter::new("r1", Box::new(sink), Arc::new(MemoryFrames::default()), Redactor::default(), Vec::new());
    let note = || Event::Note { level: NoteLevel::Info, message: "m".into() };
    assert!(writer.record(note()).is_err());
    assert_eq!(writer.record(note()).unwrap(), 1);
    assert!(writer.record(note()).is_err());
    assert_eq!(writer.record(note()).unwrap(), 2);
    assert_eq!(read_trace(events.text().as_bytes()).problems, []);
}
