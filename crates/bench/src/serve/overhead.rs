//! The same run over a server and from the command line, in turn: how much longer a step takes, by the times in both
//! traces, and how much of the processor each process needs for it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use surehand_client::Heard;
use surehand_client::api::CuaRequest;
use surehand_types::event::{Envelope, Event};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use super::service::{Service, processor_ms};
use super::site::{ButtonSite, script};
use crate::controller::Setup;
use crate::statistics::Times;

const ROUNDS: u64 = 8;
const STEPS: u64 = 26;
const DEADLINE: Duration = Duration::from_secs(120);
pub(crate) const GOAL_MS: f64 = 2.0;

#[derive(Debug, Serialize)]
pub(crate) struct OverheadReport {
    pub(crate) rows: Vec<Row>,
    /// Of a step at p50; below zero where the noise is larger than the difference.
    pub(crate) added_ms: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) who: &'static str,
    pub(crate) times: Times,
    pub(crate) processor_ms: f64,
}

#[derive(Debug, Default)]
struct Measured {
    gaps: Vec<f64>,
    processor_ms: f64,
}

pub(crate) async fn measure(setup: &Setup, program: &Path) -> Result<OverheadReport> {
    eprintln!("bench: what the server adds to a step, {ROUNDS} rounds");
    let site = ButtonSite::serve().await?;
    let script_file = setup.scratch.join("overhead.json");
    std::fs::write(&script_file, script(STEPS).to_string()).context("cannot write the script")?;
    let service = Service::start(setup, program, &script_file, 1).await?;
    let (mut served, mut alone) = (Measured::default(), Measured::default());
    for round in 0..ROUNDS {
        let url = site.url_of(&format!("r{round}"));
        // In turn, so that neither always comes first.
        for turn in 0..2 {
            if (round + turn) % 2 == 0 {
                over_the_server(&service, &url, &mut served).await?;
            } else {
                from_the_command_line(setup, program, &script_file, &url, &mut alone).await?;
            }
        }
    }
    service.stop().await?;
    let rows = [("surehand serve, with a follower", served), ("surehand run", alone)].map(|(who, measured)| {
        let times = Times::of(&measured.gaps).context("no step was seen")?;
        Ok(Row { who, processor_ms: measured.processor_ms / times.count as f64, times })
    });
    let rows = rows.into_iter().collect::<Result<Vec<Row>>>()?;
    let added_ms = rows[0].times.p50_ms - rows[1].times.p50_ms;
    Ok(OverheadReport { rows, added_ms })
}

async fn over_the_server(service: &Service, url: &str, measured: &mut Measured) -> Result<()> {
    let request = CuaRequest {
        instruction: "Press the button as often as the script says".into(),
        start_url: Some(url.to_string()),
        ..CuaRequest::default()
    };
    let run_id = service.client.submit(&request, None).await?.run_id;
    let mut events = service.client.events(&run_id, 0, DEADLINE);
    let mut steps = Steps::default();
    let following = async {
        while let Some(heard) = events.next().await? {
            if let Heard::Event(envelope) = heard {
                steps.take(&envelope, service.pid);
            }
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(DEADLINE, following).await.context("a run does not end")??;
    steps.into_measured(measured)
}

async fn from_the_command_line(
    setup: &Setup,
    program: &Path,
    script: &Path,
    url: &str,
    measured: &mut Measured,
) -> Result<()> {
    let mut child = Command::new(program)
        .args(["run", "Press the button as often as the script says", "--json", "--url", url])
        .arg("--brain")
        .arg(format!("script:{}", script.display()))
        .arg("--data")
        .arg(setup.scratch.join("alone"))
        .env("TMPDIR", &setup.scratch)
        .env("SUREHAND_CHROMIUM", &setup.browser)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .context("cannot start surehand run")?;
    let pid = child.id().context("surehand run ended at once")?;
    let mut lines = BufReader::new(child.stdout.take().context("no output")?).lines();
    let mut steps = Steps::default();
    let following = async {
        while let Some(line) = lines.next_line().await? {
            // The last line is the result, which is no event.
            if let Ok(envelope) = serde_json::from_str::<Envelope>(&line) {
                steps.take(&envelope, pid);
            }
        }
        let status = child.wait().await?;
        ensure!(status.success(), "surehand run ended with {status}");
        Ok(())
    };
    tokio::time::timeout(DEADLINE, following).await.context("surehand run does not end")??;
    steps.into_measured(measured)
}

/// When each step was written down, and what the process had used by the first and by the last of them.
#[derive(Debug, Default)]
struct Steps {
    at: Vec<jiff::Timestamp>,
    processor: Option<[f64; 2]>,
}

impl Steps {
    fn take(&mut self, envelope: &Envelope, pid: u32) {
        if !matches!(envelope.event, Event::Step(_)) {
            return;
        }
        if let (Ok(at), Some(used)) = (envelope.at.parse(), processor_ms(pid)) {
            self.at.push(at);
            let first = self.processor.map_or(used, |[first, _]| first);
            self.processor = Some([first, used]);
        }
    }

    fn into_measured(self, measured: &mut Measured) -> Result<()> {
        ensure!(self.at.len() as u64 == STEPS, "{} steps were seen instead of {STEPS}", self.at.len());
        // The last step says that it is done, and is no work.
        let worked = &self.at[..self.at.len() - 1];
        measured.gaps.extend(worked.windows(2).map(|pair| {
            let gap = pair[1].duration_since(pair[0]);
            gap.as_secs_f64() * 1000.0
        }));
        measured.processor_ms += self.processor.map_or(0.0, |[first, last]| last - first);
        Ok(())
    }
}
