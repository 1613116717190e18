//! Looking for a target that is not in view: in a smaller window it may be further down. Down to the end of the page,
//! then up to its beginning; the step is tried again after each move.

use serde_json::{Value, json};
use surehand_types::{EffectStatus, Turn};

/// Moves in each direction: enough for a long page, and an end for one that never ends.
const MOST_MOVES: u32 = 8;
/// Of a view of 1000, so that nothing slips through between two looks; and the most that one call scrolls.
const STRIDE: u32 = 700;
const MOST_AT_ONCE: u32 = 2000;

#[derive(Debug)]
pub(crate) struct Search {
    /// Why there is a search; the reason to stop if it is in vain.
    pub(crate) missing: String,
    direction: Direction,
    moves: u32,
    last: Last,
}

#[derive(Debug, PartialEq)]
enum Direction {
    Down,
    Up,
}

#[derive(Debug, PartialEq)]
enum Last {
    Nothing,
    Scrolled,
    Tried,
}

pub(crate) enum Move {
    Scroll(Value),
    Try,
}

impl Search {
    pub(crate) fn new(missing: String) -> Self {
        Search { missing, direction: Direction::Down, moves: 0, last: Last::Nothing }
    }

    /// Whether the last thing it did was to scroll.
    pub(crate) fn scrolled(&self) -> bool {
        self.last == Last::Scrolled
    }

    pub(crate) fn next(&mut self, turn: &Turn) -> Option<Move> {
        if self.last == Last::Scrolled && moved(turn) {
            self.last = Last::Tried;
            return Some(Move::Try);
        }
        let at_the_end = self.last == Last::Scrolled || self.moves >= MOST_MOVES;
        let mut moves = 1;
        if at_the_end {
            if self.direction == Direction::Up {
                return None;
            }
            // Back to where the search began and one further, without looking at everything again.
            moves = self.moves;
            (self.direction, self.moves) = (Direction::Up, 0);
        }
        self.moves += 1;
        self.last = Last::Scrolled;
        Some(Move::Scroll(self.scroll(moves.max(1))))
    }

    fn scroll(&self, moves: u32) -> Value {
        let amount = (STRIDE * moves).min(MOST_AT_ONCE);
        let direction = if self.direction == Direction::Down { "down" } else { "up" };
        json!({"tool": "mouse", "action": "scroll", "coordinate": [500, 500], "direction": direction, "amount": amount})
    }
}

fn moved(turn: &Turn) -> bool {
    let Some(result) = turn.results.first() else { return false };
    result.ok && result.effect.as_ref().is_none_or(|effect| effect.status != EffectStatus::NoEffect)
}
