//! Cells that show a sign when they are lit, as a ticked box does.

use super::Look;

/// How far the same sign on different fractions of a pixel may be apart, in the mean and in how uneven it is.
const ALIKE: f64 = 0.06;
/// The fill of cells with a sign is one colour, and clearly not that of the empty ones.
const SAME_FILL: f64 = 0.02;
const OTHER_FILL: f64 = 0.1;
/// Fewer cells with a sign may be alike by chance, or under one pointer.
const MIN_SIGNS: usize = 3;
/// What is no more uneven than this is empty.
const EMPTY: f64 = 0.03;

/// Whether all uneven cells are filled alike with a like sign, and all others are empty and filled otherwise.
/// Icons differ from each other, and their buttons do not differ from empty ones.
pub(crate) fn one_for_all(looks: &[Vec<Option<Look>>], uneven: impl Fn(&Look) -> bool) -> bool {
    let (signs, empty): (Vec<&Look>, Vec<&Look>) = looks.iter().flatten().flatten().partition(|look| uneven(look));
    let Some(first) = signs.first() else { return false };
    let alike = |look: &&Look| {
        look.body.distance(&first.body) <= SAME_FILL
            && look.core.distance(&first.core) <= ALIKE
            && (look.spread - first.spread).abs() <= ALIKE
    };
    let is_empty = |look: &&Look| look.spread <= EMPTY && look.body.distance(&first.body) >= OTHER_FILL;
    signs.len() >= MIN_SIGNS && empty.len() >= MIN_SIGNS && signs.iter().all(alike) && empty.iter().all(is_empty)
}
