//! Family `tool_input_validation`: the structure of a tool's input.

use serde::Deserialize;
use serde_json::{Value, json};
use surehand_checks::before::tool_input::check_input;

use super::input;
use crate::{Case, Place, same};

#[derive(Deserialize)]
struct Input {
    schema: Value,
    input: Value,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Input = input(&case.input)?;
    same(&case.expect, &json!({ "valid": check_input(&given.schema, &given.input).is_ok() }))
}
