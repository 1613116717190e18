//! The two frames of a step, and the ways to compare them: side by side, one over the other, what changed. The
//! choice is three radio buttons and style rules, so it works without scripts; a script only moves the dividing line.

use std::fmt::Write as _;

use super::frames::{Embedded, Shown};
use super::overlay;
use crate::report::changes::Changes;
use crate::report::escape::html;
use crate::timeline::{FrameView, StepView};

pub(super) fn render(page: &mut String, entry: &StepView, frames: &Embedded, changes: Option<&Changes>) {
    let record = &entry.record;
    let changed = changes.map(Changes::overlay).unwrap_or_default();
    let same = match (&entry.before, &entry.after) {
        (Some(before), Some(after)) => before.sha256 == after.sha256,
        _ => false,
    };
    page.push_str("<div class=\"pictures\">\n<div class=\"frames\">\n");
    if let Some(before) = &entry.before {
        let marks = overlay::render(record.dispatched, record.hit.as_ref(), before.view);
        let caption = match record.dispatched {
            Some(point) => match point.from {
                Some(from) => format!("dragged from {}, {} to the ring at {}, {}", from.x, from.y, point.x, point.y),
                None => format!("the ring marks where input was sent: {}, {}", point.x, point.y),
            },
            None => "nothing was sent to a point".into(),
        };
        figure(
            page,
            &Figure { name: "Before", caption, step: record.step, frame: before },
            &[&marks, &changed],
            frames,
        );
    }
    if let Some(after) = &entry.after {
        let caption = match changes {
            _ if same => "the same picture as before".to_string(),
            Some(changes) => changes.words(),
            None => "after the page had settled".to_string(),
        };
        let marks = match entry.before {
            Some(_) => String::new(),
            None => overlay::render(record.dispatched, record.hit.as_ref(), after.view),
        };
        figure(page, &Figure { name: "After", caption, step: record.step, frame: after }, &[&marks, &changed], frames);
    }
    page.push_str("</div>\n");
    if !same && entry.before.is_some() && entry.after.is_some() {
        modes(page, record.step, !changed.is_empty());
    }
    page.push_str("</div>\n");
}

fn modes(page: &mut String, step: u32, has_boxes: bool) {
    let _ = write!(
        page,
        "<fieldset class=\"modes\"><legend class=\"sr\">How to compare the frames of step {step}</legend>\
         <label><input type=\"radio\" name=\"mode-{step}\" value=\"beside\" checked> Side by side</label>\
         <label><input type=\"radio\" name=\"mode-{step}\" value=\"over\"> One over the other</label>"
    );
    if has_boxes {
        let _ =
            write!(page, "<label><input type=\"radio\" name=\"mode-{step}\" value=\"changes\"> What changed</label>");
    }
    let _ = writeln!(
        page,
        "<label class=\"split\">Before <input type=\"range\" min=\"0\" max=\"100\" value=\"50\" \
         aria-label=\"How much of the frame before to show, step {step}\"> After</label></fieldset>"
    );
}

struct Figure<'a> {
    name: &'static str,
    caption: String,
    step: u32,
    frame: &'a FrameView,
}

fn figure(page: &mut String, shown: &Figure<'_>, layers: &[&str], frames: &Embedded) {
    let Figure { name, caption, step, frame } = shown;
    let ratio = format!("{}/{}", frame.view.width.max(1), frame.view.height.max(1));
    let (class, inside) = match frames.show(&frame.sha256) {
        Shown::Class(class) => (class, ""),
        Shown::Missing => ("nothing".into(), "<span>This frame is no longer stored.</span>"),
        Shown::TooMany => {
            ("nothing".into(), "<span>Left out to keep this page small; it is in the data folder.</span>")
        }
    };
    let stale = if frame.stale { " · an older picture, a newer one could not be taken" } else { "" };
    let lower = name.to_lowercase();
    let caption = html(caption);
    let _ = writeln!(
        page,
        "<figure class=\"{lower}\"><div class=\"shot {class}\" role=\"img\" \
         aria-label=\"The screen {lower} step {step}; {caption}\" style=\"aspect-ratio:{ratio}\">{inside}{}</div>\
         <figcaption><b>{name}</b> {caption}{stale}</figcaption></figure>",
        layers.concat(),
    );
}
