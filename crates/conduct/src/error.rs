//! What can go wrong before a run begins, as one sentence each.

use surehand_brain::{BrainError, BrainErrorClass};
use surehand_env::EnvError;
use surehand_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// What the user gave is wrong; nothing was started. A hint follows on a line of its own.
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Env(#[from] EnvError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Brain(#[from] BrainError),
    #[error("interrupted before the run began")]
    Interrupted,
}

impl ConductError {
    pub fn usage(message: impl Into<String>) -> ConductError {
        ConductError::Usage(message.into())
    }

    pub(crate) fn with_hint(sentence: impl std::fmt::Display, hint: impl std::fmt::Display) -> ConductError {
        ConductError::Usage(format!("{sentence}\nhint: {hint}"))
    }

    /// Whether the user can repair it by asking for something else.
    pub fn is_usage(&self) -> bool {
        match self {
            ConductError::Usage(_) | ConductError::Store(_) => true,
            ConductError::Env(error) => error.is_usage(),
            ConductError::Brain(error) => error.class() == BrainErrorClass::Usage,
            ConductError::Interrupted => false,
        }
    }
}
