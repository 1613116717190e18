//! The settings of verification as the checks want them.

use surehand_checks::after::batch::AfterRefusal;
use surehand_checks::after::high_risk::HighRiskRules;
use surehand_checks::after::loops::detector::{DetectorRules, Reading};
use surehand_checks::after::loops::recovery::RecoveryRules;
use surehand_checks::after::loops::response::ResponseRules;
use surehand_checks::after::perceptual::PerceptualRules;
use surehand_checks::after::predicates::{FocusRules, PredicateRules, PredictionForms};
use surehand_checks::done::budget::{BudgetRules, Exhausted};
use surehand_checks::done::gate::{FieldMatch, GateRules, PlanCompletion, ProgressWindows};
use surehand_types::Settings;

#[derive(Debug, Clone, Copy)]
pub struct VerifyRules {
    pub effect_verify: bool,
    pub perceptual: PerceptualRules,
    pub predicate_verify: bool,
    pub predicates: PredicateRules,
    pub done_gate: bool,
    pub verify_done: bool,
    pub gate: GateRules,
    pub budget: BudgetRules,
    pub detector: DetectorRules,
    pub response: ResponseRules,
    pub recovery: RecoveryRules,
    pub form_controller: bool,
    pub feedback: FeedbackFrom,
    pub after_refusal: AfterRefusal,
}

/// Where the words about a step come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedbackFrom {
    /// From what the call was seen to do.
    Effect,
    /// From the address, the title and the focus only.
    Delta,
}

impl VerifyRules {
    pub fn new(settings: &Settings) -> VerifyRules {
        let is = |name: &str, value: &str| settings.text(name) == value;
        let submit_words_from_task = settings.is_on("submit_words_from_task");
        let high_risk = HighRiskRules { submit_words_from_task, submit_keys_as_written: is("submit_keys", "written") };
        VerifyRules {
            effect_verify: settings.is_on("effect_verify"),
            perceptual: PerceptualRules { perceptual_verify: settings.is_on("perceptual_verify"), high_risk },
            predicate_verify: settings.is_on("predicate_verify"),
            predicates: PredicateRules {
                strip_prediction_dots: settings.is_on("strip_prediction_dots"),
                focus_rules: if is("focus_rules", "source") { FocusRules::Source } else { FocusRules::ThreeValued },
                prediction_forms: if is("prediction_forms", "source") {
                    PredictionForms::Source
                } else {
                    PredictionForms::Full
                },
            },
            done_gate: settings.is_on("done_gate"),
            verify_done: settings.is_on("verify_done"),
            gate: GateRules {
                plan_completion: if is("plan_completion", "index") {
                    PlanCompletion::Index
                } else {
                    PlanCompletion::Evidence
                },
                required_fields_match: if is("required_fields_match", "substring") {
                    FieldMatch::Substring
                } else {
                    FieldMatch::Words
                },
                progress_windows: if is("progress_windows", "hash") {
                    ProgressWindows::Hash
                } else {
                    ProgressWindows::Effect
                },
                substituted_waits_count: settings.is_on("substituted_waits_count"),
                last_deed: settings.is_on("done_last_deed"),
                ..GateRules::default()
            },
            budget: BudgetRules {
                rejections: u32::try_from(settings.integer("done_gate_budget")).unwrap_or(0),
                exhausted: match settings.text("done_gate_exhausted") {
                    "accept" => Exhausted::Accept,
                    "unverified" => Exhausted::Unverified,
                    _ => Exhausted::Judge,
                },
                refill: settings.is_on("done_budget_refill"),
                record_verifier: settings.is_on("count_verifier_rejections"),
            },
            detector: DetectorRules {
                adaptive: settings.is_on("loop_adaptive"),
                effect_fed: settings.is_on("effect_fed_loops"),
                reading: if is("loop_rules", "source") { Reading::Source } else { Reading::Careful },
                ..DetectorRules::default()
            },
            response: ResponseRules {
                nudges: settings.is_on("loop_nudges"),
                recovery: settings.is_on("loop_recovery"),
            },
            recovery: RecoveryRules { label_match: settings.is_on("recovery_label_match"), submit_words_from_task },
            form_controller: settings.is_on("form_controller"),
            feedback: if is("feedback_from", "delta") { FeedbackFrom::Delta } else { FeedbackFrom::Effect },
            after_refusal: AfterRefusal::parse(settings.text("batch_after_refusal")),
        }
    }
}
