//! The STEP of every controller, in one run and in turns, so that the noise of the machine meets
//! all of them alike. Only figures of the same run are compared.

use anyhow::Result;
use serde::Serialize;

use crate::args::Arguments;
use crate::controller::{Bare, Controller, Playwright, Sample, Setup, Surehand, Toolchain};
use crate::load::Load;
use crate::panel::Witness;
use crate::statistics::Times;
use crate::table::{Table, milliseconds};

const ROUNDS: u64 = 4;
const CLICKS: u64 = 120;
const WARM_UP: u64 = 5;

#[derive(Debug, Serialize)]
pub(crate) struct StepReport {
    format: &'static str,
    loaded: bool,
    travelling: bool,
    rows: Vec<Row>,
    ratios: Vec<Ratio>,
    /// Why Playwright is not among the rows.
    playwright_skipped: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    controller: &'static str,
    #[serde(flatten)]
    times: Times,
    /// What the step takes for one who already has the frame to begin with.
    without_first_look: Times,
    /// Clicks that were sent, warm-up included.
    clicks: u64,
    missed: u64,
    stale: u64,
    frames_checked: u64,
}

#[derive(Debug, Serialize)]
struct Ratio {
    rival: &'static str,
    surehand_to_rival: f64,
    surehand_to_rival_without_first_look: f64,
}

pub(crate) async fn measure(
    arguments: &Arguments,
    setup: &Setup,
    toolchain: &Result<Toolchain, String>,
) -> Result<StepReport> {
    let mut controllers =
        vec![Controller::Surehand(Box::new(Surehand::open(setup).await?)), Controller::Bare(Bare::open(setup).await?)];
    if let Ok(toolchain) = toolchain {
        let mut playwright = Playwright::start(toolchain, setup)?;
        playwright.open().await?;
        controllers.push(Controller::Playwright(playwright));
    }
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); controllers.len()];
    let mut sent = vec![0; controllers.len()];
    for (controller, sent) in controllers.iter_mut().zip(&mut sent) {
        controller.steps(WARM_UP).await?;
        *sent += WARM_UP;
    }
    let load = arguments.loaded.then(Load::on_every_core);
    let clicks = arguments.clicks.unwrap_or(CLICKS);
    for round in 0..ROUNDS {
        // The rest of the division goes to the first round.
        let count = clicks / ROUNDS + if round == 0 { clicks % ROUNDS } else { 0 };
        for turn in 0..controllers.len() {
            // Another one begins in each round.
            let index = (turn + round as usize) % controllers.len();
            eprint!("\rbench: step, round {} of {ROUNDS}, {:<12}", round + 1, controllers[index].name());
            samples[index].extend(controllers[index].steps(count).await?);
            sent[index] += count;
        }
    }
    eprintln!();
    drop(load);
    let mut rows = Vec::new();
    for (index, mut controller) in controllers.into_iter().enumerate() {
        let missed = controller.missed().await?;
        rows.extend(row(controller.name(), &samples[index], sent[index], missed));
        controller.close().await;
    }
    Ok(StepReport {
        format: setup.format.name(),
        loaded: arguments.loaded,
        travelling: arguments.travel,
        ratios: ratios(&rows),
        rows,
        playwright_skipped: toolchain.as_ref().err().cloned(),
    })
}

fn row(controller: &'static str, samples: &[Sample], clicks: u64, missed: u64) -> Option<Row> {
    let times = |time: fn(&Sample) -> f64| Times::of(&samples.iter().map(time).collect::<Vec<_>>());
    let count = |witness: Witness| samples.iter().filter(|sample| sample.witness == witness).count() as u64;
    Some(Row {
        controller,
        times: times(|sample| sample.total_ms)?,
        without_first_look: times(|sample| sample.without_first_look_ms)?,
        clicks,
        missed,
        stale: count(Witness::Stale),
        frames_checked: samples.len() as u64 - count(Witness::NotChecked),
    })
}

fn ratios(rows: &[Row]) -> Vec<Ratio> {
    let Some((surehand, rivals)) = rows.split_first() else {
        return Vec::new();
    };
    let rivals = rivals.iter().rev();
    rivals
        .map(|rival| Ratio {
            rival: rival.controller,
            surehand_to_rival: surehand.times.p50_ms / rival.times.p50_ms,
            surehand_to_rival_without_first_look: surehand.without_first_look.p50_ms / rival.without_first_look.p50_ms,
        })
        .collect()
}

impl StepReport {
    /// Whether all that was claimed about Surehand's clicks and frames is true.
    pub(crate) fn holds(&self) -> bool {
        self.rows.iter().filter(|row| row.controller == "surehand").all(|row| row.stale == 0 && row.missed == 0)
    }
}

impl std::fmt::Display for StepReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pointer = if self.travelling { "the pointer travels" } else { "always the same point" };
        let load = if self.loaded { ", every core busy" } else { "" };
        writeln!(formatter, "STEP in ms ({} frames, {pointer}{load})", self.format)?;
        let mut table =
            Table::new(&["controller", "p50", "p95", "p50 without 1st look", "clicks", "missed", "stale of checked"]);
        for row in &self.rows {
            table.row(&[
                row.controller.to_string(),
                milliseconds(row.times.p50_ms),
                milliseconds(row.times.p95_ms),
                milliseconds(row.without_first_look.p50_ms),
                row.clicks.to_string(),
                row.missed.to_string(),
                format!("{} of {}", row.stale, row.frames_checked),
            ]);
        }
        write!(formatter, "{table}")?;
        if let Some(reason) = &self.playwright_skipped {
            writeln!(formatter, "playwright  skipped: {reason}")?;
        }
        for ratio in &self.ratios {
            writeln!(
                formatter,
                "surehand / {} = {:.2}   (without its first look: {:.2})",
                ratio.rival, ratio.surehand_to_rival, ratio.surehand_to_rival_without_first_look
            )?;
        }
        Ok(())
    }
}
