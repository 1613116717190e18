//! One call, whoever asked for it: aim, guard, commit, settle, verify. The loop, `surehand tools`
//! and every later door pass through here, so no door can skip a guard.

use std::time::Instant;

use surehand_checks::before::{Aim, Decision, GuardContext, GuardList};
use surehand_env::{CallFailure, EnvError, Environment, Happenings, Receipt, SettleKind};
use surehand_types::call::MouseCall;
use surehand_types::event::EnvironmentEvent;
use surehand_types::observation::{Candidate, Dialog, Dispatched, Pending};
use surehand_types::result::GuardRecord;
use surehand_types::{Call, CallProblem, Effect, ErrorCode, Hit, Observation, Pixels};

/// What became of a call.
#[derive(Debug)]
pub struct Acted {
    pub ok: bool,
    pub message: String,
    pub error: Option<CallProblem>,
    pub effect: Option<Effect>,
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    pub pending: Option<Pending>,
    pub candidates: Vec<Candidate>,
    /// A picture that the call asked for (zoom).
    pub picture: Option<Pixels>,
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

/// Runs one call. `Err` means that the environment is gone; everything else is in `Acted`.
pub async fn act(env: &mut dyn Environment, guards: &GuardList, call: &Call, step: u32) -> Result<Acted, EnvError> {
    let mut clock = Clock::start();
    env.begin_call();

    let aim = match env.aim(call).await {
        Ok(aim) => aim,
        Err(failure) => {
            env.abandon().await;
            return failed(env, failure, Aim::default(), Stage::BeforeCommit, clock).await;
        }
    };

    let url = env.live_url();
    let ruling = guards.decide(&GuardContext { call, aim: &aim, url: url.as_deref(), step });
    let guard = ruling.record();
    if let Decision::Refuse { reason, .. } | Decision::Confirm { reason, .. } | Decision::Preview { reason, .. } =
        ruling.decision
    {
        env.abandon().await;
        let mut acted =
            failed(env, CallFailure::new(ErrorCode::Denied, reason), aim, Stage::BeforeCommit, clock).await?;
        acted.guard = guard;
        return Ok(acted);
    }

    let receipt = match env.commit(call, &aim).await {
        Ok(receipt) => receipt,
        Err(failure) => return failed(env, failure, aim, Stage::Commit, clock).await,
    };
    clock.timing.act_ms = clock.lap();

    let observation = env.settle(&receipt).await?;
    clock.timing.settle_ms = clock.lap();

    let happenings = env.take_happenings();
    let effect = effect_of(call);
    clock.timing.verify_ms = clock.lap();

    Ok(Acted {
        ok: true,
        message: with_happenings(receipt.message, &happenings, &observation),
        error: None,
        effect,
        dispatched: receipt.dispatched,
        hit: aim.hit,
        pending: None,
        candidates: aim.neighbours,
        picture: receipt.picture,
        observation,
        happenings,
        guard,
        timing: clock.timing,
    })
}

impl Acted {
    /// The dialog that is open now, else the last one that was answered by itself.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.observation.dialog.as_ref().or(self.happenings.answered_dialog.as_ref())
    }
}

/// While no effect check is wired in, an action's effect is honestly unknown.
fn effect_of(call: &Call) -> Option<Effect> {
    let silent = call.only_looks() || matches!(call, Call::Mouse(MouseCall::Move { .. }));
    (!silent).then(Effect::not_measured)
}

/// How far a call had come when it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
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
    let observation = env.settle(&Receipt { settle: kind, ..Receipt::default() }).await?;
    clock.timing.settle_ms = clock.lap();
    let code =
        serde_json::to_value(failure.code).ok().and_then(|code| code.as_str().map(str::to_string)).unwrap_or_default();
    let dispatched =
        aim.point.filter(|_| half_done).map(|point| Dispatched { from: aim.from, ..Dispatched::at(point) });
    Ok(Acted {
        ok: false,
        message: failure.message.clone(),
        error: Some(CallProblem { code: failure.code, message: failure.message }),
        effect: Some(if half_done { Effect::unverifiable(code) } else { Effect::refused(code) }),
        dispatched,
        hit: aim.hit,
        pending: None,
        candidates: aim.neighbours,
        picture: None,
        observation,
        happenings: env.take_happenings(),
        guard: None,
        timing: clock.timing,
    })
}

/// Things the brain must not miss, said in the same line.
fn with_happenings(message: String, happenings: &Happenings, observation: &Observation) -> String {
    let mut message = message;
    if let Some(dialog) = &observation.dialog {
        message.push_str(&format!("; a dialog opened: {:?}", shortened(&dialog.message)));
    } else if let Some(dialog) = happenings
        .answered_dialog
        .as_ref()
        .filter(|dialog| dialog.r#type == surehand_types::observation::DialogKind::Alert)
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
