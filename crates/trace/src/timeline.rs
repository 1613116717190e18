//! A run as every view shows it: one entry per step, with everything a view needs next to it. What makes it of
//! raw events is `build`; both are apart from the views so that no two of them can tell different stories.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use surehand_types::event::{Confirmation, Envelope, EnvironmentEvent, FrameStored, NoteLevel, RunStarted};
use surehand_types::person::PersonEvent;
use surehand_types::plan::PlanEvent;
use surehand_types::reply::Hint;
use surehand_types::{RunResult, StepRecord, ViewSize};

use crate::build::TimelineBuilder;
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
    /// What memory gave along when the brain was asked for this step; empty for the later calls of a reply.
    pub hints: Vec<Hint>,
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
    /// A person paused the run, took over, or let it go on.
    Person(PersonEvent),
    /// Where a plan of many steps is.
    Plan(PlanEvent),
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
        let mut builder = TimelineBuilder::default();
        for envelope in events {
            builder.take(envelope);
        }
        builder.finish()
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
