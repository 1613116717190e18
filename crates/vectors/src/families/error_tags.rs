//! Family `error_tags`. More tags than expected are allowed; what is expected has to be there.

use serde::Deserialize;
use surehand_memory::tags::{UNCATEGORIZED, is_our_own, tags_of};

use super::error_fingerprint::Texts;
use super::input;
use crate::{Case, Place};

#[derive(Deserialize)]
struct Expected {
    tags: Vec<String>,
}

pub(super) fn run(case: &Case, _place: Place<'_>) -> Result<(), String> {
    let given: Texts = input(&case.input)?;
    let expected: Expected = input(&case.expect)?;
    let mut tags = tags_of(&given.failure());
    // Where only tags of our own apply, the cases know none.
    if tags.iter().all(|tag| is_our_own(tag)) {
        tags.push(UNCATEGORIZED.to_string());
    }
    match expected.tags.iter().find(|tag| !tags.contains(tag)) {
        Some(missing) => Err(format!("the tags are {tags:?}, expected {missing:?} among them")),
        None => Ok(()),
    }
}
