//! How the cursor travels: an eased path, so that hover and enter events fire in order.

use std::time::Duration;

use surehand_types::ViewPoint;

/// Points of a move after `from`, the last one being exactly `to`.
pub(crate) fn move_path(from: ViewPoint, to: ViewPoint) -> Vec<ViewPoint> {
    let distance = from.distance(to);
    if distance == 0.0 {
        return vec![to];
    }
    let steps = (distance / 24.0).round().clamp(2.0, 30.0) as u32;
    eased(from, to, steps)
}

/// Points of a drag with the button held; the number of steps is the caller's.
pub(crate) fn drag_path(from: ViewPoint, to: ViewPoint, steps: u8) -> Vec<ViewPoint> {
    eased(from, to, u32::from(steps.max(2)))
}

/// How long a person's hand takes for that distance.
pub(crate) fn human_duration(from: ViewPoint, to: ViewPoint) -> Duration {
    let milliseconds = (60.0 + from.distance(to) * 0.45).clamp(60.0, 450.0);
    Duration::from_millis(milliseconds as u64)
}

fn eased(from: ViewPoint, to: ViewPoint, steps: u32) -> Vec<ViewPoint> {
    (1..=steps)
        .map(|step| {
            let progress = cubic_in_out(f64::from(step) / f64::from(steps));
            let along = |a: i32, b: i32| (f64::from(a) + f64::from(b - a) * progress).round() as i32;
            ViewPoint { x: along(from.x, to.x), y: along(from.y, to.y) }
        })
        .collect()
}

fn cubic_in_out(t: f64) -> f64 {
    if t < 0.5 { 4.0 * t * t * t } else { 1.0 - (-2.0 * t + 2.0).powi(3) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_exactly_where_it_should() {
        for (from, to, steps) in
            [((0, 0), (1279, 719), 30), ((640, 360), (640, 361), 2), ((5, 5), (5, 5), 1), ((100, 100), (340, 100), 10)]
        {
            let (from, to) = (ViewPoint { x: from.0, y: from.1 }, ViewPoint { x: to.0, y: to.1 });
            let path = move_path(from, to);
            assert_eq!(path.len(), steps, "{from:?} {to:?}");
            assert_eq!(path.last(), Some(&to));
        }
    }
}
