//! Every adapter at once, for whoever wants to see that none of them stumbles.

use serde_json::Value;
use surehand_types::ViewSize;

use super::chat::{ChatOptions, ChatProvider};
use super::gestures::{Ground, Hands};
use super::knowledge::{Dialect, Vendor, chat_facts, default_model};
use super::open::provider;
use super::options::ModelOptions;
use super::provider::{Provider, Unusable};
use crate::prompt::{PromptContext, Surface, Variant};

fn everyone() -> Vec<Box<dyn Provider>> {
    let options = ModelOptions::default();
    let mut all: Vec<Box<dyn Provider>> = Vec::new();
    for (vendor, model) in [
        (Vendor::Anthropic, default_model(Vendor::Anthropic)),
        (Vendor::Anthropic, "claude-sonnet-4-5"),
        (Vendor::OpenAi, default_model(Vendor::OpenAi)),
        (Vendor::OpenAi, "computer-use-preview"),
        (Vendor::Gemini, default_model(Vendor::Gemini)),
        (Vendor::Gemini, "gemini-2.5-computer-use-preview-10-2025"),
    ] {
        if let Ok(facts) = options.facts(vendor, model) {
            all.push(provider(vendor, model, facts, &options, "http://127.0.0.1"));
        }
    }
    for dialect in Dialect::ALL {
        let facts = chat_facts("", dialect);
        let context = PromptContext::default();
        all.push(Box::new(ChatProvider::new("m", dialect, facts, context, Variant::Small, ChatOptions::default())));
    }
    all
}

/// What each adapter says is wrong with a response body.
pub(crate) fn read_as_all(body: &Value) -> Vec<String> {
    let view = ViewSize { width: 1280, height: 720 };
    let mut sentences = Vec::new();
    for provider in everyone() {
        let _ = provider.read_answer(body);
        match provider.read(body) {
            Ok(reading) => {
                let ground = Ground { space: provider.space(), image: (1280, 720), view, surface: Surface::Browser };
                sentences.extend(Hands::default().perform(&reading.spoken.gestures, ground).err());
                sentences.extend(reading.problem);
            }
            Err(Unusable::Again(why) | Unusable::Refused(why) | Unusable::Foreign(why)) => sentences.push(why),
        }
    }
    sentences
}

/// Whether a stream comes to a response body.
pub(crate) fn assembles(events: &[String]) -> bool {
    everyone().iter().any(|provider| provider.assemble(events).is_ok())
}
