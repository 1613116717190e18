//! `surehand completions SHELL`.

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArguments};
use crate::exit::Failure;

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<i32, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "surehand", &mut script);
    crate::output::write(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(0)
}
