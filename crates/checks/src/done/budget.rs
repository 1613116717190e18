//! What becomes of a done. Gate and verifier share a small number of refusals, so that a wrong judge cannot
//! keep a run from ending; this is the one place that counts them.

use surehand_types::{EffectStatus, Termination};

use super::gate::GateVerdict;
use super::reason::{RejectReason, Rejection};
use super::verifier::VerifierVerdict;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetRules {
    /// `done_gate_budget`
    pub rejections: u32,
    /// `done_gate_exhausted`
    pub exhausted: Exhausted,
    /// `done_budget_refill`
    pub refill: bool,
    /// Whether a refusal of the verifier appears on the step and in the counts.
    pub record_verifier: bool,
}

/// What happens to a done when the refusals are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// Gate and verifier judge it once more: a good one is `done`, another one ends the run unverified.
    Judge,
    /// Ends the run unverified, whatever it says.
    Unverified,
    /// Is believed.
    Accept,
}

impl BudgetRules {
    pub const VECTORS: BudgetRules =
        BudgetRules { rejections: 2, exhausted: Exhausted::Unverified, refill: false, record_verifier: false };
}

impl Default for BudgetRules {
    fn default() -> Self {
        BudgetRules { rejections: 2, exhausted: Exhausted::Judge, refill: true, record_verifier: true }
    }
}

/// Counts the refusals of one run.
///
/// For each done: ask `claim`; if it says `Judge`, ask the gate (if it is on) and hand its verdict to
/// `after_gate`; if that says `AskVerifier`, ask the verifier (if there is one) and hand its verdict to
/// `after_verifier`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneBudget {
    rules: BudgetRules,
    used: u32,
}

/// What to do with a done that was just claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    Judge,
    End(Termination),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AfterGate {
    AskVerifier,
    Settled(DoneOutcome),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DoneOutcome {
    /// The run ends: `done`, `done_unverified` (then with what spoke against it) or `done_failed`.
    End { termination: Termination, against: Option<Rejection> },
    /// A wait takes the place of the done, and the brain is told.
    Refuse {
        rejection: Rejection,
        /// Goes on the step and into the counts.
        recorded: bool,
    },
}

impl DoneBudget {
    pub fn new(rules: BudgetRules) -> DoneBudget {
        DoneBudget { rules, used: 0 }
    }

    pub fn used(&self) -> u32 {
        self.used
    }

    pub fn is_spent(&self) -> bool {
        self.used >= self.rules.rejections
    }

    /// `success` is what the done says of itself: giving up needs nobody's consent.
    pub fn claim(&self, success: bool) -> Claim {
        if !success {
            return Claim::End(Termination::DoneFailed);
        }
        match (self.is_spent(), self.rules.exhausted) {
            (false, _) | (true, Exhausted::Judge) => Claim::Judge,
            (true, Exhausted::Unverified) => Claim::End(Termination::DoneUnverified),
            (true, Exhausted::Accept) => Claim::End(Termination::Done),
        }
    }

    /// With the gate switched off the verdict is `Accept`.
    pub fn after_gate(&mut self, verdict: GateVerdict) -> AfterGate {
        match verdict {
            GateVerdict::Accept => AfterGate::AskVerifier,
            GateVerdict::Reject(rejection) => AfterGate::Settled(self.refuse(rejection, true)),
        }
    }

    pub fn after_verifier(&mut self, verdict: VerifierVerdict) -> DoneOutcome {
        let record = self.rules.record_verifier;
        match verdict {
            VerifierVerdict::Valid | VerifierVerdict::NotConfigured => {
                DoneOutcome::End { termination: Termination::Done, against: None }
            }
            VerifierVerdict::Rejected { reason } => {
                self.refuse(Rejection::new(RejectReason::VerifierRejected, reason), record)
            }
            VerifierVerdict::Silent { why } => self.refuse(Rejection::new(RejectReason::VerifierSilent, why), record),
        }
    }

    /// Tells of an executed step. A confirmed effect of an action that the brain chose is progress, and a
    /// brain that makes progress may be refused again.
    pub fn after_step(&mut self, effect: EffectStatus, substituted: bool) {
        if self.rules.refill && effect == EffectStatus::Confirmed && !substituted {
            self.used = 0;
        }
    }

    fn refuse(&mut self, rejection: Rejection, recorded: bool) -> DoneOutcome {
        if self.is_spent() {
            // Only reached where the last done is judged as well.
            return DoneOutcome::End { termination: Termination::DoneUnverified, against: Some(rejection) };
        }
        self.used += 1;
        DoneOutcome::Refuse { rejection, recorded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use VerifierVerdict::{NotConfigured, Valid};

    fn no() -> GateVerdict {
        GateVerdict::Reject(Rejection::new(RejectReason::EmptySummary, "empty"))
    }

    fn silent() -> VerifierVerdict {
        VerifierVerdict::Silent { why: "timeout".into() }
    }

    fn wrong() -> VerifierVerdict {
        VerifierVerdict::Rejected { reason: "cart is empty".into() }
    }

    /// One done in short: how it ended, or the reason of its refusal, with a star when it is not recorded.
    fn done(budget: &mut DoneBudget, gate: GateVerdict, verifier: VerifierVerdict) -> String {
        let outcome = match budget.claim(true) {
            Claim::End(termination) => return termination.as_str().into(),
            Claim::Judge => match budget.after_gate(gate) {
                AfterGate::Settled(outcome) => outcome,
                AfterGate::AskVerifier => budget.after_verifier(verifier),
            },
        };
        match outcome {
            DoneOutcome::End { termination, .. } => termination.as_str().into(),
            DoneOutcome::Refuse { rejection, recorded } => {
                format!("{}{}", rejection.reason.as_str(), if recorded { "" } else { "*" })
            }
        }
    }

    fn check(rules: BudgetRules, dones: &[(GateVerdict, VerifierVerdict)], expected: &[&str]) {
        let mut budget = DoneBudget::new(rules);
        let found: Vec<String> =
            dones.iter().map(|(gate, verdict)| done(&mut budget, gate.clone(), verdict.clone())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_spent_budget_still_judges_the_next_done() {
        let rules = BudgetRules::default();
        let twice = [(no(), Valid), (GateVerdict::Accept, wrong())];
        let refused = ["empty_summary", "verifier_rejected"];
        let then = |last: (GateVerdict, VerifierVerdict), end: &str| {
            let dones: Vec<_> = twice.iter().cloned().chain([last]).collect();
            check(rules, &dones, &[refused[0], refused[1], end]);
        };
        then((GateVerdict::Accept, Valid), "done");
        then((GateVerdict::Accept, NotConfigured), "done");
        then((no(), Valid), "done_unverified");
        then((GateVerdict::Accept, wrong()), "done_unverified");
        then((GateVerdict::Accept, silent()), "done_unverified");
    }

    #[test]
    fn what_spoke_against_the_last_done_is_kept() {
        let mut budget = DoneBudget::new(BudgetRules { rejections: 0, ..BudgetRules::default() });
        let AfterGate::Settled(DoneOutcome::End { termination, against }) = budget.after_gate(no()) else {
            panic!("a spent budget ends the run");
        };
        assert_eq!(termination, Termination::DoneUnverified);
        assert_eq!(against.map(|rejection| rejection.reason), Some(RejectReason::EmptySummary));
    }

    #[test]
    fn the_other_rules_for_a_spent_budget_ask_nobody() {
        let dones = [(no(), Valid), (no(), Valid), (no(), wrong())];
        let rules = |exhausted| BudgetRules { exhausted, ..BudgetRules::default() };
        check(rules(Exhausted::Accept), &dones, &["empty_summary", "empty_summary", "done"]);
        let good = [(no(), Valid), (no(), Valid), (GateVerdict::Accept, Valid)];
        check(rules(Exhausted::Unverified), &good, &["empty_summary", "empty_summary", "done_unverified"]);
    }

    #[test]
    fn silence_is_not_consent_but_no_verifier_is_none() {
        check(BudgetRules::default(), &[(GateVerdict::Accept, silent())], &["verifier_silent"]);
        check(BudgetRules::default(), &[(GateVerdict::Accept, NotConfigured)], &["done"]);
    }

    #[test]
    fn verified_progress_of_the_brain_refills_the_budget() {
        let after = |rules: BudgetRules, effect, substituted| {
            let mut budget = DoneBudget::new(rules);
            done(&mut budget, no(), Valid);
            budget.after_step(effect, substituted);
            budget.used()
        };
        assert_eq!(after(BudgetRules::default(), EffectStatus::Confirmed, false), 0);
        assert_eq!(after(BudgetRules::default(), EffectStatus::Confirmed, true), 1);
        assert_eq!(after(BudgetRules::default(), EffectStatus::Unverifiable, false), 1);
        assert_eq!(after(BudgetRules::VECTORS, EffectStatus::Confirmed, false), 1);
    }

    #[test]
    fn giving_up_needs_nobodys_consent() {
        for rules in [BudgetRules::default(), BudgetRules::VECTORS] {
            assert_eq!(DoneBudget::new(rules).claim(false), Claim::End(Termination::DoneFailed));
        }
    }

    #[test]
    fn the_vectors_end_a_spent_budget_unverified_and_do_not_record_the_verifier() {
        let dones = [(GateVerdict::Accept, wrong()), (no(), Valid), (GateVerdict::Accept, Valid)];
        check(BudgetRules::VECTORS, &dones, &["verifier_rejected*", "empty_summary", "done_unverified"]);
        check(BudgetRules::VECTORS, &[(GateVerdict::Accept, Valid)], &["done"]);
    }
}
