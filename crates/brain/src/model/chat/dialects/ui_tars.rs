//! UI-TARS: `Thought: … Action: click(start_box='(x,y)')`, and from version 2 on functions as XML.

use serde_json::{Value, json};

use super::super::actions::Habits;
use super::functions::{as_json_lines, as_python, simple};
use super::{Form, Manner, Setting, Words, offered, prompt};

const FIRST: &str = include_str!("../prompts/ui_tars.md");
const SECOND: &str = include_str!("../prompts/ui_tars_2.md");

const KNOWN: &str = "click, left_double, right_single, drag, hotkey, type, scroll, wait, finished";

fn habits() -> Habits {
    // Its wait is five seconds long, and its scroll five notches.
    Habits {
        press_holds: true,
        ends_with_escape: true,
        wait_seconds: Some(5.0),
        notches: Some(5.0),
        known: KNOWN,
        ..Habits::default()
    }
}

pub(super) fn first() -> Manner {
    Manner {
        forms: [Form::Spoken, Form::Written, Form::Code],
        habits: habits(),
        example: "Thought: ... Action: click(start_box='(512,300)')",
    }
}

pub(super) fn second() -> Manner {
    Manner {
        forms: [Form::Written, Form::Spoken, Form::Code],
        habits: habits(),
        example: "<seed:tool_call><function=click><parameter=point><point>512 300</point></parameter></function></seed:tool_call>",
    }
}

pub(super) fn first_prompt(setting: &Setting) -> String {
    let tools = offered(setting, &["confirm_preview"]);
    let words = Words {
        confirm: "confirm_preview()",
        end: "finished(content='...')",
        give_up: "done(success=False, summary='...')",
        functions: &as_python(&tools, ""),
    };
    prompt(FIRST, &words, setting)
}

pub(super) fn second_prompt(setting: &Setting) -> String {
    let place = ["point"];
    let mut functions: Vec<Value> = vec![
        declared("click", "Clicks.", &place),
        declared("left_double", "Clicks twice.", &place),
        declared("right_single", "Clicks the right button.", &place),
        declared("move_to", "Moves the cursor.", &place),
        declared("drag", "Drags.", &["start_point", "end_point"]),
        declared("mouse_down", "Presses the left button and holds it.", &place),
        declared("mouse_up", "Lets the left button go.", &place),
        declared("scroll", "Scrolls up, down, left or right.", &["point", "direction"]),
        declared("type", "Types; a \\n at the end presses Enter.", &["content"]),
        declared("hotkey", "Presses keys together, parted by a space.", &["key"]),
        declared("press", "Presses a key and holds it.", &["key"]),
        declared("release", "Lets a key go.", &["key"]),
        declared("wait", "Waits five seconds.", &[]),
        declared("take_screenshot", "Looks again.", &[]),
        declared("finished", "Ends the task with its answer.", &["content"]),
    ];
    functions.extend(
        offered(setting, &[])
            .into_iter()
            .map(|tool| json!({"name": tool.name, "description": tool.description, "parameters": simple(tool.schema)})),
    );
    let words = Words {
        confirm: "the function `confirm_preview`",
        end: "the function `finished`",
        give_up: "the function `done`, `success` false,",
        functions: &as_json_lines(&functions),
    };
    prompt(SECOND, &words, setting)
}

fn declared(name: &str, description: &str, fields: &[&str]) -> Value {
    let mut properties = serde_json::Map::new();
    for field in fields {
        let about = if field.ends_with("point") {
            json!({"type": "string", "description": "<point>x y</point>"})
        } else {
            json!({"type": "string"})
        };
        properties.insert((*field).into(), about);
    }
    json!({"name": name, "description": description, "parameters": {"type": "object", "properties": properties, "required": fields}})
}
