//! One click on one case, through the hand that every door uses, and what the three judges say of it.
//! Nothing that the page or the server knows about its own truth is read here.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde_json::json;
use surehand_checks::action::Action;
use surehand_checks::after::perceptual::{self, Deed, PerceptualRules, Shown};
use surehand_checks::before::GuardList;
use surehand_checks::before::density::{DensityGate, GateMode};
use surehand_env::Environment;
use surehand_env::browser::{BrowserEnv, BrowserOptions};
use surehand_run::{Acted, Hand};
use surehand_sites::fault::{Case, Fate};
use surehand_types::{Call, EffectStatus, Frame, Observation, ViewPoint};

use super::witness::Witness;
use crate::controller::Setup;
use crate::site::VIEW;

const DEADLINE: Duration = Duration::from_secs(30);
/// A brain thinks between its look and its click.
const SHORTEST_THOUGHT_MS: u64 = 300;
const LONGEST_THOUGHT_MS: u64 = 1500;

/// What a judge says of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Said {
    NoEffect,
    Confirmed,
    Unverifiable,
    /// Refused, or the click could not be made.
    Other,
}

/// One click and all that is known of it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Outcome {
    pub(super) run: u64,
    #[serde(flatten)]
    pub(super) case: Case,
    pub(super) near: bool,
    pub(super) ours: Said,
    pub(super) hash: Said,
    /// `None` where the observer could not be asked.
    pub(super) probe: Option<Said>,
    /// What our judgement rests on.
    pub(super) evidence: String,
    pub(super) took_ms: f64,
    /// What the page told after the judgement; `None` where it told nothing.
    pub(super) witness: Option<Witness>,
}

impl Said {
    pub(super) const ALL: [Said; 4] = [Said::NoEffect, Said::Confirmed, Said::Unverifiable, Said::Other];

    pub(super) fn words(self) -> &'static str {
        match self {
            Said::NoEffect => "no_effect",
            Said::Confirmed => "confirmed",
            Said::Unverifiable => "unverifiable",
            Said::Other => "refused/other",
        }
    }

    pub(super) fn is_right(self, fate: Fate) -> bool {
        matches!((self, fate), (Said::NoEffect, Fate::Dead) | (Said::Confirmed, Fate::Live))
    }

    fn of_sign(changed: bool) -> Said {
        if changed { Said::Confirmed } else { Said::NoEffect }
    }
}

impl Outcome {
    /// Anything but the truth, doubt included.
    pub(super) fn is_wrong(&self) -> bool {
        !self.ours.is_right(self.case.kind.fate)
    }

    /// Whether the page itself told that it did what its kind says.
    pub(super) fn is_sound(&self) -> bool {
        self.witness.is_some_and(|witness| match self.case.kind.fate {
            Fate::Dead => witness.arrived > 0 && witness.ran == 0,
            Fate::Live => witness.ran > 0,
        })
    }

    pub(super) fn fate(&self) -> &'static str {
        match self.case.kind.fate {
            Fate::Dead => "dead",
            Fate::Live => "live",
        }
    }

    pub(super) fn path(&self) -> String {
        self.case.path(self.run)
    }

    pub(super) fn in_words(&self) -> String {
        let near = if self.near { ", noise near" } else { "" };
        format!("{} called {}: {}{near}; {}", self.fate(), self.ours.words(), self.path(), self.evidence)
    }
}

/// One browser that takes case after case.
pub(super) struct Trials {
    env: BrowserEnv,
    options: BrowserOptions,
    site: String,
}

impl Trials {
    pub(super) async fn open(setup: &Setup, site: String) -> Result<Trials> {
        let options = BrowserOptions {
            executable: Some(setup.browser.display().to_string()),
            viewport: VIEW,
            encoding: setup.format.encoding(),
            ..BrowserOptions::default()
        };
        let env = BrowserEnv::launch(&options).await?;
        Ok(Trials { env, options, site: site.trim_end_matches('/').to_string() })
    }

    pub(super) async fn judge(&mut self, run: u64, case: Case) -> Result<Outcome> {
        let begun = Instant::now();
        let done = tokio::time::timeout(DEADLINE, self.click(run, case)).await;
        let done = done.unwrap_or_else(|_| Err(anyhow!("the click took longer than {DEADLINE:?}")));
        let mut outcome = Outcome {
            run,
            case,
            near: case.noise_is_near(),
            ours: Said::Other,
            hash: Said::Other,
            probe: None,
            evidence: String::new(),
            took_ms: 0.0,
            witness: None,
        };
        match done {
            Ok((before, acted)) => {
                (outcome.ours, outcome.evidence) = ours(&acted);
                outcome.hash = hash_only(case, &before, &acted.observation.frame);
                outcome.probe = Some(Said::of_sign(self.env.mutations_noticed() > 0));
            }
            Err(error) => {
                outcome.evidence = format!("{error:#}");
                self.start_again().await?;
            }
        }
        outcome.took_ms = begun.elapsed().as_secs_f64() * 1000.0;
        Ok(outcome)
    }

    async fn click(&mut self, run: u64, case: Case) -> Result<(Frame, Acted)> {
        self.env.open_start_url(&format!("{}{}", self.site, case.path(run))).await?;
        let Observation { frame: before, .. } = self.env.observe().await?;
        tokio::time::sleep(thought(case.seed)).await;
        let (x, y) = case.target();
        let point = ViewPoint { x: i32::try_from(x)?, y: i32::try_from(y)? }.to_grid(VIEW);
        let call = json!({"tool": "mouse", "action": "click", "coordinate": [point.x, point.y]});
        let call = Call::parse(&call).map_err(|problem| anyhow!(problem.message))?.call;
        let mut hand = Hand::new(GuardList::new(vec![Box::new(DensityGate { mode: GateMode::Smart })]));
        let acted = hand.act(&mut self.env, &call, 1).await.context("the browser was lost")?;
        Ok((before, acted))
    }

    async fn start_again(&mut self) -> Result<()> {
        let fresh = BrowserEnv::launch(&self.options).await?;
        std::mem::replace(&mut self.env, fresh).close().await;
        Ok(())
    }

    /// Leaves the last page first, so that it tells what it saw.
    pub(super) async fn close(mut self) {
        // A page that does not tell shows up as one without a witness.
        let _ = self.env.open_start_url(&format!("{}/landed", self.site)).await;
        self.env.close().await;
    }
}

/// The same for the same seed, and different between neighbours.
fn thought(seed: u64) -> Duration {
    let spread = LONGEST_THOUGHT_MS - SHORTEST_THOUGHT_MS;
    Duration::from_millis(SHORTEST_THOUGHT_MS + seed.wrapping_mul(7919) % (spread + 1))
}

fn ours(acted: &Acted) -> (Said, String) {
    let Some(effect) = &acted.effect else {
        return (Said::Other, format!("no effect was told: {}", acted.message));
    };
    let said = match effect.status {
        EffectStatus::NoEffect => Said::NoEffect,
        EffectStatus::Confirmed => Said::Confirmed,
        EffectStatus::Unverifiable => Said::Unverifiable,
        EffectStatus::Refused => Said::Other,
    };
    let evidence = effect.evidence.iter().map(|evidence| format!("{}: {}", evidence.kind, evidence.detail));
    let words: Vec<String> = effect.reason.iter().cloned().chain(evidence).collect();
    (said, if words.is_empty() { acted.message.clone() } else { words.join("; ") })
}

/// The source's rule on the frames before and after, whatever the risk of the click.
fn hash_only(case: Case, before: &Frame, after: &Frame) -> Said {
    let (x, y) = case.target();
    let action = Action::new("click", json!({ "x": x, "y": y }));
    // The word makes the rule look at the click at all.
    let deed = Deed { action: &action, thought: "submit", task: "" };
    let shown = |frame| Some(Shown::of(frame, None));
    let check = perceptual::verify(shown(before), shown(after), deed, PerceptualRules::default());
    check.effect_observed.map_or(Said::Unverifiable, Said::of_sign)
}
