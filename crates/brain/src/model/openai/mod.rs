//! OpenAI's Responses API with its computer tool: the current one, which acts in batches, and the preview before it.
//! Nothing is stored at the provider: every request carries all items of the turns that are still shown.

mod actions;
mod read;
mod request;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::computer_prompt::computer_prompt;
use super::conversation::Conversation;
use super::knowledge::{ModelFacts, OpenAiTool, Tokens};
use super::own_tools::{OwnTool, Zoom, own_tools};
use super::provider::{PictureLimit, Provider, Question, Reading, Request, Unusable};
use super::space::Space;
use crate::prompt::{PromptContext, Surface, Variant};

/// What a computer call is called by in answers, as it has no name of its own.
const COMPUTER: &str = "computer";

#[derive(Debug)]
pub(crate) struct OpenAiProvider {
    model: String,
    tool: OpenAiTool,
    surface: Surface,
    space: Space,
    limit: PictureLimit,
    own: Vec<OwnTool>,
    system: String,
}

impl OpenAiProvider {
    pub(crate) fn new(model: &str, facts: ModelFacts, context: PromptContext, variant: Variant) -> Self {
        OpenAiProvider {
            model: model.to_string(),
            tool: facts.openai,
            surface: context.surface(),
            // Neither tool can enlarge anything.
            own: own_tools(&context, Zoom::Ours(facts.space)),
            system: computer_prompt(variant, &context),
            space: facts.space,
            limit: PictureLimit { long_edge: facts.long_edge, pixels: facts.max_pixels },
        }
    }
}

impl Provider for OpenAiProvider {
    fn space(&self) -> Space {
        self.space
    }

    fn picture_limit(&self) -> PictureLimit {
        self.limit
    }

    fn system(&self) -> String {
        self.system.clone()
    }

    fn request(&self, conversation: &Conversation<'_>) -> Request {
        request::conversation(self, conversation)
    }

    fn read(&self, body: &Value) -> Result<Reading, Unusable> {
        read::reading(body)
    }

    fn question(&self, question: &Question) -> Request {
        request::question(self, question)
    }

    fn read_answer(&self, body: &Value) -> Result<(String, Tokens), Unusable> {
        read::answer(body)
    }
}
