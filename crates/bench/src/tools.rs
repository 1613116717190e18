//! How long each kind of call takes, what gate and probe cost a click, and whether a huge page makes
//! a click slower. All through the hand that every door uses, and every answer is checked.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use surehand_checks::before::GuardList;
use surehand_checks::before::density::{DensityGate, GateMode};
use surehand_env::Environment;
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_run::{Acted, Hand};
use surehand_types::{Call, EffectStatus};

use crate::controller::Setup;
use crate::site::VIEW;
use crate::statistics::Times;
use crate::table::{Table, milliseconds};

const ROUNDS: usize = 20;
const CLICKS: usize = 60;
const DEADLINE: Duration = Duration::from_secs(30);
const CHECKS_GOAL_MS: f64 = 15.0;
const HUGE_GOAL: f64 = 3.0;

#[derive(Debug, Serialize)]
pub(crate) struct ToolsReport {
    kinds: Vec<Row>,
    /// A live click with gate and probe, and without.
    checked: Times,
    unchecked: Times,
    checks_goal_ms: f64,
    /// A live click on pages of different size.
    pages: Vec<Row>,
    huge_goal: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    #[serde(flatten)]
    times: Times,
}

struct Bench {
    env: BrowserEnv,
    hand: Hand,
}

impl Bench {
    async fn open(setup: &Setup, page: &str, checks: bool) -> Result<Bench> {
        let options = BrowserOptions {
            executable: Some(setup.browser.display().to_string()),
            viewport: VIEW,
            encoding: setup.format.encoding(),
            probing: checks,
            ..BrowserOptions::default()
        };
        let mode = if checks { GateMode::Smart } else { GateMode::Off };
        let mut env = BrowserEnv::launch(&options).await?;
        env.open_start_url(&format!("{}{page}", setup.url)).await?;
        env.observe().await?;
        Ok(Bench { env, hand: Hand::new(GuardList::new(vec![Box::new(DensityGate { mode })])) })
    }

    /// One call, its time, and what became of it.
    async fn act(&mut self, call: &Value) -> Result<(f64, Acted)> {
        let parsed = Call::parse(call).map_err(|problem| anyhow::anyhow!(problem.message))?.call;
        let begun = Instant::now();
        let acting = self.hand.act(&mut self.env, &parsed, 1);
        let acted = tokio::time::timeout(DEADLINE, acting).await.context("a call took too long")??;
        ensure!(acted.ok, "{call} failed: {}", acted.message);
        Ok((begun.elapsed().as_secs_f64() * 1000.0, acted))
    }

    async fn click_live(&mut self, checks: bool) -> Result<f64> {
        // Two points in turn: the pointer travels and the hover settles in every click.
        let x = if self.env.observe().await?.cursor.x > 160 { 110 } else { 140 };
        let call = json!({"tool": "mouse", "action": "click", "coordinate": [x, 83]});
        let (ms, acted) = self.act(&call).await?;
        let status = acted.effect.as_ref().map(|effect| effect.status);
        let wanted = if checks { EffectStatus::Confirmed } else { EffectStatus::Unverifiable };
        ensure!(status == Some(wanted), "a live click gave {:?}", acted.effect);
        Ok(ms)
    }
}

pub(crate) async fn measure(setup: &Setup) -> Result<ToolsReport> {
    let kinds = kinds(setup).await?;
    let (checked, unchecked) = cost_of_checks(setup).await?;
    let pages = pages(setup).await?;
    Ok(ToolsReport { kinds, checked, unchecked, checks_goal_ms: CHECKS_GOAL_MS, pages, huge_goal: HUGE_GOAL })
}

/// Each kind of call on the same page, in turns.
async fn kinds(setup: &Setup) -> Result<Vec<Row>> {
    eprintln!("bench: tools, {ROUNDS} rounds");
    let mut bench = Bench::open(setup, "tools", true).await?;
    let call = |call: Value| call;
    let calls: Vec<(&'static str, Value)> = vec![
        ("mouse move", call(json!({"tool": "mouse", "coordinate": [500, 600]}))),
        ("mouse click (live)", call(json!({"tool": "mouse", "action": "click", "coordinate": [125, 83]}))),
        ("mouse click (field)", call(json!({"tool": "mouse", "action": "click", "coordinate": [125, 361]}))),
        (
            "keyboard type (20 characters)",
            call(json!({"tool": "keyboard", "action": "type", "text": "twenty characters ok"})),
        ),
        ("keyboard press", call(json!({"tool": "keyboard", "action": "press", "key": "home"}))),
        ("keyboard clear", call(json!({"tool": "keyboard", "action": "clear"}))),
        ("mouse scroll", call(json!({"tool": "mouse", "action": "scroll", "coordinate": [125, 700], "amount": 100}))),
        (
            "mouse drag",
            call(
                json!({"tool": "mouse", "action": "drag", "start_coordinate": [594, 638], "end_coordinate": [700, 638]}),
            ),
        ),
        (
            "mouse drag back",
            call(
                json!({"tool": "mouse", "action": "drag", "start_coordinate": [700, 638], "end_coordinate": [594, 638]}),
            ),
        ),
        ("mouse click (select)", call(json!({"tool": "mouse", "action": "click", "coordinate": [500, 361]}))),
        ("select_option", call(json!({"tool": "select_option", "values": ["Two"]}))),
        ("tab view", call(json!({"tool": "tab", "action": "view"}))),
        ("zoom", call(json!({"tool": "zoom", "region": [0, 0, 500, 500]}))),
    ];
    let mut samples = vec![Vec::new(); calls.len()];
    for round in 0..=ROUNDS {
        for ((_, call), times) in calls.iter().zip(&mut samples) {
            let (ms, _) = bench.act(call).await?;
            // The first round finds cold caches and is not counted.
            if round > 0 {
                times.push(ms);
            }
        }
    }
    let mut dead = Vec::new();
    for _ in 0..3 {
        let (ms, acted) = bench.act(&json!({"tool": "mouse", "action": "click", "coordinate": [500, 83]})).await?;
        let status = acted.effect.as_ref().map(|effect| effect.status);
        ensure!(status == Some(EffectStatus::NoEffect), "a dead click gave {:?}", acted.effect);
        dead.push(ms);
    }
    bench.env.close().await;
    let mut rows: Vec<Row> = calls
        .iter()
        .zip(&samples)
        .filter_map(|((name, _), times)| Some(Row { name, times: Times::of(times)? }))
        .collect();
    rows.extend(Times::of(&dead).map(|times| Row { name: "mouse click (dead, waits)", times }));
    Ok(rows)
}

/// The same click with and without the checks, in turns, so that both see the same machine.
async fn cost_of_checks(setup: &Setup) -> Result<(Times, Times)> {
    eprintln!("bench: gate and probe, {CLICKS} clicks each");
    let mut with = Bench::open(setup, "tools", true).await?;
    let mut without = Bench::open(setup, "tools", false).await?;
    let (mut checked, mut unchecked) = (Vec::new(), Vec::new());
    for click in 0..=CLICKS {
        let (on, off) = (with.click_live(true).await?, without.click_live(false).await?);
        if click > 0 {
            checked.push(on);
            unchecked.push(off);
        }
    }
    with.env.close().await;
    without.env.close().await;
    Times::of(&checked).zip(Times::of(&unchecked)).context("no click was counted")
}

async fn pages(setup: &Setup) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, page) in [("small page", "tools"), ("10,000 elements", "crowd"), ("2,000-row table", "table")] {
        eprintln!("bench: clicks on a page: {name}");
        let mut bench = Bench::open(setup, page, true).await?;
        bench.click_live(true).await?;
        let mut samples = Vec::new();
        for _ in 0..ROUNDS {
            samples.push(bench.click_live(true).await?);
        }
        bench.env.close().await;
        rows.extend(Times::of(&samples).map(|times| Row { name, times }));
    }
    Ok(rows)
}

impl std::fmt::Display for ToolsReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let table_of = |head: &str, rows: &[Row]| {
            let mut table = Table::new(&[head, "p50", "p95", "calls"]);
            for row in rows {
                let times = row.times;
                let figures = [milliseconds(times.p50_ms), milliseconds(times.p95_ms), times.count.to_string()];
                table.row(&[&[row.name.to_string()], figures.as_slice()].concat());
            }
            table
        };
        writeln!(formatter, "Tools: time of one call in ms, aim to settled frame")?;
        write!(formatter, "{}", table_of("call", &self.kinds))?;
        writeln!(
            formatter,
            "gate and probe: {} ms a click at p50 ({} with, {} without; goal: under {})",
            milliseconds(self.checked.p50_ms - self.unchecked.p50_ms),
            milliseconds(self.checked.p50_ms),
            milliseconds(self.unchecked.p50_ms),
            self.checks_goal_ms
        )?;
        write!(formatter, "{}", table_of("live click on a", &self.pages))?;
        if let [small, huge @ ..] = self.pages.as_slice() {
            for row in huge {
                let ratio = row.times.p50_ms / small.times.p50_ms;
                writeln!(formatter, "{} / small page = {ratio:.2} (goal: at most {})", row.name, self.huge_goal)?;
            }
        }
        Ok(())
    }
}
