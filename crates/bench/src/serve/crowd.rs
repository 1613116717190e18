//! Many runs at once: asked for in a row, each followed from its first event to its last, some of the followers
//! hanging up in between and coming back.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;
use surehand_client::api::{CuaRequest, RunView};
use surehand_client::{Client, Heard};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::service::{Service, resident_mib};
use super::site::{ButtonSite, script};
use crate::controller::Setup;

const STEPS: u64 = 10;
const SLOTS: u64 = 4;
/// A follower hears at least this often from a server that lives.
const PATIENCE: Duration = Duration::from_secs(60);
/// Every so many followers one hangs up after some events, and goes on from there.
const FICKLE: u64 = 5;
const HANGS_UP_AFTER: usize = 12;

#[derive(Debug, Serialize)]
pub(crate) struct CrowdReport {
    pub(crate) runs: u64,
    pub(crate) steps: u64,
    pub(crate) slots: u64,
    pub(crate) seconds: f64,
    pub(crate) runs_a_minute: f64,
    pub(crate) events: usize,
    pub(crate) most_rss_mib: f64,
    /// What was lost, doubled, out of order or not told; one sentence each.
    pub(crate) problems: Vec<String>,
}

pub(crate) async fn measure(setup: &Setup, program: &Path, runs: u64) -> Result<CrowdReport> {
    eprintln!("bench: serving {runs} runs of {STEPS} steps on {SLOTS} browsers");
    let site = ButtonSite::serve().await?;
    let script_file = setup.scratch.join("crowd.json");
    std::fs::write(&script_file, script(STEPS).to_string()).context("cannot write the script")?;
    let service = Service::start(setup, program, &script_file, SLOTS).await?;
    let (over, is_over) = watch::channel(false);
    let memory = tokio::spawn(watch_memory(service.pid, is_over));
    let start = Instant::now();
    let mut asked = Vec::new();
    let mut followers = JoinSet::new();
    for number in 0..runs {
        let visitor = format!("v{number}");
        let request = CuaRequest {
            instruction: "Press the button as often as the script says".into(),
            start_url: Some(site.url_of(&visitor)),
            ..CuaRequest::default()
        };
        let accepted = service.client.submit(&request, Some(&visitor)).await?;
        // The same once more, as a client does that did not hear the answer: it has to stay one run.
        let again = service.client.submit(&request, Some(&visitor)).await?;
        anyhow::ensure!(again.run_id == accepted.run_id, "the same key made two runs");
        followers.spawn(follow(service.client.clone(), accepted.run_id.clone(), number));
        asked.push((accepted.run_id, visitor));
    }
    let mut problems = Vec::new();
    let mut events = 0;
    let mut heard_of = 0;
    while let Some(followed) = followers.join_next().await {
        let (run_id, followed) = followed.context("a follower broke")?;
        match followed {
            Ok(numbers) => {
                events += numbers.len();
                if !numbers.iter().copied().eq(1..=numbers.len() as u64) {
                    problems.push(format!("{run_id}: its follower saw the events {numbers:?}"));
                }
            }
            Err(error) => problems.push(format!("{run_id}: {error:#}")),
        }
        heard_of += 1;
        eprint!("\rbench: {heard_of} of {runs} runs are over ");
    }
    eprintln!();
    let seconds = start.elapsed().as_secs_f64();
    let mut views = Vec::new();
    for (run_id, visitor) in &asked {
        views.push(service.client.get_run(run_id).await?);
        let presses = site.presses_of(visitor);
        if presses != STEPS - 1 {
            problems.push(format!("{run_id}: the button was pressed {presses} times instead of {}", STEPS - 1));
        }
    }
    problems.extend(
        views
            .iter()
            .filter(|view| view.success != Some(true))
            .map(|view| format!("{}: {:?} {}", view.run_id, view.status, view.words.as_deref().unwrap_or_default())),
    );
    if !in_order(&views) {
        problems.push("runs did not start in the order in which they were asked for".into());
    }
    service.stop().await?;
    let _ = over.send(true);
    let most_rss_mib = memory.await.context("the memory was not watched")?;
    let runs_a_minute = runs as f64 * 60.0 / seconds.max(0.001);
    Ok(CrowdReport { runs, steps: STEPS, slots: SLOTS, seconds, runs_a_minute, events, most_rss_mib, problems })
}

fn in_order(views: &[RunView]) -> bool {
    let started: Vec<Option<&str>> = views.iter().map(|view| view.started_at.as_deref()).collect();
    started.iter().all(Option::is_some) && started.is_sorted()
}

/// The numbers of all events that somebody saw who followed this run to its end.
async fn follow(client: Client, run_id: String, number: u64) -> (String, Result<Vec<u64>>) {
    let client = Arc::new(client);
    let followed = async {
        let mut numbers = Vec::new();
        let mut fickle = number.is_multiple_of(FICKLE);
        let mut events = client.events(&run_id, 0, PATIENCE);
        while let Some(heard) = events.next().await? {
            match heard {
                Heard::Event(envelope) => numbers.push(envelope.seq),
                Heard::Unknown(event) => anyhow::bail!("an event that nobody knows: {event}"),
                Heard::Lost(why) => anyhow::bail!("the connection was lost: {why}"),
                Heard::Status(_) | Heard::Back => {}
            }
            if fickle && numbers.len() >= HANGS_UP_AFTER {
                fickle = false;
                events = client.events(&run_id, events.known(), PATIENCE);
            }
        }
        Ok(numbers)
    };
    let followed = followed.await;
    (run_id, followed)
}

async fn watch_memory(pid: u32, mut over: watch::Receiver<bool>) -> f64 {
    let mut most: f64 = 0.0;
    loop {
        most = most.max(resident_mib(pid).unwrap_or(0.0));
        tokio::select! {
            _ = over.changed() => return most,
            () = tokio::time::sleep(Duration::from_millis(200)) => {}
        }
    }
}
