//! What can go wrong before or beside the runs themselves, as one sentence each.

use surehand_brain::BrainError;
use surehand_conduct::ConductError;
use surehand_env::EnvError;
use surehand_sites::SiteError;
use surehand_store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// What the user gave is wrong; nothing was started.
    #[error("{sentence}\nhint: {hint}")]
    Usage { sentence: String, hint: String },
    /// Something that should work does not.
    #[error("{0}")]
    Broken(String),
    #[error(transparent)]
    Conduct(#[from] ConductError),
    #[error(transparent)]
    Env(#[from] EnvError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Brain(#[from] BrainError),
    #[error(transparent)]
    Site(#[from] SiteError),
}

impl EvalError {
    pub(crate) fn usage(sentence: impl Into<String>, hint: impl Into<String>) -> EvalError {
        EvalError::Usage { sentence: sentence.into(), hint: hint.into() }
    }

    /// Whether the user can repair it by calling us otherwise.
    pub fn is_usage(&self) -> bool {
        match self {
            EvalError::Usage { .. } | EvalError::Store(_) => true,
            EvalError::Conduct(error) => error.is_usage(),
            EvalError::Env(error) => error.is_usage(),
            EvalError::Brain(error) => error.class() == surehand_brain::BrainErrorClass::Usage,
            EvalError::Broken(_) | EvalError::Site(_) => false,
        }
    }
}
