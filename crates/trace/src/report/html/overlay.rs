//! The marks drawn over a frame: where input was sent and what was hit. Positions are percent of
//! the view, sizes are pixels of the reader's screen, so marks stay readable at any width.

use std::fmt::Write as _;

use surehand_types::observation::Dispatched;
use surehand_types::{Hit, ViewSize};

/// An SVG for the top of a frame, or nothing when there is nothing to mark.
pub(super) fn render(dispatched: Option<Dispatched>, hit: Option<&Hit>, view: ViewSize) -> String {
    let hit_box = hit.and_then(|hit| hit.r#box);
    if dispatched.is_none() && hit_box.is_none() {
        return String::new();
    }
    let mut svg = String::from("<svg class=\"marks\" aria-hidden=\"true\">");
    if let Some(bounds) = hit_box {
        let (x, y) = (grid(bounds.x0), grid(bounds.y0));
        let width = grid(bounds.x1.saturating_sub(bounds.x0));
        let height = grid(bounds.y1.saturating_sub(bounds.y0));
        for class in ["halo", "box"] {
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x}%\" y=\"{y}%\" width=\"{width}%\" height=\"{height}%\" rx=\"3\"/>"
            );
        }
    }
    if let Some(point) = dispatched {
        let (x, y) = (percent(point.x, view.width), percent(point.y, view.height));
        if let Some(from) = point.from {
            let (x0, y0) = (percent(from.x, view.width), percent(from.y, view.height));
            for class in ["halo", "path"] {
                let _ = write!(svg, "<line class=\"{class}\" x1=\"{x0}%\" y1=\"{y0}%\" x2=\"{x}%\" y2=\"{y}%\"/>");
            }
            let _ = write!(svg, "<circle class=\"start\" cx=\"{x0}%\" cy=\"{y0}%\" r=\"6\"/>");
        }
        let _ = write!(
            svg,
            "<svg x=\"{x}%\" y=\"{y}%\" class=\"aim\">\
             <circle class=\"halo\" r=\"13\"/><path class=\"halo\" d=\"{CROSS}\"/>\
             <circle class=\"ring\" r=\"13\"/><path class=\"ring\" d=\"{CROSS}\"/></svg>"
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Four strokes that leave the very pixel in the middle free to be seen.
const CROSS: &str = "M-22 0H-5M5 0H22M0 -22V-5M0 5V22";

/// The middle of a view pixel in percent.
fn percent(value: i32, extent: u32) -> String {
    let share = (f64::from(value) + 0.5) * 100.0 / f64::from(extent.max(1));
    format!("{:.2}", share.clamp(0.0, 100.0))
}

fn grid(value: u16) -> String {
    format!("{:.1}", f64::from(value.min(1000)) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surehand_types::ViewPoint;

    const VIEW: ViewSize = ViewSize { width: 1280, height: 720 };

    #[test]
    fn the_ring_is_placed_in_percent_of_the_view() {
        let svg = render(Some(Dispatched { x: 640, y: 180, from: None }), None, VIEW);
        assert!(svg.contains("<svg x=\"50.04%\" y=\"25.07%\""), "{svg}");
        assert!(!svg.contains("<line"));
    }

    #[test]
    fn a_drag_has_a_line_and_nothing_has_no_marks() {
        let dragged = Dispatched { x: 0, y: 0, from: Some(ViewPoint { x: 1279, y: 719 }) };
        let svg = render(Some(dragged), None, VIEW);
        assert!(svg.contains("x1=\"99.96%\" y1=\"99.93%\" x2=\"0.04%\" y2=\"0.07%\""), "{svg}");
        assert_eq!(render(None, None, VIEW), "");
    }
}
