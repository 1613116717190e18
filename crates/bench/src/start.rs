//! How long it takes from the wish for a browser to the first frame of the page, decoded. Playwright
//! does the same in turns: launch, new page, go to the page, screenshot. Its Node.js process is
//! started before the clock, which is a gift to it.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use crate::controller::{Playwright, Setup, Surehand, Toolchain};
use crate::statistics::Times;
use crate::table::{Table, milliseconds};

const STARTS: usize = 8;

#[derive(Debug, Serialize)]
pub(crate) struct StartReport {
    rows: Vec<Row>,
    playwright_skipped: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    controller: &'static str,
    #[serde(flatten)]
    times: Times,
}

pub(crate) async fn measure(setup: &Setup, toolchain: &Result<Toolchain, String>) -> Result<StartReport> {
    let mut playwright = match toolchain {
        Ok(toolchain) => Some(Playwright::start(toolchain, setup)?),
        Err(_) => None,
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // The first start of each finds a cold file cache and is not counted.
    for start in 0..=STARTS {
        eprint!("\rbench: start {start} of {STARTS}");
        let begun = Instant::now();
        let surehand = Surehand::open(setup).await?;
        let our_ms = begun.elapsed().as_secs_f64() * 1000.0;
        surehand.close().await;
        let their_ms = match &mut playwright {
            Some(playwright) => {
                let ms = playwright.open().await?;
                playwright.close_browser().await?;
                Some(ms)
            }
            None => None,
        };
        if start > 0 {
            ours.push(our_ms);
            theirs.extend(their_ms);
        }
    }
    eprintln!();
    if let Some(playwright) = playwright {
        playwright.close().await;
    }
    let rows = [("surehand", ours), ("playwright", theirs)]
        .into_iter()
        .filter_map(|(controller, samples)| Some(Row { controller, times: Times::of(&samples)? }))
        .collect();
    Ok(StartReport { rows, playwright_skipped: toolchain.as_ref().err().cloned() })
}

impl std::fmt::Display for StartReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "Launch to first frame in ms")?;
        let mut table = Table::new(&["controller", "p50", "p95", "starts"]);
        for row in &self.rows {
            table.row(&[
                row.controller.to_string(),
                milliseconds(row.times.p50_ms),
                milliseconds(row.times.p95_ms),
                row.times.count.to_string(),
            ]);
        }
        write!(formatter, "{table}")?;
        if let Some(reason) = &self.playwright_skipped {
            writeln!(formatter, "playwright  skipped: {reason}")?;
        }
        if let [ours, theirs] = self.rows.as_slice() {
            writeln!(formatter, "surehand / playwright = {:.2}", ours.times.p50_ms / theirs.times.p50_ms)?;
        }
        Ok(())
    }
}
