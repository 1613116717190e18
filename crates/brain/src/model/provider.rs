//! What differs from one model API to the next: how a conversation becomes a request body, and how a response
//! body becomes what the model said. Pure: sending, repeating, counting and remembering are done elsewhere.

use serde_json::Value;

use super::conversation::Conversation;
use super::knowledge::Tokens;
use super::space::Space;
use super::spoken::Spoken;

pub(crate) trait Provider: Send + Sync {
    /// In which space the model points.
    fn space(&self) -> Space;

    /// Limits of a picture: longest edge and number of pixels. Larger ones are scaled down before they are sent.
    fn picture_limit(&self) -> PictureLimit;

    /// How many pictures a request has: at most `most`, of which a third stay when there would be more.
    fn window(&self, most: usize) -> Window {
        let keep = (most / 3).max(1);
        Window { keep, batch: most.max(keep) - keep + 1 }
    }

    /// What the model is told before everything else.
    fn system(&self) -> String;

    /// The next request of a run.
    fn request(&self, conversation: &Conversation<'_>) -> Request;

    /// Reads the body of a good response. `Err` is what cannot be used, with what to do about it.
    fn read(&self, body: &Value) -> Result<Reading, Unusable>;

    /// One response body out of the data lines of a stream; a stream that broke off is an error.
    fn assemble(&self, events: &[String]) -> Result<Value, String> {
        let _ = events;
        Err("the server streams its answer, which was not asked for".into())
    }

    /// One question outside every conversation, with pictures: for `verify_done` and for the judge.
    fn question(&self, question: &Question) -> Request;

    /// The words of the answer to a question.
    fn read_answer(&self, body: &Value) -> Result<(String, Tokens), Unusable>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PictureLimit {
    pub(crate) long_edge: u32,
    pub(crate) pixels: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// Pictures that stay when old turns go.
    pub(crate) keep: usize,
    /// There are at most `keep + batch - 1`. Old turns go so many at a time: in between, the beginning of the request stays the same, byte by byte, and
    /// the provider's prompt cache holds.
    pub(crate) batch: usize,
}

/// An HTTP request without its key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    /// Below the base address, like `/v1/messages`.
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
}

/// A response that could be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reading {
    pub(crate) spoken: Spoken,
    /// What has to be sent back as the model's own turn.
    pub(crate) replay: Value,
    pub(crate) tokens: Tokens,
    /// The answer was understood as an answer, but nothing in it can be done: one sentence for the model. It may
    /// still have ids that need an answer, in `asked`.
    pub(crate) problem: Option<String>,
    /// Every call id in the answer, with the name it was called by; each is answered in the next request.
    pub(crate) asked: Vec<Asked>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// Why a response body is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// Worth another try, as it is: an overloaded model, a malformed function call of its own making.
    Again(String),
    /// The model, or its provider, declines. The run ends with these words.
    Refused(String),
    /// Not the shape of this API at all.
    Foreign(String),
}

/// A picture that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// `image/png` or `image/jpeg`.
    pub(crate) media_type: &'static str,
    pub(crate) base64: String,
}

impl Picture {
    pub(crate) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) system: String,
    pub(crate) text: String,
    /// Each with a label that is said before it.
    pub(crate) pictures: Vec<(String, Picture)>,
}
