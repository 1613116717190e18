//! What the checks of one step cost on real frames, and how fast the frame hash is beside the library that
//! Python programs use for it.

mod capture;
mod imagehash;
mod parts;
mod safety;

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use self::imagehash::ImageHash;
use self::parts::{Row, Step};
use crate::controller::Setup;
use crate::statistics::Times;
use crate::table::Table;

const STEP_GOAL_MS: f64 = 3.0;
const HASH_GOAL: f64 = 5.0;

#[derive(Debug, Serialize)]
pub(crate) struct ChecksReport {
    pages: Vec<Page>,
    step_goal_ms: f64,
    rival: Option<String>,
    hash_goal: f64,
    /// Why the rival is not among the figures.
    rival_skipped: Option<String>,
}

#[derive(Debug, Serialize)]
struct Page {
    page: &'static str,
    parts: Vec<Row>,
    whole: Times,
    decoding: Times,
    rivals: Vec<Rival>,
}

#[derive(Debug, Serialize)]
struct Rival {
    hash: &'static str,
    times: Times,
    ours: Times,
    /// How many of our hashes are made in the time of one of theirs.
    times_faster: f64,
    /// The same of the fastest round of each, which other work on the machine disturbs least.
    times_faster_at_best: f64,
}

pub(crate) async fn measure(setup: &Setup, build_folder: &Path) -> Result<ChecksReport> {
    let rival = ImageHash::prepare(build_folder).await.map_err(|error| format!("{error:#}"));
    eprintln!("bench: checks, capturing frames");
    let pairs = capture::pairs(setup).await?;
    let steps: Vec<Step<'_>> = pairs.iter().map(Step::of).collect::<Result<_>>()?;
    eprintln!("bench: checks, timing");
    let mut pages = Vec::new();
    for (pair, step) in pairs.iter().zip(&steps) {
        let (whole, decoding) = (step.whole().context("no round was timed")?, step.decoding()?);
        pages.push(Page {
            page: pair.page,
            parts: [step.parts(), safety::parts(pair)].concat(),
            whole,
            decoding,
            rivals: Vec::new(),
        });
    }
    let mut report = ChecksReport {
        pages,
        step_goal_ms: STEP_GOAL_MS,
        rival: rival.is_ok().then(ImageHash::version),
        hash_goal: HASH_GOAL,
        rival_skipped: rival.as_ref().err().cloned(),
    };
    if let Ok(rival) = rival {
        // Ours before and after theirs: what else the machine does meets both.
        let mut ours: Vec<Vec<f64>> = steps.iter().map(Step::hash_times).collect();
        let frames: Vec<_> = steps.iter().map(Step::after_pixels).collect();
        let theirs = rival.times(&frames, &setup.scratch).await?;
        ours.iter_mut().zip(&steps).for_each(|(ours, step)| ours.extend(step.hash_times()));
        for ((page, ours), theirs) in report.pages.iter_mut().zip(&ours).zip(&theirs) {
            let compared = [("phash", &theirs.phash), ("dhash", &theirs.dhash)];
            page.rivals = compared.into_iter().filter_map(|(hash, theirs)| Rival::of(hash, theirs, ours)).collect();
        }
    }
    Ok(report)
}

impl Rival {
    fn of(hash: &'static str, theirs: &[f64], ours: &[f64]) -> Option<Rival> {
        let best = |samples: &[f64]| samples.iter().copied().fold(f64::INFINITY, f64::min);
        let times_faster_at_best = best(theirs) / best(ours);
        let (times, ours) = (Times::of(theirs)?, Times::of(ours)?);
        Some(Rival { hash, times, ours, times_faster: times.p50_ms / ours.p50_ms, times_faster_at_best })
    }
}

impl std::fmt::Display for ChecksReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut head = vec!["Checks of one step in ms".to_string()];
        let figures = |page: &Page| [format!("{} p50", page.page), "p95".to_string()];
        head.extend(self.pages.iter().flat_map(figures));
        let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        let mut line = |name: &str, times: &dyn Fn(&Page) -> Option<Times>| {
            let cells = self.pages.iter().filter_map(times).flat_map(|times| [fine(times.p50_ms), fine(times.p95_ms)]);
            table.row(&std::iter::once(name.to_string()).chain(cells).collect::<Vec<_>>());
        };
        let parts = self.pages.first().map_or(0, |page| page.parts.len());
        for index in 0..parts {
            let name = self.pages[0].parts[index].name;
            line(name, &|page| page.parts.get(index).map(|row| row.times));
        }
        line("a whole step", &|page| Some(page.whole));
        line("decoding its frame", &|page| Some(page.decoding));
        write!(formatter, "{table}")?;
        let worst = self.pages.iter().map(|page| page.whole.p50_ms).fold(0.0, f64::max);
        writeln!(
            formatter,
            "a whole step: {} ms at p50 on the slowest page (goal: under {})",
            fine(worst),
            self.step_goal_ms
        )?;
        if let Some(reason) = &self.rival_skipped {
            writeln!(formatter, "ImageHash skipped: {reason}")?;
        }
        for page in &self.pages {
            for rival in &page.rivals {
                writeln!(
                    formatter,
                    "frame hash, {} page: {} ms; ImageHash {}: {} ms; {:.1} times as fast, {:.1} at best (goal: at least {})",
                    page.page,
                    fine(rival.ours.p50_ms),
                    rival.hash,
                    fine(rival.times.p50_ms),
                    rival.times_faster,
                    rival.times_faster_at_best,
                    self.hash_goal
                )?;
            }
        }
        if let Some(rival) = &self.rival {
            writeln!(formatter, "by p50 and by the fastest round, on frames decoded once ({rival})")?;
        }
        Ok(())
    }
}

/// Most checks take microseconds.
fn fine(milliseconds: f64) -> String {
    format!("{milliseconds:.3}")
}
