//! By what a target is known again: its name among the elements of the page, else how the frame looked around it.

use serde_json::{Map, Value};
use surehand_checks::picture::{Part, Sums, decode};
use surehand_types::call::folded;
use surehand_types::routine::{Anchor, Named};
use surehand_types::ui::OnOff;
use surehand_types::{Focus, GridBox, GridPoint, Surroundings, ViewBox, ViewSize};

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

/// Texts of a row that are kept: the first ones are the name, what follows is more likely to change.
const MOST_TEXTS: usize = 4;
/// Every text of a dialog is kept, unless it is a page of its own.
const MOST_DIALOG_TEXTS: usize = 12;

/// The anchor of the target, and of the place where a drag ends. `telling` are the texts that somebody cares for: those of
/// values, which may differ from replay to replay.
pub(super) fn of(step: &Kept<'_>, telling: &[String], frames: &dyn FrameLibrary) -> (Option<Anchor>, Option<Anchor>) {
    let focus = || step.previous.and_then(|record| Named::of_focus(&record.observed.focus));
    match (step.word("tool"), step.word("action")) {
        ("keyboard", action) => {
            let field = focus().map(|field| Anchor { role: field.role, text: field.text, ..Anchor::default() });
            let anchor = field.filter(Anchor::is_named).map(|anchor| Anchor {
                empty: (action == "type").then(|| held_nothing(step)).flatten(),
                ..with_surroundings(anchor, step.around.first(), &[], telling)
            });
            // Typing goes on among any suggestions; keys choose one of them.
            let chooses = action != "type" || step.word("text").contains(['\n', '\t']);
            let anchor = anchor.map(|anchor| if chooses { anchor } else { Anchor { options: Vec::new(), ..anchor } });
            (anchor.map(|anchor| Anchor { index: None, of: None, state: None, likeness: None, ..anchor }), None)
        }
        ("mouse", "drag") => {
            let pixels = Sight::of(step, frames);
            let end = |field: &str, around: usize| {
                let anchor = look_at(step, field, pixels.as_ref())?;
                let anchor = with_surroundings(anchor, step.around.get(around), &[], telling);
                let seen = step.around.get(around);
                if let Some(carried) = seen.and_then(|seen| seen.carried.as_ref()).filter(|_| around == 0) {
                    let (role, text) = (Some(carried.role.clone()), Some(carried.text.clone()));
                    return Some(Anchor { role, text, state: None, likeness: None, ..anchor });
                }
                // By its look it may be any of several, so what it says has to be there again.
                let own = seen.and_then(|seen| seen.plain.as_ref()).map(|plain| plain.text.clone());
                let row = own.filter(|text| !text.is_empty()).into_iter().chain(anchor.row).collect();
                Some(Anchor { row, index: None, of: None, state: None, likeness: None, ..anchor })
            };
            (end("start_coordinate", 0), end("end_coordinate", 1))
        }
        // Where the pointer rests while the page is scrolled hardly matters.
        ("mouse", "scroll") => (None, None),
        ("mouse", _) => {
            let looks = look_at(step, "coordinate", Sight::of(step, frames).as_ref()).unwrap_or_default();
            let Anchor { region, region_hash, .. } = looks;
            let anchor = Anchor { region, region_hash, ..named(step).unwrap_or_default() };
            let beside = step.target.as_ref().and_then(|target| target.get("beside")?.as_str());
            let asked: Vec<String> = beside.map(str::to_string).into_iter().collect();
            let anchor = with_surroundings(anchor, step.around.first(), &asked, telling);
            let anchor = if is_grave(step) { with_what_is_near(anchor, step.around.first()) } else { anchor };
            let anchor =
                if anchor.is_named() { anchor } else { Anchor { index: None, of: None, likeness: None, ..anchor } };
            ((anchor != Anchor::default()).then_some(anchor), None)
        }
        _ => (None, None),
    }
}

fn held_nothing(step: &Kept<'_>) -> Option<bool> {
    match step.previous.map(|record| &record.observed.focus) {
        Some(Focus::Element(field)) => field.empty,
        _ => None,
    }
}

/// Adds what stands around the target: as little as tells it from the others, and what somebody named.
fn with_surroundings(anchor: Anchor, around: Option<&Surroundings>, asked: &[String], telling: &[String]) -> Anchor {
    let Some(around) = around else { return anchor };
    let speaks = |piece: &&String| {
        telling.iter().any(|text| piece.contains(text.as_str()))
            || asked.iter().any(|text| folded(piece) == folded(text))
    };
    let spoken: Vec<String> = around.row.iter().filter(speaks).cloned().collect();
    let is_own = |piece: &String| around.own.contains(piece);
    let alone = around.of <= 1;
    let by_position = !alone && around.own.is_empty();
    // A name that is data says which row it is; the rest of the row is data as well.
    let is_data = |name: &String| telling.iter().any(|text| name.contains(text.as_str()));
    let tells_itself = alone && (around.tells_itself || anchor.text.as_ref().is_some_and(is_data));
    let row = if tells_itself || !spoken.is_empty() && (alone || spoken.iter().any(is_own)) {
        spoken
    } else if by_position {
        around.row.iter().take(MOST_TEXTS).cloned().collect()
    } else {
        let mut row = spoken;
        let own = telling_texts(around).into_iter().filter(|piece| !row.contains(piece)).collect::<Vec<_>>();
        row.extend(own);
        row
    };
    Anchor {
        row,
        heading: around.heading.clone(),
        caption: around.caption.clone(),
        state: around.state.filter(|state| *state != OnOff::Unknown),
        options: around.options.clone(),
        likeness: around.likeness.clone(),
        index: by_position.then_some(around.index),
        of: by_position.then_some(around.of),
        beside: None,
        ..anchor
    }
}

/// Something is deleted, and nothing brings it back.
fn is_grave(step: &Kept<'_>) -> bool {
    step.record().policy.as_ref().is_some_and(|policy| policy.rule == "delete")
}

/// One "Delete" may be another one's on another day, though it is the only one on the page both times.
fn with_what_is_near(mut anchor: Anchor, around: Option<&Surroundings>) -> Anchor {
    let alone = around.filter(|around| around.of <= 1 && anchor.row.is_empty());
    let has_digit = |text: &&String| text.chars().any(|character| character.is_ascii_digit());
    let near = alone.iter().flat_map(|around| &around.near).filter(|text| !has_digit(text)).take(MOST_TEXTS);
    anchor.row = if alone.is_some() { near.cloned().collect() } else { anchor.row };
    anchor
}

/// The heading of the row if it has one of its own, else its first texts, those without numbers before those with.
fn telling_texts(around: &Surroundings) -> Vec<String> {
    let own = if around.of <= 1 { &around.row } else { &around.own };
    let in_dialog = around.of <= 1 && own.len() <= MOST_DIALOG_TEXTS;
    if let Some(head) = around.head.as_ref().filter(|head| own.contains(head) && !in_dialog) {
        return vec![head.clone()];
    }
    let has_digit = |text: &&String| text.chars().any(|character| character.is_ascii_digit());
    let most = if in_dialog { MOST_DIALOG_TEXTS } else { MOST_TEXTS };
    let plain: Vec<String> = own.iter().filter(|text| !has_digit(text)).take(most).cloned().collect();
    if plain.is_empty() { own.iter().take(MOST_TEXTS).cloned().collect() } else { plain }
}

/// By the element of the page, by the words of the call, or by what was under the pointer.
fn named(step: &Kept<'_>) -> Option<Anchor> {
    let record = step.record();
    let hit = record.hit.as_ref();
    // What was hit may lie in something that only holds it, so its own text comes first.
    if let Some(plain) = step.around.first().and_then(|around| around.plain.as_ref()) {
        let bounds = hit.and_then(|hit| hit.r#box);
        let (role, text) = (Some(plain.role.clone()), Some(plain.text.clone()));
        return Some(Anchor { role, text, bounds, ..Anchor::default() });
    }
    let has_likeness = step.around.first().is_some_and(|around| around.likeness.is_some());
    if let Some(aimed) = record.aimed.as_ref().filter(|aimed| !aimed.name.trim().is_empty() || has_likeness) {
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
