//! How each kind of model answers: a few deeds in the words of every wire format and dialect, written from the
//! providers' shapes and not with our own adapters, so that a mistake there is not repeated here.

mod anthropic;
mod chat;
mod gemini;
mod openai;
mod space;

use serde_json::Value;

use crate::server::{Asked, Server};
use crate::shots;

pub(crate) use chat::pieces;
pub(crate) use gemini::checked as gemini_checked;
pub(crate) use openai::checked as openai_checked;
pub(crate) use space::Space;

/// Tokens that every answer claims to have taken: input in all, of which so many were cached, and output.
pub(crate) const INPUT: u64 = 1000;
pub(crate) const CACHED: u64 = 200;
pub(crate) const OUTPUT: u64 = 50;

/// One deed of a model. Points are in its own numbers.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Look,
    Click(i64, i64),
    Type(String),
    Done { success: bool, summary: String },
}

impl Act {
    pub(crate) fn done(summary: &str) -> Act {
        Act::Done { success: true, summary: summary.into() }
    }

    pub(crate) fn given_up(summary: &str) -> Act {
        Act::Done { success: false, summary: summary.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Anthropic,
    /// Anthropic's computer tool whose actions are tools of their own.
    Toolset,
    OpenAi,
    Preview,
    Gemini,
    Legacy,
    Native,
    Qwen3,
    Qwen25,
    UiTars,
    UiTars2,
    OpenCua,
    Holo3,
    Fara,
}

/// One model behind its API.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wire {
    pub(crate) kind: Kind,
    pub(crate) model: &'static str,
    pub(crate) space: Space,
}

/// Pixels that Qwen's processors keep a picture between.
const QWEN: Space = Space::Resized { factor: 28.0, least: 3_136.0, most: 12_845_056.0 };
const TARS: Space = Space::Resized { factor: 28.0, least: 78_400.0, most: 12_845_056.0 };

const fn wire(kind: Kind, model: &'static str, space: Space) -> Wire {
    Wire { kind, model, space }
}

pub(crate) const ANTHROPIC: Wire = wire(Kind::Anthropic, "claude-sonnet-4-6", Space::Picture);
pub(crate) const TOOLSET: Wire = wire(Kind::Toolset, "claude-sonnet-5-5", Space::Picture);
pub(crate) const OPENAI: Wire = wire(Kind::OpenAi, "gpt-5.4", Space::Picture);
pub(crate) const PREVIEW: Wire = wire(Kind::Preview, "computer-use-preview", Space::Picture);
pub(crate) const GEMINI: Wire = wire(Kind::Gemini, "gemini-3.5-flash", Space::Grid);
pub(crate) const LEGACY: Wire = wire(Kind::Legacy, "gemini-2.5-computer-use-preview-10-2025", Space::Grid);
pub(crate) const NATIVE: Wire = wire(Kind::Native, "glm-4.5v", Space::Grid);
pub(crate) const QWEN3: Wire = wire(Kind::Qwen3, "qwen3-vl-8b", Space::Grid);
pub(crate) const QWEN25: Wire = wire(Kind::Qwen25, "qwen2.5-vl-7b", QWEN);
pub(crate) const UI_TARS: Wire = wire(Kind::UiTars, "ui-tars-1.5-7b", TARS);
pub(crate) const UI_TARS_2: Wire = wire(Kind::UiTars2, "ui-tars-2-20b", Space::Grid);
pub(crate) const OPENCUA: Wire = wire(Kind::OpenCua, "opencua-7b", QWEN);
pub(crate) const HOLO3: Wire = wire(Kind::Holo3, "holo3-35b", Space::Grid);
pub(crate) const FARA: Wire = wire(Kind::Fara, "fara-7b", QWEN);

/// One of every vendor, for what does not depend on the dialect.
pub(crate) const VENDORS: [Wire; 4] = [ANTHROPIC, OPENAI, GEMINI, NATIVE];

impl Wire {
    pub(crate) fn brain(&self, server: &Server) -> String {
        self.brain_at(&server.url())
    }

    pub(crate) fn brain_at(&self, url: &str) -> String {
        let (vendor, version) = match self.kind {
            Kind::Anthropic | Kind::Toolset => ("anthropic", ""),
            Kind::OpenAi | Kind::Preview => ("openai", "/v1"),
            Kind::Gemini | Kind::Legacy => ("gemini", ""),
            _ => ("chat", "/v1"),
        };
        format!("{vendor}:{}@{url}{version}", self.model)
    }

    /// The variable of the environment that holds the key.
    pub(crate) fn variable(&self) -> &'static str {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => "ANTHROPIC_API_KEY",
            Kind::OpenAi | Kind::Preview => "OPENAI_API_KEY",
            Kind::Gemini | Kind::Legacy => "GEMINI_API_KEY",
            _ => "CHAT_API_KEY",
        }
    }

    /// Where requests go, and in which header the key is.
    pub(crate) fn expect_address(&self, asked: &Asked, key: &str) {
        let path = match self.kind {
            Kind::Anthropic | Kind::Toolset => "/v1/messages".to_string(),
            Kind::OpenAi | Kind::Preview => "/v1/responses".to_string(),
            Kind::Gemini | Kind::Legacy => format!("/v1beta/models/{}:generateContent", self.model),
            _ => "/v1/chat/completions".to_string(),
        };
        let (header, value) = match self.kind {
            Kind::Anthropic | Kind::Toolset => ("x-api-key", key.to_string()),
            Kind::Gemini | Kind::Legacy => ("x-goog-api-key", key.to_string()),
            _ => ("authorization", format!("Bearer {key}")),
        };
        assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", path.as_str()));
        assert_eq!(asked.header(header), Some(value), "{header}");
        assert_eq!(asked.header("content-type").as_deref(), Some("application/json"));
    }

    /// An answer that does these things; `number` makes its ids unique.
    pub(crate) fn reply(&self, number: usize, thought: &str, acts: &[Act]) -> Value {
        match self.kind {
            Kind::Anthropic => anthropic::reply(number, thought, acts),
            Kind::Toolset => anthropic::toolset_reply(number, thought, acts),
            Kind::OpenAi => openai::reply(number, thought, acts),
            Kind::Preview => openai::preview_reply(number, thought, acts),
            Kind::Gemini => gemini::reply(number, thought, acts),
            Kind::Legacy => gemini::legacy_reply(number, thought, acts),
            _ => chat::reply(self.kind, number, thought, acts),
        }
    }

    /// An answer in words alone.
    pub(crate) fn words(&self, words: &str) -> Value {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => anthropic::words(words),
            Kind::OpenAi | Kind::Preview => openai::words(words),
            Kind::Gemini | Kind::Legacy => gemini::words(words),
            _ => chat::words(words),
        }
    }

    /// The provider, or the model by its own means, declines.
    pub(crate) fn refusal(&self, words: &str) -> Value {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => anthropic::refusal(words),
            Kind::OpenAi | Kind::Preview => openai::refusal(words),
            Kind::Gemini | Kind::Legacy => gemini::refusal(words),
            _ => chat::refusal(words),
        }
    }

    /// A call of something that does not exist.
    pub(crate) fn nonsense(&self, number: usize) -> Value {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => anthropic::nonsense(number),
            Kind::OpenAi | Kind::Preview => openai::nonsense(number),
            Kind::Gemini | Kind::Legacy => gemini::nonsense(number),
            _ => chat::nonsense(number),
        }
    }

    /// An error as the provider words it.
    pub(crate) fn error(&self, status: u16, kind: &str, message: &str) -> Value {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => anthropic::error(kind, message),
            Kind::Gemini | Kind::Legacy => gemini::error(status, kind, message),
            _ => openai::error(kind, message),
        }
    }

    /// Every request has to bring an answer for every call of the turn before it: the providers refuse it otherwise.
    pub(crate) fn expect_answered(&self, request: &Value) {
        match self.kind {
            Kind::Anthropic | Kind::Toolset => anthropic::expect_answered(request),
            Kind::OpenAi | Kind::Preview => openai::expect_answered(request),
            Kind::Gemini | Kind::Legacy => gemini::expect_answered(request),
            _ => chat::expect_answered(request),
        }
    }
}

/// The question whether a claimed success is one, which is no turn of the conversation.
pub(crate) fn is_about_done(request: &Value) -> bool {
    shots::words(request).contains("Does the picture bear the claim out?")
}
