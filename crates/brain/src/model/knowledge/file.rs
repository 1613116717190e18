//! The form of `models.toml`. A field that is not known, or an entry that lacks what its provider needs, makes the
//! whole file wrong: half-known models would be asked in the wrong way.

use serde::Deserialize;

use super::{AnthropicTool, Dialect, GeminiFunctions, ModelFacts, OpenAiTool, Price, Vendor, defaults};
use crate::model::space::Space;
use crate::prompt::Variant;

pub(super) const BUILT_IN: &str = include_str!("../models.toml");

/// One family of models.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    provider: Vendor,
    r#match: String,
    #[serde(default)]
    default: bool,
    /// Of Anthropic or OpenAI.
    tool: Option<String>,
    beta: Option<String>,
    zoom: Option<bool>,
    bound_thinking: Option<bool>,
    functions: Option<GeminiFunctions>,
    dialect: Option<Dialect>,
    #[serde(default)]
    typical: bool,
    space: SpaceName,
    resize: Option<Resize>,
    long_edge: u32,
    max_pixels: u64,
    prompt: PromptName,
    vision: Option<bool>,
    price: Option<Price>,
    price_as_of: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum SpaceName {
    #[serde(rename = "image_px")]
    ImagePx,
    #[serde(rename = "grid1000")]
    Grid1000,
    #[serde(rename = "smart_resized_px")]
    SmartResizedPx,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PromptName {
    Large,
    Small,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Resize {
    factor: u32,
    min_pixels: u64,
    max_pixels: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    model: Vec<Entry>,
}

/// `Err` says what is wrong with the file.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    for entry in &file.model {
        entry.check().map_err(|problem| format!("{}: {problem}", entry.r#match))?;
    }
    Ok(file.model)
}

impl Entry {
    pub(super) fn vendor(&self) -> Vendor {
        self.provider
    }

    pub(super) fn pattern(&self) -> &str {
        &self.r#match
    }

    pub(super) fn is_default(&self) -> bool {
        self.default
    }

    /// What a model of this dialect is taken for when its name says nothing.
    pub(super) fn is_typical_of(&self, dialect: Dialect) -> bool {
        self.typical && self.dialect == Some(dialect)
    }

    pub(super) fn facts(&self) -> ModelFacts {
        let plain = AnthropicTool::default();
        let anthropic = match (self.provider, &self.tool) {
            (Vendor::Anthropic, Some(tool)) => AnthropicTool {
                tool: tool.clone(),
                beta: self.beta.clone(),
                zoom: self.zoom.unwrap_or(plain.zoom),
                bound_thinking: self.bound_thinking.unwrap_or(plain.bound_thinking),
            },
            _ => plain,
        };
        ModelFacts {
            known: true,
            anthropic,
            openai: self.openai_tool().unwrap_or_default(),
            gemini: self.functions.unwrap_or_default(),
            dialect: self.dialect.unwrap_or_default(),
            space: self.space(),
            long_edge: self.long_edge,
            max_pixels: self.max_pixels,
            prompt: match self.prompt {
                PromptName::Large => Variant::Large,
                PromptName::Small => Variant::Small,
            },
            vision: self.vision.unwrap_or(true),
            price: self.price,
            price_as_of: self.price_as_of.clone(),
        }
    }

    fn space(&self) -> Space {
        match (self.space, self.resize) {
            (SpaceName::ImagePx, _) => Space::ImagePx,
            (SpaceName::Grid1000, _) => Space::Grid1000,
            (SpaceName::SmartResizedPx, Some(Resize { factor, min_pixels, max_pixels })) => {
                Space::SmartResizedPx { factor, min_pixels, max_pixels }
            }
            // Ruled out by `check`.
            (SpaceName::SmartResizedPx, None) => defaults(self.provider).space,
        }
    }

    fn openai_tool(&self) -> Option<OpenAiTool> {
        match self.tool.as_deref() {
            Some("computer") => Some(OpenAiTool::Computer),
            Some("computer_use_preview") => Some(OpenAiTool::Preview),
            _ => None,
        }
    }

    /// What the types cannot say.
    fn check(&self) -> Result<(), &'static str> {
        let needed = match self.provider {
            Vendor::Anthropic => self.tool.is_some() && self.zoom.is_some(),
            Vendor::OpenAi => self.openai_tool().is_some(),
            Vendor::Gemini => self.functions.is_some(),
            Vendor::Chat => self.dialect.is_some() && !self.default,
        };
        let of_anthropic = self.zoom.is_some() || self.bound_thinking.is_some();
        let foreign = match self.provider {
            Vendor::Anthropic => self.functions.is_some() || self.dialect.is_some(),
            Vendor::OpenAi => self.functions.is_some() || self.dialect.is_some() || self.beta.is_some() || of_anthropic,
            Vendor::Gemini => self.dialect.is_some() || self.tool.is_some() || self.beta.is_some() || of_anthropic,
            Vendor::Chat => self.functions.is_some() || self.tool.is_some() || self.beta.is_some() || of_anthropic,
        };
        let resized = self.space == SpaceName::SmartResizedPx;
        match () {
            () if self.r#match.trim_matches('*').is_empty() => Err("match names nothing"),
            () if !needed => Err("something that its provider needs is not there"),
            () if foreign || (self.typical && self.provider != Vendor::Chat) => {
                Err("something belongs to another provider")
            }
            () if resized != self.resize.is_some() => Err("resize goes with smart_resized_px, and only with it"),
            () if self.resize.is_some_and(|resize| resize.factor == 0 || resize.min_pixels > resize.max_pixels) => {
                Err("resize has impossible bounds")
            }
            () if self.long_edge == 0 || self.max_pixels == 0 => Err("a picture needs a size"),
            () if self.price.is_some() != self.price_as_of.is_some() => Err("price and price_as_of go together"),
            () if self.price.is_some_and(|price| !price.is_sound()) => Err("the price is not one"),
            () => Ok(()),
        }
    }
}
