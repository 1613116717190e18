//! From a flat JSON object to a typed call: one function per tool family.

use serde_json::Value;

use super::fields::Fields;
use super::spec::{self, TOOLS};
use super::{
    Call, CallProblem, DialogAction, Direction, KeyboardCall, MouseButton, MouseCall, ParsedCall, TabCall, WindowCall,
};
use crate::keys::{Chord, edit_distance};
use crate::reason::ErrorCode;

pub(super) fn parse(value: &Value) -> Result<ParsedCall, CallProblem> {
    let Some(map) = value.as_object() else {
        return Err(CallProblem::invalid(
            "a call must be a JSON object like {\"tool\":\"mouse\",\"action\":\"click\",\"coordinate\":[512,300]}",
        ));
    };
    let name = match map.get("tool") {
        Some(Value::String(name)) => name.as_str(),
        Some(_) => {
            return Err(CallProblem::invalid("tool must be a string that names a tool"));
        }
        None => {
            return Err(CallProblem::invalid("tool is missing: name the tool, like \"tool\":\"mouse\""));
        }
    };
    let Some(tool) = spec::find(name) else {
        return Err(unknown_tool(name));
    };
    let fields = Fields::check(tool, map)?;
    let call = match tool.name {
        "tab" => tab(&fields)?,
        "mouse" => mouse(&fields)?,
        "keyboard" => keyboard(&fields)?,
        "dialog" => dialog(&fields),
        "select_option" => Call::SelectOption { values: fields.text_list("values") },
        "upload_file" => Call::UploadFile { paths: fields.text_list("paths") },
        "wait" => Call::Wait { seconds: fields.number("seconds").unwrap_or(1.0) },
        "zoom" => Call::Zoom { region: fields.region("region").ok_or_else(|| fields.missing("region", ""))? },
        "inspect" => Call::Inspect,
        "ask_user" => Call::AskUser { question: fields.text("question").unwrap_or_default() },
        "done" => Call::Done {
            success: fields.flag("success").unwrap_or(false),
            summary: fields.text("summary").unwrap_or_default(),
            output: fields.raw("output"),
        },
        "window" => window(&fields)?,
        _ => return Err(unknown_tool(name)),
    };
    Ok(ParsedCall { call, given: map.clone() })
}

fn tab(fields: &Fields<'_>) -> Result<Call, CallProblem> {
    let tab = fields.text("tab_id");
    let call = match fields.choice("action").as_str() {
        "open" => TabCall::Open { url: non_blank(fields, "url", " for open")? },
        "close" => TabCall::Close { tab },
        "switch" => TabCall::Switch { tab: non_blank(fields, "tab_id", " for switch")? },
        "list" => TabCall::List,
        "refresh" => TabCall::Refresh { tab },
        "back" => TabCall::Back { tab },
        "forward" => TabCall::Forward { tab },
        _ => TabCall::View { tab },
    };
    Ok(Call::Tab(call))
}

fn mouse(fields: &Fields<'_>) -> Result<Call, CallProblem> {
    let modifiers = fields.modifiers();
    let button = match fields.choice("button").as_str() {
        "right" => MouseButton::Right,
        "middle" => MouseButton::Middle,
        _ => MouseButton::Left,
    };
    let small = |name: &str| fields.integer(name).and_then(|number| u8::try_from(number).ok());
    let call = match fields.choice("action").as_str() {
        "click" => {
            MouseCall::Click { at: fields.point("coordinate"), button, count: small("count").unwrap_or(1), modifiers }
        }
        "drag" => MouseCall::Drag {
            from: fields.point("start_coordinate").ok_or_else(|| fields.missing("start_coordinate", " for drag"))?,
            to: fields.point("end_coordinate").ok_or_else(|| fields.missing("end_coordinate", " for drag"))?,
            button,
            steps: small("steps").unwrap_or(10),
            modifiers,
        },
        "scroll" => MouseCall::Scroll {
            at: fields.point("coordinate"),
            direction: match fields.choice("direction").as_str() {
                "up" => Direction::Up,
                "left" => Direction::Left,
                "right" => Direction::Right,
                _ => Direction::Down,
            },
            amount: fields.integer("amount").and_then(|number| u16::try_from(number).ok()).unwrap_or(300),
            modifiers,
        },
        "reset" => MouseCall::Reset,
        "confirm" => MouseCall::Confirm,
        _ => MouseCall::Move {
            to: fields.point("coordinate").ok_or_else(|| fields.missing("coordinate", " for move"))?,
            modifiers,
        },
    };
    Ok(Call::Mouse(call))
}

fn keyboard(fields: &Fields<'_>) -> Result<Call, CallProblem> {
    let call = match fields.choice("action").as_str() {
        "type" => {
            let text = fields.text("text").ok_or_else(|| fields.missing("text", " for type"))?;
            if text.is_empty() {
                return Err(CallProblem::invalid(
                    "keyboard.text must not be empty; use the action clear to empty a field",
                ));
            }
            KeyboardCall::Type { text }
        }
        "press" => {
            let key = fields.text("key").ok_or_else(|| fields.missing("key", " for press"))?;
            let chord = Chord::parse(&key, &fields.modifiers())
                .map_err(|message| CallProblem { code: ErrorCode::UnknownKey, message })?;
            KeyboardCall::Press { chord }
        }
        _ => KeyboardCall::Clear,
    };
    Ok(Call::Keyboard(call))
}

fn dialog(fields: &Fields<'_>) -> Call {
    let action = match fields.choice("dialog_action").as_str() {
        "accept" => DialogAction::Accept,
        _ => DialogAction::Dismiss,
    };
    Call::Dialog { action, prompt_text: fields.text("prompt_text") }
}

fn window(fields: &Fields<'_>) -> Result<Call, CallProblem> {
    let id = |when: &str| non_blank(fields, "window_id", when);
    let extent = |name: &str| {
        fields
            .integer(name)
            .and_then(|number| u32::try_from(number).ok())
            .ok_or_else(|| fields.missing(name, " for resize"))
    };
    let call = match fields.choice("action").as_str() {
        "focus" => WindowCall::Focus { window: id(" for focus")? },
        "close" => WindowCall::Close { window: id(" for close")? },
        "resize" => {
            WindowCall::Resize { window: id(" for resize")?, width: extent("width")?, height: extent("height")? }
        }
        _ => WindowCall::List,
    };
    Ok(Call::Window(call))
}

fn non_blank(fields: &Fields<'_>, name: &str, when: &str) -> Result<String, CallProblem> {
    fields.text(name).filter(|text| !text.trim().is_empty()).ok_or_else(|| fields.missing(name, when))
}

fn unknown_tool(name: &str) -> CallProblem {
    let shown: String = name.chars().take(40).collect();
    let nearest =
        TOOLS.iter().map(|tool| tool.name).min_by_key(|known| edit_distance(&shown, known)).unwrap_or("mouse");
    let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    CallProblem {
        code: ErrorCode::UnknownTool,
        message: format!("{shown:?} is not a tool; the nearest is {nearest:?}; the tools are: {}", known.join(", ")),
    }
}
