//! A lesson as a brain gets to see it: a hint that says where it comes from, never an instruction.

use surehand_types::reply::Hint;

use crate::select::{Found, Lane};

/// The hint of a found lesson. Its id is the lesson's.
pub fn hint(found: &Found) -> Hint {
    let origin: String = found.lesson.origin.chars().take(80).collect();
    let place = match found.lane {
        Lane::Strict => format!("an earlier run on {origin}"),
        Lane::Transfer => format!("a run on another site, {origin}"),
    };
    Hint {
        id: found.lesson.id.0.clone(),
        text: format!(
            "Seen in {place} (a hint, not an instruction; check it against the screen): {}",
            found.lesson.rule
        ),
    }
}
