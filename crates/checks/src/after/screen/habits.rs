//! What a screen does by itself: clocks, meters, a cursor that plays. Learnt while nobody acts, so that
//! it is not taken for the effect of an action.

use std::collections::VecDeque;

use surehand_types::{Pixels, ViewBox, ViewSize};

use crate::after::pixels::TileSet;

/// How many looks at an idle screen are remembered.
const REMEMBERED: usize = 6;

/// A meter or a playing cursor moves on to the tiles beside those it was seen in.
const REACH: u32 = 2;

#[derive(Debug, Clone, Default)]
pub struct Habits {
    /// What changed while nobody acted, the newest last.
    idle: VecDeque<TileSet>,
    /// What changed again and again while an action was watched.
    restless: VecDeque<TileSet>,
}

impl Habits {
    /// These tiles changed between two looks with no action between them.
    pub fn saw_idle(&mut self, tiles: TileSet) {
        remember(&mut self.idle, tiles);
    }

    /// These tiles went on changing after an action.
    pub fn saw_restless(&mut self, tiles: TileSet) {
        if !tiles.is_empty() {
            remember(&mut self.restless, tiles);
        }
    }

    /// Where it changes by itself for sure: at least twice while nobody acted, or without an end. Once
    /// may have been the late echo of an action.
    pub fn certain(&self, like: &TileSet) -> TileSet {
        let mut certain = nothing(like);
        let idle: Vec<TileSet> =
            matching(&self.idle, like).filter(|set| !set.is_empty()).map(|set| set.grown(REACH)).collect();
        for (index, one) in idle.iter().enumerate() {
            for other in &idle[index + 1..] {
                certain = certain.with(&one.clone().within(other));
            }
        }
        matching(&self.restless, like).fold(certain, |all, set| all.with(&set.grown(1)))
    }

    /// Where it was seen to change by itself at all.
    pub fn suspected(&self, like: &TileSet) -> TileSet {
        let all = matching(&self.idle, like).fold(nothing(like), |all, set| all.with(&set.grown(REACH)));
        matching(&self.restless, like).fold(all, |all, set| all.with(&set.grown(1)))
    }

    /// The certain ones as boxes in view pixels.
    pub fn boxes(&self, pixels: &Pixels, view: ViewSize) -> Vec<ViewBox> {
        self.certain(&TileSet::none_of(pixels)).rows(pixels, view)
    }
}

fn remember(list: &mut VecDeque<TileSet>, tiles: TileSet) {
    // A picture of another size is another picture.
    list.retain(|known| known.same_grid(&tiles));
    list.push_back(tiles);
    if list.len() > REMEMBERED {
        list.pop_front();
    }
}

fn matching<'a>(list: &'a VecDeque<TileSet>, like: &'a TileSet) -> impl Iterator<Item = &'a TileSet> {
    list.iter().filter(|known| known.same_grid(like))
}

fn nothing(like: &TileSet) -> TileSet {
    like.clone().without(like)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{VIEW, blank, tiles_at};
    use super::*;

    #[test]
    fn once_is_suspected_and_twice_is_certain() {
        let mut habits = Habits::default();
        let clock = tiles_at(&[(100, 8)]);
        habits.saw_idle(clock.clone());
        assert!(habits.certain(&clock).is_empty());
        assert!(!habits.suspected(&clock).within(&clock).is_empty());
        habits.saw_idle(tiles_at(&[]));
        habits.saw_idle(clock.clone());
        assert!(!habits.certain(&clock).within(&clock).is_empty());
        assert!(!habits.boxes(&blank(), VIEW).is_empty());
    }

    #[test]
    fn a_cursor_that_moves_on_is_one_habit() {
        let mut habits = Habits::default();
        habits.saw_idle(tiles_at(&[(40, 40)]));
        habits.saw_idle(tiles_at(&[(70, 40)]));
        let next = tiles_at(&[(60, 40)]);
        assert_eq!(habits.certain(&next).within(&next), next);
        let far = tiles_at(&[(200, 100)]);
        assert!(habits.certain(&far).within(&far).is_empty());
    }

    #[test]
    fn what_is_long_past_is_forgotten() {
        let mut habits = Habits::default();
        habits.saw_restless(tiles_at(&[(8, 8)]));
        for _ in 0..REMEMBERED {
            habits.saw_restless(tiles_at(&[(200, 100)]));
        }
        let first = tiles_at(&[(8, 8)]);
        assert!(habits.certain(&first).within(&first).is_empty());
    }
}
