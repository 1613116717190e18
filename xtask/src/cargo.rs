//! Calls of cargo on this workspace: which cargo, where the workspace is, and what it holds.
//! One place, so that every command works from any directory and with the toolchain that
//! started xtask.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;

/// Long enough for a first build of everything on a small machine; ends what hangs.
pub(crate) const BUILD_DEADLINE: Duration = Duration::from_secs(60 * 60);

/// The directory of the workspace's `Cargo.toml`.
pub(crate) fn root() -> Result<PathBuf> {
    // Cargo sets the variable when it runs us; the compiled-in value serves a direct start.
    let own =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.parent().map(PathBuf::from).context("could not find the workspace above xtask")
}

/// A cargo command on this workspace, run from its root.
pub(crate) fn at_root(arguments: &[&str]) -> Result<Command> {
    let mut command = program();
    command.args(arguments).current_dir(root()?);
    Ok(command)
}

/// Builds packages in release mode.
pub(crate) fn build_release(packages: &[&str]) -> Result<()> {
    let mut arguments = vec!["build", "--release"];
    for package in packages {
        arguments.extend(["--package", package]);
    }
    let ended = process::run(&mut at_root(&arguments)?, BUILD_DEADLINE)?;
    if !ended.succeeded() {
        bail!("`cargo {}` {ended}", arguments.join(" "));
    }
    Ok(())
}

/// Hands over to a built program in the caller's directory, so that paths among its arguments mean
/// what the caller meant, and Ctrl-C and the exit code are the program's own.
pub(crate) fn become_release_program(package: &str, arguments: &[String]) -> Result<ExitCode> {
    let mut command = program();
    command
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(root()?.join("Cargo.toml"))
        .args(["--package", package, "--"])
        .args(arguments);
    process::become_program(&mut command)
}

/// What `cargo metadata` says about the packages of the workspace.
pub(crate) fn metadata() -> Result<Value> {
    let mut command = at_root(&["metadata", "--format-version", "1", "--no-deps"])?;
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output().context("could not start cargo")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("`cargo metadata` did not print JSON")
}

fn program() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}
