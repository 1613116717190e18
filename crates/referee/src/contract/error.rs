//! What can be wrong with a contract, always with the place of it.

/// Longest piece of a contract that is quoted in a sentence about it.
const QUOTED: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    #[error("the contract has {bytes} bytes, more than the {limit} that are read")]
    TooLarge { bytes: usize, limit: usize },
    #[error("the contract is not JSON: {0}")]
    NotJson(String),
    #[error("the contract wants an object with `id` and `checks`, this is {0}")]
    NotAnObject(&'static str),
    /// A field that is missing, unknown, or says something that cannot be.
    #[error("{path}: {problem}")]
    Field { path: String, problem: String },
    #[error("{file}: {problem}")]
    File { file: String, problem: String },
}

impl ContractError {
    pub(crate) fn field(path: impl Into<String>, problem: impl Into<String>) -> ContractError {
        ContractError::Field { path: path.into(), problem: problem.into() }
    }
}

/// A piece of the contract as it can stand in a sentence.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > QUOTED {
        shown.push('…');
    }
    shown
}
