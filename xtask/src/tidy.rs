//! The `tidy` command: every check that is not a test. All parts run even when one fails, so that
//! one run shows everything there is to fix.

use std::process::ExitCode;

use anyhow::Result;

use crate::{cargo, edges, llm, process, text, usage};

/// Runs `cargo xtask tidy [PART…]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    let known: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
    for argument in arguments {
        if !known.contains(&argument.as_str()) {
            return Err(usage::unknown("part of tidy", argument, &known));
        }
    }
    let failed = failed_parts(|name| arguments.is_empty() || arguments.iter().any(|a| a == name));
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("tidy: failed: {}", failed.join(", "));
    Ok(ExitCode::FAILURE)
}

/// Runs the wanted parts and names those that failed.
pub(crate) fn failed_parts(wanted: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for (name, check) in PARTS.iter().filter(|(name, _)| wanted(name)) {
        // A part that cannot be run is a finding too, and must not hide the other parts.
        let findings = check().unwrap_or_else(|error| vec![format!("{error:#}")]);
        if findings.is_empty() {
            println!("tidy: {name} ok");
        } else {
            for finding in &findings {
                println!("tidy: {name}: {finding}");
            }
            failed.push(*name);
        }
    }
    failed
}

type Check = fn() -> Result<Vec<String>>;

// The quick ones first.
const PARTS: &[(&str, Check)] = &[
    ("edges", check_edges),
    ("text", check_text),
    ("openings", check_openings),
    ("format", check_format),
    ("clippy", check_clippy),
    ("docs", check_docs),
];

fn check_edges() -> Result<Vec<String>> {
    edges::findings(&cargo::metadata()?)
}

fn check_text() -> Result<Vec<String>> {
    let files = text::repository_files(&cargo::root()?)?;
    Ok(files.iter().flat_map(text::content_findings).collect())
}

fn check_openings() -> Result<Vec<String>> {
    let files = text::repository_files(&cargo::root()?)?;
    Ok(files.iter().filter_map(text::opening_findings).collect())
}

fn check_format() -> Result<Vec<String>> {
    run_cargo(&["fmt", "--all", "--check"], "run `cargo fmt --all`")
}

fn check_clippy() -> Result<Vec<String>> {
    let hint = "fix what is named above";
    let mut findings = run_cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], hint)?;
    // `--all-targets` leaves out the target that runs only on request. Of the whole workspace again, since the features
    // of one package alone would have its dependencies checked a second time.
    let on_request = ["clippy", "--workspace", "--test", llm::TARGET, "--", "-D", "warnings"];
    findings.extend(run_cargo(&on_request, hint)?);
    Ok(findings)
}

fn check_docs() -> Result<Vec<String>> {
    run_cargo(
        &["run", "--quiet", "--package", "surehand-cli", "--", "docs", "--check"],
        "run `cargo run -p surehand-cli -- docs` and commit what it writes",
    )
}

// The output goes to the terminal as it comes, because it is long and has its own form.
fn run_cargo(arguments: &[&str], hint: &str) -> Result<Vec<String>> {
    let ended = process::run(&mut cargo::at_root(arguments)?, cargo::BUILD_DEADLINE)?;
    if ended.succeeded() {
        return Ok(Vec::new());
    }
    let command = arguments.join(" ");
    Ok(vec![format!("`cargo {command}` {ended}. hint: {hint}")])
}
