//! What a desktop costs: frames, input, and whole steps in a real editor. No browser and no rival here; the
//! goal is the machine's own floor.

use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use surehand_env::Environment;
use surehand_env::desktop::{DesktopEnv, DesktopOptions, DesktopSpec};
use surehand_types::{Call, EffectStatus};

use crate::statistics::Times;
use crate::table::{Table, milliseconds};

const ROUNDS: u32 = 300;
const STEPS: u64 = 40;

#[derive(Debug, Serialize)]
pub(crate) struct DesktopReport {
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    size: &'static str,
    part: String,
    times: Times,
}

pub(crate) async fn measure(clicks: Option<u64>) -> Result<DesktopReport> {
    let mut rows = Vec::new();
    for size in ["1280x720", "1920x1080"] {
        let spec = DesktopSpec::parse(&format!("xvfb:{size}")).map_err(anyhow::Error::msg)?;
        let start = Instant::now();
        let mut env = DesktopEnv::start(&DesktopOptions::new(spec)).await?;
        push(&mut rows, size, "from nothing to the first frame", &[start.elapsed().as_secs_f64() * 1000.0]);
        for part in env.part_times(ROUNDS).await? {
            let times: Vec<f64> = part.times.iter().map(|time| time.as_secs_f64() * 1000.0).collect();
            push(&mut rows, size, part.name, &times);
        }
        env.close().await;
    }
    push(&mut rows, "1280x720", "whole step: a menu opens or closes", &steps(clicks.unwrap_or(STEPS)).await?);
    Ok(DesktopReport { rows })
}

/// Alt+F and Escape in turn: aim, commit, settle, and an effect that was confirmed.
async fn steps(count: u64) -> Result<Vec<f64>> {
    let spec = DesktopSpec::parse("xvfb:1280x720").map_err(anyhow::Error::msg)?;
    let app = Some("exec l3afpad".to_string());
    let mut env = DesktopEnv::start(&DesktopOptions { app, ..DesktopOptions::new(spec) }).await?;
    let mut times = Vec::new();
    for step in 0..count {
        let key = if step % 2 == 0 { "alt+f" } else { "escape" };
        let call = Call::parse(&json!({"tool": "keyboard", "action": "press", "key": key}));
        let call = call.map_err(|problem| anyhow::anyhow!(problem.message))?.call;
        let start = Instant::now();
        env.begin_call();
        let failed = |failure: surehand_env::CallFailure| anyhow::anyhow!(failure.message);
        let aim = env.aim(&call).await.map_err(failed)?;
        let receipt = env.commit(&call, &aim).await.map_err(failed)?;
        let settled = env.settle(&receipt).await?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        let status = settled.effect.context("no effect was measured")?.status;
        anyhow::ensure!(status == EffectStatus::Confirmed, "step {step} was not seen to do anything");
    }
    env.close().await;
    Ok(times)
}

fn push(rows: &mut Vec<Row>, size: &'static str, part: &str, times: &[f64]) {
    rows.extend(Times::of(times).map(|times| Row { size, part: part.to_string(), times }));
}

impl std::fmt::Display for DesktopReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "A desktop of our own (times in ms)")?;
        let mut table = Table::new(&["screen", "part", "p50", "p95"]);
        for row in &self.rows {
            let times = [milliseconds(row.times.p50_ms), milliseconds(row.times.p95_ms)];
            table.row(&[row.size.to_string(), row.part.clone(), times[0].clone(), times[1].clone()]);
        }
        write!(formatter, "{table}")
    }
}
