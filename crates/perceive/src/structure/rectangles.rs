//! Near-rectangles: connected areas of steady colour that fill most of their bounding box. A cell is
//! one whatever its state, with a border or without, on light and on dark.

use surehand_types::Pixels;

use crate::colour::{channel_difference, line};
use crate::shape::Rect;

/// How much neighbouring pixels may differ and still be one area. The small step keeps apart cells
/// that hardly differ from their surroundings; the large one holds gradients and JPEG noise together.
const STEPS: [u8; 3] = [3, 9, 20];
/// Cells of dimmed rows on an enlarged screen differ from their ground by single levels from pixel to pixel.
const FAINT_STEP: u8 = 1;
/// Smaller areas are glyphs and dots; larger ones panels.
const MIN_SIDE: i32 = 5;
const MAX_WIDTH: i32 = 240;
const MAX_HEIGHT: i32 = 160;
/// A disc fills 0.785 of its box; a cell with a sign on it somewhat less.
const MIN_FILL: f64 = 0.62;
/// Areas with one centre are one spot as long as their sizes are this close (an interior and its bevel).
const NESTED: f64 = 1.7;

/// Areas with one centre: a cell's interior, with and without its bevel.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    /// At least one, smallest first.
    rects: Vec<Rect>,
}

impl Spot {
    /// A spot of that size, to compare others with.
    pub(crate) fn sized(width: f64, height: f64) -> Spot {
        Spot { rects: vec![Rect::around((0.0, 0.0), width, height)] }
    }

    pub(crate) fn at(place: Rect) -> Spot {
        Spot { rects: vec![place] }
    }

    pub(crate) fn rects(&self) -> &[Rect] {
        &self.rects
    }

    pub(crate) fn inner(&self) -> Rect {
        self.rects[0]
    }

    pub(crate) fn outer(&self) -> Rect {
        self.rects[self.rects.len() - 1]
    }

    pub(crate) fn centre(&self) -> (f64, f64) {
        self.outer().centre()
    }

    pub(crate) fn width(&self) -> f64 {
        f64::from(self.outer().width())
    }

    pub(crate) fn height(&self) -> f64 {
        f64::from(self.outer().height())
    }

    /// The rectangle whose size comes closest.
    pub(crate) fn closest(&self, width: f64, height: f64) -> Rect {
        let off = |rect: &Rect| (f64::from(rect.width()) - width).abs() + (f64::from(rect.height()) - height).abs();
        self.rects.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(self.rects[0])
    }
}

/// All spots of the picture, top to bottom, then left to right.
pub(crate) fn spots(pixels: &Pixels) -> Vec<Spot> {
    of_areas(STEPS.iter().flat_map(|step| areas(pixels, *step)).collect())
}

/// The same with faint ones. Where there is something clearer, these are pieces of its gradients.
pub(crate) fn spots_with_faint(pixels: &Pixels, clear: &[Spot]) -> Vec<Spot> {
    let known = clear.iter().flat_map(|spot| spot.rects.iter().copied());
    of_areas(known.chain(areas(pixels, FAINT_STEP)).collect())
}

fn of_areas(mut found: Vec<Rect>) -> Vec<Spot> {
    found.sort_by_key(|rect| (rect.y0 + rect.y1, rect.x0 + rect.x1, rect.area()));
    found.dedup();
    merged(&found)
}

fn merged(found: &[Rect]) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::with_capacity(found.len());
    for rect in found {
        let (x, y) = rect.centre();
        let near = spots
            .iter_mut()
            .rev()
            .take_while(|spot| y - spot.centre().1 <= 1.5)
            .find(|spot| (spot.centre().0 - x).abs() <= 1.5 && nested(spot, rect));
        match near {
            Some(spot) => {
                let at = spot.rects.partition_point(|known| known.area() <= rect.area());
                spot.rects.insert(at, *rect);
            }
            None => spots.push(Spot { rects: vec![*rect] }),
        }
    }
    spots
}

fn nested(spot: &Spot, rect: &Rect) -> bool {
    let close = |a: i32, b: i32| {
        let (low, high) = (f64::from(a.min(b)), f64::from(a.max(b)));
        high <= low * NESTED
    };
    spot.rects.iter().all(|other| close(other.width(), rect.width()) && close(other.height(), rect.height()))
}

/// A horizontal stretch of one line, part of the area `label`.
#[derive(Clone, Copy)]
struct Stretch {
    start: usize,
    end: usize,
    label: usize,
}

#[derive(Clone, Copy)]
struct Area {
    bounds: Rect,
    count: i64,
}

/// Connected areas in one pass over the lines; of areas that turn out to be one, the older label stays.
fn areas(pixels: &Pixels, step: u8) -> Vec<Rect> {
    let width = pixels.width as usize;
    let mut parents: Vec<usize> = Vec::new();
    let mut areas: Vec<Area> = Vec::new();
    let mut above: Vec<Stretch> = Vec::new();
    let mut current: Vec<Stretch> = Vec::new();
    let mut line_above: &[u8] = &[];
    for y in 0..pixels.height as i32 {
        let this = line(pixels, y, 0, width as i32);
        stretches(this, step, &mut current);
        let mut first = 0;
        for stretch in &mut current {
            while first < above.len() && above[first].end <= stretch.start {
                first += 1;
            }
            let mut label = None;
            for other in above[first..].iter().take_while(|other| other.start < stretch.end) {
                let (from, to) = (stretch.start.max(other.start), stretch.end.min(other.end));
                if label == Some(root(&mut parents, other.label)) || !touches(this, line_above, from, to, step) {
                    continue;
                }
                let own = root(&mut parents, other.label);
                label = Some(match label {
                    None => own,
                    Some(known) => join(&mut parents, &mut areas, known, own),
                });
            }
            let bounds = Rect::new(stretch.start as i32, y, stretch.end as i32, y + 1);
            let count = (stretch.end - stretch.start) as i64;
            stretch.label = match label {
                Some(known) => {
                    let area = &mut areas[known];
                    *area = Area { bounds: area.bounds.union(&bounds), count: area.count + count };
                    known
                }
                None => {
                    parents.push(areas.len());
                    areas.push(Area { bounds, count });
                    areas.len() - 1
                }
            };
        }
        std::mem::swap(&mut above, &mut current);
        line_above = this;
    }
    let roots = (0..areas.len()).filter(|label| parents[*label] == *label);
    roots.map(|label| areas[label]).filter(is_cell_like).map(|area| area.bounds).collect()
}

fn is_cell_like(area: &Area) -> bool {
    let (width, height) = (area.bounds.width(), area.bounds.height());
    width >= MIN_SIDE
        && height >= MIN_SIDE
        && width <= MAX_WIDTH
        && height <= MAX_HEIGHT
        && area.count as f64 >= MIN_FILL * area.bounds.area() as f64
}

fn stretches(this: &[u8], step: u8, into: &mut Vec<Stretch>) {
    into.clear();
    let count = this.len() / 3;
    let mut start = 0;
    for x in 1..=count {
        if x == count || channel_difference(&this[x * 3 - 3..x * 3], &this[x * 3..x * 3 + 3]) > step {
            into.push(Stretch { start, end: x, label: 0 });
            start = x;
        }
    }
}

fn touches(this: &[u8], above: &[u8], from: usize, to: usize, step: u8) -> bool {
    let below = this[from * 3..to * 3].chunks_exact(3);
    let over = above[from * 3..to * 3].chunks_exact(3);
    below.zip(over).any(|(one, other)| channel_difference(one, other) <= step)
}

fn root(parents: &mut [usize], mut label: usize) -> usize {
    while parents[label] != label {
        parents[label] = parents[parents[label]];
        label = parents[label];
    }
    label
}

fn join(parents: &mut [usize], areas: &mut [Area], one: usize, other: usize) -> usize {
    if one == other {
        return one;
    }
    let (keep, drop) = (one.min(other), one.max(other));
    parents[drop] = keep;
    areas[keep] =
        Area { bounds: areas[keep].bounds.union(&areas[drop].bounds), count: areas[keep].count + areas[drop].count };
    keep
}
