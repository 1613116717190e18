//! Many runs in numbers: how often they passed, how often nobody could say, how often a pass was none.

use serde::{Deserialize, Serialize};
use surehand_types::RunResult;
use surehand_types::result::FinalVerdict;

use crate::fusion::rounded;
use crate::interval::exact_interval;

/// What a summary needs of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunOutcome {
    pub verdict: FinalVerdict,
    pub score: f64,
    pub steps: u32,
    pub tool_errors: u32,
    pub disagreement: bool,
    /// What somebody else knows to be true of the run, where somebody does.
    pub truth: Option<bool>,
}

impl RunOutcome {
    pub fn of(result: &RunResult, truth: Option<bool>) -> RunOutcome {
        let scored = result.referee.as_ref().and_then(|referee| referee.eval_score);
        let plain = f64::from(u8::from(result.verdict.r#final == FinalVerdict::Pass));
        RunOutcome {
            verdict: result.verdict.r#final,
            score: scored.unwrap_or(plain),
            steps: result.steps,
            tool_errors: result.trajectory.iter().filter(|step| step.error.is_some()).count() as u32,
            disagreement: result.verdict.disagreement,
            truth,
        }
    }
}

/// Rates and means to four decimals; zeros without runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkSummary {
    pub run_count: u64,
    pub pass_count: u64,
    pub fail_count: u64,
    pub uncertain_count: u64,
    /// Runs that nobody judged.
    pub unjudged_count: u64,
    pub pass_rate: f64,
    /// Exact, 95 %.
    pub pass_interval: [f64; 2],
    pub uncertain_rate: f64,
    pub disagreement_rate: f64,
    pub mean_score: f64,
    pub mean_steps: f64,
    pub mean_tool_errors: f64,
    /// Where the truth of some runs is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<TruthSummary>,
}

/// Verdicts beside what is known to be true.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TruthSummary {
    /// Runs whose truth is known.
    pub known: u64,
    /// Passes that were none.
    pub false_passes: u64,
    /// Exact, 95 %, over all known runs that were not a success.
    pub false_pass_interval: [f64; 2],
    /// Fails that were none.
    pub false_fails: u64,
    /// Of the passes, those that were right; 0 without passes.
    pub pass_precision: f64,
    pub pass_precision_interval: [f64; 2],
    /// Of the successes, those that passed; 0 without successes.
    pub pass_recall: f64,
}

pub fn summarize(runs: &[RunOutcome]) -> BenchmarkSummary {
    let total = runs.len() as u64;
    let count = |verdict: FinalVerdict| runs.iter().filter(|run| run.verdict == verdict).count() as u64;
    let rate = |part: u64| if total == 0 { 0.0 } else { rounded(part as f64 / total as f64, 4) };
    let mean = |of: fn(&RunOutcome) -> f64| {
        if total == 0 { 0.0 } else { rounded(runs.iter().map(of).sum::<f64>() / total as f64, 4) }
    };
    let passes = count(FinalVerdict::Pass);
    BenchmarkSummary {
        run_count: total,
        pass_count: passes,
        fail_count: count(FinalVerdict::Fail),
        uncertain_count: count(FinalVerdict::Uncertain),
        unjudged_count: count(FinalVerdict::Unjudged),
        pass_rate: rate(passes),
        pass_interval: exact_interval(passes, total).map(|edge| rounded(edge, 4)),
        uncertain_rate: rate(count(FinalVerdict::Uncertain)),
        disagreement_rate: rate(runs.iter().filter(|run| run.disagreement).count() as u64),
        mean_score: mean(|run| run.score),
        mean_steps: mean(|run| f64::from(run.steps)),
        mean_tool_errors: mean(|run| f64::from(run.tool_errors)),
        truth: beside_truth(runs),
    }
}

fn beside_truth(runs: &[RunOutcome]) -> Option<TruthSummary> {
    let known: Vec<(FinalVerdict, bool)> =
        runs.iter().filter_map(|run| run.truth.map(|truth| (run.verdict, truth))).collect();
    if known.is_empty() {
        return None;
    }
    let count =
        |verdict: FinalVerdict, truth: bool| known.iter().filter(|one| **one == (verdict, truth)).count() as u64;
    let with = |wanted: bool| known.iter().filter(|(_, truth)| *truth == wanted).count() as u64;
    let (right, wrong) = (count(FinalVerdict::Pass, true), count(FinalVerdict::Pass, false));
    let rate = |part: u64, whole: u64| if whole == 0 { 0.0 } else { rounded(part as f64 / whole as f64, 4) };
    Some(TruthSummary {
        known: known.len() as u64,
        false_passes: wrong,
        false_pass_interval: exact_interval(wrong, with(false)).map(|edge| rounded(edge, 4)),
        false_fails: count(FinalVerdict::Fail, true),
        pass_precision: rate(right, right + wrong),
        pass_precision_interval: exact_interval(right, right + wrong).map(|edge| rounded(edge, 4)),
        pass_recall: rate(right, with(true)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(verdict: FinalVerdict, truth: Option<bool>) -> RunOutcome {
        RunOutcome { verdict, score: 0.5, steps: 4, tool_errors: 1, disagreement: false, truth }
    }

    #[test]
    fn truth_is_counted_where_it_is_known() {
        use FinalVerdict::{Fail, Pass, Uncertain, Unjudged};
        let runs = [
            run(Pass, Some(true)),
            run(Pass, Some(false)),
            run(Pass, None),
            run(Fail, Some(true)),
            run(Uncertain, Some(false)),
            run(Unjudged, None),
        ];
        let summary = summarize(&runs);
        assert_eq!((summary.run_count, summary.pass_count, summary.unjudged_count), (6, 3, 1));
        assert_eq!((summary.pass_rate, summary.mean_steps), (0.5, 4.0));
        let truth = summary.truth.unwrap();
        assert_eq!((truth.known, truth.false_passes, truth.false_fails), (4, 1, 1));
        assert_eq!((truth.pass_precision, truth.pass_recall), (0.5, 0.5));
        assert_eq!(summarize(&[run(Pass, None)]).truth, None);
        assert_eq!(summarize(&[]).pass_interval, [0.0, 1.0]);
    }
}
