//! Everything that reads outside text, each as a target: a generator of input and a check that must
//! hold for all of it. No panic, one bounded sentence for what is wrong, bounded time. The tests of this
//! crate run each target for a moment, `cargo xtask fuzz` for as long as it is told.

pub mod generate;
mod regressions;
mod runner;
mod targets;

pub use regressions::{folder as regressions_folder, inputs as regression_inputs, keep as keep_regression};
pub use runner::{Failure, Outcome, check_one, run};
pub use targets::TARGETS;

use proptest::strategy::BoxedStrategy;

/// One thing that reads.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// Cases of a short run, so that all targets together stay below half a minute.
    pub cases: u32,
    pub input: fn() -> BoxedStrategy<Vec<u8>>,
    /// Says in one sentence what does not hold. A panic counts as well.
    pub check: fn(&[u8]) -> Result<(), String>,
}

/// Holds or says why not.
pub(crate) fn holds(condition: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(otherwise()) }
}

/// The longest that a sentence about wrong input may be: nobody reads more, and it goes into traces.
pub(crate) const LONGEST_SENTENCE: usize = 4000;

pub(crate) fn is_sentence(text: &str) -> Result<(), String> {
    let shown: String = text.chars().take(200).collect();
    holds(!text.trim().is_empty(), || "it was refused without a word".into())?;
    holds(text.len() <= LONGEST_SENTENCE, || format!("the sentence has {} bytes: {shown}", text.len()))
}
