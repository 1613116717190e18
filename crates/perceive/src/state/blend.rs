//! Colours as they are blended: in red, green and blue, not as the eye orders them. Dimming is such a blend.

use crate::shape::median;

/// Red, green and blue, 0 to 255.
pub(crate) type Rgb = [f64; 3];

/// How far colours of one thing may be apart in different places.
pub(crate) const ALIKE: f64 = 8.0;
/// Nobody dims a row by less: it would not be seen.
const MIN_DIMMED: f64 = 0.25;
/// Nobody dims a row beyond this part of the way to the panel: nothing would be left of it.
const MAX_DIMMED: f64 = 0.78;

/// What dimming makes of a colour: it goes a part of the way to the target.
pub(crate) struct Blend {
    pub(crate) way: f64,
    pub(crate) target: Rgb,
}

impl Blend {
    /// The blend that fits best to colours without and with it; `None` if none is believable.
    pub(crate) fn through(points: &[(Rgb, Rgb)]) -> Option<Blend> {
        let count = points.len() as f64;
        let mean = |value: fn(&(Rgb, Rgb)) -> Rgb| {
            let sum = points
                .iter()
                .map(value)
                .fold([0.0; 3], |sum: Rgb, own| [sum[0] + own[0], sum[1] + own[1], sum[2] + own[2]]);
            sum.map(|value| value / count)
        };
        let (from, to) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut both, mut alone) = (0.0, 0.0);
        for (before, after) in points {
            let (before, after) = (minus(before, &from), minus(after, &to));
            both += dot(&before, &after);
            alone += dot(&before, &before);
        }
        let way = 1.0 - both / alone.max(1.0);
        let target = minus(&to, &from.map(|value| value * (1.0 - way))).map(|value| value / way);
        let possible = target.iter().all(|value| (-ALIKE..=255.0 + ALIKE).contains(value));
        (possible && is_dimming(way)).then_some(Blend { way, target })
    }

    /// Pairs of colours that the blend leads from one to the other, nearly.
    pub(crate) fn matches(&self, undimmed: &[Rgb], dimmed: &[Rgb]) -> Vec<(Rgb, Rgb)> {
        let distinct = |colours: &[Rgb]| {
            let mut kept: Vec<Rgb> = Vec::new();
            for colour in colours {
                if !kept.iter().any(|known| distance(known, colour) <= 2.0) {
                    kept.push(*colour);
                }
            }
            kept
        };
        let (undimmed, dimmed) = (distinct(undimmed), distinct(dimmed));
        let blended = |colour: &Rgb| {
            [0, 1, 2].map(|channel| colour[channel] + self.way * (self.target[channel] - colour[channel]))
        };
        let closest = |from: &Rgb| {
            let wanted = blended(from);
            let near = dimmed.iter().filter(|to| distance(to, &wanted) <= ALIKE / 2.0);
            near.min_by(|a, b| distance(a, &wanted).total_cmp(&distance(b, &wanted))).map(|to| (*from, *to))
        };
        undimmed.iter().filter_map(closest).collect()
    }
}

/// Whether rows are dimmed by that part of the way.
pub(crate) fn is_dimming(way: f64) -> bool {
    (MIN_DIMMED..=MAX_DIMMED).contains(&way)
}

/// The colour that it has in a row that is not dimmed.
pub(crate) fn undimmed(colour: &Rgb, way: f64, panel: &Rgb) -> Rgb {
    [0, 1, 2].map(|channel| (panel[channel] + (colour[channel] - panel[channel]) / (1.0 - way)).clamp(0.0, 255.0))
}

pub(crate) fn middle(colours: &[Rgb]) -> Rgb {
    [0, 1, 2].map(|channel| {
        let mut values: Vec<f64> = colours.iter().map(|colour| colour[channel]).collect();
        median(&mut values)
    })
}

pub(crate) fn minus(one: &Rgb, other: &Rgb) -> Rgb {
    [one[0] - other[0], one[1] - other[1], one[2] - other[2]]
}

pub(crate) fn dot(one: &Rgb, other: &Rgb) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The largest difference of any channel.
pub(crate) fn distance(one: &Rgb, other: &Rgb) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
