//! The `vectors` command: runs a folder of conformance cases through the product's own code.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::{cargo, usage};

const PACKAGE: &str = "surehand-vectors";

/// Runs `cargo xtask vectors DIR`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    let [folder] = arguments else {
        return Err(usage::wrong("vectors takes one folder. hint: cargo xtask vectors crates/vectors/data/verify"));
    };
    // Cargo runs at the root of the workspace, the folder is meant from where one stands.
    let folder = std::path::absolute(folder).with_context(|| format!("{folder} is not a path"))?;
    let status = cargo::at_root(&["run", "--quiet", "--package", PACKAGE, "--"])?
        .arg(folder)
        .status()
        .context("cargo cannot be started")?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
