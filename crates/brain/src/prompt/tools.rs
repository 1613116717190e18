//! The description of one tool, and the list of all a context has. Everything but the examples is
//! read from the tool's declaration.

use std::fmt::Write as _;

use surehand_types::call::{FieldKind, FieldSpec, ToolSpec};

use super::context::PromptContext;
use super::{Variant, example, tool_description};

/// The list at the end of a system prompt.
pub(super) fn list(variant: Variant, context: &PromptContext) -> String {
    let mut text = String::from("## Tools\n");
    if variant == Variant::Large {
        text.push_str("A call is one flat JSON object: `tool` and the fields of that tool.\n");
    }
    for tool in context.tools() {
        if variant == Variant::Large {
            text.push('\n');
        }
        let _ = write!(text, "### {}\n{}", tool.name, tool_description(tool, variant));
    }
    text
}

pub(super) fn large(tool: &ToolSpec) -> String {
    let mut text = format!("{}\n", tool.doc);
    for field in tool.fields {
        let _ = writeln!(text, "- `{}`{}: {}; {}.", field.name, need(field), field.kind.describe(), field.doc);
    }
    if tool.fields.is_empty() {
        text.push_str("Its name is the whole call.\n");
    }
    for example in example::of_tool(tool.name, Variant::Large) {
        let _ = writeln!(text, "To {}: {}", example.does, example.json);
    }
    text
}

fn need(field: &FieldSpec) -> String {
    match (field.default, field.required) {
        (Some(default), _) => format!(" (default {default})"),
        (None, true) => " (required)".into(),
        (None, false) => " (optional)".into(),
    }
}

pub(super) fn small(tool: &ToolSpec) -> String {
    let mut text = format!("{}\n", tool.doc);
    let fields: Vec<String> = tool.fields.iter().map(short_field).collect();
    if !fields.is_empty() {
        let _ = writeln!(text, "Fields: {}.", fields.join("; "));
    }
    for example in example::of_tool(tool.name, Variant::Small) {
        let _ = writeln!(text, "To {}: {}", example.does, example.json);
    }
    text
}

fn short_field(field: &FieldSpec) -> String {
    let mut text = format!("`{}`", field.name);
    let kind = short_kind(&field.kind);
    if !kind.is_empty() {
        let _ = write!(text, " {kind}");
    }
    if let Some(default) = field.default {
        let _ = write!(text, " (default {})", default.trim_matches('"'));
    }
    if field.required {
        text.push_str(" (required)");
    }
    text
}

/// The bounds in as few words as possible; the examples show the shape.
fn short_kind(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Choice(values) => values.join("|"),
        FieldKind::Integer { min, max } => format!("{min} to {max}"),
        FieldKind::Number { min, max } => format!("{min} to {max}"),
        FieldKind::Flag => "true|false".into(),
        FieldKind::Modifiers => kind.describe().trim_start_matches("an ").to_string(),
        FieldKind::Coordinate => "array of 2".into(),
        FieldKind::Region => "array of 4: left, top, right, bottom".into(),
        FieldKind::TextList { min, max } => format!("array of {min} to {max}"),
        FieldKind::Text { .. } | FieldKind::Json => String::new(),
    }
}
