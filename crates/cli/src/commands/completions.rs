//! `surehand completions SHELL`.

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArguments};
use crate::exit::Failure;

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<i32, Failure> {
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "surehand", &mut std::io::stdout());
    Ok(0)
}
