//! The families that are known, by the stem of their file.

mod benchmark_summary;
mod contract_steps;
mod done_gate;
mod episodes;
mod error_fingerprint;
mod error_tags;
mod feedback;
mod inspection_governor;
mod judge_reply_parse;
mod labels_accuracy;
mod lesson_identity;
mod lesson_outcomes;
mod lesson_retrieve_on_error;
mod lesson_upsert;
mod lesson_utility;
mod lessons;
mod loop_detector;
mod loop_recovery;
mod perceptual_classifier;
mod perceptual_frames;
mod predicates;
mod referee_fusion;
mod tool_input_validation;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Runner;

const RUNNERS: &[(&str, Runner)] = &[
    ("benchmark_summary", benchmark_summary::run),
    ("contract_steps", contract_steps::run),
    ("done_gate", done_gate::run),
    ("episodes", episodes::run_case),
    ("error_fingerprint", error_fingerprint::run),
    ("error_tags", error_tags::run),
    ("feedback", feedback::run),
    ("inspection_governor", inspection_governor::run),
    ("judge_reply_parse", judge_reply_parse::run),
    ("labels_accuracy", labels_accuracy::run),
    ("lesson_identity", lesson_identity::run),
    ("lesson_outcomes", lesson_outcomes::run),
    ("lesson_retrieve_on_error", lesson_retrieve_on_error::run),
    ("lesson_upsert", lesson_upsert::run),
    ("lesson_utility", lesson_utility::run),
    ("loop_detector", loop_detector::run),
    ("loop_recovery", loop_recovery::run),
    ("perceptual_classifier", perceptual_classifier::run),
    ("perceptual_frames", perceptual_frames::run),
    ("predicates", predicates::run),
    ("referee_fusion", referee_fusion::run),
    ("tool_input_validation", tool_input_validation::run),
];

pub(crate) fn runner(family: &str) -> Option<Runner> {
    RUNNERS.iter().find(|(name, _)| *name == family).map(|(_, runner)| *runner)
}

/// A case's input in the shape that the family wants.
fn input<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| format!("the input cannot be read: {error}"))
}
