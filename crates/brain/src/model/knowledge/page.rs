//! The reference page about models, for `surehand docs`: written from the same file that runs go by.

use std::fmt::Write as _;

use super::file::Entry;
use super::{Dialect, GeminiFunctions, ModelFacts, OpenAiTool, Price, Vendor, chat_facts, default_model, entries};
use crate::model::space::Space;

/// Markdown, without the remark about where it was generated.
pub fn models_page() -> String {
    let mut page = String::from(INTRODUCTION);
    for vendor in Vendor::ALL {
        let _ = write!(page, "\n## {}\n\n", vendor.name());
        if !default_model(vendor).is_empty() {
            let _ = writeln!(page, "Without a model name: `{}`.\n", default_model(vendor));
        }
        page.push_str(match vendor {
            Vendor::Chat => "| model | dialect | coordinates | pictures up to |\n|---|---|---|---|\n",
            _ => "| model | tool | coordinates | pictures up to | price | read on |\n|---|---|---|---|---|---|\n",
        });
        for entry in entries().iter().filter(|entry| entry.vendor() == vendor) {
            row(&mut page, vendor, entry);
        }
    }
    page.push_str(DIALECTS);
    for dialect in Dialect::ALL {
        let space = space_name(chat_facts("", dialect).space);
        let _ = writeln!(page, "| `{}` | {} | {space} |", dialect.name(), described(dialect));
    }
    page
}

const INTRODUCTION: &str = "# Models

What Surehand knows about models, by name: the first line that fits counts, `*` stands for anything, case does not
matter, and of a name like `org/model` the last part is enough. A model that is not here works too: with its provider's
usual tool and limits, and without a cost estimate unless you give a price (`--set price=IN/OUT`, dollars per million
tokens).

Coordinates are what the model counts in; Surehand translates. Pictures are scaled down to the given size before
they are sent. Prices are dollars per million tokens, input / output / read from the cache / written to the cache,
as the provider's page had them on the day given; a part that is not known is counted as input, and shown as `-`.
";

const DIALECTS: &str = "
## Dialects

How a chat model writes down what it wants to do. Chosen by the model's name, or with `--set dialect=NAME`.

| dialect | what the model writes | coordinates |
|---|---|---|
";

fn described(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Native => "tool calls of the API, for Surehand's own tools",
        Dialect::Qwen3Vl | Dialect::Qwen25Vl => "`<tool_call>` with a JSON object for the tool `computer_use`",
        Dialect::UiTars => "`Thought: … Action: click(start_box='(x,y)')`",
        Dialect::UiTars2 => "`<seed:tool_call>` with `<function=…>` and `<parameter=…>`",
        Dialect::OpenCua => "sections `## Thought`, `## Action`, `## Code`; the code is read, never run",
        Dialect::Holo3 => "one JSON object with `note`, `thought` and `tool_call`",
        Dialect::Fara => "`<tool_call>` like Qwen's, with visits, searches and memorised facts",
    }
}

fn row(page: &mut String, vendor: Vendor, entry: &Entry) {
    let facts = entry.facts();
    let space = space_name(facts.space);
    let pattern = entry.pattern();
    let limit = format!("{} px, {} MP", facts.long_edge, megapixels(facts.max_pixels));
    let _ = match vendor {
        Vendor::Chat => {
            let limit = if facts.vision { limit } else { "cannot see".into() };
            writeln!(page, "| `{pattern}` | `{}` | {space} | {limit} |", facts.dialect.name())
        }
        _ => {
            let price = facts.price.map_or_else(|| "not known".into(), |price| price_text(&price));
            let read_on = facts.price_as_of.as_deref().unwrap_or_default();
            writeln!(page, "| `{pattern}` | {} | {space} | {limit} | {price} | {read_on} |", tool(vendor, &facts))
        }
    };
}

fn tool(vendor: Vendor, facts: &ModelFacts) -> String {
    match vendor {
        Vendor::Anthropic => format!("`{}`", facts.anthropic.tool),
        Vendor::OpenAi => match facts.openai {
            OpenAiTool::Computer => "`computer`".into(),
            OpenAiTool::Preview => "`computer_use_preview`".into(),
        },
        Vendor::Gemini => match facts.gemini {
            GeminiFunctions::New => "new functions".into(),
            GeminiFunctions::Legacy => "legacy functions".into(),
        },
        Vendor::Chat => String::new(),
    }
}

fn space_name(space: Space) -> String {
    match space {
        Space::ImagePx => "pixels of the picture".into(),
        Space::Grid1000 => "0 to 1000".into(),
        Space::SmartResizedPx { factor, .. } => format!("pixels of the resized picture ({factor})"),
    }
}

fn price_text(price: &Price) -> String {
    let cached = |part: f64| if part == price.input { "-".to_string() } else { part.to_string() };
    format!("{} / {} / {} / {}", price.input, price.output, cached(price.cache_read), cached(price.cache_write))
}

fn megapixels(pixels: u64) -> f64 {
    (pixels as f64 / 10_000.0).round() / 100.0
}
