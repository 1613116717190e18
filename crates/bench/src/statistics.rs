//! The two figures that are reported of a list of times.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Times {
    pub(crate) p50_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) count: usize,
}

impl Times {
    /// `None` without any sample.
    pub(crate) fn of(samples: &[f64]) -> Option<Times> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Times { p50_ms: nearest_rank(&sorted, 50)?, p95_ms: nearest_rank(&sorted, 95)?, count: sorted.len() })
    }
}

/// The smallest sample that at least so many percent do not exceed: always one that was measured.
fn nearest_rank(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_samples() {
        let samples: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(Times::of(&samples), Some(Times { p50_ms: 10.0, p95_ms: 19.0, count: 20 }));
        assert_eq!(Times::of(&[7.0]), Some(Times { p50_ms: 7.0, p95_ms: 7.0, count: 1 }));
        assert_eq!(Times::of(&[]), None);
    }
}
