//! The routine file on disk.

use std::path::Path;

use surehand_types::routine::Routine;

use crate::error::BrainError;

/// A thousand steps take a few megabytes; more than this is a mistake.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

pub fn read_routine(path: &Path) -> Result<Routine, BrainError> {
    let shown = path.display();
    let unreadable = |error: &dyn std::fmt::Display| {
        BrainError::usage(
            format!("the routine {shown} cannot be read: {error}"),
            "surehand runs export RUN --routine -o FILE makes one",
        )
    };
    let length = std::fs::metadata(path).map_err(|error| unreadable(&error))?.len();
    if length > MAX_BYTES {
        return Err(unreadable(&format!("it has {length} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    Routine::parse(&text).map_err(|problem| {
        BrainError::usage(format!("the routine {shown} is wrong: {problem}"), "docs/routines.md describes the file")
    })
}
