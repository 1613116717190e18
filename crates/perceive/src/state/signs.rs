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

/// Per row, whether its uneven cells are filled alike with the sign that most rows have, and its others are empty and
/// filled otherwise. Icons differ from each other, and their buttons do not differ from empty ones. A dimmed row has
/// another look, and is left out.
pub(crate) fn one_for_all(looks: &[Vec<Option<Look>>], uneven: impl Fn(&Look) -> bool) -> Vec<bool> {
    let cells = |row: &Vec<Option<Look>>| -> Vec<Look> { row.iter().flatten().copied().collect() };
    let rows: Vec<Vec<Look>> = looks.iter().map(cells).collect();
    let signs: Vec<&Look> = rows.iter().flatten().filter(|look| uneven(look)).collect();
    let alike = |look: &Look, sign: &Look| {
        look.body.distance(&sign.body) <= SAME_FILL
            && look.core.distance(&sign.core) <= ALIKE
            && (look.spread - sign.spread).abs() <= ALIKE
    };
    let support = |sign: &&&Look| signs.iter().filter(|other| alike(other, sign)).count();
    let Some(usual) = signs.iter().max_by_key(support) else { return vec![false; looks.len()] };
    let is_empty = |look: &Look| look.spread <= EMPTY && look.body.distance(&usual.body) >= OTHER_FILL;
    let fits = |row: &Vec<Look>| row.iter().all(|look| if uneven(look) { alike(look, usual) } else { is_empty(look) });
    let fitting: Vec<bool> = rows.iter().map(fits).collect();
    let in_fitting = |wanted: bool| {
        let own = rows.iter().zip(&fitting).filter(|(_, fits)| **fits).flat_map(|(row, _)| row);
        own.filter(|look| uneven(look) == wanted).count()
    };
    // Most rows have it, or it is no sign of this grid.
    let enough = in_fitting(true) >= MIN_SIGNS && in_fitting(false) >= MIN_SIGNS;
    let most = fitting.iter().filter(|fits| **fits).count() * 2 > rows.len();
    fitting.into_iter().map(|fits| fits && enough && most).collect()
}
