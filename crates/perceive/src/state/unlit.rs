//! Where the unlit cells of each row are on the axis. Groups of columns may be shaded in turn, and a muted
//! row is drawn half in the colour of its panel; both move unlit cells further than a low velocity moves a
//! lit one. But all unlit cells of a row and shade are the same picture, and muting moves both shades by the
//! same part of the way to the panel, which lighting does not.

use super::Dimming;
use super::blend::is_dimming;
use super::plain::GROUPS;
use crate::shape::median;

/// Unlit cells of one row and shade are at one level, but for rounding.
const SAME: f64 = 0.015;
/// Shades further apart may be states.
const MAX_APART: f64 = 0.5;
/// Rows that are all lit agree on a level too, but that is further up.
const MAX_UNLIT: f64 = 0.3;
/// Nobody dims a row beyond this part of the way to the panel: nothing would be left of it.
const MAX_DIMMED: f64 = 0.78;
/// Where the panel is closer to the unlit cells than this, muting hardly moves them.
const PANEL_APART: f64 = 0.06;

/// The same where rows are compared with each other, and what is surely lit there.
const MAX_SHADE: f64 = 0.36;
const CLEARLY_LIT: f64 = 0.7;
/// What is shaded by less is hardly seen.
const SLIGHT_SHADE: f64 = 0.2;
/// Fewer cells at one level may be lit ones of one velocity.
const MIN_POOLED: usize = 4;

/// What rounding makes of one way, and where a row is dimmed to at most.
const SAME_WAY: f64 = 0.05;
const MAX_TARGET: f64 = 0.6;
/// Shades that are closer together do not tell how far a row is dimmed.
const MIN_SHADING: f64 = 0.12;

pub(crate) type Positions = Vec<Vec<Option<f64>>>;

/// Levels of unlit cells in even and odd groups of columns.
type Levels = [f64; 2];

/// Row by row; `None` for a row of which the unlit level is not known.
pub(crate) struct Unlit {
    group: usize,
    rows: Vec<Option<Levels>>,
    usual: Levels,
}

impl Unlit {
    /// The positions counted from the unlit level of each row and shade. Rows of which that level is not
    /// known are counted from the usual one.
    pub(crate) fn applied(&self, positions: &Positions) -> Positions {
        let counted = |(row, levels): (&Vec<Option<f64>>, &Option<Levels>)| {
            let levels = levels.unwrap_or(self.usual);
            let moved = |(column, at): (usize, &Option<f64>)| {
                let level = levels[(column / self.group) % 2];
                at.map(|at| (at - level) / (1.0 - level).max(0.1))
            };
            row.iter().enumerate().map(moved).collect()
        };
        positions.iter().zip(&self.rows).map(counted).collect()
    }

    /// Whether a row that shows too few unlit cells for a level is sure to be one of the usual rows. Dimming takes
    /// its strongest cell down, and its unlit ones to the panel.
    fn is_undimmed(&self, positions: &Positions, row: usize, panel: f64) -> bool {
        let top = |row: &[Option<f64>]| row.iter().flatten().copied().fold(f64::MIN, f64::max);
        let usual_rows = || positions.iter().zip(&self.rows).filter(|(_, levels)| **levels == Some(self.usual));
        let usual_top = usual_rows().map(|(row, _)| top(row)).fold(f64::MIN, f64::max);
        let highest = positions.iter().map(|row| top(row)).fold(f64::MIN, f64::max);
        let own = top(&positions[row]);
        let cells =
            || (0..positions[row].len()).filter_map(|c| Some((self.usual[(c / self.group) % 2], positions[row][c]?)));
        if cells().any(|(usual, at)| at < usual - SAME) {
            return false;
        }
        // With a panel on the side of the lit cells, nothing dimmed and nothing lit is as low as an unlit cell.
        let beyond = self.usual.iter().all(|usual| panel >= *usual) && panel < 0.5;
        let touches = cells().any(|(usual, at)| at <= usual + SAME && panel > usual + PANEL_APART);
        if beyond && touches && own >= 0.8 * usual_top {
            return true;
        }
        // As strong as the strongest of several usual rows.
        let strongest = |at: f64| at >= 0.97 * highest;
        panel < 0.3 && strongest(own) && usual_rows().filter(|(row, _)| strongest(top(row))).count() >= 2
    }

    /// Whether the panel is between the unlit cells and the lit ones.
    pub(crate) fn is_beyond(&self, panel: Option<f64>) -> bool {
        self.usual.iter().all(|level| is_beyond(*level, panel))
    }

    pub(crate) fn is_known(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(Option::is_some)
    }
}

/// `None` unless at least two rows, and a third of them, agree on where unlit cells are.
pub(crate) fn find(positions: &Positions, panel: Option<f64>, dimming: &Dimming) -> Option<Unlit> {
    let mut unlit = agreed(positions, panel).or_else(|| pooled(positions, panel, dimming))?;
    let undimmed: Vec<usize> = (0..positions.len())
        .filter(|row| !unlit.is_known(*row))
        .filter(|row| dimming.is_told(*row) || panel.is_some_and(|panel| unlit.is_undimmed(positions, *row, panel)))
        .collect();
    let usual = unlit.usual;
    undimmed.into_iter().for_each(|row| unlit.rows[row] = Some(usual));
    Some(unlit)
}

fn agreed(positions: &Positions, panel: Option<f64>) -> Option<Unlit> {
    let width = positions.iter().map(Vec::len).max()?;
    let shaded = groups(width);
    // Shading first: in a shaded grid the darker shade alone would look like the only unlit level.
    shaded.chain([usize::MAX]).find_map(|group| {
        let pairs: Vec<[Option<Shared>; 2]> =
            positions.iter().map(|row| [0, 1].map(|class| lowest_shared(row, group, class))).collect();
        let usual = if group == usize::MAX { usual_level(&pairs)? } else { usual_pair(&pairs)? };
        if group != usize::MAX && !lit_on_shade(positions, &pairs, usual, group) {
            return None;
        }
        if group == usize::MAX && groups(width).any(|group| one_sided(positions, usual[0], group)) {
            return None;
        }
        let known = |(pair, row): (&[Option<Shared>; 2], &Vec<Option<f64>>)| {
            if group == usize::MAX {
                one_level(pair[0]?, usual[0], panel, row.len())
            } else {
                two_levels(pair, usual, panel, row.len()).or_else(|| dimmed_levels(pair, usual, row))
            }
        };
        let rows: Vec<Option<Levels>> = pairs.iter().zip(positions).map(known).collect();
        // Dimming takes down lit cells as well: a row with the strongest of all is none of the dimmed ones.
        let top = |own: fn(&Levels, &Levels) -> bool| {
            let tops =
                positions.iter().zip(&rows).filter(|(_, levels)| levels.is_some_and(|levels| own(&levels, &usual)));
            tops.flat_map(|(row, _)| row.iter().flatten().copied()).fold(f64::MIN, f64::max)
        };
        if top(|levels, usual| levels != usual) > top(|levels, usual| levels == usual) + SAME {
            return None;
        }
        let explained = rows.iter().flatten().count();
        (explained * 2 >= rows.len()).then_some(Unlit { group, rows, usual })
    })
}

/// Rows of which it is known how far they are dimmed, and that were made alike by it, have their unlit cells at the
/// same levels. So a level need not be shared within a row.
fn pooled(positions: &Positions, panel: Option<f64>, dimming: &Dimming) -> Option<Unlit> {
    let told: Vec<usize> = (0..positions.len()).filter(|row| dimming.is_told(*row)).collect();
    let width = positions.iter().map(Vec::len).max()?;
    if told.len() < 2 || told.len() * 2 < positions.len() {
        return None;
    }
    let rows: Vec<&Vec<Option<f64>>> = told.iter().map(|row| &positions[*row]).collect();
    let usual = groups(width).chain([usize::MAX]).find_map(|group| {
        let levels = [pooled_level(&rows, group, 0, panel), pooled_level(&rows, group, 1, panel)];
        if group == usize::MAX {
            let level = levels[0]?.level;
            let one_sided = |group| one_sided(positions, level, group);
            return (level <= MAX_UNLIT && !groups(width).any(one_sided)).then_some((group, [level, level]));
        }
        let shares = levels.map(|level| level.map_or(0.0, |level| level.share));
        let levels = [levels[0]?.level, levels[1]?.level];
        let higher = usize::from(levels[1] > levels[0]);
        let (low, high) = (levels[1 - higher], levels[higher]);
        let apart = high - low;
        // Some cell of each shade is lit, and clearly; else one of the shades may be lit cells itself. But in a grid
        // that is nearly empty there may be none.
        let lit = |class: usize| members(&rows, group, class).any(|at| at >= CLEARLY_LIT);
        let empty = rows.len() >= 3 && apart <= SLIGHT_SHADE && shares.iter().all(|share| *share >= 0.8);
        let told_apart = empty || (lit(0) && lit(1));
        // The lower level does not occur on the higher shade: all its cells would be lit.
        let shaded = members(&rows, group, higher).all(|at| at > low + SAME);
        (low <= MAX_UNLIT && apart > SAME && apart < MAX_SHADE && shaded && told_apart).then_some((group, levels))
    });
    let (group, usual) = usual?;
    let levels = |row: usize| dimming.is_told(row).then_some(usual);
    Some(Unlit { group, rows: (0..positions.len()).map(levels).collect(), usual })
}

fn members<'a>(rows: &'a [&Vec<Option<f64>>], group: usize, class: usize) -> impl Iterator<Item = f64> + 'a {
    let own = move |column: &usize| (column / group) % 2 == class;
    rows.iter().flat_map(move |row| (0..row.len()).filter(own).filter_map(|column| row[column]))
}

/// A level, and which part of the cells is at it.
#[derive(Clone, Copy)]
struct Pooled {
    level: f64,
    share: f64,
}

/// The lowest level of a class in all of these rows, if a good part of its cells share it, in two rows at least. On
/// the other side of the panel than the lit cells are, no cell is lit: there one row is enough.
fn pooled_level(rows: &[&Vec<Option<f64>>], group: usize, class: usize, panel: Option<f64>) -> Option<Pooled> {
    let mut all: Vec<f64> = members(rows, group, class).collect();
    all.sort_by(f64::total_cmp);
    let lowest = *all.first()?;
    let mut level: Vec<f64> = all.iter().copied().filter(|at| at - lowest <= SAME).collect();
    let shows = |row: &&&Vec<Option<f64>>| members(&[**row], group, class).any(|at| at - lowest <= SAME);
    let spread = rows.iter().filter(shows).count() >= 2 || is_beyond(lowest, panel);
    let share = level.len() as f64 / all.len() as f64;
    let found = spread && level.len() >= MIN_POOLED && share >= 0.1;
    found.then(|| Pooled { level: median(&mut level), share })
}

/// Whether the panel is between that level and the lit ones.
fn is_beyond(level: f64, panel: Option<f64>) -> bool {
    panel.is_some_and(|panel| level < panel - PANEL_APART && panel < 0.6)
}

/// Lengths of groups that may be shaded in turn: threes only where the columns do not come in fours.
fn groups(width: usize) -> impl Iterator<Item = usize> {
    let fits = move |group: &usize| !group.is_multiple_of(3) || !width.is_multiple_of(4);
    GROUPS.into_iter().filter(|group| (2..=16).contains(group)).filter(fits)
}

/// Whether no row has unlit cells in even and in odd groups of columns alike: one of them may be shaded more
/// strongly than the weakest cells are lit. Rows of different kinds prove nothing together, because a muted row
/// may have in one shade what another has in the other.
fn one_sided(positions: &Positions, usual: f64, group: usize) -> bool {
    let unlit = |row: &[Option<f64>], class: usize| {
        let own = row.iter().enumerate().filter(|(column, _)| (column / group) % 2 == class);
        own.filter_map(|(_, at)| *at).any(|at| (at - usual).abs() <= SAME)
    };
    let wide = |row: &[Option<f64>]| row.len() >= 2 * group;
    positions.iter().any(|row| wide(row)) && !positions.iter().any(|row| wide(row) && unlit(row, 0) && unlit(row, 1))
}

/// Whether some row with the usual levels has a lit cell on the higher one. Otherwise that one may be lit cells
/// themselves, in a pattern of whole groups.
fn lit_on_shade(positions: &Positions, pairs: &[[Option<Shared>; 2]], usual: Levels, group: usize) -> bool {
    let higher = usize::from(usual[1] > usual[0]);
    positions.iter().zip(pairs).any(|(row, pair)| {
        let usual_row = (0..2).all(|class| pair[class].is_some_and(|own| (own.level - usual[class]).abs() <= SAME));
        let mut own = row.iter().enumerate().filter(|(column, _)| (column / group) % 2 == higher);
        usual_row && own.any(|(_, at)| at.is_some_and(|at| at > usual[higher] + 0.1))
    })
}

/// A level and how many cells are at it.
#[derive(Clone, Copy)]
struct Shared {
    level: f64,
    count: usize,
}

/// The lowest level of the class, if at least two cells share it.
fn lowest_shared(row: &[Option<f64>], group: usize, class: usize) -> Option<Shared> {
    let members = row.iter().enumerate().filter(|(column, _)| (column / group) % 2 == class);
    let mut sorted: Vec<f64> = members.filter_map(|(_, at)| *at).collect();
    sorted.sort_by(f64::total_cmp);
    let lowest = *sorted.first()?;
    let mut level: Vec<f64> = sorted.into_iter().filter(|at| at - lowest <= SAME).collect();
    (level.len() >= 2).then(|| Shared { count: level.len(), level: median(&mut level) })
}

/// The pair that most rows have: at least two, and a third of them.
fn usual_pair(pairs: &[[Option<Shared>; 2]]) -> Option<Levels> {
    let whole: Vec<Levels> =
        pairs.iter().filter_map(|[even, odd]| Some([even.as_ref()?.level, odd.as_ref()?.level])).collect();
    let support = |of: &Levels| whole.iter().filter(|pair| alike(pair, of)).count();
    let best = whole.iter().max_by(|a, b| support(a).cmp(&support(b)).then(b[0].total_cmp(&a[0])))?;
    let apart = (best[0] - best[1]).abs();
    let shared = support(best) >= 2 && support(best) * 3 >= pairs.len();
    let low = best[0].min(best[1]) <= MAX_UNLIT;
    (shared && low && apart > SAME && apart < MAX_APART).then_some(*best)
}

/// The same without shades.
fn usual_level(pairs: &[[Option<Shared>; 2]]) -> Option<Levels> {
    let levels: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair[0]?.level)).collect();
    let support = |of: f64| levels.iter().filter(|level| (**level - of).abs() <= SAME).count();
    let best = levels.iter().copied().max_by(|a, b| support(*a).cmp(&support(*b)).then(b.total_cmp(a)))?;
    (best <= MAX_UNLIT && support(best) >= 2 && support(best) * 3 >= pairs.len()).then_some([best, best])
}

fn alike(one: &Levels, other: &Levels) -> bool {
    one.iter().zip(other).all(|(a, b)| (a - b).abs() <= SAME)
}

/// Two cells of a muted row that is all lit may be at the usual unlit level by chance.
fn is_common(count: usize, cells: usize) -> bool {
    count >= 3 && count * 5 >= cells
}

/// A row without shades has the usual level, or one nearer to a panel that is on the other side of it than
/// the lit cells, with lit cells to compare. Otherwise a row that is all lit looks the same.
fn one_level(own: Shared, usual: f64, panel: Option<f64>, cells: usize) -> Option<Levels> {
    if (own.level - usual).abs() <= SAME {
        return is_common(own.count, cells).then_some([usual, usual]);
    }
    let panel = panel?;
    let away = panel < usual - PANEL_APART && own.level < usual && own.level > panel;
    (away && own.count >= 4 && own.count * 5 >= cells * 2 && own.count < cells).then_some([own.level, own.level])
}

/// The levels of a row that is dimmed to something that is not seen around it: three levels that one and the same
/// dimming makes of the usual ones, both shades and the strongest lit cells. Cells that are all lit alike would be
/// moved in the same way, but to where lit ones are.
fn dimmed_levels(pair: &[Option<Shared>; 2], usual: Levels, row: &[Option<f64>]) -> Option<Levels> {
    let own = [pair[0]?, pair[1]?];
    let apart = usual[1] - usual[0];
    let top = row.iter().flatten().copied().fold(f64::MIN, f64::max);
    let strongest = row.iter().flatten().filter(|at| top - **at <= SAME).count();
    let left = |class: usize| (top - own[class].level) / (1.0 - usual[class]);
    let left = [left(0), left(1), (own[1].level - own[0].level) / apart];
    let way = 1.0 - left[0];
    let alike = left.iter().all(|left| (left - (1.0 - way)).abs() <= SAME_WAY);
    let target = usual[0] + (own[0].level - usual[0]) / way;
    let believable = is_dimming(way)
        && alike
        && (usual[0].min(usual[1]) - SAME..=MAX_TARGET).contains(&target)
        && apart.abs() >= MIN_SHADING;
    let count = own[0].count + own[1].count;
    (believable && (strongest >= 2 || count * 10 >= row.len() * 3)).then_some([own[0].level, own[1].level])
}

/// The levels of one row: the usual ones, or both moved to the panel by the same part of the way.
fn two_levels(pair: &[Option<Shared>; 2], usual: Levels, panel: Option<f64>, cells: usize) -> Option<Levels> {
    let level = |class: usize| pair[class].map(|shared| shared.level);
    // A shade in the panel's own colour stays where it is when a row is muted, and tells nothing.
    let telling = |class: usize| panel.is_none_or(|panel| (panel - usual[class]).abs() > PANEL_APART);
    let near = |class: usize| level(class).is_some_and(|at| (at - usual[class]).abs() <= SAME);
    let below = (0..2).any(|class| level(class).is_some_and(|at| at < usual[class] - SAME));
    if (0..2).any(|class| near(class) && telling(class)) || (near(0) && near(1)) {
        let count = (0..2).filter(|class| near(*class)).filter_map(|class| pair[class]).map(|own| own.count).sum();
        return (!below && is_common(count, cells)).then_some(usual);
    }
    let (even, odd, panel) = (level(0)?, level(1)?, panel?);
    let own = [even, odd];
    let count = pair.iter().flatten().map(|shared| shared.count).sum::<usize>();
    // The shade that is further from the panel tells the part of the way, the other one confirms it.
    let far = usize::from((panel - usual[1]).abs() > (panel - usual[0]).abs());
    let moved = own[far] - usual[far];
    let towards = |target: f64| usual.map(|from| from + moved / (target - usual[far]) * (target - from));
    let muted = towards(panel);
    let lit = towards(1.0);
    let way = moved / (panel - usual[far]);
    let told_apart = moved < 0.0 || (muted[1 - far] - lit[1 - far]).abs() > 2.0 * SAME;
    let believable = (0.0..=MAX_DIMMED).contains(&way) && alike(&own, &muted) && told_apart;
    (believable && count * 10 >= cells * 3).then_some(own)
}
