//! Whether a frame differs from an earlier one by more than the page's own life: clocks, carousels,
//! and the blinking caret.

use surehand_types::{Frame, Observation, Pixels};

use super::tiles::{TileSet, changed_tiles};

/// A caret is a thin upright line.
const CARET_WIDTH: u32 = 3;
const CARET_HEIGHT: u32 = 64;

/// `None` where the two cannot be compared.
pub fn changed_beyond(before: &Observation, after: &Observation) -> Option<bool> {
    let changed = changed_tiles(&before.frame, &after.frame)?;
    if changed.is_empty() {
        return Some(false);
    }
    let pixels = &after.frame.pixels;
    let own = |observation: &Observation| TileSet::touched_by(&observation.restless, 0.0, pixels, observation.view);
    let changed = changed.without(&own(before)).without(&own(after));
    Some(!changed.is_empty() && !is_caret(&before.frame, &after.frame, &changed))
}

/// The tiles without the groups in which all that differs is a caret that blinks.
pub fn without_carets(before: &Frame, after: &Frame, tiles: TileSet) -> TileSet {
    // Many clusters are a busy picture, not a caret; looking at each would take long.
    let clusters = tiles.clusters();
    let few = clusters.len() <= 64;
    let carets = clusters.into_iter().filter(|cluster| few && is_caret(before, after, cluster));
    carets.fold(tiles, |left, caret| left.without(&caret))
}

/// Whether all that differs in the tiles fits into a caret.
fn is_caret(before: &Frame, after: &Frame, tiles: &TileSet) -> bool {
    if tiles.count() > 8 {
        return false;
    }
    let (old, new): (&Pixels, &Pixels) = (&before.pixels, &after.pixels);
    let differing: Vec<(u32, u32)> = tiles.pixels(new).filter(|(x, y)| old.at(*x, *y) != new.at(*x, *y)).collect();
    let span = |axis: fn(&(u32, u32)) -> u32| {
        let (low, high) = (differing.iter().map(axis).min(), differing.iter().map(axis).max());
        low.zip(high).map_or(0, |(low, high)| high - low + 1)
    };
    span(|spot| spot.0) <= CARET_WIDTH && span(|spot| spot.1) <= CARET_HEIGHT
}

#[cfg(test)]
mod tests {
    use surehand_types::{Encoding, Focus, ViewBox, ViewPoint};

    use super::super::tiles::tests::{VIEW, frame};
    use super::*;

    fn observation(spots: &[(u32, u32, u8)], restless: &[ViewBox]) -> Observation {
        Observation {
            frame: frame(spots, Encoding::Png),
            view: VIEW,
            url: None,
            title: None,
            focus: Focus::Unknown,
            tabs: Vec::new(),
            dialog: None,
            cursor: ViewPoint { x: 0, y: 0 },
            interactables: Vec::new(),
            masks: Vec::new(),
            restless: restless.to_vec(),
            complaint: None,
        }
    }

    #[test]
    fn a_clock_and_a_caret_are_no_change_and_everything_else_is() {
        let plain = observation(&[], &[]);
        let clock = ViewBox { x0: 32.0, y0: 0.0, x1: 48.0, y1: 16.0 };
        let wide: Vec<(u32, u32, u8)> = (20..30).map(|x| (x, 5, 9)).collect();
        let caret: Vec<(u32, u32, u8)> = (10..26).map(|y| (5, y, 9)).collect();
        assert_eq!(changed_beyond(&plain, &plain), Some(false));
        assert_eq!(changed_beyond(&plain, &observation(&wide, &[])), Some(true));
        assert_eq!(changed_beyond(&plain, &observation(&caret, &[])), Some(false));
        let ticks: Vec<(u32, u32, u8)> = (33..43).map(|x| (x, 5, 9)).collect();
        assert_eq!(changed_beyond(&plain, &observation(&ticks, &[])), Some(true));
        assert_eq!(changed_beyond(&plain, &observation(&ticks, &[clock])), Some(false));
        assert_eq!(changed_beyond(&observation(&[], &[clock]), &observation(&ticks, &[])), Some(false));
    }

    #[test]
    fn carets_are_taken_out_and_nothing_else() {
        let mut spots: Vec<(u32, u32, u8)> = (2..14).map(|y| (5, y, 9)).collect();
        spots.extend((40..50).map(|x| (x, 40, 9)));
        let (before, after) = (observation(&[], &[]).frame, observation(&spots, &[]).frame);
        let changed = changed_tiles(&before, &after).unwrap();
        let left = without_carets(&before, &after, changed.clone());
        assert_eq!((changed.count(), left.count()), (3, 2));
    }

    #[test]
    fn frames_that_cannot_be_compared_say_nothing() {
        let mut other = observation(&[], &[]);
        other.frame.encoding = Encoding::Jpeg;
        assert_eq!(changed_beyond(&observation(&[], &[]), &other), None);
    }
}
