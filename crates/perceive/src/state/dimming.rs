//! How far each row is dimmed, from the rims of its cells. Cells have a dark or bright rim that is the same
//! whatever their state, and a muted row is drawn half in the colour of its panel with its rims. So the rims tell
//! how far a row is dimmed also where every cell is lit, or where states differ in brightness alone.

use surehand_types::Pixels;

use super::blend::{ALIKE, Blend, Rgb, distance, dot, is_dimming, middle, minus, undimmed};
use super::sample::{Look, panel};
use crate::colour::{Lab, median_of};
use crate::shape::Rect;
use crate::structure::Grid;

/// A rim stands out from the panel and from the ground between rows by this much in some channel.
const MIN_RIM: f64 = 20.0;
/// What rims on different fractions of a pixel make of one way.
const SAME_WAY: f64 = 0.15;
/// Rims stray by this much with the states beside them, and with the fraction of a pixel they are on.
const MAX_STRAY: f64 = 12.0;
/// As dark or as bright as a rim can be: no blend with a panel.
const BLACK: f64 = 10.0;
const WHITE: f64 = 245.0;
/// A blurred rim loses less than this.
const MUCH: f64 = 24.0;

/// Lines above and below the cells that show their ground.
const MIN_STRIP: i32 = 4;
const MAX_STRIP: i32 = 10;
/// Cells of a row that share a colour, at least.
const MIN_COMMON: usize = 3;

/// Row by row, how far it is dimmed; and to which panel.
pub(crate) struct Dimming {
    ways: Vec<Option<f64>>,
    target: Rgb,
    ground: Option<Rgb>,
}

impl Dimming {
    /// Of all rows of the grids, of which these are the cells.
    pub(crate) fn of(grids: &[&Grid], looks: &[Vec<Option<Look>>], pixels: &Pixels) -> Dimming {
        let free = free_height(grids);
        let mut rims: Vec<Rims> = grids.iter().flat_map(|grid| rims(grid, free, pixels)).collect();
        rims.iter_mut().zip(looks).for_each(|(rims, looks)| rims.forget_edges(looks));
        let common: Vec<Vec<Rgb>> = looks.iter().map(|row| common_colours(row)).collect();
        // Of equally telling ones the darkest, which no glow reaches.
        let seen: Vec<Rgb> = rims
            .iter()
            .flat_map(|row| row.grounds)
            .chain(grids.iter().map(|grid| panel(grid, pixels)))
            .flatten()
            .collect();
        let told = EXTREMES.into_iter().rev().filter_map(|which| told(&rims, which, &common, &seen));
        let count = |dimming: &Dimming| dimming.ways.iter().flatten().count();
        told.max_by_key(count)
            .unwrap_or_else(|| Dimming { ground: common_ground(&rims), ..Dimming::untold(looks.len()) })
    }

    /// Nothing is told about any row.
    pub(crate) fn untold(rows: usize) -> Dimming {
        Dimming { ways: vec![None; rows], target: [0.0; 3], ground: None }
    }

    /// The surroundings with what undimmed rows lie on as the panel, if that is known.
    pub(crate) fn grounded(&self, surroundings: &[Lab]) -> Vec<Lab> {
        let ground = self.ground.map(Lab::of);
        surroundings.iter().enumerate().map(|(index, own)| ground.filter(|_| index == 0).unwrap_or(*own)).collect()
    }

    /// Whether that row is dimmed; `None` where it is not known.
    pub(crate) fn is_dimmed(&self, row: usize) -> Option<bool> {
        self.ways.get(row)?.map(|way| way > 0.0)
    }

    /// Whether anything is told about any row.
    pub(crate) fn tells(&self) -> bool {
        self.ways.iter().any(Option::is_some)
    }

    /// Whether it is known how far that row is dimmed.
    pub(crate) fn is_told(&self, row: usize) -> bool {
        self.ways.get(row).is_some_and(Option::is_some)
    }

    /// The cells as they would look if no row were dimmed.
    pub(crate) fn undone(&self, looks: &[Vec<Option<Look>>]) -> Vec<Vec<Option<Look>>> {
        let undone = |(row, way): (&Vec<Option<Look>>, &Option<f64>)| match way {
            Some(way) if *way > 0.0 => {
                row.iter().map(|look| Some(look.as_ref()?.undimmed(*way, &self.target))).collect()
            }
            _ => row.clone(),
        };
        looks.iter().zip(&self.ways).map(undone).collect()
    }
}

/// Colours that several cells of the row have.
fn common_colours(row: &[Option<Look>]) -> Vec<Rgb> {
    let all: Vec<Rgb> = row.iter().flatten().map(Look::core_rgb).collect();
    let shared = |of: &Rgb| all.iter().filter(|other| distance(of, other) <= 2.0).count() >= MIN_COMMON;
    all.iter().copied().filter(shared).collect()
}

/// What was measured around the cells of one row.
struct Rims {
    /// The darkest and the brightest that shows between neighbouring cells, where it is the same between all.
    extremes: [Option<Rgb>; 2],
    /// The ground above and below the cells.
    grounds: [Option<Rgb>; 2],
}

impl Rims {
    /// What is between the colours of a cell and of the ground is the blurred edge of the cell, or a part of it, and
    /// differs with its state.
    fn forget_edges(&mut self, looks: &[Option<Look>]) {
        // Where cells are missing, something lies over the row, and over its ground.
        if looks.iter().any(Option::is_none) {
            *self = Rims { extremes: [None; 2], grounds: [None; 2] };
        }
        let Some(ground) = self.grounds[ABOVE] else { return };
        for rim in &mut self.extremes {
            let edges =
                |rim: &Rgb| looks.iter().flatten().filter(|look| is_between(rim, &ground, &look.body_rgb())).count();
            *rim = rim.filter(|rim| edges(rim) == 0);
        }
    }
}

/// Whether that is a mixture of the two, or about the second of them.
fn is_between(colour: &Rgb, ground: &Rgb, body: &Rgb) -> bool {
    let (own, all) = (minus(colour, ground), minus(body, ground));
    let length = dot(&all, &all).sqrt();
    let along = dot(&own, &all) / length.max(1.0);
    let aside = minus(&own, &all.map(|value| value * along / length.max(1.0)));
    let near = aside.iter().all(|value| value.abs() <= ALIKE);
    near && along > ALIKE && along <= length + ALIKE
}

/// Indices of the two grounds and of the two extremes.
const SIDES: [usize; 2] = [ABOVE, 1];
const ABOVE: usize = 0;
const EXTREMES: [usize; 2] = [0, 1];

/// How many lines there are between the cells of a row and those of the next, at least.
fn free_height(grids: &[&Grid]) -> i32 {
    let rows = |grid: &&Grid| (0..grid.rows.len()).map(|row| grid.row_bounds(row)).collect::<Vec<Rect>>();
    let mut rows: Vec<Rect> = grids.iter().flat_map(rows).collect();
    rows.sort_by_key(|row| row.y0 + row.y1);
    rows.windows(2).map(|pair| pair[1].y0 - pair[0].y1).min().unwrap_or(MAX_STRIP)
}

/// Row by row.
fn rims(grid: &Grid, free: i32, pixels: &Pixels) -> Vec<Rims> {
    let of_row = |row: usize| {
        let between: Vec<[Rgb; 2]> = grid
            .columns
            .windows(2)
            .filter_map(|pair| extremes(grid, row, f64::midpoint(pair[0], pair[1]), pixels))
            .collect();
        let bounds = grid.row_bounds(row);
        let reach = ((grid.height * 0.4) as i32).clamp(MIN_STRIP, MAX_STRIP).min(free);
        let strips = [
            Rect { y0: bounds.y0 - reach, y1: bounds.y0, ..bounds },
            Rect { y0: bounds.y1, y1: bounds.y1 + reach, ..bounds },
        ];
        Rims {
            extremes: EXTREMES.map(|which| shared(&between, which, grid.columns.len() - 1)),
            grounds: strips.map(|strip| median_of(pixels, strip).filter(|_| reach >= MIN_STRIP)),
        }
    };
    (0..grid.rows.len()).map(of_row).collect()
}

/// The darkest and the brightest column of pixels between two cells.
fn extremes(grid: &Grid, row: usize, middle: f64, pixels: &Pixels) -> Option<[Rgb; 2]> {
    let reach = ((grid.pitch - grid.width) / 2.0).max(0.0) + 1.0;
    let (top, bottom) = (grid.rows[row] - grid.height / 4.0, grid.rows[row] + grid.height / 4.0);
    let columns = (middle - reach).floor() as i32..=(middle + reach).floor() as i32;
    let mut found: Vec<Rgb> = columns
        .filter_map(|x| median_of(pixels, Rect::new(x, top.round() as i32, x + 1, bottom.round() as i32)))
        .collect();
    found.sort_by(|a, b| sum(a).total_cmp(&sum(b)));
    Some([*found.first()?, *found.last()?])
}

/// What nearly all gaps of a row have.
fn shared(between: &[[Rgb; 2]], which: usize, count: usize) -> Option<Rgb> {
    let usual = middle(&between.iter().map(|pair| pair[which]).collect::<Vec<Rgb>>());
    let alike = between.iter().filter(|pair| distance(&pair[which], &usual) <= ALIKE).count();
    (count > 0 && alike * 10 >= count * 9).then_some(usual)
}

/// How far each row is dimmed. Dimming brings rims and ground nearer to each other, and both nearer to what the row
/// is blended with. The rows where they are farthest apart are the undimmed ones. `common` are colours that
/// several cells of a row share, `seen` those around the rows.
fn told(rims: &[Rims], which: usize, common: &[Vec<Rgb>], seen: &[Rgb]) -> Option<Dimming> {
    let pair = |row: &Rims| Some((row.extremes[which]?, row.grounds[ABOVE]?));
    let pairs: Vec<Option<(Rgb, Rgb)>> = rims.iter().map(pair).collect();
    let apart = |pair: &&(Rgb, Rgb)| distance(&pair.0, &pair.1);
    // What lies over a part of the grid changes the ground of one row, not that of several.
    let sharing = |ground: &Rgb| pairs.iter().flatten().filter(|pair| distance(&pair.1, ground) <= ALIKE).count();
    let shared = |pair: &&(Rgb, Rgb)| sharing(&pair.1) >= 2 && sharing(&pair.1) * 3 >= rims.len();
    let usual = *pairs.iter().flatten().filter(shared).max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    let ground = Some(usual.1).filter(|ground| sharing(ground) * 2 >= rims.len());
    if apart(&&usual) < MIN_RIM {
        return None;
    }
    let way = |(row, pair): (&Rims, &Option<(Rgb, Rgb)>)| {
        let (rim, ground) = pair.as_ref()?;
        if distance(rim, &usual.0) <= MAX_STRAY {
            // What is above the first row may be something else.
            let same = row.grounds.iter().flatten().any(|own| distance(own, &usual.1) <= ALIKE);
            return same.then_some(0.0);
        }
        moved(&(*rim, *ground), &usual)
    };
    let ways: Vec<Option<f64>> = rims.iter().zip(&pairs).map(way).collect();
    let dimmed: Vec<usize> = (0..rims.len()).filter(|row| ways[*row].is_some_and(|way| way > 0.0)).collect();
    if dimmed.is_empty() {
        return Some(Dimming { ways, target: [0.0; 3], ground });
    }
    // One way for all: muting is one picture drawn over a row.
    let of_dimmed = |value: fn(&(Rgb, Rgb)) -> Rgb| -> Vec<Rgb> {
        dimmed.iter().filter_map(|row| pairs[*row].as_ref().map(value)).collect()
    };
    let mut points = vec![(usual.0, middle(&of_dimmed(|pair| pair.0))), (usual.1, middle(&of_dimmed(|pair| pair.1)))];
    let blend = Blend::through(&points)?;
    let undimmed: Vec<usize> = (0..rims.len()).filter(|row| ways[*row] == Some(0.0)).collect();
    // Cells that nearly all rows have tell it more exactly than thin rims do.
    points.extend(blend.matches(&of_rows(common, &undimmed), &of_rows(common, &dimmed)));
    let blend = Blend::through(&points)?;
    let far = |way: &&f64| (*way - blend.way).abs() > SAME_WAY;
    if ways.iter().flatten().filter(|way| **way > 0.0).any(|way| far(&way)) {
        return None;
    }
    let (way, target) = (blend.way, blend.target);
    // A row is dimmed to something that is seen around it.
    if !seen.iter().any(|around| distance(around, &target) <= 1.5 * ALIKE) {
        return None;
    }
    let usual_cells = of_rows(common, &undimmed);
    let agreement: Vec<Agreement> = common.iter().map(|own| agreement(own, &blend, &usual_cells)).collect();
    // Rims alone tell only where they cannot have been dimmed before, and have changed much.
    let pure = usual.0.iter().all(|value| *value <= BLACK) || usual.0.iter().all(|value| *value >= WHITE);
    let confirmed = dimmed.iter().any(|row| agreement[*row] == Agreement::Dimmed);
    let changed = distance(&points[0].0, &points[0].1) >= MUCH;
    let of_row = |(row, own): (usize, Option<f64>)| match agreement[row] {
        _ if own == Some(0.0) => own,
        Agreement::Dimmed => own.map(|_| way),
        Agreement::Nothing if confirmed || (pure && changed) => own.map(|_| way),
        _ => None,
    };
    let ways: Vec<Option<f64>> = ways.into_iter().enumerate().map(of_row).collect();
    Some(Dimming { ways, target, ground })
}

/// What the cells of a row say about its dimming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// Without the dimming more of them are like cells of undimmed rows.
    Dimmed,
    /// They are like cells of undimmed rows as they are, or it cannot be told.
    Undimmed,
    /// No cell is like another.
    Nothing,
}

fn agreement(own: &[Rgb], blend: &Blend, usual: &[Rgb]) -> Agreement {
    let known = |colour: &Rgb, reach: f64| usual.iter().any(|usual| distance(usual, colour) <= reach);
    let as_they_are = own.iter().filter(|colour| known(colour, ALIKE / 2.0)).count();
    let without = own.iter().filter(|colour| known(&undimmed(colour, blend.way, &blend.target), ALIKE)).count();
    match without.cmp(&as_they_are) {
        std::cmp::Ordering::Greater => Agreement::Dimmed,
        std::cmp::Ordering::Equal if without == 0 => Agreement::Nothing,
        _ => Agreement::Undimmed,
    }
}

fn of_rows(common: &[Vec<Rgb>], rows: &[usize]) -> Vec<Rgb> {
    rows.iter().flat_map(|row| common[*row].iter().copied()).collect()
}

/// The part of the way that rim and ground have moved; `None` if they have moved in another way.
fn moved(own: &(Rgb, Rgb), usual: &(Rgb, Rgb)) -> Option<f64> {
    let (apart, usually) = (minus(&own.1, &own.0), minus(&usual.1, &usual.0));
    let left = dot(&apart, &usually) / dot(&usually, &usually).max(1.0);
    let aside = minus(&apart, &usually.map(|value| value * left));
    let way = 1.0 - left;
    (aside.iter().all(|value| value.abs() <= ALIKE) && is_dimming(way)).then_some(way)
}

/// The ground that nearly all rows have above them or below.
fn common_ground(rims: &[Rims]) -> Option<Rgb> {
    let of_side = |side: usize| {
        let all: Vec<Rgb> = rims.iter().filter_map(|row| row.grounds[side]).collect();
        let common = middle(&all);
        let shared = all.iter().filter(|own| distance(own, &common) <= ALIKE).count();
        (shared > 1 && shared * 4 >= rims.len() * 3).then_some(common)
    };
    SIDES.into_iter().find_map(of_side)
}

fn sum(colour: &Rgb) -> f64 {
    colour.iter().sum()
}
