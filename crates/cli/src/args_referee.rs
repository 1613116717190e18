//! The command line of whatever looks at outcomes: reading a picture, contracts, verdicts.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Who judges a run beside its brain.
#[derive(Debug, Args, Default)]
pub(crate) struct RefereeArguments {
    /// What has to hold at the end, as a contract file; it decides over success and exit code
    #[arg(long, value_name = "FILE")]
    pub(crate) contract: Option<PathBuf>,
    /// Model that looks at the last frame, apart from the brain: anthropic, openai, gemini or chat:MODEL@URL
    #[arg(long, value_name = "SPEC")]
    pub(crate) judge: Option<String>,
    /// Let the judge alone decide where there is no contract: --accept judge
    #[arg(long, value_name = "WHO")]
    pub(crate) accept: Option<String>,
    /// A folder that checks of the contract may look into, by name; may be given several times
    #[arg(long, value_name = "NAME=DIR")]
    pub(crate) root: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand inspect --frame shot.png\n  surehand inspect --frame shot.png --annotate seen.png\n  surehand inspect --frame shot.png --json | jq '.rows[] | {label, on: [.cells[] | select(.state==\"on\").index]}'"
)]
pub(crate) struct InspectArguments {
    /// The picture: PNG or JPEG
    #[arg(long, value_name = "FILE")]
    pub(crate) frame: PathBuf,
    /// Which texts are read: all, those beside rows, or none
    #[arg(long, value_name = "WHICH", default_value = "all", value_parser = ["all", "beside", "none"])]
    pub(crate) text: String,
    /// Write the picture with everything that was found marked in it
    #[arg(long, value_name = "FILE")]
    pub(crate) annotate: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Checks that need more than a picture (pages, files, servers) are unknown with --frame, unless files and\nservers can still be asked.\n\nExamples:\n  surehand judge --contract four.json --frame end.png\n  surehand judge --contract order.json --run last\n  surehand judge --contract four.json --frame end.png --judge chat:qwen3-vl@http://127.0.0.1:8080/v1 --task \"Set the kick\"\n\nExit codes: 0 pass, 1 fail, 3 uncertain"
)]
pub(crate) struct JudgeArguments {
    /// The contract file
    #[arg(long, value_name = "FILE")]
    pub(crate) contract: PathBuf,
    /// Judge a picture: PNG or JPEG
    #[arg(long, value_name = "FILE", required_unless_present = "run", conflicts_with = "run")]
    pub(crate) frame: Option<PathBuf>,
    /// Judge the last frame of a run: its id, the beginning of it, or "last"
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Model that looks at the frame as well
    #[arg(long, value_name = "SPEC")]
    pub(crate) judge: Option<String>,
    /// What was to be done, for the judge [default: the run's task]
    #[arg(long, value_name = "TEXT")]
    pub(crate) task: Option<String>,
    /// A folder that checks may look into, by name; may be given several times
    #[arg(long, value_name = "NAME=DIR")]
    pub(crate) root: Vec<String>,
    /// A secret that headers of `http` checks name as <secret:NAME>, from env:VAR, file:PATH or cmd:COMMAND; sent only to where
    /// the run began, or to the origins after @. May be given several times
    #[arg(long, value_name = "NAME[@ORIGIN]=SOURCE")]
    pub(crate) secret: Vec<String>,
    /// Folder for the parts of the frame that checks looked at
    #[arg(long, value_name = "DIR")]
    pub(crate) crops: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand contract check order.json\n  surehand contract schema > contract.schema.json    for editors"
)]
pub(crate) struct ContractArguments {
    #[command(subcommand)]
    pub(crate) command: ContractCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContractCommand {
    /// Say whether a file is a contract, or what is wrong with it
    Check {
        /// The contract file
        file: PathBuf,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of contracts
    Schema,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Each run starts anew: a browser or a desktop of its own, after --setup. The setup command finds the number of the run in\nRUN_NUMBER and its seed in RUN_SEED.\n\nExamples:\n  surehand eval examples/lmms/contract.json --task \"Put a kick on every beat and save\" \\\n      --desktop xvfb:1280x720 --app 'sh examples/lmms/start.sh' --brain script:examples/lmms/script.json --runs 5\n  surehand eval order.json --task \"Order two kettles\" --url https://shop.example/ --brain anthropic --judge openai -o eval.html\n  surehand eval memory --runs 5 -o memory.html     do lessons save steps, and can they be misled?"
)]
pub(crate) struct EvalArguments {
    /// What has to hold at the end of every run; or the word memory, for the benchmark of lessons
    pub(crate) contract: PathBuf,
    /// What to do, in words [default: what the contract says about itself]
    #[arg(long, value_name = "TEXT")]
    pub(crate) task: Option<String>,
    /// Page to start on
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Who decides: anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND or script:FILE
    #[arg(long, value_name = "SPEC")]
    pub(crate) brain: Option<String>,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) runs: u32,
    /// Steps that each run may take
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) max_steps: String,
    #[command(flatten)]
    pub(crate) browser: crate::args::BrowserArguments,
    #[command(flatten)]
    pub(crate) consent: crate::args::ConsentArguments,
    /// Model that looks at the last frame of every run, apart from the brain
    #[arg(long, value_name = "SPEC")]
    pub(crate) judge: Option<String>,
    /// A folder that checks of the contract may look into, by name; may be given several times
    #[arg(long, value_name = "NAME=DIR")]
    pub(crate) root: Vec<String>,
    /// A second contract that knows the truth by other ways (files, servers, databases); it is only counted
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// Command that brings everything back to the start, run before each run
    #[arg(long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,
    /// Seed of the first run; the others count up
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Also write one self-contained HTML page
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print one JSON object with every run instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}
