//! A line chart as one SVG element: a few series over a common axis, with dots, light and dark by the page's colours.

use surehand_trace::report::escape::html;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 46.0;

/// One line; `class` is a colour of the page's style.
pub(super) struct Series {
    pub(super) class: &'static str,
    pub(super) name: String,
    /// Each from 0 to 1 on the axis, and its value.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) drawn: Drawn,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    Line,
    Dots,
}

/// What the axes say.
pub(super) struct Axes {
    pub(super) label: String,
    pub(super) range: (f64, f64),
    /// Values at which a line is drawn, with their names.
    pub(super) ticks: Vec<(f64, String)>,
    /// Places from 0 to 1 with their names.
    pub(super) marks: Vec<(f64, String)>,
}

pub(super) fn line_chart(axes: &Axes, series: &[Series]) -> String {
    let (low, high) = axes.range;
    let x = |place: f64| LEFT + (WIDTH - LEFT - RIGHT) * place.clamp(0.0, 1.0);
    let y = |value: f64| {
        let share = (value.clamp(low, high) - low) / (high - low).max(f64::EPSILON);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    };
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n", html(&axes.label));
    let mut at = LEFT;
    for one in series {
        svg.push_str(&format!(
            "<rect class=\"{}\" x=\"{at:.0}\" y=\"10\" width=\"14\" height=\"14\" rx=\"3\"/>",
            one.class
        ));
        svg.push_str(&format!("<text x=\"{:.0}\" y=\"22\">{}</text>\n", at + 20.0, html(&one.name)));
        at += 50.0 + 7.4 * one.name.chars().count() as f64;
    }
    for (value, name) in &axes.ticks {
        let at = y(*value);
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\"/>",
            WIDTH - RIGHT
        ));
        svg.push_str(&format!(
            "<text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 10.0,
            at + 4.5,
            html(name)
        ));
    }
    for (place, name) in &axes.marks {
        let anchor = if *place < 0.02 {
            "start"
        } else if *place > 0.98 {
            "end"
        } else {
            "middle"
        };
        svg.push_str(&format!(
            "<text class=\"soft\" x=\"{:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>\n",
            x(*place),
            HEIGHT - 16.0,
            html(name)
        ));
    }
    for one in series {
        let radius = if one.drawn == Drawn::Dots && one.points.len() > 60 { 3.0 } else { 4.5 };
        if one.drawn == Drawn::Line {
            let line: Vec<String> =
                one.points.iter().map(|(place, value)| format!("{:.1},{:.1}", x(*place), y(*value))).collect();
            svg.push_str(&format!("<polyline class=\"line {}\" points=\"{}\"/>\n", one.class, line.join(" ")));
        }
        let dots = one.drawn == Drawn::Dots || one.points.len() <= 60;
        for (place, value) in one.points.iter().filter(|_| dots) {
            svg.push_str(&format!(
                "<circle class=\"{} dot\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>",
                one.class,
                x(*place),
                y(*value)
            ));
        }
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}
