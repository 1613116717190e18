//! The `bench` command: prepares the machine for the benchmarks and hands over to them. What is
//! measured, and how, belongs to the benchmark package.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::edges::package_names;
use crate::{cargo, setup};

const PACKAGE: &str = "surehand-bench";

/// Runs `cargo xtask bench [NAME] [ARGS…]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    // Asked before anything is installed, as there would be nothing to install it for.
    if !package_names(&cargo::metadata()?).contains(&PACKAGE.to_owned()) {
        bail!(
            "there are no benchmarks yet: this workspace has no package {PACKAGE}. \
             hint: update to a revision that has it"
        );
    }
    setup::ensure(&["browser"])?;
    // Without Node.js one rival is missing, which the benchmarks say themselves.
    if let Err(error) = setup::ensure(&["bench"]) {
        eprintln!("bench: going on without Playwright: {error:#}");
    }
    if arguments.iter().any(|argument| ["checks", "cost", "all"].contains(&argument.as_str()))
        && let Err(error) = setup::ensure(&["python"])
    {
        eprintln!("bench: going on without what is written in Python: {error:#}");
    }
    if arguments.iter().any(|argument| ["referee", "all"].contains(&argument.as_str())) {
        // Labels are read by Tesseract; without it, every row is one without a name.
        setup::ensure(&["test"])?;
    }
    if arguments.iter().any(|argument| ["desktop", "all"].contains(&argument.as_str())) {
        setup::ensure(&["desktop"])?;
    }
    eprintln!("bench: building in release mode; the first build takes some minutes");
    // Both at once: the benchmarks drive the program that users run.
    cargo::build_release(&["surehand-cli", PACKAGE])?;
    cargo::become_release_program(PACKAGE, arguments)
}
