//! After a call: did a high-risk action change the picture, did the prediction come true, is the brain
//! going round in circles, and the words about all that.

use std::collections::BTreeMap;

use surehand_checks::action::Action;
use surehand_checks::after::feedback::{
    EffectFacts, FeedbackLine, PageState, StepFacts, TypingCheck, delta_feedback, product_feedback, sentence,
    with_check,
};
use surehand_checks::after::frame_hash::FrameHash;
use surehand_checks::after::labels::world_model_accuracy;
use surehand_checks::after::loops::detector::{self, LoopDecision, Sample, Seen as SeenEffect};
use surehand_checks::after::loops::response::{LoopResponse, Told, respond};
use surehand_checks::after::perceptual::{Deed, PerceptualCheck, Shown, verify};
use surehand_checks::after::pixels::changed_beyond;
use surehand_checks::after::predicates::{
    ACTION_SUBSTITUTED, ElementFacts, FrameFacts, Prediction, Seen, SelectorCount, Visible, evaluate_all,
    reward_component, unscored,
};
use surehand_checks::after::probe::Manner;
use surehand_checks::done::doing::Doing;
use surehand_env::Sight;
use surehand_types::reply::{KEPT_ENTRY, cut};
use surehand_types::result::{LoopRecord, PolicyRecord, PredicateResult};
use surehand_types::{EffectStatus, ErrorCode, Observation};

use super::{Executed, FeedbackFrom, Memory};
use crate::acted::Acted;

/// One call that ran.
#[derive(Clone, Copy)]
pub(crate) struct CallFacts<'a> {
    pub(crate) action: &'a Action,
    pub(crate) thought: &'a str,
    pub(crate) task: &'a str,
    pub(crate) before: &'a Observation,
    pub(crate) acted: &'a Acted,
    pub(crate) deed: Doing,
    /// The runtime chose it, not the brain.
    pub(crate) substituted: bool,
}

/// What could be read before the reply's calls and after them, where its prediction speaks of that.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sights<'a> {
    pub(crate) selectors: &'a [String],
    pub(crate) before: Option<&'a Sight>,
    pub(crate) after: Option<&'a Sight>,
}

impl Sights<'_> {
    fn taken(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }

    fn counts(&self) -> Vec<SelectorCount> {
        let count =
            |sight: Option<&Sight>, index: usize| sight.and_then(|sight| sight.counts.get(index).copied().flatten());
        let counted = |(index, selector): (usize, &String)| SelectorCount {
            selector: selector.clone(),
            before: count(self.before, index),
            after: count(self.after, index),
        };
        self.selectors.iter().enumerate().map(counted).collect()
    }
}

/// What was found out about a call.
pub(crate) struct StepFindings {
    pub(crate) check: PerceptualCheck,
    hash_before: Option<FrameHash>,
    hash_after: Option<FrameHash>,
    /// The call's message with what must not be missed.
    pub(crate) message: String,
    /// Replaces the usual feedback, where the profile wants other words.
    pub(crate) feedback: Option<String>,
}

/// A prediction beside what happened.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scored {
    pub(crate) results: Vec<PredicateResult>,
    pub(crate) rewards: BTreeMap<String, f64>,
}

impl StepFindings {
    pub(crate) fn frame_hash(&self) -> String {
        text(self.hash_after)
    }
}

impl Memory {
    pub(crate) fn look(&mut self, call: CallFacts<'_>) -> StepFindings {
        let after = &call.acted.observation;
        let (hash_before, hash_after) = (self.hash(&call.before.frame), self.hash(&after.frame));
        let comparable = call.before.frame.comparable_with(&after.frame);
        let shown = |observation, hash| comparable.then(|| Shown::of(frame_of(observation), hash));
        let deed = Deed { action: call.action, thought: call.thought, task: call.task };
        let check = verify(shown(call.before, hash_before), shown(after, hash_after), deed, self.rules.perceptual);
        self.perceptual.note(&check);
        let (message, feedback) = match self.rules.feedback {
            FeedbackFrom::Effect => (told(call, &check), None),
            FeedbackFrom::Delta => (call.acted.message.clone(), Some(delta(call, &check))),
        };
        StepFindings { check, hash_before, hash_after, message, feedback }
    }

    /// The prediction of a reply is about what its last call left behind.
    pub(crate) fn score(
        &mut self,
        prediction: &Prediction,
        started_from: &Observation,
        call: CallFacts<'_>,
        found: &StepFindings,
        sights: Sights<'_>,
        feedback: &str,
    ) -> Scored {
        let mut scored = Scored::default();
        if !self.rules.predicate_verify {
            return scored;
        }
        scored.results = if call.substituted {
            unscored(&prediction.predicates, ACTION_SUBSTITUTED)
        } else {
            self.compared(prediction, started_from, call.acted, found, sights)
        };
        for result in &mut scored.results {
            cut(&mut result.predicate, KEPT_ENTRY);
            cut(&mut result.reason, KEPT_ENTRY);
        }
        self.predicates.add(&scored.results);
        if let Some(reward) = reward_component(scored.results.iter().map(|result| result.result)) {
            scored.rewards.insert("world_model_error".into(), reward);
        }
        if !call.substituted {
            let accuracy = world_model_accuracy(&prediction.raw, feedback);
            scored.rewards.insert("world_model_accuracy".into(), accuracy);
        }
        scored
    }

    fn compared(
        &self,
        prediction: &Prediction,
        before: &Observation,
        acted: &Acted,
        found: &StepFindings,
        sights: Sights<'_>,
    ) -> Vec<PredicateResult> {
        let after = &acted.observation;
        let (hash_before, hash_after) = (text(found.hash_before), text(found.hash_after));
        let frame = match self.rules.feedback {
            FeedbackFrom::Delta => FrameFacts::Hashes { before: &hash_before, after: &hash_after },
            FeedbackFrom::Effect => FrameFacts::of_pixels(changed_beyond(before, after)),
        };
        let counts = sights.counts();
        let elements = sights.taken().then(|| ElementFacts {
            before: visible(before, sights.before),
            after: visible(after, sights.after),
            selectors: &counts,
        });
        let seen = Seen {
            url: after.url.as_deref(),
            previous_url: before.url.as_deref(),
            title: after.title.as_deref(),
            previous_title: before.title.as_deref(),
            focus: &after.focus,
            frame,
            elements,
            modals_before: sights.before.map(|sight| sight.modals),
            modals_after: sights.after.map(|sight| sight.modals),
        };
        evaluate_all(&prediction.predicates, &seen, &self.rules.predicates)
    }

    /// A look that the governor did not make. To the gate it is a step in which nothing was done: who only looked has
    /// no more to show for a done because some of the looks were refused.
    pub(crate) fn refused_look(&mut self, action: Action, deed: Doing, now: &Observation) {
        let frame_hash = text(self.hash(&now.frame));
        self.keep(Executed {
            sample: Sample { action, url: now.url.clone().unwrap_or_default(), frame_hash, ..Sample::default() },
            deed,
            aside: true,
            substituted: false,
            effect: Some(EffectStatus::Refused),
            denied: None,
            url: now.url.clone(),
            url_changed: Some(false),
            frame_changed: Some(false),
        });
    }

    /// What the brain is told about its loop, if anything: first the nudge, then with every further step that it is still
    /// in it. Profiles without nudges say nothing.
    pub(crate) fn loop_words(&self, response: LoopResponse) -> Option<String> {
        match response {
            LoopResponse::Nudge(kind) if self.nudged_before => Some(kind.words_again()),
            LoopResponse::Nudge(kind) => Some(kind.words().to_string()),
            LoopResponse::Force(kind) if self.rules.response.nudges => Some(kind.words_again()),
            LoopResponse::Force(_) | LoopResponse::End(_) | LoopResponse::None => None,
        }
    }

    /// The same for the record of the step.
    pub(crate) fn loop_record(&self, response: LoopResponse) -> Option<LoopRecord> {
        let (kind, response) = match response {
            LoopResponse::Nudge(kind) if !self.nudged_before => (kind, "nudge"),
            LoopResponse::Nudge(kind) | LoopResponse::Force(kind) => (kind, "repeat"),
            LoopResponse::End(kind) => (kind, "end"),
            LoopResponse::None => return None,
        };
        Some(LoopRecord { kind: kind.as_str().into(), response: response.into() })
    }

    /// Keeps the call in mind and says what its repetition calls for.
    pub(crate) fn remember(&mut self, call: CallFacts<'_>, found: &StepFindings) -> LoopResponse {
        if self.executed.is_empty() {
            self.first_complaint.clone_from(&call.before.complaint);
        }
        let after = &call.acted.observation;
        let effect = call.acted.effect.as_ref();
        let status = effect.map(|effect| effect.status);
        self.budget.after_step(status.unwrap_or(EffectStatus::Unverifiable), call.substituted);
        self.keep(Executed {
            sample: Sample {
                action: call.action.clone(),
                url: after.url.clone().unwrap_or_default(),
                frame_hash: found.frame_hash(),
                seen: seen_by(call.action, call.acted),
                target: call.acted.hit.as_ref().map(|hit| hit.descriptor.clone()),
            },
            deed: call.deed,
            aside: false,
            substituted: call.substituted,
            effect: status,
            denied: not_allowed(call.acted, call.deed),
            url: after.url.clone(),
            url_changed: call.before.url.as_ref().zip(after.url.as_ref()).map(|(before, after)| before != after),
            frame_changed: changed_beyond(call.before, after),
        });
        self.note_entered(after);
        self.decision = detector::judge(&self.samples(), &self.rules.detector);
        if self.decision == LoopDecision::None {
            self.told = Told::NotYet;
        }
        self.nudged_before = self.told == Told::Already;
        let response = respond(self.decision, self.told, &self.rules.response);
        if matches!(response, LoopResponse::Nudge(_)) {
            self.told = Told::Already;
        }
        response
    }
}

/// Why the call was not allowed: by policy, allowlist, guard or a person; what was typed also by the rules for secrets. The
/// same code without any of these is a call that cannot be done, such as closing the only tab.
fn not_allowed(acted: &Acted, deed: Doing) -> Option<String> {
    let error = acted.error.as_ref().filter(|error| error.code == ErrorCode::Denied)?;
    let by_policy = acted.policy.as_ref().is_some_and(PolicyRecord::forbids);
    (by_policy || acted.guard.is_some() || deed != Doing::Look).then(|| error.message.clone())
}

/// A key that moves the focus has done what it is for; a click that only does so has not.
fn seen_by(action: &Action, acted: &Acted) -> SeenEffect {
    match &acted.effect {
        Some(effect) if action.r#type == "key_press" && effect.status == EffectStatus::Confirmed => SeenEffect::Changed,
        Some(effect) => SeenEffect::of(effect),
        None => SeenEffect::default(),
    }
}

fn text(hash: Option<FrameHash>) -> String {
    hash.map(|hash| hash.to_string()).unwrap_or_default()
}

fn frame_of(observation: &Observation) -> &surehand_types::Frame {
    &observation.frame
}

fn visible<'a>(observation: &'a Observation, sight: Option<&'a Sight>) -> Option<Visible<'a>> {
    let sight = sight?;
    Some(Visible { interactables: &observation.interactables, texts: &sight.lines, complete: sight.complete })
}

/// The product's words: the call's message, and what it does not say yet.
fn told(call: CallFacts<'_>, check: &PerceptualCheck) -> String {
    let page = |observation| {
        let observation: &Observation = observation;
        PageState { url: observation.url.as_deref(), title: observation.title.as_deref(), focus: &observation.focus }
    };
    let facts = EffectFacts {
        message: &call.acted.message,
        manner: manner_of(call.action),
        effect: call.acted.effect.as_ref(),
        hit: call.acted.hit.as_ref(),
        before: page(call.before),
        after: page(&call.acted.observation),
        check: Some(check),
    };
    let mut lines = product_feedback(&facts);
    // The hand has said these already, to every door.
    lines.retain(|line| !matches!(line, FeedbackLine::Dead | FeedbackLine::ReceivedBy { .. }));
    sentence(&call.acted.message, &lines)
}

fn manner_of(action: &Action) -> Option<Manner> {
    match action.r#type.as_str() {
        "click" | "double_click" => Some(Manner::Pointer),
        "drag" => Some(Manner::Drag),
        "scroll" => Some(Manner::Scroll),
        "move" => Some(Manner::Move),
        "key_press" | "type_text" => Some(Manner::Keyboard),
        _ => None,
    }
}

fn delta(call: CallFacts<'_>, check: &PerceptualCheck) -> String {
    let facts = StepFacts::of(&call.acted.observation, typing_check(call.acted));
    let (url, title) = (call.before.url.as_deref(), call.before.title.as_deref());
    let words = delta_feedback(call.action, &facts, url.unwrap_or_default(), title.unwrap_or_default());
    with_check(words, call.action, &facts, check)
}

/// What reading back showed; `None` where it could not be read.
fn typing_check(acted: &Acted) -> Option<TypingCheck> {
    if let Some(error) = &acted.error {
        return Some(TypingCheck::Failed { reason: error.message.clone() });
    }
    let confirmed = acted.effect.as_ref().is_some_and(|effect| effect.status == EffectStatus::Confirmed);
    confirmed.then(|| TypingCheck::Landed { field: "field".into() })
}
