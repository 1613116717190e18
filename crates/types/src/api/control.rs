//! People in the loop: what they are asked and what they say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::CallProblem;
use crate::observation::Pending;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuestionKind {
    /// May this be done? Answered by approve or deny.
    Approval,
    /// The brain wants to know something. Answered by answer.
    Answer,
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaitingQuestion {
    pub id: String,
    pub kind: QuestionKind,
    /// What would be done, or what the brain asks.
    pub text: String,
    pub target: Option<String>,
    pub url: Option<String>,
    pub rule: Option<String>,
    pub reason: Option<String>,
    /// SHA-256 of the frame that shows the moment, secrets covered.
    pub frame: Option<String>,
    /// RFC 3339. No answer by then is a no.
    pub until: String,
    /// What silence means, where the question is a plan's: like `stop: this pass of "each" is given up, and the loop goes on`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_answer: Option<String>,
}

/// The body of approve and deny.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Which question is meant, so that an answer never meets a later one. The only one that waits, where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// The body of answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    #[schemars(length(max = 2000))]
    pub text: String,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    pub run_id: String,
    pub status: super::RunStatus,
    /// What happens now, in one sentence.
    pub message: String,
}

/// What became of one call of the person who has taken over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonCallResult {
    pub ok: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    /// What waits for a second call, and which: options of a list, a date, a confirmation.
    #[serde(default)]
    pub pending: Option<Pending>,
}
