//! What a user may say about a model brain, and where its key and address come from.

use super::knowledge::{AnthropicTool, Dialect, ModelFacts, Price, Vendor, chat_facts, model_facts, read_price};
use crate::error::BrainError;
use crate::prompt::{Surface, Variant};

/// Settings of every model brain.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOptions {
    /// Most pictures that a request has; 0 sends none.
    pub image_window: usize,
    /// `auto`, `large` or `small`.
    pub prompt_variant: String,
    /// How a chat model writes its actions; empty: by its name.
    pub dialect: String,
    /// Dollars per million tokens as `IN/OUT`; empty: from the price file.
    pub price: String,
    /// Dollars a run may cost; 0 means no limit.
    pub max_cost: f64,
    pub max_output_tokens: u32,
    /// Tokens that the turns shown in full may have.
    pub history_tokens: u64,
    /// Whether a chat server is asked to stream.
    pub stream: bool,
    /// Anthropic's tool and beta header, as `TOOL,BETA`; empty: by the model's name.
    pub computer_tool: String,
    pub surface: Surface,
}

impl Default for ModelOptions {
    fn default() -> Self {
        ModelOptions {
            image_window: 3,
            prompt_variant: "auto".into(),
            dialect: String::new(),
            price: String::new(),
            max_cost: 0.0,
            max_output_tokens: 4096,
            history_tokens: 60_000,
            stream: false,
            computer_tool: String::new(),
            surface: Surface::Browser,
        }
    }
}

impl ModelOptions {
    /// What is known about the model, with what the user said about it put in.
    pub(crate) fn facts(&self, vendor: Vendor, model: &str) -> Result<ModelFacts, BrainError> {
        let mut facts = match (vendor, self.dialect.trim()) {
            (Vendor::Chat, dialect) if !dialect.is_empty() => {
                let dialect = Dialect::read(dialect)
                    .map_err(|sentence| BrainError::usage(sentence, "write it like --set dialect=qwen3-vl"))?;
                chat_facts(model, dialect)
            }
            _ => model_facts(vendor, model),
        };
        if vendor == Vendor::Anthropic && !self.computer_tool.trim().is_empty() {
            facts.anthropic = pair(&self.computer_tool, facts.anthropic);
        }
        Ok(facts)
    }

    pub(crate) fn variant(&self, facts: &ModelFacts) -> Variant {
        match self.prompt_variant.as_str() {
            "large" => Variant::Large,
            "small" => Variant::Small,
            _ => facts.prompt,
        }
    }

    /// The price to count with. A limit in dollars without a price would be no limit.
    pub(crate) fn price_of(&self, facts: &ModelFacts, model: &str) -> Result<Option<Price>, BrainError> {
        let given = self.price.trim();
        let price = match given {
            "" => facts.price,
            given => Some(read_price(given).map_err(|sentence| {
                let (what, hint) = sentence.split_once("; hint: ").unwrap_or((&sentence, "like --set price=3/15"));
                BrainError::usage(what, hint)
            })?),
        };
        if price.is_none() && self.max_cost > 0.0 {
            return Err(BrainError::usage(
                format!("--max-cost needs a price, and none is known for the model {model:?}"),
                "give it in dollars per million tokens, like --set price=3/15",
            ));
        }
        Ok(price)
    }
}

fn pair(text: &str, known: AnthropicTool) -> AnthropicTool {
    let (tool, beta) = text.split_once(',').unwrap_or((text, ""));
    let beta = Some(beta.trim().to_string()).filter(|beta| !beta.is_empty());
    let same = tool.trim() == known.tool;
    let (zoom, bound_thinking) = (known.zoom && same, known.bound_thinking && same);
    AnthropicTool { tool: tool.trim().to_string(), beta, zoom, bound_thinking }
}

/// Where a vendor's API is and what its key is called.
pub(crate) struct Home {
    pub(crate) base: &'static str,
    /// Variables for another base address.
    pub(crate) base_variables: &'static [&'static str],
    pub(crate) key_variables: &'static [&'static str],
    pub(crate) header: &'static str,
    pub(crate) prefix: &'static str,
}

pub(crate) fn home(vendor: Vendor) -> Home {
    match vendor {
        Vendor::Anthropic => Home {
            base: "https://api.anthropic.com",
            base_variables: &["ANTHROPIC_BASE_URL"],
            key_variables: &["ANTHROPIC_API_KEY"],
            header: "x-api-key",
            prefix: "",
        },
        Vendor::OpenAi => Home {
            base: "https://api.openai.com/v1",
            base_variables: &["OPENAI_BASE_URL"],
            key_variables: &["OPENAI_API_KEY"],
            header: "authorization",
            prefix: "Bearer ",
        },
        Vendor::Gemini => Home {
            base: "https://generativelanguage.googleapis.com",
            base_variables: &["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
            key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            header: "x-goog-api-key",
            prefix: "",
        },
        Vendor::Chat => Home {
            base: "",
            base_variables: &[],
            key_variables: &["CHAT_API_KEY"],
            header: "authorization",
            prefix: "Bearer ",
        },
    }
}

/// Every variable that may hold a key: their values are kept out of everything we write.
pub fn key_variables() -> Vec<&'static str> {
    Vendor::ALL.into_iter().flat_map(|vendor| home(vendor).key_variables).copied().collect()
}
