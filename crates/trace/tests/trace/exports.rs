//! What is made of a run for others: a film, and examples to learn from.

#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

use surehand_trace::film::{MAX_PICTURES, write_gif};
use surehand_trace::training::{Part, Role, examples};
use surehand_trace::{MemoryFrames, Timeline, TraceError, read_trace};
use surehand_types::result::FinalVerdict;
use surehand_types::{EffectStatus, Redactor};

use crate::sample::{self, Sample};

fn run() -> (surehand_trace::TraceRead, Sample) {
    let (mut writer, sample) = sample::writer(Redactor::default());
    sample::write_run(&mut writer);
    (read_trace(sample.events.text().as_bytes()), sample)
}

/// Width, height and delay of a picture.
type Shown = (u16, u16, u16);

/// The size of a GIF and all of its pictures.
fn frames(bytes: &[u8]) -> ((u16, u16), Vec<Shown>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let size = (decoder.width(), decoder.height());
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.buffer.len(), usize::from(frame.width) * usize::from(frame.height) * 4);
        all.push((frame.width, frame.height, frame.delay));
    }
    (size, all)
}

#[test]
fn a_film_has_a_picture_per_step_and_only_what_changes() {
    let (read, sample) = run();
    let timeline = Timeline::from_read(read);
    let (mut bytes, mut told) = (Vec::new(), Vec::new());
    let facts =
        write_gif(&timeline, sample.frames.as_ref(), &mut bytes, &mut |done, all| told.push((done, all))).unwrap();
    assert_eq!((facts.pictures, facts.left_out), (7, 0));
    assert_eq!(told, (1..=7).map(|done| (done, 7)).collect::<Vec<_>>());
    let (size, frames) = frames(&bytes);
    assert_eq!(size, (960, 604));
    assert_eq!(frames.len(), 7);
    assert_eq!(frames[0], (960, 604, 120));
    assert!(frames[1..].iter().any(|(width, height, _)| *width < 960 || *height < 604), "{frames:?}");
    assert_eq!(frames[6].2, 400);
    assert!(bytes.len() < 400_000, "{}", bytes.len());
}

#[test]
fn a_film_is_bounded_and_needs_frames() {
    let (read, sample) = run();
    let mut timeline = Timeline::from_read(read);
    let gone = write_gif(&timeline, &MemoryFrames::default(), Vec::new(), &mut |_, _| {});
    assert!(matches!(gone, Err(TraceError::NoFrames)), "{gone:?}");
    // Frames that are gone are said to be, the others are shown.
    for entry in &mut timeline.entries[1..] {
        for frame in [&mut entry.before, &mut entry.after].into_iter().flatten() {
            frame.sha256 = "0".repeat(64);
        }
    }
    let last = timeline.entries[6].clone();
    timeline.entries.extend(std::iter::repeat_n(last, 400));
    let mut bytes = Vec::new();
    let facts = write_gif(&timeline, sample.frames.as_ref(), &mut bytes, &mut |_, _| {}).unwrap();
    assert_eq!((facts.pictures, facts.left_out), (MAX_PICTURES, 107));
    assert_eq!(frames(&bytes).1.len(), MAX_PICTURES);
}

#[test]
fn examples_hold_what_was_shown_answered_and_measured() {
    let (read, _) = run();
    let made = examples(&read.events, Some("drive"), |sha256| Some(format!("frames/{sha256}.png")));
    assert_eq!(made.len(), 7);
    let fourth = &made[3];
    let roles: Vec<Role> = fourth.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant]);
    let [Part::Text { text: asked }, Part::Image] = &fourth.messages[1].content[..] else { panic!("{fourth:?}") };
    assert!(asked.starts_with("Task: Open the contact Marta Vogel"), "{asked}");
    assert!(asked.contains("What came of the last calls:\nEffect: see above."), "{asked}");
    let [Part::Text { text: answer }] = &fourth.messages[2].content[..] else { panic!("{fourth:?}") };
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
    assert_eq!((&answer["thought"], &answer["calls"][0]["tool"]), (&"Save it.".into(), &"mouse".into()));
    assert_eq!(fourth.labels.effect, Some(EffectStatus::NoEffect));
    assert_eq!(fourth.labels.predicates.len(), 2);
    assert_eq!(fourth.reward.outcome, None, "nobody judged it");
    assert_eq!(fourth.verdict.unwrap().r#final, FinalVerdict::Unjudged);
    let [Part::Text { text: hinted }, ..] = &made[4].messages[1].content[..] else { panic!() };
    assert!(hinted.contains("Hints from earlier runs:\n- The notice at the bottom"), "{hinted}");
    let without = examples(&read.events, None, |_| None);
    assert_eq!((without[0].images.len(), without[0].messages.len()), (0, 2));
    assert!(!without[0].messages[0].content.contains(&Part::Image));
}
