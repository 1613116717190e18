//! Our own tools as lists of functions, in the three spellings that models were trained on.

use serde_json::{Map, Value, json};
use surehand_types::call::FieldKind;
use surehand_types::call::spec;

use super::super::super::own_tools::OwnTool;

/// One function in the shape of OpenAI's `tools`.
pub(in super::super) fn function(name: &str, description: &str, parameters: Value) -> Value {
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": simple(parameters)}})
}

/// One JSON object per line.
pub(super) fn as_json_lines(functions: &[Value]) -> String {
    functions.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

/// `tab(action='open', url='...')`, one line each; the first choice stands for all, which are named behind it.
pub(super) fn as_python(tools: &[OwnTool], before: &str) -> String {
    let lines = tools.iter().map(|tool| {
        let fields: &[spec::FieldSpec] = spec::find(tool.name).map(|tool| tool.fields).unwrap_or_default();
        let arguments: Vec<String> =
            fields.iter().map(|field| format!("{}={}", field.name, sample(&field.kind))).collect();
        let choices: Vec<String> = fields
            .iter()
            .filter_map(|field| match field.kind {
                FieldKind::Choice(values) => Some(format!("{}: {}", field.name, values.join(", "))),
                _ => None,
            })
            .collect();
        let choices = if choices.is_empty() { String::new() } else { format!(" ({})", choices.join("; ")) };
        let about = tool.description.trim_end_matches('.');
        format!("{before}{}({}) # {about}{choices}", tool.name, arguments.join(", "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn sample(kind: &FieldKind) -> String {
    match kind {
        FieldKind::Choice(values) => format!("'{}'", values.first().copied().unwrap_or_default()),
        FieldKind::Coordinate => "[512, 300]".into(),
        FieldKind::Region => "[100, 100, 400, 300]".into(),
        FieldKind::Integer { min, .. } => min.to_string(),
        FieldKind::Number { min, .. } => min.to_string(),
        FieldKind::TextList { .. } | FieldKind::Modifiers => "['xxx']".into(),
        FieldKind::Flag => "True".into(),
        FieldKind::Text { .. } | FieldKind::Json => "'xxx'".into(),
    }
}

/// A schema that every server's grammar can follow: long texts have no length (llama.cpp refuses to count that far),
/// and defaults, which some take for values, stand in the descriptions anyway.
pub(super) fn simple(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let is_schema = fields.get("type").is_some_and(Value::is_string);
            let kept =
                fields.into_iter().filter(|(name, _)| !(is_schema && matches!(name.as_str(), "maxLength" | "default")));
            Value::Object(kept.map(|(name, value)| (name, simple(value))).collect::<Map<String, Value>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(simple).collect()),
        other => other,
    }
}
