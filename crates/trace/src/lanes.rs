//! The four lanes of a run as data: who steered it (policy), what the world did (state), what was remembered
//! (memory) and what was judged (referee). Terminal, web page and JSON draw these and decide nothing themselves.

mod ending;
mod step;

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::outcome::Tone;
use crate::timeline::{StepView, Timeline};

/// In the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    Policy,
    State,
    Memory,
    Referee,
}

/// What a marker stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkerKind {
    /// What was done, and at which point of the view.
    Action,
    /// The step was spent on replies that could not be used.
    UnusableReply,
    /// The step was spent on a target that is not there.
    MissingTarget,
    /// A rule of the policy denied the call, or wanted a person to agree.
    PolicyDecision,
    /// A guard refused the call.
    Guard,
    /// A guard had the call shown first.
    Preview,
    /// The gate or the verifier did not believe a `done`.
    DoneRefused,
    /// The brain repeated itself: it was told, another call took its place, or the run ended.
    Loop,
    /// The runtime did this in place of the brain's own call.
    Substituted,
    /// The governor refused to look once more.
    Governor,
    /// Calls of the reply that were left out.
    NotRun,
    /// A step of the plan began or ended.
    PlanStep,
    /// The brain failed or gave no usable reply, which ended the run.
    BrainFailed,
    Effect,
    /// Something that the brain foretold, and whether it came.
    Prediction,
    Address,
    Title,
    Focus,
    /// What `inspect` read off the screen.
    Inspected,
    /// Dialogs, tabs, downloads: what happened by itself.
    Happening,
    Hint,
    /// Lessons made, promoted or put away at the end.
    Lessons,
    /// One check of the contract.
    Check,
    Contract,
    Judge,
    Disagreement,
    FinalVerdict,
}

/// One marker in one lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LaneMarker {
    /// `null` for what belongs to the run's end.
    pub step: Option<u32>,
    pub lane: Lane,
    pub kind: MarkerKind,
    pub tone: Tone,
    /// One line.
    pub words: String,
}

impl Lane {
    pub const ALL: [Lane; 4] = [Lane::Policy, Lane::State, Lane::Memory, Lane::Referee];

    pub fn as_str(self) -> &'static str {
        match self {
            Lane::Policy => "policy",
            Lane::State => "state",
            Lane::Memory => "memory",
            Lane::Referee => "referee",
        }
    }
}

impl MarkerKind {
    pub fn lane(self) -> Lane {
        match self {
            MarkerKind::Action
            | MarkerKind::UnusableReply
            | MarkerKind::MissingTarget
            | MarkerKind::BrainFailed
            | MarkerKind::PolicyDecision
            | MarkerKind::Guard
            | MarkerKind::Preview
            | MarkerKind::DoneRefused
            | MarkerKind::Loop
            | MarkerKind::Substituted
            | MarkerKind::Governor
            | MarkerKind::NotRun
            | MarkerKind::PlanStep => Lane::Policy,
            MarkerKind::Effect
            | MarkerKind::Prediction
            | MarkerKind::Address
            | MarkerKind::Title
            | MarkerKind::Focus
            | MarkerKind::Inspected
            | MarkerKind::Happening => Lane::State,
            MarkerKind::Hint | MarkerKind::Lessons => Lane::Memory,
            MarkerKind::Check
            | MarkerKind::Contract
            | MarkerKind::Judge
            | MarkerKind::Disagreement
            | MarkerKind::FinalVerdict => Lane::Referee,
        }
    }

    /// Whether a step that is told in full has another place for it, so that saying it again would only be noise.
    pub fn is_told_by_the_step(self) -> bool {
        match self {
            MarkerKind::Action
            | MarkerKind::UnusableReply
            | MarkerKind::MissingTarget
            | MarkerKind::NotRun
            | MarkerKind::PlanStep
            | MarkerKind::Effect
            | MarkerKind::Prediction
            | MarkerKind::Address
            | MarkerKind::Title
            | MarkerKind::Focus
            | MarkerKind::Inspected
            | MarkerKind::Happening => true,
            MarkerKind::PolicyDecision
            | MarkerKind::Guard
            | MarkerKind::Preview
            | MarkerKind::DoneRefused
            | MarkerKind::Loop
            | MarkerKind::Substituted
            | MarkerKind::Governor
            | MarkerKind::BrainFailed
            | MarkerKind::Hint
            | MarkerKind::Lessons
            | MarkerKind::Check
            | MarkerKind::Contract
            | MarkerKind::Judge
            | MarkerKind::Disagreement
            | MarkerKind::FinalVerdict => false,
        }
    }
}

/// Every marker of a run, steps in order, its end last.
pub fn lanes_of(timeline: &Timeline) -> Vec<LaneMarker> {
    let mut previous = None;
    let mut markers = Vec::new();
    for entry in &timeline.entries {
        markers.extend(markers_of_step(entry, previous));
        previous = Some(entry);
    }
    markers.extend(markers_of_end(timeline));
    markers
}

/// The markers of one step. What changed is told in comparison with the step before.
pub fn markers_of_step(entry: &StepView, previous: Option<&StepView>) -> Vec<LaneMarker> {
    let place = Some(entry.record.step);
    step::markers(entry, previous).into_iter().map(|said| said.at(place)).collect()
}

/// What a run's end adds.
pub fn markers_of_end(timeline: &Timeline) -> Vec<LaneMarker> {
    timeline
        .ended
        .iter()
        .flat_map(|result| ending::markers(result, &timeline.entries))
        .map(|said| said.at(None))
        .collect()
}

/// A marker that does not know its place yet.
struct Said {
    kind: MarkerKind,
    tone: Tone,
    words: String,
}

impl Said {
    fn new(kind: MarkerKind, tone: Tone, words: impl Into<String>) -> Said {
        Said { kind, tone, words: words.into() }
    }

    fn at(self, step: Option<u32>) -> LaneMarker {
        LaneMarker { step, lane: self.kind.lane(), kind: self.kind, tone: self.tone, words: self.words }
    }
}
