//! Anthropic's Messages API with its computer tool, in both shapes: one tool named `computer` whose input has an
//! `action` (with a beta header), or a toolset whose every action is a tool of its own (without one).

mod actions;
mod read;
mod request;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::computer_prompt::computer_prompt;
use super::conversation::Conversation;
use super::knowledge::{AnthropicTool, ModelFacts, Tokens};
use super::own_tools::{OwnTool, Zoom, own_tools};
use super::provider::{PictureLimit, Provider, Question, Reading, Request, Unusable};
use super::space::Space;
use crate::prompt::{PromptContext, Variant};

#[derive(Debug)]
pub(crate) struct AnthropicProvider {
    model: String,
    tool: AnthropicTool,
    space: Space,
    limit: PictureLimit,
    own: Vec<OwnTool>,
    system: String,
}

impl AnthropicProvider {
    pub(crate) fn new(model: &str, facts: ModelFacts, context: PromptContext, variant: Variant) -> Self {
        let zoom = if facts.anthropic.zoom { Zoom::Theirs } else { Zoom::Ours(facts.space) };
        AnthropicProvider {
            model: model.to_string(),
            own: own_tools(&context, zoom),
            system: computer_prompt(variant, &context),
            tool: facts.anthropic,
            space: facts.space,
            limit: PictureLimit { long_edge: facts.long_edge, pixels: facts.max_pixels },
        }
    }
}

impl Provider for AnthropicProvider {
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
