// A small seeded number generator (SplitMix64). Our own, because the seed data must stay the same
// for years, and general-purpose libraries change their streams between versions.

/// Deterministic numbers from a seed.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including `limit`; 0 when `limit` is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        // The bias of a plain remainder is far too small to see in sample data.
        self.next().checked_rem(limit).unwrap_or(0)
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One item of a list that is not empty.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let index = self.below(items.len() as u64) as usize;
        &items[index]
    }
}

/// A number nobody can guess or repeat, for session tokens. Kept apart from [`Random`], which is
/// repeatable on purpose.
pub(crate) fn unrepeatable() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        // Published test vector of SplitMix64 for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(random.below(0), 0);
    }
}
