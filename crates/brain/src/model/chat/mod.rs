//! Any server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama and many more. What a model writes there
//! depends on how it was trained: its dialect. `request` writes, `read` and `stream` take apart what comes back,
//! `dialects` know the forms, `actions` what the words in them mean.

mod actions;
mod dialects;
mod read;
mod request;
mod stream;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::conversation::Conversation;
use super::knowledge::{Dialect, ModelFacts, Tokens};
use super::provider::{PictureLimit, Provider, Question, Reading, Request, Unusable, Window};
use super::space::Space;
use crate::prompt::{PromptContext, Variant};

use self::dialects::Setting;

/// What differs from server to server, not from model to model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ChatOptions {
    /// Ask for the answer in pieces: some servers keep a connection alive only so.
    pub(crate) stream: bool,
    /// Only sent where it is given: servers know the best one for their model.
    pub(crate) temperature: Option<f64>,
    /// Offer our tools as functions, in the native dialect. Old llama.cpp servers refuse that without `--jinja`.
    pub(crate) tools: bool,
    /// OpenAI's own newer models refuse `max_tokens`; other servers do not know the newer name.
    pub(crate) newer_limit_name: bool,
}

impl Default for ChatOptions {
    fn default() -> Self {
        ChatOptions { stream: false, temperature: None, tools: true, newer_limit_name: false }
    }
}

#[derive(Debug)]
pub(crate) struct ChatProvider {
    model: String,
    dialect: Dialect,
    options: ChatOptions,
    space: Space,
    limit: PictureLimit,
    /// The model is not known to be blind.
    sees: bool,
    setting: Setting,
}

impl ChatProvider {
    pub(crate) fn new(
        model: &str,
        dialect: Dialect,
        facts: ModelFacts,
        context: PromptContext,
        variant: Variant,
        options: ChatOptions,
    ) -> Self {
        ChatProvider {
            model: model.to_string(),
            dialect,
            options,
            space: facts.space,
            limit: PictureLimit { long_edge: facts.long_edge, pixels: facts.max_pixels },
            sees: facts.vision,
            setting: Setting { context, variant, space: facts.space },
        }
    }
}

impl Provider for ChatProvider {
    fn space(&self) -> Space {
        self.space
    }

    fn picture_limit(&self) -> PictureLimit {
        self.limit
    }

    fn window(&self, most: usize) -> Window {
        // These were trained with three pictures and are confused by more.
        let most = match self.dialect {
            Dialect::Holo3 | Dialect::OpenCua => most.min(3),
            _ => most,
        };
        let keep = (most / 3).max(1);
        Window { keep, batch: most.max(keep) - keep + 1 }
    }

    fn system(&self) -> String {
        dialects::system(self.dialect, &self.setting)
    }

    fn request(&self, conversation: &Conversation<'_>) -> Request {
        request::conversation(self, conversation)
    }

    fn read(&self, body: &Value) -> Result<Reading, Unusable> {
        read::reading(self.dialect, body)
    }

    fn assemble(&self, events: &[String]) -> Result<Value, String> {
        stream::assemble(events.iter().map(String::as_str))
    }

    fn question(&self, question: &Question) -> Request {
        request::question(self, question)
    }

    fn read_answer(&self, body: &Value) -> Result<(String, Tokens), Unusable> {
        read::answer(body)
    }
}
