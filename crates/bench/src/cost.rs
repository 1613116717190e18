//! The cost bench: what is sent to a model. A long run with each of our adapters, whose requests must not grow once the
//! window of pictures is full; and a task of ten steps beside browser-use, on the same site and with the same clicks.
//! Bytes and pictures are counted, not timed, so a busy machine does not matter.

mod report;
mod rival;
mod server;
mod surehand;
mod task;
mod weigh;
mod wire;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use surehand_sites::{Site, SiteServer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub(crate) use self::report::CostReport;
use self::report::{Contestant, LongRun};
use self::rival::BrowserUse;
use self::server::{ModelApi, Requests, Script, Scripted};
use self::surehand::{ADAPTERS, Adapter};
use self::task::{Control, Deed};
use self::wire::{Wire, chat};
use crate::controller::Setup;

const STEPS: u64 = 60;
/// The adapters that meet the rival: one for each API.
const CONTESTANTS: [Wire; 4] = [Wire::Native, Wire::Anthropic, Wire::OpenAi, Wire::Gemini];
/// Steps in which the rival may wait for a page that it looked at too early.
const MOST_PAUSES: usize = 10;
const STATE_DEADLINE: Duration = Duration::from_secs(10);

/// `build_folder` is where the rival is installed, `steps` the length of a long run.
pub(crate) async fn measure(
    setup: &Setup,
    program: &Path,
    build_folder: &Path,
    steps: Option<u64>,
) -> Result<CostReport> {
    let steps = usize::try_from(steps.unwrap_or(STEPS)).unwrap_or(usize::MAX);
    let round = learn(setup, program, &task::round()).await?;
    let mut short = learn(setup, program, &task::short()).await?;
    short.push(Deed::Done);
    let mut long_runs = Vec::new();
    for adapter in &ADAPTERS {
        eprintln!("bench: cost, {} steps with {}", steps, adapter.name);
        let deeds: Vec<Deed> = round.iter().cycle().take(steps).cloned().collect();
        let outcome = ours(setup, program, adapter, deeds).await;
        long_runs.push(LongRun::of(adapter.name, round.len(), outcome.map(|run| run.requests)));
    }
    let mut contestants = Vec::new();
    for adapter in ADAPTERS.iter().filter(|adapter| CONTESTANTS.contains(&adapter.wire)) {
        eprintln!("bench: cost, the task of {} steps with {}", short.len(), adapter.name);
        let run = ours(setup, program, adapter, short.clone()).await;
        contestants.push(Contestant::of(format!("surehand, {}", adapter.name), run));
    }
    let rival = match BrowserUse::prepare(build_folder).await {
        Ok(rival) => {
            eprintln!("bench: cost, the task of {} steps with {}", short.len(), BrowserUse::version());
            theirs(setup, &rival, short.clone()).await
        }
        Err(error) => Err(error),
    };
    contestants.push(Contestant::of(BrowserUse::version(), rival));
    Ok(CostReport { steps, long_runs, task_steps: short.len(), contestants })
}

/// What a run sent, and whether the site says that the task was done.
#[derive(Debug)]
struct Run {
    requests: Requests,
    done: bool,
}

/// Where the controls are, from a run with a script that names them.
async fn learn(setup: &Setup, program: &Path, controls: &[Control]) -> Result<Vec<Deed>> {
    let site = site().await?;
    let file = setup.scratch.join("cost-script.jsonl");
    std::fs::write(&file, task::script(controls))?;
    let brain = format!("script:{}", file.display());
    let result = surehand::run(program, setup, &site.url(), &brain, controls.len() + 1).await?;
    site.stop().await;
    task::learnt(controls, &result)
}

async fn ours(setup: &Setup, program: &Path, adapter: &Adapter, deeds: Vec<Deed>) -> Result<Run> {
    let (site, wire, count) = (site().await?, adapter.wire, deeds.len());
    let script: Script = Box::new(move |number, _| match deeds.get(number) {
        Some(deed) => Scripted::Step(wire.answer(number, deed)),
        None => Scripted::Aside(wire.say(&opinion())),
    });
    let api = ModelApi::serve(script).await?;
    let result = surehand::run(program, setup, &site.url(), &adapter.brain(&api.address), count).await?;
    let requests = api.requests();
    let reason = result["termination_reason"].as_str().unwrap_or_default();
    ensure!(
        requests.steps.len() == count,
        "only {} of {count} steps were asked for; the run ended as {reason}: {}",
        requests.steps.len(),
        result["error"]
    );
    let done = task::is_done(&state(&site).await?);
    site.stop().await;
    Ok(Run { requests, done })
}

async fn theirs(setup: &Setup, rival: &BrowserUse, deeds: Vec<Deed>) -> Result<Run> {
    let (site, count) = (site().await?, deeds.len());
    let script: Script = Box::new(move |number, request| match deeds.get(number) {
        Some(deed) => rival::answer(deed, request),
        None => Scripted::Aside(chat(json!({"role": "assistant", "content": opinion()}))),
    });
    let api = ModelApi::serve(script).await?;
    let folder = setup.scratch.join("browser-use");
    let ended = rival.run(&site.url(), &api.address, &setup.browser, &folder, count + MOST_PAUSES).await;
    let requests = api.requests();
    let asked = requests.steps.len();
    ended.with_context(|| format!("{asked} of {count} steps were asked for"))?;
    let done = task::is_done(&state(&site).await?);
    site.stop().await;
    Ok(Run { requests, done })
}

/// What a scripted model says when it is asked whether the task is done: in our words and in the rival's.
fn opinion() -> String {
    json!({"valid": true, "reason": "the screen shows it", "reasoning": "the screen shows it", "verdict": true,
           "failure_reason": "", "impossible_task": false, "reached_captcha": false})
    .to_string()
}

async fn site() -> Result<SiteServer> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    SiteServer::start(Site::Mail, address).await.context("cannot serve the mail site")
}

async fn state(site: &SiteServer) -> Result<Value> {
    let asking = async {
        let mut stream = tokio::net::TcpStream::connect(site.address()).await?;
        stream.write_all(b"GET /__state HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (_, body) = answer.split_once("\r\n\r\n").context("the site gave no state")?;
        Ok::<Value, anyhow::Error>(serde_json::from_str(body)?)
    };
    tokio::time::timeout(STATE_DEADLINE, asking).await.context("the site took too long to tell its state")?
}
