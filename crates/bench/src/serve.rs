//! `surehand serve` under a crowd: many detached runs on few browsers, each followed by somebody. Nothing may be lost,
//! doubled, out of order or unseen. And what the server adds to a step, beside `surehand run` doing the same.

mod crowd;
mod overhead;
mod service;
mod site;

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::controller::Setup;
use crate::table::{Table, milliseconds};
use crowd::CrowdReport;
use overhead::OverheadReport;

#[derive(Debug, Serialize)]
pub(crate) struct ServeReport {
    crowd: CrowdReport,
    overhead: OverheadReport,
}

/// `runs` are those of the crowd.
pub(crate) async fn measure(setup: &Setup, program: &Path, runs: u64) -> Result<ServeReport> {
    let crowd = crowd::measure(setup, program, runs).await?;
    let overhead = overhead::measure(setup, program).await?;
    Ok(ServeReport { crowd, overhead })
}

impl ServeReport {
    /// Times are told and judged by the reader: only what was wrong fails the benchmark.
    pub(crate) fn holds(&self) -> bool {
        self.crowd.problems.is_empty()
    }
}

impl std::fmt::Display for ServeReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let crowd = &self.crowd;
        writeln!(
            formatter,
            "Serving: {} detached runs of {} steps on {} browsers, each followed",
            crowd.runs, crowd.steps, crowd.slots
        )?;
        writeln!(
            formatter,
            "{:.0} s in all, {:.1} runs a minute; {} events seen, each once; the server's process: {:.0} MiB at most",
            crowd.seconds, crowd.runs_a_minute, crowd.events, crowd.most_rss_mib
        )?;
        for problem in &crowd.problems {
            writeln!(formatter, "WRONG: {problem}")?;
        }
        if crowd.problems.is_empty() {
            writeln!(formatter, "none lost, none doubled, the queue's order kept")?;
        }
        let mut table = Table::new(&["who", "step p50 ms", "p95 ms", "processor ms a step", "steps"]);
        for row in &self.overhead.rows {
            table.row(&[
                row.who.to_string(),
                milliseconds(row.times.p50_ms),
                milliseconds(row.times.p95_ms),
                milliseconds(row.processor_ms),
                row.times.count.to_string(),
            ]);
        }
        write!(formatter, "{table}")?;
        let added = self.overhead.added_ms;
        let word = if added < overhead::GOAL_MS { "held" } else { "MISSED" };
        writeln!(
            formatter,
            "the server adds {added:.1} ms to a step at p50 (goal: under {}): {word}",
            overhead::GOAL_MS
        )
    }
}
