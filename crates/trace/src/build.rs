//! The reducer: raw events in, entries out, one event at a time, so that a run under way can be shown as it grows.

use surehand_types::event::{Envelope, Event, NoteLevel};
use surehand_types::person::PersonEvent;
use surehand_types::reply::{AimedAt, Hint};
use surehand_types::result::StepFrames;
use surehand_types::{RunResult, StepRecord, ViewSize};

use serde_json::{Map, Value};

use crate::timeline::{Completion, FrameView, Happening, HappeningKind, Moment, NotRun, StepView, Timeline};

/// Takes events in order. `so_far` is the run up to the last one, `finish` the run as it is if no more come.
#[derive(Debug, Default)]
pub struct TimelineBuilder {
    timeline: Timeline,
    happenings: Vec<Happening>,
    hints: Vec<Hint>,
    open_call: Option<OpenCall>,
    thought: Option<(u32, Option<String>)>,
}

#[derive(Debug)]
struct OpenCall {
    step: u32,
    call: Map<String, Value>,
    by: Option<String>,
    at: String,
}

impl TimelineBuilder {
    /// Entries, start and end so far. What only the end can tell (`interrupted`, a call that was cut off) is not
    /// in it.
    pub fn so_far(&self) -> &Timeline {
        &self.timeline
    }

    pub fn take(&mut self, envelope: &Envelope) {
        let run = &mut self.timeline.run;
        if run.run_id.is_empty() {
            run.run_id.clone_from(&envelope.run_id);
            run.started_at = Some(envelope.at.clone());
        }
        run.last_at = Some(envelope.at.clone());
        // A run that was put away had a result, and goes on all the same. One that was cut off did not finish its call.
        if matches!(envelope.event, Event::Person(PersonEvent::Resumed { .. })) {
            self.timeline.ended = None;
            self.close_open_call();
        }
        match &envelope.event {
            Event::RunStarted(started) => self.timeline.run.started = Some(started.clone()),
            Event::Frame(frame) => {
                self.timeline.frames.insert(frame.sha256.clone(), frame.clone());
            }
            Event::TurnStarted { hints, .. } => {
                // Asked again after a reply that made no sense, with the same hints: those of the last time stand.
                self.hints.clone_from(hints);
            }
            Event::Replied { turn, thought, problem, aims, repairs, .. } => {
                self.thought = Some((*turn, thought.clone()));
                let pointed = aims.iter().take(POINTS_TOLD).map(pointed_in_words);
                let mended = repairs.iter().take(POINTS_TOLD).map(|repair| format!("the reply was mended: {repair}"));
                for message in pointed.chain(mended) {
                    self.happened(&envelope.at, HappeningKind::Note { level: NoteLevel::Info, message });
                }
                if let Some(problem) = problem {
                    let problem = problem.clone();
                    self.happened(&envelope.at, HappeningKind::UnusableReply { problem });
                }
            }
            Event::CallStarted { step, call, by } => {
                let (call, by, at) = (call.clone(), by.clone(), envelope.at.clone());
                self.open_call = Some(OpenCall { step: *step, call, by, at });
            }
            Event::Step(record) => {
                self.open_call = None;
                let completion = if record.cut_off { Completion::CutOff } else { Completion::Finished };
                self.entry(StepRecord::clone(record), &envelope.at, completion);
            }
            Event::NotRun { calls, reason, .. } => {
                let not_run = NotRun { calls: calls.clone(), reason: reason.clone() };
                match self.timeline.entries.last_mut() {
                    Some(entry) => entry.not_run.push(not_run),
                    None => self.timeline.not_run.push(not_run),
                }
            }
            Event::Environment(event) => {
                self.happened(&envelope.at, HappeningKind::Environment(event.clone()));
            }
            Event::Person(event) => self.happened(&envelope.at, HappeningKind::Person(event.clone())),
            Event::Plan(event) => self.happened(&envelope.at, HappeningKind::Plan(event.clone())),
            Event::Confirmation(asked) => {
                self.happened(&envelope.at, HappeningKind::Confirmation(asked.clone()));
            }
            Event::Note { level, message } => {
                let (level, message) = (*level, message.clone());
                self.happened(&envelope.at, HappeningKind::Note { level, message });
            }
            Event::RunEnded { result } => self.timeline.ended = Some(RunResult::clone(result)),
        }
    }

    fn happened(&mut self, at: &str, what: HappeningKind) {
        let moment = match self.open_call {
            Some(_) => Moment::DuringCall,
            None => Moment::BeforeCall,
        };
        self.happenings.push(Happening { at: at.to_string(), moment, what });
    }

    fn entry(&mut self, record: StepRecord, at: &str, completion: Completion) {
        let entry = StepView {
            before: self.frame_view(record.frames.before.as_deref(), record.frames.before_stale),
            after: self.frame_view(record.frames.after.as_deref(), record.frames.after_stale),
            record,
            at: at.to_string(),
            not_run: Vec::new(),
            happenings: std::mem::take(&mut self.happenings),
            hints: std::mem::take(&mut self.hints),
            completion,
        };
        self.timeline.entries.push(entry);
    }

    fn frame_view(&self, sha256: Option<&str>, stale: bool) -> Option<FrameView> {
        let sha256 = sha256?;
        let stored = self.timeline.frames.get(sha256);
        let viewport = self.timeline.run.started.as_ref().map(|run| run.viewport);
        let pixels = stored.map(|frame| ViewSize { width: frame.width, height: frame.height });
        Some(FrameView {
            sha256: sha256.to_string(),
            view: stored
                .and_then(|frame| frame.view)
                .or(viewport)
                .or(pixels)
                .unwrap_or(ViewSize { width: 1280, height: 720 }),
            stale,
        })
    }

    pub fn finish(mut self) -> Timeline {
        self.close_open_call();
        let mut timeline = self.timeline;
        timeline.afterwards = self.happenings;
        timeline.interrupted = timeline.ended.is_none();
        if let Some(result) = &mut timeline.ended
            && result.trajectory.is_empty()
        {
            // The writer leaves it out of an over-long last line. Of a cut-off call that a later process wrote down there
            // is a record, as opposed to one that is only missing.
            result.trajectory = timeline
                .entries
                .iter()
                .filter(|entry| entry.completion == Completion::Finished || entry.record.cut_off)
                .map(|entry| entry.record.clone())
                .collect();
        }
        timeline
    }

    fn close_open_call(&mut self) {
        if let Some(open) = self.open_call.take() {
            let at = open.at.clone();
            let record = self.cut_off_record(open);
            self.entry(record, &at, Completion::CutOff);
        }
    }

    fn cut_off_record(&self, open: OpenCall) -> StepRecord {
        let last = self.timeline.entries.last();
        let (turn, thought) = self.thought.clone().unwrap_or((0, None));
        StepRecord {
            thought,
            call: Some(open.call),
            by: open.by,
            message: CUT_OFF.into(),
            frames: StepFrames {
                before: last.and_then(|entry| entry.record.frames.after.clone()),
                ..StepFrames::default()
            },
            ..StepRecord::blank(open.step, turn)
        }
    }
}

/// Of a call that a process did not come back from.
pub const CUT_OFF: &str = "The run stopped while this call was being carried out; whether it took effect is not known.";

/// Points and repairs of one reply that are told.
const POINTS_TOLD: usize = 12;

/// Where a model pointed, in its own numbers, and what that came to.
fn pointed_in_words(aim: &AimedAt) -> String {
    let outside = if aim.clamped { ", which is outside" } else { "" };
    format!(
        "the model pointed at {}, {} ({} of a {}x{} picture{outside}): {}, {} on the grid",
        aim.raw[0], aim.raw[1], aim.space, aim.image[0], aim.image[1], aim.grid[0], aim.grid[1]
    )
}
