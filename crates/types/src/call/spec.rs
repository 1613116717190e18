//! The one declaration of every tool: names, actions, fields, bounds, defaults, doc lines.
//! Parsing, the JSON schema, prompts and the generated reference all read this table.

use serde_json::{Map, Value, json};

#[derive(Debug)]
pub struct ToolSpec {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: &'static [FieldSpec],
}

#[derive(Debug)]
pub struct FieldSpec {
    pub name: &'static str,
    pub kind: FieldKind,
    /// JSON text of the default; `None` when there is none.
    pub default: Option<&'static str>,
    /// Needed whatever the action is. Per-action needs are said in the doc line and checked in `parse`.
    pub required: bool,
    pub doc: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub enum FieldKind {
    Choice(&'static [&'static str]),
    /// `[x, y]`, integers 0..=1000.
    Coordinate,
    /// `[x0, y0, x1, y1]`, integers 0..=1000, not empty.
    Region,
    Integer {
        min: i64,
        max: i64,
    },
    Number {
        min: f64,
        max: f64,
    },
    Text {
        max_chars: usize,
    },
    TextList {
        min: usize,
        max: usize,
    },
    Modifiers,
    Flag,
    Json,
}

const fn field(name: &'static str, kind: FieldKind, doc: &'static str) -> FieldSpec {
    FieldSpec { name, kind, default: None, required: false, doc }
}

const fn required(name: &'static str, kind: FieldKind, doc: &'static str) -> FieldSpec {
    FieldSpec { name, kind, default: None, required: true, doc }
}

const fn defaulted(name: &'static str, kind: FieldKind, default: &'static str, doc: &'static str) -> FieldSpec {
    FieldSpec { name, kind, default: Some(default), required: false, doc }
}

pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "tab",
        doc: "Opens, closes, switches, lists and moves through browser tabs.",
        fields: &[
            required(
                "action",
                FieldKind::Choice(&["open", "close", "switch", "list", "refresh", "view", "back", "forward"]),
                "what to do; `view` takes a fresh look at the page",
            ),
            field("url", FieldKind::Text { max_chars: 8000 }, "address for `open`"),
            field(
                "tab_id",
                FieldKind::Text { max_chars: 80 },
                "which tab, like \"t2\"; the active one when left out (`switch` needs it)",
            ),
        ],
    },
    ToolSpec {
        name: "mouse",
        doc: "Moves the visible cursor, clicks, drags and scrolls at positions on a 1000 by 1000 grid.",
        fields: &[
            defaulted(
                "action",
                FieldKind::Choice(&["move", "click", "drag", "scroll", "reset", "confirm"]),
                "\"move\"",
                "what the hand does; `reset` returns the cursor to the centre, `confirm` commits a previewed action",
            ),
            field(
                "coordinate",
                FieldKind::Coordinate,
                "where to move, click or scroll; `click` and `scroll` without it act at the cursor",
            ),
            field("start_coordinate", FieldKind::Coordinate, "where a drag starts"),
            field("end_coordinate", FieldKind::Coordinate, "where a drag ends"),
            defaulted("button", FieldKind::Choice(&["left", "right", "middle"]), "\"left\"", "which button"),
            defaulted("count", FieldKind::Integer { min: 1, max: 3 }, "1", "2 is a double click, 3 a triple click"),
            defaulted(
                "direction",
                FieldKind::Choice(&["up", "down", "left", "right"]),
                "\"down\"",
                "where a scroll goes",
            ),
            defaulted(
                "amount",
                FieldKind::Integer { min: 1, max: 2000 },
                "300",
                "how far a scroll goes; 1000 is one whole view",
            ),
            defaulted("steps", FieldKind::Integer { min: 2, max: 40 }, "10", "how many moves a drag is made of"),
            field("modifiers", FieldKind::Modifiers, "keys held during the action: ctrl, shift, alt, meta"),
        ],
    },
    ToolSpec {
        name: "keyboard",
        doc: "Types text into the focused field, presses keys and chords, clears the focused field.",
        fields: &[
            required("action", FieldKind::Choice(&["type", "press", "clear"]), "what the keyboard does"),
            field("text", FieldKind::Text { max_chars: 10_000 }, "text for `type`"),
            field("key", FieldKind::Text { max_chars: 80 }, "key for `press`, like \"enter\", \"ctrl+a\" or \"!\""),
            field("modifiers", FieldKind::Modifiers, "keys held around `press`: ctrl, shift, alt, meta"),
        ],
    },
    ToolSpec {
        name: "dialog",
        doc: "Answers an open confirm, prompt or leave-page dialog.",
        fields: &[
            required("dialog_action", FieldKind::Choice(&["accept", "dismiss"]), "the answer"),
            field(
                "prompt_text",
                FieldKind::Text { max_chars: 10_000 },
                "text to give a prompt; its default when left out",
            ),
        ],
    },
    ToolSpec {
        name: "select_option",
        doc: "Chooses options of the select control that the last click found.",
        fields: &[required("values", FieldKind::TextList { min: 1, max: 50 }, "values or labels to choose")],
    },
    ToolSpec {
        name: "upload_file",
        doc: "Gives files to the file input that the last click found.",
        fields: &[required("paths", FieldKind::TextList { min: 1, max: 20 }, "files inside the declared upload roots")],
    },
    ToolSpec {
        name: "wait",
        doc: "Lets time pass, then looks again.",
        fields: &[defaulted("seconds", FieldKind::Number { min: 0.0, max: 60.0 }, "1", "how long")],
    },
    ToolSpec {
        name: "zoom",
        doc: "Shows one region of the page enlarged.",
        fields: &[required("region", FieldKind::Region, "[x0, y0, x1, y1] on the grid")],
    },
    ToolSpec { name: "inspect", doc: "Lists what perception sees on the screen, as advice.", fields: &[] },
    ToolSpec {
        name: "ask_user",
        doc: "Asks the person who started the run a question.",
        fields: &[required("question", FieldKind::Text { max_chars: 2000 }, "the question")],
    },
    ToolSpec {
        name: "done",
        doc: "Ends the run and says what was achieved.",
        fields: &[
            required("success", FieldKind::Flag, "whether the task was achieved"),
            required("summary", FieldKind::Text { max_chars: 10_000 }, "what was done, in words"),
            field("output", FieldKind::Json, "the answer, where the task asks for one"),
        ],
    },
    ToolSpec {
        name: "window",
        doc: "Lists, focuses, closes and resizes windows of a desktop.",
        fields: &[
            required("action", FieldKind::Choice(&["list", "focus", "close", "resize"]), "what to do"),
            field("window_id", FieldKind::Text { max_chars: 80 }, "which window"),
            field("width", FieldKind::Integer { min: 1, max: 16384 }, "new width for `resize`"),
            field("height", FieldKind::Integer { min: 1, max: 16384 }, "new height for `resize`"),
        ],
    },
];

pub fn find(name: &str) -> Option<&'static ToolSpec> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl ToolSpec {
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// JSON Schema of the flat call object, for providers, MCP and the reference pages.
    pub fn json_schema(&self) -> Value {
        let mut properties = Map::new();
        properties.insert("tool".into(), json!({"const": self.name}));
        let mut needed = vec![Value::from("tool")];
        for field in self.fields {
            let mut schema = field.kind.json_schema();
            schema.insert("description".into(), field.doc.into());
            if let Some(default) = field.default.and_then(|text| serde_json::from_str(text).ok()) {
                schema.insert("default".into(), default);
            }
            properties.insert(field.name.into(), Value::Object(schema));
            if field.required {
                needed.push(field.name.into());
            }
        }
        json!({
            "type": "object",
            "description": self.doc,
            "properties": properties,
            "required": needed,
            "additionalProperties": false,
        })
    }
}

impl FieldKind {
    /// How the bounds read in a sentence and in the reference.
    pub fn describe(&self) -> String {
        match self {
            FieldKind::Choice(values) => format!("one of {}", values.join(", ")),
            FieldKind::Coordinate => "an array of two integers from 0 to 1000, like [512, 300]".into(),
            FieldKind::Region => "an array of four integers from 0 to 1000, like [100, 100, 400, 300]".into(),
            FieldKind::Integer { min, max } => format!("an integer from {min} to {max}"),
            FieldKind::Number { min, max } => format!("a number from {min} to {max}"),
            FieldKind::Text { max_chars } => format!("a string of at most {max_chars} characters"),
            FieldKind::TextList { min, max } => format!("an array of {min} to {max} strings"),
            FieldKind::Modifiers => "an array of ctrl, shift, alt or meta".into(),
            FieldKind::Flag => "true or false".into(),
            FieldKind::Json => "any JSON value".into(),
        }
    }

    fn json_schema(&self) -> Map<String, Value> {
        let schema = match self {
            FieldKind::Choice(values) => json!({"type": "string", "enum": values}),
            FieldKind::Coordinate => grid_array(2),
            FieldKind::Region => grid_array(4),
            FieldKind::Integer { min, max } => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            FieldKind::Number { min, max } => {
                json!({"type": "number", "minimum": min, "maximum": max})
            }
            FieldKind::Text { max_chars } => json!({"type": "string", "maxLength": max_chars}),
            FieldKind::TextList { min, max } => {
                json!({"type": "array", "items": {"type": "string"}, "minItems": min, "maxItems": max})
            }
            FieldKind::Modifiers => json!({"type": "array", "items": {"type": "string"}}),
            FieldKind::Flag => json!({"type": "boolean"}),
            FieldKind::Json => json!({}),
        };
        schema.as_object().cloned().unwrap_or_default()
    }
}

fn grid_array(length: usize) -> Value {
    json!({
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 1000},
        "minItems": length,
        "maxItems": length,
    })
}
