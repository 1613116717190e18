//! What the governor takes a call for. Two tables: the product's, and the narrower one of the conformance
//! cases, which knows two ways of looking and two ways of acting.

use surehand_types::Call;
use surehand_types::call::{Direction, KeyboardCall, MouseButton, MouseCall, TabCall, WindowCall};

/// `governor_classes`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Classes {
    #[default]
    Wide,
    Narrow,
}

impl Classes {
    /// By the setting's word.
    pub fn named(word: &str) -> Classes {
        if word == "narrow" { Classes::Narrow } else { Classes::Wide }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallClass {
    /// Looks at what is there.
    Inspection,
    /// Looks further along. Work while it goes on in one direction, inspection when it comes back.
    Scroll(Direction),
    /// Meant to change something.
    Decisive,
    /// Shows a page again, or another one: an act only if the screen looks different afterwards.
    Reload,
    /// Neither counts nor resets.
    Neutral,
}

impl CallClass {
    pub fn of(call: &Call, classes: Classes) -> CallClass {
        match classes {
            Classes::Wide => wide(call),
            Classes::Narrow => narrow(call),
        }
    }
}

fn wide(call: &Call) -> CallClass {
    match call {
        Call::Zoom { .. } | Call::Inspect => CallClass::Inspection,
        Call::Mouse(MouseCall::Move { .. } | MouseCall::Reset) => CallClass::Inspection,
        Call::Tab(TabCall::View { .. } | TabCall::List) | Call::Window(WindowCall::List) => CallClass::Inspection,
        Call::Mouse(MouseCall::Scroll { direction, .. }) => CallClass::Scroll(*direction),
        Call::Mouse(MouseCall::Click { .. } | MouseCall::Drag { .. } | MouseCall::Confirm) => CallClass::Decisive,
        Call::Keyboard(_) | Call::Dialog { .. } | Call::SelectOption { .. } | Call::UploadFile { .. } => {
            CallClass::Decisive
        }
        Call::Tab(TabCall::Open { .. } | TabCall::Go { .. } | TabCall::Close { .. }) => CallClass::Decisive,
        Call::Tab(
            TabCall::Switch { .. } | TabCall::Refresh { .. } | TabCall::Back { .. } | TabCall::Forward { .. },
        ) => CallClass::Reload,
        Call::Window(WindowCall::Focus { .. } | WindowCall::Close { .. } | WindowCall::Resize { .. }) => {
            CallClass::Decisive
        }
        // A wait is for something that is under way; asking and ending are not looking.
        Call::Wait { .. } | Call::AskUser { .. } | Call::Done { .. } => CallClass::Neutral,
    }
}

fn narrow(call: &Call) -> CallClass {
    match call {
        Call::Zoom { .. } | Call::Mouse(MouseCall::Move { .. }) => CallClass::Inspection,
        Call::Mouse(MouseCall::Click { button: MouseButton::Left, count: 1, .. }) => CallClass::Decisive,
        Call::Keyboard(KeyboardCall::Press { .. }) => CallClass::Decisive,
        _ => CallClass::Neutral,
    }
}
