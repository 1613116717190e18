//! What a model is told before its first turn. The words are template files under `texts/`, one per
//! fragment and variant; names, bounds, defaults and choices in them come from `TOOLS`, and every
//! example is a complete call that the tests parse. Start reading at `system_prompt`.

mod context;
mod example;
mod fragment;
mod prediction;
mod template;
mod tools;

pub use context::{PromptContext, Surface};
pub use fragment::{FragmentSize, fragment_sizes};
pub(crate) use template::fill;

use surehand_types::call::ToolSpec;

/// How much is said. Both variants teach the same facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// Complete, with patterns, for models that read long prompts well.
    #[default]
    Large,
    /// About a third as long, in the simplest words, for small and fast models.
    Small,
}

/// The whole system prompt, the list of the context's tools included.
pub fn system_prompt(variant: Variant, context: &PromptContext) -> String {
    let mut prompt = String::new();
    for fragment in fragment::FRAGMENTS {
        if let Some(text) = fragment.render(variant, context) {
            if !prompt.is_empty() {
                prompt.push('\n');
            }
            prompt.push_str(&text);
        }
    }
    prompt
}

/// What one tool does, its fields and its examples: for a provider's function list and as a part of
/// the system prompt.
pub fn tool_description(tool: &ToolSpec, variant: Variant) -> String {
    match variant {
        Variant::Large => tools::large(tool),
        Variant::Small => tools::small(tool),
    }
}
