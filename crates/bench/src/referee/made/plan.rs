//! What a session looks like and what happens in it, all from a seed: the same seed makes the same frames.

use std::collections::BTreeMap;
use std::time::Duration;

use super::project::Pattern;

const NAMES: [&str; 16] = [
    "Kick",
    "Kick 2",
    "BD Deep",
    "Snare",
    "Rim Shot",
    "Clap",
    "Closed Hat",
    "Open Hat",
    "Low Tom",
    "High Tom",
    "Ride",
    "Crash",
    "Cowbell",
    "Shaker",
    "Maracas",
    "Conga",
];
/// Screens, and by how much the toolkit may enlarge on them.
const DISPLAYS: [((u32, u32), &[f64]); 6] = [
    ((1280, 720), &[1.0]),
    ((1280, 720), &[1.0, 1.25]),
    ((1366, 768), &[1.0, 1.25]),
    ((1600, 900), &[1.0, 1.25, 1.5]),
    ((1920, 1080), &[1.0, 1.25, 1.5, 2.0]),
    ((1024, 768), &[1.0]),
];
const STEPS: [u32; 10] = [16, 16, 16, 16, 8, 12, 24, 32, 32, 28];
const SHOTS: usize = 6;
/// What the editor needs above its rows, and for each of them, in pixels of the toolkit.
const HEAD: i64 = 80;
const ROW: i64 = 32;
/// What the mixer and the song editor take at least, in pixels of the toolkit.
const COVER: (i64, i64) = (420, 250);

/// One start of the application with its looks, and the pictures that are taken.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) display: (u32, u32),
    pub(super) scale: f64,
    pub(super) theme: &'static str,
    pub(super) compact: bool,
    /// Left, top, width and height of the editor within the main window, in pixels of the toolkit.
    pub(super) window: [i64; 4],
    /// Other windows that are open, by place and size; some of them lie over the editor.
    pub(super) covers: Vec<(&'static str, [i64; 4])>,
    pub(super) shots: Vec<Shot>,
}

#[derive(Debug, Clone)]
pub(super) struct Shot {
    pub(super) rows: Vec<Row>,
    pub(super) moment: Moment,
}

/// What goes on when the picture is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Rest,
    Playing {
        after: Duration,
    },
    /// A message about the saved file is shown.
    Saved,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) steps: u32,
    pub(super) muted: bool,
    /// Velocities by step, counted from 1.
    pub(super) lit: BTreeMap<u32, u32>,
}

impl Session {
    pub(super) fn of(seed: u64, number: u64) -> Session {
        let mut dice = Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(number));
        let (display, scales) = *dice.pick(&DISPLAYS);
        let scale = *dice.pick(scales);
        let logical = |pixels: u32| (f64::from(pixels) / scale) as i64;
        let (wide, high) = (logical(display.0) - 60, logical(display.1) - 140);
        let rows = rows(&mut dice);
        let width = dice.between(520, wide.min(1100));
        // Mostly as high as all rows need, sometimes too low for some of them.
        let needed = if dice.chance(85) { HEAD + ROW * rows.len() as i64 } else { 200 };
        let height = dice.between(needed, needed + 200).min(high);
        // Mostly where all of it is on the screen, sometimes over its edge.
        let over = if dice.chance(10) { 220 } else { 0 };
        let left = dice.between(0, (wide - width + over).max(0));
        let top = dice.between(0, (high - height + over / 2).max(0));
        let mut covers = Vec::new();
        if dice.chance(25) {
            for name in ["fxmixer", "song", "automationeditor"] {
                if dice.chance(50) {
                    let place = [left + dice.between(-200, width), top + dice.between(-100, height), COVER.0, COVER.1];
                    covers.push((name, place.map(|value| value.max(0))));
                }
            }
        }
        let shots = shots(&mut dice, rows, covers.is_empty());
        Session {
            display,
            scale,
            theme: if dice.chance(50) { "classic" } else { "default" },
            compact: dice.chance(15),
            window: [left, top, width, height],
            covers,
            shots,
        }
    }

    pub(super) fn described(&self) -> String {
        let rows = self.shots.first().map_or(0, |shot| shot.rows.len());
        format!("{:?} x{} {}, {rows} rows", self.display, self.scale, self.theme)
    }

    /// The session's rows with another pattern and nothing muted.
    pub(super) fn rows_with(&self, pattern: Pattern) -> Vec<Row> {
        let lit = |row: &Row| match pattern {
            Pattern::Empty => BTreeMap::new(),
            Pattern::Odd => (1..=row.steps).filter(|step| step % 2 == 1).map(|step| (step, 100)).collect(),
            Pattern::Even => (1..=row.steps).filter(|step| step % 2 == 0).map(|step| (step, 100)).collect(),
        };
        let rows = self.shots.first().map_or(&[][..], |shot| &shot.rows);
        rows.iter().map(|row| Row { muted: false, lit: lit(row), ..row.clone() }).collect()
    }
}

fn rows(dice: &mut Dice) -> Vec<Row> {
    let count = dice.between(2, 8) as usize;
    let steps = *dice.pick(&STEPS);
    let mixed = dice.chance(12);
    let mut names: Vec<&str> = NAMES.to_vec();
    let row = |_| {
        let name = names.remove(dice.below(names.len() as u64) as usize).to_string();
        let steps = if mixed && dice.chance(40) { *dice.pick(&STEPS) } else { steps };
        let density = *dice.pick(&[5, 15, 25, 25, 35, 35, 50, 85]);
        let lit = (1..=steps).filter(|_| dice.chance(density)).map(|step| (step, 100)).collect();
        Row { name, steps, muted: dice.chance(12), lit }
    };
    (0..count).map(row).collect()
}

/// One after the other, each with a few changes.
fn shots(dice: &mut Dice, mut rows: Vec<Row>, uncovered: bool) -> Vec<Shot> {
    let mut shots = Vec::new();
    for index in 0..SHOTS {
        if index > 0 {
            for _ in 0..dice.between(1, 5) {
                let row = dice.below(rows.len() as u64) as usize;
                change(dice, &mut rows[row]);
            }
        }
        // Now and then everything is muted, or the pattern is emptied.
        let odd = dice.below(100);
        let mut shown = rows.clone();
        match odd {
            0..=2 => shown.iter_mut().for_each(|row| row.muted = true),
            3..=5 => shown.iter_mut().for_each(|row| row.lit.clear()),
            _ => {}
        }
        let moment = match dice.below(100) {
            // Another window may lie over the play button.
            0..=34 if uncovered => Moment::Playing { after: Duration::from_millis(200 + dice.below(900)) },
            35..=54 => Moment::Saved,
            _ => Moment::Rest,
        };
        shots.push(Shot { rows: shown, moment });
    }
    shots
}

fn change(dice: &mut Dice, row: &mut Row) {
    match dice.below(10) {
        0 | 1 => row.muted = !row.muted,
        2..=4 => {
            let velocity = dice.between(4, 20) as u32 * 5;
            let lit: Vec<u32> = row.lit.keys().copied().collect();
            if !lit.is_empty() {
                row.lit.insert(*dice.pick(&lit), velocity);
            }
        }
        _ => {
            let step = dice.between(1, i64::from(row.steps)) as u32;
            if row.lit.remove(&step).is_none() {
                row.lit.insert(step, 100);
            }
        }
    }
}

/// Numbers that are the same for the same seed, on every machine and in every version (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next().checked_rem(limit).unwrap_or(0)
    }

    /// Both ends included.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high.saturating_sub(low).max(0) as u64 + 1) as i64
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}
