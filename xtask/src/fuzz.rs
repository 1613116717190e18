//! The `fuzz` command: made-up input for everything that reads outside text, for as long as one likes.
//! The same checks run for a moment with the tests.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::cargo;

const PACKAGE: &str = "surehand-fuzz";

/// Runs `cargo xtask fuzz [--minutes N] [--only NAME]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    // A debug build, because it also stops at an overflow.
    let status = cargo::at_root(&["run", "--quiet", "--package", PACKAGE, "--"])?
        .args(arguments)
        .status()
        .context("cargo cannot be started")?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
