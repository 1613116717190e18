//! One call, whoever asked for it: aim, guard, commit, settle, verify. The loop, `surehand tools`
//! and every later door pass through here, so no door can skip a guard.

use std::time::Instant;

use surehand_checks::before::density::{candidate_boxes, candidates, is_gated};
use surehand_checks::before::{Aim, Decision, GuardContext, GuardList, Intent, Spot};
use surehand_env::{CallFailure, EnvError, Environment, Happenings, Receipt, SettleKind, WatcherBox};
use surehand_types::call::MouseCall;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Candidate, Dialog, DialogKind, Dispatched, ImageKind, Pending};
use surehand_types::result::{GateSummary, GuardRecord};
use surehand_types::{Call, CallProblem, Effect, EffectStatus, ErrorCode, Hit, Observation, Pixels, ViewSize};

use crate::preview::{Preview, candidate_words};

/// What became of a call.
#[derive(Debug)]
pub struct Acted {
    pub ok: bool,
    /// The call came as far as aiming: whatever was waiting before it may be dropped.
    pub(crate) reached: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    pub effect: Option<Effect>,
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    pub pending: Option<Pending>,
    pub candidates: Vec<Candidate>,
    /// Pictures beside the frame: what a zoom asked for, or a preview with its crop.
    pub pictures: Vec<(ImageKind, Pixels)>,
    pub observation: Observation,
    pub happenings: Happenings,
    pub guard: Option<GuardRecord>,
    pub timing: ActTiming,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct ActTiming {
    pub act_ms: f64,
    pub settle_ms: f64,
    pub verify_ms: f64,
}

/// The hand that every door acts with: what may be done, and what lasts from one call to the next.
#[derive(Debug, Default)]
pub struct Hand {
    guards: GuardList,
    preview: Option<Preview>,
    gate: GateSummary,
}

impl Hand {
    pub fn new(guards: GuardList) -> Hand {
        Hand { guards, preview: None, gate: GateSummary::default() }
    }

    pub fn gate_summary(&self) -> GateSummary {
        self.gate.with_rates()
    }

    /// Runs one call. `Err` means that the environment is gone; everything else is in `Acted`.
    pub async fn act(&mut self, env: &mut dyn Environment, call: &Call, step: u32) -> Result<Acted, EnvError> {
        self.act_with(env, call, step, Intent::First).await
    }

    /// The same for a call whose target is already certain (a script named it): nothing to preview.
    pub async fn act_with(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        step: u32,
        intent: Intent,
    ) -> Result<Acted, EnvError> {
        env.begin_call();
        // A preview of another document is a preview of nothing.
        self.preview = self.preview.take().filter(|preview| preview.document == env.document());
        let mut acted = match (call, self.preview.clone()) {
            (Call::Mouse(MouseCall::Confirm), Some(preview)) => self.confirm(env, preview, step).await?,
            (call, preview) => {
                let mut acted = self.attempt(env, call, intent, None, step).await?;
                if let Some(preview) = preview.filter(|_| ends_pending(call) && acted.reached) {
                    self.reject(&preview, &mut acted);
                }
                acted
            }
        };
        acted.pending = acted.pending.or_else(|| self.preview.as_ref().map(|preview| preview.pending.clone()));
        acted.pending = acted.pending.or_else(|| env.held());
        Ok(acted)
    }

    /// The brain saw the preview and wants it: done if it is still what was shown.
    async fn confirm(&mut self, env: &mut dyn Environment, preview: Preview, step: u32) -> Result<Acted, EnvError> {
        let call = Call::Mouse(preview.call.clone());
        let acted = self.attempt(env, &call, Intent::Confirmed, Some(&preview), step).await?;
        if acted.ok {
            self.gate.confirmed += 1;
            self.preview = None;
        }
        Ok(acted)
    }

    fn reject(&mut self, preview: &Preview, acted: &mut Acted) {
        self.gate.rejected += 1;
        // The call may have made a preview of its own; that one stays.
        if self.preview.as_ref().is_some_and(|kept| kept.pending == preview.pending && kept.call == preview.call)
            && acted.pictures.is_empty()
        {
            self.preview = None;
        }
        if preview.candidates.is_empty() {
            return;
        }
        let words = candidate_words(&preview.candidates);
        acted.message.push_str(&format!("; the previewed action was dropped, near it were {words}"));
        for candidate in &preview.candidates {
            if !acted.candidates.contains(candidate) {
                acted.candidates.push(candidate.clone());
            }
        }
    }

    async fn attempt(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        intent: Intent,
        shown: Option<&Preview>,
        step: u32,
    ) -> Result<Acted, EnvError> {
        let mut clock = Clock::start();
        let aim = match env.aim(call).await {
            Ok(aim) => aim,
            Err(failure) => {
                env.abandon().await;
                return failed(env, failure, Aim::default(), Stage::BeforeAim, clock).await;
            }
        };
        if let Some(Err(problem)) = shown.map(|preview| preview.still_holds(&aim)) {
            env.abandon().await;
            let failure = CallFailure::new(problem.code, problem.message);
            return failed(env, failure, aim, Stage::BeforeCommit, clock).await;
        }

        let url = env.live_url();
        let ruling = self.guards.decide(&GuardContext { call, aim: &aim, url: url.as_deref(), step, intent });
        let guard = ruling.record();
        if is_gated(call) && intent == Intent::First {
            self.gate.checked += 1;
        }
        match (&ruling.decision, call) {
            (Decision::Allow, _) => {}
            (Decision::Preview { .. }, Call::Mouse(mouse)) => {
                env.abandon().await;
                let mut acted = self.show_preview(env, mouse, aim, clock).await?;
                acted.guard = guard;
                return Ok(acted);
            }
            (
                Decision::Refuse { reason, .. } | Decision::Confirm { reason, .. } | Decision::Preview { reason, .. },
                _,
            ) => {
                env.abandon().await;
                let failure = CallFailure::new(ErrorCode::Denied, reason.clone());
                let mut acted = failed(env, failure, aim, Stage::BeforeCommit, clock).await?;
                acted.guard = guard;
                return Ok(acted);
            }
        }
        if ends_pending(call) && !env.held().is_some_and(|held| held.is_answered_by(call)) {
            env.release_held();
        }
        if aim.native.is_some() {
            return intercepted(env, aim, clock).await;
        }

        let receipt = match env.commit(call, &aim).await {
            Ok(receipt) => receipt,
            Err(failure) => return failed(env, failure, aim, Stage::Commit, clock).await,
        };
        clock.timing.act_ms = clock.lap();

        let settled = env.settle(&receipt).await?;
        clock.timing.settle_ms = clock.lap();

        let happenings = env.take_happenings();
        let mut acted = Acted {
            ok: true,
            message: with_happenings(receipt.message, &happenings, &settled.observation),
            effect: settled.effect,
            dispatched: receipt.dispatched,
            pictures: receipt.picture.map(|pixels| (ImageKind::Zoom, pixels)).into_iter().collect(),
            happenings,
            guard,
            timing: clock.timing,
            ..Acted::of(settled.observation)
        };
        if matches!(call, Call::Mouse(_) | Call::Keyboard(_)) {
            warn_if_dead(&mut acted, &aim, env.view());
        }
        acted.hit = aim.hit;
        if !acted.candidates.is_empty() {
            env.show_watcher(&dead_boxes(&aim.spots)).await;
        }
        Ok(acted)
    }

    /// Nothing is pressed: the brain is shown what it would hit, and what else is there.
    async fn show_preview(
        &mut self,
        env: &mut dyn Environment,
        call: &MouseCall,
        aim: Aim,
        mut clock: Clock,
    ) -> Result<Acted, EnvError> {
        // A native control that was waiting is dropped for this.
        env.release_held();
        clock.timing.act_ms = clock.lap();
        let settled = env.settle(&Receipt { settle: SettleKind::Look, ..Receipt::default() }).await?;
        clock.timing.settle_ms = clock.lap();
        let preview = Preview::new(call.clone(), &aim, env.document(), env.view());
        self.gate.previewed += 1;
        let happenings = env.take_happenings();
        let acted = Acted {
            ok: true,
            message: with_happenings(preview.message(), &happenings, &settled.observation),
            effect: Some(Effect::refused("preview")),
            hit: aim.hit,
            pending: Some(preview.pending.clone()),
            candidates: preview.candidates.clone(),
            pictures: preview.pictures(&settled.observation),
            happenings,
            timing: clock.timing,
            ..Acted::of(settled.observation)
        };
        env.show_watcher(&preview.watcher_boxes()).await;
        self.preview = Some(preview);
        Ok(acted)
    }
}

/// A click on a native control: kept from it, and answered by what can be chosen.
async fn intercepted(env: &mut dyn Environment, aim: Aim, mut clock: Clock) -> Result<Acted, EnvError> {
    if let Err(failure) = env.intercept(&aim).await {
        env.abandon().await;
        return failed(env, failure, aim, Stage::BeforeCommit, clock).await;
    }
    env.abandon().await;
    clock.timing.act_ms = clock.lap();
    let settled = env.settle(&Receipt { settle: SettleKind::Look, ..Receipt::default() }).await?;
    clock.timing.settle_ms = clock.lap();
    let descriptor = aim.hit.as_ref().map_or("the control", |hit| hit.descriptor.as_str());
    let message = aim.native.as_ref().map(|native| native.invitation(descriptor)).unwrap_or_default();
    let happenings = env.take_happenings();
    Ok(Acted {
        ok: true,
        message: with_happenings(message, &happenings, &settled.observation),
        effect: Some(Effect::refused("native_control")),
        hit: aim.hit,
        pending: env.held(),
        happenings,
        timing: clock.timing,
        ..Acted::of(settled.observation)
    })
}

/// Calls that drop what was waiting: they act elsewhere. Looking and waiting keep it.
fn ends_pending(call: &Call) -> bool {
    matches!(call, Call::Mouse(_) | Call::Keyboard(_) | Call::Tab(_))
        && (!call.only_looks() || matches!(call, Call::Mouse(_)))
}

/// A dead action is said to be dead, with what it hit and where it might have been meant.
fn warn_if_dead(acted: &mut Acted, aim: &Aim, view: ViewSize) {
    let dead = acted.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::NoEffect);
    if !dead {
        return;
    }
    acted.message.push_str("; WARNING: nothing on the page reacted to it");
    if let Some(hit) = &aim.hit
        && let Some(covered) = &hit.covers
    {
        acted.message.push_str(&format!("; it was received by {}, not by {}", hit.descriptor, covered.descriptor));
    }
    let mut found: Vec<Candidate> = aim.spots.iter().flat_map(|spot| candidates(spot, view)).collect();
    found.sort_by(|a, b| a.distance_px.total_cmp(&b.distance_px));
    // Both ends of a drag may be near the same control.
    let mut seen = Vec::new();
    found.retain(|candidate| {
        let new = !seen.contains(&candidate.center);
        seen.push(candidate.center);
        new
    });
    found.truncate(5);
    if !found.is_empty() {
        acted.message.push_str(&format!("; near it: {}", candidate_words(&found)));
    }
    acted.candidates = found;
}

fn dead_boxes(spots: &[Spot]) -> Vec<WatcherBox> {
    spots.iter().flat_map(candidate_boxes).map(|bounds| WatcherBox { bounds, hit: false }).collect()
}

impl Acted {
    /// Nothing said yet about the call, but how the world looks after it.
    fn of(observation: Observation) -> Acted {
        Acted {
            ok: false,
            reached: true,
            message: String::new(),
            error: None,
            effect: None,
            dispatched: None,
            hit: None,
            pending: None,
            candidates: Vec::new(),
            pictures: Vec::new(),
            observation,
            happenings: Happenings::default(),
            guard: None,
            timing: ActTiming::default(),
        }
    }

    /// The dialog that is open now, else the last one that was answered by itself.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.observation.dialog.as_ref().or(self.happenings.answered_dialog.as_ref())
    }
}

/// How far a call had come when it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The call was turned away before anything happened.
    BeforeAim,
    /// Nothing was sent, though the pointer may have moved.
    BeforeCommit,
    Commit,
}

/// Failures of a commit that come after something was sent: its outcome is not known, and calling
/// it refused would invite the brain to do it twice.
fn half_done(failure: &CallFailure, stage: Stage) -> bool {
    let late =
        matches!(failure.code, ErrorCode::Timeout | ErrorCode::NotCleared | ErrorCode::DialogOpen | ErrorCode::EnvLost);
    stage == Stage::Commit && late
}

async fn failed(
    env: &mut dyn Environment,
    failure: CallFailure,
    aim: Aim,
    stage: Stage,
    mut clock: Clock,
) -> Result<Acted, EnvError> {
    clock.timing.act_ms = clock.lap();
    if failure.code == ErrorCode::EnvLost
        && let Some(reason) = env.lost()
    {
        return Err(EnvError::Lost(reason));
    }
    let half_done = half_done(&failure, stage);
    // The last observation only still holds where nothing was sent and the pointer did not move.
    let kind = if half_done || aim.point.is_some() { SettleKind::Look } else { SettleKind::Keep };
    let settled = env.settle(&Receipt { settle: kind, ..Receipt::default() }).await?;
    clock.timing.settle_ms = clock.lap();
    let code =
        serde_json::to_value(failure.code).ok().and_then(|code| code.as_str().map(str::to_string)).unwrap_or_default();
    let dispatched =
        aim.point.filter(|_| half_done).map(|point| Dispatched { from: aim.from, ..Dispatched::at(point) });
    Ok(Acted {
        reached: stage != Stage::BeforeAim,
        message: failure.message.clone(),
        error: Some(CallProblem { code: failure.code, message: failure.message }),
        effect: Some(if half_done { Effect::unverifiable(code) } else { Effect::refused(code) }),
        dispatched,
        hit: aim.hit,
        happenings: env.take_happenings(),
        timing: clock.timing,
        ..Acted::of(settled.observation)
    })
}

/// Things the brain must not miss, said in the same line.
fn with_happenings(message: String, happenings: &Happenings, observation: &Observation) -> String {
    let mut message = message;
    if let Some(dialog) = &observation.dialog {
        message.push_str(&match dialog.r#type {
            DialogKind::Beforeunload => {
                "; the page asks whether to leave it: dialog accept leaves, dismiss stays".into()
            }
            _ => format!("; a dialog opened: {:?}", shortened(&dialog.message)),
        });
    } else if let Some(dialog) = happenings.answered_dialog.as_ref().filter(|dialog| dialog.r#type == DialogKind::Alert)
    {
        message.push_str(&format!("; an alert said {:?} and was accepted", shortened(&dialog.message)));
    }
    let opened: Vec<&str> = happenings.opened.iter().map(String::as_str).collect();
    if !opened.is_empty() && !message.starts_with("opened ") {
        message.push_str(&format!("; new tab {}", opened.join(", ")));
    }
    for event in &happenings.events {
        match event {
            EnvironmentEvent::TabCrashed { tab } => message.push_str(&format!("; {tab} crashed")),
            EnvironmentEvent::TabClosed { tab } if !message.starts_with("closed ") => {
                message.push_str(&format!("; {tab} was closed"));
            }
            _ => {}
        }
    }
    for download in &happenings.downloads {
        message.push_str(&format!("; downloaded {} ({} bytes)", download.path, download.bytes));
    }
    message
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

struct Clock {
    last: Instant,
    timing: ActTiming,
}

impl Clock {
    fn start() -> Self {
        Clock { last: Instant::now(), timing: ActTiming::default() }
    }

    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now.duration_since(self.last).as_secs_f64() * 1000.0;
        self.last = now;
        lap
    }
}
