//! Failures in a row: when the brain has to stop and say what it will do differently. Nothing here looks
//! inside a fingerprint; whoever makes them decides what counts as the same failure.

/// How much is known about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hardness {
    /// The call ran and changed nothing.
    Soft,
    /// The call could not be carried out.
    Hard,
}

/// Why a reflection is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection {
    SameFailure,
    HardFailures,
}

impl Reflection {
    /// The line that is put into the next turn.
    pub fn words(self) -> &'static str {
        match self {
            Reflection::SameFailure => {
                "The same failure came twice. Before the next call, say in one sentence why it failed and what you \
                 will do differently."
            }
            Reflection::HardFailures => {
                "Two calls could not be carried out. Before the next call, say in one sentence what stood in the way \
                 and how you will get around it."
            }
        }
    }
}

/// Remembered failures since the last verified effect.
#[derive(Debug, Clone, Default)]
pub(super) struct Failures {
    fingerprints: Vec<String>,
    hard: u32,
}

/// Older ones are forgotten: a run that fails in this many ways without any effect was told before.
const REMEMBERED: usize = 16;
const HARD_LIMIT: u32 = 2;

impl Failures {
    pub(super) fn note(&mut self, fingerprint: &str, hardness: Hardness) -> Option<Reflection> {
        if let Some(index) = self.fingerprints.iter().position(|known| known == fingerprint) {
            self.fingerprints.remove(index);
            self.hard = 0;
            return Some(Reflection::SameFailure);
        }
        if self.fingerprints.len() == REMEMBERED {
            self.fingerprints.remove(0);
        }
        self.fingerprints.push(fingerprint.to_string());
        if hardness == Hardness::Hard {
            self.hard += 1;
        }
        if self.hard >= HARD_LIMIT {
            self.hard = 0;
            return Some(Reflection::HardFailures);
        }
        None
    }

    pub(super) fn forget(&mut self) {
        *self = Failures::default();
    }
}
