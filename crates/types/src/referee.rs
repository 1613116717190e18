//! What the referee found, as it goes into a result: the evidence of every check, the judge's answer and
//! where all of it came from. Readers of a verdict can follow it from here without the referee.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::result::{CheckVerdict, FinalVerdict, JudgeVerdict};
use crate::ui::PixelBox;

/// Everything behind a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefereeRecord {
    pub contract: Option<ContractRecord>,
    /// Content hash of the stored frame that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    pub checks: Vec<CheckEvidence>,
    pub judge: Option<JudgeRecord>,
    /// Where the required checks got their facts, in the order of `Channel`.
    pub channels: Vec<Channel>,
    pub warnings: Vec<String>,
    pub eval_final_verdict: FinalVerdict,
    /// 0 to 1: the mean of contract and judge where they agree, the lower one where they do not. Absent
    /// without either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_score: Option<f64>,
    /// The two parties that have a say did not say the same.
    pub eval_disagreement: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContractRecord {
    pub id: String,
    /// Of the contract's text, so that two runs can be known to have been held to the same one.
    pub sha256: String,
    /// `null` for a contract that only brings a rubric.
    pub result: Option<CheckVerdict>,
    /// The share of required checks that passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Why it is not a plain pass or fail, as codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// One check of a contract and what it saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckEvidence {
    /// Place in the contract, from 0.
    pub index: u32,
    pub r#type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub required: bool,
    pub channel: Channel,
    pub result: CheckResult,
    pub expected: Value,
    pub observed: Value,
    /// 0 to 1, how sure the observation is; 1 for facts that are not read off a picture.
    pub confidence: f64,
    /// Where in the frame, in its pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<PixelBox>,
    /// The file with that part of the frame, where one was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<String>,
    /// A code, and where it helps a few words after a colon.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    Pass,
    Fail,
    Unknown,
}

/// Where a fact comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Pixels,
    Dom,
    /// Address and title, as the browser tells them.
    Page,
    Network,
    File,
    Database,
    /// The brain's own answer. It proves nothing about the world.
    Output,
}

impl Channel {
    /// Whether it is a second opinion beside the picture.
    pub fn is_beside_pixels(self) -> bool {
        match self {
            Channel::Pixels | Channel::Output => false,
            Channel::Dom | Channel::Page | Channel::Network | Channel::File | Channel::Database => true,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Channel::Pixels => "pixels",
            Channel::Dom => "dom",
            Channel::Page => "page",
            Channel::Network => "network",
            Channel::File => "file",
            Channel::Database => "database",
            Channel::Output => "output",
        }
    }
}

/// What the visual judge said, over all of its samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeRecord {
    pub judge_model: String,
    pub judge_result: JudgeVerdict,
    /// Mean over the samples that could be read.
    pub judge_score: Option<f64>,
    /// The lowest of the samples.
    pub judge_confidence: Option<f64>,
    pub judge_reasons: Vec<String>,
    /// Why there is no usable judgement, as a code; absent for pass and fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub samples: Vec<JudgeSample>,
    pub rubric: String,
    pub rubric_source: RubricSource,
    /// How many reference pictures were shown.
    pub references: u32,
    pub cost: f64,
}

/// One answer of the judge, before samples are compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeSample {
    /// What it said; `null` where that could not be read.
    pub passed: Option<bool>,
    pub score: Option<f64>,
    pub confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Value>,
    /// Why it does not count as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RubricSource {
    Contract,
    /// Written from the task alone, before anything of the run was shown.
    Task,
}
