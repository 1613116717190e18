//! The density gate: where several controls are close together, a click is shown before it is done.
//! Distances are in CSS pixels, because that is what a hand slips by.

use surehand_types::call::MouseCall;
use surehand_types::observation::Candidate;
use surehand_types::{Call, ViewBox, ViewPoint, ViewSize};

use super::{Decision, Guard, GuardContext, Intent, Nearby, Spot};

/// Neighbours whose edge is within this distance make a spot dense.
const CROWDING_PX: f64 = 30.0;
/// Neighbours whose centre is within this distance are offered as candidates.
const CANDIDATE_PX: f64 = 140.0;
const CANDIDATES: usize = 5;
/// A point this far inside its hit is not a slip.
const SAFELY_INSIDE_PX: f64 = 6.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GateMode {
    Always,
    #[default]
    Smart,
    Off,
}

#[derive(Debug, Clone, Copy)]
pub struct DensityGate {
    pub mode: GateMode,
}

impl GateMode {
    pub fn parse(name: &str) -> GateMode {
        match name {
            "always" => GateMode::Always,
            "off" => GateMode::Off,
            _ => GateMode::Smart,
        }
    }
}

/// Whether the gate looks at a call of this kind at all.
pub fn is_gated(call: &Call) -> bool {
    matches!(call, Call::Mouse(MouseCall::Click { .. } | MouseCall::Drag { .. }))
}

impl Guard for DensityGate {
    fn name(&self) -> &'static str {
        "density"
    }

    fn decide(&self, context: &GuardContext<'_>) -> Decision {
        if context.intent == Intent::Confirmed || !is_gated(context.call) {
            return Decision::Allow;
        }
        match context.aim.spots.iter().find(|spot| needs_preview(spot, self.mode)) {
            Some(spot) => Decision::Preview { rule: "dense".into(), reason: reason(spot) },
            None => Decision::Allow,
        }
    }
}

pub fn needs_preview(spot: &Spot, mode: GateMode) -> bool {
    match mode {
        GateMode::Off => false,
        GateMode::Always => is_dense(spot),
        GateMode::Smart => is_dense(spot) && !is_deliberate(spot),
    }
}

/// Two or more controls within a slip of the point, the hit counted.
fn is_dense(spot: &Spot) -> bool {
    let close = spot.neighbours.iter().filter(|near| edge_distance(spot.point, &near.bounds) <= CROWDING_PX).count();
    close + usize::from(spot.hit.is_some()) >= 2
}

/// Well inside the hit, and every neighbour is at least twice as far as the hit itself, centre line by
/// centre line: a hand that aims at the text of a wide row is far from the row's centre and yet sure.
fn is_deliberate(spot: &Spot) -> bool {
    let Some(hit) = &spot.hit else { return false };
    let own = spine_distance(spot.point, &hit.bounds);
    depth_inside(spot.point, &hit.bounds) >= SAFELY_INSIDE_PX
        && spot.neighbours.iter().all(|near| spine_distance(spot.point, &near.bounds) >= 2.0 * own)
}

/// Where to aim instead: nearest centre first.
pub fn candidates(spot: &Spot, view: ViewSize) -> Vec<Candidate> {
    close_enough(spot)
        .map(|(near, distance)| {
            let (x, y) = near.bounds.centre();
            Candidate {
                descriptor: near.descriptor.clone(),
                center: view.grid_point(x, y),
                distance_px: (distance * 10.0).round() / 10.0,
            }
        })
        .collect()
}

/// The boxes that go with `candidates`.
pub fn candidate_boxes(spot: &Spot) -> Vec<ViewBox> {
    close_enough(spot).map(|(near, _)| near.bounds).collect()
}

fn close_enough(spot: &Spot) -> impl Iterator<Item = (&Nearby, f64)> {
    let mut near: Vec<(&Nearby, f64)> = spot
        .neighbours
        .iter()
        .map(|near| (near, centre_distance(spot.point, &near.bounds)))
        .filter(|(_, distance)| *distance <= CANDIDATE_PX)
        .collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1));
    near.into_iter().take(CANDIDATES)
}

fn reason(spot: &Spot) -> String {
    let target = spot.hit.as_ref().map_or("nothing that reacts", |hit| hit.descriptor.as_str());
    let others: Vec<&str> = close_enough(spot).take(2).map(|(near, _)| near.descriptor.as_str()).collect();
    match others.as_slice() {
        [] => format!("{target} has close neighbours"),
        _ => format!("{target} is close to {}", others.join(" and ")),
    }
}

/// How far the point is from the box; 0 inside it.
fn edge_distance(point: ViewPoint, bounds: &ViewBox) -> f64 {
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    let dx = (bounds.x0 - x).max(x - bounds.x1).max(0.0);
    let dy = (bounds.y0 - y).max(y - bounds.y1).max(0.0);
    dx.hypot(dy)
}

fn centre_distance(point: ViewPoint, bounds: &ViewBox) -> f64 {
    let (cx, cy) = bounds.centre();
    (cx - f64::from(point.x)).hypot(cy - f64::from(point.y))
}

/// How far the point is from the box's centre line: its longer axis without half a thickness at either
/// end. Of a square that is the centre itself.
fn spine_distance(point: ViewPoint, bounds: &ViewBox) -> f64 {
    let half = (bounds.x1 - bounds.x0).min(bounds.y1 - bounds.y0) / 2.0;
    let spine = ViewBox { x0: bounds.x0 + half, y0: bounds.y0 + half, x1: bounds.x1 - half, y1: bounds.y1 - half };
    edge_distance(point, &spine)
}

/// How far the point is from the nearest side, negative outside.
fn depth_inside(point: ViewPoint, bounds: &ViewBox) -> f64 {
    let (x, y) = (f64::from(point.x), f64::from(point.y));
    (x - bounds.x0).min(bounds.x1 - x).min(y - bounds.y0).min(bounds.y1 - y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: ViewSize = ViewSize { width: 1000, height: 1000 };

    fn near(name: &str, x0: f64, y0: f64, x1: f64, y1: f64) -> Nearby {
        Nearby {
            descriptor: format!("button {name:?}"),
            bounds: ViewBox { x0, y0, x1, y1 },
            identity: name.to_string(),
        }
    }

    fn spot(x: i32, y: i32, hit: Option<Nearby>, neighbours: Vec<Nearby>) -> Spot {
        Spot { point: ViewPoint { x, y }, hit, neighbours }
    }

    fn check(spot: Spot, always: bool, smart: bool) {
        assert_eq!(needs_preview(&spot, GateMode::Always), always, "always: {spot:?}");
        assert_eq!(needs_preview(&spot, GateMode::Smart), smart, "smart: {spot:?}");
        assert!(!needs_preview(&spot, GateMode::Off));
    }

    #[test]
    fn a_lone_control_is_not_dense() {
        check(spot(50, 50, Some(near("a", 20.0, 40.0, 80.0, 60.0)), vec![]), false, false);
        check(spot(50, 50, None, vec![near("a", 60.0, 40.0, 80.0, 60.0)]), false, false);
    }

    #[test]
    fn thirty_pixels_to_the_edge_count_and_thirty_one_do_not() {
        let hit = || Some(near("a", 40.0, 45.0, 60.0, 55.0));
        check(spot(45, 50, hit(), vec![near("b", 75.0, 45.0, 95.0, 55.0)]), true, true);
        check(spot(45, 50, hit(), vec![near("b", 76.0, 45.0, 96.0, 55.0)]), false, false);
    }

    #[test]
    fn two_neighbours_of_an_empty_place_are_dense() {
        let around = vec![near("a", 20.0, 40.0, 40.0, 60.0), near("b", 60.0, 40.0, 80.0, 60.0)];
        check(spot(50, 50, None, around), true, true);
    }

    #[test]
    fn smart_lets_a_deliberate_click_pass() {
        let row = |name: &str, y: f64| near(name, 0.0, y, 100.0, y + 20.0);
        // The middle of a row: 10 px inside, its neighbours 20 px away.
        check(spot(50, 50, Some(row("b", 40.0)), vec![row("a", 20.0), row("c", 60.0)]), true, false);
        // Near its edge: only 5 px inside.
        check(spot(50, 45, Some(row("b", 40.0)), vec![row("a", 20.0)]), true, true);
        // At the beginning of a wide row: far from its centre, and yet on its centre line.
        check(spot(12, 50, Some(row("b", 40.0)), vec![row("a", 20.0)]), true, false);
        // Between two rows the hand may slip: 6 px inside, the next row's line hardly farther.
        check(spot(12, 46, Some(row("b", 40.0)), vec![row("a", 30.0)]), true, true);
    }

    #[test]
    fn candidates_are_the_five_nearest_within_reach_in_grid_units() {
        let neighbours =
            (1..=7).map(|n| near(&n.to_string(), f64::from(n) * 20.0, 0.0, f64::from(n) * 20.0 + 10.0, 10.0));
        let mut neighbours: Vec<Nearby> = neighbours.collect();
        neighbours.reverse();
        neighbours.push(near("far", 200.0, 0.0, 210.0, 10.0));
        let found = candidates(&spot(5, 5, None, neighbours), VIEW);
        let names: Vec<&str> = found.iter().map(|candidate| candidate.descriptor.as_str()).collect();
        assert_eq!(names, ["button \"1\"", "button \"2\"", "button \"3\"", "button \"4\"", "button \"5\""]);
        assert_eq!((found[0].center.x, found[0].center.y, found[0].distance_px), (25, 5, 20.0));
    }
}
