//! Draws sequencers from a seed: sizes, colours, themes, gaps, shading, muting, covers.

use surehand_types::Pixels;

/// A small generator with a seed, the same on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        (self.next() % u64::from(limit.max(1))) as u32
    }

    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

pub(crate) type Rgb = [u8; 3];

pub(crate) fn canvas(width: u32, height: u32, colour: Rgb) -> Pixels {
    let rgb = colour.iter().copied().cycle().take((width * height * 3) as usize).collect();
    Pixels::new(width, height, rgb).unwrap()
}

pub(crate) fn fill(pixels: &mut Pixels, x0: u32, y0: u32, x1: u32, y1: u32, colour: Rgb) {
    for y in y0..y1.min(pixels.height) {
        for x in x0..x1.min(pixels.width) {
            pixels.set(x, y, colour);
        }
    }
}

pub(crate) fn mix(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let blend = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    [blend(from[0], to[0]), blend(from[1], to[1]), blend(from[2], to[2])]
}

/// How the cells look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skin {
    pub(crate) panel: Rgb,
    pub(crate) unlit: Rgb,
    /// Unlit cells of every second group of four.
    pub(crate) shaded: Rgb,
    pub(crate) lit: Rgb,
    pub(crate) border: Option<Rgb>,
}

/// Where the cells are, and which are lit.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) columns: u32,
    pub(crate) cell: (u32, u32),
    pub(crate) gap: u32,
    pub(crate) row_gap: u32,
    /// A larger gap after every fourth cell.
    pub(crate) group_gap: u32,
    pub(crate) lit: Vec<Vec<bool>>,
    /// How strongly each lit cell is lit, 0 to 1.
    pub(crate) strength: Vec<Vec<f64>>,
    pub(crate) muted: Vec<bool>,
    /// How much of the panel's colour a muted row takes on.
    pub(crate) dimming: f64,
}

impl Layout {
    pub(crate) fn column(&self, column: u32) -> u32 {
        self.left + column * (self.cell.0 + self.gap) + column / 4 * self.group_gap
    }

    pub(crate) fn row(&self, row: u32) -> u32 {
        self.top + row * (self.cell.1 + self.row_gap)
    }

    pub(crate) fn right(&self) -> u32 {
        self.column(self.columns - 1) + self.cell.0
    }

    pub(crate) fn bottom(&self) -> u32 {
        self.row(self.lit.len() as u32 - 1) + self.cell.1
    }
}

pub(crate) fn layout(dice: &mut Dice) -> Layout {
    let columns = dice.pick(&[8, 12, 16, 16, 16, 24, 32]);
    let width = dice.between(12, 1000 / columns - 6).min(52);
    let rows = dice.between(2, 8);
    let density = dice.pick(&[5, 20, 35, 50, 80]);
    let lit = (0..rows).map(|_| (0..columns).map(|_| dice.chance(density)).collect()).collect();
    let strength = vec![vec![1.0; columns as usize]; rows as usize];
    Layout {
        left: dice.between(60, 140),
        top: dice.between(40, 120),
        columns,
        cell: (width, dice.between(12, 44)),
        gap: dice.between(2, 5),
        row_gap: dice.between(3, 12),
        group_gap: if dice.chance(25) { dice.between(4, 6) } else { 0 },
        lit,
        strength,
        dimming: 0.45,
        muted: (0..rows).map(|_| dice.chance(15)).collect(),
    }
}

pub(crate) fn draw(layout: &Layout, skin: &Skin, size: (u32, u32)) -> Pixels {
    let mut pixels = canvas(size.0, size.1, skin.panel);
    for (row, cells) in layout.lit.iter().enumerate() {
        for (column, lit) in cells.iter().enumerate() {
            let (x, y) = (layout.column(column as u32), layout.row(row as u32));
            let unlit = if (column / 4) % 2 == 0 { skin.unlit } else { skin.shaded };
            let mut colour = if *lit { mix(unlit, skin.lit, layout.strength[row][column]) } else { unlit };
            let mut border = skin.border;
            if layout.muted[row] {
                colour = mix(colour, skin.panel, layout.dimming);
                border = border.map(|border| mix(border, skin.panel, layout.dimming));
            }
            let (x1, y1) = (x + layout.cell.0, y + layout.cell.1);
            match border {
                Some(border) => {
                    fill(&mut pixels, x, y, x1, y1, border);
                    fill(&mut pixels, x + 1, y + 1, x1 - 1, y1 - 1, colour);
                }
                None => fill(&mut pixels, x, y, x1, y1, colour),
            }
        }
    }
    pixels
}
