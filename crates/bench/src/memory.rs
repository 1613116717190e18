//! What the controller's own process needs, without its browser: `surehand tools` as users run it,
//! after many clicks over its JSON lines; and the Node.js process of Playwright after some.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use crate::args::Arguments;
use crate::controller::{Playwright, Setup, Toolchain};
use crate::table::Table;

const CLICKS: u64 = 200;
/// Enough for Playwright to have all its code loaded; its memory hardly grows after that.
const PLAYWRIGHT_CLICKS: u64 = 30;
const ANSWER_DEADLINE: Duration = Duration::from_secs(60);
const GOAL_MIB: f64 = 40.0;

#[derive(Debug, Serialize)]
pub(crate) struct MemoryReport {
    rows: Vec<Row>,
    goal_mib: f64,
    /// From the start of the `surehand tools` process to its first answer.
    tools_first_answer_ms: f64,
    playwright_skipped: Option<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    process: &'static str,
    clicks: u64,
    rss_mib: f64,
    /// Without the share of pages that other processes use too.
    pss_mib: f64,
}

pub(crate) async fn measure(
    arguments: &Arguments,
    setup: &Setup,
    program: &Path,
    toolchain: &Result<Toolchain, String>,
) -> Result<MemoryReport> {
    let clicks = arguments.clicks.unwrap_or(CLICKS);
    eprintln!("bench: memory, {clicks} clicks over JSON lines");
    let (row, tools_first_answer_ms) = surehand_tools(setup, program, clicks).await?;
    let mut rows = vec![row];
    if let Ok(toolchain) = toolchain {
        let mut playwright = Playwright::start(toolchain, setup)?;
        playwright.open().await?;
        playwright.steps(PLAYWRIGHT_CLICKS).await?;
        let pid = playwright.pid().context("the Playwright script ended")?;
        rows.push(row_of("playwright (node)", pid, PLAYWRIGHT_CLICKS)?);
        playwright.close().await;
    }
    Ok(MemoryReport {
        rows,
        goal_mib: GOAL_MIB,
        tools_first_answer_ms,
        playwright_skipped: toolchain.as_ref().err().cloned(),
    })
}

async fn surehand_tools(setup: &Setup, program: &Path, clicks: u64) -> Result<(Row, f64)> {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(["tools", "--url", &setup.url])
        .args(["--set", &format!("frame_format={}", setup.format.name())])
        .arg("--data")
        .arg(setup.scratch.join("data"))
        .env("TMPDIR", &setup.scratch)
        .env("SUREHAND_CHROMIUM", &setup.browser)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {}. hint: cargo xtask bench builds it", program.display()))?;
    let mut input = child.stdin.take().context("no input")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let mut first_answer_ms = 0.0;
    for id in 0..=clicks {
        // The first call only looks, so that its answer tells when everything was ready.
        let point = setup.aiming.grid_point(id);
        let call = match id {
            0 => json!({"id": 0, "tool": "tab", "action": "view"}),
            id => json!({"id": id, "tool": "mouse", "action": "click", "coordinate": [point.x, point.y]}),
        };
        let asking = async {
            input.write_all(format!("{call}\n").as_bytes()).await?;
            let mut line = String::new();
            ensure!(output.read_line(&mut line).await? > 0, "surehand tools ended");
            Ok(serde_json::from_str::<Value>(&line)?)
        };
        let answer = tokio::time::timeout(ANSWER_DEADLINE, asking).await.context("surehand tools took too long")??;
        ensure!(answer["ok"] == json!(true), "surehand tools answered {answer}");
        let title = format!("clicks {id}");
        ensure!(answer["title"] == json!(title), "after click {id} the page's title is {}", answer["title"]);
        if id == 0 {
            first_answer_ms = begun.elapsed().as_secs_f64() * 1000.0;
        }
    }
    let row = row_of("surehand tools", child.id().context("surehand tools ended")?, clicks)?;
    drop(input);
    let _ = tokio::time::timeout(Duration::from_secs(10), child.wait()).await;
    Ok((row, first_answer_ms))
}

fn row_of(process: &'static str, pid: u32, clicks: u64) -> Result<Row> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).context("cannot read its memory")?;
    let mib = |name| kibibytes(&text, name).map(|kib| kib / 1024.0).with_context(|| format!("no {name} in smaps"));
    Ok(Row { process, clicks, rss_mib: mib("Rss")?, pss_mib: mib("Pss")? })
}

fn kibibytes(smaps: &str, name: &str) -> Option<f64> {
    let line = smaps.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

impl std::fmt::Display for MemoryReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "Memory of the controller's process in MiB (goal: RSS under {})", self.goal_mib)?;
        let mut table = Table::new(&["process", "RSS", "PSS", "clicks"]);
        for row in &self.rows {
            let figures = [format!("{:.1}", row.rss_mib), format!("{:.1}", row.pss_mib), row.clicks.to_string()];
            table.row(&[&[row.process.to_string()], figures.as_slice()].concat());
        }
        write!(formatter, "{table}")?;
        if let Some(reason) = &self.playwright_skipped {
            writeln!(formatter, "playwright  skipped: {reason}")?;
        }
        writeln!(
            formatter,
            "surehand tools, start of the process to its first answer: {:.0} ms",
            self.tools_first_answer_ms
        )
    }
}

#[cfg(test)]
mod tests {
    use super::kibibytes;

    #[test]
    fn figures_are_found_by_their_whole_name() {
        let text = "Rss:   20480 kB\nPss:   1024 kB\nPss_Dirty:   7 kB\n";
        assert_eq!(kibibytes(text, "Rss"), Some(20480.0));
        assert_eq!(kibibytes(text, "Pss"), Some(1024.0));
        assert_eq!(kibibytes(text, "Swap"), None);
    }
}
