//! When the loop asks the governor and what it tells it: a look that can show nothing new is not made, and the brain is
//! asked to act; who fails twice in the same way is asked to think first.

use surehand_checks::after::frame_hash::phash_64;
use surehand_checks::after::loops::detector::Seen;
use surehand_checks::before::governor::{
    CallClass, Classes, Governor, GovernorRules, Ground, Hardness, LastSeen, Outcome, Permission, Picture, REFUSED,
    StepFate,
};
use surehand_memory::fingerprint::FailureText;
use surehand_types::result::{GovernorSummary, GuardRecord, LoopRecord};
use surehand_types::{Call, EffectStatus, Observation, StepRecord, Termination};

use crate::acted::Acted;
use crate::batch::Batch;
use crate::feedback;
use crate::run::{Ending, Run};

/// The rule under which a refused look is written down, and the loop that many of them are.
const GOVERNOR_RULE: &str = "governor";
const ONLY_LOOKING: &str = "only_looking";

/// The governor with what it has to remember between calls.
#[derive(Debug)]
pub(crate) struct Governing {
    governor: Governor,
    seen: LastSeen,
    /// What is asked of the brain in the next turn.
    reflection: Option<&'static str>,
}

/// What a call was taken for when it was let through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    class: CallClass,
    ground: Ground,
}

impl Governing {
    pub(crate) fn new(rules: GovernorRules) -> Governing {
        Governing { governor: Governor::new(rules), seen: LastSeen::default(), reflection: None }
    }

    /// For another task in the same run: what was counted goes on.
    pub(crate) fn next_task(&mut self) {
        self.governor.next_task();
        (self.seen, self.reflection) = (LastSeen::default(), None);
    }

    pub(crate) fn summary(&self) -> GovernorSummary {
        self.governor.summary()
    }

    /// This is what the brain decides by.
    pub(crate) fn shown(&mut self, observation: &Observation) {
        self.seen.shown(&hash(observation));
    }

    /// `None`: the call is not made.
    pub(crate) fn ask(&mut self, call: &Call, now: &Observation) -> Option<Taken> {
        let class = CallClass::of(call, self.governor.rules().classes);
        // Frames are only compared for looks; everything else is let through whatever it shows.
        let ground = if class == CallClass::Inspection { self.seen.ground(&hash(now)) } else { Ground::Unknown };
        match self.governor.ask(class, ground) {
            Permission::Allow => Some(Taken { class, ground }),
            Permission::Refuse => None,
        }
    }

    pub(crate) fn took(&mut self, taken: Taken, call: &Call, before: &Observation, acted: &Acted) {
        let effect = acted.effect.as_ref().map(|effect| effect.status);
        // Hashing two frames is not for every call: only of a reload does anybody ask.
        let picture =
            if taken.class == CallClass::Reload { compared(before, &acted.observation) } else { Picture::Unknown };
        // A focus that wanders, by the tab key or from field to field, is one more way of looking.
        let only_focus = acted.effect.as_ref().is_some_and(|effect| Seen::of(effect) == Seen::FocusOnly);
        let is_wide = self.governor.rules().classes == Classes::Wide;
        let wanders = only_focus && is_wide && taken.class == CallClass::Decisive;
        let class = if wanders { CallClass::Neutral } else { taken.class };
        self.governor.took(class, taken.ground, Outcome { ok: acted.ok, effect, picture });
        let failure = match (&acted.error, effect) {
            (Some(error), _) => Some((error.message.as_str(), Hardness::Hard)),
            (None, Some(EffectStatus::NoEffect)) => Some(("no effect", Hardness::Soft)),
            _ => None,
        };
        if let Some((error, hardness)) = failure {
            let state = acted.observation.title.as_deref().unwrap_or_default();
            let target = acted.hit.as_ref().map(|hit| hit.descriptor.as_str()).unwrap_or_default();
            let action = format!("{} {target}", call.tool_name());
            let fingerprint = FailureText { error, state, action: &action }.fingerprint();
            self.reflection = self.governor.failed(&fingerprint, hardness).map(|due| due.words());
        }
    }

    /// The line that is forced into the next turn, once.
    pub(crate) fn take_reflection(&mut self) -> Option<&'static str> {
        self.reflection.take()
    }
}

/// A look that was refused: told in one sentence, on the same step at first.
pub(crate) fn refused(run: &mut Run, mut batch: Batch) -> Result<(), Ending> {
    run.hand_back(batch.refuse_current(REFUSED), REFUSED)?;
    run.feedback = feedback::about(&batch.results);
    run.results = batch.results;
    run.problem = Some(REFUSED.to_string());
    turn_over(run)
}

/// What becomes of the step number after a turn.
pub(crate) fn turn_over(run: &mut Run) -> Result<(), Ending> {
    match run.governing.governor.turn_over() {
        StepFate::Goes | StepFate::Again => Ok(()),
        StepFate::Spent => spend(run, None),
        StepFate::GiveUp => {
            let ended = LoopRecord { kind: ONLY_LOOKING.into(), response: "end".into() };
            spend(run, Some(ended))?;
            let error = "the brain only looked and never acted, however often it was asked to".to_string();
            Err(Ending { error: Some(error), ..Ending::of(Termination::Loop) })
        }
    }
}

fn spend(run: &mut Run, going_in_circles: Option<LoopRecord>) -> Result<(), Ending> {
    let reason = "nothing had changed since the last look".to_string();
    let guard = GuardRecord { decision: "refuse".into(), rule: GOVERNOR_RULE.into(), reason };
    let message = format!("step spent: {REFUSED}");
    let record = StepRecord { ok: false, message, guard: Some(guard), going_in_circles, ..run.blank_record() };
    run.keep(record)
}

/// By the same hash as for looks: what it takes for unchanged cannot be new to them either.
fn compared(before: &Observation, after: &Observation) -> Picture {
    match (hash(before), hash(after)) {
        (before, after) if before.is_empty() || after.is_empty() => Picture::Unknown,
        (before, after) if before == after => Picture::Same,
        _ => Picture::Changed,
    }
}

fn hash(observation: &Observation) -> String {
    phash_64(&observation.frame.pixels).map(|hash| hash.to_string()).unwrap_or_default()
}
