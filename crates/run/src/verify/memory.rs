//! What the checks remember of a run.

use std::collections::BTreeMap;

use surehand_checks::action::Action;
use surehand_checks::after::frame_hash::{FrameHash, phash_64};
use surehand_checks::after::loops::detector::{self, LoopDecision, Sample};
use surehand_checks::after::loops::response::Told;
use surehand_checks::after::perceptual::PerceptualSummary;
use surehand_checks::after::predicates::PredicateSummary;
use surehand_checks::done::budget::DoneBudget;
use surehand_checks::done::doing::Doing;
use surehand_types::{EffectStatus, Frame, ViewSize};

use super::{Declared, VerifyRules};

/// Steps that the windows of gate and loop detector can reach back to, with room to spare.
pub(super) const KEPT: usize = 64;

pub(crate) struct Memory {
    pub(crate) rules: VerifyRules,
    pub(crate) declared: Declared,
    pub(crate) perceptual: PerceptualSummary,
    pub(crate) predicates: PredicateSummary,
    pub(crate) budget: DoneBudget,
    pub(crate) rejections: BTreeMap<String, u32>,
    pub(crate) recoveries: BTreeMap<String, u32>,
    pub(crate) told: Told,
    /// It had been told of the same loop when the last call was over.
    pub(super) nudged_before: bool,
    /// What the calls so far look like to the loop detector.
    pub(super) decision: LoopDecision,
    pub(super) executed: Vec<Executed>,
    /// Steps of the task were made in another run, and are not among these.
    pub(super) began_elsewhere: bool,
    /// Which of the declared values were seen in a field.
    pub(super) entered: Vec<bool>,
    /// The text that was filled in for the brain by the last step.
    pub(crate) filled: Option<String>,
    /// What the page complained of before anything was done.
    pub(super) first_complaint: Option<String>,
    /// The last frame that was hashed: each is looked at twice, before and after a call.
    last_hash: Option<(u64, Option<FrameHash>)>,
}

/// One call that ran, or a look that the governor held back, as gate and detector will ask about it.
pub(crate) struct Executed {
    pub(super) sample: Sample,
    pub(super) deed: Doing,
    /// No step of this brain's own way: a look that was not made, or what another one did.
    pub(super) aside: bool,
    pub(super) substituted: bool,
    pub(super) effect: Option<EffectStatus>,
    /// Why it was not allowed, where it was not.
    pub(super) denied: Option<String>,
    pub(super) url: Option<String>,
    pub(super) url_changed: Option<bool>,
    pub(super) frame_changed: Option<bool>,
}

impl Memory {
    pub(crate) fn new(mut rules: VerifyRules, declared: Declared, view: ViewSize) -> Memory {
        rules.detector.click_tolerance = detector::click_tolerance(view.width.into(), view.height.into());
        Memory {
            budget: DoneBudget::new(rules.budget),
            rules,
            perceptual: PerceptualSummary::default(),
            predicates: PredicateSummary::default(),
            rejections: BTreeMap::new(),
            recoveries: BTreeMap::new(),
            told: Told::NotYet,
            nudged_before: false,
            decision: LoopDecision::None,
            executed: Vec::new(),
            began_elsewhere: false,
            entered: vec![false; declared.values.len()],
            filled: None,
            first_complaint: None,
            last_hash: None,
            declared,
        }
    }

    /// For another task in the same run: what was counted goes on, what was done is behind.
    pub(crate) fn next_task(&mut self, rules: VerifyRules, declared: Declared, view: ViewSize) {
        let next = Memory::new(rules, declared, view);
        let earlier = std::mem::replace(self, next);
        self.perceptual = earlier.perceptual;
        self.predicates = earlier.predicates;
        self.rejections = earlier.rejections;
        self.recoveries = earlier.recoveries;
        self.last_hash = earlier.last_hash;
    }

    pub(super) fn hash(&mut self, frame: &Frame) -> Option<FrameHash> {
        match self.last_hash {
            Some((id, hash)) if id == frame.id => hash,
            _ => {
                let hash = phash_64(&frame.pixels);
                self.last_hash = Some((frame.id, hash));
                hash
            }
        }
    }

    pub(super) fn keep(&mut self, executed: Executed) {
        self.executed.push(executed);
        if self.executed.len() > KEPT {
            self.executed.remove(0);
        }
    }

    /// Waits that the gate put in are not the brain's going round in circles, looks that were not made are the governor's
    /// business, and what another one did is nobody's.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let own_wait = |executed: &Executed| executed.substituted && executed.sample.action.r#type == "wait";
        let counts = |executed: &&Executed| self.rules.gate.substituted_waits_count || !own_wait(executed);
        let made = |executed: &&Executed| !executed.aside;
        self.executed.iter().filter(made).filter(counts).map(|executed| executed.sample.clone()).collect()
    }

    /// Whether one more of this would be the same again, or almost.
    pub(super) fn would_repeat(&self, action: &Action) -> bool {
        let mut samples = self.samples();
        samples.push(Sample { action: action.clone(), ..Sample::default() });
        let signs = detector::signs(&samples, self.rules.detector.soft_window, &self.rules.detector);
        signs.repeat || signs.drift
    }
}
