//! The families that are known, by the stem of their file.

mod done_gate;
mod episodes;
mod feedback;
mod labels_accuracy;
mod loop_detector;
mod loop_recovery;
mod perceptual_classifier;
mod perceptual_frames;
mod predicates;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Runner;

const RUNNERS: &[(&str, Runner)] = &[
    ("done_gate", done_gate::run),
    ("episodes", episodes::run_case),
    ("feedback", feedback::run),
    ("labels_accuracy", labels_accuracy::run),
    ("loop_detector", loop_detector::run),
    ("loop_recovery", loop_recovery::run),
    ("perceptual_classifier", perceptual_classifier::run),
    ("perceptual_frames", perceptual_frames::run),
    ("predicates", predicates::run),
];

pub(crate) fn runner(family: &str) -> Option<Runner> {
    RUNNERS.iter().find(|(name, _)| *name == family).map(|(_, runner)| *runner)
}

/// A case's input in the shape that the family wants.
fn input<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| format!("the input cannot be read: {error}"))
}
