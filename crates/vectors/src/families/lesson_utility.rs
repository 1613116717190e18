//! Family `lesson_utility`.

use serde_json::json;
use surehand_memory::outcome::Outcome;

use super::{input, lessons};
use crate::{Case, Place, same};

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let outcome: Outcome = input(&case.input)?;
    let answer = json!({ "utility": lessons::rounded(outcome.utility()) });
    same(&case.expect, &lessons::near(&case.expect, &answer))
}
