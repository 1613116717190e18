//! The `test` command: everything that has to hold before a change is merged. It is as strict on a
//! desk as it is for a merge, because it is the same command.

use std::env;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use crate::counting::{self, Runner};
use crate::llm::{self, ModelServer};
use crate::presence::command_path;
use crate::{cargo, setup, tidy};

/// Runs `cargo xtask test [--no-tidy] [--with-llm | --only-llm] [ARGS…]`.
pub(crate) fn command(arguments: &[String]) -> Result<ExitCode> {
    // The runner would answer with its own help, after everything was installed and tidied.
    if arguments.first().is_some_and(|first| first == "--help" || first == "-h") {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let plan = Plan::read(arguments, command_path("cargo-nextest").is_some());
    setup::ensure(&["browser", "test", "desktop"])?;
    let server = if plan.steps.iter().any(|step| step.wants_model) { Some(ModelServer::ensure()?) } else { None };
    let mut report = Vec::new();
    let mut all_good = true;
    if plan.tidy {
        // The reference pages are compared by a test of the program too. Here it would have to be built by itself, with
        // other features, and nearly everything twice.
        let failed = tidy::failed_parts(|part| part != "docs");
        all_good &= failed.is_empty();
        report.push(if failed.is_empty() {
            "tidy passed".to_owned()
        } else {
            format!("tidy FAILED: {}", failed.join(", "))
        });
    } else {
        report.push("tidy was not run".to_owned());
    }
    // The tests run even after a finding above: one run should show all there is to fix.
    for step in &plan.steps {
        let (passed, line) = step.run(server.as_ref().filter(|_| step.wants_model))?;
        all_good &= passed;
        report.push(line);
    }
    if plan.narrowed {
        report.push("only what the given arguments select was tested".to_owned());
    }
    println!();
    for line in report {
        println!("test: {line}");
    }
    println!("test: {}", if all_good { "PASSED" } else { "FAILED" });
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const HELP: &str = "\
usage: cargo xtask test [--no-tidy] [--with-llm | --only-llm] [ARGS…]

  --no-tidy   only the tests, without the lints
  --with-llm  also the tests with a real model server, which is installed and started
  --only-llm  only those
  ARGS        go to cargo nextest, or where that is not installed to cargo test

  cargo xtask test
  cargo xtask test --no-tidy -p surehand-plan
  cargo xtask test --no-tidy -p surehand-cli --test serve plans::
";

const TEST_DEADLINE: Duration = Duration::from_secs(90 * 60);

#[derive(Debug, PartialEq, Eq)]
struct Plan {
    tidy: bool,
    /// Whether arguments for the runner were given, which may leave tests out.
    narrowed: bool,
    steps: Vec<Step>,
}

#[derive(Debug, PartialEq, Eq)]
struct Step {
    what: &'static str,
    runner: Runner,
    arguments: Vec<String>,
    /// A workspace may well have no doc tests; having no tests at all is a mistake.
    may_be_empty: bool,
    /// Whether it needs the real model server.
    wants_model: bool,
}

/// Which tests are wanted beside, or instead of, the usual ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Model {
    Without,
    With,
    Only,
}

impl Plan {
    fn read(arguments: &[String], with_nextest: bool) -> Self {
        let own_end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        let (mut tidy, mut model) = (true, Model::Without);
        let mut extra = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            match argument.as_str() {
                "--no-tidy" if index < own_end => tidy = false,
                "--with-llm" if index < own_end => model = Model::With,
                "--only-llm" if index < own_end => model = Model::Only,
                _ => extra.push(argument.clone()),
            }
        }
        let narrowed = !extra.is_empty();
        let base: &[&str] = if with_nextest { &["nextest", "run"] } else { &["test", "--no-fail-fast"] };
        let base: Vec<String> = base.iter().map(|word| (*word).to_owned()).collect();
        if model == Model::Only {
            return Self { tidy: false, narrowed, steps: vec![model_step(base, extra, with_nextest)] };
        }
        let mut words = base.clone();
        // The whole workspace, unless packages are named.
        let names_package = |word: &String| word.starts_with("-p") || word.starts_with("--package");
        if !extra.iter().take_while(|word| *word != "--").any(names_package) {
            words.push("--workspace".to_owned());
        }
        words.extend(extra);
        let mut steps = vec![Step {
            what: "tests",
            runner: if with_nextest { Runner::Nextest } else { Runner::Cargo },
            arguments: words,
            may_be_empty: false,
            wants_model: false,
        }];
        // nextest cannot run doc tests. With arguments of its own they are left out, since those
        // would mean something else, or nothing, to `cargo test`.
        if with_nextest && !narrowed {
            steps.push(Step {
                what: "doc tests",
                runner: Runner::Cargo,
                arguments: ["test", "--workspace", "--doc", "--no-fail-fast"].map(str::to_owned).into(),
                may_be_empty: true,
                wants_model: false,
            });
        }
        if model == Model::With {
            // What narrows the others would mean nothing here: a name that fits no test fails the run.
            steps.push(model_step(base, Vec::new(), with_nextest));
        }
        Self { tidy, narrowed, steps }
    }
}

/// The tests with a real model server, one at a time: each of them keeps every core busy.
fn model_step(mut words: Vec<String>, extra: Vec<String>, with_nextest: bool) -> Step {
    words.extend(["--package", llm::PACKAGE, "--test", llm::TARGET].map(str::to_owned));
    if with_nextest {
        words.push("--test-threads=1".to_owned());
        words.extend(extra);
    } else {
        let split = extra.iter().position(|word| word == "--").unwrap_or(extra.len());
        words.extend_from_slice(&extra[..split]);
        words.extend(["--", "--test-threads=1"].map(str::to_owned));
        words.extend(extra.into_iter().skip(split + 1));
    }
    Step {
        what: "tests with a model server",
        runner: if with_nextest { Runner::Nextest } else { Runner::Cargo },
        arguments: words,
        may_be_empty: false,
        wants_model: true,
    }
}

impl Step {
    fn run(&self, server: Option<&ModelServer>) -> Result<(bool, String)> {
        let words: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        println!("test: cargo {}", words.join(" "));
        let mut command = cargo::at_root(&words)?;
        if let Some(server) = server {
            command.envs(server.variables());
        }
        // We read the runner's output, so it cannot see for itself that a person watches.
        if std::io::stderr().is_terminal() && env::var_os("CARGO_TERM_COLOR").is_none() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let (ended, counts) = counting::run(&mut command, self.runner, TEST_DEADLINE)?;
        let what = self.what;
        let counting::Counts { passed, failed, skipped } = counts;
        let skipped_part = if skipped > 0 { format!(", {skipped} not run") } else { String::new() };
        if !ended.succeeded() {
            return Ok((
                false,
                format!("{what} FAILED: {passed} passed, {failed} failed{skipped_part}; the runner {ended}"),
            ));
        }
        // A success that executed nothing, or whose report we cannot read, proves nothing.
        if passed == 0 && !self.may_be_empty {
            return Ok((false, format!("{what} FAILED: no test was executed{skipped_part}")));
        }
        Ok((true, format!("{passed} {what} passed{skipped_part}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn commands(arguments: &str, with_nextest: bool) -> Vec<String> {
        let plan = Plan::read(&words(arguments), with_nextest);
        plan.steps.iter().map(|step| step.arguments.join(" ")).collect()
    }

    #[test]
    fn nextest_is_followed_by_the_doc_tests() {
        assert_eq!(commands("", true), ["nextest run --workspace", "test --workspace --doc --no-fail-fast"]);
    }

    #[test]
    fn cargo_test_runs_everything_in_one_go() {
        assert_eq!(commands("", false), ["test --no-fail-fast --workspace"]);
    }

    #[test]
    fn arguments_reach_the_runner_and_packages_replace_the_workspace() {
        assert_eq!(commands("some_name", true), ["nextest run --workspace some_name"]);
        assert_eq!(commands("-p xtask", true), ["nextest run -p xtask"]);
        assert_eq!(
            commands("--no-tidy --package=xtask -- --exact a", false),
            ["test --no-fail-fast --package=xtask -- --exact a"]
        );
    }

    #[test]
    fn no_tidy_is_ours_only_before_the_dashes() {
        assert!(Plan::read(&[], true).tidy);
        assert!(!Plan::read(&words("--no-tidy"), true).tidy);
        assert!(Plan::read(&words("-- --no-tidy"), true).tidy);
        assert!(!Plan::read(&words("--no-tidy"), true).narrowed);
    }

    #[test]
    fn the_model_server_comes_only_when_it_is_asked_for() {
        let group = "nextest run --package surehand-cli --test llm --test-threads=1";
        assert_eq!(commands("--with-llm some_name", true), ["nextest run --workspace some_name", group]);
        assert_eq!(commands("--only-llm", true), [group]);
        assert_eq!(commands("--only-llm slow", true), [format!("{group} slow")]);
        assert_eq!(
            commands("--only-llm slow -- --exact", false),
            ["test --no-fail-fast --package surehand-cli --test llm slow -- --test-threads=1 --exact"]
        );
        assert!(Plan::read(&words("--with-llm"), true).tidy && !Plan::read(&words("--only-llm"), true).tidy);
        assert!(Plan::read(&[], true).steps.iter().all(|step| !step.wants_model));
    }

    #[test]
    fn only_doc_tests_may_be_none() {
        for step in Plan::read(&[], true).steps {
            assert_eq!(step.may_be_empty, step.what == "doc tests");
        }
    }
}
