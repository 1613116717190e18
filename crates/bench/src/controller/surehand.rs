//! Surehand through its public door: `act` on an `Environment`, with aim, hit test, guards, commit,
//! settle and the decoded frame all inside the measured time. Nothing is bypassed.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use surehand_checks::before::GuardList;
use surehand_checks::before::density::{DensityGate, GateMode};
use surehand_env::Environment;
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_run::{Acted, Hand};
use surehand_types::call::{MouseButton, MouseCall, TabCall};
use surehand_types::{Call, Observation};

use super::{Sample, Setup};
use crate::panel::{Witness, witness};
use crate::site::{Aiming, VIEW};

const STEP_DEADLINE: Duration = Duration::from_secs(30);

/// Time in which a late click would surely have been counted.
const GRACE_SECONDS: f64 = 0.5;

#[derive(Debug)]
pub(crate) struct Surehand {
    env: BrowserEnv,
    hand: Hand,
    aiming: Aiming,
    sent: u64,
    missed: u64,
    last_frame: u64,
}

/// One step, with more detail than the others can give.
#[derive(Debug)]
pub(crate) struct SurehandStep {
    pub(crate) sample: Sample,
    /// Aim, guards and commit.
    pub(crate) act_ms: f64,
    pub(crate) settle_ms: f64,
    /// Captures that settle needed.
    pub(crate) captures: u64,
}

impl Surehand {
    /// Launches, opens the page, and has the first frame decoded.
    pub(crate) async fn open(setup: &Setup) -> Result<Surehand> {
        let options = BrowserOptions {
            executable: Some(setup.browser.display().to_string()),
            viewport: VIEW,
            encoding: setup.format.encoding(),
            ..BrowserOptions::default()
        };
        let mut env = BrowserEnv::launch(&options).await?;
        env.open_start_url(&setup.url).await?;
        let first = env.observe().await?;
        ensure!(first.view == VIEW, "Surehand's view is {:?}", first.view);
        ensure!(witness(&first.frame.pixels, 0) == Witness::Fresh, "the first frame does not show the page");
        let last_frame = first.frame.id;
        let aiming = setup.aiming;
        // The gate as users have it.
        let hand = Hand::new(GuardList::new(vec![Box::new(DensityGate { mode: GateMode::Smart })]));
        Ok(Surehand { env, hand, aiming, sent: 0, missed: 0, last_frame })
    }

    pub(crate) async fn step(&mut self) -> Result<SurehandStep> {
        let at = Some(self.aiming.grid_point(self.sent));
        let click = MouseCall::Click { at, button: MouseButton::Left, count: 1, modifiers: Vec::new() };
        let begun = Instant::now();
        let acted = self.act(&Call::Mouse(click)).await?;
        let total_ms = begun.elapsed().as_secs_f64() * 1000.0;
        self.sent += 1;
        ensure!(acted.ok, "the click failed: {}", acted.message);
        let hit = acted.hit.as_ref().and_then(|hit| hit.id.as_deref());
        ensure!(hit == Some("bump"), "the click would have hit {hit:?}");
        let frame = &acted.observation.frame;
        let captures = frame.id - self.last_frame;
        self.last_frame = frame.id;
        let witness = match witness(&frame.pixels, self.sent - self.missed) {
            Witness::Fresh if !frame.stale => Witness::Fresh,
            _ => self.stale_or_missed().await?,
        };
        let sample = Sample { total_ms, without_first_look_ms: total_ms, witness };
        let (act_ms, settle_ms) = (acted.timing.act_ms, acted.timing.settle_ms);
        Ok(SurehandStep { sample, act_ms, settle_ms, captures })
    }

    pub(crate) async fn missed(&mut self) -> Result<u64> {
        let counted = count_in(&self.look().await?)?;
        ensure!(counted <= self.sent, "the page counted {counted} clicks, but {} were sent", self.sent);
        Ok(self.sent - counted)
    }

    pub(crate) async fn close(mut self) {
        self.env.close().await;
    }

    /// A wrong colour has two causes: the frame is older than the click, or the click never came.
    async fn stale_or_missed(&mut self) -> Result<Witness> {
        self.act(&Call::Wait { seconds: GRACE_SECONDS }).await?;
        let missed = self.missed().await?;
        if missed > self.missed {
            self.missed = missed;
            return Ok(Witness::NotChecked);
        }
        Ok(Witness::Stale)
    }

    async fn look(&mut self) -> Result<Observation> {
        let observation = self.act(&Call::Tab(TabCall::View { tab: None })).await?.observation;
        self.last_frame = observation.frame.id;
        Ok(observation)
    }

    async fn act(&mut self, call: &Call) -> Result<Acted> {
        let step = u32::try_from(self.sent).unwrap_or(u32::MAX);
        let acting = self.hand.act(&mut self.env, call, step);
        Ok(tokio::time::timeout(STEP_DEADLINE, acting).await.context("Surehand's step took too long")??)
    }
}

/// The page writes its count into its title, which every observation carries.
fn count_in(observation: &Observation) -> Result<u64> {
    let title = observation.title.as_deref().unwrap_or_default();
    let count = title.strip_prefix("clicks ").and_then(|count| count.parse().ok());
    count.with_context(|| format!("the page's title is {title:?}"))
}
