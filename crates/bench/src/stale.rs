//! Thousands of clicks with Surehand, and the frame after each must show that click: one frame that
//! shows the time before is a lie, however fast. Done on an idle machine and on a busy one.

use anyhow::Result;
use serde::Serialize;

use crate::args::Arguments;
use crate::controller::{Setup, Surehand, SurehandStep};
use crate::load::Load;
use crate::panel::Witness;
use crate::statistics::Times;
use crate::table::{Table, milliseconds};

const CLICKS: u64 = 2000;

#[derive(Debug, Serialize)]
pub(crate) struct StaleReport {
    format: &'static str,
    travelling: bool,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    machine: &'static str,
    clicks: u64,
    missed: u64,
    stale: u64,
    /// Steps in which the first capture was not good enough.
    more_than_one_capture: u64,
    step: Times,
    act: Times,
    settle: Times,
}

pub(crate) async fn measure(arguments: &Arguments, setup: &Setup) -> Result<StaleReport> {
    let clicks = arguments.clicks.unwrap_or(CLICKS);
    let mut rows = Vec::new();
    if !arguments.loaded {
        rows.extend(click_through("no load of ours", setup, clicks).await?);
    }
    let _load = Load::on_every_core();
    rows.extend(click_through("every core busy", setup, clicks).await?);
    Ok(StaleReport { format: setup.format.name(), travelling: arguments.travel, rows })
}

async fn click_through(machine: &'static str, setup: &Setup, clicks: u64) -> Result<Option<Row>> {
    let mut surehand = Surehand::open(setup).await?;
    let mut steps = Vec::new();
    for click in 0..clicks {
        if click % 50 == 0 {
            eprint!("\rbench: stale, {machine}, click {click} of {clicks}   ");
        }
        let step = surehand.step().await?;
        if step.sample.witness == Witness::Stale {
            eprintln!("\rbench: the frame after click {} is STALE              ", click + 1);
        }
        steps.push(step);
    }
    eprintln!();
    let missed = surehand.missed().await?;
    surehand.close().await;
    let times = |time: fn(&SurehandStep) -> f64| Times::of(&steps.iter().map(time).collect::<Vec<_>>());
    let step = times(|step| step.sample.total_ms);
    let (act, settle) = (times(|step| step.act_ms), times(|step| step.settle_ms));
    let (Some(step), Some(act), Some(settle)) = (step, act, settle) else {
        return Ok(None);
    };
    Ok(Some(Row {
        machine,
        clicks,
        missed,
        stale: steps.iter().filter(|step| step.sample.witness == Witness::Stale).count() as u64,
        more_than_one_capture: steps.iter().filter(|step| step.captures > 1).count() as u64,
        step,
        act,
        settle,
    }))
}

impl StaleReport {
    pub(crate) fn holds(&self) -> bool {
        self.rows.iter().all(|row| row.stale == 0 && row.missed == 0)
    }
}

impl std::fmt::Display for StaleReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "Stale frames of Surehand ({} frames, times in ms)", self.format)?;
        let mut table = Table::new(&[
            "machine",
            "clicks",
            "missed",
            "stale",
            "looked again",
            "step p50",
            "step p95",
            "act p50",
            "settle p50",
        ]);
        for row in &self.rows {
            table.row(&[
                row.machine.to_string(),
                row.clicks.to_string(),
                row.missed.to_string(),
                row.stale.to_string(),
                row.more_than_one_capture.to_string(),
                milliseconds(row.step.p50_ms),
                milliseconds(row.step.p95_ms),
                milliseconds(row.act.p50_ms),
                milliseconds(row.settle.p50_ms),
            ]);
        }
        write!(formatter, "{table}")
    }
}
