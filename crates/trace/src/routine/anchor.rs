//! By what a target is known again: its name among the elements of the page, else how the frame looked around it.

use serde_json::{Map, Value};
use surehand_checks::picture::{Part, Sums, decode};
use surehand_types::routine::{Anchor, Named};
use surehand_types::{GridBox, GridPoint, ViewBox, ViewSize};

use super::keep::Kept;
use crate::sink::FrameLibrary;

/// Size of the part of the frame that is kept of a target, in pixels of the view: enough for a word and its
/// surroundings, little enough to stay the same when something else changes.
const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 96.0;

/// Roles of elements that can be asked for by name.
const ROLES: [&str; 18] = [
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "switch",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "combobox",
    "listbox",
    "slider",
    "spinbutton",
    "label",
    "treeitem",
];

/// The anchor of the target, and of the place where a drag ends.
pub(super) fn of(step: &Kept<'_>, frames: &dyn FrameLibrary) -> (Option<Anchor>, Option<Anchor>) {
    let focus = || step.previous.and_then(|record| Named::of_focus(&record.observed.focus));
    match (step.word("tool"), step.word("action")) {
        ("keyboard", _) => {
            let anchor = focus().map(|field| Anchor { role: field.role, text: field.text, ..Anchor::default() });
            (anchor.filter(Anchor::is_named), None)
        }
        ("mouse", "drag") => {
            let pixels = Sight::of(step, frames);
            (look_at(step, "start_coordinate", pixels.as_ref()), look_at(step, "end_coordinate", pixels.as_ref()))
        }
        // Where the pointer rests while the page is scrolled hardly matters.
        ("mouse", "scroll") => (None, None),
        ("mouse", _) => {
            let looks = look_at(step, "coordinate", Sight::of(step, frames).as_ref());
            let named = named(step);
            match (named, looks) {
                (None, looks) => (looks, None),
                (Some(named), looks) => {
                    let Anchor { region, region_hash, .. } = looks.unwrap_or_default();
                    (Some(Anchor { region, region_hash, ..named }), None)
                }
            }
        }
        _ => (None, None),
    }
}

/// By the element of the page, by the words of the call, or by what was under the pointer.
fn named(step: &Kept<'_>) -> Option<Anchor> {
    let record = step.record();
    let hit = record.hit.as_ref();
    if let Some(aimed) = record.aimed.as_ref().filter(|aimed| !aimed.name.trim().is_empty()) {
        let freely_edited = aimed.role == "textbox"
            && hit.is_some_and(|hit| !matches!(hit.tag.as_str(), "input" | "textarea" | "label"));
        // What can be edited freely is named after its content, which is data.
        let text = (!freely_edited).then(|| aimed.name.clone());
        let several = aimed.of > 1 && text.is_some();
        return Some(Anchor {
            role: Some(aimed.role.clone()),
            text,
            index: several.then_some(aimed.index),
            of: several.then_some(aimed.of),
            beside: aimed.beside.clone().filter(|_| several),
            bounds: Some(aimed.bounds),
            ..Anchor::default()
        });
    }
    let asked = step.target.as_ref().and_then(Value::as_object).map(asked_for);
    asked.flatten().or_else(|| {
        let hit = hit?;
        let role = hit.role.clone().filter(|role| ROLES.contains(&role.as_str()))?;
        let text = hit.name.clone().filter(|name| !name.trim().is_empty())?;
        Some(Anchor { role: Some(role), text: Some(text), bounds: hit.r#box, ..Anchor::default() })
    })
}

fn asked_for(target: &Map<String, Value>) -> Option<Anchor> {
    let word = |name: &str| target.get(name).and_then(Value::as_str).map(str::to_string);
    let index = target.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
    let anchor = Anchor { role: word("role"), text: word("text"), index, beside: word("beside"), ..Anchor::default() };
    anchor.text.is_some().then_some(anchor)
}

/// A decoded frame, ready to be looked at in parts.
struct Sight {
    sums: Sums,
    ratio: (f64, f64),
    view: ViewSize,
}

impl Sight {
    fn of(step: &Kept<'_>, frames: &dyn FrameLibrary) -> Option<Sight> {
        let frame = step.view.before.as_ref().filter(|frame| !frame.stale)?;
        let pixels = decode(&frames.get(&frame.sha256)?).ok()?;
        let axis = |image: u32, view: u32| f64::from(image) / f64::from(view.max(1));
        let ratio = (axis(pixels.width, frame.view.width), axis(pixels.height, frame.view.height));
        Some(Sight { sums: Sums::of(&pixels), ratio, view: frame.view })
    }
}

fn look_at(step: &Kept<'_>, field: &str, sight: Option<&Sight>) -> Option<Anchor> {
    let sight = sight?;
    let point: [u16; 2] = serde_json::from_value(step.call.get(field)?.clone()).ok()?;
    let region = region_around(GridPoint::from(point), sight.view);
    // From the grid units that are written down, so that a replay looks at the same pixels.
    let pixels = |from: u16, to: u16, extent: u32, ratio: f64| {
        let scale = f64::from(extent) / 1000.0 * ratio;
        ((f64::from(from) * scale).round() as u32, (f64::from(to - from) * scale).round() as u32)
    };
    let (left, width) = pixels(region.x0, region.x1, sight.view.width, sight.ratio.0);
    let (top, height) = pixels(region.y0, region.y1, sight.view.height, sight.ratio.1);
    let look = sight.sums.look(Part { left, top, width, height })?;
    Some(Anchor { region: Some(region), region_hash: Some(look.to_string()), ..Anchor::default() })
}

/// Around the point, moved inside the view.
fn region_around(point: GridPoint, view: ViewSize) -> GridBox {
    let at = point.to_view(view);
    let start = |centre: i32, size: f64, extent: u32| {
        (f64::from(centre) - size / 2.0).clamp(0.0, (f64::from(extent) - size).max(0.0))
    };
    let (x0, y0) = (start(at.x, WIDTH, view.width), start(at.y, HEIGHT, view.height));
    let (x1, y1) = ((x0 + WIDTH).min(f64::from(view.width)), (y0 + HEIGHT).min(f64::from(view.height)));
    view.grid_box(ViewBox { x0, y0, x1, y1 })
}
