//! The system prompt of models that come with a computer tool of their own: our rules, without the grid and the JSON
//! replies that those models do not use. Names and kinds come from the declarations, as in every prompt.

use crate::prompt::{PromptContext, Variant, fill};

const LARGE: &str = include_str!("large.md");
const SMALL: &str = include_str!("small.md");

pub(crate) fn computer_prompt(variant: Variant, context: &PromptContext) -> String {
    let template = match variant {
        Variant::Large => LARGE,
        Variant::Small => SMALL,
    };
    let sections = template.split("\n\n").filter_map(|section| fill(section.trim_matches('\n'), context));
    sections.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
