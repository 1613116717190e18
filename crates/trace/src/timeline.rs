//! The reducer: raw events in, one entry per step out, with everything a view needs next to it.
//! Pure, and kept apart from the views so that text and web page cannot tell different stories.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use surehand_types::event::{Confirmation, Envelope, EnvironmentEvent, Event, FrameStored, NoteLevel, RunStarted};
use surehand_types::reply::AimedAt;
use surehand_types::result::StepFrames;
use surehand_types::{RunResult, StepRecord, ViewSize};

use crate::read::{TraceProblem, TraceRead};

/// A whole run, ready to be shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    pub run: RunHeader,
    pub entries: Vec<StepView>,
    /// What happened after the last step.
    pub afterwards: Vec<Happening>,
    /// Calls refused a run before any step existed to hang them on.
    pub not_run: Vec<NotRun>,
    pub ended: Option<RunResult>,
    /// The trace has no end. The caller may know better: see `still_running`.
    pub interrupted: bool,
    pub still_running: bool,
    pub frames: BTreeMap<String, FrameStored>,
    pub problems: Vec<TraceProblem>,
    pub more_problems: usize,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunHeader {
    pub run_id: String,
    /// Time of the first event.
    pub started_at: Option<String>,
    /// Time of the last event.
    pub last_at: Option<String>,
    /// Missing when the run died before its first event was written, or that line is damaged.
    pub started: Option<RunStarted>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StepView {
    pub record: StepRecord,
    pub at: String,
    pub before: Option<FrameView>,
    pub after: Option<FrameView>,
    /// Calls of the same reply that were not run after this step.
    pub not_run: Vec<NotRun>,
    /// What happened since the step before.
    pub happenings: Vec<Happening>,
    pub completion: Completion,
}

/// A stored frame as a step refers to it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameView {
    pub sha256: String,
    /// The space `dispatched` is measured in.
    pub view: ViewSize,
    pub stale: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    Finished,
    /// The call was started and nothing was written after it.
    CutOff,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NotRun {
    pub calls: Vec<Map<String, Value>>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Happening {
    pub at: String,
    pub moment: Moment,
    pub what: HappeningKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    BeforeCall,
    DuringCall,
}

#[derive(Debug, Clone, PartialEq)]
pub enum HappeningKind {
    Environment(EnvironmentEvent),
    Note {
        level: NoteLevel,
        message: String,
    },
    /// A person was asked whether the call may be made.
    Confirmation(Confirmation),
    /// The brain's reply could not be used.
    UnusableReply {
        problem: String,
    },
}

impl Timeline {
    pub fn from_read(read: TraceRead) -> Timeline {
        let mut timeline = Timeline::from_events(&read.events);
        timeline.problems = read.problems;
        timeline.more_problems = read.more_problems;
        timeline
    }

    pub fn from_events(events: &[Envelope]) -> Timeline {
        let mut reducer = Reducer::default();
        for envelope in events {
            reducer.take(envelope);
        }
        reducer.finish()
    }

    /// Says that the run's process is alive, so a missing end only means "not yet".
    pub fn mark_running(&mut self) {
        if self.ended.is_none() {
            self.interrupted = false;
            self.still_running = true;
        }
    }

    pub fn task(&self) -> &str {
        match (&self.run.started, &self.ended) {
            (Some(started), _) => &started.task,
            (None, Some(result)) => &result.task,
            (None, None) => "",
        }
    }

    /// Seconds from the first event to the end, as far as the trace knows.
    pub fn duration_s(&self) -> Option<f64> {
        if let Some(result) = &self.ended {
            return Some(result.duration_s);
        }
        let first: jiff::Timestamp = self.run.started_at.as_deref()?.parse().ok()?;
        let last: jiff::Timestamp = self.run.last_at.as_deref()?.parse().ok()?;
        Some(last.duration_since(first).as_secs_f64().max(0.0))
    }
}

#[derive(Default)]
struct Reducer {
    timeline: Timeline,
    happenings: Vec<Happening>,
    open_call: Option<OpenCall>,
    thought: Option<(u32, Option<String>)>,
}

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

struct OpenCall {
    step: u32,
    call: Map<String, Value>,
    at: String,
}

impl Reducer {
    fn take(&mut self, envelope: &Envelope) {
        let run = &mut self.timeline.run;
        if run.run_id.is_empty() {
            run.run_id.clone_from(&envelope.run_id);
            run.started_at = Some(envelope.at.clone());
        }
        run.last_at = Some(envelope.at.clone());
        match &envelope.event {
            Event::RunStarted(started) => run.started = Some(started.clone()),
            Event::Frame(frame) => {
                self.timeline.frames.insert(frame.sha256.clone(), frame.clone());
            }
            Event::TurnStarted { .. } => {}
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
            Event::CallStarted { step, call } => {
                self.open_call = Some(OpenCall { step: *step, call: call.clone(), at: envelope.at.clone() });
            }
            Event::Step(record) => {
                self.open_call = None;
                self.entry(StepRecord::clone(record), &envelope.at, Completion::Finished);
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

    fn finish(mut self) -> Timeline {
        if let Some(open) = self.open_call.take() {
            let at = open.at.clone();
            let record = self.cut_off_record(open);
            self.entry(record, &at, Completion::CutOff);
        }
        let mut timeline = self.timeline;
        timeline.afterwards = self.happenings;
        timeline.interrupted = timeline.ended.is_none();
        if let Some(result) = &mut timeline.ended
            && result.trajectory.is_empty()
        {
            // The writer leaves it out of an over-long last line.
            result.trajectory = timeline
                .entries
                .iter()
                .filter(|entry| entry.completion == Completion::Finished)
                .map(|entry| entry.record.clone())
                .collect();
        }
        timeline
    }

    fn cut_off_record(&self, open: OpenCall) -> StepRecord {
        let last = self.timeline.entries.last();
        let (turn, thought) = self.thought.clone().unwrap_or((0, None));
        StepRecord {
            thought,
            call: Some(open.call),
            message: "The run stopped while this call was being carried out; whether it took effect is not known."
                .into(),
            frames: StepFrames {
                before: last.and_then(|entry| entry.record.frames.after.clone()),
                ..StepFrames::default()
            },
            ..StepRecord::blank(open.step, turn)
        }
    }
}
