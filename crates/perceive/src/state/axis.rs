//! The line in colour space between unlit and lit, and which of its ends is which.

use super::Colours;
use crate::colour::Lab;

/// Differences of colour below this are shading; a lit cell that differs in colour differs by more.
const COLOURED: f64 = 0.03;
/// The least difference of brightness that can be told from shading and rounding.
const BRIGHTER: f64 = 0.05;

/// As bright as this a panel is light.
const LIGHT: f64 = 0.65;

/// Colours with less chroma are greys with a tint.
const COLOURFUL: f64 = 0.05;

/// With less chroma there is no hue; and how close two hues are, as a cosine, to be one.
const MIN_TINT: f64 = 0.006;
const SAME_HUE: f64 = 0.95;

/// What cells differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Hue or chroma. Shading of groups, muting and highlights hardly move a cell along such an axis.
    Colour,
    /// Brightness alone.
    Brightness,
}

/// From `low` to `high`; which of them is lit is not said yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) difference: Difference,
    low: Lab,
    high: Lab,
    direction: Lab,
    length: f64,
}

impl Axis {
    /// 0 at one end, 1 at the other.
    pub(crate) fn position(&self, colour: &Lab) -> f64 {
        flat(colour.minus(&self.low), self.difference).dot(&self.direction) / self.length
    }

    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    pub(crate) fn reversed(&self) -> Axis {
        Axis { low: self.high, high: self.low, direction: self.direction.scaled(-1.0), ..*self }
    }

    /// How far a colour is from the line, in units of its length.
    fn aside(&self, colour: &Lab) -> f64 {
        let from = flat(colour.minus(&self.low), self.difference);
        let along = from.dot(&self.direction);
        from.minus(&self.direction.scaled(along)).length() / self.length
    }

    /// Whether nearly all cells are on the line. Those aside of it are of another kind of colour.
    pub(crate) fn explains(&self, colours: &Colours) -> bool {
        let all: Vec<&Lab> = colours.iter().flatten().flatten().collect();
        let aside = all.iter().filter(|colour| self.is_aside(colour)).count();
        aside * 20 <= all.len()
    }

    /// Whether it leads from one lit colour over the unlit one to another lit colour: both ends are colourful, and
    /// cells between them are not.
    pub(crate) fn joins_two_colours(&self, colours: &Colours) -> bool {
        let ends = self.low.chroma().min(self.high.chroma());
        let between = |colour: &Lab| (0.1..=0.9).contains(&self.position(colour)) && colour.chroma() < ends / 2.0;
        ends >= COLOURFUL && colours.iter().flatten().flatten().any(between)
    }

    /// Whether both ends have one hue: then muting moves cells along this axis as well as a state does.
    pub(crate) fn is_one_tint(&self) -> bool {
        let (low, high) = (self.low, self.high);
        let apart = (low.a * high.a + low.b * high.b) / (low.chroma() * high.chroma()).max(1e-9);
        low.chroma().min(high.chroma()) >= MIN_TINT && apart >= SAME_HUE
    }

    pub(crate) fn is_aside(&self, colour: &Lab) -> bool {
        self.aside(colour) > 0.25 + 0.01 / self.length
    }
}

/// The part of a difference that counts on such an axis.
fn flat(colour: Lab, difference: Difference) -> Lab {
    match difference {
        Difference::Colour => Lab { l: 0.0, ..colour },
        Difference::Brightness => Lab { a: 0.0, b: 0.0, ..colour },
    }
}

/// The line between the two most different colours; `None` when they hardly differ.
pub(crate) fn find<'a>(colours: impl Iterator<Item = &'a Lab>) -> Option<Axis> {
    let all: Vec<&Lab> = colours.collect();
    let coloured = farthest(&all, Difference::Colour)?;
    if coloured.length >= COLOURED {
        return Some(coloured);
    }
    farthest(&all, Difference::Brightness).filter(|axis| axis.length >= BRIGHTER)
}

/// Twice to the farthest: exact on a line, and close to it for any cloud.
fn farthest(all: &[&Lab], difference: Difference) -> Option<Axis> {
    let far = |from: &Lab| {
        all.iter()
            .copied()
            .max_by(|a, b| {
                let distance = |to: &Lab| flat(to.minus(from), difference).length();
                distance(a).total_cmp(&distance(b))
            })
            .copied()
    };
    let one = far(all.first()?)?;
    let other = far(&one)?;
    let (low, high) = if one.l + one.chroma() <= other.l + other.chroma() { (one, other) } else { (other, one) };
    let step = flat(high.minus(&low), difference);
    let length = step.length();
    let direction = if length > 0.0 { step.scaled(1.0 / length) } else { step };
    Some(Axis { difference, low, high, direction, length })
}

/// Evidence that the colours at 1 are the lit ones; below 0 for the opposite.
pub(crate) fn evidence_for_high(low: &Lab, high: &Lab, share_of_high: f64, surroundings: &[Lab]) -> f64 {
    let mut evidence = 0.0;
    // A lit cell is the more colourful one. Where both have much colour that says little.
    let colourful = ((high.chroma() + 0.01) / (low.chroma() + 0.01)).ln();
    let strength = match colourful.abs() {
        apart if apart >= 3.0f64.ln() => 2.0,
        apart if apart >= 1.8f64.ln() => 1.0,
        _ => 0.0,
    };
    // On a coloured panel the more colourful one may be the panel's own colour, and an empty cell.
    let tint = |colour: &Lab| {
        surroundings.first().map_or(f64::MAX, |panel| flat(colour.minus(panel), Difference::Colour).length())
    };
    let own_tint = if colourful > 0.0 { tint(high) >= tint(low) } else { tint(low) >= tint(high) };
    if own_tint {
        evidence += strength * colourful.signum();
    }
    // It stands out from the panel; a cell in the panel's own colour is an empty one.
    let ratio = |around: &Lab| (high.distance(around) + 0.02) / (low.distance(around) + 0.02);
    // Where the ground is darker than the one and brighter than the other, only a clear difference from a light
    // ground tells that the darker one is lit.
    let unclear = |around: &Lab| {
        let between = (low.l.min(high.l) + BRIGHTER..high.l.max(low.l) - BRIGHTER).contains(&around.l);
        let for_darker = (ratio(around) > 1.0) == (high.l < low.l);
        between && for_darker && (around.l < LIGHT || ratio(around).ln().abs() < 3.0f64.ln())
    };
    if let Some(panel) = surroundings.first().filter(|panel| !unclear(panel)) {
        let strength = match ratio(panel).ln().abs() {
            apart if apart >= 6.0f64.ln() => 2.0,
            apart if apart >= 2.0f64.ln() => 1.5,
            apart if apart >= 1.3f64.ln() => 1.0,
            _ => 0.0,
        };
        evidence += strength * ratio(panel).ln().signum();
    }
    // The same against what shows between the cells, which may be a border and says less.
    if let Some(gap) = surroundings.get(1).filter(|gap| !unclear(gap))
        && ratio(gap).ln().abs() >= 1.3f64.ln()
    {
        evidence += 0.5 * ratio(gap).ln().signum();
    }
    // On dark it is the brighter one.
    if surroundings.iter().all(|around| around.l < 0.5) && (high.l - low.l).abs() >= 0.08 {
        evidence += (high.l - low.l).signum();
    }
    // Most steps of most patterns are empty.
    if share_of_high <= 0.4 {
        evidence += 1.0;
    } else if share_of_high >= 0.6 {
        evidence -= 1.0;
    }
    evidence
}
