//! Qwen's `computer_use` function between `<tool_call>` tags, and Fara's, which is made from it.

use serde_json::{Map, Value, json};

use super::super::super::space::Space;
use super::super::actions::Habits;
use super::functions::{as_json_lines, function};
use super::{Form, Manner, Setting, Words, is_browser, offered, prompt};

const TEMPLATE: &str = include_str!("../prompts/computer_use.md");
const EXAMPLE: &str = r#"<tool_call>{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [512, 300]}}</tool_call>"#;

/// Action, and what it does.
type Action = (&'static str, &'static str);

const QWEN: &[Action] = &[
    ("key", "presses the keys of `keys` together"),
    ("type", "types `text`"),
    ("mouse_move", "moves the cursor to `coordinate`"),
    ("left_click", "clicks at `coordinate`"),
    ("left_click_drag", "drags from the cursor to `coordinate`"),
    ("right_click", "clicks the right button at `coordinate`"),
    ("middle_click", "clicks the middle button at `coordinate`"),
    ("double_click", "clicks twice at `coordinate`"),
    ("triple_click", "clicks three times at `coordinate`"),
    ("scroll", "scrolls by `pixels`, upwards when positive, downwards when negative"),
    ("hscroll", "scrolls by `pixels`, to the right when positive"),
    ("wait", "waits `time` seconds"),
    ("confirm_preview", "commits the previewed click or drag"),
    ("answer", "ends the task with the answer `text`"),
    ("terminate", "ends the task with `status`"),
];

const FARA: &[Action] = &[
    ("key", "presses the keys of `keys` together"),
    ("type", "types `text`, first clicking at `coordinate` where given; Enter follows unless `press_enter` is false"),
    ("mouse_move", "moves the cursor to `coordinate`"),
    ("left_click", "clicks at `coordinate`"),
    ("scroll", "scrolls by `pixels`, upwards when positive, downwards when negative"),
    ("visit_url", "opens `url`"),
    ("web_search", "searches the web for `query`"),
    ("history_back", "goes back one page"),
    ("pause_and_memorize_fact", "remembers `fact` for later"),
    ("ask_user_question", "asks the person `question`; do so at every point where money is spent or something is sent"),
    ("wait", "waits `time` seconds"),
    ("confirm_preview", "commits the previewed click or drag"),
    ("terminate", "ends the task with `status` and the `answer`"),
];

pub(super) fn qwen() -> Manner {
    Manner {
        forms: [Form::Written, Form::Spoken, Form::Code],
        habits: Habits {
            known: "left_click, double_click, right_click, mouse_move, left_click_drag, type, key, scroll, wait, answer, terminate",
            ..Habits::default()
        },
        example: EXAMPLE,
    }
}

pub(super) fn fara() -> Manner {
    Manner {
        forms: [Form::Written, Form::Spoken, Form::Code],
        habits: Habits {
            types_with_enter: true,
            known: "left_click, mouse_move, type, key, scroll, visit_url, web_search, history_back, pause_and_memorize_fact, wait, terminate",
            ..Habits::default()
        },
        example: EXAMPLE,
    }
}

pub(super) fn qwen_prompt(setting: &Setting) -> String {
    let end = "the action `terminate`, `status` success, or with `answer` where the task asks for one,";
    render(QWEN, setting, &["done", "confirm_preview"], end)
}

pub(super) fn fara_prompt(setting: &Setting) -> String {
    let pages =
        |action: &&Action| is_browser(setting) || !matches!(action.0, "visit_url" | "web_search" | "history_back");
    let actions: Vec<Action> = FARA.iter().filter(pages).copied().collect();
    let end = "the action `terminate`, `status` success,";
    render(&actions, setting, &["done", "confirm_preview", "ask_user"], end)
}

fn render(actions: &[Action], setting: &Setting, without: &[&str], end: &str) -> String {
    let mut functions = vec![computer_use(actions, setting.space)];
    functions
        .extend(offered(setting, without).into_iter().map(|tool| function(tool.name, &tool.description, tool.schema)));
    let words = Words {
        confirm: "the action `confirm_preview`",
        end,
        give_up: "the action `terminate`, `status` failure,",
        functions: &as_json_lines(&functions),
    };
    prompt(TEMPLATE, &words, setting)
}

fn computer_use(actions: &[Action], space: Space) -> Value {
    let size = match space {
        Space::Grid1000 => "The screen's resolution is 1000x1000.",
        Space::ImagePx | Space::SmartResizedPx { .. } => "The screen's resolution is that of the picture.",
    };
    let told: Vec<String> = actions.iter().map(|(name, does)| format!("`{name}`: {does}.")).collect();
    let names: Vec<&str> = actions.iter().map(|(name, _)| *name).collect();
    let mut properties = Map::new();
    properties.insert("action".into(), json!({"type": "string", "enum": names, "description": told.join("\n")}));
    for (field, schema) in [
        ("keys", json!({"type": "array", "items": {"type": "string"}})),
        ("text", json!({"type": "string"})),
        ("coordinate", json!({"type": "array", "items": {"type": "integer"}, "description": "(x, y)"})),
        ("pixels", json!({"type": "number"})),
        ("time", json!({"type": "number"})),
        ("url", json!({"type": "string"})),
        ("query", json!({"type": "string"})),
        ("fact", json!({"type": "string"})),
        ("question", json!({"type": "string"})),
        ("press_enter", json!({"type": "boolean"})),
        ("delete_existing_text", json!({"type": "boolean"})),
        ("answer", json!({"type": "string"})),
        ("status", json!({"type": "string", "enum": ["success", "failure"]})),
    ] {
        // Fields that no action of this family speaks of would only tempt.
        let spoken_of = actions.iter().any(|(_, does)| does.contains(&format!("`{field}`")));
        if spoken_of || (field == "delete_existing_text" && names.contains(&"visit_url")) {
            properties.insert(field.into(), schema);
        }
    }
    let parameters = json!({"type": "object", "properties": properties, "required": ["action"]});
    function("computer_use", &format!("Works the mouse and the keyboard. {size}"), parameters)
}
