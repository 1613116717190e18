//! Steps per task as bars, both arms beside each other, with a dot for every run.

use surehand_trace::report::escape::html;

use crate::compare::TaskFigures;

const WIDTH: f64 = 1000.0;
/// Where the bars begin: the names of the tasks stand at the left.
const LEFT: f64 = 260.0;
const RIGHT: f64 = 60.0;
const TOP: f64 = 40.0;
const BAR: f64 = 15.0;
/// From one task to the next.
const GROUP: f64 = 46.0;
/// Longer names would run into the bars.
const NAME: usize = 34;

/// One SVG element.
pub(super) fn steps_plot(tasks: &[TaskFigures], values: &[String; 2]) -> String {
    let most = tasks.iter().flat_map(|task| &task.arms).flat_map(|arm| &arm.each).copied().max().unwrap_or(0);
    let tick = tick_for(most);
    let end = f64::from(most.div_ceil(tick).max(1) * tick);
    let x = |steps: f64| LEFT + (WIDTH - LEFT - RIGHT) * steps / end;
    let rows = u32::try_from(tasks.len()).map_or(0.0, f64::from);
    let height = TOP + GROUP * rows + 30.0;
    let label = format!("Steps per task, {} against {}", values[0], values[1]);
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n", html(&label));
    for (place, (class, value)) in [("first", &values[0]), ("second", &values[1])].into_iter().enumerate() {
        let at = LEFT + if place == 0 { 0.0 } else { 180.0 };
        svg.push_str(&format!("<rect class=\"{class}\" x=\"{at}\" y=\"8\" width=\"14\" height=\"14\" rx=\"3\"/>"));
        svg.push_str(&format!("<text x=\"{}\" y=\"20\">{}</text>\n", at + 20.0, html(value)));
    }
    let mut step = 0;
    while f64::from(step) <= end {
        let at = x(f64::from(step));
        let foot = height - 26.0;
        svg.push_str(&format!("<line class=\"grid\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{foot}\"/>"));
        svg.push_str(&format!(
            "<text class=\"soft\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{step}</text>\n",
            height - 8.0
        ));
        step += tick;
    }
    let mut y = TOP + 6.0;
    for task in tasks {
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 12.0,
            y + 21.0,
            html(&name(&task.task))
        ));
        for (place, arm) in task.arms.iter().enumerate() {
            let class = if place == 0 { "first" } else { "second" };
            let top = if place == 0 { y } else { y + BAR + 2.0 };
            let width = x(arm.steps) - LEFT;
            svg.push_str(&format!(
                "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{top}\" width=\"{width:.1}\" height=\"{BAR}\" rx=\"3\"/>"
            ));
            for steps in &arm.each {
                let at = x(f64::from(*steps));
                svg.push_str(&format!("<circle class=\"each\" cx=\"{at:.1}\" cy=\"{}\" r=\"3\"/>", top + BAR / 2.0));
            }
            let furthest = arm.each.iter().copied().max().map_or(arm.steps, f64::from);
            let miss =
                if arm.achieved < arm.runs { format!(", true {}/{}", arm.achieved, arm.runs) } else { String::new() };
            svg.push_str(&format!(
                "<text x=\"{:.1}\" y=\"{}\">{:.1}{miss}</text>\n",
                x(furthest) + 8.0,
                top + 12.0,
                arm.steps
            ));
        }
        y += GROUP;
    }
    svg.push_str("</svg>\n");
    svg
}

/// Distance of the lines, so that there are at most ten.
fn tick_for(most: u32) -> u32 {
    [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|tick| most / tick <= 10).unwrap_or(10_000)
}

fn name(task: &str) -> String {
    match task.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &task[..end]),
        None => task.to_string(),
    }
}
