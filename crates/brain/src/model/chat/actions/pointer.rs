//! Clicks, moves, drags and scrolls.

use serde_json::{Map, Value, json};

use super::super::super::key_names;
use super::fields::{Fields, written};
use super::{Deed, Habits};

/// Scrolls of up to so much are counted in notches, whatever their field is called: nobody wants to scroll by
/// twenty pixels, and models that were trained with a wheel say 5 or 10.
const WHEEL: f64 = 20.0;

fn mouse(action: &str) -> Map<String, Value> {
    Map::from_iter([("tool".to_string(), Value::from("mouse")), ("action".to_string(), Value::from(action))])
}

fn done(call: Map<String, Value>) -> Result<Deed, String> {
    Ok(Deed::of([Value::Object(call)]))
}

pub(super) fn click(fields: &Fields<'_>, button: &str, count: u8) -> Result<Deed, String> {
    let mut call = mouse("click");
    if let Some(place) = fields.place()? {
        call.insert("coordinate".into(), written(place));
    }
    let named = fields.text(&["button", "mouse_button"]).map(|name| name.to_lowercase());
    let button = match (named.as_deref(), button) {
        (Some("right" | "secondary"), "left") => "right",
        (Some("middle" | "wheel" | "center"), "left") => "middle",
        _ => button,
    };
    if button != "left" {
        call.insert("button".into(), button.into());
    }
    let given = fields.number(&["clicks", "num_clicks", "count", "click_count", "times"]).filter(|_| count == 1);
    let count = given.map_or(count, |given| given.clamp(1.0, 3.0) as u8);
    if count > 1 {
        call.insert("count".into(), count.into());
    }
    hold_modifiers(fields, &mut call);
    done(call)
}

pub(super) fn hover(fields: &Fields<'_>) -> Result<Deed, String> {
    let place = fields.place()?.ok_or("a move needs a place, two numbers x and y")?;
    let mut call = mouse("move");
    call.insert("coordinate".into(), written(place));
    hold_modifiers(fields, &mut call);
    done(call)
}

pub(super) fn drag(fields: &Fields<'_>) -> Result<Deed, String> {
    let end_names =
        ["end_coordinate", "end_coordinates", "end_box", "end_point", "to", "destination", "end", "coordinate2"];
    let start_names = ["start_coordinate", "start_coordinates", "start_box", "start_point", "from", "start"];
    let mut end = fields.place_of(&end_names, ["x2", "y2"])?;
    if end.is_none() {
        end = fields.place_of(&[], ["end_x", "end_y"])?.or(fields.place_of(&[], ["destination_x", "destination_y"])?);
    }
    let mut start = fields.place_of(&start_names, ["x1", "y1"])?;
    if start.is_none() {
        start = fields.place_of(&[], ["start_x", "start_y"])?;
    }
    let (start, end) = match (start, end) {
        // A start of its own: then the plain place is the end.
        (start, None) => (start, fields.place_of(&["coordinate", "coordinates", "point"], ["x", "y"])?),
        // An end of its own: then the plain place is the start.
        (None, end) => (fields.place()?, end),
        both => both,
    };
    let end = end.ok_or("a drag needs the place where it ends, two numbers x and y")?;
    let mut call = mouse("drag");
    if let Some(start) = start {
        call.insert("start_coordinate".into(), written(start));
    }
    call.insert("end_coordinate".into(), written(end));
    hold_modifiers(fields, &mut call);
    done(call)
}

pub(super) fn scroll(action: &str, fields: &Fields<'_>, habits: Habits) -> Result<Deed, String> {
    let mut call = mouse("scroll");
    if let Some(place) = fields.place()? {
        call.insert("coordinate".into(), written(place));
    }
    // Wheels count upwards and to the right; pages count downwards and to the right.
    let wheel =
        fields.number(&["pixels", "amount", "scroll_amount", "clicks", "distance", "magnitude", "value", "steps"]);
    let down = fields.number(&["dy", "scroll_y", "delta_y"]).filter(|amount| *amount != 0.0);
    let across = fields.number(&["dx", "scroll_x", "delta_x"]).filter(|amount| *amount != 0.0);
    let named = fields.text(&["direction", "scroll_direction"]).map(|name| name.trim().to_lowercase());
    let by_name = action.strip_prefix("scroll_").filter(|name| ["up", "down", "left", "right"].contains(name));
    let (direction, amount) = match (named.as_deref().or(by_name), wheel, down, across) {
        (Some(direction @ ("up" | "down" | "left" | "right")), wheel, down, across) => {
            (direction, wheel.or(down).or(across))
        }
        (Some(other), ..) => {
            return Err(format!("{other:.40?} is no direction of a scroll; up, down, left and right are"));
        }
        (None, Some(wheel), ..) if action == "hscroll" => (if wheel >= 0.0 { "right" } else { "left" }, Some(wheel)),
        (None, Some(wheel), ..) => (if wheel >= 0.0 { "up" } else { "down" }, Some(wheel)),
        (None, None, Some(down), _) => (if down >= 0.0 { "down" } else { "up" }, Some(down)),
        (None, None, None, Some(across)) => (if across >= 0.0 { "right" } else { "left" }, Some(across)),
        (None, None, None, None) => ("down", None),
    };
    call.insert("direction".into(), direction.into());
    match amount.map(f64::abs) {
        Some(amount) if amount > WHEEL => {
            call.insert("pixels".into(), super::super::super::lenient::written(amount));
        }
        Some(amount) if amount > 0.0 => {
            call.insert("notches".into(), super::super::super::lenient::written(amount));
        }
        _ => {
            if let Some(notches) = habits.notches {
                call.insert("notches".into(), super::super::super::lenient::written(notches));
            }
        }
    }
    hold_modifiers(fields, &mut call);
    done(call)
}

pub(super) fn hold(action: &str, fields: &Fields<'_>) -> Result<Deed, String> {
    if let Some(button) = fields.text(&["button", "mouse_button"]).filter(|button| !button.eq_ignore_ascii_case("left"))
    {
        return Err(format!("only the left button can be held, not {button:.40?}"));
    }
    let mut call = json!({"tool": "hold", "action": action});
    if let Some(place) = fields.place()? {
        call["coordinate"] = written(place);
    }
    Ok(Deed::of([call]))
}

/// Keys that are held while the mouse acts.
fn hold_modifiers(fields: &Fields<'_>, call: &mut Map<String, Value>) {
    let keys = fields.texts(&["modifiers", "hold_keys", "hold_key", "keys", "key", "modifier"]).join("+");
    let (held, _) = key_names::modifiers(&keys);
    if !held.is_empty() {
        call.insert("modifiers".into(), json!(held));
    }
}
