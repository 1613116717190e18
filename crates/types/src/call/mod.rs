//! Native tool calls: the typed form of the flat JSON objects that prompts, scripts, exec brains
//! and every other door use. The declarations live in `spec`, reading single fields in `fields`.

mod fields;
mod parse;
pub mod spec;
mod target;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::coords::{GridBox, GridPoint};
use crate::keys::{Chord, Modifier};
use crate::reason::ErrorCode;

pub use spec::{FieldKind, FieldSpec, TOOLS, ToolSpec};
pub use target::{TargetPlace, TargetQuery, apart, folded};

/// A call that passed its schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    Tab(TabCall),
    Mouse(MouseCall),
    Keyboard(KeyboardCall),
    Dialog { action: DialogAction, prompt_text: Option<String> },
    SelectOption { values: Vec<String> },
    UploadFile { paths: Vec<String> },
    Wait { seconds: f64 },
    Zoom { region: GridBox },
    Inspect,
    AskUser { question: String },
    Done { success: bool, summary: String, output: Option<Value> },
    Window(WindowCall),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TabCall {
    Open {
        url: String,
    },
    /// In the tab that is active, as typing an address does. Said by plans only: a brain gets about by the page.
    Go {
        url: String,
    },
    Close {
        tab: Option<String>,
    },
    Switch {
        tab: String,
    },
    List,
    Refresh {
        tab: Option<String>,
    },
    View {
        tab: Option<String>,
    },
    Back {
        tab: Option<String>,
    },
    Forward {
        tab: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MouseCall {
    Move { to: GridPoint, modifiers: Vec<Modifier> },
    Click { at: Option<GridPoint>, button: MouseButton, count: u8, modifiers: Vec<Modifier> },
    Drag { from: GridPoint, to: GridPoint, button: MouseButton, steps: u8, modifiers: Vec<Modifier> },
    Scroll { at: Option<GridPoint>, direction: Direction, amount: u16, modifiers: Vec<Modifier> },
    Reset,
    Confirm,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyboardCall {
    Type { text: String },
    Press { chord: Chord },
    Clear,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowCall {
    List,
    Focus { window: String },
    Close { window: String },
    Resize { window: String, width: u32, height: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MouseButton {
    Left,
    Right,
    Middle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DialogAction {
    Accept,
    Dismiss,
}

/// A call together with exactly the fields its author set: what is stored and shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCall {
    pub call: Call,
    pub given: Map<String, Value>,
}

/// Why a call was rejected: one plain sentence that names the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallProblem {
    pub code: ErrorCode,
    pub message: String,
}

impl CallProblem {
    pub fn invalid(message: impl Into<String>) -> Self {
        CallProblem { code: ErrorCode::InvalidCall, message: message.into() }
    }
}

impl Call {
    /// Reads a native call. A rejected call is data: nothing was changed by trying.
    pub fn parse(value: &Value) -> Result<ParsedCall, CallProblem> {
        parse::parse(value)
    }

    /// Puts the exact point in the place of the nearest whole one.
    pub(crate) fn aim_exactly(&mut self, field: &str, point: GridPoint) {
        let Call::Mouse(mouse) = self else { return };
        match (mouse, field) {
            (MouseCall::Move { to, .. }, "coordinate") => *to = point,
            (MouseCall::Click { at, .. } | MouseCall::Scroll { at, .. }, "coordinate") => *at = Some(point),
            (MouseCall::Drag { from, .. }, "start_coordinate") => *from = point,
            (MouseCall::Drag { to, .. }, "end_coordinate") => *to = point,
            _ => {}
        }
    }

    pub fn tool_name(&self) -> &'static str {
        match self {
            Call::Tab(_) => "tab",
            Call::Mouse(_) => "mouse",
            Call::Keyboard(_) => "keyboard",
            Call::Dialog { .. } => "dialog",
            Call::SelectOption { .. } => "select_option",
            Call::UploadFile { .. } => "upload_file",
            Call::Wait { .. } => "wait",
            Call::Zoom { .. } => "zoom",
            Call::Inspect => "inspect",
            Call::AskUser { .. } => "ask_user",
            Call::Done { .. } => "done",
            Call::Window(_) => "window",
        }
    }

    /// Calls that only look: they have no effect to speak of, so their effect is `null`.
    pub fn only_looks(&self) -> bool {
        match self {
            Call::Wait { .. } | Call::Zoom { .. } | Call::Inspect => true,
            Call::Mouse(MouseCall::Reset) => true,
            Call::Tab(TabCall::View { .. } | TabCall::List) => true,
            Call::Window(WindowCall::List) => true,
            Call::Tab(_)
            | Call::Mouse(_)
            | Call::Keyboard(_)
            | Call::Dialog { .. }
            | Call::SelectOption { .. }
            | Call::UploadFile { .. }
            | Call::AskUser { .. }
            | Call::Done { .. }
            | Call::Window(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
