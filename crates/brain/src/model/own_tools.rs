//! Our own tools beside a provider's computer tool: what a mouse and a keyboard cannot say (tabs, dialogs, native
//! controls, questions, the end), and the word that commits a preview. Their schemas come from the declarations.

use serde_json::{Map, Value, json};
use surehand_types::call::spec;

use super::heard::Heard;
use super::lenient;
use super::space::Space;
use crate::prompt::PromptContext;

/// The tool that commits a previewed click: the computer tools have no such action.
pub(crate) const CONFIRM_PREVIEW: &str = "confirm_preview";

/// Declared tools that are offered as they are, where the environment has them.
const OFFERED: &[&str] = &["tab", "window", "dialog", "select_option", "upload_file", "ask_user", "done"];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OwnTool {
    pub(crate) name: &'static str,
    pub(crate) description: String,
    /// JSON Schema of the arguments.
    pub(crate) schema: Value,
}

/// Who can enlarge a part of the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Zoom {
    /// The provider's computer tool.
    Theirs,
    /// A tool of ours, with a region in the model's own space.
    Ours(Space),
}

/// The tools to offer, always in the same order: the list is a part of the cached beginning of a request.
pub(crate) fn own_tools(context: &PromptContext, zoom: Zoom) -> Vec<OwnTool> {
    let mut tools: Vec<OwnTool> =
        OFFERED.iter().filter(|name| context.has(name)).filter_map(|name| declared(name)).collect();
    if let Zoom::Ours(space) = zoom
        && context.has("zoom")
    {
        tools.extend(zoom_tool(space));
    }
    if context.has("mouse") {
        tools.push(OwnTool {
            name: CONFIRM_PREVIEW,
            description: "Commits the click or drag that was previewed (the follow-up \"mouse confirm\").".into(),
            schema: json!({"type": "object", "properties": {}, "additionalProperties": false}),
        });
    }
    tools
}

/// Reads a call of one of our tools; `false` when the name is somebody else's.
pub(crate) fn read(name: &str, arguments: &Value, id: &str, heard: &mut Heard) -> bool {
    let ours = OFFERED.contains(&name) || name == CONFIRM_PREVIEW || name == "zoom";
    if !ours {
        return false;
    }
    if name == CONFIRM_PREVIEW {
        heard.gesture(id, json!({"tool": "mouse", "action": "confirm"}));
        return true;
    }
    let Some(mut fields) = lenient::fields(arguments) else {
        heard.problem(format!("the arguments of {name} are no JSON object; nothing of the answer was run"));
        return true;
    };
    straighten(&mut fields, heard);
    let mut call = Map::new();
    call.insert("tool".into(), name.into());
    call.extend(fields.into_iter().filter(|(field, _)| field != "tool"));
    heard.gesture(id, Value::Object(call));
    true
}

/// Habits that are harmless and clear: one text in the place of a list, a flag as a word, an answer as JSON text.
fn straighten(fields: &mut Map<String, Value>, heard: &mut Heard) {
    for name in ["values", "paths"] {
        if let Some(Value::String(one)) = fields.get(name) {
            let list = serde_json::from_str::<Value>(one).ok().filter(Value::is_array);
            let list = list.unwrap_or_else(|| json!([one]));
            fields.insert(name.into(), list);
            heard.repair("one value was taken for a list of one");
        }
    }
    if let Some(success) = fields.get("success").filter(|value| value.is_string()).and_then(lenient::flag) {
        fields.insert("success".into(), success.into());
        heard.repair("a flag was given as a word");
    }
    if let Some(Value::String(text)) = fields.get("output")
        && text.trim_start().starts_with(['{', '['])
        && let Ok(parsed) = serde_json::from_str::<Value>(text)
    {
        fields.insert("output".into(), parsed);
    }
    if let Some(region) = fields.get("region").and_then(lenient::numbers::<4>) {
        fields.insert("region".into(), Value::Array(region.map(lenient::written).to_vec()));
    }
}

pub(crate) fn declared(name: &str) -> Option<OwnTool> {
    let tool = spec::find(name)?;
    Some(OwnTool { name: tool.name, description: tool.doc.to_string(), schema: arguments(tool.json_schema()) })
}

/// The schema of the flat call without the tool's name, which an API says elsewhere.
fn arguments(mut schema: Value) -> Value {
    if let Some(map) = schema.as_object_mut() {
        map.shift_remove("description");
        if let Some(properties) = map.get_mut("properties").and_then(Value::as_object_mut) {
            properties.shift_remove("tool");
        }
        if let Some(required) = map.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name != "tool");
        }
        if map.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            map.shift_remove("required");
        }
    }
    schema
}

fn zoom_tool(space: Space) -> Option<OwnTool> {
    let mut tool = declared("zoom")?;
    let (whose, most) = match space {
        Space::Grid1000 => ("on the 0 to 1000 grid that all positions are given on", Some(1000)),
        Space::ImagePx | Space::SmartResizedPx { .. } => ("in pixels of the picture, as all positions are", None),
    };
    let mut item = json!({"type": "integer", "minimum": 0});
    if let Some(most) = most {
        item["maximum"] = most.into();
    }
    tool.schema["properties"]["region"] = json!({
        "type": "array",
        "items": item,
        "minItems": 4,
        "maxItems": 4,
        "description": format!("[left, top, right, bottom] {whose}"),
    });
    Some(tool)
}

#[cfg(test)]
mod tests {
    use surehand_types::Call;

    use super::*;
    use crate::model::knowledge::Tokens;
    use crate::prompt::Surface;

    fn names(context: &PromptContext, zoom: Zoom) -> Vec<&'static str> {
        own_tools(context, zoom).iter().map(|tool| tool.name).collect()
    }

    fn heard(name: &str, arguments: Value) -> Value {
        let mut heard = Heard::default();
        assert!(read(name, &arguments, "c1", &mut heard));
        let reading = heard.into_reading(Value::Null, Tokens::default());
        assert_eq!(reading.problem, None);
        Value::Object(reading.spoken.gestures[0].call.clone())
    }

    #[test]
    fn what_is_offered_depends_on_the_surface() {
        let browser = PromptContext::new(Surface::Browser);
        assert_eq!(
            names(&browser, Zoom::Theirs),
            ["tab", "dialog", "select_option", "upload_file", "ask_user", "done", "confirm_preview"]
        );
        let desktop = PromptContext::new(Surface::Desktop);
        assert_eq!(
            names(&desktop, Zoom::Ours(Space::ImagePx)),
            ["window", "ask_user", "done", "zoom", "confirm_preview"]
        );
    }

    #[test]
    fn schemas_have_the_declared_fields_and_not_the_name() {
        let tools = own_tools(&PromptContext::default(), Zoom::Ours(Space::Grid1000));
        for tool in &tools {
            assert!(tool.schema["properties"].get("tool").is_none(), "{}", tool.name);
            assert!(!tool.schema.to_string().contains("\"tool\""), "{}", tool.name);
        }
        let done = tools.iter().find(|tool| tool.name == "done").unwrap();
        assert_eq!(done.schema["required"], json!(["success", "summary"]));
        let zoom = tools.iter().find(|tool| tool.name == "zoom").unwrap();
        assert_eq!(zoom.schema["properties"]["region"]["items"]["maximum"], 1000);
    }

    #[test]
    fn calls_are_read_into_native_ones() {
        assert_eq!(heard("confirm_preview", json!({})), json!({"tool": "mouse", "action": "confirm"}));
        let done = heard("done", json!({"success": "true", "summary": "s", "output": "{\"price\": 3}", "tool": "x"}));
        assert_eq!(done, json!({"tool": "done", "success": true, "summary": "s", "output": {"price": 3}}));
        assert!(Call::parse(&done).is_ok());
        let select = heard("select_option", json!("{\"values\": \"Canada\"}"));
        assert_eq!(select, json!({"tool": "select_option", "values": ["Canada"]}));
        assert_eq!(heard("zoom", json!({"region": "[1, 2, 3, 4]"})), json!({"tool": "zoom", "region": [1, 2, 3, 4]}));
        assert!(!read("mouse", &json!({}), "c1", &mut Heard::default()));
        let mut broken = Heard::default();
        assert!(read("done", &json!("{\"success\":"), "c1", &mut broken));
        assert!(broken.into_reading(Value::Null, Tokens::default()).problem.unwrap().contains("done"));
    }
}
