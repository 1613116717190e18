//! The timeline as one JSON object, for programs. A published shape: fields are added, never renamed; what changes
//! its meaning raises `schema_version`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use surehand_types::call::CallProblem;
use surehand_types::observation::Dispatched;
use surehand_types::referee::RefereeRecord;
use surehand_types::reply::Hint;
use surehand_types::result::{GuardRecord, LoopRecord, Observed, PolicyRecord, PredicateResult, Timing};
use surehand_types::{Effect, Hit, Termination, Verdict, ViewSize};

use super::facts::happening_in_words;
use super::outcome::{Tone, outcome_in_words};
use super::spent::step_in_words;
use super::trouble::{Trouble, what_went_wrong};
use crate::lanes::{Lane, LaneMarker, lanes_of, markers_of_step};
use crate::timeline::{Completion, FrameView, Happening, HappeningKind, NotRun, StepView, Timeline};

pub const TIMELINE_SCHEMA_VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TimelineDocument {
    pub schema_version: u32,
    pub run: RunFacts,
    /// Where it went wrong, most telling first; empty where nobody found fault.
    pub trouble: Vec<Trouble>,
    pub steps: Vec<StepFacts>,
    /// All markers, by lane and in order.
    pub lanes: Lanes,
    /// `null` for a run without an end.
    pub verdict: Option<Verdict>,
    /// What the verdict stands on.
    pub referee: Option<RefereeRecord>,
    /// Parts of the trace that could not be read, in words.
    pub problems: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunFacts {
    pub run_id: String,
    pub state: RunStateNow,
    pub task: String,
    pub start_url: Option<String>,
    pub brain: Option<String>,
    pub environment: Option<String>,
    pub viewport: Option<ViewSize>,
    /// RFC 3339, UTC.
    pub started_at: Option<String>,
    /// Time of the last event.
    pub last_at: Option<String>,
    pub duration_s: Option<f64>,
    pub termination_reason: Option<Termination>,
    pub error: Option<String>,
    /// The outcome for people.
    pub tone: Tone,
    pub headline: String,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStateNow {
    Running,
    Ended,
    /// Its process is gone and wrote no end.
    Interrupted,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StepFacts {
    pub step: u32,
    pub turn: u32,
    pub at: String,
    /// The call as a person would say it.
    pub words: String,
    pub thought: Option<String>,
    pub call: Option<Map<String, Value>>,
    /// Who did it, where it was not the brain: `person`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    pub ok: bool,
    /// The run died in the middle of the call.
    pub cut_off: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    /// Where input was sent, in pixels of the view of `before`.
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    pub effect: Option<Effect>,
    pub before: Option<FrameReference>,
    pub after: Option<FrameReference>,
    pub predictions: Vec<PredicateResult>,
    pub policy: Option<PolicyRecord>,
    pub guard: Option<GuardRecord>,
    pub done_rejected_reason: Option<String>,
    pub loop_recovery_reason: Option<String>,
    pub going_in_circles: Option<LoopRecord>,
    pub substituted: bool,
    pub hints: Vec<Hint>,
    pub happenings: Vec<HappeningFacts>,
    pub not_run: Vec<NotRunFacts>,
    pub observed: Observed,
    pub feedback: String,
    pub timing_ms: Timing,
    pub markers: Vec<LaneMarker>,
}

/// A stored frame by its content hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FrameReference {
    pub sha256: String,
    pub view: ViewSize,
    pub stale: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HappeningFacts {
    pub at: String,
    pub kind: HappeningName,
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HappeningName {
    Environment,
    Person,
    Plan,
    Note,
    Confirmation,
    UnusableReply,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotRunFacts {
    pub calls: Vec<Map<String, Value>>,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Lanes {
    pub policy: Vec<LaneMarker>,
    pub state: Vec<LaneMarker>,
    pub memory: Vec<LaneMarker>,
    pub referee: Vec<LaneMarker>,
}

impl TimelineDocument {
    pub fn of(timeline: &Timeline) -> TimelineDocument {
        let mut lanes = Lanes::default();
        for marker in lanes_of(timeline) {
            match marker.lane {
                Lane::Policy => lanes.policy.push(marker),
                Lane::State => lanes.state.push(marker),
                Lane::Memory => lanes.memory.push(marker),
                Lane::Referee => lanes.referee.push(marker),
            }
        }
        let before = std::iter::once(None).chain(timeline.entries.iter().map(Some));
        TimelineDocument {
            schema_version: TIMELINE_SCHEMA_VERSION,
            run: RunFacts::of(timeline),
            trouble: what_went_wrong(timeline),
            steps: timeline
                .entries
                .iter()
                .zip(before)
                .map(|(entry, previous)| StepFacts::of(entry, previous))
                .collect(),
            lanes,
            verdict: timeline.ended.as_ref().map(|result| result.verdict.clone()),
            referee: timeline.ended.as_ref().and_then(|result| result.referee.clone()),
            problems: timeline.problems.iter().map(ToString::to_string).collect(),
        }
    }
}

impl RunFacts {
    pub fn of(timeline: &Timeline) -> RunFacts {
        let outcome = outcome_in_words(timeline);
        let started = timeline.run.started.as_ref();
        let ended = timeline.ended.as_ref();
        RunFacts {
            run_id: timeline.run.run_id.clone(),
            state: match (ended, timeline.still_running) {
                (Some(_), _) => RunStateNow::Ended,
                (None, true) => RunStateNow::Running,
                (None, false) => RunStateNow::Interrupted,
            },
            task: timeline.task().to_string(),
            start_url: started.and_then(|started| started.start_url.clone()),
            brain: started.map(|started| started.brain.clone()),
            environment: started.map(|started| started.environment.clone()),
            viewport: started.map(|started| started.viewport),
            started_at: timeline.run.started_at.clone(),
            last_at: timeline.run.last_at.clone(),
            duration_s: timeline.duration_s(),
            termination_reason: ended.map(|result| result.termination_reason),
            error: ended.and_then(|result| result.error.clone()),
            tone: outcome.tone,
            headline: outcome.headline,
            detail: outcome.detail,
        }
    }
}

impl StepFacts {
    /// What changed is told in comparison with the step before.
    pub fn of(entry: &StepView, previous: Option<&StepView>) -> StepFacts {
        let record = entry.record.clone();
        StepFacts {
            words: step_in_words(&record),
            markers: markers_of_step(entry, previous),
            step: record.step,
            turn: record.turn,
            at: entry.at.clone(),
            thought: record.thought,
            call: record.call,
            by: record.by,
            ok: record.ok,
            cut_off: entry.completion == Completion::CutOff,
            message: record.message,
            error: record.error,
            dispatched: record.dispatched,
            hit: record.hit,
            effect: record.effect,
            before: entry.before.as_ref().map(FrameReference::of),
            after: entry.after.as_ref().map(FrameReference::of),
            predictions: record.predicate_results,
            policy: record.policy,
            guard: record.guard,
            done_rejected_reason: record.done_rejected_reason,
            loop_recovery_reason: record.loop_recovery_reason,
            going_in_circles: record.going_in_circles,
            substituted: record.substituted,
            hints: entry.hints.clone(),
            happenings: entry.happenings.iter().map(HappeningFacts::of).collect(),
            not_run: entry.not_run.iter().map(NotRunFacts::of).collect(),
            observed: record.observed,
            feedback: record.feedback,
            timing_ms: record.timing_ms,
        }
    }
}

impl FrameReference {
    fn of(frame: &FrameView) -> FrameReference {
        FrameReference { sha256: frame.sha256.clone(), view: frame.view, stale: frame.stale }
    }
}

impl HappeningFacts {
    fn of(happening: &Happening) -> HappeningFacts {
        HappeningFacts {
            at: happening.at.clone(),
            kind: match happening.what {
                HappeningKind::Environment(_) => HappeningName::Environment,
                HappeningKind::Person(_) => HappeningName::Person,
                HappeningKind::Plan(_) => HappeningName::Plan,
                HappeningKind::Note { .. } => HappeningName::Note,
                HappeningKind::Confirmation(_) => HappeningName::Confirmation,
                HappeningKind::UnusableReply { .. } => HappeningName::UnusableReply,
            },
            words: happening_in_words(happening),
        }
    }
}

impl NotRunFacts {
    fn of(group: &NotRun) -> NotRunFacts {
        NotRunFacts { calls: group.calls.clone(), reason: group.reason.clone() }
    }
}
