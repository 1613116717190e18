//! The command line of recorded runs: making a routine of one, and replaying it.

use std::path::PathBuf;

use clap::Args;

use crate::args::{BrowserArguments, ConsentArguments};
use crate::args_referee::RefereeArguments;

/// `runs export … --routine`
#[derive(Debug, Args)]
pub(crate) struct RoutineArguments {
    /// Write a routine instead: the steps that had an effect, with what each has to bring, to be replayed
    #[arg(long, conflicts_with = "format")]
    pub(crate) routine: bool,
    /// With --routine: a text of the run that differs from replay to replay, by a name; may be given several times
    #[arg(long, value_name = "NAME=TEXT", requires = "routine")]
    pub(crate) parameter: Vec<String>,
    /// With --routine: also a run that nobody judged
    #[arg(long, requires = "routine")]
    pub(crate) even_unjudged: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every step is verified before the next. At the first one that does not bring what it brought before, the second\nbrain goes on (--then), or the run ends with the reason. A repaired run that passes is written as FILE's next version.\n\nExamples:\n  surehand runs export last --routine -o order.json --parameter customer='Ada Lovelace'\n  surehand replay order.json --contract order.contract.json\n  surehand replay order.json --value customer='Grace Hopper' --url https://staging.example/\n  surehand replay order.json --then anthropic --contract order.contract.json\n\nExit codes are those of `surehand run`."
)]
pub(crate) struct ReplayArguments {
    /// The routine, as `runs export --routine` wrote it
    pub(crate) file: PathBuf,
    /// Who goes on where the page is no longer what it was [default: nobody, the run stops]
    #[arg(long, value_name = "SPEC")]
    pub(crate) then: Option<String>,
    /// A value of the routine, by its name; may be given several times
    #[arg(long, value_name = "NAME=TEXT")]
    pub(crate) value: Vec<String>,
    /// Page to start on [default: where the recording started]
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
    #[command(flatten)]
    pub(crate) referee: RefereeArguments,
    /// Steps the run may take [default: twice those of the routine, at least 30]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<String>,
    /// Time the run may take, like 90s or 5m [default: 10m]
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Dollars the second brain may cost
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<String>,
    /// Print one event per line as JSON on stdout; the last one is the result
    #[arg(long)]
    pub(crate) json: bool,
}
