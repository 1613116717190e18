//! `cargo xtask`: the chores of this repository. It depends on almost nothing, because it is what
//! installs the things the rest needs. This file only finds the command and turns its result into
//! an exit code; each command has its own file.

mod bench;
mod cargo;
mod counting;
mod demo;
mod edges;
mod fuzz;
mod install;
mod llm;
mod openapi;
mod packages;
mod presence;
mod process;
mod setup;
mod test;
mod text;
mod tidy;
mod usage;
mod vectors;

use std::env;
use std::process::ExitCode;

use anyhow::Result;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            if error.is::<usage::UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

struct Entry {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<ExitCode>,
}

const COMMANDS: &[Entry] = &[
    Entry {
        name: "setup",
        arguments: "[GROUP…]",
        help: "install the system packages of a group (browser, test, desktop, bench, python)",
        run: setup::command,
    },
    Entry {
        name: "demo",
        arguments: "[desktop|serve] [ARGS…]",
        help: "build Surehand and run its demo: in a browser, on a desktop, or as a server with web pages",
        run: demo::command,
    },
    Entry {
        name: "test",
        arguments: "[--no-tidy] [--with-llm | --only-llm] [ARGS…]",
        help: "run tidy and every test; --with-llm: also those with a real model server",
        run: test::command,
    },
    Entry { name: "ci", arguments: "[ARGS…]", help: "the same as test", run: test::command },
    Entry {
        name: "tidy",
        arguments: "[PART…]",
        help: "check crate edges, reference docs, format, clippy and the text of the files",
        run: tidy::command,
    },
    Entry {
        name: "bench",
        arguments: "[NAME] [ARGS…]",
        help: "run the benchmarks, or one of them",
        run: bench::command,
    },
    Entry {
        name: "vectors",
        arguments: "DIR",
        help: "run a folder of conformance cases, family by family",
        run: vectors::command,
    },
    Entry {
        name: "fuzz",
        arguments: "[--minutes N] [--only NAME]",
        help: "feed made-up input to everything that reads outside text",
        run: fuzz::command,
    },
    Entry {
        name: "openapi",
        arguments: "[ARGS…]",
        help: "let schemathesis ask a server everything that its description allows, and more",
        run: openapi::command,
    },
    Entry { name: "help", arguments: "", help: "show this list", run: help },
];

fn dispatch(arguments: &[String]) -> Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        help(&[])?;
        return Ok(ExitCode::from(2));
    };
    if name == "--help" || name == "-h" {
        return help(&[]);
    }
    match COMMANDS.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.run)(rest),
        None => {
            let known: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
            Err(usage::unknown("command", name, &known))
        }
    }
}

fn help(_: &[String]) -> Result<ExitCode> {
    println!("usage: cargo xtask COMMAND\n");
    let forms: Vec<String> = COMMANDS.iter().map(|entry| format!("{} {}", entry.name, entry.arguments)).collect();
    let width = forms.iter().map(|form| form.chars().count()).max().unwrap_or(0);
    for (entry, form) in COMMANDS.iter().zip(forms) {
        println!("  {form:<width$}  {}", entry.help);
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_a_usage_error_with_a_near_name() {
        let error = dispatch(&["tets".to_owned()]).unwrap_err();
        assert!(error.is::<usage::UsageError>());
        assert!(error.to_string().contains("did you mean `test`"), "{error}");
    }
}
