//! How often a judge said what of dead and of live clicks, and how sure such a share is.

use serde::Serialize;
use surehand_sites::fault::Fate;

use super::trial::Said;

/// Of a normal distribution, for 95 of 100.
const Z: f64 = 1.96;

/// Rows: dead, live. Columns as in `Said::ALL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(super) struct Matrix {
    pub(super) dead: [usize; 4],
    pub(super) live: [usize; 4],
}

/// A share with the range in which the true one probably is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Share {
    pub(super) count: usize,
    pub(super) of: usize,
    pub(super) percent: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Matrix {
    pub(super) fn of(judgements: impl Iterator<Item = (Fate, Said)>) -> Matrix {
        let mut matrix = Matrix::default();
        for (fate, said) in judgements {
            let row = if fate == Fate::Dead { &mut matrix.dead } else { &mut matrix.live };
            row[said as usize] += 1;
        }
        matrix
    }

    pub(super) fn row(&self, fate: Fate) -> [usize; 4] {
        if fate == Fate::Dead { self.dead } else { self.live }
    }

    /// `None` where there was no such click.
    pub(super) fn share(&self, fate: Fate, said: Said) -> Option<Share> {
        let row = self.row(fate);
        Share::wilson(row[said as usize], row.iter().sum())
    }
}

impl Share {
    /// The interval of Wilson, which is honest near 0 and 100 percent too.
    fn wilson(count: usize, of: usize) -> Option<Share> {
        if of == 0 {
            return None;
        }
        let (part, size) = (count as f64 / of as f64, of as f64);
        let centre = part + Z * Z / (2.0 * size);
        let spread = Z * (part * (1.0 - part) / size + Z * Z / (4.0 * size * size)).sqrt();
        let scale = 1.0 + Z * Z / size;
        let percent = |value: f64| (100.0 * value).clamp(0.0, 100.0);
        Some(Share {
            count,
            of,
            percent: percent(part),
            low: percent((centre - spread) / scale),
            high: percent((centre + spread) / scale),
        })
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Share { count, of, percent, low, high } = self;
        write!(formatter, "{percent:.1} % ({count} of {of}; 95 % interval {low:.1} to {high:.1} %)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_intervals() {
        let said = [(Fate::Dead, Said::NoEffect), (Fate::Dead, Said::Confirmed), (Fate::Live, Said::Other)];
        let matrix = Matrix::of(said.into_iter());
        assert_eq!(matrix, Matrix { dead: [1, 1, 0, 0], live: [0, 0, 0, 1] });
        assert_eq!(Matrix::default().share(Fate::Dead, Said::NoEffect), None);
        // Known values: 10 of 10 gives 72.2 to 100, 5 of 10 gives 23.7 to 76.3.
        let share = |count| Share::wilson(count, 10).unwrap();
        assert!((share(10).low - 72.2).abs() < 0.1 && share(10).high == 100.0);
        assert!((share(5).low - 23.7).abs() < 0.1 && (share(5).high - 76.3).abs() < 0.1);
    }
}
