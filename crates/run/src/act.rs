//! One call, whoever asked for it: aim, guard, commit, settle, verify. The loop, `surehand tools`
//! and every later door pass through here, so no door can skip a guard.

use surehand_checks::before::density::is_gated;
use surehand_checks::before::{Aim, Decision, Deed, GuardContext, GuardList, Intent, NativeControl};
use surehand_env::{ALLOWLIST_REFUSED, CallFailure, EnvError, Environment, Receipt, SettleKind};
use surehand_types::call::MouseCall;
use surehand_types::event::Confirmation;
use surehand_types::observation::{Dispatched, ImageKind};
use surehand_types::result::{AuditAnchor, ConfirmAnswer, GateSummary, PolicyRecord};
use surehand_types::{Call, CallProblem, Effect, ErrorCode, Observation};

use crate::acted::{Acted, Clock};
use crate::aside::{Keeper, PutAside};
use crate::permits::{Asking, Permit, Permits, changed_since, refusal};
use crate::preview::{Preview, candidate_words};
use crate::told::{dead_boxes, warn_if_dead, with_happenings};
use crate::waits::Waits;

/// The hand that every door acts with: what may be done, and what lasts from one call to the next.
#[derive(Debug, Default)]
pub struct Hand {
    guards: GuardList,
    preview: Option<Preview>,
    gate: GateSummary,
    /// What a call came to is not judged.
    blind: bool,
    permits: Option<Permits>,
    /// The last control that was worked: a dialog that opens is judged by it as well.
    opener: Option<Deed>,
    /// Who keeps what the run could be gone on from.
    keeper: Option<Keeper>,
}

impl From<GuardList> for Hand {
    fn from(guards: GuardList) -> Hand {
        Hand::new(guards)
    }
}

/// What came of asking whether a call may be made.
#[derive(Default)]
struct Asked {
    /// Whose own call it is, where it is a person's: nobody else has to agree to it. Never kept from one call to the next,
    /// as a call may be given up in the middle.
    by: Option<String>,
    policy: Option<PolicyRecord>,
    confirmation: Option<Confirmation>,
}

impl Hand {
    pub fn new(guards: GuardList) -> Hand {
        Hand { guards, ..Hand::default() }
    }

    /// Without a judgement of effects: nothing is said of what a call did or did not do.
    pub fn judging_effects(self, judging: bool) -> Hand {
        Hand { blind: !judging, ..self }
    }

    pub(crate) fn kept_by(self, keeper: Option<Keeper>) -> Hand {
        Hand { keeper, ..self }
    }

    /// The time in which people are asked is added to these.
    pub(crate) fn counting(mut self, waits: &Waits) -> Hand {
        if let Some(permits) = &mut self.permits {
            permits.count_in(waits.clone());
        }
        self
    }

    /// Every call has to pass these from now on.
    pub fn under(self, permits: Permits) -> Hand {
        Hand { permits: Some(permits), ..self }
    }

    /// For calls that do nothing to the world, so that every step has its decision.
    pub(crate) fn harmless(&mut self, call: &Call, step: u32) -> Option<PolicyRecord> {
        let permits = self.permits.as_mut()?;
        Some(permits.harmless(call, step, "it does nothing to the page"))
    }

    /// A person's word on something that is not about one aimed call. `Err` says why it may not be done.
    pub(crate) async fn agree(
        &mut self,
        what: &str,
        rule: &str,
        reason: &str,
        observation: &Observation,
        step: u32,
        asking: Asking,
    ) -> Result<Option<Confirmation>, (Option<Confirmation>, String)> {
        let Some(permits) = self.permits.as_mut() else {
            return Err((None, "nobody is there to agree".into()));
        };
        let asked = permits.agree(what, rule, reason, observation, step, asking).await;
        match asked {
            None => Ok(None),
            Some(asked) if asked.answer == ConfirmAnswer::Yes => Ok(Some(asked)),
            Some(asked) => {
                let sentence = refusal(&asked);
                Err((Some(asked), sentence))
            }
        }
    }

    /// The run, or the tools session, is over.
    pub fn ended(&mut self, reason: &str, steps: u32) -> Option<AuditAnchor> {
        self.permits.as_mut()?.ended(reason, steps)
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
        self.act_by(env, call, step, intent, None).await
    }

    async fn act_by(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        step: u32,
        intent: Intent,
        by: Option<&str>,
    ) -> Result<Acted, EnvError> {
        env.begin_call();
        // A preview of another document is a preview of nothing.
        self.preview = self.preview.take().filter(|preview| preview.document == env.document());
        let mut acted = match (call, self.preview.clone()) {
            (Call::Mouse(MouseCall::Confirm), Some(preview)) => self.confirm(env, preview, step, by).await?,
            (call, preview) => {
                let mut acted = self.attempt(env, call, intent, None, step, by).await?;
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

    /// The same for a person who has taken over. What the policy denies stays denied; what it wants a person for, a
    /// person is doing.
    pub(crate) async fn act_for_person(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        step: u32,
        by: &str,
    ) -> Result<Acted, EnvError> {
        self.act_by(env, call, step, Intent::Confirmed, Some(by)).await
    }

    /// The brain saw the preview and wants it: done if it is still what was shown.
    async fn confirm(
        &mut self,
        env: &mut dyn Environment,
        preview: Preview,
        step: u32,
        by: Option<&str>,
    ) -> Result<Acted, EnvError> {
        let call = Call::Mouse(preview.call.clone());
        let acted = self.attempt(env, &call, Intent::Confirmed, Some(&preview), step, by).await?;
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
        by: Option<&str>,
    ) -> Result<Acted, EnvError> {
        let mut asked = Asked { by: by.map(str::to_string), ..Asked::default() };
        let acted = self.tried(env, call, intent, shown, step, &mut asked).await?;
        if asked.policy.is_none() && refused_by_allowlist(&acted).is_none() {
            let why = "the call was turned away before it could do anything";
            asked.policy = self.permits.as_mut().map(|permits| permits.harmless(call, step, why));
        }
        if let (Some(permits), Some(refusal)) = (self.permits.as_mut(), refused_by_allowlist(&acted)) {
            asked.policy = Some(permits.refused_by_allowlist(call, step, refusal));
        }
        Ok(Acted { policy: asked.policy, confirmation: asked.confirmation, ..acted })
    }

    async fn tried(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        intent: Intent,
        shown: Option<&Preview>,
        step: u32,
        asked: &mut Asked,
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
        let permit = match &mut self.permits {
            Some(permits) => {
                let (record, permit) = permits.decide(call, &aim, url.as_deref(), self.opener.as_ref(), step);
                asked.policy = Some(record);
                permit
            }
            None => Permit::Granted,
        };
        if let Permit::Refused(sentence) = permit {
            env.abandon().await;
            let failure = CallFailure::new(ErrorCode::Denied, sentence);
            return failed(env, failure, aim, Stage::BeforeCommit, clock).await;
        }
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
        let agreed = match (permit, asked.by.clone()) {
            (Permit::Ask, Some(by)) => match self.agreed_by_doing(call, &aim, url.as_deref(), step, &by, asked) {
                Ok(()) => Ok(aim),
                Err(failure) => Err((aim, failure)),
            },
            (Permit::Ask, None) => self.ask(env, call, aim, url.as_deref(), step, asked).await?,
            _ => Ok(aim),
        };
        let aim = match agreed {
            Ok(aim) => aim,
            Err((aim, failure)) => {
                env.abandon().await;
                return failed(env, failure, aim, Stage::BeforeCommit, clock).await;
            }
        };
        if ends_pending(call) && !env.held().is_some_and(|held| held.is_answered_by(call)) {
            env.release_held();
        }
        if let Some(native) = &aim.native {
            let native = native.clone();
            return intercepted(env, aim, &native, clock).await;
        }
        if aim.deed.is_some() {
            self.opener = aim.deed.clone();
        }

        let receipt = match env.commit(call, &aim).await {
            Ok(receipt) => receipt,
            Err(failure) => return failed(env, failure, aim, Stage::Commit, clock).await,
        };
        clock.timing.act_ms = clock.lap();

        let settled = env.settle(&receipt).await?;
        clock.timing.settle_ms = clock.lap();

        let mut happenings = env.take_happenings();
        if let Some(failure) = happenings.led_outside.take() {
            return Ok(Acted {
                message: failure.message.clone(),
                error: Some(CallProblem { code: failure.code, message: failure.message }),
                effect: Some(Effect::refused("denied")),
                happenings,
                guard,
                timing: clock.timing,
                ..Acted::of(settled.observation)
            });
        }
        let mut acted = Acted {
            ok: true,
            message: with_happenings(receipt.message, &happenings, &settled.observation),
            effect: if self.blind { settled.effect.map(|_| Effect::not_measured()) } else { settled.effect },
            dispatched: receipt.dispatched,
            pictures: receipt.picture.map(|pixels| (ImageKind::Zoom, pixels)).into_iter().collect(),
            ui: receipt.seen.unwrap_or_default(),
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

    /// A person does what a person has to agree to: that is their word, and it is written down like any other.
    fn agreed_by_doing(
        &mut self,
        call: &Call,
        aim: &Aim,
        url: Option<&str>,
        step: u32,
        by: &str,
        asked: &mut Asked,
    ) -> Result<(), CallFailure> {
        let (Some(permits), Some(record)) = (&mut self.permits, &mut asked.policy) else { return Ok(()) };
        let confirmation = permits.agreed_by_doing(call, aim, url, record, step, by);
        (record.answer, record.by) = (Some(confirmation.answer), confirmation.by.clone());
        let sentence = refusal(&confirmation);
        let is_kept = confirmation.answer == ConfirmAnswer::Yes;
        asked.confirmation = Some(confirmation);
        if is_kept { Ok(()) } else { Err(CallFailure::new(ErrorCode::Denied, sentence)) }
    }

    /// A person is shown what would be done. They take their time, so the hand lets go of everything
    /// meanwhile, and aims again before it goes on: only what was agreed to is done.
    async fn ask(
        &mut self,
        env: &mut dyn Environment,
        call: &Call,
        aim: Aim,
        url: Option<&str>,
        step: u32,
        asked: &mut Asked,
    ) -> Result<Result<Aim, (Aim, CallFailure)>, EnvError> {
        let (Some(permits), Some(record)) = (&mut self.permits, &mut asked.policy) else { return Ok(Ok(aim)) };
        env.abandon().await;
        let document = env.document();
        let shown = env.settle(&Receipt { settle: SettleKind::Look, ..Receipt::default() }).await?.observation;
        if let Some(keeper) = &self.keeper {
            PutAside::default().put(keeper, env, step.saturating_sub(1)).await;
        }
        let confirmation = permits.ask(call, &aim, url, record, &shown, step).await;
        let answer = confirmation.answer;
        (record.answer, record.by) = (Some(answer), confirmation.by.clone());
        let sentence = refusal(&confirmation);
        asked.confirmation = Some(confirmation);
        if answer != ConfirmAnswer::Yes {
            return Ok(Err((aim, CallFailure::new(ErrorCode::Denied, sentence))));
        }
        env.begin_call();
        let now = match env.aim(call).await {
            Ok(now) => now,
            Err(failure) => return Ok(Err((aim, failure))),
        };
        let changed = |message: String| CallFailure::new(ErrorCode::TargetChanged, message);
        let elsewhere = env.document() != document && !matches!(call, Call::Tab(_));
        let different = changed_since(&aim, &now);
        if elsewhere || different.is_some() {
            let moved_on = || "the page is another one than when it was agreed to; look again".to_string();
            return Ok(Err((now, changed(different.unwrap_or_else(moved_on)))));
        }
        if !permits.still_decides(call, &now, env.live_url().as_deref(), self.opener.as_ref(), &record.rule) {
            return Ok(Err((now, changed("what was agreed to is something else now; look again".into()))));
        }
        Ok(Ok(now))
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

/// The sentence of the allowlist, where it is what kept the call from being done.
fn refused_by_allowlist(acted: &Acted) -> Option<&str> {
    let error = acted.error.as_ref().filter(|error| error.code == ErrorCode::Denied)?;
    error.message.starts_with(ALLOWLIST_REFUSED).then_some(error.message.as_str())
}

/// A click on a native control: kept from it, and answered by what can be chosen.
async fn intercepted(
    env: &mut dyn Environment,
    aim: Aim,
    native: &NativeControl,
    mut clock: Clock,
) -> Result<Acted, EnvError> {
    if let Err(failure) = env.intercept(&aim).await {
        env.abandon().await;
        return failed(env, failure, aim, Stage::BeforeCommit, clock).await;
    }
    env.abandon().await;
    clock.timing.act_ms = clock.lap();
    let settled = env.settle(&Receipt { settle: SettleKind::Look, ..Receipt::default() }).await?;
    clock.timing.settle_ms = clock.lap();
    let pending = env.held();
    let (message, effect) = match &pending {
        Some(_) => (native.invitation(), Effect::refused("native_control")),
        None => {
            let descriptor = &native.descriptor;
            let message = format!("{descriptor} was given the focus; answer what that opened, then click it again");
            (message, Effect::confirmed("dialog", "a dialog opened"))
        }
    };
    let happenings = env.take_happenings();
    Ok(Acted {
        ok: true,
        message: with_happenings(message, &happenings, &settled.observation),
        effect: Some(effect),
        hit: aim.hit,
        pending,
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
