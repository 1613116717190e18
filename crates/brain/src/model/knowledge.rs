//! What is known about models: read once from `models.toml`, which is built in. A name that the file does not
//! know gets its provider's defaults and is said to be unknown. Sizes of pictures and prices have a file each.

mod file;
mod page;
mod price;
mod size;

use std::sync::OnceLock;

use self::file::Entry;
use super::space::Space;
use crate::prompt::Variant;

pub use self::page::models_page;
pub(crate) use self::price::{Price, Tokens, cost, read_price};
pub(crate) use self::size::{fit, smart_resize};

/// Whose API a model is spoken to through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Deserialize)]
pub(crate) enum Vendor {
    #[serde(rename = "anthropic")]
    Anthropic,
    #[serde(rename = "openai")]
    OpenAi,
    #[serde(rename = "gemini")]
    Gemini,
    /// Any OpenAI-compatible server.
    #[serde(rename = "chat")]
    Chat,
}

/// Everything an adapter has to know about a model. What belongs to another vendor has its default.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelFacts {
    /// The name is in the file; otherwise these are the vendor's defaults.
    pub(crate) known: bool,
    pub(crate) anthropic: AnthropicTool,
    pub(crate) openai: OpenAiTool,
    pub(crate) gemini: GeminiFunctions,
    pub(crate) dialect: Dialect,
    pub(crate) space: Space,
    pub(crate) long_edge: u32,
    pub(crate) max_pixels: u64,
    pub(crate) prompt: Variant,
    /// False only where a model is known to be blind.
    pub(crate) vision: bool,
    pub(crate) price: Option<Price>,
    /// The day the price was read, like `2026-10-16`.
    pub(crate) price_as_of: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnthropicTool {
    /// Like `computer_20251124`, or `computer_toolset_20260801`, which has another shape on the wire.
    pub(crate) tool: String,
    /// The beta header that belongs to the tool, where it needs one.
    pub(crate) beta: Option<String>,
    pub(crate) zoom: bool,
    /// Thinking blocks are refused once something before them was changed or dropped.
    pub(crate) bound_thinking: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
pub(crate) enum OpenAiTool {
    #[default]
    #[serde(rename = "computer")]
    Computer,
    #[serde(rename = "computer_use_preview")]
    Preview,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GeminiFunctions {
    #[default]
    New,
    Legacy,
}

/// How a chat model writes its actions down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
pub(crate) enum Dialect {
    /// Our own tools, as the API's tool calls.
    #[default]
    #[serde(rename = "native")]
    Native,
    #[serde(rename = "qwen3-vl")]
    Qwen3Vl,
    #[serde(rename = "qwen2.5-vl")]
    Qwen25Vl,
    #[serde(rename = "ui-tars")]
    UiTars,
    #[serde(rename = "ui-tars-2")]
    UiTars2,
    #[serde(rename = "opencua")]
    OpenCua,
    #[serde(rename = "holo3")]
    Holo3,
    #[serde(rename = "fara")]
    Fara,
}

/// What is known about a model. Always answers.
pub(crate) fn model_facts(vendor: Vendor, name: &str) -> ModelFacts {
    match find(vendor, name) {
        Some(entry) => entry.facts(),
        None => defaults(vendor),
    }
}

/// A chat model that is to be read in a dialect of the user's choice. Where the file says otherwise about the name, the
/// model is taken to point as the typical one of the dialect does.
pub(crate) fn chat_facts(name: &str, dialect: Dialect) -> ModelFacts {
    let facts = model_facts(Vendor::Chat, name);
    if facts.dialect == dialect {
        return facts;
    }
    let typical = entries().iter().find(|entry| entry.is_typical_of(dialect));
    let space = typical.map_or(Space::Grid1000, |entry| entry.facts().space);
    ModelFacts { dialect, space, ..facts }
}

/// The model that a brain without a model name uses; empty for chat, which has none.
pub(crate) fn default_model(vendor: Vendor) -> &'static str {
    let of_file = entries().iter().find(|entry| entry.vendor() == vendor && entry.is_default());
    match (of_file, vendor) {
        (Some(entry), _) => entry.pattern().trim_end_matches('*'),
        (None, Vendor::Anthropic) => "claude-sonnet-5",
        (None, Vendor::OpenAi) => "gpt-5.6-sol",
        (None, Vendor::Gemini) => "gemini-3.8-flash",
        (None, Vendor::Chat) => "",
    }
}

impl Vendor {
    pub(crate) const ALL: [Vendor; 4] = [Vendor::Anthropic, Vendor::OpenAi, Vendor::Gemini, Vendor::Chat];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Vendor::Anthropic => "anthropic",
            Vendor::OpenAi => "openai",
            Vendor::Gemini => "gemini",
            Vendor::Chat => "chat",
        }
    }
}

impl Dialect {
    pub(crate) const ALL: [Dialect; 8] = [
        Dialect::Native,
        Dialect::Qwen3Vl,
        Dialect::Qwen25Vl,
        Dialect::UiTars,
        Dialect::UiTars2,
        Dialect::OpenCua,
        Dialect::Holo3,
        Dialect::Fara,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Dialect::Native => "native",
            Dialect::Qwen3Vl => "qwen3-vl",
            Dialect::Qwen25Vl => "qwen2.5-vl",
            Dialect::UiTars => "ui-tars",
            Dialect::UiTars2 => "ui-tars-2",
            Dialect::OpenCua => "opencua",
            Dialect::Holo3 => "holo3",
            Dialect::Fara => "fara",
        }
    }

    /// `Err` is one sentence.
    pub(crate) fn read(name: &str) -> Result<Dialect, String> {
        let wanted = name.trim().to_ascii_lowercase();
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == wanted).ok_or_else(|| {
            let shown: String = name.chars().take(40).collect();
            format!("{shown:?} is no dialect; known are {}", Dialect::ALL.map(Dialect::name).join(", "))
        })
    }
}

impl AnthropicTool {
    /// One entry that stands for a family of tools, each action a tool of its own.
    pub(crate) fn is_toolset(&self) -> bool {
        self.tool.starts_with("computer_toolset_")
    }
}

impl Default for AnthropicTool {
    fn default() -> Self {
        AnthropicTool {
            tool: "computer_20251124".into(),
            beta: Some("computer-use-2025-11-24".into()),
            zoom: true,
            bound_thinking: false,
        }
    }
}

/// Small enough for every model of the vendor, and the tool that most of its models take.
fn defaults(vendor: Vendor) -> ModelFacts {
    let (space, long_edge, max_pixels, prompt) = match vendor {
        Vendor::Anthropic => (Space::ImagePx, 1568, 1_150_000, Variant::Large),
        Vendor::OpenAi => (Space::ImagePx, 2048, 1_600_000, Variant::Large),
        Vendor::Gemini => (Space::Grid1000, 2048, 1_600_000, Variant::Large),
        // Our own tools count on the grid.
        Vendor::Chat => (Space::Grid1000, 1920, 2_073_600, Variant::Small),
    };
    ModelFacts {
        known: false,
        anthropic: AnthropicTool::default(),
        openai: OpenAiTool::default(),
        gemini: GeminiFunctions::default(),
        dialect: Dialect::default(),
        space,
        long_edge,
        max_pixels,
        prompt,
        vision: true,
        price: None,
        price_as_of: None,
    }
}

fn find(vendor: Vendor, name: &str) -> Option<&'static Entry> {
    let name = name.trim();
    let bare = name.rsplit('/').next().unwrap_or(name);
    entries()
        .iter()
        .filter(|entry| entry.vendor() == vendor)
        .find(|entry| matches(entry.pattern(), name) || matches(entry.pattern(), bare))
}

/// Empty if the built-in file cannot be read, which a test rules out: then everything has defaults.
fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        file::read(file::BUILT_IN).unwrap_or_else(|problem| {
            tracing::warn!("the built-in list of models cannot be read: {problem}");
            Vec::new()
        })
    })
}

/// `*` stands for anything, also nothing; case does not count.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests;
