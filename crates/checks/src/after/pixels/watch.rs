//! What becomes of each tile while an action is watched: a change that came with the action and
//! stays tells of it; one that goes on changing, or comes again, is the picture's own life.

use std::collections::BTreeMap;

use surehand_types::{Frame, Pixels};

use super::changed::without_carets;
use super::tiles::{TileSet, changed_tiles};

/// A change later than this after the action needs another sign to be its doing.
const SOON_MS: f64 = 600.0;

/// Two changes of a tile further apart than this are two events, not one that takes a while.
const APART_MS: f64 = 350.0;

/// What goes on changing for longer than this does not end: fades and charts that draw themselves are done by then.
const ENDLESS_MS: f64 = 1500.0;

/// Frames after an action, compared as they come.
#[derive(Debug)]
pub struct Watch {
    before: Frame,
    last: Frame,
    last_at: f64,
    seen: u32,
    tiles: BTreeMap<usize, Times>,
    /// Where carets blinked, if they are told apart.
    blinks: Option<TileSet>,
}

#[derive(Debug, Clone, Copy)]
struct Times {
    /// The first change was in the first frame after the action, or soon after it.
    soon: bool,
    first: f64,
    last: f64,
    events: u32,
    /// Frames in which it changed.
    changes: u32,
}

/// The tiles of a watch, sorted by what they tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Changed with the action, once, and are different still.
    pub stayed: TileSet,
    /// Changed more than once, or without an end.
    pub restless: TileSet,
    /// Changed once, too late to be tied to the action by its time.
    pub late: TileSet,
    /// Of the ones that stayed, some were changing still when last seen.
    pub going_on: bool,
}

impl Watch {
    pub fn from(before: Frame) -> Watch {
        Watch { last: before.clone(), last_at: 0.0, before, seen: 0, tiles: BTreeMap::new(), blinks: None }
    }

    /// Carets that blink are told apart from everything else, for pictures without a tree.
    #[must_use]
    pub fn telling_carets(self) -> Watch {
        Watch { blinks: Some(TileSet::none_of(&self.before.pixels)), ..self }
    }

    /// One more frame, some milliseconds after the action. Frames that cannot be compared are passed over.
    pub fn see(&mut self, frame: &Frame, at: f64) {
        let Some(mut changed) = changed_tiles(&self.last, frame) else { return };
        if let Some(blinks) = self.blinks.take() {
            let others = without_carets(&self.last, frame, changed.clone());
            self.blinks = Some(blinks.with(&changed.without(&others)));
            changed = others;
        }
        let soon = self.seen == 0 || at <= SOON_MS;
        for tile in changed.tiles() {
            let times = self.tiles.entry(tile).or_insert(Times { soon, first: at, last: at, events: 1, changes: 0 });
            if at - times.last > APART_MS {
                times.events += 1;
            }
            times.last = at;
            times.changes += 1;
        }
        self.seen += 1;
        self.last_at = at;
        self.last = frame.clone();
    }

    pub(super) fn pixels(&self) -> &Pixels {
        &self.before.pixels
    }

    /// The frame that everything is compared with, and the newest one.
    pub fn ends(&self) -> (&Frame, &Frame) {
        (&self.before, &self.last)
    }

    /// The tiles whose first change was seen by then, in milliseconds after the action.
    pub fn changed_by(&self, at: f64) -> TileSet {
        let mut set = TileSet::none_of(&self.before.pixels);
        for tile in self.tiles.iter().filter(|(_, times)| times.first <= at).map(|(tile, _)| *tile) {
            set.insert(tile);
        }
        set
    }

    /// Tiles that changed in so many frames: they move on, and are not waited for.
    pub fn busy(&self, frames: u32) -> TileSet {
        let mut set = TileSet::none_of(&self.before.pixels);
        for tile in self.tiles.iter().filter(|(_, times)| times.changes >= frames).map(|(tile, _)| *tile) {
            set.insert(tile);
        }
        set
    }

    /// Where carets blinked or moved; nothing where they are not told apart.
    pub fn blinks(&self) -> TileSet {
        self.blinks.clone().unwrap_or_else(|| TileSet::none_of(&self.before.pixels))
    }

    /// When one of the tiles last changed.
    pub fn last_change(&self, among: &TileSet) -> Option<f64> {
        let times = among.tiles().filter_map(|tile| self.tiles.get(&tile));
        times.map(|times| times.last).reduce(f64::max)
    }

    pub fn moved(&self) -> Option<Moved> {
        let different = changed_tiles(&self.before, &self.last)?;
        let none = TileSet::none_of(&self.before.pixels);
        let mut moved = Moved { stayed: none.clone(), restless: none.clone(), late: none, going_on: false };
        for (tile, times) in &self.tiles {
            if times.events > 1 || times.last - times.first > ENDLESS_MS {
                moved.restless.insert(*tile);
            } else if times.soon {
                moved.stayed.insert(*tile);
                // One frame alone cannot tell what goes on.
                moved.going_on |= times.last > times.first && self.last_at - times.last < APART_MS;
            } else {
                moved.late.insert(*tile);
            }
        }
        moved.stayed = moved.stayed.within(&different);
        moved.late = moved.late.within(&different);
        Some(moved)
    }
}

#[cfg(test)]
mod tests {
    use surehand_types::Encoding;

    use super::super::tiles::tests::frame;
    use super::*;

    fn numbered(id: u64, spots: &[(u32, u32, u8)]) -> Frame {
        Frame { id, ..frame(spots, Encoding::Png) }
    }

    fn counts(moved: &Moved) -> (usize, usize, usize) {
        (moved.stayed.count(), moved.restless.count(), moved.late.count())
    }

    #[test]
    fn what_came_with_the_action_and_stays_is_told_from_what_moves_on() {
        let mut watch = Watch::from(numbered(1, &[]));
        watch.see(&numbered(2, &[(2, 2, 9), (40, 40, 1)]), 120.0);
        watch.see(&numbered(3, &[(2, 2, 9), (40, 40, 2)]), 700.0);
        watch.see(&numbered(4, &[(2, 2, 9), (40, 40, 3), (20, 2, 5)]), 1300.0);
        let moved = watch.moved().unwrap();
        assert_eq!(counts(&moved), (1, 1, 1));
    }

    #[test]
    fn a_fade_is_one_event_and_a_flash_leaves_nothing() {
        let mut watch = Watch::from(numbered(1, &[]));
        for (id, at, value) in [(2, 100.0, 20), (3, 300.0, 40), (4, 500.0, 60), (5, 1500.0, 60)] {
            watch.see(&numbered(id, &[(2, 2, value)]), at);
        }
        assert_eq!(counts(&watch.moved().unwrap()), (1, 0, 0));
        let mut watch = Watch::from(numbered(1, &[]));
        watch.see(&numbered(2, &[(2, 2, 9)]), 100.0);
        watch.see(&numbered(3, &[]), 300.0);
        assert_eq!(counts(&watch.moved().unwrap()), (0, 0, 0));
    }

    #[test]
    fn what_does_not_end_is_the_pictures_own_life() {
        let seen = |until: u64| {
            let mut watch = Watch::from(numbered(1, &[]));
            for step in 0..10 {
                let value = u8::try_from(step.min(until)).unwrap() + 1;
                watch.see(&numbered(2 + step, &[(2, 2, value)]), 100.0 + 250.0 * step as f64);
            }
            let moved = watch.moved().unwrap();
            (counts(&moved), moved.going_on)
        };
        assert_eq!(seen(9), ((0, 1, 0), false));
        // A chart that draws itself for a second.
        assert_eq!(seen(4), ((1, 0, 0), false));
        let mut watch = Watch::from(numbered(1, &[]));
        for (id, at) in [(2, 100.0), (3, 350.0), (4, 600.0)] {
            watch.see(&numbered(id, &[(2, 2, id as u8)]), at);
        }
        assert!(watch.moved().unwrap().going_on);
    }

    #[test]
    fn the_first_frame_counts_as_soon_however_long_it_took() {
        let mut watch = Watch::from(numbered(1, &[]));
        watch.see(&numbered(2, &[(2, 2, 9)]), 2500.0);
        assert_eq!(counts(&watch.moved().unwrap()), (1, 0, 0));
    }
}
