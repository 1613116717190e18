//! How the binary ends: exit codes and the one sentence that goes with them.

use surehand_brain::{BrainError, BrainErrorClass};
use surehand_conduct::ConductError;
use surehand_env::EnvError;
use surehand_eval::EvalError;
use surehand_store::StoreError;
use surehand_types::reason::Exit;

/// An early end. The message is one sentence, with a hint where the user can act.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Failure {
    /// Something is wrong with what the user gave us; nothing was started.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure { code: Exit::Usage as i32, message: message.into() }
    }

    /// Something that should work does not.
    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Failure { code: Exit::Broken as i32, message: message.into() }
    }
}

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        if error.is_usage() { Failure::usage(error.to_string()) } else { Failure::broken(error.to_string()) }
    }
}

impl From<BrainError> for Failure {
    fn from(error: BrainError) -> Self {
        match error.class() {
            BrainErrorClass::Usage => Failure::usage(error.to_string()),
            _ => Failure::broken(error.to_string()),
        }
    }
}

impl From<ConductError> for Failure {
    fn from(error: ConductError) -> Self {
        match error {
            ConductError::Interrupted => Failure { code: Exit::Interrupted as i32, message: error.to_string() },
            _ if error.is_usage() => Failure::usage(error.to_string()),
            _ => Failure::broken(error.to_string()),
        }
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        if error.is_usage() { Failure::usage(error.to_string()) } else { Failure::broken(error.to_string()) }
    }
}

/// Data dirs that cannot be used and runs that do not exist are found before anything starts.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::usage(error.to_string())
    }
}

pub(crate) fn code(code: i32) -> std::process::ExitCode {
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(1))
}
