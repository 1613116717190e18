//! A script of pyautogui calls as gestures. The script is read, never run: each function has its places and names,
//! and whatever is not one of them is a problem.

use serde_json::{Value, json};

use super::super::super::key_names::chords;
use super::super::super::lenient::written;
use super::super::super::tolerant::{Literal, MOST_CALLS, PyCall, point};
use super::keys::named_keys;
use super::{Deed, Habits, deed, from_python, json_of, plain_name};

/// Larger scrolls are counted in pixels: no wheel turns so far.
const WHEEL: f64 = 50.0;

/// The gestures of a script, or one sentence about why it cannot be carried out.
pub(in super::super) fn script(calls: Vec<PyCall>, habits: Habits) -> Result<(Vec<Value>, Option<String>), String> {
    let mut gestures = Vec::new();
    let mut note = None;
    // Where the script itself has put the cursor, for functions that count from there.
    let mut cursor: Option<[f64; 2]> = None;
    for call in calls {
        let mut deed = one(call, habits, &mut cursor)?;
        gestures.append(&mut deed.gestures);
        note = deed.note.or(note);
        if gestures.len() > MOST_CALLS {
            return Err(format!("the code asks for more than {MOST_CALLS} actions"));
        }
    }
    Ok((gestures, note))
}

fn one(call: PyCall, habits: Habits, cursor: &mut Option<[f64; 2]>) -> Result<Deed, String> {
    if !call.called {
        return bare(&call.name);
    }
    let (module, function) = call.name.rsplit_once('.').unwrap_or(("", call.name.as_str()));
    match module {
        "time" if function == "sleep" => wait(&call),
        "" if function == "sleep" => wait(&call),
        "" if is_own(function) => deed_of(call, habits),
        "pyautogui" | "" => mouse_and_keys(function, &call, cursor),
        "computer" => deed_of(call, habits),
        _ => Err(format!("{:.60?} cannot be called; pyautogui, time.sleep and computer can", call.name)),
    }
}

fn bare(word: &str) -> Result<Deed, String> {
    match word {
        "DONE" => Ok(Deed::of([json!({"tool": "done", "success": true, "summary": ""})])),
        "FAIL" => Ok(Deed::of([json!({"tool": "done", "success": false, "summary": ""})])),
        "WAIT" => Ok(Deed::of([json!({"tool": "wait"})])),
        other => Err(format!("{other:.40?} is no word of its own; DONE, FAIL and WAIT are")),
    }
}

/// Our own functions, which some scripts call without `computer.` in front.
fn is_own(function: &str) -> bool {
    surehand_types::call::spec::find(function).is_some()
        || matches!(function, "confirm_preview" | "terminate" | "triple_click" | "wait" | "finished")
}

fn deed_of(call: PyCall, habits: Habits) -> Result<Deed, String> {
    let written = from_python(call);
    let name = plain_name(&written.name);
    if let Some(tool) = surehand_types::call::spec::find(&name)
        .filter(|_| name != "wait" && (name != "done" || written.fields.contains_key("success")))
    {
        let mut call = written.fields;
        call.insert("tool".into(), tool.name.into());
        return Ok(Deed::of([Value::Object(call)]));
    }
    deed(&name, &written.fields, habits)
}

fn wait(call: &PyCall) -> Result<Deed, String> {
    let seconds = number(call, 0, &["seconds", "secs"]).unwrap_or(1.0);
    Ok(Deed::of([json!({"tool": "wait", "seconds": seconds.clamp(0.0, 60.0)})]))
}

fn mouse_and_keys(function: &str, call: &PyCall, cursor: &mut Option<[f64; 2]>) -> Result<Deed, String> {
    let click = |count: f64, button: &str, at: Option<[f64; 2]>| {
        let mut gesture = json!({"tool": "mouse", "action": "click"});
        if let Some(at) = at {
            gesture["coordinate"] = super::fields::written(at);
        }
        if button != "left" {
            gesture["button"] = button.into();
        }
        if count >= 2.0 {
            gesture["count"] = (count.min(3.0) as u8).into();
        }
        Deed::of([gesture])
    };
    let at = |cursor: &mut Option<[f64; 2]>| -> Result<Option<[f64; 2]>, String> {
        let place = place(call)?;
        *cursor = place.or(*cursor);
        Ok(place)
    };
    match function {
        "click" => {
            let button = button(call, 4)?;
            let count = number(call, 2, &["clicks"]).unwrap_or(1.0);
            Ok(click(count, button, at(cursor)?))
        }
        "leftClick" => Ok(click(1.0, "left", at(cursor)?)),
        "rightClick" => Ok(click(1.0, "right", at(cursor)?)),
        "middleClick" => Ok(click(1.0, "middle", at(cursor)?)),
        "doubleClick" => Ok(click(2.0, button(call, 3)?, at(cursor)?)),
        "tripleClick" => Ok(click(3.0, button(call, 3)?, at(cursor)?)),
        "moveTo" => {
            let place = at(cursor)?.ok_or("moveTo needs x and y")?;
            Ok(Deed::of([json!({"tool": "mouse", "action": "move", "coordinate": super::fields::written(place)})]))
        }
        "move" | "moveRel" => {
            let to = offset(call, *cursor)?;
            *cursor = Some(to);
            Ok(Deed::of([json!({"tool": "mouse", "action": "move", "coordinate": super::fields::written(to)})]))
        }
        "dragTo" | "drag" | "dragRel" => {
            if button(call, 3)? != "left" {
                return Err("a drag is made with the left button".into());
            }
            let from = *cursor;
            let to =
                if function == "dragTo" { place(call)?.ok_or("dragTo needs x and y")? } else { offset(call, from)? };
            *cursor = Some(to);
            let mut gesture = json!({"tool": "mouse", "action": "drag", "end_coordinate": super::fields::written(to)});
            if let Some(from) = from {
                gesture["start_coordinate"] = super::fields::written(from);
            }
            Ok(Deed::of([gesture]))
        }
        "mouseDown" | "mouseUp" => {
            if button(call, 2)? != "left" {
                return Err("only the left button can be held".into());
            }
            let action = if function == "mouseDown" { "mouse_down" } else { "mouse_up" };
            let mut gesture = json!({"tool": "hold", "action": action});
            if let Some(at) = at(cursor)? {
                gesture["coordinate"] = super::fields::written(at);
            }
            Ok(Deed::of([gesture]))
        }
        "scroll" | "vscroll" | "hscroll" => scroll(function, call),
        "write" | "typewrite" => type_text(call),
        "press" => {
            let names = texts(call.argument(0, &["keys", "key"]))?;
            let times = number(call, 1, &["presses"]).unwrap_or(1.0).clamp(1.0, 64.0) as usize;
            let keys: Vec<String> = names.iter().flat_map(|name| chords(name)).collect();
            let all = std::iter::repeat_n(keys, times).flatten().take(MOST_CALLS + 1);
            Ok(Deed::of(all.map(|key| json!({"tool": "keyboard", "action": "press", "key": key}))))
        }
        "hotkey" => {
            let mut names = Vec::new();
            for argument in &call.positional {
                names.extend(texts(Some(argument))?);
            }
            if names.is_empty() {
                names = texts(call.argument(0, &["keys", "args"]))?;
            }
            let keys = named_keys(&names);
            if keys.is_empty() {
                return Err("hotkey needs keys, like hotkey('ctrl', 'c')".into());
            }
            Ok(Deed::of(keys.into_iter().map(|key| json!({"tool": "keyboard", "action": "press", "key": key}))))
        }
        "keyDown" | "keyUp" => {
            let action = if function == "keyDown" { "key_down" } else { "key_up" };
            let keys: Vec<String> = texts(call.argument(0, &["key"]))?.iter().flat_map(|name| chords(name)).collect();
            Ok(Deed::of(keys.into_iter().map(|key| json!({"tool": "hold", "action": action, "key": key}))))
        }
        "sleep" => wait(call),
        "screenshot" | "position" => Ok(Deed::of([json!({"tool": "look"})])),
        other => Err(format!(
            "pyautogui.{other:.40} is not understood; click, doubleClick, moveTo, dragTo, scroll, write, press and hotkey are"
        )),
    }
}

fn scroll(function: &str, call: &PyCall) -> Result<Deed, String> {
    let clicks = number(call, 0, &["clicks"]).ok_or_else(|| format!("{function} needs a number of clicks"))?;
    let direction = match (function, clicks >= 0.0) {
        ("hscroll", true) => "right",
        ("hscroll", false) => "left",
        (_, true) => "up",
        (_, false) => "down",
    };
    let unit = if clicks.abs() > WHEEL { "pixels" } else { "notches" };
    let mut gesture = json!({"tool": "mouse", "action": "scroll", "direction": direction});
    gesture[unit] = written(clicks.abs().max(1.0));
    let (x, y) = (number(call, 1, &["x"]), number(call, 2, &["y"]));
    if let (Some(x), Some(y)) = (x, y) {
        gesture["coordinate"] = super::fields::written([x, y]);
    }
    Ok(Deed::of([gesture]))
}

/// A text as it is; of a list each entry is a key or a character.
fn type_text(call: &PyCall) -> Result<Deed, String> {
    match call.argument(0, &["message", "text"]) {
        Some(Literal::Text(text)) if text.is_empty() => Ok(Deed::default()),
        Some(Literal::Text(text)) => Ok(Deed::of([json!({"tool": "keyboard", "action": "type", "text": text})])),
        Some(Literal::Number(number)) => {
            Ok(Deed::of([json!({"tool": "keyboard", "action": "type", "text": written(*number).to_string()})]))
        }
        list @ Some(Literal::List(_)) => {
            let keys = texts(list)?.into_iter().flat_map(|key| chords(&key));
            Ok(Deed::of(
                keys.take(MOST_CALLS + 1).map(|key| json!({"tool": "keyboard", "action": "press", "key": key})),
            ))
        }
        _ => Err("write needs the text to type".into()),
    }
}

fn texts(value: Option<&Literal>) -> Result<Vec<String>, String> {
    match value {
        Some(Literal::Text(text)) => Ok(vec![text.clone()]),
        Some(Literal::Number(number)) => Ok(vec![written(*number).to_string()]),
        Some(Literal::List(items)) => items.iter().map(|item| texts(Some(item)).map(|texts| texts.concat())).collect(),
        _ => Err("keys are given as texts, like 'enter'".into()),
    }
}

fn number(call: &PyCall, place: usize, names: &[&str]) -> Option<f64> {
    match call.argument(place, names)? {
        Literal::Number(number) => Some(*number),
        _ => None,
    }
}

/// `x` and `y`, or both in the first argument.
fn place(call: &PyCall) -> Result<Option<[f64; 2]>, String> {
    let (x, y) = (call.argument(0, &["x"]), call.argument(1, &["y"]));
    match (x, y) {
        (None, None) => Ok(None),
        (Some(Literal::Number(x)), Some(Literal::Number(y))) => Ok(Some([*x, *y])),
        (Some(both @ (Literal::List(_) | Literal::Text(_))), _) => point(&json_of(both.clone()))
            .map(Some)
            .ok_or_else(|| "a place is two numbers, x and y; pictures cannot be looked for".to_string()),
        _ => Err("a place is two numbers, x and y".into()),
    }
}

/// Where a function that counts from the cursor ends up.
fn offset(call: &PyCall, cursor: Option<[f64; 2]>) -> Result<[f64; 2], String> {
    let x = number(call, 0, &["xOffset", "x"]).unwrap_or_default();
    let y = number(call, 1, &["yOffset", "y"]).unwrap_or_default();
    let cursor = cursor.ok_or("where the cursor is is not known to the code; use moveTo or dragTo with a place")?;
    Ok([cursor[0] + x, cursor[1] + y])
}

fn button(call: &PyCall, place: usize) -> Result<&'static str, String> {
    match call.argument(place, &["button"]) {
        None => Ok("left"),
        Some(Literal::Text(name)) => match name.to_lowercase().as_str() {
            "left" | "primary" => Ok("left"),
            "right" | "secondary" => Ok("right"),
            "middle" => Ok("middle"),
            _ => Err(format!("{name:.40?} is no button; left, right and middle are")),
        },
        Some(Literal::Number(number)) if *number == 1.0 => Ok("left"),
        Some(Literal::Number(number)) if *number == 2.0 => Ok("middle"),
        Some(Literal::Number(number)) if *number == 3.0 => Ok("right"),
        Some(_) => Err("a button is left, right or middle".into()),
    }
}
