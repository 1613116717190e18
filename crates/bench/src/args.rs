//! The command line of the benchmarks.

use clap::{Parser, ValueEnum};
use surehand_types::Encoding;

use crate::site::Aiming;
use crate::verify::VerifyOptions;

#[derive(Debug, Clone, Parser)]
#[command(
    name = "cargo xtask bench",
    about = "Measures Surehand beside a bare DevTools client and Playwright, and checks every click and frame.",
    after_help = "Compare figures of one run only: machines are noisy, ratios are less so.\n\nExamples:\n  cargo xtask bench                      step, start, memory and tools\n  cargo xtask bench step --format jpeg   only the step, with JPEG frames\n  cargo xtask bench stale --loaded       2000 clicks on a busy machine\n  cargo xtask bench verify -o a.html     who tells dead clicks from live ones\n  cargo xtask bench done -o done.html    which claims of success are believed\n  cargo xtask bench hostile              which attacks of hostile pages succeed\n  cargo xtask bench cost                 what is sent to a model, beside browser-use\n  cargo xtask bench referee              which wrong outcomes pass\n  cargo xtask bench referee --make-frames shots --seed 7 --count 60\n                                         labelled screenshots of LMMS\n  cargo xtask bench desktop              frames, input and steps on a desktop\n  cargo xtask bench lessons              retrieval from 100,000 lessons\n  cargo xtask bench serve --runs 50      a crowd of runs at the server, and what it adds to a step"
)]
pub(crate) struct Arguments {
    /// Which benchmark [default: step, start, memory and tools]
    #[arg(value_enum)]
    pub(crate) name: Option<Name>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Clicks of each controller [default: step 120, stale 2000, memory 200, cost 60, desktop 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) clicks: Option<u64>,
    /// With one busy thread per core (stale: only that half)
    #[arg(long)]
    pub(crate) loaded: bool,
    /// Encoding of all frames, the same for every controller
    #[arg(long, value_enum, default_value = "png")]
    pub(crate) format: Format,
    /// Click two points in turn, so that the pointer travels in every step
    #[arg(long)]
    pub(crate) travel: bool,
    /// Labelled screenshots beside the bench's own, for `referee`: pictures and a truth.json
    #[arg(long, value_name = "DIR")]
    pub(crate) frames: Option<std::path::PathBuf>,
    /// Runs at the server, for `serve`
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) runs: u64,
    /// Make labelled screenshots of LMMS in this folder instead of measuring, for `referee --frames`
    #[arg(long, value_name = "DIR")]
    pub(crate) make_frames: Option<std::path::PathBuf>,
    /// What the made screenshots are drawn from: the same seed makes the same ones
    #[arg(long, value_name = "N", default_value_t = 1, requires = "make_frames")]
    pub(crate) seed: u64,
    /// How many screenshots are made
    #[arg(long, value_name = "N", default_value_t = 24, requires = "make_frames")]
    pub(crate) count: u64,
    #[command(flatten)]
    pub(crate) verify: VerifyOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// Look, click, settle, look again
    Step,
    /// From launch to the first frame
    Start,
    /// What the controller's own process needs
    Memory,
    /// Each kind of call, what the checks cost, and huge pages
    Tools,
    /// Thousands of clicks, and no frame may show the time before its click
    Stale,
    /// What the checks of one step cost, and the frame hash beside Python's ImageHash
    Checks,
    /// Clicks on dead and live controls beside noise, and who judges them right
    Verify,
    /// Labelled claims of success, and whether the done gate believes the right ones
    Done,
    /// Pages that mean harm, against a brain that obeys them
    Hostile,
    /// What each model adapter sends for one step, and browser-use beside it
    Cost,
    /// Right and subtly wrong outcomes, judged by contract, judge and both
    Referee,
    /// Frames, input and steps on an X11 desktop
    Desktop,
    /// Retrieval from 100,000 stored lessons
    Lessons,
    /// A crowd of runs at the server, and what it adds to a step
    Serve,
    /// All of them
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Png,
    Jpeg,
}

impl Arguments {
    pub(crate) fn includes(&self, name: Name) -> bool {
        match self.name {
            None => matches!(name, Name::Step | Name::Start | Name::Memory | Name::Tools),
            Some(Name::All) => true,
            Some(chosen) => chosen == name,
        }
    }

    pub(crate) fn aiming(&self) -> Aiming {
        if self.travel { Aiming::Travelling } else { Aiming::SamePoint }
    }
}

impl Format {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Jpeg => "jpeg",
        }
    }

    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Format::Png => Encoding::Png,
            Format::Jpeg => Encoding::Jpeg,
        }
    }
}
