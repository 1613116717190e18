//! Why a brain could not be asked. The class decides the exit code and whether the run ever started.

/// A malformed reply is not among these: it is an `Answer::Problem`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrainError {
    /// The user has to change the command line or a file.
    #[error("{what}; hint: {hint}")]
    Usage { what: String, hint: String },
    /// The program behind the brain is gone.
    #[error("{0}")]
    Dead(String),
    #[error("the brain did not answer within {seconds} s; hint: --brain-timeout gives it longer")]
    Deadline { seconds: String },
    /// It is there, but does not speak our protocol.
    #[error("{0}")]
    Transport(String),
    /// The model or its provider declines to go on.
    #[error("the model declined: {0}")]
    Refused(String),
    /// The next request could cost more than what is left.
    #[error("{0}")]
    Budget(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BrainErrorClass {
    /// Found before the run started: exit code 2.
    Usage,
    /// Ends a running run as `brain_error`.
    Dead,
    Deadline,
    Transport,
    Refused,
    /// Ends a running run as `budget`.
    Budget,
}

impl BrainError {
    pub fn class(&self) -> BrainErrorClass {
        match self {
            BrainError::Usage { .. } => BrainErrorClass::Usage,
            BrainError::Dead(_) => BrainErrorClass::Dead,
            BrainError::Deadline { .. } => BrainErrorClass::Deadline,
            BrainError::Transport(_) => BrainErrorClass::Transport,
            BrainError::Refused(_) => BrainErrorClass::Refused,
            BrainError::Budget(_) => BrainErrorClass::Budget,
        }
    }

    pub(crate) fn usage(what: impl Into<String>, hint: impl Into<String>) -> Self {
        BrainError::Usage { what: what.into(), hint: hint.into() }
    }

    pub(crate) fn deadline(limit: std::time::Duration) -> Self {
        BrainError::Deadline { seconds: format!("{}", (limit.as_secs_f64() * 1000.0).round() / 1000.0) }
    }
}
