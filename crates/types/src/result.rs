//! The result of a run and its trajectory, versioned: outside programs read these.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::coords::GridBox;
use crate::effect::{Effect, EffectStatus};
use crate::observation::{Dispatched, Download, Focus, Hit};
use crate::plan::PlanSummary;
use crate::reason::{Exit, Termination};
use crate::referee::RefereeRecord;
use crate::reply::Usage;
use crate::surroundings::Surroundings;

/// Grows when a field changes its meaning; added fields do not count.
pub const RESULT_SCHEMA_VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    pub schema_version: u32,
    pub run_id: String,
    pub task: String,
    pub start_url: Option<String>,
    pub brain: String,
    pub started_at: String,
    pub success: bool,
    pub summary: Option<String>,
    pub output: Option<Value>,
    pub termination_reason: Termination,
    pub error: Option<String>,
    pub steps: u32,
    pub turns: u32,
    pub duration_s: f64,
    pub cost: f64,
    pub verdict: Verdict,
    /// What the verdict stands on; absent where nobody judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeRecord>,
    pub downloads: Vec<Download>,
    pub done_rejections_by_reason: BTreeMap<String, u32>,
    /// Empty object when the check never fired.
    pub perceptual_summary: Map<String, Value>,
    pub effect_summary: EffectSummary,
    /// How often a click or drag was shown before it was done, and what became of it.
    #[serde(default)]
    pub gate_summary: GateSummary,
    pub predicate_summary: Map<String, Value>,
    pub loop_recoveries_by_reason: BTreeMap<String, u32>,
    /// What was needed to ask the brain; absent for brains that count nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brain_summary: Option<BrainSummary>,
    pub governor: GovernorSummary,
    pub lessons: LessonSummary,
    /// Every setting whose value differs from its default.
    pub toggles: BTreeMap<String, String>,
    /// What became of the plan, where the run followed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanSummary>,
    /// Where the audit log stood when the run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditAnchor>,
    pub trajectory: Vec<StepRecord>,
}

/// One line of the audit log, by its number and hash: kept elsewhere, it shows that the log was not cut or
/// written anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditAnchor {
    pub seq: u64,
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    pub self_report: Option<SelfReport>,
    pub contract: Option<CheckVerdict>,
    pub judge: Option<JudgeVerdict>,
    pub r#final: FinalVerdict,
    pub reasons: Vec<String>,
    pub disagreement: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SelfReport {
    pub success: bool,
    pub summary: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    Pass,
    Fail,
    Uncertain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeVerdict {
    Pass,
    Fail,
    Unavailable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinalVerdict {
    Pass,
    Fail,
    Uncertain,
    Unjudged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EffectSummary {
    pub confirmed: u32,
    pub no_effect: u32,
    pub unverifiable: u32,
    pub refused: u32,
}

/// The density gate in numbers. Rates are 0 where nothing was counted.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GateSummary {
    /// Clicks and drags that the gate looked at.
    pub checked: u32,
    pub previewed: u32,
    pub confirmed: u32,
    /// Previews that the brain dropped for another action.
    pub rejected: u32,
    /// `previewed / checked`.
    pub gate_rate: f64,
    /// `confirmed / previewed`.
    pub confirm_rate: f64,
}

impl GateSummary {
    pub fn with_rates(mut self) -> Self {
        let rate = |part: u32, whole: u32| if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) };
        self.gate_rate = rate(self.previewed, self.checked);
        self.confirm_rate = rate(self.confirmed, self.previewed);
        self
    }
}

/// A model in numbers, over a whole run. `usage.cost_usd` is an estimate from the price file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct BrainSummary {
    pub usage: Usage,
    /// Replies that could not be used and were sent back with a sentence.
    pub problems: u32,
    /// Small things that were forgiven while replies were read.
    pub repairs: u32,
    /// Requests that had to be repeated.
    pub repeats: u32,
    /// Checks of the provider that a person had to agree to, and those that were not agreed to.
    pub safety_checks: u32,
    pub safety_denied: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GovernorSummary {
    pub blocks: u32,
    pub retries: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LessonSummary {
    pub injected: u32,
    pub created: u32,
    pub promoted: u32,
    pub suppressed: u32,
}

/// One step of the trajectory: one call taken from a reply, or a step spent on unusable replies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StepRecord {
    pub step: u32,
    pub turn: u32,
    pub thought: Option<String>,
    /// Only the fields the brain set; `null` for a step spent on unusable replies.
    pub call: Option<Map<String, Value>>,
    /// Who did it, where it was not the brain: `person`, or `plan` for what a plan does by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    pub ok: bool,
    /// The process ended while the call was being made: whether it took effect is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_off: bool,
    pub message: String,
    pub error: Option<crate::call::CallProblem>,
    pub dispatched: Option<Dispatched>,
    pub hit: Option<Hit>,
    /// The element that was aimed at, by what tells it from others; absent where nothing with a name was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aimed: Option<AimedElement>,
    /// What stood around each place that the call acted on, just before it did: one for a click or a key, two for a drag.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub around: Vec<Surroundings>,
    pub effect: Option<Effect>,
    pub action_effect_observed: Option<bool>,
    pub feedback: String,
    /// Perceptual hash; empty while none is computed.
    pub frame_hash: String,
    /// Content hashes of the stored frames before and after the call.
    pub frames: StepFrames,
    pub predicted_outcome: Option<Value>,
    pub predicate_results: Vec<PredicateResult>,
    pub reward_components: BTreeMap<String, f64>,
    pub done_rejected_reason: Option<String>,
    pub loop_recovery_reason: Option<String>,
    /// The brain was going in circles when this step was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub going_in_circles: Option<LoopRecord>,
    /// The runtime ran this call in place of the brain's own.
    #[serde(default)]
    pub substituted: bool,
    pub guard: Option<GuardRecord>,
    /// What the policy decided about the call; absent where there was no call, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyRecord>,
    pub observed: Observed,
    pub timing_ms: Timing,
    pub usage: Usage,
}

/// An element among all that could be aimed at, so that it can be found again on another day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AimedElement {
    pub role: String,
    pub name: String,
    #[serde(rename = "box")]
    pub bounds: GridBox,
    /// Which of those with the same role and name it is, from 0, and how many there are.
    pub index: usize,
    pub of: usize,
    /// The name of another element that only this one of them is nearest to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StepFrames {
    pub before: Option<String>,
    pub after: Option<String>,
    /// The picture is older than the moment it stands for (a dialog or a crash was in the way).
    #[serde(default)]
    pub before_stale: bool,
    #[serde(default)]
    pub after_stale: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredicateResult {
    pub predicate: String,
    pub result: Option<bool>,
    pub reason: String,
}

/// Which guard decided about the call, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GuardRecord {
    pub decision: String,
    pub rule: String,
    pub reason: String,
}

/// A loop that was seen, and what followed from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoopRecord {
    /// `dead_target`, `dead_actions`, `repeat`, `drift`, `state`, or `only_looking` where the governor gave up.
    pub kind: String,
    /// `nudge`: the brain was told. `repeat`: it had been told, and was told once more. `end`: the run ended.
    pub response: String,
}

/// What the policy decided about a call, and what came of asking a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyRecord {
    /// `allow`, `confirm` or `deny`.
    pub decision: String,
    /// The id of the rule that decided, or `default`.
    pub rule: String,
    pub reason: String,
    /// What a person answered, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<ConfirmAnswer>,
    /// Whose word it was, or whose call where a person made it, if the door knows names: the name of a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl PolicyRecord {
    /// Nobody decided, and the question is gone.
    pub fn was_withdrawn(&self) -> bool {
        self.answer == Some(ConfirmAnswer::Withdrawn)
    }

    /// A person was asked, and did not say yes, or not yet.
    pub fn was_not_agreed_to(&self) -> bool {
        self.answer.is_some_and(|answer| answer != ConfirmAnswer::Yes)
    }

    /// Whether rule or person had something against the call.
    pub fn forbids(&self) -> bool {
        self.decision == "deny" || self.was_not_agreed_to()
    }
}

/// How it ended when a person was asked. Only `yes` lets the call through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmAnswer {
    Yes,
    No,
    Timeout,
    NoTerminal,
    /// The run was told to stop while the question was open.
    Cancelled,
    /// Nobody decided: the run was paused, taken over or put away while the question was open.
    Withdrawn,
}

impl ConfirmAnswer {
    pub fn as_str(self) -> &'static str {
        match self {
            ConfirmAnswer::Yes => "yes",
            ConfirmAnswer::No => "no",
            ConfirmAnswer::Timeout => "timeout",
            ConfirmAnswer::NoTerminal => "no_terminal",
            ConfirmAnswer::Cancelled => "cancelled",
            ConfirmAnswer::Withdrawn => "withdrawn",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    pub url: Option<String>,
    pub title: Option<String>,
    pub focus: Focus,
}

/// Milliseconds spent in each part of the step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    pub observe: f64,
    pub think: f64,
    pub act: f64,
    pub settle: f64,
    pub verify: f64,
    pub total: f64,
}

impl StepRecord {
    /// A call that nobody decided about: it was not made, and its question is gone.
    pub fn was_withdrawn(&self) -> bool {
        self.policy.as_ref().is_some_and(PolicyRecord::was_withdrawn)
    }

    /// A step with nothing known about it yet: unknown stays unknown until somebody fills it in.
    pub fn blank(step: u32, turn: u32) -> Self {
        StepRecord {
            step,
            turn,
            thought: None,
            call: None,
            by: None,
            ok: false,
            cut_off: false,
            message: String::new(),
            error: None,
            dispatched: None,
            hit: None,
            aimed: None,
            around: Vec::new(),
            effect: None,
            action_effect_observed: None,
            feedback: String::new(),
            frame_hash: String::new(),
            frames: StepFrames::default(),
            predicted_outcome: None,
            predicate_results: Vec::new(),
            reward_components: BTreeMap::new(),
            done_rejected_reason: None,
            loop_recovery_reason: None,
            going_in_circles: None,
            substituted: false,
            guard: None,
            policy: None,
            observed: Observed::default(),
            timing_ms: Timing::default(),
            usage: Usage::default(),
        }
    }
}

impl Verdict {
    /// The verdict of a run that nobody but its brain judged.
    pub fn unjudged(self_report: Option<SelfReport>) -> Self {
        Verdict {
            self_report,
            contract: None,
            judge: None,
            r#final: FinalVerdict::Unjudged,
            reasons: Vec::new(),
            disagreement: false,
        }
    }
}

impl EffectSummary {
    pub fn count(&mut self, effect: &Effect) {
        match effect.status {
            EffectStatus::Confirmed => self.confirmed += 1,
            EffectStatus::NoEffect => self.no_effect += 1,
            EffectStatus::Unverifiable => self.unverifiable += 1,
            EffectStatus::Refused => self.refused += 1,
        }
    }
}

/// Success and exit code from the verdict and the reason: the table of the wire contract.
pub fn exit_of(verdict: FinalVerdict, reason: Termination, env_reported_success: bool) -> Exit {
    match reason {
        Termination::Cancelled => return Exit::Interrupted,
        Termination::BrainError | Termination::EnvError => return Exit::Broken,
        Termination::Paused => return Exit::Success,
        _ => {}
    }
    match verdict {
        FinalVerdict::Pass => Exit::Success,
        FinalVerdict::Fail => Exit::Failure,
        FinalVerdict::Uncertain => Exit::Uncertain,
        FinalVerdict::Unjudged => match reason {
            Termination::Done => Exit::Success,
            Termination::EnvDone if env_reported_success => Exit::Success,
            Termination::DoneUnverified => Exit::Uncertain,
            _ => Exit::Failure,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_the_contract() {
        use FinalVerdict::{Fail, Pass, Uncertain, Unjudged};
        for (verdict, reason, expected) in [
            (Unjudged, Termination::Done, 0),
            (Unjudged, Termination::DoneFailed, 1),
            (Unjudged, Termination::MaxSteps, 1),
            (Unjudged, Termination::Timeout, 1),
            (Unjudged, Termination::EnvDone, 1),
            (Unjudged, Termination::DoneUnverified, 3),
            (Pass, Termination::MaxSteps, 0),
            (Fail, Termination::Done, 1),
            (Uncertain, Termination::Done, 3),
            (Unjudged, Termination::EnvError, 4),
            (Pass, Termination::BrainError, 4),
            (Unjudged, Termination::Paused, 0),
            (Pass, Termination::Cancelled, 130),
        ] {
            assert_eq!(exit_of(verdict, reason, false) as i32, expected, "{verdict:?} {reason:?}");
        }
        assert_eq!(exit_of(Unjudged, Termination::EnvDone, true), Exit::Success);
    }
}
