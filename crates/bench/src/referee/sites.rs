//! End states of web sites, right and subtly wrong, in a real browser: the picture, the page's own tree and the
//! server's state are asked by the same referee that judges runs.

use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_env::{Environment as _, Receipt, SettleKind, local_client};
use surehand_referee::fusion::ContractFinding;
use surehand_referee::{Accept, Contract, Folders, Grounds, JudgeSettings, Shot};
use surehand_run::{Asked, Referee, judge_now};
use surehand_sites::{Site, SiteServer};
use surehand_types::GridPoint;
use surehand_types::result::CheckVerdict;

use super::cases::Case;
use super::{Judged, opinions};
use crate::controller::Setup;

/// How the page came to look as it does.
struct State {
    kind: &'static str,
    right: bool,
    /// What the server is given.
    saved: fn(&mut Value),
    /// What is then done on the page, without saving.
    unsaved: &'static str,
}

const FOUR: [usize; 4] = [1, 5, 9, 13];

const STATES: &[State] = &[
    State { kind: "right", right: true, saved: |pattern| set(pattern, 0, &FOUR), unsaved: "" },
    State { kind: "one step off", right: false, saved: |pattern| set(pattern, 0, &[1, 5, 10, 13]), unsaved: "" },
    State {
        kind: "one step too many",
        right: false,
        saved: |pattern| set(pattern, 0, &[1, 5, 9, 13, 16]),
        unsaved: "",
    },
    State { kind: "neighbour row", right: false, saved: |pattern| set(pattern, 1, &FOUR), unsaved: "" },
    State {
        kind: "muted look-alike",
        right: false,
        saved: |pattern| {
            set(pattern, 0, &FOUR);
            pattern["rows"][0]["muted"] = json!(true);
        },
        unsaved: "",
    },
    // The picture is right, and the server never heard of it.
    State { kind: "never saved", right: false, saved: |_| {}, unsaved: "1 5 9 13" },
    // The message of an earlier save stands beside a pattern that was changed after it.
    State { kind: "stale message", right: false, saved: |pattern| set(pattern, 0, &FOUR), unsaved: "9" },
];

const SKINS: [&str; 3] = ["dark", "light", "grey"];

pub(super) async fn judge_states(setup: &Setup) -> Result<Vec<Judged>> {
    let server = SiteServer::start(Site::Studio, (Ipv4Addr::LOCALHOST, 0).into()).await?;
    let options = BrowserOptions { executable: Some(setup.browser.display().to_string()), ..BrowserOptions::default() };
    let mut env = BrowserEnv::launch(&options).await.context("the browser did not start")?;
    let judged = all(&mut env, &server).await;
    env.close().await;
    server.stop().await;
    judged
}

async fn all(env: &mut BrowserEnv, server: &SiteServer) -> Result<Vec<Judged>> {
    let client = local_client(Duration::from_secs(10))?;
    let mut judged = Vec::new();
    for seed in 1..=4_u64 {
        for skin in SKINS {
            for state in STATES {
                client.post(format!("{}__reset", server.url())).body(json!({"seed": seed}).to_string()).send().await?;
                let address = format!("{}api/pattern", server.url());
                let mut pattern: Value = client.get(&address).send().await?.json().await?;
                (state.saved)(&mut pattern);
                client.put(&address).body(pattern.to_string()).send().await?;
                env.open_start_url(&format!("{}?skin={skin}", server.url())).await?;
                place_of(env, "Kick step 1").await?;
                for step in state.unsaved.split_whitespace() {
                    press(env, &format!("Kick step {step}")).await?;
                }
                judged.push(judge_state(env, server, state, &format!("{skin} {seed}")).await?);
            }
        }
    }
    Ok(judged)
}

async fn judge_state(env: &mut BrowserEnv, server: &SiteServer, state: &State, about: &str) -> Result<Judged> {
    let check = json!({"type": "grid_row", "target_row_regex": "^Kick$", "steps": 16, "required_steps": FOUR, "forbidden_steps": "others"});
    let text = json!({"id": "studio", "checks": [
        check,
        {"type": "http", "url": "/__state", "json_path": "$.rows[0].active", "equals": FOUR},
        {"type": "dom", "selector": "[aria-label='Mute Kick']", "attribute": "aria-pressed", "value_regex": "^false$"},
    ]});
    let referee = Referee {
        contract: Some(Contract::read(&text.to_string(), Path::new("."))?),
        folders: Folders::new("."),
        judge: None,
        judge_settings: JudgeSettings::default(),
        accept: Accept::Fused,
        database: None,
        secrets: Default::default(),
        reach: None,
    };
    let start = server.url();
    let asked = Asked { task: "kick", start_url: Some(&start), ..Asked::default() };
    let (ruling, last) = judge_now(env, &referee, asked).await;
    let contract = match ruling.verdict.contract {
        Some(CheckVerdict::Pass) => ContractFinding::Pass(Grounds::AnotherChannel),
        Some(CheckVerdict::Fail) => ContractFinding::Fail,
        Some(CheckVerdict::Uncertain) | None => ContractFinding::Uncertain,
    };
    let case =
        Case { id: format!("studio {} {about}", state.kind), kind: state.kind, check, right: state.right, clean: true };
    let shot = last.map(|last| Shot::of(&last.frame));
    Ok(Judged { judges: opinions(&case, shot.as_ref()).await, case, contract })
}

async fn press(env: &mut BrowserEnv, name: &str) -> Result<()> {
    let centre = place_of(env, name).await?;
    let call =
        surehand_types::Call::parse(&json!({"tool": "mouse", "action": "click", "coordinate": [centre.x, centre.y]}));
    let call = call.map_err(|problem| anyhow::anyhow!(problem.message))?.call;
    env.begin_call();
    let aim = env.aim(&call).await.map_err(|failure| anyhow::anyhow!(failure.message))?;
    let receipt = env.commit(&call, &aim).await.map_err(|failure| anyhow::anyhow!(failure.message))?;
    env.settle(&receipt).await?;
    Ok(())
}

/// The page draws its steps when it has its pattern.
async fn place_of(env: &mut BrowserEnv, name: &str) -> Result<GridPoint> {
    let until = Instant::now() + Duration::from_secs(10);
    while Instant::now() < until {
        let look = Receipt { settle: SettleKind::Look, ..Receipt::default() };
        let seen = env.settle(&look).await?.observation;
        if let Some(target) = seen.interactables.iter().find(|item| item.name == name) {
            return Ok(target.bounds.centre());
        }
    }
    anyhow::bail!("{name} is not on the page")
}

fn set(pattern: &mut Value, row: usize, steps: &[usize]) {
    for step in steps {
        pattern["rows"][row]["steps"][step - 1] = json!(true);
    }
}
