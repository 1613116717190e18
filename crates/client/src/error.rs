//! Why a request came to nothing.

use surehand_types::api::ErrorFacts;

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server said no, in its own words.
    #[error("{}", words(.facts))]
    Refused { status: u16, facts: ErrorFacts },
    #[error("{server} cannot be reached: {why}\nhint: check that the server runs and that the address is right")]
    Unreachable { server: String, why: String },
    /// Something answers there, but no server of ours, or one of another version.
    #[error("{server} answered something that is not understood: {why}")]
    NotUnderstood { server: String, why: String },
    #[error("{0}")]
    Usage(String),
}

impl ClientError {
    /// The word for programs, where the server gave one.
    pub fn code(&self) -> Option<&str> {
        match self {
            ClientError::Refused { facts, .. } => Some(&facts.code),
            _ => None,
        }
    }

    pub fn status(&self) -> Option<u16> {
        match self {
            ClientError::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Another try may end otherwise: nobody was there, or the server is busy or stopping.
    pub fn is_passing(&self) -> bool {
        match self {
            ClientError::Refused { status, .. } => matches!(status, 408 | 429 | 500..),
            // A proxy in front of a server that starts anew says such things.
            ClientError::Unreachable { .. } | ClientError::NotUnderstood { .. } => true,
            ClientError::Usage(_) => false,
        }
    }
}

/// As everywhere in the program: the sentence, and a hint on a line of its own.
fn words(facts: &ErrorFacts) -> String {
    match &facts.hint {
        Some(hint) => format!("{}\nhint: {hint}", facts.message),
        None => facts.message.clone(),
    }
}
