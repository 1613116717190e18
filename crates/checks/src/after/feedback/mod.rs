//! The sentence that tells the brain what its last call left behind. `product_feedback` makes it from the
//! measured effect; `delta_feedback` is the wording that conformance vectors pin, from address, title and
//! focus alone. What a perceptual check adds to either has one wording.

mod delta;
mod lines;
mod product;

pub use delta::{FocusedField, StepFacts, TypingCheck, delta_feedback, with_check};
pub use lines::{FeedbackLine, FieldContent, sentence};
pub use product::{EffectFacts, PageState, product_feedback};

/// Said instead of a warning when the click did what a click into a field is for.
const TYPE_NOW: &str = "input field focused — type your text now (do not click it again)";

fn high_risk_warning(reason: &str) -> String {
    format!("WARNING: high-risk action had no observed effect ({reason})")
}
