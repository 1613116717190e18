//! A picture in at most 256 colours: a screen has few that matter, and one byte a pixel packs three times as small
//! as three. By median cut over a histogram; our own because the well-known libraries are GPL or bring a colour
//! science along.

use surehand_types::Pixels;

/// Colours of a PNG palette.
const COLOURS: usize = 256;
/// Bits a channel keeps in the histogram.
const BITS: u32 = 6;
const SIDE: usize = 1 << BITS;

/// One byte a pixel, and what each byte stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    pub width: u32,
    pub height: u32,
    /// Three bytes a colour.
    pub palette: Vec<u8>,
    pub indices: Vec<u8>,
    /// Mean squared error of a channel, in squared steps of 0..=255.
    pub error: u32,
}

impl Indexed {
    /// With one more number for the pixels that are the same in both pictures, which stand for nothing new. `None` where
    /// these are less than `share` of all, or where there is no number left.
    pub fn where_changed(&self, before: &Pixels, after: &Pixels, share: f64) -> Option<(Indexed, u8)> {
        let number = u8::try_from(self.palette.len() / 3).ok()?;
        let pairs = before.rgb.chunks_exact(3).zip(after.rgb.chunks_exact(3));
        let mut same = 0_usize;
        let numbers = self.indices.iter().zip(pairs).map(|(index, (old, new))| match old == new {
            true => {
                same += 1;
                number
            }
            false => *index,
        });
        let indices: Vec<u8> = numbers.collect();
        if indices.len() != self.indices.len() || (same as f64) < share * indices.len() as f64 {
            return None;
        }
        let palette = [self.palette.as_slice(), &[0, 0, 0]].concat();
        Some((Indexed { palette, indices, ..self.clone() }, number))
    }
}

/// Sums of the pixels that fall into one cell of the histogram.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    count: u64,
    sum: [u64; 3],
    at: [u8; 3],
}

pub fn indexed(pixels: &Pixels) -> Indexed {
    indexed_in(pixels, COLOURS)
}

/// In at most this many colours, from 1 to 256.
pub fn indexed_in(pixels: &Pixels, colours: usize) -> Indexed {
    let mut histogram = vec![Cell::default(); SIDE * SIDE * SIDE];
    for pixel in pixels.rgb.chunks_exact(3) {
        let cell = &mut histogram[slot(pixel)];
        cell.count += 1;
        for ((sum, at), value) in cell.sum.iter_mut().zip(&mut cell.at).zip(pixel) {
            *sum += u64::from(*value);
            *at = value >> (8 - BITS);
        }
    }
    let mut cells: Vec<Cell> = histogram.iter().copied().filter(|cell| cell.count > 0).collect();
    let mut palette = Vec::new();
    let mut index_of = vec![0_u8; histogram.len()];
    for (number, group) in groups(&mut cells, colours.clamp(1, COLOURS)).into_iter().enumerate() {
        palette.extend(mean(group));
        for cell in group {
            let [r, g, b] = cell.at.map(usize::from);
            // There are never more groups than colours, so the number fits.
            index_of[(r * SIDE + g) * SIDE + b] = number as u8;
        }
    }
    let indices: Vec<u8> = pixels.rgb.chunks_exact(3).map(|pixel| index_of[slot(pixel)]).collect();
    let error = error(pixels, &palette, &indices);
    Indexed { width: pixels.width, height: pixels.height, palette, indices, error }
}

fn slot(pixel: &[u8]) -> usize {
    let [r, g, b] = [pixel[0], pixel[1], pixel[2]].map(|value| usize::from(value >> (8 - BITS)));
    (r * SIDE + g) * SIDE + b
}

/// Cuts the group whose colours differ most, weighted by how many pixels have them, until there are enough.
fn groups(cells: &mut [Cell], colours: usize) -> Vec<&[Cell]> {
    let mut ranges = Vec::from([std::ops::Range { start: 0, end: cells.len() }]);
    let mut spreads = vec![spread(cells)];
    while ranges.len() < colours {
        let worst = (0..ranges.len()).max_by(|a, b| spreads[*a].0.total_cmp(&spreads[*b].0)).unwrap_or_default();
        let (weight, channel) = spreads[worst];
        if weight <= 0.0 {
            break;
        }
        let range = ranges[worst].clone();
        let group = &mut cells[range.clone()];
        group.sort_unstable_by_key(|cell| cell.at[channel]);
        let cut = range.start + middle(group, channel);
        ranges[worst] = range.start..cut;
        ranges.push(cut..range.end);
        spreads[worst] = spread(&cells[range.start..cut]);
        spreads.push(spread(&cells[cut..range.end]));
    }
    ranges.into_iter().map(|range| &cells[range]).collect()
}

/// How much would be gained by cutting the group, and along which channel: the variance times the number of pixels.
/// A root over the number keeps rare colours, such as a small red dot, from being swallowed.
fn spread(group: &[Cell]) -> (f64, usize) {
    if group.len() < 2 {
        return (0.0, 0);
    }
    let weight = |cell: &Cell| (cell.count as f64).sqrt();
    let total: f64 = group.iter().map(weight).sum();
    let mut best = (0.0, 0);
    for channel in 0..3 {
        let at = |cell: &Cell| f64::from(cell.at[channel]);
        let mean = group.iter().map(|cell| at(cell) * weight(cell)).sum::<f64>() / total;
        let variance: f64 = group.iter().map(|cell| (at(cell) - mean).powi(2) * weight(cell)).sum();
        if variance > best.0 {
            best = (variance, channel);
        }
    }
    best
}

/// Where to cut a sorted group: at its mean, so that far-away colours are parted from the crowd.
fn middle(group: &[Cell], channel: usize) -> usize {
    let weight = |cell: &Cell| (cell.count as f64).sqrt();
    let total: f64 = group.iter().map(weight).sum();
    let mean = group.iter().map(|cell| f64::from(cell.at[channel]) * weight(cell)).sum::<f64>() / total;
    let cut = group.partition_point(|cell| f64::from(cell.at[channel]) <= mean);
    cut.clamp(1, group.len() - 1)
}

fn mean(group: &[Cell]) -> [u8; 3] {
    let count: u64 = group.iter().map(|cell| cell.count).sum::<u64>().max(1);
    [0, 1, 2].map(|channel| {
        let sum: u64 = group.iter().map(|cell| cell.sum[channel]).sum();
        // A mean of bytes is a byte.
        ((sum + count / 2) / count) as u8
    })
}

fn error(pixels: &Pixels, palette: &[u8], indices: &[u8]) -> u32 {
    let mut sum = 0_u64;
    for (pixel, index) in pixels.rgb.chunks_exact(3).zip(indices) {
        let shown = &palette[usize::from(*index) * 3..][..3];
        sum += pixel.iter().zip(shown).map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum::<u64>();
    }
    u32::try_from(sum / pixels.rgb.len().max(1) as u64).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are() {
        let rgb: Vec<u8> = (0..64).flat_map(|i| if i % 7 == 0 { [255, 0, 0] } else { [250, 250, 250] }).collect();
        let got = indexed(&Pixels::new(8, 8, rgb.clone()).unwrap());
        assert_eq!(got.error, 0);
        let back: Vec<u8> = got.indices.iter().flat_map(|i| got.palette[usize::from(*i) * 3..][..3].to_vec()).collect();
        assert_eq!(back, rgb);
    }

    #[test]
    fn there_are_no_more_colours_than_asked_for() {
        let rgb: Vec<u8> = (0..64 * 64).flat_map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 90]).collect();
        let pixels = Pixels::new(64, 64, rgb).unwrap();
        for (asked, got) in [(0, 1), (1, 1), (16, 16), (500, 256)] {
            assert_eq!(indexed_in(&pixels, asked).palette.len(), got * 3, "{asked}");
        }
        assert!(indexed_in(&pixels, 16).error > indexed(&pixels).error);
    }

    #[test]
    fn what_did_not_change_has_a_number_of_its_own() {
        let before = Pixels::new(4, 1, vec![9; 12]).unwrap();
        let mut after = before.clone();
        after.set(2, 0, [200, 0, 0]);
        let few = indexed_in(&after, 255);
        let (changed, number) = few.where_changed(&before, &after, 0.7).unwrap();
        assert_eq!((usize::from(number), changed.palette.len()), (2, 9));
        assert_eq!(changed.indices, [2, 2, few.indices[2], 2]);
        assert_eq!(few.where_changed(&before, &after, 0.8), None);
        let other = Pixels::new(2, 1, vec![9; 6]).unwrap();
        assert_eq!(few.where_changed(&other, &after, 0.0), None, "of another size");
    }

    #[test]
    fn a_rare_colour_survives_a_crowd_of_others() {
        let mut rgb: Vec<u8> = (0..200 * 200).flat_map(|i| [(i % 200) as u8 / 2 + 100, 200, (i / 200) as u8]).collect();
        rgb[..12].copy_from_slice(&[255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0]);
        let got = indexed(&Pixels::new(200, 200, rgb).unwrap());
        assert_eq!(got.palette.len(), 256 * 3);
        let red = &got.palette[usize::from(got.indices[0]) * 3..][..3];
        assert!(red[0] > 240 && red[1] < 20 && red[2] < 20, "{red:?}");
        assert!(got.error < 20, "{}", got.error);
    }
}
