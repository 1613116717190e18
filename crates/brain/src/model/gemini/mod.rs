//! Google's Gemini API with its computer use functions, in both sets: the newer one (`click`, `type`, `hotkey`) and
//! the one before it (`click_at`, `type_text_at`, `key_combination`). Both are read, whichever the model is known for.

mod actions;
mod read;
mod request;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::computer_prompt::computer_prompt;
use super::conversation::Conversation;
use super::knowledge::{GeminiFunctions, ModelFacts, Tokens};
use super::own_tools::{OwnTool, Zoom, own_tools};
use super::provider::{PictureLimit, Provider, Question, Reading, Request, Unusable};
use super::space::Space;
use crate::prompt::{PromptContext, Surface, Variant};

#[derive(Debug)]
pub(crate) struct GeminiProvider {
    model: String,
    functions: GeminiFunctions,
    surface: Surface,
    space: Space,
    limit: PictureLimit,
    own: Vec<OwnTool>,
    system: String,
}

impl GeminiProvider {
    pub(crate) fn new(model: &str, facts: ModelFacts, context: PromptContext, variant: Variant) -> Self {
        GeminiProvider {
            model: model.to_string(),
            functions: facts.gemini,
            surface: context.surface(),
            own: own_tools(&context, Zoom::Ours(facts.space)),
            system: computer_prompt(variant, &context),
            space: facts.space,
            limit: PictureLimit { long_edge: facts.long_edge, pixels: facts.max_pixels },
        }
    }
}

impl Provider for GeminiProvider {
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
