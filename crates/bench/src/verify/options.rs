//! What the fault bench can be told on the command line.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options of verify")]
pub(crate) struct VerifyOptions {
    /// 120 clicks instead of 600
    #[arg(long)]
    pub(crate) quick: bool,
    /// So many clicks, half of them on dead controls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=20_000))]
    pub(crate) actions: Option<u64>,
    /// Only these, like kind=overlay,kind=flash,noise=clock,seed=7; a name not given means all, a seed one of our choice
    #[arg(long, value_name = "LIST")]
    pub(crate) only: Option<String>,
    /// Write the result as one HTML page
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
