//! Classes of action: what a hint is about, and what has to be tried again before it can have helped.

use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionClass {
    Click,
    DoubleClick,
    RightClick,
    Drag,
    Type,
    Press,
    Clear,
    Select,
    Upload,
    Dialog,
    Open,
    Tab,
    Window,
    Scroll,
    Hover,
    Wait,
    Look,
    Done,
}

impl ActionClass {
    /// Of a call as it was given.
    pub fn of(call: &Map<String, Value>) -> ActionClass {
        let word = |name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default();
        match (word("tool"), word("action")) {
            ("mouse", "click") if word("button") == "right" => ActionClass::RightClick,
            ("mouse", "click") if call.get("count").and_then(Value::as_u64).unwrap_or(1) > 1 => {
                ActionClass::DoubleClick
            }
            ("mouse", "click" | "confirm") => ActionClass::Click,
            ("mouse", "drag") => ActionClass::Drag,
            ("mouse", "scroll") => ActionClass::Scroll,
            ("mouse", "move") => ActionClass::Hover,
            ("keyboard", "type") => ActionClass::Type,
            ("keyboard", "press") => ActionClass::Press,
            ("keyboard", "clear") => ActionClass::Clear,
            ("select_option", _) => ActionClass::Select,
            ("upload_file", _) => ActionClass::Upload,
            ("dialog", _) => ActionClass::Dialog,
            ("tab", "open" | "go") => ActionClass::Open,
            ("tab", "view" | "list") | ("window", "list") => ActionClass::Look,
            ("tab", _) => ActionClass::Tab,
            ("window", _) => ActionClass::Window,
            ("wait", _) => ActionClass::Wait,
            ("done", _) => ActionClass::Done,
            _ => ActionClass::Look,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            ActionClass::Click => "click",
            ActionClass::DoubleClick => "double_click",
            ActionClass::RightClick => "right_click",
            ActionClass::Drag => "drag",
            ActionClass::Type => "type",
            ActionClass::Press => "press",
            ActionClass::Clear => "clear",
            ActionClass::Select => "select",
            ActionClass::Upload => "upload",
            ActionClass::Dialog => "dialog",
            ActionClass::Open => "open",
            ActionClass::Tab => "tab",
            ActionClass::Window => "window",
            ActionClass::Scroll => "scroll",
            ActionClass::Hover => "hover",
            ActionClass::Wait => "wait",
            ActionClass::Look => "look",
            ActionClass::Done => "done",
        }
    }

    /// Whether it is meant to change something, so that it can fail.
    pub fn is_deed(self) -> bool {
        !matches!(self, ActionClass::Wait | ActionClass::Look | ActionClass::Done | ActionClass::Scroll)
    }
}
