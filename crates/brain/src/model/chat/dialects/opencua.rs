//! OpenCUA: three sections, the last one a script of pyautogui calls. The script is read, never run.

use super::super::actions::Habits;
use super::functions::as_python;
use super::{Form, Manner, Setting, Words, offered};

const TEMPLATE: &str = include_str!("../prompts/opencua.md");

pub(super) fn manner() -> Manner {
    Manner {
        forms: [Form::Code, Form::Spoken, Form::Written],
        habits: Habits {
            known: "pyautogui.click, write, press, hotkey, scroll, computer.triple_click, computer.wait, computer.terminate",
            ..Habits::default()
        },
        example: "## Thought: ... ## Action: ... ## Code: ```python pyautogui.click(x=640, y=360)```",
    }
}

pub(super) fn prompt(setting: &Setting) -> String {
    let tools = offered(setting, &["done", "confirm_preview"]);
    let words = Words {
        confirm: "computer.confirm_preview()",
        end: "computer.terminate(status='success', answer='...')",
        give_up: "computer.terminate(status='failure', answer='...')",
        functions: &as_python(&tools, "- computer."),
    };
    super::prompt(TEMPLATE, &words, setting)
}
