//! What each check did, counted from the results of runs. A figure here and a line of a result can never say different
//! things. Checks that leave no trace of their own in a result are not in it.

use std::collections::BTreeMap;

use serde_json::Value;
use surehand_types::RunResult;
use surehand_types::api::{CheckEffect, EffectCount};
use surehand_types::result::{CheckVerdict, JudgeVerdict};

/// By check, then by what was counted, in the order in which it was first met.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<&'static str, Vec<(String, u64)>>,
}

impl Tally {
    pub(crate) fn of(result: &RunResult) -> Tally {
        let mut tally = Tally::default();
        let effects = result.effect_summary;
        tally.add("effect_verify", "confirmed", effects.confirmed);
        tally.add("effect_verify", "without effect", effects.no_effect);
        tally.add("effect_verify", "not measurable", effects.unverifiable);
        tally.add("effect_verify", "refused", effects.refused);
        for (reason, count) in &result.done_rejections_by_reason {
            tally.add("done_gate", &format!("refused: {}", reason.replace('_', " ")), *count);
        }
        for (reason, count) in &result.loop_recoveries_by_reason {
            tally.add("loop_recovery", &format!("stepped in: {}", reason.replace('_', " ")), *count);
        }
        let gate = result.gate_summary;
        tally.add("density_gate", "looked at", gate.checked);
        tally.add("density_gate", "shown first", gate.previewed);
        tally.add("density_gate", "then confirmed", gate.confirmed);
        tally.add("density_gate", "then dropped", gate.rejected);
        tally.add("governor", "looks refused", result.governor.blocks);
        tally.add("governor", "tried again", result.governor.retries);
        let lessons = result.lessons;
        tally.add("lessons", "hints shown", lessons.injected);
        tally.add("lessons", "made", lessons.created);
        tally.add("lessons", "promoted", lessons.promoted);
        tally.add("lessons", "put away", lessons.suppressed);
        let number = |map: &serde_json::Map<String, Value>, name: &str| {
            map.get(name).and_then(Value::as_u64).and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
        };
        let (total, evaluated) =
            (number(&result.predicate_summary, "total"), number(&result.predicate_summary, "evaluated"));
        let correct = number(&result.predicate_summary, "correct");
        tally.add("predicate_verify", "came true", correct);
        tally.add("predicate_verify", "did not", evaluated.saturating_sub(correct));
        tally.add("predicate_verify", "not measured", total.saturating_sub(evaluated));
        tally.add("perceptual_verify", "checked", number(&result.perceptual_summary, "checked"));
        tally.add("perceptual_verify", "without effect", number(&result.perceptual_summary, "no_effect"));
        for step in &result.trajectory {
            if let Some(seen) = &step.going_in_circles {
                let words = match seen.response.as_str() {
                    "end" => "ended the run",
                    "repeat" => "told once more",
                    _ => "told the brain",
                };
                tally.add("loop_nudges", words, 1);
            }
        }
        match result.verdict.judge {
            Some(JudgeVerdict::Pass) => tally.add("judge_samples", "judged a pass", 1),
            Some(JudgeVerdict::Fail) => tally.add("judge_samples", "judged a fail", 1),
            Some(JudgeVerdict::Unavailable) => tally.add("judge_samples", "no usable judgement", 1),
            None => {}
        }
        if result.verdict.contract == Some(CheckVerdict::Uncertain) {
            tally.add("grid_row_missing", "contracts left undecided", 1);
        }
        tally
    }

    pub(crate) fn join(&mut self, other: &Tally) {
        for (check, counts) in &other.counts {
            for (words, count) in counts {
                self.put(check, words, *count);
            }
        }
    }

    pub(crate) fn checks(&self) -> Vec<CheckEffect> {
        let counts = |counts: &[(String, u64)]| {
            counts.iter().map(|(words, count)| EffectCount { words: words.clone(), count: *count }).collect()
        };
        self.counts.iter().map(|(name, own)| CheckEffect { name: (*name).into(), counts: counts(own) }).collect()
    }

    fn add(&mut self, check: &'static str, words: &str, count: u32) {
        if count > 0 {
            self.put(check, words, u64::from(count));
        }
    }

    fn put(&mut self, check: &'static str, words: &str, count: u64) {
        let own = self.counts.entry(check).or_default();
        match own.iter_mut().find(|(known, _)| known == words) {
            Some((_, sum)) => *sum += count,
            None => own.push((words.to_string(), count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_runs_are_joined_by_their_words() {
        let mut one = Tally::default();
        one.add("done_gate", "refused: empty summary", 2);
        one.add("done_gate", "refused: never", 0);
        let mut other = Tally::default();
        other.add("done_gate", "refused: empty summary", 1);
        other.add("governor", "tried again", 4);
        one.join(&other);
        let told: Vec<(String, String, u64)> = one
            .checks()
            .into_iter()
            .flat_map(|check| check.counts.into_iter().map(move |it| (check.name.clone(), it.words, it.count)))
            .collect();
        let row = |check: &str, words: &str, count| (check.to_string(), words.to_string(), count);
        assert_eq!(told, [row("done_gate", "refused: empty summary", 3), row("governor", "tried again", 4)]);
    }

    #[test]
    fn every_check_that_is_counted_can_be_switched() {
        for name in [
            "effect_verify",
            "done_gate",
            "loop_recovery",
            "density_gate",
            "governor",
            "lessons",
            "predicate_verify",
            "perceptual_verify",
            "loop_nudges",
            "judge_samples",
            "grid_row_missing",
        ] {
            let spec = surehand_types::settings::find(name);
            assert!(spec.is_some_and(crate::order::is_open), "{name}");
        }
    }
}
