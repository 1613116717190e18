//! The dialects: how a family of models is spoken to, and in which of its forms an answer is looked for first.
//! Forms that belong to another dialect are understood too, later: servers and fine-tunes mix them.

mod computer_use;
mod forms;
mod functions;
mod holo3;
mod native;
mod opencua;
mod ui_tars;

use serde_json::Value;

use super::super::knowledge::Dialect;
use super::super::own_tools::{Zoom, own_tools};
use super::super::space::Space;
use super::actions::Habits;
use crate::prompt::{PromptContext, Surface, Variant, fill, system_prompt};

pub(super) use self::forms::{Step, Understood, understand};
pub(super) use self::functions::function;

const RULES_LARGE: &str = include_str!("../prompts/rules_large.md");
const RULES_SMALL: &str = include_str!("../prompts/rules_small.md");

/// What a system prompt is made for.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) context: PromptContext,
    pub(super) variant: Variant,
    pub(super) space: Space,
}

/// Where an answer is looked for, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// JSON or XML, between tags, in fences or bare.
    Written,
    /// `Action: click(...)`.
    Spoken,
    /// A script of pyautogui calls.
    Code,
}

/// One dialect, as far as it differs from the others.
struct Manner {
    forms: [Form; 3],
    habits: Habits,
    /// One example of what was expected, for the sentence about an answer that was not understood.
    example: &'static str,
}

fn manner(dialect: Dialect) -> Manner {
    match dialect {
        Dialect::Native => native::manner(),
        Dialect::Qwen3Vl | Dialect::Qwen25Vl => computer_use::qwen(),
        Dialect::Fara => computer_use::fara(),
        Dialect::UiTars => ui_tars::first(),
        Dialect::UiTars2 => ui_tars::second(),
        Dialect::OpenCua => opencua::manner(),
        Dialect::Holo3 => holo3::manner(),
    }
}

pub(super) fn habits(dialect: Dialect) -> Habits {
    manner(dialect).habits
}

/// The form that was expected, as it is shown to a model that did not use it.
pub(super) fn example(dialect: Dialect) -> &'static str {
    manner(dialect).example
}

/// What the model is told before everything else.
pub(super) fn system(dialect: Dialect, setting: &Setting) -> String {
    match dialect {
        Dialect::Native => system_prompt(setting.variant, &setting.context),
        Dialect::Qwen3Vl | Dialect::Qwen25Vl => computer_use::qwen_prompt(setting),
        Dialect::Fara => computer_use::fara_prompt(setting),
        Dialect::UiTars => ui_tars::first_prompt(setting),
        Dialect::UiTars2 => ui_tars::second_prompt(setting),
        Dialect::OpenCua => opencua::prompt(setting),
        Dialect::Holo3 => holo3::prompt(setting),
    }
}

/// The schema that answers have to follow, where the dialect gives one to the server.
pub(super) fn schema(dialect: Dialect, setting: &Setting) -> Option<Value> {
    (dialect == Dialect::Holo3).then(|| holo3::schema(setting))
}

/// The words of a dialect in the shared rules.
struct Words<'a> {
    confirm: &'a str,
    end: &'a str,
    give_up: &'a str,
    functions: &'a str,
}

/// A dialect's own prompt, then the rules that hold for all of them.
fn prompt(template: &str, words: &Words<'_>, setting: &Setting) -> String {
    let rules = match setting.variant {
        Variant::Large => RULES_LARGE,
        Variant::Small => RULES_SMALL,
    };
    let sections = template.split("\n\n").chain(rules.split("\n\n"));
    let filled: Vec<String> =
        sections.filter_map(|section| fill(section.trim_matches('\n'), &setting.context)).collect();
    let mut text = filled.join("\n");
    for (marker, words) in [
        ("{{confirm}}", words.confirm),
        ("{{end}}", words.end),
        ("{{give_up}}", words.give_up),
        ("{{space}}", space_in_words(setting.space)),
        ("{{functions}}", words.functions),
    ] {
        text = text.replace(marker, words);
    }
    text
}

fn space_in_words(space: Space) -> &'static str {
    match space {
        Space::Grid1000 => {
            "Positions lie on a grid over the picture, whatever its size: 0 to 1000 across and 0 to 1000 down, from the top left corner."
        }
        Space::ImagePx | Space::SmartResizedPx { .. } => {
            "Positions are pixels of the picture, counted from its top left corner; its size is given with every picture."
        }
    }
}

/// Our own tools that a dialect offers beside its trained actions. It ends in its own way, and points and confirms
/// by actions of its own.
fn offered(setting: &Setting, without: &[&str]) -> Vec<super::super::own_tools::OwnTool> {
    let mut tools = own_tools(&setting.context, Zoom::Ours(setting.space));
    tools.retain(|tool| !without.contains(&tool.name));
    tools
}

fn is_browser(setting: &Setting) -> bool {
    setting.context.surface() == Surface::Browser
}

#[cfg(test)]
mod tests;
