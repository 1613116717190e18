//! How good predictions were. What could not be evaluated counts for nothing, neither right nor wrong.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use surehand_types::result::PredicateResult;

/// What a step loses when everything it predicted was wrong.
const WEIGHT: f64 = 0.05;

/// The part of the evaluated predictions that was wrong; nothing when none could be evaluated.
pub fn world_model_error(results: impl IntoIterator<Item = Option<bool>>) -> Option<f64> {
    let mut summary = PredicateSummary::default();
    summary.count(results);
    summary.accuracy()?;
    Some(f64::from(summary.evaluated - summary.correct) / f64::from(summary.evaluated))
}

/// The step's `world_model_error` in its reward: never positive, and never a negative zero.
pub fn reward_component(results: impl IntoIterator<Item = Option<bool>>) -> Option<f64> {
    world_model_error(results).map(|error| 0.0 - WEIGHT * error)
}

/// A run's `predicate_summary`: an object of its counts, and an empty one when nothing was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PredicateSummary {
    pub total: u32,
    pub evaluated: u32,
    pub correct: u32,
}

impl PredicateSummary {
    /// Adds one step.
    pub fn add(&mut self, results: &[PredicateResult]) {
        self.count(results.iter().map(|result| result.result));
    }

    pub fn accuracy(&self) -> Option<f64> {
        (self.evaluated > 0).then(|| f64::from(self.correct) / f64::from(self.evaluated))
    }

    pub fn to_map(self) -> Map<String, Value> {
        let mut map = Map::new();
        if self.total > 0 {
            map.insert("total".into(), self.total.into());
            map.insert("evaluated".into(), self.evaluated.into());
            map.insert("correct".into(), self.correct.into());
            map.insert("accuracy".into(), self.accuracy().into());
        }
        map
    }

    fn count(&mut self, results: impl IntoIterator<Item = Option<bool>>) {
        for result in results {
            self.total = self.total.saturating_add(1);
            if let Some(right) = result {
                self.evaluated = self.evaluated.saturating_add(1);
                self.correct = self.correct.saturating_add(u32::from(right));
            }
        }
    }
}

impl Serialize for PredicateSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_was_evaluated_counts() {
        assert_eq!(world_model_error([None, Some(true), Some(false), None]), Some(0.5));
        assert_eq!(reward_component([Some(false), Some(false)]), Some(-0.05));
        assert_eq!(world_model_error([None, None]), None);
        assert_eq!(reward_component([]), None);
    }

    #[test]
    fn all_right_is_zero_without_a_sign() {
        assert_eq!(reward_component([Some(true)]).map(f64::to_bits), Some(0.0_f64.to_bits()));
    }

    #[test]
    fn the_summary_is_empty_until_something_was_predicted() {
        let mut summary = PredicateSummary::default();
        summary.add(&[]);
        assert_eq!(serde_json::to_value(summary).unwrap(), json!({}));
        let result = |result| PredicateResult { predicate: "url_changed".into(), result, reason: String::new() };
        summary.add(&[result(None)]);
        let unknown = json!({"total": 1, "evaluated": 0, "correct": 0, "accuracy": null});
        assert_eq!(serde_json::to_value(summary).unwrap(), unknown);
        summary.add(&[result(Some(true)), result(Some(false))]);
        let counted = json!({"total": 3, "evaluated": 2, "correct": 1, "accuracy": 0.5});
        assert_eq!(serde_json::to_value(summary).unwrap(), counted);
    }
}
