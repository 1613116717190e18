//! Holo 3: one flat JSON object whose schema stands in the prompt and goes to the server as well. Its `note` is its
//! memory. Holo 1.5's `click_absolute` is understood as every other click is.

use serde_json::{Map, Value, json};

use super::super::super::space::Space;
use super::super::actions::Habits;
use super::{Form, Manner, Setting, Words, is_browser, offered};

const TEMPLATE: &str = include_str!("../prompts/holo3.md");

pub(super) fn manner() -> Manner {
    Manner {
        forms: [Form::Written, Form::Spoken, Form::Code],
        habits: Habits {
            known: "click, double_click, right_click, move, drag, write, press, scroll, wait, goto, go_back, refresh, confirm_preview, answer, done",
            ..Habits::default()
        },
        example: r#"{"note": null, "thought": "...", "tool_call": {"tool_name": "click", "element": "...", "x": 512, "y": 300}}"#,
    }
}

pub(super) fn prompt(setting: &Setting) -> String {
    let words = Words {
        confirm: "the tool `confirm_preview`",
        end: "the tool `answer`",
        give_up: "the tool `done`, `success` false,",
        functions: "",
    };
    super::prompt(TEMPLATE, &words, setting).replace("{{schema}}", &schema(setting).to_string())
}

pub(super) fn schema(setting: &Setting) -> Value {
    let text = || json!({"type": "string"});
    let most = if setting.space == Space::Grid1000 {
        json!({"type": "integer", "minimum": 0, "maximum": 1000})
    } else {
        json!({"type": "integer", "minimum": 0})
    };
    let at = || vec![("element", text()), ("x", most.clone()), ("y", most.clone())];
    let mut tools = vec![
        tool("click", at()),
        tool("double_click", at()),
        tool("right_click", at()),
        tool("move", at()),
        tool(
            "drag",
            vec![
                ("element", text()),
                ("start_x", most.clone()),
                ("start_y", most.clone()),
                ("end_x", most.clone()),
                ("end_y", most.clone()),
            ],
        ),
        tool("write", vec![("content", text()), ("press_enter", json!({"type": "boolean"}))]),
        tool("press", vec![("key", text())]),
        tool(
            "scroll",
            [at(), vec![("direction", json!({"type": "string", "enum": ["up", "down", "left", "right"]}))]].concat(),
        ),
        tool("wait", vec![("seconds", json!({"type": "number"}))]),
        tool("answer", vec![("content", text())]),
    ];
    if is_browser(setting) {
        tools.push(tool("goto", vec![("url", text())]));
        tools.push(tool("go_back", vec![]));
        tools.push(tool("refresh", vec![]));
    }
    for own in offered(setting, &[]) {
        let mut schema = super::functions::function("", "", own.schema)["function"]["parameters"].take();
        let properties = schema["properties"].take();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut flat = Map::from_iter([("tool_name".to_string(), json!({"const": own.name}))]);
        flat.extend(properties.as_object().cloned().unwrap_or_default());
        let required: Vec<Value> = std::iter::once(Value::from("tool_name")).chain(required).collect();
        tools.push(json!({"type": "object", "properties": flat, "required": required, "additionalProperties": false}));
    }
    json!({
        "type": "object",
        "properties": {
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "thought": {"type": "string"},
            "expected": {"type": "array", "items": {"type": "string"}},
            "tool_call": {"anyOf": tools},
        },
        "required": ["note", "thought", "tool_call"],
        "additionalProperties": false,
    })
}

fn tool(name: &str, fields: Vec<(&str, Value)>) -> Value {
    let mut properties = Map::from_iter([("tool_name".to_string(), json!({"const": name}))]);
    let required: Vec<&str> = std::iter::once("tool_name").chain(fields.iter().map(|(name, _)| *name)).collect();
    let required = json!(required);
    properties.extend(fields.into_iter().map(|(name, schema)| (name.to_string(), schema)));
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
