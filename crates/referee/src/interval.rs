//! Exact binomial intervals (Clopper and Pearson). "No false pass in 40 runs" says less than it sounds, and the
//! interval says how much.

/// The 95 % interval of a rate of which `hits` of `total` were seen; `[0, 1]` where nothing was.
pub fn exact_interval(hits: u64, total: u64) -> [f64; 2] {
    const HALF: f64 = 0.025;
    let hits = hits.min(total);
    let lower = if hits == 0 { 0.0 } else { solve(|p| at_least(hits, total, p) < HALF) };
    let upper = if hits == total { 1.0 } else { solve(|p| at_least(hits + 1, total, p) < 1.0 - HALF) };
    [lower, upper]
}

/// The point up to which something holds.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Each round halves the distance; 60 are all that a float can tell apart.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if holds(middle) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The chance of at least so many hits.
fn at_least(hits: u64, total: u64, p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return if p >= 1.0 || hits == 0 { 1.0 } else { 0.0 };
    }
    let (ln_p, ln_q) = (p.ln(), (-p).ln_1p());
    // The logarithm of each term from the one before, so that nothing overflows.
    let mut ln_choose = 0.0;
    let mut sum = 0.0;
    for k in 0..=total {
        if k > 0 {
            ln_choose += ((total - k + 1) as f64).ln() - (k as f64).ln();
        }
        if k >= hits {
            sum += (ln_choose + k as f64 * ln_p + (total - k) as f64 * ln_q).exp();
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        // From tables and R's binom.test.
        for (hits, total, [low, high]) in [
            (0, 0, [0.0, 1.0]),
            (0, 10, [0.0, 0.308_497]),
            (10, 10, [0.691_503, 1.0]),
            (3, 5, [0.146_633, 0.947_255]),
            (5, 10, [0.187_086, 0.812_914]),
            (0, 300, [0.0, 0.012_221]),
            (95, 100, [0.887_165, 0.983_571]),
        ] {
            let got = exact_interval(hits, total);
            assert!((got[0] - low).abs() < 1e-5 && (got[1] - high).abs() < 1e-5, "{hits}/{total}: {got:?}");
        }
    }
}
