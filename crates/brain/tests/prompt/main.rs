//! The prompts as brains get them: whole texts against snapshots, every example through the parser,
//! every word against the rules that keep models from inventing shapes.

#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

mod examples;
mod names;
mod snapshots;
mod wording;

use surehand_brain::prompt::{PromptContext, Surface, Variant, system_prompt, tool_description};
use surehand_types::call::TOOLS;

/// Every text this crate can put before a model, with the name of its snapshot.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for (variant, size) in [(Variant::Large, "large"), (Variant::Small, "small")] {
        for (surface, place) in [(Surface::Browser, "browser"), (Surface::Desktop, "desktop")] {
            texts.push((format!("system-{place}-{size}"), system_prompt(variant, &PromptContext::new(surface))));
        }
        let tools = TOOLS.iter().map(|tool| format!("# {}\n\n{}", tool.name, tool_description(tool, variant)));
        texts.push((format!("tools-{size}"), tools.collect::<Vec<_>>().join("\n")));
    }
    texts
}

#[test]
fn small_is_about_a_third_of_large() {
    for surface in [Surface::Browser, Surface::Desktop] {
        let context = PromptContext::new(surface);
        let large = system_prompt(Variant::Large, &context).chars().count();
        let small = system_prompt(Variant::Small, &context).chars().count();
        assert!(small * 10 <= large * 4, "{surface:?}: {small} of {large} characters");
    }
}
