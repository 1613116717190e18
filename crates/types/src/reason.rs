//! Closed sets of reasons: why a call failed, why a run ended, which exit code that is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Codes of `error.code` in tool answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    InvalidCall,
    NotAvailable,
    UnknownTool,
    DialogOpen,
    NoDialog,
    NothingPending,
    TargetChanged,
    NothingEditable,
    NotCleared,
    UnknownKey,
    UnknownTab,
    NavigationFailed,
    Denied,
    Timeout,
    EnvLost,
    NoPendingSelect,
    OptionNotFound,
    OptionDisabled,
    OptionAmbiguous,
    NotMultiple,
    NoPendingFileInput,
    PathNotAllowed,
    PathNotFound,
    /// A script's `target` matched no element, or several.
    TargetNotFound,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    Done,
    DoneFailed,
    DoneUnverified,
    EnvDone,
    MaxSteps,
    Loop,
    Budget,
    Timeout,
    Paused,
    Cancelled,
    BrainError,
    EnvError,
}

impl Termination {
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Done => "done",
            Termination::DoneFailed => "done_failed",
            Termination::DoneUnverified => "done_unverified",
            Termination::EnvDone => "env_done",
            Termination::MaxSteps => "max_steps",
            Termination::Loop => "loop",
            Termination::Budget => "budget",
            Termination::Timeout => "timeout",
            Termination::Paused => "paused",
            Termination::Cancelled => "cancelled",
            Termination::BrainError => "brain_error",
            Termination::EnvError => "env_error",
        }
    }
}

/// Exit codes of the binary; a script may rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Success = 0,
    Failure = 1,
    Usage = 2,
    Uncertain = 3,
    Broken = 4,
    Interrupted = 130,
}
