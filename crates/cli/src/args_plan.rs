//! Arguments of `surehand plan`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::{BrowserArguments, ConsentArguments};
use crate::args_referee::RefereeArguments;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  surehand plan check contacts.yaml\n  surehand plan run contacts.yaml --brain anthropic --secret password=env:CRM_PASSWORD -o contacts.csv\n  surehand plan run --resume last\n\nWhat a plan is: docs/plans.md; examples: examples/plans"
)]
pub(crate) struct PlanArguments {
    #[command(subcommand)]
    pub(crate) command: PlanCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Say everything that is wrong with a plan, or what it needs and gives
    Check(PlanCheck),
    /// Run a plan, or go on with one that was interrupted
    Run(Box<PlanRunArguments>),
    /// Print the JSON Schema of plans, for editors
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct PlanCheck {
    /// The plan, in YAML or JSON
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) values: PlanValues,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a plan is started with.
#[derive(Debug, Args, Default)]
pub(crate) struct PlanValues {
    /// A value that the plan declares, like crm=http://127.0.0.1:4310; may be given several times
    #[arg(long, value_name = "NAME=TEXT")]
    pub(crate) value: Vec<String>,
    /// A JSON file with an object of such values; for lists and rows
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A checkpoint is written after every step. Ctrl-C, a crash or a kill loses at most the call under way; --resume goes on\nin a new browser with the same logins, in the same run and the same trace.\n\nExamples:\n  surehand plan run examples/plans/contacts-to-csv.yaml --brain anthropic --secret password=env:CRM_PASSWORD -o contacts.csv\n  surehand plan run import.yaml --values people.json --brain 'exec:python3 brain.py' --confirm none\n  surehand plan run --resume 01J --secret password=env:CRM_PASSWORD -o contacts.csv\n\nExit codes: 0 success, 1 not achieved, 2 wrong usage, 3 uncertain, 4 something broke, 130 interrupted"
)]
pub(crate) struct PlanRunArguments {
    /// The plan, in YAML or JSON
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) file: Option<PathBuf>,
    /// Go on with the plan of an earlier run, from its checkpoint
    #[arg(long, value_name = "RUN", conflicts_with_all = ["value", "values"])]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) values: PlanValues,
    /// Who decides: anthropic, openai, gemini, chat:MODEL@URL, exec:COMMAND or script:FILE [default with --resume: as before]
    #[arg(long, value_name = "SPEC")]
    pub(crate) brain: Option<String>,
    /// Where to write what was collected: one table as .csv, or everything with its evidence as .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// With -o FILE.csv: which table, where the plan has several
    #[arg(long, value_name = "TABLE", requires = "output")]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
    #[command(flatten)]
    pub(crate) referee: RefereeArguments,
    /// Steps that brains may take for the whole plan, beside its own budgets [default: 30 for each step of it]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<String>,
    /// Time for the whole plan, like 90s or 5m, beside its own budgets [default: 10m for each step of it]
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Time the brain may take for one reply [default: 120s]
    #[arg(long, value_name = "TIME")]
    pub(crate) brain_timeout: Option<String>,
    /// Dollars the brain may cost in all
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<String>,
    /// Print one event per line as JSON on stdout; the last one is the result
    #[arg(long)]
    pub(crate) json: bool,
}
