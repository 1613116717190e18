//! Cells that are lit by their outline alone: a brighter or coloured line around an interior that is the same in
//! every cell. The ring around the cell with the focus, a player's frame around one column and the accent on every
//! fourth look the same, so only a pattern that no such thing makes is believed.

use surehand_types::ui::OnOff;

use super::axis::evidence_for_high;
use super::levels::MIN_EVIDENCE;
use super::{Look, Reading, Readings};
use crate::colour::Lab;

/// Focus and pointer make two rings at most.
const MIN_LIT: usize = 3;
/// Interiors are the same, but for the light that an outline throws on them.
const SAME_FILL: f64 = 0.06;
/// Lines of one kind are this much alike, and lit ones differ from the others by this much.
const ALIKE: f64 = 0.02;
const APART: f64 = 0.12;
/// How far from unlit to lit a side is that counts as the one or the other. A neighbour's glow is in between.
const UNLIT: f64 = 0.12;
const LIT: f64 = 0.7;

/// States by the outlines; `None` if they show no pattern.
pub(crate) fn read(looks: &[Vec<Option<Look>>], surroundings: &[Lab]) -> Option<Readings> {
    let all: Vec<&Look> = looks.iter().flatten().flatten().collect();
    let fill = all.first()?.core;
    if all.iter().any(|look| look.core.distance(&fill) > SAME_FILL) {
        return None;
    }
    let sides: Vec<Lab> = all.iter().filter_map(|look| look.rims).flatten().collect();
    let support = |of: &Lab| sides.iter().filter(|side| side.distance(of) <= ALIKE).count();
    let unlit = *sides.iter().max_by_key(|side| support(side))?;
    let lit = *sides.iter().max_by(|a, b| a.distance(&unlit).total_cmp(&b.distance(&unlit)))?;
    let way = lit.minus(&unlit);
    if support(&unlit) * 2 < sides.len() || way.length() < APART {
        return None;
    }
    let share = support(&lit) as f64 / sides.len() as f64;
    if evidence_for_high(&unlit, &lit, share, surroundings) < MIN_EVIDENCE {
        return None;
    }
    let state = |look: &Option<Look>| {
        let Some(rims) = look.as_ref().and_then(|look| look.rims) else { return Reading::UNKNOWN };
        let at = rims.map(|side| side.minus(&unlit).dot(&way) / way.dot(&way));
        // Two sides of an unlit cell may be beside lit ones.
        if at.iter().all(|at| *at >= LIT) {
            Reading::new(OnOff::On, 0.8)
        } else if at.iter().filter(|at| at.abs() <= UNLIT).count() >= 2 && at.iter().all(|at| *at < LIT) {
            Reading::new(OnOff::Off, 0.8)
        } else {
            Reading::UNKNOWN
        }
    };
    let states: Readings = looks.iter().map(|row| row.iter().map(state).collect()).collect();
    is_pattern(&states).then_some(states)
}

/// Whether rows differ in which of their cells are lit, with more of them than rings, and no row is framed as a whole.
fn is_pattern(states: &Readings) -> bool {
    let lit = |row: &Vec<Reading>| -> Vec<usize> {
        (0..row.len()).filter(|column| row[*column].state == OnOff::On).collect()
    };
    let rows: Vec<Vec<usize>> = states.iter().map(lit).collect();
    let differ = rows.windows(2).any(|pair| pair[0] != pair[1]);
    let framed = rows.iter().zip(states).any(|(lit, row)| lit.len() == row.len());
    let mut columns: Vec<usize> = rows.iter().flatten().copied().collect();
    let count = columns.len();
    columns.sort_unstable();
    columns.dedup();
    count >= MIN_LIT && columns.len() >= 2 && differ && !framed
}
