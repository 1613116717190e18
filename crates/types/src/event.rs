//! Trace events: raw facts in a versioned envelope with a contiguous sequence. Every view of a
//! run (timeline, report, result) is derived from these and never the other way round.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::observation::Dialog;
use crate::person::PersonEvent;
use crate::plan::PlanEvent;
use crate::reply::{AimedAt, Hint, SafetyCheck, Usage};
use crate::result::{RunResult, StepRecord};

/// Version of the envelope and of the event shapes below.
pub const TRACE_VERSION: u32 = 1;

/// One line of a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    pub v: u32,
    /// Starts at 1 and has no gaps within a run.
    pub seq: u64,
    /// RFC 3339, UTC.
    pub at: String,
    pub run_id: String,
    #[serde(flatten)]
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    RunStarted(RunStarted),
    /// A frame was stored; later events name it by hash.
    Frame(FrameStored),
    /// The brain was asked.
    TurnStarted {
        turn: u32,
        step: u32,
        problem: Option<String>,
        /// What memory gave along, as it was shown to the brain.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hints: Vec<Hint>,
    },
    /// The brain answered, usable or not.
    Replied {
        turn: u32,
        thought: Option<String>,
        expected: Vec<String>,
        calls: Vec<Map<String, Value>>,
        problem: Option<String>,
        think_ms: f64,
        /// Hidden reasoning, where a model shows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
        /// Where a model pointed in its own space, and what that came to.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aims: Vec<AimedAt>,
        /// What was forgiven while the answer was read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// What the provider wanted a person to agree to.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        safety: Vec<SafetyCheck>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// A call is about to be dispatched. Without a `step` after it, the run died in the middle of it.
    CallStarted {
        step: u32,
        call: Map<String, Value>,
        /// As in the step's record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    Step(Box<StepRecord>),
    /// Calls of a reply that were not run, and why.
    NotRun {
        turn: u32,
        calls: Vec<Map<String, Value>>,
        reason: String,
    },
    Environment(EnvironmentEvent),
    /// A person paused the run, took over, or let it go on.
    Person(PersonEvent),
    /// Where a plan of many steps is.
    Plan(PlanEvent),
    /// A person was asked whether a call may be made.
    Confirmation(Confirmation),
    Note {
        level: NoteLevel,
        message: String,
    },
    RunEnded {
        result: Box<RunResult>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunStarted {
    pub task: String,
    pub start_url: Option<String>,
    pub brain: String,
    pub environment: String,
    pub viewport: crate::coords::ViewSize,
    /// For all of the run. Absent where nothing limits the whole: the default of a plan holds for each of its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u32>,
    /// The same in seconds.
    pub timeout_s: Option<f64>,
    pub toggles: std::collections::BTreeMap<String, String>,
    pub surehand_version: String,
    /// The run that this one goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_from: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FrameStored {
    pub frame_id: u64,
    pub sha256: String,
    pub width: u32,
    pub height: u32,
    pub format: String,
    pub captured_at_ms: u64,
    pub stale: bool,
    /// Size of the view the frame shows; absent in traces that did not know it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub view: Option<crate::coords::ViewSize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmation {
    pub step: u32,
    /// The rule that asked for it, and why.
    pub rule: String,
    pub reason: String,
    /// What would have been pressed or done, and on which page.
    pub what: String,
    pub url: Option<String>,
    pub answer: crate::result::ConfirmAnswer,
    pub seconds: f64,
    /// Whose word it was, where the door knows names: the name of a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Nobody was asked: a person who had taken over did it, which is their word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_doing: bool,
}

/// Things that happen to the environment by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EnvironmentEvent {
    TabOpened {
        tab: String,
        url: String,
    },
    TabClosed {
        tab: String,
    },
    TabCrashed {
        tab: String,
    },
    DialogOpened {
        tab: String,
        dialog: Dialog,
    },
    Download {
        path: String,
        bytes: u64,
    },
    /// A download that was not kept, and why.
    DownloadRefused {
        name: String,
        reason: String,
    },
    /// The allowlist refused an address, so many times.
    Refused {
        url: String,
        reason: String,
        count: u64,
    },
    WindowOpened {
        window: String,
        title: String,
    },
    WindowClosed {
        window: String,
        title: String,
    },
    /// The application that was started with the desktop has ended.
    AppEnded {
        reason: String,
    },
    Lost {
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NoteLevel {
    Info,
    Warning,
}
