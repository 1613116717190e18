//! What a model is shown of the run so far: the task, older steps as one line each, and the last few turns in
//! full. Its size is bounded whatever the length of the run.

use serde_json::Value;
use surehand_types::reply::SafetyCheck;

use super::provider::{Asked, Picture};

/// One request's worth of conversation, oldest first. The last exchange has no `said` yet.
#[derive(Debug)]
pub(crate) struct Conversation<'a> {
    pub(crate) system: &'a str,
    /// The task, the rules of the fence, and the older steps in lines. Stands in the first user message.
    pub(crate) opening: &'a str,
    /// How often old turns have gone.
    pub(crate) cuts: u32,
    /// Never empty.
    pub(crate) exchanges: &'a [Exchange],
    /// Size of the picture that was sent last, for APIs that have to be told.
    pub(crate) screen: (u32, u32),
    /// The page's address, for APIs that ask for it.
    pub(crate) url: Option<&'a str>,
    pub(crate) max_output_tokens: u32,
}

/// One turn: what the model was shown, and what it said to that.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    pub(crate) shown: Shown,
    pub(crate) said: Option<Said>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    /// One for each call id of the turn before. In the first exchange of a conversation their question is no
    /// longer there: they are told as text.
    pub(crate) answers: Vec<CallAnswer>,
    /// What is known about the screen and the last calls, fenced.
    pub(crate) text: String,
    /// `None` where the screen is the same as in the exchange before.
    pub(crate) picture: Option<Picture>,
    /// A zoom or a preview.
    pub(crate) extra: Vec<Picture>,
    /// The page's address at that time, for APIs that want it beside every picture.
    pub(crate) url: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct CallAnswer {
    pub(crate) asked: Asked,
    pub(crate) text: String,
    pub(crate) ok: bool,
    /// Checks of that call that a person agreed to.
    pub(crate) acknowledged: Vec<SafetyCheck>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) replay: Value,
    /// The turn in one line, for when the whole of it is gone.
    pub(crate) line: String,
    /// What the model wanted to remember; kept when the turn is gone.
    pub(crate) note: Option<String>,
    /// How often old turns had gone when this was said. Where that is less than the conversation's own count, what
    /// stood before it is no longer what the model saw.
    pub(crate) cuts: u32,
}
