//! The binary: arguments become settings, settings become a call. No logic of its own beyond that.

mod args;
mod args_lessons;
mod args_plan;
mod args_referee;
mod args_routine;
mod args_serve;
mod ask;
mod commands;
mod consent;
mod environment;
mod exit;
mod logging;
mod output;
mod progress;
mod routines;
mod secrets;
mod settings;
mod signals;

use clap::Parser;

use args::{Arguments, Command};
use exit::Failure;

fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to stdout and are a success; everything else is a usage error.
            let _ = error.print();
            return exit::code(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // A plan that goes on within a server is deep; the memory is only taken where it is used.
        .thread_stack_size(8 * 1024 * 1024)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("surehand: cannot start: {error}");
            return exit::code(4);
        }
    };
    let result = runtime.block_on(dispatch(arguments));
    // Helper threads (reading stdin) may still wait for input that never comes.
    runtime.shutdown_background();
    match result {
        Ok(code) => exit::code(code),
        Err(Failure { code, message }) => {
            if !message.is_empty() {
                eprintln!("surehand: {}", logging::clean(&message));
            }
            exit::code(code)
        }
    }
}

async fn dispatch(arguments: Arguments) -> Result<i32, Failure> {
    let settings = settings::load(&arguments.common)?;
    logging::start(&settings);
    match arguments.command {
        Command::Demo(command) => commands::demo::demo(command, settings).await,
        Command::Run(command) => commands::run::run(*command, settings).await,
        Command::Replay(command) => commands::replay::replay(*command, settings).await,
        Command::Plan(command) => commands::plan::plan(*command, settings).await,
        Command::Tools(command) => commands::tools::tools(command, settings).await,
        Command::Serve(command) => commands::serve::serve(*command, settings).await,
        Command::Report(command) => commands::report::report(command, &settings).await,
        Command::Runs(command) => commands::runs::runs(command, &settings).await,
        Command::Session(command) => commands::session::session(command, &settings).await,
        Command::Policy(command) => commands::policy::policy(command, &settings),
        Command::Audit(command) => commands::audit::audit(command, &settings).await,
        Command::Judge(command) => commands::judge::judge(command, settings).await,
        Command::Contract(command) => commands::contract::contract(command),
        Command::Eval(command) => commands::eval::eval(*command, settings).await,
        Command::Lessons(command) => commands::lessons::lessons(command, &settings).await,
        Command::Inspect(command) => commands::inspect::inspect(command).await,
        Command::Ablate(command) => commands::ablate::ablate(command, &settings).await,
        Command::Sites(command) => commands::sites::sites(command).await,
        Command::Prompt(command) => commands::prompt::prompt(&command),
        Command::Doctor(command) => commands::doctor::doctor(command, &settings).await,
        Command::Completions(command) => commands::completions::completions(&command),
        Command::Docs(command) => commands::docs::docs(&command),
    }
}
