//! The `demo` command: from a fresh clone to a running demo in one line.

use std::process::ExitCode;

use anyhow::Result;

use crate::{cargo, setup};

/// Runs `cargo xtask demo [desktop] [ARGS…]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    let group = if arguments.first().is_some_and(|word| word == "desktop") { "desktop" } else { "browser" };
    setup::ensure(&[group])?;
    eprintln!("demo: building surehand; the first build takes some minutes");
    cargo::build_release(&["surehand-cli"])?;
    let mut words = vec!["demo".to_owned()];
    words.extend_from_slice(arguments);
    cargo::become_release_program("surehand-cli", &words)
}
