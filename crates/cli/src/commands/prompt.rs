//! `surehand prompt`: what a model is told about the tools, for those who bring their own model.

use serde_json::{Value, json};
use surehand_brain::prompt::{PromptContext, Variant, fragment_sizes, system_prompt, tool_description};
use surehand_types::call::spec::{self, TOOLS, ToolSpec};

use crate::args::{PromptArguments, PromptVariant};
use crate::exit::Failure;
use crate::output::{say, write};

pub(crate) fn prompt(arguments: &PromptArguments) -> Result<i32, Failure> {
    let variant = match arguments.variant {
        PromptVariant::Large => Variant::Large,
        PromptVariant::Small => Variant::Small,
    };
    match &arguments.tool {
        Some(name) => {
            let tool = spec::find(name).ok_or_else(|| unknown(name))?;
            if arguments.json {
                say!("{}", tool_value(tool, variant));
            } else {
                write(format_args!("{}", tool_description(tool, variant)));
            }
        }
        None => {
            let context = PromptContext::default();
            if arguments.json {
                say!("{}", prompt_value(variant, &context));
            } else {
                write(format_args!("{}", system_prompt(variant, &context)));
            }
        }
    }
    Ok(0)
}

fn prompt_value(variant: Variant, context: &PromptContext) -> Value {
    let tools: Vec<Value> = context.tools().iter().map(|tool| tool_value(tool, variant)).collect();
    let sizes = fragment_sizes(variant, context);
    let fragments: Vec<Value> =
        sizes.iter().map(|size| json!({"name": size.name, "characters": size.characters, "cap": size.cap})).collect();
    json!({"system": system_prompt(variant, context), "tools": tools, "fragments": fragments})
}

fn tool_value(tool: &ToolSpec, variant: Variant) -> Value {
    json!({"name": tool.name, "description": tool_description(tool, variant), "schema": tool.json_schema()})
}

fn unknown(name: &str) -> Failure {
    let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    Failure::usage(format!("{name:?} is not a tool; hint: the tools are {}", known.join(", ")))
}
