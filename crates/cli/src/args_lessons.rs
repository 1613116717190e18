//! The command line of `surehand lessons`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use surehand_memory::Status;

#[derive(Debug, Args)]
#[command(
    after_help = "A lesson is something that a run found out about a site: what had no effect, and what worked. It becomes a hint only\nafter a run that a referee decided. Ids can be cut short.\n\nExamples:\n  surehand lessons                               the same as `lessons ls`\n  surehand lessons ls --origin shop.example --status promoted\n  surehand lessons show 4f2a                     one lesson with everything that happened to it\n  surehand lessons why last                      which lessons the last run was shown, why, and what came of it\n  surehand lessons suppress 4f2a                 never show it again; --lift takes that back\n  surehand lessons stats -o lessons.html         how useful they were, over time\n  surehand lessons export -o lessons.jsonl && surehand lessons import lessons.jsonl"
)]
pub(crate) struct LessonsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<LessonsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LessonsCommand {
    /// List lessons, the latest changed first
    #[command(after_help = "Examples:\n  surehand lessons ls\n  surehand lessons ls --origin 127.0.0.1:4310 --json")]
    Ls(ListArguments),
    /// Show one lesson and what happened to it
    #[command(after_help = "Example:\n  surehand lessons show lsn_4f2a")]
    Show {
        /// Its id, or the beginning of it
        id: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Say which lessons a run was shown, why, and what came of it
    #[command(after_help = "Examples:\n  surehand lessons why last\n  surehand lessons why 01j9 --json")]
    Why {
        /// A run: last, or its id or the beginning of it
        run: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Never show a lesson again; no run can bring it back
    #[command(after_help = "Examples:\n  surehand lessons suppress 4f2a\n  surehand lessons suppress 4f2a --lift")]
    Suppress {
        /// Its id, or the beginning of it
        id: String,
        /// Take the suppression back: the lesson has to prove itself anew
        #[arg(long)]
        lift: bool,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Vouch for a lesson: it is shown where it fits, whatever runs said
    #[command(after_help = "Example:\n  surehand lessons promote 4f2a")]
    Promote {
        /// Its id, or the beginning of it
        id: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write all lessons as JSON lines
    #[command(
        after_help = "Examples:\n  surehand lessons export > lessons.jsonl\n  surehand lessons export -o lessons.jsonl"
    )]
    Export {
        /// The file to write [default: stdout]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Add the lessons of a file; what others say of them is not believed
    #[command(
        after_help = "Lessons of others start as candidates in doubt: they become hints once a run of yours confirms them.\n\nExamples:\n  surehand lessons import theirs.jsonl\n  surehand lessons import backup.jsonl --own"
    )]
    Import {
        /// A file that `lessons export` wrote
        file: PathBuf,
        /// It is a backup of your own: trust and counts are taken as they are
        #[arg(long)]
        own: bool,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// How many lessons there are, and how useful they were
    #[command(after_help = "Examples:\n  surehand lessons stats\n  surehand lessons stats -o lessons.html")]
    Stats {
        /// Also write a page with utility over time
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args, Default)]
pub(crate) struct ListArguments {
    /// Only those of one site or application, like shop.example or app:lmms
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Option<String>,
    /// Only those with this status
    #[arg(long, value_enum)]
    pub(crate) status: Option<ListedStatus>,
    /// How many [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) limit: Option<u32>,
    /// One JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ListedStatus {
    Candidate,
    Promoted,
    Suppressed,
    Archived,
}

impl From<ListedStatus> for Status {
    fn from(status: ListedStatus) -> Status {
        match status {
            ListedStatus::Candidate => Status::Candidate,
            ListedStatus::Promoted => Status::Promoted,
            ListedStatus::Suppressed => Status::Suppressed,
            ListedStatus::Archived => Status::Archived,
        }
    }
}
