//! Whether a look can show anything new: what was last shown, against what there is now. By hashes, so whoever makes
//! them decides what counts as a change; those of masked or perceptual frames let a page's own life pass.

/// Whether there is anything new at the place that a call would look at, since it was last shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ground {
    Unchanged,
    Changed,
    /// Not compared. Never held against the brain.
    #[default]
    Unknown,
}

/// What the brain was last shown.
#[derive(Debug, Clone, Default)]
pub struct LastSeen {
    hash: String,
}

impl LastSeen {
    /// Told with every frame that goes to the brain.
    pub fn shown(&mut self, hash: &str) {
        self.hash = hash.to_string();
    }

    /// Asked before a look. An empty hash is none.
    pub fn ground(&self, now: &str) -> Ground {
        match (self.hash.as_str(), now) {
            ("", _) | (_, "") => Ground::Unknown,
            (last, now) if last == now => Ground::Unchanged,
            _ => Ground::Changed,
        }
    }
}
