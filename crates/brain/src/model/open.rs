//! Makes a model ready to be asked: who it is, where it is, with which key. Everything that can be wrong with that
//! is found here, before a browser starts.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use super::anthropic::AnthropicProvider;
use super::asking::{Asker, Limits};
use super::brain::{ModelBrain, Span};
use super::chat::{ChatOptions, ChatProvider};
use super::gemini::GeminiProvider;
use super::judge::ModelEyes;
use super::knowledge::{ModelFacts, Vendor, default_model};
use super::openai::OpenAiProvider;
use super::options::{Home, ModelOptions, home};
use super::provider::Provider;
use super::sender::{Key, Sender};
use super::trouble::Server;
use super::words::Fence;
use crate::error::BrainError;
use crate::prompt::PromptContext;
use surehand_types::vision::VisionModel;

/// Which model, as the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSpec {
    pub(crate) vendor: Vendor,
    /// `None`: the vendor's default.
    pub(crate) model: Option<String>,
    pub(crate) base: Option<String>,
}

impl ModelSpec {
    /// What follows the kind: `[MODEL][@BASE_URL]`.
    pub(crate) fn parse(vendor: Vendor, rest: &str) -> Result<ModelSpec, BrainError> {
        let (model, base) = split_address(rest);
        let model = Some(model.trim().to_string()).filter(|model| !model.is_empty());
        let base = base.map(address).transpose()?;
        if vendor == Vendor::Chat && (model.is_none() || base.is_none()) {
            return Err(BrainError::usage(
                format!("a chat brain needs a model and an address, and {:?} lacks one", shortened(rest)),
                "write it like --brain chat:qwen3-vl@http://127.0.0.1:8080/v1",
            ));
        }
        Ok(ModelSpec { vendor, model, base })
    }

    pub(crate) fn model(&self) -> &str {
        self.model.as_deref().unwrap_or_else(|| default_model(self.vendor))
    }
}

impl std::fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.vendor.name(), self.model())?;
        match &self.base {
            Some(base) => write!(f, "@{base}"),
            None => Ok(()),
        }
    }
}

/// Model names have colons, slashes and now and then an @; an address follows the last @ that has a scheme or, for
/// lack of one, the last @ of all.
fn split_address(rest: &str) -> (&str, Option<&str>) {
    let at =
        ["@http://", "@https://"].into_iter().filter_map(|mark| rest.rfind(mark)).max().or_else(|| rest.rfind('@'));
    match at {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    }
}

/// A base address without its last slash.
fn address(text: &str) -> Result<String, BrainError> {
    let text = text.trim();
    let local = ["localhost", "127.", "[::1]", "0.0.0.0"].iter().any(|host| text.starts_with(host));
    let full = match text {
        text if text.contains("://") => text.to_string(),
        text if local => format!("http://{text}"),
        text => format!("https://{text}"),
    };
    let wrong = |why: &str| {
        BrainError::usage(
            format!("the base address {:?} {why}", shortened(text)),
            "write it like http://127.0.0.1:8080/v1",
        )
    };
    let url = reqwest::Url::parse(&full).map_err(|error| wrong(&format!("is not understood: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("is no http or https address"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // It would be shown wherever the brain is named, and is not shown here either.
        return Err(BrainError::usage(
            "the base address has a user name or a password in it",
            "keys come from the environment; write the address like http://127.0.0.1:8080/v1",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("has a query or a fragment"));
    }
    Ok(full.trim_end_matches('/').to_string())
}

/// A vendor's own paths start with a version, which some people write into the base address as well.
fn base_for(vendor: Vendor, base: String) -> String {
    let version = match vendor {
        Vendor::Anthropic => "/v1",
        Vendor::Gemini => "/v1beta",
        Vendor::OpenAi | Vendor::Chat => return base,
    };
    base.strip_suffix(version).map(str::to_string).unwrap_or(base)
}

/// Reads a variable of the environment; a blank one counts as absent.
pub(crate) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_string()).filter(|value| !value.is_empty())
}

pub(crate) fn asker(
    spec: &ModelSpec,
    options: &ModelOptions,
    reply_timeout: Duration,
    variables: Variables<'_>,
) -> Result<Asker, BrainError> {
    let Home { base, base_variables, key_variables, header, prefix } = home(spec.vendor);
    let named = base_variables.iter().find_map(|name| variables(name));
    let base = match (&spec.base, named) {
        (Some(base), _) => base.clone(),
        (None, Some(base)) => address(&base)?,
        (None, None) => base.to_string(),
    };
    let base = base_for(spec.vendor, base);
    let model = spec.model();
    let facts = options.facts(spec.vendor, model)?;
    let price = options.price_of(&facts, model)?;
    let key = key_variables.iter().find_map(|name| variables(name));
    // A key for OpenAI goes to OpenAI and to nobody else who speaks the same language.
    let key = key
        .or_else(|| (spec.vendor == Vendor::Chat && is_openai(&base)).then(|| variables("OPENAI_API_KEY")).flatten());
    if key.is_none()
        && spec.vendor != Vendor::Chat
        && spec.base.is_none()
        && base_variables.iter().all(|name| variables(name).is_none())
    {
        return Err(BrainError::usage(
            format!("there is no key for the brain {:?}", spec.vendor.name()),
            format!("set {} to your key", key_variables.join(" or ")),
        ));
    }
    let server = Server { key_variables, has_key: key.is_some(), base, model: model.to_string() };
    let sender = Sender::new(server, key.map(|value| Key { header, prefix, value }))?;
    let limits =
        Limits { reply_timeout, max_cost: options.max_cost, price, sees: facts.vision && options.image_window > 0 };
    let provider = provider(spec.vendor, model, facts, options, &sender.server().base);
    Ok(Asker::new(spec.to_string(), provider, sender, limits))
}

pub(crate) fn provider(
    vendor: Vendor,
    model: &str,
    facts: ModelFacts,
    options: &ModelOptions,
    base: &str,
) -> Box<dyn Provider> {
    let context = PromptContext::new(options.surface);
    let variant = options.variant(&facts);
    match vendor {
        Vendor::Anthropic => Box::new(AnthropicProvider::new(model, facts, context, variant)),
        Vendor::OpenAi => Box::new(OpenAiProvider::new(model, facts, context, variant)),
        Vendor::Gemini => Box::new(GeminiProvider::new(model, facts, context, variant)),
        Vendor::Chat => {
            let dialect = facts.dialect;
            // The newest models of the API's inventor know the limit by its newer name only, most servers by the old.
            let newer_limit_name = is_openai(base);
            let chat = ChatOptions { stream: options.stream, newer_limit_name, ..ChatOptions::default() };
            Box::new(ChatProvider::new(model, dialect, facts, context, variant, chat))
        }
    }
}

pub(crate) fn brain(
    spec: &ModelSpec,
    options: &ModelOptions,
    reply_timeout: Duration,
) -> Result<ModelBrain, BrainError> {
    let asker = asker(spec, options, reply_timeout, &environment)?;
    let span = Span {
        pictures: options.image_window,
        tokens: options.history_tokens,
        max_output_tokens: options.max_output_tokens,
    };
    let nonce = std::hash::RandomState::new().build_hasher().finish();
    Ok(ModelBrain::new(asker, span, options.surface, Fence::new(nonce)))
}

/// The model as the eyes of whoever judges an outcome. It knows nothing of the run's conversation.
pub fn eyes(spec: &ModelSpec, options: &ModelOptions, timeout: Duration) -> Result<Box<dyn VisionModel>, BrainError> {
    Ok(Box::new(ModelEyes::new(asker(spec, options, timeout, &environment)?)))
}

fn is_openai(base: &str) -> bool {
    base.starts_with("https://api.openai.com/")
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_name_a_model_and_an_address() {
        let parse = |vendor, rest| ModelSpec::parse(vendor, rest).map(|spec| spec.to_string());
        assert_eq!(
            parse(Vendor::Chat, "org/m:7b@http://127.0.0.1:8080/v1/").unwrap(),
            "chat:org/m:7b@http://127.0.0.1:8080/v1"
        );
        assert_eq!(parse(Vendor::Chat, "m@localhost:11434/v1").unwrap(), "chat:m@http://localhost:11434/v1");
        assert_eq!(
            parse(Vendor::Anthropic, "claude-x@20251001@https://proxy.example").unwrap(),
            "anthropic:claude-x@20251001@https://proxy.example"
        );
        assert!(parse(Vendor::OpenAi, "").unwrap().starts_with("openai:gpt"));
        for wrong in ["", "m", "@http://x", "m@", "m@ftp://x", "m@http://", "m@http://u:p@h/v1", "m@http://h/v1?k=1"] {
            let error = parse(Vendor::Chat, wrong).unwrap_err().to_string();
            assert!(error.contains("; hint: ") && !error.contains("u:p"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_version_in_the_base_address_is_not_said_twice() {
        assert_eq!(base_for(Vendor::Anthropic, "http://h/v1".into()), "http://h");
        assert_eq!(base_for(Vendor::Gemini, "http://h/v1beta".into()), "http://h");
        assert_eq!(base_for(Vendor::OpenAi, "http://h/v1".into()), "http://h/v1");
    }

    #[test]
    fn keys_come_from_the_environment_and_go_to_their_own_vendor() {
        let none = |_: &str| None;
        let openai = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-1".to_string());
        let second = Duration::from_secs(1);
        let options = ModelOptions::default();
        let made = |spec: &ModelSpec, variables: Variables<'_>| asker(spec, &options, second, variables);
        let anthropic = ModelSpec::parse(Vendor::Anthropic, "").unwrap();
        let error = made(&anthropic, &none).err().unwrap().to_string();
        assert!(error.contains("ANTHROPIC_API_KEY"), "{error}");
        let elsewhere = ModelSpec::parse(Vendor::Chat, "m@https://other.example/v1").unwrap();
        assert!(!made(&elsewhere, &openai).unwrap().sender().server().has_key);
        let theirs = ModelSpec::parse(Vendor::Chat, "m@https://api.openai.com/v1").unwrap();
        assert!(made(&theirs, &openai).unwrap().sender().server().has_key);
        let trap = ModelSpec::parse(Vendor::Chat, "m@https://api.openai.com.evil.example/v1").unwrap();
        assert!(!made(&trap, &openai).unwrap().sender().server().has_key);
    }

    #[test]
    fn a_cost_limit_needs_a_price() {
        let chat = ModelSpec::parse(Vendor::Chat, "some-model@http://127.0.0.1:1/v1").unwrap();
        let second = Duration::from_secs(1);
        let limited = ModelOptions { max_cost: 1.0, ..ModelOptions::default() };
        assert!(asker(&chat, &limited, second, &|_| None).err().unwrap().to_string().contains("price"));
        let priced = ModelOptions { price: "3/15".into(), ..limited };
        assert!(asker(&chat, &priced, second, &|_| None).is_ok());
        let wrong = ModelOptions { price: "cheap".into(), ..ModelOptions::default() };
        assert!(asker(&chat, &wrong, second, &|_| None).is_err());
    }
}
